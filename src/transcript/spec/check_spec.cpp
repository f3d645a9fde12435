#include "transcript/spec/check_spec.hpp"

#include <algorithm>
#include <tuple>

#include "transcript/spec/field_trie.hpp"
#include "transcript/spec/places.hpp"
#include "transcript/spec/tool_rules.hpp"

namespace yore::transcript {
namespace {

constexpr std::size_t kMaxAgentNameBytes = 32;
constexpr std::size_t kMaxWords = 16;
constexpr std::size_t kMaxTextBytes = 1024;

bool is_unprintable(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == 0x7f;
}

// "claude-code": it stands in ids, flags and file names.
bool is_agent_name(std::string_view name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= kMaxAgentNameBytes && plain(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return plain(c) || c == '-'; });
}

bool is_variable(std::string_view name) {
  return std::ranges::all_of(
      name, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

bool climbs(std::string_view path) {
  return path == ".." || path.starts_with("../") || path.ends_with("/..") ||
         path.find("/../") != std::string_view::npos;
}

// Tables and columns: names, never SQL.
bool is_column(std::string_view name) {
  return name.size() <= kMaxTextBytes && std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_';
         });
}

// Is a session a file, or a part of one?
bool has_own_files(StoreKind store) {
  return store != StoreKind::rows && store != StoreKind::keyed_rows && store != StoreKind::exports;
}

class Checker {
 public:
  Checker(const AgentSpec& spec, std::string_view file, const SpecLines& lines)
      : spec_(spec), file_(file), lines_(lines) {}

  Status check() {
    for (const auto part : {&Checker::check_names, &Checker::check_roots, &Checker::check_resume}) {
      if (Status status = (this->*part)(); !status) return status;
    }
    if (!spec_.like.empty()) return check_like();
    for (const auto part : {&Checker::check_places, &Checker::check_beside, &Checker::check_store,
                            &Checker::check_paths}) {
      if (Status status = (this->*part)(); !status) return status;
    }
    return {};
  }

 private:
  // At the line of `what`, when that was said anywhere.
  Error wrong(std::string_view what, const std::string& sentence) const {
    const auto found = std::ranges::find(lines_, what, &SpecLines::value_type::first);
    const std::size_t line = found == lines_.end() ? 1 : found->second;
    return {Errc::invalid_argument, file_ + ": line " + std::to_string(line) + ": " + sentence};
  }

  Status check_names() {
    if (spec_.name.empty()) return wrong("name", "'name' is missing");
    if (!is_agent_name(spec_.name)) {
      return wrong("name", "'name' wants up to 32 small letters, digits and '-'");
    }
    for (const auto& [key, text] :
         {std::pair{"display_name", &spec_.display_name}, std::pair{"speaker", &spec_.speaker},
          std::pair{"formats", &spec_.formats}}) {
      if (text->size() > kMaxTextBytes || std::ranges::any_of(*text, is_unprintable)) {
        return wrong(key, "'" + std::string(key) + "' wants one short line");
      }
    }
    return {};
  }

  Status check_roots() {
    for (std::size_t i = 0; i < spec_.roots.size(); ++i) {
      const RootPlace& root = spec_.roots[i];
      const std::string at = "root " + std::to_string(i + 1);
      const bool based = root.base.starts_with("~/") || root.base.starts_with('/') ||
                         root.base == "~config" || root.base == "~data";
      if (!based) return wrong(at, "'base' wants a path such as ~/.agent, ~config or ~data");
      const bool there = root.needs.empty() || root.needs.starts_with("~/");
      if (!there || climbs(root.needs)) return wrong(at, "'needs' wants a path such as ~/.agent");
      if (!is_variable(root.env)) return wrong(at, "'env' wants the name of a variable");
      if (climbs(root.base) || climbs(root.suffix) || root.suffix.starts_with('/')) {
        return wrong(at, "a root cannot hold '..', nor its suffix be absolute");
      }
    }
    if (climbs(spec_.inside) || spec_.inside.starts_with('/')) {
      return wrong("inside", "'inside' wants a folder below the root");
    }
    return {};
  }

  Status check_resume() {
    if (spec_.resume.size() > kMaxWords) return wrong("resume", "'resume' has too many words");
    for (std::size_t i = 0; i < spec_.resume.size(); ++i) {
      const std::string& word = spec_.resume[i];
      const bool fine = !word.empty() && word.size() <= kMaxTextBytes &&
                        std::ranges::none_of(word, is_unprintable);
      if (!fine) return wrong("resume", "'resume' wants words without control characters");
      std::string rest = word;
      const std::size_t at = rest.find(kIdWord);
      if (at != std::string::npos) rest.erase(at, kIdWord.size());
      const bool braces = rest.find_first_of("{}") != std::string::npos;
      if (braces || (i == 0 && rest != word)) {
        return wrong("resume", "'resume': {id} stands once in a word, and not in the first");
      }
    }
    return {};
  }

