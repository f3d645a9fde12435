#include "generator.hpp"

#include <gtest/gtest.h>
#include <simdjson.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "base/hash.hpp"
#include "measure.hpp"

namespace yore::generator {
namespace {

using Files = std::map<std::string, std::string>;

class TempDir {
 public:
  TempDir() : path_(std::filesystem::temp_directory_path() / "yore-generator-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~TempDir() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Files files_of(std::uint64_t seed, std::uint64_t bytes, AgentMix agents) {
  GeneratorOptions options;
  options.seed = seed;
  options.target_bytes = bytes;
  options.agents = agents;
  Result<Files> files = generate_files(options);
  EXPECT_TRUE(files.ok());
  return files.ok() ? std::move(*files) : Files{};
}

const Files& small_corpus() {
  static const Files files = files_of(11, 12'000'000, AgentMix::mixed);
  return files;
}

std::uint64_t hash_of(const Files& files) {
  std::uint64_t hash = 0;
  for (const auto& [path, bytes] : files) hash = hash64(bytes, hash64(path, hash));
  return hash;
}

bool is_main(const std::string& path) {
  return path.starts_with("claude/") && path.ends_with(".jsonl") &&
         path.find("/subagents/") == std::string::npos;
}

template <typename Visit>
void each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    visit(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

std::string_view member(simdjson::dom::element record, std::string_view key) {
  std::string_view value;
  return record[key].get(value) == simdjson::SUCCESS ? value : std::string_view{};
}

std::size_t occurrences(const Files& files, std::string_view needle) {
  std::size_t count = 0;
  for (const auto& [path, bytes] : files) count += bytes.find(needle) != std::string::npos ? 1 : 0;
  return count;
}

// 60 MB, measured once; the seed is fixed, so the figures below cannot wander.
const Measure& measured() {
  static const Measure measure = [] {
    const TempDir dir;
    GeneratorOptions options;
    options.seed = 5;
    options.target_bytes = 60'000'000;
    options.agents = AgentMix::claude_code;
    EXPECT_TRUE(generate(dir.path(), options).ok());
    Result<Measure> result = measure_directory(dir.path());
    EXPECT_TRUE(result.ok());
    return result.ok() ? std::move(*result) : Measure{};
  }();
  return measure;
}

template <typename Get>
double mean_of_turns(Get get) {
  double sum = 0;
  for (const TurnMeasure& turn : measured().turns) sum += static_cast<double>(get(turn));
  return sum / static_cast<double>(measured().turns.size());
}

void expect_within_a_fifth(double actual, double wanted, std::string_view what) {
  EXPECT_NEAR(actual, wanted, wanted * 0.2) << what;
}

TEST(Generator, GivesTheSameBytesForTheSameSeed) {
  EXPECT_EQ(hash_of(files_of(11, 12'000'000, AgentMix::mixed)), hash_of(small_corpus()));
  EXPECT_NE(hash_of(files_of(12, 12'000'000, AgentMix::mixed)), hash_of(small_corpus()));
}

TEST(Generator, WritesToADirectoryWhatItWritesToMemory) {
  const TempDir dir;
  GeneratorOptions options;
  options.seed = 3;
  options.target_bytes = 1'000'000;
  const Result<GeneratorReport> report = generate(dir.path(), options);
  ASSERT_TRUE(report.ok());
  Result<Files> files = generate_files(options);
  ASSERT_TRUE(files.ok());
  std::uint64_t bytes = 0;
  for (const auto& [path, content] : *files) {
    bytes += content.size();
    EXPECT_EQ(std::filesystem::file_size(dir.path() + "/" + path), content.size()) << path;
  }
  EXPECT_EQ(report->bytes, bytes);
  EXPECT_EQ(report->files, files->size());
}

TEST(Generator, WritesOnlyValidJson) {
  simdjson::dom::parser parser;
  std::size_t lines = 0;
  for (const auto& [path, bytes] : small_corpus()) {
    if (path.ends_with(".json")) {
      EXPECT_EQ(parser.parse(bytes).error(), simdjson::SUCCESS) << path;
    } else if (path.find(".jsonl") != std::string::npos) {
      ASSERT_EQ(bytes.back(), '\n') << path;
      each_line(bytes, [&](std::string_view line) {
        ++lines;
        ASSERT_EQ(parser.parse(line.data(), line.size()).error(), simdjson::SUCCESS)
            << path << ": " << line.substr(0, 300);
      });
    }
  }
  EXPECT_GT(lines, 1000U);
}

TEST(Generator, KeepsToTheNumberOfBytesAndSessionsAskedFor) {
  std::uint64_t bytes = 0;
  for (const auto& [path, content] : small_corpus()) bytes += content.size();
  EXPECT_GE(bytes, 12'000'000U);
  EXPECT_LT(bytes, 14'000'000U);

  GeneratorOptions options;
  options.max_sessions = 3;
  options.agents = AgentMix::openclaw;
  Result<Files> files = generate_files(options);
  ASSERT_TRUE(files.ok());
  std::size_t transcripts = 0;
  for (const auto& [path, content] : *files) {
    const bool copy =
        path.find(".checkpoint.") != std::string::npos || path.find(".bak-") != std::string::npos;
    if (path.find(".jsonl") != std::string::npos && !copy) ++transcripts;
  }
  EXPECT_EQ(transcripts, 3U);
}

TEST(Generator, PutsSeveralSessionsAndTurnsIntoAMegabyte) {
  const Files files = files_of(1, 1'000'000, AgentMix::claude_code);
  const auto sessions = std::count_if(files.begin(), files.end(),
                                      [](const auto& file) { return is_main(file.first); });
  EXPECT_GE(sessions, 5);
  EXPECT_LE(sessions, 40);
}

TEST(Generator, ForksReplayRecordsUnderTheirOwnSessionId) {
  simdjson::dom::parser parser;
  std::map<std::string, std::set<std::string>> sessions_of;  // uuid → session ids
  for (const auto& [path, bytes] : small_corpus()) {
    if (!is_main(path)) continue;
    const std::string stem = std::filesystem::path(path).stem();
    each_line(bytes, [&](std::string_view line) {
      const simdjson::dom::element record = parser.parse(line.data(), line.size());
      const std::string_view uuid = member(record, "uuid");
      if (uuid.empty()) return;
      EXPECT_EQ(member(record, "sessionId"), stem);
      EXPECT_TRUE(sessions_of[std::string(uuid)].insert(stem).second) << "twice in " << path;
    });
  }
  const auto shared = std::count_if(sessions_of.begin(), sessions_of.end(),
                                    [](const auto& item) { return item.second.size() == 2; });
  EXPECT_GT(shared, 10);
  EXPECT_LT(static_cast<std::size_t>(shared), sessions_of.size() / 4);
}

TEST(Generator, SubAgentsBelongToTheSessionThatStartedThem) {
  simdjson::dom::parser parser;
  std::size_t subagents = 0;
  for (const auto& [path, bytes] : small_corpus()) {
    const std::size_t at = path.find("/subagents/agent-");
    if (at == std::string::npos || !path.ends_with(".jsonl")) continue;
    ++subagents;
    const std::string session_path = path.substr(0, at) + ".jsonl";
    ASSERT_TRUE(small_corpus().contains(session_path));
    const std::string agent = path.substr(at + 17, path.size() - at - 17 - 6);
    EXPECT_NE(small_corpus().at(session_path).find("\"agentId\":\"" + agent), std::string::npos);
    EXPECT_TRUE(small_corpus().contains(path.substr(0, path.size() - 6) + ".meta.json"));
    each_line(bytes, [&](std::string_view line) {
      const simdjson::dom::element record = parser.parse(line.data(), line.size());
      EXPECT_EQ(member(record, "agentId"), agent);
      EXPECT_EQ(member(record, "sessionId"), std::filesystem::path(session_path).stem());
    });
  }
  EXPECT_GT(subagents, 0U);
}

TEST(Generator, CoversTheRecordsOfBothGenerationsAndAgents) {
  for (const std::string_view sign :
       {"bash_progress", "agent_progress", "hook_progress", "file-history-snapshot",
        "turn_duration", "queue-operation", "custom-title", "ai-title", "\"summary\"",
        "last-prompt", "edited_text_file", "queued_command", "isMeta", "\"image/png\"",
        "HEARTBEAT_OK", "toolCall", "thinkingSignature", "sessionStartedAt", "\"entries\":["}) {
    EXPECT_GT(occurrences(small_corpus(), sign), 0U) << sign;
  }
}

TEST(Generator, WritesChineseOrJapaneseInAFewSessions) {
  Files files = files_of(4, 20'000'000, AgentMix::claude_code);
  std::size_t sessions = 0;
  std::size_t east_asian = 0;
  for (const auto& [path, bytes] : files) {
    if (!is_main(path)) continue;
    ++sessions;
    // The ideographic full stop ends every phrase of both languages.
    if (bytes.find("。") != std::string::npos) ++east_asian;
  }
  EXPECT_GT(east_asian, 0U);
  EXPECT_LT(east_asian * 8, sessions);
}

TEST(Generator, GivesOneSessionAsText) {
  GeneratorOptions options;
  EXPECT_NE(generate_session(options).find("\"type\":\"assistant\""), std::string::npos);
  options.agents = AgentMix::openclaw;
  EXPECT_TRUE(generate_session(options).starts_with("{\"type\":\"session\",\"version\":3"));
}

TEST(GeneratedTranscripts, HaveTheByteSharesOfRealOnes) {
  const std::map<Share, double> wanted = {
      {Share::structured_result, 36}, {Share::progress, 20},  {Share::envelope, 13},
      {Share::tool_result, 10},       {Share::usage, 5},      {Share::signature, 5},
      {Share::tool_input, 3.3},       {Share::thinking, 1.7}, {Share::image, 1.5},
      {Share::assistant_text, 0.8},   {Share::user_text, 0.3}};
  for (const auto& [share, percent] : wanted) {
    expect_within_a_fifth(measured().share(share), percent, share_name(share));
  }
}

TEST(GeneratedTranscripts, HaveTurnsOfTheSizeOfRealOnes) {
  EXPECT_EQ(measured().bad_lines, 0U);
  expect_within_a_fifth(measured().per_gb(measured().turns.size()), 4600, "turns per GB");
  expect_within_a_fifth(mean_of_turns([](const TurnMeasure& t) { return t.raw_bytes; }), 221e3,
                        "raw bytes per turn");
  expect_within_a_fifth(mean_of_turns([](const TurnMeasure& t) { return t.text_bytes; }), 34e3,
                        "text per turn");
  expect_within_a_fifth(mean_of_turns([](const TurnMeasure& t) { return t.text_blocks; }), 4.9,
                        "text blocks per turn");
  expect_within_a_fifth(
      static_cast<double>(measured().turns.size()) / static_cast<double>(measured().sessions()), 6,
      "turns per session");
}

TEST(GeneratedTranscripts, HaveTheTextOfRealOnes) {
  const Measure& m = measured();
  expect_within_a_fifth(m.per_gb(m.conversation_bytes + m.work_bytes), 155e6, "text per GB");
  expect_within_a_fifth(m.per_gb(m.capped_text_bytes), 118e6, "capped text per GB");
  expect_within_a_fifth(m.heaps_beta, 0.49, "Heaps exponent");
  // 100,000 terms per GB with that exponent are 25,000 in 60 MB.
  expect_within_a_fifth(static_cast<double>(m.terms), 25'000, "terms");
}

TEST(GeneratedTranscripts, HaveClocksThatRunBackwardsAndSessionsThatOverlap) {
  const auto sessions = static_cast<double>(measured().sessions());
  const auto part = [sessions](std::uint64_t n) { return static_cast<double>(n) / sessions; };
  EXPECT_NEAR(part(measured().backwards_sessions), 13.0 / 45, 0.12);
  EXPECT_NEAR(part(measured().overlapping_sessions), 23.0 / 45, 0.12);
}

}  // namespace
}  // namespace yore::generator
