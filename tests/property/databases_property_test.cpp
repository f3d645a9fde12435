// Properties of every adapter that reads databases, over those of its cases: whatever the
// transactions in which rows came, the same is read in the end, and damage to one value costs what
// that value said.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/sqlite.hpp"
#include "cases/case_file.hpp"
#include "cases/store_double.hpp"
#include "transcript/registry.hpp"

namespace yore {
namespace {

namespace fs = std::filesystem;
using cases::FilePart;
using cases::StoreDouble;
using cases::TemporaryFolder;
using nlohmann::json;
using transcript::Adapter;

// One database of a case, as the statements that make it, and what lies beside it.
struct DatabaseSample {
  std::string name;
  std::vector<FilePart> beside;
  std::vector<FilePart> statements;
};

// One statement per line that ends in ';', as the cases are written.
std::vector<FilePart> statements_of(const FilePart& part) {
  std::vector<FilePart> all;
  std::istringstream body(part.body);
  std::string statement;
  for (std::string line; std::getline(body, line);) {
    statement += line + "\n";
    if (!line.ends_with(';')) continue;
    all.push_back({part.name, statement, true, true});
    statement.clear();
  }
  return all;
}

std::vector<DatabaseSample> databases_of(const Adapter& adapter) {
  std::vector<DatabaseSample> samples;
  const fs::path folder = fs::path(YORE_SOURCE_DIR "/tests/cases") / adapter.name;
  std::set<fs::path> paths;
  if (fs::is_directory(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".case") paths.insert(entry.path());
    }
  }
  for (const fs::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    DatabaseSample sample{path.stem().string(), {}, {}};
    for (const FilePart& part : cases::parse_case(text.str()).parts) {
      if (!part.sql) sample.beside.push_back(part);
      if (!part.sql) continue;
      for (FilePart& each : statements_of(part)) sample.statements.push_back(std::move(each));
    }
    if (!sample.statements.empty()) samples.push_back(std::move(sample));
  }
  return samples;
}

void write_all(const TemporaryFolder& folder, const DatabaseSample& sample) {
  for (const FilePart& part : sample.beside) folder.write(part);
  for (const FilePart& part : sample.statements) folder.write(part);
}

// A text in some row of some table that is JSON.
struct Cell {
  std::string file;
  std::string table;
  std::string column;
  std::int64_t rowid = 0;
  std::string text;
};

std::vector<std::string> texts_of(Database& database, const std::string& sql) {
  std::vector<std::string> texts;
  auto query = database.prepare(sql);
  if (!query) return texts;
  while (true) {
    const auto row = query->step();
    if (!row || !*row) return texts;
    texts.emplace_back(query->text(0));
  }
}

std::vector<Cell> json_cells(const TemporaryFolder& folder, const DatabaseSample& sample) {
  std::vector<Cell> cells;
  std::set<std::string> names;
  for (const FilePart& part : sample.statements) names.insert(part.name);
  for (const std::string& name : names) {
    const std::string file = (fs::path(folder.path()) / name).string();
    auto database = Database::open(file, Database::Mode::create);
    if (!database) continue;
    for (const auto& table :
         texts_of(*database, "SELECT name FROM sqlite_master WHERE type='table'")) {
      for (const auto& column :
           texts_of(*database, "SELECT name FROM pragma_table_info('" + table + "')")) {
        auto query = database->prepare("SELECT rowid,\"" + column + "\" FROM \"" + table +
                                       "\" WHERE typeof(\"" + column + "\")='text'");
        while (query) {
          const auto row = query->step();
          if (!row || !*row) break;
          std::string text(query->text(1));
          const bool object = text.starts_with('{') || text.starts_with('[');
          if (object) cells.push_back({file, table, column, query->integer(0), std::move(text)});
        }
      }
    }
  }
  return cells;
}

// All words of a text and of the JSON texts inside its strings.
void collect_words(const json& value, std::string& out, int depth) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    out += text + "\n";
    const json inner =
        depth > 0 ? json::parse(text, nullptr, false) : json(json::value_t::discarded);
    if (!inner.is_discarded() && inner.is_structured()) collect_words(inner, out, depth - 1);
    return;
  }
  if (!value.is_structured() || depth == 0) return;
  for (const auto& item : value.items()) {
    if (value.is_object()) out += item.key() + "\n";
    collect_words(item.value(), out, depth - 1);
  }
}

// Everything that the rows say that meet the condition.
std::string words_where(Database& database, const std::string& table, const std::string& where) {
  std::string words;
  for (const auto& column :
       texts_of(database, "SELECT name FROM pragma_table_info('" + table + "')")) {
    for (const std::string& text :
         texts_of(database, "SELECT \"" + column + "\" FROM \"" + table + "\" WHERE " + where)) {
      words += text + "\n";
      collect_words(json(text), words, 40);
    }
  }
  return words;
}

// What may go with a damaged value: the rest of its row, and rows that hang on it by its id.
std::string words_with(Database& database, const Cell& cell) {
  std::string words = words_where(database, cell.table, "rowid=" + std::to_string(cell.rowid));
  for (const std::string& id :
       texts_of(database, "SELECT id FROM \"" + cell.table +
                              "\" WHERE rowid=" + std::to_string(cell.rowid))) {
    for (const auto& table :
         texts_of(database, "SELECT name FROM sqlite_master WHERE type='table'")) {
      for (const auto& column :
           texts_of(database, "SELECT name FROM pragma_table_info('" + table + "')")) {
        words += words_where(database, table, "\"" + column + "\"='" + id + "'");
      }
    }
  }
  return words;
}

