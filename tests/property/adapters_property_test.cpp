// Properties of every adapter of the registry, over the stores of its cases: a store may be written
// and read in any pieces, and damage costs what was damaged and nothing else.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.hpp"
#include "cases/case_file.hpp"
#include "cases/store_double.hpp"
#include "transcript/registry.hpp"

namespace yore {
namespace {

namespace fs = std::filesystem;
using cases::CaseFile;
using cases::FilePart;
using cases::StoreDouble;
using cases::TemporaryFolder;
using nlohmann::json;
using transcript::Adapter;

constexpr std::size_t kNone = std::string_view::npos;

struct Sample {
  std::string name;
  std::vector<FilePart> parts;
};

std::vector<Sample> samples_of(const Adapter& adapter) {
  std::vector<Sample> samples;
  const fs::path folder = fs::path(YORE_SOURCE_DIR "/tests/cases") / adapter.name;
  if (!fs::is_directory(folder)) return samples;
  std::set<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".case") paths.insert(entry.path());
  }
  for (const fs::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    Sample sample{path.stem().string(), cases::parse_case(text.str()).parts};
    // Databases grow by transactions, not by bytes.
    if (std::ranges::none_of(sample.parts, &FilePart::sql)) samples.push_back(std::move(sample));
  }
  return samples;
}

bool has_cases(const Adapter& adapter) {
  const fs::path folder = fs::path(YORE_SOURCE_DIR "/tests/cases") / adapter.name;
  return fs::is_directory(folder) && !fs::is_empty(folder);
}

using Files = std::map<std::string, std::string>;

// The finished files of a sample, by name.
Files files_of(const Sample& sample, const TemporaryFolder& folder) {
  Files files;
  for (const FilePart& part : sample.parts) {
    std::string& body = files[part.name];
    if (!part.append) body.clear();
    body += cases::expand_placeholders(part.body, folder.path());
  }
  return files;
}

void write_bytes(const TemporaryFolder& folder, const std::string& name, std::string_view bytes,
                 bool append) {
  const fs::path target = fs::path(folder.path()) / name;
  fs::create_directories(target.parent_path());
  std::ofstream out(target, std::ios::binary | (append ? std::ios::app : std::ios::trunc));
  out << bytes;
}

void write_all(const TemporaryFolder& folder, const Files& files) {
  for (const auto& [name, bytes] : files) write_bytes(folder, name, bytes, false);
}

// Outputs and pictures that a record leads to are complete before it is written.
bool is_side_file(std::string_view name) {
  return !name.ends_with(".jsonl") && !name.ends_with(".json") && !name.ends_with(".zst") &&
         !name.ends_with(".history.md");
}

// One file of a sample.
struct Target {
  const Sample* sample = nullptr;
  std::string name;
  bool may_grow = false;  // by bytes; the other files of a tree are written one after another
};

std::vector<Target> targets_in(const Adapter& adapter, const std::vector<Sample>& samples) {
  std::vector<Target> targets;
  for (const Sample& sample : samples) {
    const TemporaryFolder folder;
    const Files files = files_of(sample, folder);
    write_all(folder, files);
    std::set<std::string> holders;
    if (const auto listing = adapter.sessions({folder.path(), false}, {})) {
      for (const auto& session : listing->sessions) holders.insert(session.path);
    }
    for (const auto& [name, bytes] : files) {
      if (is_side_file(name) || bytes.empty()) continue;
      const bool grows =
          name.ends_with(".jsonl") || holders.contains(path_join(folder.path(), name));
      targets.push_back({&sample, name, grows});
    }
  }
  return targets;
}

transcript::ReadLimits some_limit() {
  return {*rc::gen::element<std::uint64_t>(1, 200, 5000, UINT64_MAX)};
}

// --- damage ------------------------------------------------------------------------------------

// What one damage can reach: a line of JSON lines, the whole of any other file.
struct Unit {
  std::size_t begin = 0;
  std::size_t size = 0;
};

Unit some_unit(const std::string& name, const std::string& bytes) {
  if (!name.ends_with(".jsonl")) return {0, bytes.size()};
  const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
  const std::size_t newline = bytes.rfind('\n', at == 0 ? 0 : at - 1);
  const std::size_t begin = at == 0 || newline == std::string::npos ? 0 : newline + 1;
  return {begin, std::min(bytes.find('\n', begin), bytes.size()) - begin};
}

