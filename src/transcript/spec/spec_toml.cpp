#include "transcript/spec/spec_toml.hpp"

#include <algorithm>
#include <array>

#include "transcript/spec/check_spec.hpp"
#include "transcript/spec/like_spec.hpp"
#include "transcript/spec/places.hpp"
#include "transcript/spec/spec_names.hpp"
#include "transcript/spec/toml_reader.hpp"
#include "transcript/spec/tool_rules.hpp"

namespace yore::transcript {
namespace {

// Keys that speak of the agent and not of one of its stores.
constexpr std::array<std::string_view, 9> kAgentKeys = {"name",    "display_name",   "speaker",
                                                        "formats", "reading",        "resume",
                                                        "roots",   "directory_name", "also"};

class SpecParser : public TomlReader {
 public:
  using TomlReader::TomlReader;

  Result<AgentSpec> parse(std::string_view text) {
    const toml::parse_result parsed = toml::parse(text);
    if (parsed.failed()) {
      const toml::parse_error& error = parsed.error();
      return wrong(error.source().begin.line, std::string(error.description()));
    }
    const toml::table& all = parsed.table();
    Result<AgentSpec> other = Error{Errc::not_found, ""};
    if (const auto like = all["like"].value<std::string>()) other = described_agent(*like);
    if (other) take_over(*other, all);
    if (Status status = read_all(all); !status) return status.error();
    if (const auto* others = all.get_as<toml::array>("also")) {
      for (const toml::node& each : *others) {
        if (Status status = add_store(*each.as_table()); !status) return status.error();
      }
    }
    if (other) {
      add_rules(*other, spec_);
      spec_.like.clear();
    }
    return std::move(spec_);
  }

 private:
  void take_over(const AgentSpec& other, const toml::table& all);
  Status read_all(const toml::table& all);
  Status add_store(const toml::table& row);
  void forget(std::string_view key);
  Status read_root(const toml::table& row);
  Status read_place(const toml::table& row);
  Status read_head(const toml::table& row);
  Status read_rows(const toml::table& row);
  ReadKey columns(std::vector<ColumnRule>& out);
  Status read_keyed(const toml::table& row);
  Status read_beside(const toml::table& row);
  Status read_section(const toml::table& row);
  Status read_directory(const toml::table& row);
  Status read_fields(const toml::table& rows, std::vector<FieldRule>& out);
  Status read_record(const toml::table& row);
  Status read_condition(const std::string& name, const toml::node& node, RecordRule& rule);
  Status read_set(const toml::table& rows, RecordRule& rule);
  Status read_typed(const toml::table& rows);
  Status read_tool(const toml::table& row);

