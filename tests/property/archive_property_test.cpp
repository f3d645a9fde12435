// Whatever an agent's files are, what the archive keeps of a session reads as the session did,
// after everything else is gone. Over the cases of every agent.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/files/stand_in.hpp"
#include "cases/case_file.hpp"
#include "cases/store_double.hpp"
#include "ingest/archiving.hpp"
#include "support/fake_world.hpp"
#include "turns/turn_reader.hpp"

namespace yore {
namespace {

namespace fs = std::filesystem;
const std::atomic<bool> kNobodyStops{false};

std::string told(const transcript::Adapter& adapter, const transcript::SessionRef& ref) {
  turns::TurnReader reader(0, UINT32_MAX);
  auto step = adapter.read(ref, {}, {}, reader);
  while (step && step->more) step = adapter.read(ref, step->cursor, {}, reader);
  if (!step) return "failed: " + step.error().message;
  std::string all;
  for (const turns::WholeTurn& turn : reader.take()) {
    all += std::to_string(turn.number) + "\n" + turn.user_text + "\n" + turn.assistant_text + "\n";
    for (const std::string& tool : turn.tools_used) all += tool + "\n";
  }
  return all;
}

std::vector<fs::path> cases_of(const transcript::Adapter& adapter) {
  std::set<fs::path> paths;
  const fs::path folder = fs::path(YORE_SOURCE_DIR "/tests/cases") / adapter.name;
  if (!fs::is_directory(folder)) return {};
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".case") paths.insert(entry.path());
  }
  return {paths.begin(), paths.end()};
}

// How many sessions were compared.
std::size_t check_case(const transcript::Adapter& adapter, const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  const cases::TemporaryFolder folder;
  for (const cases::FilePart& part : cases::parse_case(text.str()).parts) folder.write(part);
  fake::FakeWorld machine;
  machine.set_config("sources = [\"" + std::string(adapter.name) + ":" + folder.path() + "\"]\n");
  ingest::IndexOptions options;
  options.keywords = false;
  options.threads = 1;
  machine.index(options);
  auto store = machine.store();
  std::vector<store::SessionRow> sessions;
  EXPECT_TRUE(store
                  .each_session([&](store::SessionRow&& row) {
                    // Notes and prompts of a history are nobody's to delete.
                    if (row.standing != store::Standing::conversation) return true;
                    sessions.push_back(std::move(row));
                    return true;
                  })
                  .ok());
  std::vector<std::string> before;
  for (const auto& row : sessions) before.push_back(told(adapter, store::session_ref(row)));
  const auto report =
      ingest::archive_sessions(machine.world(), machine.settings(), store, sessions, kNobodyStops);
  EXPECT_TRUE(report.ok());
  fs::remove_all(folder.path());
  const archive::Archive archive(machine.data_dir());
  std::size_t compared = 0;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const auto entry = archive.find(sessions[i].uid);
    if (before[i].starts_with("failed: ") || before[i].empty()) continue;
    EXPECT_TRUE(entry.ok() && entry->has_value()) << path << ": " << sessions[i].uid;
    if (!entry || !*entry) continue;
    const StandIn kept(archive.stand_in((*entry)->versions.back()));
    EXPECT_EQ(told(adapter, store::session_ref(sessions[i])), before[i]) << path;
    ++compared;
  }
  return compared;
}

TEST(ArchiveProperty, EverySessionOfEveryAgentReadsTheSameFromTheArchive) {
  for (const transcript::Adapter& adapter : transcript::built_in_agents()->all()) {
    const auto cases = cases_of(adapter);
    std::size_t compared = 0;
    for (const fs::path& path : cases) compared += check_case(adapter, path);
    if (!cases.empty()) EXPECT_GT(compared, 0U) << adapter.name;
  }
}

}  // namespace
}  // namespace yore