std::string damaged(std::string text) {
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return text.substr(0, *rc::gen::inRange<std::size_t>(0, text.size()));
    case 1:
      return "not JSON";
    case 2:
      text[*rc::gen::inRange<std::size_t>(0, text.size())] = '\xFF';
      return text;
    case 3:
      text[*rc::gen::inRange<std::size_t>(0, text.size())] = '\0';
      return text;
    default:
      text.insert(*rc::gen::inRange<std::size_t>(0, text.size()),
                  *rc::gen::element<std::string>("{", "}", "[", "\"", "{\"a\":"));
      return text;
  }
}

// Every string in it, and in the JSON texts inside strings.
void collect_strings(const json& value, std::string& out, int depth) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    out += text + "\n";
    if (depth == 0 || (!text.starts_with('{') && !text.starts_with('['))) return;
    const json inner = json::parse(text, nullptr, false);
    if (!inner.is_discarded()) collect_strings(inner, out, depth - 1);
    return;
  }
  if (!value.is_structured() || depth == 0) return;
  for (const auto& item : value.items()) {
    if (value.is_object()) out += item.key() + "\n";
    collect_strings(item.value(), out, depth - 1);
  }
}

// All that a damaged piece of text said: as it stands there, and as JSON tells it.
std::string words_in(std::string_view text) {
  std::string words(text);
  words += '\n';
  const json value = json::parse(text, nullptr, false);
  if (!value.is_discarded()) collect_strings(value, words, 40);
  return words;
}

// Lines that change what lines before them said: one that is lost may cost whatever it built on.
bool is_log_of_changes(std::string_view bytes) {
  return bytes.starts_with("{\"kind\":0,");
}

// What may go with a damaged piece: the outputs and pictures that it led to, and of a tree of files
// those that hang on it by name, and on these in turn.
std::string words_with(const std::string& name, const Files& files) {
  std::string words = "root\n";  // what is shown for the folder's name
  std::set<std::string> seen{name};
  std::vector<std::string> stems;
  if (name.ends_with(".json")) stems.emplace_back(path_stem(name));
  for (std::size_t i = 0; i < stems.size(); ++i) {
    for (const auto& [other, bytes] : files) {
      if (other.find(stems[i]) == kNone || !seen.insert(other).second) continue;
      words += words_in(bytes);
      stems.emplace_back(path_stem(other));
    }
  }
  for (const auto& [other, bytes] : files) {
    if (is_side_file(other)) words += bytes + "\n";
  }
  return words;
}

// Other bytes may be what stands for damaged ones.
bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x80 && std::isalnum(byte) != 0;
}

// Are all words of a line among those? Adapters add marks ("! ", "[image]") but no words.
bool said_in(std::string_view line, const std::string& words) {
  if (line.starts_with(" [") && line.ends_with("]") && line.find_first_of(" :{", 1) == kNone) {
    return true;
  }
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && is_word(line[end])) ++end;
    const bool short_word = end - at < 3;
    if (!short_word && words.find(line.substr(at, end - at)) == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

struct Reading {
  std::multiset<std::string> lines;  // of everything that can be searched
  std::size_t problems = 0;
  bool empty_session = false;
};

Reading read_lines(const Adapter& adapter, const std::string& root) {
  StoreDouble store(adapter, root, {});
  store.refresh();
  Reading reading;
  std::istringstream dump(store.dump_all());
  for (std::string line; std::getline(dump, line);) {
    const bool said = line.starts_with("    user|") || line.starts_with("    assistant|") ||
                      line.starts_with("    thinking|") || line.starts_with("    tool|");
    const bool whole = line.find(" bytes…] ") == std::string::npos;  // long lines are shown cut
    if (said && whole) reading.lines.insert(line.substr(line.find('|') + 1));
    if (line.starts_with("  problem ") || line.starts_with("listing problem ")) ++reading.problems;
  }
  for (const auto& [id, session] : store.sessions()) {
    reading.empty_session = reading.empty_session || session->turns.empty();
  }
  return reading;
}

// --- the properties ----------------------------------------------------------------------------

class EveryAdapter : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    adapter_ = transcript::built_in_agents()->find(GetParam());
    ASSERT_NE(adapter_, nullptr);
    samples_ = samples_of(*adapter_);
    targets_ = targets_in(*adapter_, samples_);
    const bool databases_only = samples_.empty() && has_cases(*adapter_);
    if (databases_only) GTEST_SKIP() << "databases_property_test.cpp has those";
    ASSERT_FALSE(targets_.empty()) << "no files in tests/cases/" << GetParam();
  }
  template <typename Wanted>
  [[nodiscard]] const Target& some_target(Wanted wanted) const {
    std::vector<const Target*> chosen;
    for (const Target& target : targets_) {
      if (wanted(target)) chosen.push_back(&target);
    }
    RC_ASSERT(!chosen.empty());
    return *chosen[*rc::gen::inRange<std::size_t>(0, chosen.size())];
  }

  const Adapter* adapter_ = nullptr;
  std::vector<Sample> samples_;
  std::vector<Target> targets_;
};