  // Whether the agent exists, and is itself a description, is for the registry to say.
  Status check_like() {
    const bool more = !spec_.places.empty() || !spec_.fields.empty() || !spec_.records.empty();
    if (!more) return {};
    return wrong("like", "'" + spec_.like.substr(0, 80) +
                             "' has no description to add to: want only names, roots and resume");
  }

  Status check_places() {
    const bool by_file = has_own_files(spec_.store);
    if (spec_.places.empty() && spec_.hooks == nullptr) {
      return wrong("places", "'places' is missing: where are the sessions?");
    }
    for (std::size_t i = 0; i < spec_.places.size(); ++i) {
      const PlaceRule& place = spec_.places[i];
      const std::string at = "place " + std::to_string(i + 1);
      for (const std::string* pattern : {&place.pattern, &place.messages}) {
        if (pattern == &place.messages && pattern->empty()) continue;
        if (const Status good = check_pattern(*pattern); !good) {
          return wrong(at, good.error().message);
        }
      }
      const bool tree = spec_.store == StoreKind::tree;
      if (tree == place.messages.empty()) {
        return wrong(at, "'messages' of a place is for the store 'tree', which wants it");
      }
      if (place.head && spec_.store != StoreKind::lines) {
        return wrong(at, "'head' is for the store 'lines'");
      }
      if (place.head && spec_.head.fields.empty()) return wrong(at, "'head' wants [head] fields");
      if (place.cwd_link.find('/') != std::string::npos) {
        return wrong(at, "'cwd_link' is a name beside the session's file");
      }
      if (place.fixed && !tree) return wrong(at, "'fixed' is for the store 'tree'");
      const bool placed = place.pattern.find("{id}") != std::string::npos;
      if (!by_file && placed) return wrong(at, "{id} comes from the database here");
    }
    return {};
  }

  // A file beside a session lies below the root as the session does: it is not above the first
  // folder that every place names.
  Status check_beside() {
    for (std::size_t i = 0; i < spec_.beside.size(); ++i) {
      const BesideRule& rule = spec_.beside[i];
      const std::string at = "beside " + std::to_string(i + 1);
      std::string_view file = rule.file;
      std::ptrdiff_t up = 0;
      for (; file.starts_with("../"); file.remove_prefix(3)) ++up;
      if (const Status good = check_pattern(file); !good) return wrong(at, good.error().message);
      Captures captures;
      captures.set("id", "x");
      captures.set("directory", "x");
      if (fill_pattern(file, captures).find_first_of("*?{") != std::string::npos) {
        return wrong(at, "'file' names one file: only {id} and {directory} may vary");
      }
      for (const PlaceRule& place : spec_.places) {
        const std::ptrdiff_t folders = std::ranges::count(place.pattern, '/');
        const bool any_depth = place.pattern.find("**") != std::string::npos;
        if (up > folders - (any_depth ? 1 : 0)) return wrong(at, "'file' leaves the root");
      }
      if (rule.fields.empty()) return wrong(at, "'fields' is missing: nothing would be read");
      const bool by_file = has_own_files(spec_.store);
      if (!by_file) return wrong(at, "'beside' is for sessions that are files");
    }
    return {};
  }

