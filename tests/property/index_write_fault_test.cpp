// Every call to the system that the writer makes goes wrong once. Whatever it is, the index answers
// as before or as after, or says that it is damaged; and it comes out like one built without fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "lexical/format/manifest.hpp"
#include "lexical/write/index_writer.hpp"
#include "support/every_fault.hpp"
#include "support/temp_dir.hpp"
#include "unit/lexical/index_model.hpp"

namespace yore::lexical {
namespace {

using fake::FaultyFileSystem;

constexpr int kUpdates = 6;
constexpr int kBulk = 3;  // this one is published as a file of its own
constexpr int kLiving = 3;

WriterLimits small_limits() {
  WriterLimits limits;
  limits.fold_frames = 2;
  limits.tier_width = 2;
  return limits;
}

// Update n adds key n to every family and removes key n - kLiving: what an index must hold follows
// from the state it says it covers.
const Update& update(int n) {
  static const auto all = [] {
    std::array<Update, kUpdates + 1> made;
    for (int i = 1; i <= kUpdates; ++i) {
      Update& one = made.at(static_cast<std::size_t>(i));
      const auto key = static_cast<DocKey>(i);
      one.covers = {kUuid, i, 0, true};
      if (i == 1) one.rows.sessions.emplace_back(0, CatalogSession{});
      one.rows.turns.emplace_back(key - 1, TurnRow{});
      for (std::string& segment : one.segments) {
        segment = build_segment({{key, {key - 1, {"bax"}}}});
      }
      if (i > kLiving) one.removed = one.removed_titles = {{key - kLiving, 1}};
    }
    return made;
  }();
  return all.at(static_cast<std::size_t>(n));
}

// "": it holds what the state that it covers holds.
std::string difference_from_covered(const Snapshot& snapshot) {
  const int seq = static_cast<int>(snapshot.covers().seq);
  IndexModel model;
  model.covers = seq == 0 ? StoreState{kUuid, 0, 0, false} : update(seq).covers;
  if (seq > 0) model.session_uids = {""};
  for (int i = 1; i <= seq; ++i) model.turns.emplace_back(0, "");
  for (int i = std::max(1, seq - kLiving + 1); i <= seq; ++i) {
    const auto key = static_cast<DocKey>(i);
    for (std::size_t family = 0; family < kFamilies; ++family) {
      model.add(static_cast<Family>(family), {{key, {key - 1, {"bax"}}}});
    }
  }
  return difference(snapshot, model);
}

class Scenario {
 public:
  // From where the index is to the last update; the first failure ends it.
  Status run(const FileSystem& files) {
    auto writer = IndexWriter::open(directory_.path(), kUuid, small_limits(), nullptr, files);
    if (!writer) return writer.error();
    for (int n = static_cast<int>(writer->covers().seq) + 1; n <= kUpdates; ++n) {
      Status status = n == kBulk ? writer->publish_bulk(bulk()) : writer->publish(update(n));
      if (!status) return status;
      published_ = n;
      if (status = writer->fold_if_due(); !status) return status;
      while (true) {
        const auto merged =
            IndexWriter::merge(directory_.path(), small_limits(), UINT64_MAX, at_once, {}, files);
        if (!merged) return merged.error();
        if (!*merged) break;
      }
    }
    return {};
  }

  // An index that says it is damaged is built again.
  Status run_again(const FileSystem& files, bool may_be_damaged) {
    Status again = run(files);
    if (!may_be_damaged || is_whole()) return again;
    published_ = 0;
    if (Status gone = remove_file(manifest_path(directory_.path())); !gone) return gone;
    return run(files);
  }

  // What somebody who reads now finds: all right, or nothing at all.
  [[nodiscard]] testing::AssertionResult reader_is_safe(bool may_be_damaged) const {
    const auto snapshot = Snapshot::open(directory_.path());
    if (!snapshot) {
      const Errc code = snapshot.error().code;
      const bool fine =
          (code == Errc::not_found && published_ == 0) || (code == Errc::corrupt && may_be_damaged);
      return fine ? testing::AssertionSuccess()
                  : testing::AssertionFailure() << snapshot.error().message;
    }
    if (may_be_damaged && !(*snapshot)->verify().ok()) return testing::AssertionSuccess();
    const std::string wrong = difference_from_covered(**snapshot);
    if (!wrong.empty()) return testing::AssertionFailure() << "wrong " << wrong;
    if (!may_be_damaged && (*snapshot)->covers().seq < published_) {
      return testing::AssertionFailure() << "what was published is gone";
    }
    return testing::AssertionSuccess();
  }

  void expect_like_a_clean_build() const {
    const auto snapshot = Snapshot::open(directory_.path());
    ASSERT_TRUE(snapshot.ok()) << snapshot.error().message;
    EXPECT_EQ((*snapshot)->covers().seq, kUpdates);
    EXPECT_EQ(difference_from_covered(**snapshot), "");
    // Whatever the fault left behind, the next writer removes.
    ASSERT_TRUE(IndexWriter::open(directory_.path(), kUuid, small_limits()).ok());
    const auto manifest = read_manifest<Manifest>(directory_.path());
    ASSERT_TRUE(manifest.ok());
    const std::size_t named =
        manifest->segments.size() + (manifest->catalog != 0 ? 1 : 0) + (manifest->log != 0 ? 1 : 0);
    EXPECT_EQ(names_in(directory_.path()).size(), named + 2) << "and the manifest and a lock";
  }

  [[nodiscard]] const std::string& path() const { return directory_.path(); }

 private:
  static IndexWriter::Bulk bulk() {
    IndexWriter::Bulk made;
    made.covers = update(kBulk).covers;
    made.rows = update(kBulk).rows;
    for (std::size_t family = 0; family < kFamilies; ++family) {
      made.segments.emplace_back(static_cast<Family>(family), update(kBulk).segments[family]);
    }
    return made;
  }

  [[nodiscard]] bool is_whole() const {
    const auto snapshot = Snapshot::open(directory_.path());
    return snapshot && (*snapshot)->verify().ok();
  }

  fake::TempDir directory_;
  int published_ = 0;
};

class IndexWriteFault : public testing::TestWithParam<fake::Fault> {};

TEST_P(IndexWriteFault, AtAnyCallLeavesAnIndexThatIsRightOrHeals) {
  fake::check_every_call<Scenario>(GetParam(), 100);
}

INSTANTIATE_TEST_SUITE_P(EveryKind, IndexWriteFault, testing::ValuesIn(fake::kFaults));

TEST(IndexWriteDelay, AReaderThatComesBetweenAnyTwoCallsSeesAWholePublication) {
  FaultyFileSystem files;
  Scenario scenario;
  std::shared_ptr<const Snapshot> kept;
  int seen = 0;
  files.before_each([&] {
    const auto now = Snapshot::open(scenario.path(), kept);
    if (!now && kept == nullptr && now.error().code == Errc::not_found) return;
    ASSERT_TRUE(now.ok()) << now.error().message;
    ASSERT_EQ(difference_from_covered(**now), "");
    if (kept) {
      ASSERT_GE((*now)->covers().seq, kept->covers().seq);
    }
    kept = *now;
    ++seen;
  });
  ASSERT_TRUE(scenario.run(files).ok());
  EXPECT_EQ(kept->covers().seq, kUpdates);
  EXPECT_GT(seen, 100);
}

}  // namespace
}  // namespace yore::lexical
