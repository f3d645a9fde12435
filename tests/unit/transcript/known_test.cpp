// A file that is what it was is listed from what was known of it, without a look into it.
#include <gtest/gtest.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.hpp"
#include "support/temp_dir.hpp"
#include "transcript/registry.hpp"

namespace yore::transcript {
namespace {

namespace fs = std::filesystem;

// One file of an agent that must be looked into to be listed.
struct Sample {
  std::string_view agent;
  std::string_view path;
  std::string_view text;
};

constexpr Sample kSamples[] = {
    {"claude-code", "projects/-w-app/agent-0123abcd.jsonl",
     R"({"type":"user","sessionId":"11111111-1111-4111-8111-111111111111","uuid":"u1"})"},
    {"codex",
     "sessions/2026/05/02/rollout-2026-05-02T10-00-00-22222222-2222-4222-8222-222222222222.jsonl",
     R"({"timestamp":"2026-05-02T10:00:00.000Z","type":"session_meta","payload":{"id":)"
     R"("22222222-2222-4222-8222-222222222222","cwd":"/w/app","originator":"codex_exec","source":"exec"}})"},
    {"gemini", "tmp/app/chats/session-2026-05-02T10-00-33333333.jsonl",
     R"({"sessionId":"33333333-3333-4333-8333-333333333333","kind":"subagent"})"},
    {"gemini", "tmp/app/chats/session-2026-05-02T10-00-44444444.json",
     R"({"sessionId":"44444444-4444-4444-8444-444444444444","messages":[]})"},
    {"pi", "sessions/--w-app--/mine.jsonl",
     R"({"type":"session","version":3,"id":"55555555-5555-7555-8555-555555555555","cwd":"/w/app"})"},
    {"openclaw",
     "agents/main/sessions/cold/"
     "0000000000000000000000000000000000000000000000000000000000000000.jsonl.zst",
     R"({"type":"session","version":3,"id":"s6","cwd":"/w/app"})"},
};

std::string stored(const Sample& sample) {
  const std::string line = std::string(sample.text) + "\n";
  if (!sample.path.ends_with(".zst")) return line;
  std::string out(ZSTD_compressBound(line.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), line.data(), line.size(), 3));
  return out;
}

std::string facts(const SessionRef& ref) {
  return ref.id + "|" + ref.parent_id + "|" + std::to_string(static_cast<int>(ref.kind)) + "|" +
         ref.directory + "|" + ref.project + "|" + ref.title + "|" + ref.cwd + "|" +
         ref.resume_key + "|" + std::to_string(ref.rank) + (ref.automated ? "|machine" : "");
}

class KnownFile : public testing::TestWithParam<Sample> {
 protected:
  void SetUp() override {
    path_ = folder_.path() + "/" + std::string(GetParam().path);
    fs::create_directories(fs::path(path_).parent_path());
    write(stored(GetParam()));
  }
  void write(std::string_view bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  [[nodiscard]] std::vector<SessionRef> list(const PreviousListing& known) const {
    auto listing =
        built_in_agents()->find(GetParam().agent)->sessions({folder_.path(), false}, known);
    return listing ? std::move(listing->sessions) : std::vector<SessionRef>{};
  }

  fake::TempDir folder_;
  std::string path_;
};

TEST_P(KnownFile, IsListedWithoutALookIntoIt) {
  const std::vector<SessionRef> first = list({});
  ASSERT_EQ(first.size(), 1U);
  PreviousListing known;
  known.session = [&](std::string_view agent, const std::string& path, const FileStamp& stamp) {
    const bool same = agent == GetParam().agent && path == first[0].path && stamp == first[0].stamp;
    return same ? &first[0] : nullptr;
  };

  // Whoever looks into it now finds something else.
  const auto time = fs::last_write_time(path_);
  write(std::string(first[0].stamp.size_bytes, 'x'));
  fs::last_write_time(path_, time);
  const std::vector<SessionRef> again = list(known);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(facts(again[0]), facts(first[0]));
  EXPECT_EQ(again[0].stamp, first[0].stamp);

  const std::vector<SessionRef> looked_into = list({});
  EXPECT_TRUE(looked_into.empty() || facts(looked_into[0]) != facts(first[0]));
}

// It was first seen when it was empty; then it was read as it grew, without being listed.
TEST_P(KnownFile, IsLookedIntoWhenItDidNotSayEnough) {
  const std::vector<SessionRef> whole = list({});
  ASSERT_EQ(whole.size(), 1U);
  write("");
  std::vector<SessionRef> before = list({});
  write(stored(GetParam()));
  if (before.empty()) return;
  const auto stamp = stat_file(path_);
  ASSERT_TRUE(stamp.ok());
  before[0].stamp = *stamp;
  PreviousListing known;
  known.session = [&](std::string_view, const std::string&, const FileStamp& now) {
    return now == before[0].stamp ? &before[0] : nullptr;
  };
  const std::vector<SessionRef> again = list(known);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(facts(again[0]), facts(whole[0]));
}

INSTANTIATE_TEST_SUITE_P(OfAgents, KnownFile, testing::ValuesIn(kSamples), [](const auto& sample) {
  std::string name = std::string(sample.param.agent) + std::to_string(sample.index);
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace yore::transcript