  Status check_store() {
    const auto missing = [this](std::string_view table, std::string_view key) {
      return wrong(table, "[" + std::string(table) + "] wants '" + std::string(key) + "'");
    };
    const RowsRule& rows = spec_.rows;
    const KeyedRule& keyed = spec_.keyed;
    if (spec_.store == StoreKind::rows) {
      const bool whole = !rows.document.empty();
      for (const auto& [key, text, wanted] :
           {std::tuple{"sessions", &rows.sessions, true}, std::tuple{"id", &rows.id, true},
            std::tuple{"messages", &rows.messages, !whole},
            std::tuple{"session", &rows.session, !whole},
            std::tuple{"order", &rows.order, !whole}}) {
        if (wanted && text->empty()) return missing("rows", key);
        if (!wanted && !text->empty()) {
          return wrong("rows", "'document' holds the messages: no '" + std::string(key) + "' then");
        }
      }
    }
    if (spec_.store == StoreKind::keyed_rows) {
      for (const auto& [key, text] :
           {std::pair{"table", &keyed.table}, std::pair{"key", &keyed.key},
            std::pair{"value", &keyed.value}, std::pair{"session", &keyed.session}}) {
        if (text->empty()) return missing("keyed", key);
      }
      if (keyed.session.find("{id}") == std::string::npos) {
        return wrong("keyed", "'session' wants a pattern with {id}");
      }
      const bool any = keyed.messages.find("{any}") != std::string::npos;
      if (!keyed.order.empty() && (!any || keyed.order_key.empty())) {
        return wrong("keyed", "'order' wants 'order_key' and {any} in 'messages'");
      }
    }
    for (const std::string* name :
         {&rows.sessions, &rows.cwd, &rows.parent, &rows.changed, &rows.document, &rows.messages,
          &rows.session, &rows.order, &keyed.table, &keyed.key, &keyed.value}) {
      if (!is_column(*name)) {
        return wrong("rows", "'" + name->substr(0, 80) +
                                 "' is no name of a table or column: letters, digits and '_'");
      }
    }
    if (Status status = check_columns(); !status) return status;
    const bool told = spec_.store == StoreKind::rows || spec_.store == StoreKind::document;
    if (!spec_.split.empty() && !told) return wrong("split", "'split' is for rows and documents");
    for (const FieldRule& tag : spec_.tags) {
      const bool text = static_cast<std::size_t>(tag.slot) < kTextSlots;
      if (!text) return wrong("tags", "'" + tag.path.substr(0, 80) + "' wants a slot for a text");
    }
    if (spec_.store == StoreKind::exports &&
        (spec_.messages.empty() || spec_.head.fields.empty())) {
      return wrong("store", "the store 'exports' wants 'messages', and [head] fields with the id");
    }
    if (spec_.store == StoreKind::sections && spec_.sections.empty()) {
      return wrong("store", "the store 'sections' wants 'sections'");
    }
    for (const SectionRule& section : spec_.sections) {
      const bool endless = section.mark.empty() && !section.end.empty();
      if (endless) return wrong("sections", "'end' wants a 'mark' to begin with");
    }
    return {};
  }

  // One column, or a key in the JSON of one.
  static bool is_column_or_key(const std::string& name) {
    const std::size_t dot = name.find('.');
    return is_column(name.substr(0, dot)) &&
           (dot == std::string::npos || (dot + 1 < name.size() && is_column(name.substr(dot + 1))));
  }

  Status check_columns() {
    const RowsRule& rows = spec_.rows;
    if (!is_column_or_key(rows.id)) return wrong("rows", "'id' wants a column, or a key in one");
    for (const auto& [key, names] : {std::pair{"title", &rows.title}, std::pair{"json", &rows.json},
                                     std::pair{"edited", &rows.edited}}) {
      if (!std::ranges::all_of(*names, is_column)) {
        return wrong("rows", "'" + std::string(key) + "' wants names of columns");
      }
    }
    for (const auto* rules : {&rows.skip, &rows.machine, &rows.child}) {
      for (const ColumnRule& rule : *rules) {
        if (!is_column(rule.column)) {
          return wrong("rows", "'" + rule.column.substr(0, 80) + "' is no name of a column");
        }
      }
    }
    // In a document they are keys.
    if (spec_.store != StoreKind::rows || !rows.document.empty()) return {};
    for (const auto* fields : {&spec_.fields, &spec_.head.fields}) {
      for (const FieldRule& field : *fields) {
        const std::string column = field.path.substr(0, field.path.find_first_of(".["));
        if (is_column(column)) continue;
        return wrong(field.path, "'" + column.substr(0, 80) + "' is no name of a column");
      }
    }
    return {};
  }

  Status check_paths() {
    if (spec_.fields.empty()) return wrong("fields", "[fields] is missing: nothing would be read");
    if (spec_.records.empty()) return wrong("records", "'records' is missing: nothing is a prompt");
    std::vector<std::pair<const std::vector<FieldRule>*, std::vector<std::string>>> all = {
        {&spec_.fields, spec_.silent}, {&spec_.head.fields, {"*"}}};
    for (const BesideRule& rule : spec_.beside) {
      all.emplace_back(&rule.fields, std::vector<std::string>{"*"});
    }
    for (const auto& [fields, silent] : all) {
      const auto trie = FieldTrie::make(*fields, silent, spec_.record_name);
      if (trie) continue;
      const std::string& message = trie.error().message;
      const std::size_t open = message.find('\'');
      const std::size_t close = message.find('\'', open + 1);
      return wrong(message.substr(open + 1, close - open - 1), message);
    }
    return {};
  }

  const AgentSpec& spec_;
  std::string file_;
  const SpecLines& lines_;
};

}  // namespace

Status check_spec(const AgentSpec& spec, std::string_view file, const SpecLines& lines) {
  return Checker(spec, file, lines).check();
}

void complete_tool(ToolArgument& argument) {
  if (argument.names.empty() && argument.shown == "file") {
    argument.names.assign(kPathArguments.begin(), kPathArguments.end());
  }
  if (argument.names.empty()) argument.names = {argument.shown};
  if (argument.max_chars != SIZE_MAX) return;
  if (argument.shown == "command") argument.max_chars = kCommandChars;
  if (argument.shown == "query") argument.max_chars = kQueryChars;
}

}  // namespace yore::transcript
