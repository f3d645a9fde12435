// Exports in zip archives: what they hold, and what archives hold that mean no good.
#include <gtest/gtest.h>
#include <minizip/zip.h>

#include <fstream>
#include <string>
#include <string_view>

#include "support/temp_dir.hpp"
#include "transcript/registry.hpp"

namespace yore::transcript {
namespace {

void write_zip(const std::string& path, const char* name, std::string_view text, int times = 1) {
  zipFile zip = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  const zip_fileinfo info{};
  zipOpenNewFileInZip64(zip, name, &info, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED, 6, 1);
  for (int i = 0; i < times; ++i) {
    zipWriteInFileInZip(zip, text.data(), static_cast<unsigned>(text.size()));
  }
  zipCloseFileInZip(zip);
  zipClose(zip, nullptr);
}

Listing list(const std::string& path) {
  const Adapter* agent = built_in_agents()->find("claude-ai");
  auto listing = agent->sessions({path, true}, {});
  EXPECT_TRUE(listing.ok());
  return listing ? *std::move(listing) : Listing{};
}

constexpr std::string_view kTwo =
    R"([{"uuid":"a","name":"A","chat_messages":[{"uuid":"1","sender":"human","text":"One?"}]},)"
    R"({"uuid":"b","name":"B","chat_messages":[{"uuid":"1","sender":"human","text":"Two?"}]}])";

struct PromptSink final : RecordSink {
  void record(const Record& record) override {
    if (record.kind == RecordKind::prompt) prompts.emplace_back(record.blocks[0].text);
  }
  void problem(ProblemKind, std::uint64_t) override {}
  void unknown(std::string_view) override {}
  std::vector<std::string> prompts;
};

TEST(Exports, AreReadOutOfTheirArchiveInAnyOrder) {
  const fake::TempDir folder;
  const std::string path = folder.path() + "/data.zip";
  write_zip(path, "export/conversations.json", kTwo);
  const Listing listing = list(path);
  ASSERT_EQ(listing.sessions.size(), 2U);
  EXPECT_EQ(listing.containers.size(), 1U);
  const Adapter* agent = built_in_agents()->find("claude-ai");
  PromptSink sink;
  for (const std::size_t i : {1U, 0U, 1U}) {
    ASSERT_TRUE(agent->read(listing.sessions[i], {}, {}, sink).ok());
  }
  EXPECT_EQ(sink.prompts, (std::vector<std::string>{"Two?", "One?", "Two?"}));
}

TEST(Exports, OfAnotherArchiveThereAreNone) {
  const fake::TempDir folder;
  write_zip(folder.path() + "/other.zip", "notes.json", kTwo);
  const Listing listing = list(folder.path());
  EXPECT_TRUE(listing.sessions.empty());
  EXPECT_TRUE(listing.problems.empty());
}

TEST(Exports, AnArchiveThatIsDamagedOrMadeToBeUnpackedGetsASentence) {
  const fake::TempDir folder;
  const std::string damaged = folder.path() + "/damaged.zip";
  std::ofstream(damaged) << "PK\3\4 and no more";
  const Listing broken = list(damaged);
  ASSERT_EQ(broken.problems.size(), 1U);
  EXPECT_EQ(broken.problems[0].second, "is no zip archive, or a damaged one");

  const std::string bomb = folder.path() + "/bomb.zip";
  write_zip(bomb, "conversations.json", "[" + std::string(1 << 20, ' '), 100);
  const Listing huge = list(bomb);
  ASSERT_EQ(huge.problems.size(), 1U);
  EXPECT_TRUE(huge.sessions.empty());
}

TEST(Exports, AFileOfSomethingElseIsNamed) {
  const fake::TempDir folder;
  const std::string path = folder.path() + "/conversations.json";
  std::ofstream(path) << R"([{"id":"x","mapping":{}}])";
  const Listing listing = list(path);
  ASSERT_EQ(listing.problems.size(), 1U);
  EXPECT_EQ(listing.problems[0].second, "holds no conversations of Claude.ai (export)");
}

}  // namespace
}  // namespace yore::transcript
