// The editor of YAML: an entry is a block of lines, or stands inside brackets where they are used.
#include <algorithm>

#include "setup/edit/emit.hpp"
#include "setup/edit/formats.hpp"
#include "setup/edit/layout.hpp"
#include "setup/edit/yaml_text.hpp"

namespace yore::setup {
namespace {

constexpr std::size_t kNoChild = std::string_view::npos;

// The way from the root to the entry, as far as it is there.
struct YamlPath {
  YamlNode root;
  std::vector<const YamlNode*> nodes;  // the root, then what entry.keys lead to
  std::vector<std::size_t> chosen;     // of each, the child that the way goes on with
  const YamlNode* entry = nullptr;
};

// Of a mapping: the place of the key among its children.
Result<std::size_t> key_of(const YamlNode& mapping, std::string_view key) {
  std::size_t found = kNoChild;
  for (std::size_t i = 0; i + 1 < mapping.children.size(); i += 2) {
    const YamlNode& each = mapping.children[i];
    if (each.kind != YamlNode::Kind::scalar || each.value != key) continue;
    if (found != kNoChild) return twice(key);
    found = i;
  }
  return found;
}

Result<std::size_t> item_named(const YamlNode& sequence, std::string_view name) {
  std::size_t found = kNoChild;
  for (std::size_t i = 0; i < sequence.children.size(); ++i) {
    const YamlNode& item = sequence.children[i];
    if (item.kind != YamlNode::Kind::mapping) continue;
    const auto at = key_of(item, "name");
    if (!at || *at == kNoChild || item.children[*at + 1].value != name) continue;
    if (found != kNoChild) return twice(name);
    found = i;
  }
  return found;
}

Status yaml_walk(YamlPath& path, const Entry& entry) {
  if (path.root.kind == YamlNode::Kind::none) return {};
  if (path.root.kind != YamlNode::Kind::mapping) return no_place("the file", "a mapping");
  const YamlNode* node = &path.root;
  path.nodes.push_back(node);
  for (std::size_t i = 0; i < entry.keys.size(); ++i) {
    const auto at = key_of(*node, entry.keys[i]);
    if (!at) return at.error();
    if (*at == kNoChild) return {};
    path.chosen.push_back(*at);
    node = &node->children[*at + 1];
    path.nodes.push_back(node);
    if (node->is_hollow()) return {};
    const bool is_list = entry.listed && i + 1 == entry.keys.size();
    const auto wanted = is_list ? YamlNode::Kind::sequence : YamlNode::Kind::mapping;
    if (node->kind != wanted) return no_place(entry.keys[i], is_list ? "a list" : "a mapping");
  }
  const auto at = entry.listed ? item_named(*node, entry.name) : key_of(*node, entry.name);
  if (!at) return at.error();
  if (*at == kNoChild) return {};
  path.chosen.push_back(*at);
  path.entry = &node->children[entry.listed ? *at : *at + 1];
  return {};
}

Status walk_yaml(std::string_view bytes, const Entry& entry, YamlPath& path) {
  auto root = parse_yaml_text(bytes);
  if (!root) return root.error();
  path.root = std::move(*root);
  return yaml_walk(path, entry);
}

Result<std::optional<Json>> yaml_find(std::string_view bytes, const Entry& entry) {
  YamlPath path;
  if (Status walked = walk_yaml(bytes, entry, path); !walked) return walked.error();
  if (path.entry == nullptr) return std::optional<Json>();
  return std::optional<Json>(to_value(*path.entry));
}

Result<std::size_t> yaml_missing(std::string_view bytes, const Entry& entry) {
  YamlPath path;
  if (Status walked = walk_yaml(bytes, entry, path); !walked) return walked.error();
  return entry.keys.size() + 1 - std::max<std::size_t>(path.nodes.size(), 1);
}

// One step of indentation: that of the first block inside the root.
std::string yaml_unit(std::string_view bytes, const YamlNode& root) {
  for (std::size_t i = 1; i < root.children.size(); i += 2) {
    const YamlNode& value = root.children[i];
    if (value.kind != YamlNode::Kind::mapping || value.flow || value.children.empty()) continue;
    const std::string_view indent = indent_of(bytes, value.children.front().begin);
    if (!indent.empty()) return std::string(indent);
  }
  return "  ";
}

struct YamlLook {
  std::string unit;
  std::string newline;
};

// The lines of what is missing below keys[0, depth), the entry among them, behind `indent`.
std::string lines_below(const Entry& entry, std::size_t depth, std::string indent,
                        const YamlLook& look) {
  std::string out;
  for (std::size_t i = depth; i < entry.keys.size(); ++i) {
    out += yaml_lines(Json{{entry.keys[i], Json::object()}}, indent, look.unit, look.newline);
    indent += look.unit;
  }
  if (!entry.listed) {
    return out + yaml_lines(Json{{entry.name, entry.value}}, indent, look.unit, look.newline);
  }
  std::string item = yaml_lines(entry.value, indent + "  ", look.unit, look.newline);
  item.replace(0, indent.size() + 2, indent + "- ");
  return out + item;
}

// Behind the line on which something ends.
std::size_t behind_line(std::string_view bytes, std::size_t end) {
  return end > 0 && bytes[end - 1] == '\n' ? end : next_line(bytes, end);
}

Splices add_lines(std::string_view bytes, std::size_t at, std::string lines, const YamlLook& look) {
  const bool open_line = at > mark_bytes(bytes) && bytes[at - 1] != '\n';
  return {{at, "", (open_line ? look.newline : "") + std::move(lines)}};
}

Result<Splices> into_flow(std::string_view bytes, const YamlNode& node, const Entry& entry,
                          std::size_t depth) {
  const char bracket = bytes[node.begin];
  if (bracket != '{' && bracket != '[') return no_place("the list", "one");
  JsonLook look;
  Json value = entry.value;
  std::string name = entry.name;
  if (entry.listed && depth < entry.keys.size()) {
    value = Json::array({std::move(value)});
    name = entry.keys.back();
  }
  const std::size_t outer = entry.listed ? entry.keys.size() - 1 : entry.keys.size();
  for (std::size_t i = outer; i > depth; --i) {
    Json around = Json::object();
    around[name] = std::move(value);
    value = std::move(around);
    name = entry.keys[i - 1];
  }
  std::string text =
      bracket == '[' ? json_text(value, look, "") : json_member(name, value, look, "");
  if (!node.children.empty()) text += ", ";
  return Splices{{node.begin + 1, "", std::move(text)}};
}

Result<Splices> yaml_insert(std::string_view bytes, const Entry& entry) {
  YamlPath path;
  if (Status walked = walk_yaml(bytes, entry, path); !walked) return walked.error();
  const YamlLook look{yaml_unit(bytes, path.root), std::string(line_end(bytes))};
  if (path.nodes.empty()) {
    return add_lines(bytes, bytes.size(), lines_below(entry, 0, "", look), look);
  }
  const YamlNode& node = *path.nodes.back();
  const std::size_t depth = path.nodes.size() - 1;
  if (node.is_hollow()) {
    const YamlNode& key = path.nodes[depth - 1]->children[path.chosen[depth - 1]];
    if (!begins_line(bytes, key.begin)) return no_place(key.value, "a block");
    const std::string indent = std::string(indent_of(bytes, key.begin)) + look.unit;
    return add_lines(bytes, behind_line(bytes, key.end), lines_below(entry, depth, indent, look),
                     look);
  }
  if (node.flow) return into_flow(bytes, node, entry, depth);
  if (node.children.empty()) return no_place(entry.name, "a block");
  // A sequence begins at its first dash, a mapping at its first key.
  const std::size_t first =
      node.kind == YamlNode::Kind::sequence ? node.begin : node.children.front().begin;
  if (!begins_line(bytes, first)) return no_place(entry.name, "a block");
  const std::string indent(indent_of(bytes, first));
  return add_lines(bytes, behind_line(bytes, node.end), lines_below(entry, depth, indent, look),
                   look);
}

// Inside brackets: with the comma that is too many then.
Splice cut_flow(std::string_view bytes, const YamlNode& node, std::size_t first,
                std::size_t count) {
  std::size_t begin = node.children[first].begin;
  std::size_t end = node.children[first + count - 1].end;
  if (first + count < node.children.size()) {
    end = node.children[first + count].begin;
  } else if (first > 0) {
    begin = node.children[first - 1].end;
  }
  return {begin, std::string(bytes.substr(begin, end - begin)), ""};
}

Result<Splices> yaml_remove(std::string_view bytes, const Entry& entry, std::size_t parents) {
  YamlPath path;
  if (Status walked = walk_yaml(bytes, entry, path); !walked) return walked.error();
  if (path.entry == nullptr) return Error{Errc::not_found, "the entry is not there"};
  std::size_t level = path.nodes.size() - 1;
  const auto size_of_child = [&](std::size_t at) -> std::size_t {
    return path.nodes[at]->kind == YamlNode::Kind::sequence ? 1 : 2;
  };
  while (parents > 0 && level > 0 && path.nodes[level]->children.size() == size_of_child(level)) {
    --level;
    --parents;
  }
  const YamlNode& node = *path.nodes[level];
  const std::size_t first = path.chosen[level];
  const std::size_t count = size_of_child(level);
  if (node.flow) return Splices{cut_flow(bytes, node, first, count)};
  const std::size_t begin = line_begin(bytes, node.children[first].begin);
  const std::size_t end = behind_line(bytes, node.children[first + count - 1].end);
  return Splices{{begin, std::string(bytes.substr(begin, end - begin)), ""}};
}

// Everything but the entry, as text.
std::string yaml_meaning(const YamlNode& node, const YamlNode* without, std::size_t keys) {
  std::string out = std::to_string(static_cast<int>(node.kind)) + (node.plain ? "p" : "") +
                    node.tag + "&" + node.anchor + "=" + Json(node.value).dump();
  const bool pairs = node.kind == YamlNode::Kind::mapping;
  for (std::size_t i = 0; i < node.children.size(); i += pairs ? 2 : 1) {
    const YamlNode& value = node.children[pairs ? i + 1 : i];
    if (&value == without) continue;
    const std::string meant = yaml_meaning(value, without, keys == 0 ? 0 : keys - 1);
    // A key above the entry that holds nothing, or as good as one.
    const bool empty = meant == "3&=\"\"" || meant == "4&=\"\"" || value.is_hollow();
    if (keys > 0 && empty) continue;
    out += "(";
    if (pairs) out += yaml_meaning(node.children[i], nullptr, 0) + ":";
    out += meant + ")";
  }
  return out;
}

bool yaml_differ(std::string_view less, std::string_view more, const Entry& entry) {
  YamlPath a;
  YamlPath b;
  if (!walk_yaml(less, entry, a) || !walk_yaml(more, entry, b)) return false;
  if (a.entry != nullptr || b.entry == nullptr) return false;
  YamlNode nothing;
  nothing.kind = YamlNode::Kind::mapping;
  const YamlNode& before = a.root.kind == YamlNode::Kind::none ? nothing : a.root;
  return yaml_meaning(before, nullptr, entry.keys.size()) ==
         yaml_meaning(b.root, b.entry, entry.keys.size());
}

}  // namespace

const Editor kYamlEditor = {yaml_find, yaml_missing, yaml_insert, yaml_remove, yaml_differ};

}  // namespace yore::setup
