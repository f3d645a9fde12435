// Damage, and readers that come at any moment.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <filesystem>
#include <string>
#include <thread>

#include "base/files/file.hpp"
#include "lexical/write/index_writer.hpp"
#include "support/temp_dir.hpp"
#include "unit/lexical/index_model.hpp"

namespace yore::lexical {
namespace {

struct DamagedIndex : testing::Test {
  // A segment of each family, a catalog with dead keys, and a log of two frames.
  void SetUp() override {
    auto writer = IndexWriter::open(path(), kUuid);
    ASSERT_TRUE(writer.ok());
    for (int i = 0; i < 3; ++i) {
      Update update;
      if (i == 0) {
        CatalogSession row;
        update.rows.names = {"", "a session"};
        row.uid = 1;
        update.rows.sessions.emplace_back(0, row);
        model.session_uids = {"a session"};
      }
      update.rows.turns.emplace_back(i, TurnRow{});
      model.turns.emplace_back(0, "");
      for (std::size_t family = 0; family < kFamilies; ++family) {
        const auto key = static_cast<DocKey>(i * 10 + 1);
        const auto turn = static_cast<TurnOrd>(i);
        const ModelDocs docs = {{key, {turn, {"bax", "fop"}}}, {key + 1, {turn, {"bax", "zum"}}}};
        update.segments[family] = build_segment(docs);
        model.add(static_cast<Family>(family), docs);
      }
      update.covers = {kUuid, i, 7, true};
      if (i == 2) {
        update.removed = {{2, 10}};
        model.remove_passages(update.removed[0]);
      }
      ASSERT_TRUE(writer->publish(update).ok());
      model.covers = update.covers;
      ASSERT_TRUE(writer->fold_if_due(i == 0).ok());
    }
    const auto snapshot = Snapshot::open(path());
    ASSERT_TRUE(snapshot.ok());
    generation = (*snapshot)->generation();
    ASSERT_EQ(difference(**snapshot, model), "");
  }

  [[nodiscard]] std::string path() const { return path_join(directory.path(), "keywords"); }
  [[nodiscard]] std::vector<std::string> files(std::string_view ending) const {
    std::vector<std::string> result;
    for (const std::string& name : names_in(path())) {
      if (name.ends_with(ending)) result.push_back(path_join(path(), name));
    }
    return result;
  }
  // Writes `bytes` in place of a file that nobody has mapped.
  static void overwrite(const std::string& file, std::string_view bytes) {
    ASSERT_TRUE(remove_file(file).ok());
    ASSERT_TRUE(write_new_file(file, bytes).ok());
  }
  // True: found when opened. Segments may be found later, but what is dead in them and what they
  // count must be right at once.
  [[nodiscard]] bool is_found(bool may_be_found_late) const {
    const auto snapshot = Snapshot::open(path());
    if (!snapshot) return snapshot.error().code == Errc::corrupt;
    for (const Family family : {Family::conversation, Family::detail, Family::title}) {
      const auto& docs = model.docs[static_cast<std::size_t>(family)];
      if ((*snapshot)->stats(family).documents != docs.size()) return false;
      for (const LiveSegment& live : (*snapshot)->segments(family)) {
        live.dead.each([&](Doc doc) { EXPECT_FALSE(docs.contains(live.segment.keys()[doc])); });
      }
    }
    return may_be_found_late && !(*snapshot)->verify().ok();
  }

  fake::TempDir directory;
  IndexModel model;
  std::uint64_t generation = 0;
};

TEST_F(DamagedIndex, EveryFlippedByteOfEveryFileIsFound) {
  for (const std::string ending : {"manifest", ".cat", ".log", ".seg"}) {
    ASSERT_FALSE(files(ending).empty());
    for (const std::string& file : files(ending)) {
      const std::string whole = *read_file(file);
      for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x04);
        overwrite(file, bytes);
        ASSERT_TRUE(is_found(ending == ".seg")) << file << " at " << at;
      }
      overwrite(file, whole);
    }
  }
  EXPECT_EQ(difference(**Snapshot::open(path()), model), "");
}

TEST_F(DamagedIndex, EveryMissingTailIsFound) {
  for (const std::string ending : {"manifest", ".cat", ".log", ".seg"}) {
    for (const std::string& file : files(ending)) {
      const std::string whole = *read_file(file);
      for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
        overwrite(file, std::string_view(whole).substr(0, size));
        ASSERT_TRUE(is_found(false)) << file << " of " << size;
      }
      ASSERT_TRUE(remove_file(file).ok());
      const Errc missing = ending == "manifest" ? Errc::not_found : Errc::corrupt;
      EXPECT_EQ(Snapshot::open(path()).error().code, missing) << file;
      overwrite(file, whole);
    }
  }
}

TEST_F(DamagedIndex, IsStartedAnewWithNewNumbers) {
  for (const std::string ending : {"manifest", ".seg", ".cat", ".log", "manifest"}) {
    const std::string file = files(ending).front();
    std::string bytes = *read_file(file);
    bytes[bytes.size() / 2] ^= 1;
    bytes[20] ^= 1;
    overwrite(file, bytes);
    const auto before = files("");
    auto writer = IndexWriter::open(path(), kUuid);
    ASSERT_TRUE(writer.ok());
    EXPECT_EQ(difference(*writer->snapshot(), IndexModel{}), "");
    EXPECT_GT(writer->snapshot()->generation(), generation);
    generation = writer->snapshot()->generation();
    Update update;
    update.covers = {kUuid, 1, 0, true};
    update.rows.sessions.emplace_back(0, CatalogSession{});
    update.rows.turns.emplace_back(0, TurnRow{});
    update.segments[0] = build_segment({{1, {0, {"bax"}}}});
    ASSERT_TRUE(writer->publish(update).ok());
    ASSERT_TRUE(writer->fold_if_due(true).ok());
    ASSERT_TRUE(writer->publish(Update{update.covers, {}, {{1, 1}}, {}, {}}).ok());
    for (const std::string& name : files("")) {
      if (std::isdigit(path_basename(name).front()) == 0) continue;
      EXPECT_EQ(std::count(before.begin(), before.end(), name), 0) << name;
    }
  }
}

