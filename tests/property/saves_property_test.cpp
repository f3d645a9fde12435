// Whatever an agent writes save by save, nothing is superseded unless something was removed: turns
// that only grew or were completed leave no edition. Over the stores of all cases, and over the
// collection of transcripts beside the checkout when it is there.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "cases/case_file.hpp"
#include "cases/store_double.hpp"
#include "search/reader.hpp"
#include "support/fake_world.hpp"
#include "transcript/registry.hpp"

namespace yore {
namespace {

namespace fs = std::filesystem;
using cases::FilePart;
using fake::FakeWorld;

constexpr std::size_t kSaves = 6;  // of one file
const std::string kCollection = std::string(YORE_SOURCE_DIR) + "/../shared/fixtures";

std::string bytes_of_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

using Turns = std::multimap<std::string, std::string>;

// A machine whose agent keeps its store in one folder.
class SavingAgent {
 public:
  explicit SavingAgent(std::string_view agent) {
    world_.set_config("sources = [\"" + std::string(agent) + ":" + folder_.path() + "\"]\n");
  }

  void write(const FilePart& part) {
    if (part.sql) return folder_.write(part);
    const std::string path = path_join(folder_.path(), part.name);
    if (part.append) return world_.append(path, expand(part));
    world_.write(path, expand(part));
  }
  // Each write at a time of its own, as the world has it.
  void write(const std::string& name, std::string_view bytes) {
    world_.write(path_join(folder_.path(), name), bytes);
  }
  void index() const { world_.index(); }
  [[nodiscard]] std::string expand(const FilePart& part) const {
    return cases::expand_placeholders(part.body, folder_.path());
  }

  // What was asked in every turn, and what was answered; of those that stand or of those that are
  // superseded.
  [[nodiscard]] Turns turns(bool superseded) const {
    auto store = world_.store();
    std::vector<store::SessionRow> sessions;
    const Status read = store.each_searchable([&](store::SessionRow&& session) {
      const bool edition = session.standing == store::Standing::edition;
      if (edition == superseded) sessions.push_back(std::move(session));
      return true;
    });
    EXPECT_TRUE(read.ok());
    Turns found;
    for (const store::SessionRow& session : sessions) {
      const std::string uid = superseded ? session.uid.substr(0, session.uid.rfind('~'))  //
                                         : session.uid;
      const auto turns = store.turns_of(session.id);
      EXPECT_TRUE(turns.ok());
      for (const turns::Turn& turn : *turns) {
        const auto said = store.passages_of(session.id, turn.number, turn.number, store::kSaid);
        EXPECT_TRUE(said.ok());
        std::string asked = uid + ": ";
        std::string answered;
        for (const auto& [key, passage] : *said) {
          const bool prompt = passage.surface == turns::Surface::user_prompt;
          (prompt ? asked : answered) += passage.text;
        }
        found.emplace(asked, answered);
      }
    }
    return found;
  }

 private:
  FakeWorld world_;
  cases::TemporaryFolder folder_;
};

// The ends of some lines, the last one being the end of the file.
std::vector<std::size_t> saves_of(std::string_view text) {
  std::vector<std::size_t> ends;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    ends.push_back(at + 1);
  const std::size_t step = ends.size() / kSaves + 1;
  std::vector<std::size_t> saves;
  for (std::size_t i = 0; i < ends.size(); i += step) saves.push_back(ends[i]);
  saves.push_back(text.size());
  return saves;
}

bool grows_by_lines(std::string_view name) {
  return name.ends_with(".jsonl") || name.ends_with(".md");
}

// None of what is superseded stands in a store that was read once, when it was finished.
void expect_nothing_lost_in_between(const SavingAgent& saved, const SavingAgent& finished,
                                    const std::string& what) {
  const auto stand = finished.turns(false);
  for (const auto& [asked, answered] : saved.turns(true)) {
    const auto [first, last] = stand.equal_range(asked);
    for (auto turn = first; turn != last; ++turn) {
      EXPECT_EQ(turn->second.find(answered), std::string::npos)
          << what << ": superseded though it stands: " << asked;
    }
  }
  const auto now = saved.turns(false);
  for (const auto& [asked, answered] : stand) {
    EXPECT_EQ(now.count(asked), stand.count(asked)) << what << ": " << asked;
  }
}

class Saves : public testing::TestWithParam<std::string> {};

TEST_P(Saves, OfEveryCaseSupersedeNothingThatStands) {
  const fs::path folder = fs::path(YORE_SOURCE_DIR "/tests/cases") / GetParam();
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no cases";
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".case") continue;
    cases::CaseFile test = cases::parse_case(bytes_of_file(entry.path()));
    // What lies beside a database was there before it: an upgrade leaves it behind.
    std::ranges::stable_partition(test.parts, [](const FilePart& part) { return !part.sql; });
    SavingAgent saved(GetParam());
    SavingAgent finished(GetParam());
    std::set<std::string> written;
    bool rewritten = false;
    for (const FilePart& part : test.parts) {
      finished.write(part);
      const bool again = !written.insert(part.name).second;
      rewritten = rewritten || (again && !part.append && !part.sql);
      if (part.sql || part.append || !grows_by_lines(part.name)) {
        saved.write(part);
        saved.index();
        continue;
      }
      const std::string text = saved.expand(part);
      for (const std::size_t end : saves_of(text)) {
        saved.write(part.name, std::string_view(text).substr(0, end));
        saved.index();
      }
    }
    if (rewritten) continue;  // it takes something away on purpose
    finished.index();
    expect_nothing_lost_in_between(saved, finished, entry.path().filename().string());
  }
}

TEST_P(Saves, OfEveryFixtureSupersedeNothingThatStands) {
  const std::map<std::string, std::string> other_names = {
      {"gemini", "gemini-cli"}, {"qwen", "qwen-code"}, {"copilot", "copilot-cli"}};
  const auto other = other_names.find(GetParam());
  const fs::path folder =
      fs::path(kCollection) / (other == other_names.end() ? GetParam() : other->second);
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no fixture collection beside the checkout";
  constexpr std::uintmax_t kMostBytes = 150'000;
  constexpr std::size_t kMostFiles = 25;
  std::set<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.file_size() <= kMostBytes) paths.insert(entry.path());
  }
  SavingAgent saved(GetParam());
  SavingAgent finished(GetParam());
  std::size_t grown = 0;
  for (const fs::path& path : paths) {
    const std::string name = fs::relative(path, folder).string();
    const std::string text = bytes_of_file(path);
    if (!grows_by_lines(name) || ++grown > kMostFiles) continue;
    finished.write(name, text);
    for (const std::size_t end : saves_of(text)) {
      saved.write(name, std::string_view(text).substr(0, end));
      saved.index();
    }
  }
  if (grown == 0) GTEST_SKIP() << "none of its files grows by lines";
  finished.index();
  expect_nothing_lost_in_between(saved, finished, folder.filename().string());
}

std::vector<std::string> saving_agents() {
  std::vector<std::string> names;
  for (const transcript::Adapter& agent : transcript::built_in_agents()->all()) {
    names.emplace_back(agent.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(EveryAgent, Saves, testing::ValuesIn(saving_agents()),
                         [](const auto& agent) {
                           std::string name = agent.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace yore