std::string damaged_value(std::string text) {
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return text.substr(0, at);
    case 1:
      return "not JSON";
    case 2:
      text[at] = '\xFF';
      return text;
    default:
      text.insert(at, *rc::gen::element<std::string>("{", "}", "[", "\"", "{\"a\":"));
      return text;
  }
}

std::multiset<std::string> said_lines(const Adapter& adapter, const std::string& root) {
  std::multiset<std::string> lines;
  std::istringstream dump(cases::read_everything(adapter, root, {}));
  for (std::string line; std::getline(dump, line);) {
    const bool said = line.starts_with("    user|") || line.starts_with("    assistant|") ||
                      line.starts_with("    thinking|") || line.starts_with("    tool|");
    const bool whole = line.find(" bytes…] ") == std::string::npos;  // long lines are shown cut
    if (said && whole) lines.insert(line.substr(line.find('|') + 1));
  }
  return lines;
}

bool has_words_of(std::string_view line, const std::string& words) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && is_word(line[end])) ++end;
    const bool long_word = end - at >= 3;
    if (long_word && words.find(line.substr(at, end - at)) == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

class EveryDatabase : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    adapter_ = transcript::built_in_agents()->find(GetParam());
    ASSERT_NE(adapter_, nullptr);
    samples_ = databases_of(*adapter_);
    if (samples_.empty()) GTEST_SKIP() << "it has no databases";
  }
  [[nodiscard]] const DatabaseSample& some_sample() const {
    return samples_[*rc::gen::inRange<std::size_t>(0, samples_.size())];
  }

  const Adapter* adapter_ = nullptr;
  std::vector<DatabaseSample> samples_;
};

TEST_P(EveryDatabase, GivesTheSameWhateverTheTransactionsItWasWrittenIn) {
  const bool holds = rc::check([this] {
    const DatabaseSample& sample = some_sample();
    const TemporaryFolder folder;
    for (const FilePart& part : sample.beside) folder.write(part);
    StoreDouble store(*adapter_, folder.path(),
                      {*rc::gen::element<std::uint64_t>(1, 200, 5000, UINT64_MAX)});
    const auto looks = *rc::gen::container<std::set<std::size_t>>(
        *rc::gen::inRange<std::size_t>(1, 5),
        rc::gen::inRange<std::size_t>(0, sample.statements.size() + 5));
    for (std::size_t i = 0; i < sample.statements.size(); ++i) {
      if (looks.contains(i)) store.refresh();
      folder.write(sample.statements[i]);
    }
    store.refresh();
    const std::string in_pieces = store.dump_all();
    const std::string at_once = cases::read_everything(*adapter_, folder.path(), {});
    RC_LOG() << "case " << sample.name << "\nin pieces:\n" << in_pieces << "at once:\n" << at_once;
    RC_ASSERT(in_pieces == at_once);
    RC_ASSERT(!HasFailure());
  });
  EXPECT_TRUE(holds);
}

TEST_P(EveryDatabase, LosesNoMoreThanWhatADamagedValueSaid) {
  const bool holds = rc::check([this] {
    const DatabaseSample& sample = some_sample();
    const TemporaryFolder folder;
    write_all(folder, sample);
    const std::vector<Cell> cells = json_cells(folder, sample);
    if (cells.empty()) return;
    const auto before = said_lines(*adapter_, folder.path());
    const Cell& cell = cells[*rc::gen::inRange<std::size_t>(0, cells.size())];
    const std::string broken = damaged_value(cell.text);
    // Of OpenCode's, which have a property of their own: whether an answer is finished depends on
    // the messages around it.
    if (cell.table == "message") return;
    std::string row;
    {
      auto database = Database::open(cell.file, Database::Mode::create);
      RC_ASSERT(database.ok());
      row = words_with(*database, cell);
      auto update = database->prepare("UPDATE \"" + cell.table + "\" SET \"" + cell.column +
                                      "\"=?1 WHERE rowid=?2");
      RC_ASSERT(update.ok());
      update->bind(1, broken).bind(2, cell.rowid);
      RC_ASSERT(update->execute().ok());
    }
    const auto after = said_lines(*adapter_, folder.path());
    RC_LOG() << "case " << sample.name << ", " << cell.table << "." << cell.column << ": " << broken
             << "\n";
    RC_ASSERT(!HasFailure());
    // What was said around a turn cannot be kept when nothing is left that makes one.
    if (after.empty()) return;
    for (const std::string& line : after) row += line + "\n";
    std::vector<std::string> lost;
    std::ranges::set_difference(before, after, std::back_inserter(lost));
    for (const std::string& line : lost) {
      RC_LOG() << "lost: " << line << "\n";
      RC_ASSERT(has_words_of(line, row));
    }
  });
  EXPECT_TRUE(holds);
}

std::vector<std::string> names_of_all() {
  std::vector<std::string> names;
  for (const Adapter& adapter : transcript::built_in_agents()->all()) {
    names.emplace_back(adapter.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryDatabase, testing::ValuesIn(names_of_all()),
                         [](const auto& agent) {
                           std::string name = agent.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace yore
