// case_runner.cpp — one test per .case file below this folder.
//
// Each case is read three ways, and all three must give the same dump:
//   in the steps of the file   every `== append` is an append to a file that was read before
//   at once                    the finished files, from nothing
//   record by record           the reader stops after each line, and the builder is put away and
//                              restored in between, as when a program ends
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "case_file.hpp"
#include "dump.hpp"
#include "transcript/adapter.hpp"
#include "turns/session_builder.hpp"

namespace yore::cases {
namespace {

namespace fs = std::filesystem;
using transcript::Adapter;
using transcript::SessionRef;
using turns::SessionBuilder;

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = fs::path(fs::temp_directory_path() / "yore-case-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) return;
    temporary_ = name;
    // Its own name may turn up in a dump, so that must not change from run to run.
    path_ = (fs::canonical(name) / "case").string();
    fs::create_directory(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

  void write(const FilePart& part) const {
    const fs::path target = fs::path(path_) / part.name;
    fs::create_directories(target.parent_path());
    std::ofstream out(target, std::ios::binary | (part.append ? std::ios::app : std::ios::trunc));
    out << expand_placeholders(part.body, path_);
  }

 private:
  std::string temporary_;
  std::string path_;
};

// Keeps what it is given the way the store does: sealed passages are added, open ones replaced.
class StoreDouble {
 public:
  StoreDouble(const Adapter& adapter, std::string root, transcript::ReadLimits limits)
      : adapter_(adapter), root_(std::move(root)), limits_(limits) {}

  void refresh() {
    auto listing =
        adapter_.sessions({root_, false}, [](const auto&, const auto&) { return false; });
    ASSERT_TRUE(listing.ok()) << listing.error().message;
    problems_ = listing->problems;
    std::map<std::string, SessionRef> chosen;
    for (SessionRef& ref : listing->sessions) {
      const auto [it, fresh] = chosen.emplace(ref.id, ref);
      if (!fresh && better(ref, it->second)) it->second = ref;
    }
    std::erase_if(kept_, [&](const auto& item) { return !chosen.contains(item.first); });
    for (const auto& [id, ref] : chosen) read(ref, kept_[id]);
  }

  [[nodiscard]] std::string dump_all() const {
    std::string out;
    for (const auto& [id, kept] : kept_) out += dump(kept.session);
    for (const auto& [path, sentence] : problems_) out += "listing problem " + sentence + "\n";
    return replaced(std::move(out), root_, "{{root}}");
  }

 private:
  struct Kept {
    StoredSession session;
    transcript::Cursor cursor;
    std::string state;
    std::string keys;
  };

  static bool better(const SessionRef& a, const SessionRef& b) {
    if (a.rank != b.rank) return a.rank > b.rank;
    if (a.stamp.size_bytes != b.stamp.size_bytes) return a.stamp.size_bytes > b.stamp.size_bytes;
    return a.path < b.path;
  }

  void read(const SessionRef& ref, Kept& kept) {
    if (!kept.cursor.empty()) {
      const auto resumable = adapter_.resumable(ref, kept.cursor);
      if (!resumable.ok() || !*resumable || ref.path != kept.session.ref.path) kept = {};
    }
    kept.session.ref = ref;
    bool more = true;
    while (more) {
      SessionBuilder builder;
      if (!kept.state.empty()) {
        auto restored = SessionBuilder::restore(kept.state, kept.keys);
        ASSERT_TRUE(restored.ok()) << restored.error().message;
        builder = std::move(*restored);
      }
      const auto step = adapter_.read(ref, kept.cursor, limits_, builder);
      ASSERT_TRUE(step.ok()) << step.error().message;
      ASSERT_FALSE(step->more && step->cursor == kept.cursor) << "the reader stands still";
      kept.cursor = step->cursor;
      more = step->more;
      add(builder, kept);
    }
  }

  static void add(SessionBuilder& builder, Kept& kept) {
    turns::Delta delta = builder.take();
    StoredSession& session = kept.session;
    for (turns::Turn& turn : delta.turns) session.turns[turn.number] = std::move(turn);
    for (const turns::TurnNumber number : delta.abandoned) session.turns[number].abandoned = true;
    std::ranges::move(delta.sealed, std::back_inserter(session.sealed));
    session.open = std::move(delta.open);
    session.facts = std::move(delta.facts);
    std::ranges::move(delta.leaf_titles, std::back_inserter(session.leaf_titles));
    kept.keys += delta.new_keys;
    kept.state = std::move(delta.state);
    std::ranges::move(builder.take_problems(), std::back_inserter(session.problems));
    for (const auto& [what, count] : builder.take_unknown()) session.unknown[what] += count;
  }

  const Adapter& adapter_;
  std::string root_;
  transcript::ReadLimits limits_;
  std::map<std::string, Kept> kept_;
  std::vector<std::pair<std::string, std::string>> problems_;
};

std::string read_everything(const Adapter& adapter, const std::string& root,
                            transcript::ReadLimits limits) {
  StoreDouble store(adapter, root, limits);
  store.refresh();
  return store.dump_all();
}

class CaseTest : public testing::Test {
 public:
  CaseTest(fs::path path, std::string agent) : path_(std::move(path)), agent_(std::move(agent)) {}

  void TestBody() override {
    const Adapter* adapter = transcript::find_adapter(agent_);
    ASSERT_NE(adapter, nullptr) << "no adapter called " << agent_;
    const CaseFile test = parse_case(slurp(path_));
    const TemporaryFolder folder;
    ASSERT_FALSE(folder.path().empty());

    StoreDouble store(*adapter, folder.path(), {});
    bool laid_down = false;
    for (const FilePart& part : test.parts) {
      if (part.append && !laid_down) {
        store.refresh();
        laid_down = true;
      }
      folder.write(part);
      if (laid_down) store.refresh();
    }
    if (!laid_down) store.refresh();
    const std::string actual = store.dump_all();

    EXPECT_EQ(actual, read_everything(*adapter, folder.path(), {})) << "in steps, and at once";
    EXPECT_EQ(actual, read_everything(*adapter, folder.path(), {.max_bytes = 1}))
        << "in steps, and record by record";
    const char* const update = std::getenv("YORE_UPDATE_CASES");
    if (update != nullptr && *update != '\0') {
      std::ofstream(path_, std::ios::binary | std::ios::trunc) << test.head << actual;
      return;
    }
    EXPECT_EQ(test.expected, actual) << path_.string();
  }

 private:
  fs::path path_;
  std::string agent_;
};

// "two-values_on one.line" -> "two_values_on_one_line"
std::string test_name(const fs::path& path) {
  std::string name = path.stem().string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

void register_cases(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".case") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  for (const fs::path& path : paths) {
    const std::string agent = path.parent_path().filename().string();
    testing::RegisterTest(("Cases/" + agent).c_str(), test_name(path).c_str(), nullptr, nullptr,
                          path.c_str(), 1,
                          [=]() -> testing::Test* { return new CaseTest(path, agent); });
  }
}

}  // namespace
}  // namespace yore::cases

int main(int argc, char** argv) {
  yore::cases::register_cases(YORE_SOURCE_DIR "/tests/cases");
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
