// The editor of JSON, JSON with comments and JSON5.
#include <algorithm>

#include "setup/edit/emit.hpp"
#include "setup/edit/formats.hpp"
#include "setup/edit/json_text.hpp"
#include "setup/edit/layout.hpp"

namespace yore::setup {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

// The way from the root to the entry, as far as it is there.
struct JsonPath {
  JsonNode root;
  // The root first; those that entry.keys lead through, and of a listed entry the list.
  std::vector<const JsonNode*> objects;
  std::vector<std::size_t> chosen;  // of each of them, the member that the way goes on with
  const JsonMember* entry = nullptr;
};

Result<std::size_t> member_of(const JsonNode& object, std::string_view key) {
  std::size_t found = kNowhere;
  for (std::size_t i = 0; i < object.members.size(); ++i) {
    if (object.members[i].key != key) continue;
    if (found != kNowhere) return twice(key);
    found = i;
  }
  return found;
}

bool is_item(std::string_view bytes, const JsonNode& node, const Entry& entry) {
  const Json value = to_value(bytes, node);
  if (!entry.mark.empty()) return marked_text(value, entry.mark) != nullptr;
  return value.is_object() && value.value("name", "") == entry.name;
}

Result<std::size_t> list_item_of(std::string_view bytes, const JsonNode& list, const Entry& entry) {
  std::size_t found = kNowhere;
  for (std::size_t i = 0; i < list.members.size(); ++i) {
    if (!is_item(bytes, list.members[i].value, entry)) continue;
    if (found != kNowhere) return twice(entry.mark.empty() ? entry.name : entry.mark);
    found = i;
  }
  return found;
}

Status walk(std::string_view bytes, JsonPath& path, const Entry& entry) {
  if (path.root.kind == JsonNode::Kind::none) return {};
  if (path.root.kind != JsonNode::Kind::object) return no_place("the file", "an object");
  const JsonNode* object = &path.root;
  path.objects.push_back(object);
  for (std::size_t i = 0; i < entry.keys.size(); ++i) {
    const std::string& key = entry.keys[i];
    const auto index = member_of(*object, key);
    if (!index) return index.error();
    if (*index == kNowhere) return {};
    path.chosen.push_back(*index);
    object = &object->members[*index].value;
    const bool is_list = entry.listed && i + 1 == entry.keys.size();
    if (object->kind != (is_list ? JsonNode::Kind::array : JsonNode::Kind::object)) {
      return no_place(key, is_list ? "a list" : "an object");
    }
    path.objects.push_back(object);
  }
  const auto index =
      entry.listed ? list_item_of(bytes, *object, entry) : member_of(*object, entry.name);
  if (!index) return index.error();
  if (*index == kNowhere) return {};
  path.chosen.push_back(*index);
  path.entry = &object->members[*index];
  return {};
}

// Into `path`, which keeps pointers into itself.
Status walk_text(std::string_view bytes, const Entry& entry, JsonPath& path) {
  auto root = parse_json_text(bytes, entry.format);
  if (!root) return root.error();
  path.root = std::move(*root);
  return walk(bytes, path, entry);
}

Result<std::optional<Json>> json_find(std::string_view bytes, const Entry& entry) {
  JsonPath path;
  if (Status walked = walk_text(bytes, entry, path); !walked) return walked.error();
  if (path.entry == nullptr) return std::optional<Json>();
  return std::optional<Json>(to_value(bytes, path.entry->value));
}

Result<std::size_t> json_missing(std::string_view bytes, const Entry& entry) {
  JsonPath path;
  if (Status walked = walk_text(bytes, entry, path); !walked) return walked.error();
  return entry.keys.size() + 1 - std::max<std::size_t>(path.objects.size(), 1);
}

// As the members of the root are laid out.
JsonLook look_of(std::string_view bytes, const JsonNode& root) {
  JsonLook look;
  look.newline = line_end(bytes);
  if (root.members.empty()) return look;
  const JsonMember& first = root.members.front();
  if (begins_line(bytes, first.begin) && !indent_of(bytes, first.begin).empty()) {
    look.unit = indent_of(bytes, first.begin);
  }
  const char before = bytes[first.value.begin - 1];
  look.spaced = before != ':';
  return look;
}

bool has_line_break(std::string_view bytes, std::size_t from, std::size_t to) {
  return bytes.substr(from, to - from).find('\n') != kNowhere;
}

// A member of an object, or, without a key, an item of a list.
std::string slot_text(const std::string& key, const Json& value, const JsonLook& look,
                      std::string_view indent) {
  return key.empty() ? json_text(value, look, indent) : json_member(key, value, look, indent);
}

Splices into_empty(std::string_view bytes, const JsonNode& object, const Entry& entry,
                   const std::string& member, JsonLook look, const Json& value) {
  // Behind comments that stand in it.
  std::size_t at = object.begin + 1;
  const std::size_t close = object.end - 1;
  std::size_t remarks = skip_remarks_on_line(bytes, at, entry.format);
  while (remarks < close && remarks != at) {
    at = remarks;
    const std::size_t next = next_line(bytes, at);
    if (next > close) break;
    remarks = skip_remarks_on_line(bytes, next, entry.format);
    if (remarks <= next + indent_of(bytes, next).size()) break;
  }
  while (at > object.begin + 1 && (bytes[at - 1] == ' ' || bytes[at - 1] == '\t')) --at;
  if (look.newline.empty()) return {{at, "", slot_text(member, value, look, "")}};
  const std::string outer(indent_of(bytes, object.begin));
  const std::string inner = outer + look.unit;
  std::string text = look.newline + inner + slot_text(member, value, look, inner);
  if (!has_line_break(bytes, at, close)) text += look.newline + outer;
  return {{at, "", text}};
}

Splices behind_last(std::string_view bytes, const JsonNode& object, const Entry& entry,
                    const std::string& member, const JsonLook& look, const Json& value) {
  const JsonMember& last = object.members.back();
  const bool open_ended = last.comma != kNowhere;
  const std::size_t end = open_ended ? last.comma + 1 : last.value.end;
  const std::string comma = open_ended ? "" : ",";
  const std::string tail = open_ended ? "," : "";
  if (look.newline.empty()) {
    const std::string space = look.spaced ? " " : "";
    return {{end, "", comma + space + slot_text(member, value, look, "") + tail}};
  }
  const std::string indent = begins_line(bytes, last.begin)
                                 ? std::string(indent_of(bytes, last.begin))
                                 : std::string(indent_of(bytes, object.begin)) + look.unit;
  const std::string text = look.newline + indent + slot_text(member, value, look, indent) + tail;
  // A comment on the line of the last member stays with it.
  const std::size_t rest = std::min(skip_remarks_on_line(bytes, end, entry.format), object.end - 1);
  const bool has_comment = bytes.substr(end, rest - end).find('/') != kNowhere;
  if (!has_comment) return {{end, "", comma + text}};
  if (open_ended) return {{rest, "", text}};
  return {{end, "", comma}, {rest, "", text}};
}

Result<Splices> json_insert(std::string_view bytes, const Entry& entry) {
  JsonPath path;
  if (Status walked = walk_text(bytes, entry, path); !walked) return walked.error();
  const std::size_t there = std::max<std::size_t>(path.objects.size(), 1) - 1;
  Json value = entry.value;
  std::string name = entry.listed ? "" : entry.name;
  for (std::size_t i = entry.keys.size(); i > there; --i) {
    Json outer = name.empty() ? Json::array() : Json::object();
    if (name.empty()) {
      outer.push_back(std::move(value));
    } else {
      outer[name] = std::move(value);
    }
    value = std::move(outer);
    name = entry.keys[i - 1];
  }
  JsonLook look = look_of(bytes, path.root);
  if (path.objects.empty()) {
    const bool fresh_line = bytes.size() == mark_bytes(bytes) || bytes.back() == '\n';
    Json whole = Json::object();
    whole[name] = std::move(value);
    return Splices{{bytes.size(), "",
                    (fresh_line ? "" : look.newline) + json_text(whole, look, "") + look.newline}};
  }
  const JsonNode& object = *path.objects.back();
  if (object.members.empty()) {
    const bool alone = path.objects.size() == 1;
    if (!alone && !has_line_break(bytes, path.root.begin, path.root.end)) look.newline.clear();
    if (name.empty()) look.newline.clear();
    return into_empty(bytes, object, entry, name, look, value);
  }
  if (!has_line_break(bytes, object.begin, object.members.front().begin)) look.newline.clear();
  return behind_last(bytes, object, entry, name, look, value);
}

Splice cut(std::string_view bytes, std::size_t begin, std::size_t end) {
  return {begin, std::string(bytes.substr(begin, end - begin)), ""};
}

Splices without_member(std::string_view bytes, const JsonNode& object, std::size_t index) {
  const JsonMember& member = object.members[index];
  std::size_t begin = member.begin;
  if (begins_line(bytes, begin)) {
    begin = line_begin(bytes, begin);
    if (begin > object.begin + 1) --begin;  // the line break
    if (begin > object.begin + 1 && bytes[begin - 1] == '\r') --begin;
  } else {
    while (bytes[begin - 1] == ' ' || bytes[begin - 1] == '\t') --begin;
  }
  begin = std::max(begin, object.begin + 1);
  const bool followed = member.comma != kNowhere;
  const std::size_t end = followed ? member.comma + 1 : member.value.end;
  Splices splices;
  // Comments before the member stay. The comma before it goes when nothing follows.
  if (!followed && index > 0) {
    const std::size_t comma = object.members[index - 1].comma;
    if (comma + 1 >= begin) return {cut(bytes, std::min(comma, begin), end)};
    splices.push_back(cut(bytes, comma, comma + 1));
  }
  // A line break before it may end a line comment: it stays then when more stands on the line.
  const std::size_t rest = line_stop(bytes, end);
  const bool shares_line = bytes.substr(end, rest - end).find_first_not_of(" \t") != kNowhere;
  if (shares_line && begins_line(bytes, member.begin)) begin = member.begin;
  splices.push_back(cut(bytes, begin, end));
  return splices;
}

Result<Splices> json_remove(std::string_view bytes, const Entry& entry, std::size_t parents) {
  JsonPath path;
  if (Status walked = walk_text(bytes, entry, path); !walked) return walked.error();
  if (path.entry == nullptr) return Error{Errc::not_found, "the entry is not there"};
  std::size_t level = path.objects.size() - 1;
  while (parents > 0 && level > 0 && path.objects[level]->members.size() == 1) {
    --level;
    --parents;
  }
  return without_member(bytes, *path.objects[level], path.chosen[level]);
}

// The values of everything but the entry, as text: white space and comments do not count.
std::string meaning(std::string_view bytes, const JsonNode& node, const JsonMember* without,
                    std::size_t keys, std::size_t depth = 0) {
  if (node.kind == JsonNode::Kind::array && depth < kDepthKept) {
    std::string out = "[";
    for (const JsonMember& item : node.members) {
      if (&item != without) out += meaning(bytes, item.value, nullptr, 0, depth + 1) + ",";
    }
    return out + "]";
  }
  if (node.kind == JsonNode::Kind::object && depth < kDepthKept) {
    std::string out = "{";
    for (const JsonMember& member : node.members) {
      if (&member == without) continue;
      const std::string value =
          meaning(bytes, member.value, without, keys == 0 ? 0 : keys - 1, depth + 1);
      // A key above the entry, or as good as one.
      if ((value == "{}" || value == "[]") && keys > 0) continue;
      out +=
          Json(member.key).dump(-1, ' ', true, Json::error_handler_t::replace) + ":" + value + ",";
    }
    return out + "}";
  }
  return std::string(bytes.substr(node.begin, node.end - node.begin));
}

bool json_differ(std::string_view less, std::string_view more, const Entry& entry) {
  JsonPath a;
  JsonPath b;
  if (!walk_text(less, entry, a) || !walk_text(more, entry, b)) return false;
  if (a.entry != nullptr || b.entry == nullptr) return false;
  const std::string before = a.root.kind == JsonNode::Kind::none
                                 ? "{}"
                                 : meaning(less, a.root, nullptr, entry.keys.size());
  return before == meaning(more, b.root, b.entry, entry.keys.size());
}

}  // namespace

const Editor kJsonEditor = {json_find, json_missing, json_insert, json_remove, json_differ};

}  // namespace yore::setup
