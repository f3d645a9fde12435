// Data directories as earlier versions wrote them. Each must open, answer what it answered then,
// and keep what can no longer be read from anywhere else: the transcripts behind it are gone.
#include <gtest/gtest.h>

#include <filesystem>

#include "e2e/sandbox.hpp"

namespace yore::e2e {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKept = "10000000-0000-4000-8000-00000000000a";
constexpr const char* kGone = "20000000-0000-4000-8000-00000000000b";
constexpr const char* kCopied = "30000000-0000-4000-8000-00000000000c";

// A checkout has the modes that git gives it; a data directory has its own.
void copy_store(const std::string& name, const fs::path& to) {
  fs::copy(fs::path(YORE_SOURCE_DIR) / "tests/data/stores" / name, to, fs::copy_options::recursive);
  fs::permissions(to, fs::perms::owner_all);
  for (const auto& entry : fs::recursive_directory_iterator(to)) {
    const auto own = fs::perms::owner_read | fs::perms::owner_write;
    fs::permissions(entry.path(), entry.is_directory() ? fs::perms::owner_all : own);
  }
}

// Named by what wrote them; see tests/data/stores/README.md.
class EarlierStore : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { copy_store(GetParam(), box_.data_dir()); }
  [[nodiscard]] nlohmann::json json(std::vector<std::string> args) const {
    args.emplace_back("--json");
    return box_.run(args).json();
  }
  Sandbox box_;
};

TEST_P(EarlierStore, ListsEverySessionItHeld) {
  const auto listed = json({"list"});
  std::map<std::string, int> turns;
  for (const auto& each : listed["conversations"]) {
    turns[each["session_id"]] = each["turn_count"];
  }
  EXPECT_EQ(turns, (std::map<std::string, int>{{kKept, 2}, {kGone, 1}, {kCopied, 2}}));
}

TEST_P(EarlierStore, FindsByWordWhatHasNoSourceAnyMore) {
  const auto answer = json({"search", "ferry", "timetable", "--mode", "keyword"});
  ASSERT_EQ(answer["results"].size(), 1U) << answer;
  const auto& hit = answer["results"][0];
  EXPECT_EQ(hit["session_id"], kGone);
  EXPECT_EQ(hit["project"], "ferry");
  EXPECT_EQ(hit["source_missing"], true);
  EXPECT_EQ(hit["messages"][1]["content"],
            "The importer compared months as text, so 06 sorted before 11; it compares numbers "
            "now.");
}

TEST_P(EarlierStore, ReadsATurnByTheIdThatWasPrintedThen) {
  const Ran ran = box_.run({"chunk", "2ac31e9d168a"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("at four turns a minute"), std::string::npos) << ran.out;
}

TEST_P(EarlierStore, IsWholeAfterwards) {
  EXPECT_EQ(box_.run({"index"}).code, 0);
  const Ran ran = box_.run({"doctor"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_EQ(json({"status"})["sessions"], 3);
}

INSTANTIATE_TEST_SUITE_P(Upgrade, EarlierStore, testing::Values("schema-1", "schema-2"),
                         [](const auto& info) {
                           std::string name(info.param);
                           std::erase(name, '-');
                           return name;
                         });

TEST(Upgrade, KeepsTheVectorsOfSchema2) {
  Sandbox box;
  copy_store("schema-2", box.data_dir());
  const auto answer =
      box.run({"search", "levain", "fridge", "--mode", "semantic", "--json"}).json();
  EXPECT_EQ(answer["mode"], "semantic") << answer;
  EXPECT_EQ(answer["coverage"]["passages_embedded"], 10) << answer;
}

}  // namespace
}  // namespace yore::e2e