TEST_P(EveryAdapter, GivesTheSameWhateverThePiecesAFileWasWrittenIn) {
  const bool holds = rc::check([this] {
    const auto& [sample, name, grows] = some_target([](const auto& each) { return each.may_grow; });
    const TemporaryFolder folder;
    Files files = files_of(*sample, folder);
    const std::string bytes = std::move(files.at(name));
    files.erase(name);
    write_all(folder, files);
    auto cuts = *rc::gen::container<std::vector<std::size_t>>(
        *rc::gen::inRange<std::size_t>(1, 6), rc::gen::inRange<std::size_t>(0, bytes.size() + 1));
    std::ranges::sort(cuts);
    StoreDouble store(*adapter_, folder.path(), some_limit());
    std::size_t written = 0;
    write_bytes(folder, name, "", false);
    cuts.push_back(bytes.size());
    for (const std::size_t cut : cuts) {
      write_bytes(folder, name, std::string_view(bytes).substr(written, cut - written), true);
      written = cut;
      store.refresh();
    }
    const std::string in_pieces = store.dump_all();
    const std::string at_once = cases::read_everything(*adapter_, folder.path(), {});
    RC_LOG() << "case " << sample->name << ", file " << name << "\nin pieces:\n"
             << in_pieces << "at once:\n"
             << at_once;
    RC_ASSERT(in_pieces == at_once);
    RC_ASSERT(!HasFailure());
  });
  EXPECT_TRUE(holds);
}

// A finished answer whose own file no longer says so looks like one that is being written, and what
// was typed behind it waits for its end. A file that says nothing at all does not.
bool may_look_unfinished(const std::string& name, const std::string& text,
                         const std::string& broken) {
  const bool finished = name.find("/message/") != std::string::npos &&
                        text.find("\"completed\"") != std::string::npos;
  return finished && broken != "not JSON" && broken.size() >= text.size();
}

TEST_P(EveryAdapter, LosesNoMoreThanWhatWasDamaged) {
  const bool holds = rc::check([this] {
    const auto& [sample, name, grows] =
        some_target([](const Target& each) { return !each.name.ends_with(".zst"); });
    const TemporaryFolder folder;
    Files files = files_of(*sample, folder);
    write_all(folder, files);
    const Reading before = read_lines(*adapter_, folder.path());

    std::string& bytes = files.at(name);
    const Unit unit = some_unit(name, bytes);
    RC_PRE(unit.size > 0);
    const std::string text = bytes.substr(unit.begin, unit.size);
    const std::string broken = damaged(text);
    if (may_look_unfinished(name, text, broken)) return;
    const std::string original = bytes;
    bytes.replace(unit.begin, unit.size, broken);
    write_all(folder, files);
    const Reading after = read_lines(*adapter_, folder.path());
    RC_LOG() << "case " << sample->name << ", file " << name << ", damaged: " << broken << "\n";
    RC_ASSERT(!HasFailure());
    // What was said around a turn cannot be kept when nothing is left that makes one.
    if (after.empty_session && !before.empty_session) return;

    std::vector<std::string> lost;
    std::ranges::set_difference(before.lines, after.lines, std::back_inserter(lost));
    std::string words = words_in(text) + words_with(name, files);
    if (is_log_of_changes(original)) words += words_in(original);
    // Text that came in growing pieces may now stand there in other pieces.
    for (const std::string& line : after.lines) words += line + "\n";
    for (const std::string& line : lost) {
      RC_LOG() << "lost: " << line << "\n";
      RC_ASSERT(said_in(line, words));
    }
    const bool was_record = name.ends_with(".jsonl") && json::accept(text);
    if (was_record && broken == "not JSON") {
      RC_ASSERT(after.problems >= before.problems);
    }
  });
  EXPECT_TRUE(holds);
}

std::vector<std::string> every_name() {
  std::vector<std::string> names;
  for (const Adapter& adapter : transcript::built_in_agents()->all())
    names.emplace_back(adapter.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryAdapter, testing::ValuesIn(every_name()),
                         [](const auto& agent) {
                           std::string name = agent.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace yore