  AgentSpec spec_;
};

// Lists and tables that are said anew are not added to what the other says.
void SpecParser::take_over(const AgentSpec& other, const toml::table& all) {
  spec_ = without_own_parts(other);
  if (all.contains("places")) spec_.places.clear();
  if (all.contains("versions")) spec_.versions.clear();
  if (all.contains("sections")) spec_.sections.clear();
  if (all.contains("head")) spec_.head = {};
}

Status SpecParser::read_all(const toml::table& all) {
  AgentSpec& s = spec_;
  const auto rows_of = [this](auto method) {
    return [this, method](const toml::table& row) { return (this->*method)(row); };
  };
  const std::array keys = {
      Key{"name", text(s.name)},
      Key{"display_name", text(s.display_name)},
      Key{"speaker", text(s.speaker)},
      Key{"formats", text(s.formats)},
      Key{"like", text(s.like)},
      Key{"verified", choice(s.verified, kVerifiedNames)},
      Key{"reading", number(s.reading, 1, 1'000'000)},
      Key{"resume", texts(s.resume)},
      Key{"roots", tables(rows_of(&SpecParser::read_root))},
      Key{"store", choice(s.store, kStoreNames)},
      Key{"dialect", choice(s.dialect, kDialectNames)},
      Key{"inside", text(s.inside)},
      Key{"messages", text(s.messages)},
      Key{"current", text(s.current)},
      Key{"places", tables(rows_of(&SpecParser::read_place))},
      Key{"head", table(rows_of(&SpecParser::read_head))},
      Key{"rows", table(rows_of(&SpecParser::read_rows))},
      Key{"keyed", table(rows_of(&SpecParser::read_keyed))},
      Key{"beside", tables(rows_of(&SpecParser::read_beside))},
      Key{"sections", tables(rows_of(&SpecParser::read_section))},
      Key{"line_end", text(s.line_end)},
      Key{"fields", table([this, &s](const toml::table& t) { return read_fields(t, s.fields); })},
      Key{"split", texts(s.split)},
      Key{"tags", table([this, &s](const toml::table& t) { return read_fields(t, s.tags); })},
      Key{"silent", texts(s.silent)},
      Key{"records", tables(rows_of(&SpecParser::read_record))},
      Key{"typed", table(rows_of(&SpecParser::read_typed))},
      Key{"tools", tables(rows_of(&SpecParser::read_tool))},
      Key{"directory_name", table(rows_of(&SpecParser::read_directory))},
      Key{"versions", texts(s.versions)},
      Key{"record_name", text(s.record_name)},
      Key{"block_name", text(s.block_name)},
      Key{"picture", text(s.picture)},
      Key{"title", choice(s.title_kind, kTitleNames)},
      Key{"untitled", texts(s.untitled)},
      Key{"fenced", texts(s.fenced)},
      Key{"tree", flag(s.tree)},
      Key{"prompt_keys", flag(s.prompt_keys)},
      Key{"also", tables([](const toml::table&) { return Status{}; })},  // add_store()
  };
  for (const auto& [key, node] : all) mark(std::string(key.str()), node);
  if (Status status = each(all, "", keys); !status) return status;
  if (const auto* silent = all.get_as<toml::array>("silent")) {
    for (const toml::node& item : *silent) mark(item.value_or(std::string()), item);
  }
  if (s.display_name.empty()) s.display_name = s.name;
  if (s.speaker.empty()) s.speaker = s.display_name;
  return {};
}

// Another store of the agent: begins as all that was said of the first.
Status SpecParser::add_store(const toml::table& row) {
  for (const auto& [key, node] : row) {
    const std::string_view name = key.str();
    const bool of_agent = std::ranges::find(kAgentKeys, name) != kAgentKeys.end();
    if (of_agent) return wrong(node, "'" + std::string(name) + "' is the agent's, not a store's");
  }
  SpecParser other(file());
  other.spec_ = spec_;
  other.spec_.also.clear();
  for (const auto& [key, node] : row) other.forget(key.str());
  if (Status status = other.read_all(row); !status) return status;
  if (Status status = check_spec(other.spec_, file(), other.lines()); !status) return status;
  spec_.also.push_back(std::move(other.spec_));
  return {};
}

// What is said again takes the place of what was said, and is not added to it.
void SpecParser::forget(std::string_view key) {
  if (key == "places") spec_.places.clear();
  if (key == "head") spec_.head = {};
  if (key == "rows") spec_.rows = {};
  if (key == "keyed") spec_.keyed = {};
  if (key == "sections") spec_.sections.clear();
  if (key == "fields") spec_.fields.clear();
  if (key == "split") spec_.split.clear();
  if (key == "tags") spec_.tags.clear();
  if (key == "silent") spec_.silent.clear();
  if (key == "records") spec_.records.clear();
  if (key == "typed") spec_.typed.clear();
  if (key == "tools") spec_.tools.clear();
  if (key == "versions") spec_.versions.clear();
  if (key == "untitled") spec_.untitled.clear();
  if (key == "beside") spec_.beside.clear();
  if (key == "fenced") spec_.fenced.clear();
}

Status SpecParser::read_root(const toml::table& row) {
  RootPlace& root = spec_.roots.emplace_back();
  const std::array keys = {Key{"env", text(root.env)}, Key{"base", text(root.base)},
                           Key{"suffix", text(root.suffix)}, Key{"needs", text(root.needs)}};
  mark("root " + std::to_string(spec_.roots.size()), row);
  return each(row, " of a root", keys);
}

Status SpecParser::read_place(const toml::table& row) {
  PlaceRule& place = spec_.places.emplace_back();
  const std::array keys = {
      Key{"pattern", text(place.pattern)},
      Key{"messages", text(place.messages)},
      Key{"skip", texts(place.skip)},
      Key{"depth", number(place.depth, 1, kMostFolders)},
      Key{"kind", choice(place.kind, kKindNames)},
      Key{"rank", number(place.rank, -1000, 1000)},
      Key{"head", flag(place.head)},
      Key{"in_project", flag(place.in_project)},
      Key{"cwd_link", text(place.cwd_link)},
      Key{"fixed", flag(place.fixed)},
  };
  mark("place " + std::to_string(spec_.places.size()), row);
  return each(row, " of a place", keys);
}

Status SpecParser::read_head(const toml::table& row) {
  HeadRule& head = spec_.head;
  const std::array keys = {
      Key{"fields", table([&](const toml::table& t) { return read_fields(t, head.fields); })},
      Key{"types", texts(head.types)},
      Key{"session", text(head.session_type)},
  };
  return each(row, " of head", keys);
}

Status SpecParser::read_rows(const toml::table& row) {
  RowsRule& rows = spec_.rows;
  const std::array keys = {
      Key{"sessions", text(rows.sessions)}, Key{"id", text(rows.id)},
      Key{"title", texts(rows.title)},      Key{"cwd", text(rows.cwd)},
      Key{"parent", text(rows.parent)},     Key{"changed", text(rows.changed)},
      Key{"messages", text(rows.messages)}, Key{"session", text(rows.session)},
      Key{"order", text(rows.order)},       Key{"document", text(rows.document)},
      Key{"edited", texts(rows.edited)},    Key{"json", texts(rows.json)},
      Key{"packed", text(rows.packed)},     Key{"json_after", texts(rows.json_after)},
      Key{"skip", columns(rows.skip)},      Key{"machine", columns(rows.machine)},
      Key{"child", columns(rows.child)},
  };
  return each(row, " of rows", keys);
}

// column = "value", or a list of them.
ReadKey SpecParser::columns(std::vector<ColumnRule>& out) {
  return table([this, &out](const toml::table& rows) -> Status {
    for (const auto& [column, node] : in_order(rows)) {
      ColumnRule& rule = out.emplace_back();
      rule.column = column;
      if (Status status = texts(rule.values)(*node); !status) return status;
    }
    return {};
  });
}

Status SpecParser::read_keyed(const toml::table& row) {
  KeyedRule& keyed = spec_.keyed;
  const std::array keys = {
      Key{"table", text(keyed.table)},         Key{"key", text(keyed.key)},
      Key{"value", text(keyed.value)},         Key{"session", text(keyed.session)},
      Key{"messages", text(keyed.messages)},   Key{"order", text(keyed.order)},
      Key{"order_key", text(keyed.order_key)}, Key{"order_shown", text(keyed.order_shown)},
  };
  return each(row, " of keyed", keys);
}

Status SpecParser::read_beside(const toml::table& row) {
  BesideRule& beside = spec_.beside.emplace_back();
  const std::array keys = {
      Key{"file", text(beside.file)},
      Key{"fields", table([&](const toml::table& t) { return read_fields(t, beside.fields); })},
      Key{"subagents", texts(beside.subagents)},
  };
  mark("beside " + std::to_string(spec_.beside.size()), row);
  return each(row, " of a file beside", keys);
}

Status SpecParser::read_section(const toml::table& row) {
  SectionRule& section = spec_.sections.emplace_back();
  const std::array keys = {
      Key{"mark", text(section.mark)},     Key{"type", text(section.type)},
      Key{"key", text(section.key)},       Key{"until", text(section.until)},
      Key{"end", text(section.end)},       Key{"whole", flag(section.whole)},
      Key{"single", flag(section.single)},
  };
  return each(row, " of a section", keys);
}

Status SpecParser::read_directory(const toml::table& row) {
  DirectoryRule& rule = spec_.directory;
  const std::array keys = {
      Key{"before", text(rule.before)},         Key{"after", text(rule.after)},
      Key{"replace", text(rule.replace)},       Key{"with", text(rule.with)},
      Key{"drop_first", text(rule.drop_first)},
  };
  return each(row, " of directory_name", keys);
}

// path = "slot", a row each; "slot" = ["path", "path"] would say no more.
Status SpecParser::read_fields(const toml::table& rows, std::vector<FieldRule>& out) {
  if (rows.size() > kMaxRules) return wrong(rows, "too many fields");
  for (const auto& [path, node] : in_order(rows)) {
    if (node->is_table()) {
      return wrong(*node, "field '" + path.substr(0, 80) + "': a path with dots wants quotes");
    }
    const auto slot = find_name(*node, kSlotNames);
    if (!slot) return slot.error();
    out.push_back({path, static_cast<Slot>(*slot)});
    mark(path, *node);
  }
  return {};
}

Status SpecParser::read_record(const toml::table& row) {
  RecordRule& rule = spec_.records.emplace_back();
  const auto conditions = [&](const toml::table& when) -> Status {
    for (const auto& [name, node] : in_order(when)) {
      if (Status status = read_condition(name, *node, rule); !status) return status;
    }
    return {};
  };
  const std::array keys = {
      Key{"when", table(conditions)},
      Key{"as", choice(rule.as, kRecordNames)},
      Key{"name", choice(rule.name, kSlotNames)},
      Key{"label", text(rule.label)},
      Key{"structural", flag(rule.structural)},
      Key{"compaction", flag(rule.compaction)},
      Key{"keyless", flag(rule.keyless)},
      Key{"machine", flag(rule.machine)},
      Key{"thinking", flag(rule.thinking)},
      Key{"any_keys", flag(rule.any_keys)},
      Key{"title", choice(rule.title_kind, kTitleNames)},
      Key{"set", table([&](const toml::table& t) { return read_set(t, rule); })},
  };
  if (!row.contains("as")) return wrong(row, "a record rule wants 'as'");
  if (Status status = each(row, " of a record rule", keys); !status) return status;
  const bool named_by_text = static_cast<std::size_t>(rule.name) < kTextSlots;
  return named_by_text ? Status{} : Status(wrong(row, "'name' wants a slot that holds a text"));
}

Status SpecParser::read_condition(const std::string& name, const toml::node& node,
                                  RecordRule& rule) {
  const auto slot = std::ranges::find(kSlotNames, name);
  if (slot == kSlotNames.end()) return wrong(node, "unknown slot '" + name.substr(0, 80) + "'");
  Condition& condition = rule.when.emplace_back();
  condition.slot = static_cast<Slot>(slot - kSlotNames.begin());
  const bool is_text = static_cast<std::size_t>(condition.slot) < kTextSlots;
  if (node.is_boolean()) {
    const bool asks = is_text || condition.slot == Slot::blocks || condition.slot == Slot::shown ||
                      condition.slot == Slot::sidechain || condition.slot == Slot::machine ||
                      condition.slot == Slot::body;
    if (!asks) return wrong(node, "slot '" + name + "' cannot be asked for");
    condition.wanted = node.value_or(true);
    return {};
  }
  if (!is_text) return wrong(node, "slot '" + name + "' is no text: want true or false");
  if (Status status = texts(condition.values)(node); !status) return status;
  return condition.values.empty() ? Status(wrong(node, "a list without texts never fits"))
                                  : Status{};
}

Status SpecParser::read_set(const toml::table& rows, RecordRule& rule) {
  for (const auto& [name, node] : in_order(rows)) {
    const auto slot = std::ranges::find(kSlotNames, name);
    const auto at = static_cast<std::size_t>(slot - kSlotNames.begin());
    if (at >= kTextSlots) return wrong(*node, "unknown text slot '" + name.substr(0, 80) + "'");
    std::string value;
    if (Status status = text(value)(*node); !status) return status;
    rule.set.emplace_back(static_cast<Slot>(at), std::move(value));
  }
  return {};
}

Status SpecParser::read_typed(const toml::table& rows) {
  for (const auto& [name, node] : in_order(rows)) {
    const auto action = std::ranges::find(kTypedNames, name);
    if (action == kTypedNames.end()) {
      return wrong(*node,
                   "unknown key '" + name.substr(0, 80) +
                       "' of typed; known are strip, unwrap, cut, drop, note, machine, command");
    }
    std::vector<std::string> marks;
    if (Status status = texts(marks)(*node); !status) return status;
    for (std::string& each : marks) {
      if (each.empty()) return wrong(*node, "an empty mark fits everything");
      spec_.typed.push_back(
          {static_cast<TypedAction>(action - kTypedNames.begin()), std::move(each)});
    }
  }
  return spec_.typed.size() > kMaxRules ? Status(wrong(rows, "too many marks")) : Status{};
}

// tool = "bash" or a list of tools that show the same.
Status SpecParser::read_tool(const toml::table& row) {
  ToolArgument argument;
  std::vector<std::string> tools;
  const std::array keys = {
      Key{"tool", texts(tools)},
      Key{"shown", text(argument.shown)},
      Key{"from", texts(argument.names)},
      Key{"chars", number(argument.max_chars, 1, 100'000)},
  };
  if (Status status = each(row, " of a tool", keys); !status) return status;
  if (tools.empty() || argument.shown.empty()) return wrong(row, "a tool wants 'tool' and 'shown'");
  complete_tool(argument);
  if (argument.names.size() > std::tuple_size_v<ArgumentNames>) {
    return wrong(row, "too many names in 'from'");
  }
  for (const std::string& tool : tools) {
    argument.tool = tool;
    spec_.tools.push_back(argument);
  }
  return spec_.tools.size() > kMaxRules ? Status(wrong(row, "too many tools")) : Status{};
}

}  // namespace

Result<AgentSpec> parse_agent(std::string_view text, std::string_view file) {
  if (text.size() > kMaxSpecBytes) {
    return Error{Errc::invalid_argument, std::string(file) + ": larger than " +
                                             std::to_string(kMaxSpecBytes >> 10) +
                                             " KB: that is no description of an agent"};
  }
  SpecParser parser(file);
  auto spec = parser.parse(text);
  if (!spec) return spec;
  if (Status status = check_spec(*spec, file, parser.lines()); !status) return status.error();
  return spec;
}

}  // namespace yore::transcript
