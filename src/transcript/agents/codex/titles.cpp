#include "transcript/agents/codex/titles.hpp"

#include <simdjson.h>

#include "text/utf8.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/null_sink.hpp"
#include "transcript/stores/foreign_database.hpp"

namespace yore::transcript::codex {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kIndexFile = "session_index.jsonl";
constexpr std::string_view kStateFile = "state_5.sqlite";
constexpr std::size_t kMaxTitleBytes = 4 << 10;
constexpr std::size_t kMaxTitles = 1'000'000;

void put(Titles& titles, std::string_view id, std::string_view title) {
  if (id.empty() || titles.size() >= kMaxTitles) return;
  titles[std::string(id)] = text::prefix_bytes(text::trim(title), kMaxTitleBytes);
}

void read_index(const std::string& path, Titles& titles) {
  NullSink sink;
  // A list that cannot be read names nothing.
  [[maybe_unused]] const auto read =
      read_jsonl(path, {}, {}, sink, [&](ondemand::object& object, const LineInfo&) {
        std::string_view id;
        std::string_view title;
        const bool fine = each_field(object, [&](std::string_view key, ondemand::value value) {
          if (key == "id") return get_text(value, id);
          if (key == "thread_name") return get_text(value, title);
          return true;
        });
        if (fine) put(titles, id, title);
        return fine;
      });
}

// Codex fills `title` with the first message until somebody names the thread.
void read_state(const std::string& path, Titles& titles) {
  auto database = open_foreign(path);
  if (!database) return;
  const auto has = [&](std::string_view column) {
    const auto found = database->has_column("threads", column);
    return found && *found;
  };
  if (!has("id")) return;
  const bool titled = has("title") && has("first_user_message");
  const std::string name = has("name") ? "coalesce(name,'')" : "''";
  const std::string title =
      titled ? "CASE WHEN title<>first_user_message THEN title ELSE '' END" : "''";
  auto query = database->prepare("SELECT id," + name + "," + title + " FROM threads");
  if (!query) return;
  while (true) {
    const auto row = query->step();
    if (!row || !*row) return;
    const std::string_view given = text::trim(query->text(1));
    const std::string_view shown = given.empty() ? text::trim(query->text(2)) : given;
    if (!shown.empty()) put(titles, query->text(0), shown);
  }
}

}  // namespace

Titles read_titles(const std::string& home, const FileView& files) {
  Titles titles;
  // Not looked at as a file: it changes with every turn, and nothing but names depends on it.
  read_state(path_join(home, kStateFile), titles);
  const std::string index = path_join(home, kIndexFile);
  if (files.is_regular_file(index)) read_index(index, titles);
  return titles;
}

}  // namespace yore::transcript::codex
