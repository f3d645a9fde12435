#include "transcript/spec/field_trie.hpp"

#include <algorithm>

namespace yore::transcript {
namespace {

constexpr std::string_view kItem = "[]";
constexpr char kQuote = '\'';
constexpr std::size_t kMaxSteps = 16;

// Length and three letters tell names of JSON keys well apart.
std::size_t hash_of(std::string_view name) {
  if (name.empty()) return 0;
  const auto letter = [name](std::size_t at) { return static_cast<unsigned char>(name[at]); };
  return name.size() * 5U + letter(0) * 7U + letter(name.size() / 2) * 31U +
         letter(name.size() - 1) * 57U;
}

// Where the first step ends: at a dot, or behind the quotes that the step stands in.
std::size_t end_of_step(std::string_view path) {
  if (!path.starts_with(kQuote)) return path.find('.');
  const std::size_t close = path.find(kQuote, 1);
  return close == std::string_view::npos ? close : path.find('.', close);
}

std::string_view unquoted(std::string_view step) {
  const bool quoted = step.size() > 2 && step.front() == kQuote && step.back() == kQuote;
  return quoted ? step.substr(1, step.size() - 2) : step;
}

// "a.b[].'c.d'" -> a, b, [], c.d. Empty: not a path.
std::vector<std::string_view> steps_of(std::string_view path) {
  std::vector<std::string_view> steps;
  while (true) {
    const std::size_t dot = end_of_step(path);
    std::string_view step = path.substr(0, dot);
    std::size_t items = 0;
    for (; step.ends_with(kItem); ++items) step.remove_suffix(kItem.size());
    const bool plain = step.find_first_of("[]") == std::string_view::npos;
    if (!plain || (step.empty() && (items == 0 || !steps.empty()))) return {};
    if (!step.empty()) steps.push_back(unquoted(step));
    steps.insert(steps.end(), items, kItem);
    if (dot == std::string_view::npos) return steps;
    path.remove_prefix(dot + 1);
  }
}

Error wrong(const std::string& path, std::string_view why) {
  return {Errc::invalid_argument, "path '" + path + "' " + std::string(why)};
}

}  // namespace

Result<FieldTrie> FieldTrie::make(const std::vector<FieldRule>& fields,
                                  const std::vector<std::string>& silent,
                                  const std::string& record_name) {
  FieldTrie trie;
  trie.nodes_.emplace_back().name = record_name;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (Status status = trie.add(fields[i].path, &fields[i], i); !status) return status.error();
  }
  for (const std::string& path : silent) {
    if (Status status = trie.add(path, nullptr, 0); !status) return status.error();
  }
  for (Node& node : trie.nodes_) {
    const bool text = node.has_slot && node.slot != Slot::body;
    if (text && is_inner(node)) return wrong(node.path, "is read as a value and looked into");
    trie.hash_children(node);
  }
  return trie;
}

Status FieldTrie::add(const std::string& path, const FieldRule* rule, std::size_t priority) {
  std::string_view inside = path;
  const bool all_inside = rule == nullptr && (path == "*" || path.ends_with(".*"));
  if (all_inside) inside.remove_suffix(path == "*" ? 1 : 2);
  const auto steps =
      inside.empty() && all_inside ? std::vector<std::string_view>{} : steps_of(inside);
  if (steps.empty() && !(inside.empty() && all_inside)) return wrong(path, "is not a path");
  if (steps.size() > kMaxSteps) return wrong(path, "goes too deep");
  std::uint32_t at = 0;
  for (const std::string_view step : steps) at = descend(at, step);
  Node& node = nodes_[at];
  if (all_inside) {
    node.silent_inside = true;
  } else if (rule == nullptr) {
    if (node.has_slot) return wrong(path, "is both read and silent");
    node.silent = true;
  } else if (node.has_slot) {
    return wrong(path, "is read twice");
  } else {
    node.has_slot = true;
    node.slot = rule->slot;
    node.priority = static_cast<std::uint16_t>(priority);
  }
  return {};
}

std::uint32_t FieldTrie::descend(std::uint32_t from, std::string_view step) {
  const auto next = static_cast<std::uint32_t>(nodes_.size());
  if (step == kItem) {
    if (nodes_[from].item != 0) return nodes_[from].item;
    nodes_[from].item = next;
    Node node;
    node.name = nodes_[from].name;
    node.path = nodes_[from].path + std::string(kItem);
    nodes_.push_back(std::move(node));
    return next;
  }
  for (const std::uint32_t child : nodes_[from].children) {
    if (nodes_[child].name == step) return child;
  }
  nodes_[from].children.push_back(next);
  Node node;
  node.name = step;
  node.path = nodes_[from].path.empty() ? node.name : nodes_[from].path + "." + node.name;
  nodes_.push_back(std::move(node));
  return next;
}

void FieldTrie::hash_children(Node& node) {
  if (node.children.empty()) return;
  std::size_t size = 4;
  while (size < node.children.size() * 4) size *= 2;
  node.table.assign(size, 0);
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    std::size_t slot = hash_of(nodes_[node.children[i]].name) % size;
    while (node.table[slot] != 0) slot = (slot + 1) % size;
    node.table[slot] = static_cast<std::uint16_t>(i + 1);
  }
}

const FieldTrie::Node* FieldTrie::child(const Node& node, std::string_view key) const {
  const std::size_t size = node.table.size();
  if (size == 0) return nullptr;
  for (std::size_t slot = hash_of(key) % size; node.table[slot] != 0; slot = (slot + 1) % size) {
    const Node& found = nodes_[node.children[node.table[slot] - 1U]];
    if (found.name == key) return &found;
  }
  return nullptr;
}

}  // namespace yore::transcript