TEST_F(DamagedIndex, AWriterNoticesThatItsIndexWasRemoved) {
  auto writer = IndexWriter::open(path(), kUuid);
  ASSERT_TRUE(writer.ok());
  const auto snapshot = writer->snapshot();
  std::filesystem::remove_all(path());
  Update update;
  update.removed = {{21, 1}};
  EXPECT_EQ(writer->publish(update).error().code, Errc::not_found);
  EXPECT_EQ(writer->fold_if_due(true).error().code, Errc::not_found);
  EXPECT_EQ(difference(*snapshot, model), "") << "readers have it mapped";
  ASSERT_TRUE(writer->reset().ok());
  EXPECT_EQ(difference(*writer->snapshot(), IndexModel{}), "");
}

TEST_F(DamagedIndex, OneBuiltAnewInItsPlaceIsNotMixedUpWithIt) {
  const auto old = Snapshot::open(path());
  ASSERT_TRUE(old.ok());
  const auto before = files("");
  for (const std::string& file : before) ASSERT_TRUE(remove_file(file).ok());
  model = IndexModel{};
  SetUp();  // the same numbers
  EXPECT_EQ(files(""), before);
  auto writer = IndexWriter::open(path(), kUuid);
  ASSERT_TRUE(writer.ok());
  Update update;
  update.covers = model.covers;
  update.rows.turns.emplace_back(0, TurnRow{});
  update.rows.turns.front().second.branch = 1;
  update.rows.names = {"", "other"};
  model.turns[0].second = "other";
  update.removed = {{21, 1}};
  model.remove_passages(update.removed[0]);
  ASSERT_TRUE(writer->publish(update).ok());
  EXPECT_EQ(difference(**Snapshot::open(path(), *old), model), "");
}

// Update n adds key n to every family and removes key n - 9: what a snapshot must hold follows from
// the state it says it covers.
class Race {
 public:
  static constexpr int kUpdates = 200;

  void write() {
    auto writer = IndexWriter::open(directory_.path(), kUuid, limits());
    ASSERT_TRUE(writer.ok());
    for (int n = 1; n <= kUpdates; ++n) {
      ASSERT_TRUE(writer->publish(update(n)).ok());
      ASSERT_TRUE(writer->fold_if_due().ok());
      while (*IndexWriter::merge(directory_.path(), limits(), UINT64_MAX, at_once)) {
      }
    }
    done_ = true;
  }

  void read() {
    std::shared_ptr<const Snapshot> kept;
    while (true) {
      const bool last = done_;
      const auto fresh = Snapshot::open(directory_.path());
      if (!fresh && fresh.error().code == Errc::not_found && !last) continue;
      ASSERT_TRUE(fresh.ok()) << fresh.error().message;
      check(**fresh);
      auto next = Snapshot::open(directory_.path(), kept);
      ASSERT_TRUE(next.ok()) << next.error().message;
      check(**next);
      if (kept) {
        ASSERT_GE((*next)->covers().seq, kept->covers().seq);
        check(*kept);
      }
      kept = std::move(*next);
      ++opened_;
      if (last) break;
    }
    EXPECT_EQ(kept->covers().seq, kUpdates);
    EXPECT_GT(opened_, 1);
  }

 private:
  static WriterLimits limits() {
    WriterLimits result;
    result.fold_frames = 3;
    result.tier_width = 2;
    return result;
  }

  static Update update(int n) {
    Update update;
    update.covers = {kUuid, n, 0, true};
    const auto key = static_cast<DocKey>(n);
    if (n == 1) update.rows.sessions.emplace_back(0, CatalogSession{});
    TurnRow row;
    row.number = key;
    update.rows.turns.emplace_back(key - 1, row);
    for (std::string& segment : update.segments)
      segment = build_segment({{key, {key - 1, {"bax"}}}});
    if (n > 9) update.removed = update.removed_titles = {{key - 9, 1}};
    return update;
  }

  static void check(const Snapshot& snapshot) {
    ASSERT_TRUE(snapshot.verify().ok());
    const auto seq = static_cast<DocKey>(snapshot.covers().seq);
    ASSERT_EQ(snapshot.catalog().turns().size(), seq);
    ModelDocs expected;
    for (DocKey key = seq > 9 ? seq - 8 : 1; key <= seq; ++key) expected[key] = {key - 1, {"bax"}};
    for (int family = 0; family < kFamilies; ++family) {
      ASSERT_EQ(documents_in(snapshot, static_cast<Family>(family)), expected) << seq;
    }
  }

  fake::TempDir directory_;
  std::atomic<bool> done_{false};
  int opened_ = 0;
};

TEST(IndexRace, ReadersSeeWholePublicationsWhileAllIsReplaced) {
  Race race;
  std::thread writer([&] { race.write(); });
  race.read();
  writer.join();
}

}  // namespace
}  // namespace yore::lexical
