// Reads every transcript of the fixture collection that lies beside the checkout, when it is there.
// Nothing of it is part of the project: without it these tests are skipped by name.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "transcript/registry.hpp"
#include "turns/session_builder.hpp"

namespace yore {
namespace {

const std::string kFixtures = std::string(YORE_SOURCE_DIR) + "/../shared/fixtures";

struct Tally {
  std::uint64_t files = 0;
  std::uint64_t sessions = 0;
  std::uint64_t subagents = 0;
  std::uint64_t turns = 0;
  std::uint64_t unanswered = 0;
  std::uint64_t problems = 0;
  std::uint64_t bytes = 0;
  std::map<std::string, std::uint64_t> unknown;
};

// Passes records on and counts those in which somebody says something.
class MessageCounter final : public transcript::RecordSink {
 public:
  explicit MessageCounter(transcript::RecordSink& next) : next_(next) {}
  void record(const transcript::Record& record) override {
    using transcript::RecordKind;
    const bool message = record.kind == RecordKind::prompt || record.kind == RecordKind::assistant;
    if (message && !record.blocks.empty()) ++messages_;
    next_.record(record);
  }
  void problem(transcript::ProblemKind kind, std::uint64_t line) override {
    next_.problem(kind, line);
  }
  void unknown(std::string_view what) override { next_.unknown(what); }
  [[nodiscard]] std::uint64_t messages() const { return messages_; }

 private:
  transcript::RecordSink& next_;
  std::uint64_t messages_ = 0;
};

// Every folder below `path`, itself included: the collection keeps stores at different depths.
void collect_folders(const std::string& path, std::vector<std::string>& out) {
  out.push_back(path);
  const auto entries = list_directory(path);
  if (!entries) return;
  for (const DirEntry& entry : *entries) {
    if (entry.type == FileType::directory) collect_folders(path_join(path, entry.name), out);
  }
}

void read_session(const transcript::Adapter& adapter, const transcript::SessionRef& ref,
                  Tally& tally) {
  turns::SessionBuilder builder;
  MessageCounter counter(builder);
  auto step = adapter.read(ref, {}, {}, counter);
  ASSERT_TRUE(step.ok()) << ref.path << ": " << step.error().message;
  ++tally.sessions;
  tally.bytes += step->bytes_read;
  tally.subagents += ref.kind == transcript::SessionKind::subagent ? 1 : 0;
  tally.problems += builder.take_problems().size();
  for (const auto& [what, count] : builder.take_unknown()) tally.unknown[what] += count;
  const turns::Delta delta = builder.take();
  tally.turns += delta.turns.size();
  for (const turns::Turn& turn : delta.turns)
    tally.unanswered += turn.assistant_blocks == 0 ? 1 : 0;
  if (!delta.turns.empty()) return;
  std::printf("  no turns: %s, %llu records\n", ref.path.c_str(),
              static_cast<unsigned long long>(delta.facts.records));
  // The only good reason: nobody said anything in it.
  EXPECT_EQ(counter.messages(), 0U) << ref.path;
}

Tally read_store(const transcript::Adapter& adapter, const std::string& folder) {
  Tally tally;
  std::vector<std::string> folders;
  collect_folders(folder, folders);
  std::map<std::string, transcript::SessionRef> places;
  for (const std::string& path : folders) {
    auto listing = adapter.sessions({path, true}, {});
    if (!listing) continue;
    for (transcript::SessionRef& ref : listing->sessions) {
      places.emplace(ref.path + "#" + ref.row, std::move(ref));
    }
  }
  tally.files = places.size();
  for (const auto& [place, ref] : places) read_session(adapter, ref, tally);
  return tally;
}

// Where the collection calls an agent by another name.
std::string folder_of(const std::string& agent) {
  const std::map<std::string, std::string> names = {{"gemini", "gemini-cli"},
                                                    {"qwen", "qwen-code"}};
  const auto other = names.find(agent);
  return other == names.end() ? agent : other->second;
}

class Fixtures : public testing::TestWithParam<std::string> {};

TEST_P(Fixtures, AreReadWithoutLosingASession) {
  const std::string folder = path_join(kFixtures, folder_of(GetParam()));
  if (!is_directory(folder)) GTEST_SKIP() << "no fixture collection beside the checkout";
  const transcript::Adapter* adapter = transcript::built_in_agents()->find(GetParam());
  ASSERT_NE(adapter, nullptr);
  const Tally tally = read_store(*adapter, folder);
  std::printf(
      "%-12s files %llu sessions %llu subagents %llu turns %llu unanswered %llu "
      "problems %llu MB %.1f\n",
      GetParam().c_str(), static_cast<unsigned long long>(tally.files),
      static_cast<unsigned long long>(tally.sessions),
      static_cast<unsigned long long>(tally.subagents),
      static_cast<unsigned long long>(tally.turns),
      static_cast<unsigned long long>(tally.unanswered),
      static_cast<unsigned long long>(tally.problems), static_cast<double>(tally.bytes) / 1e6);
  for (const auto& [what, count] : tally.unknown) {
    std::printf("  unknown %s x%llu\n", what.c_str(), static_cast<unsigned long long>(count));
  }
  EXPECT_GT(tally.turns, 0U);
}

INSTANTIATE_TEST_SUITE_P(EveryAgent, Fixtures,
                         testing::Values("claude-code", "openclaw", "codex", "gemini", "qwen",
                                         "opencode", "kimi", "pi"),
                         [](const auto& agent) {
                           std::string name = agent.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace yore
