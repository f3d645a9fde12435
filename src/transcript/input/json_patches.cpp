#include "transcript/input/json_patches.hpp"

#include <charconv>
#include <map>
#include <memory>
#include <optional>

#include "text/utf8.hpp"
#include "transcript/input/json_pieces.hpp"
#include "transcript/input/json_scan.hpp"

namespace yore::transcript {
namespace {

constexpr std::size_t kMaxPathSteps = 64;
// How many values a hostile log may make us take apart; the rest stays as it is.
constexpr std::size_t kMaxNodes = 4'000'000;

std::optional<std::size_t> index_of(std::string_view step) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  const bool whole = error == std::errc() && end == step.data() + step.size();
  return whole ? std::optional(index) : std::nullopt;
}

// A value: text of the log until a path leads into it.
class Node {
 public:
  explicit Node(std::string_view raw = "null") : raw_(raw) {}

  // The value of this step; one at the end of a list and a new field are made when `make` is set.
  // Null: it leads nowhere.
  Node* step(std::string_view step, bool make, std::size_t& nodes) {
    if (!open(nodes)) return nullptr;
    if (!inside_->is_list) {
      const auto found = inside_->fields.find(step);
      if (found != inside_->fields.end()) return &found->second;
      if (!make || ++nodes > kMaxNodes) return nullptr;
      return &inside_->fields.emplace(step, Node()).first->second;
    }
    auto& items = inside_->items;
    const auto index = index_of(step);
    if (!index || *index > items.size()) return nullptr;
    if (*index < items.size()) return &items[*index];
    if (!make || ++nodes > kMaxNodes) return nullptr;
    return &items.emplace_back();
  }

  // Adds the elements of `list`, behind the first `keep`. False: this is no list.
  bool add(std::string_view list, std::optional<std::size_t> keep, std::size_t& nodes) {
    if (raw_ == "null" && inside_ == nullptr) raw_ = "[]";
    if (!open(nodes) || !inside_->is_list) return false;
    auto& items = inside_->items;
    if (keep && *keep < items.size()) items.resize(*keep);
    return list.empty() || each_raw_item(list, [&](std::string_view item) {
             if (++nodes <= kMaxNodes) items.emplace_back(item);
           });
  }

  void remove(std::string_view step, std::size_t& nodes) {
    if (!open(nodes)) return;
    const auto index = index_of(step);
    if (!inside_->is_list) {
      inside_->fields.erase(step);
    } else if (index && *index < inside_->items.size()) {
      inside_->items[*index] = Node();
    }
  }

  // Recursion is as deep as the paths went.
  void write(std::string& out) const {
    if (inside_ == nullptr) {
      out += raw_;
      return;
    }
    out += inside_->is_list ? '[' : '{';
    const std::size_t start = out.size();
    for (const auto& [key, node] : inside_->fields) {
      out.append(out.size() > start ? ",\"" : "\"").append(key).append("\":");
      node.write(out);
    }
    for (const Node& node : inside_->items) {
      if (out.size() > start) out += ',';
      node.write(out);
    }
    out += inside_->is_list ? ']' : '}';
  }

 private:
  struct Inside {
    bool is_list = false;
    std::map<std::string_view, Node> fields;  // keys as they are written
    std::vector<Node> items;
  };

  // Takes it apart. False: there is nothing inside, or too much.
  bool open(std::size_t& nodes) {
    if (inside_ != nullptr) return true;
    if (nodes >= kMaxNodes || (!raw_.starts_with('{') && !raw_.starts_with('['))) return false;
    inside_ = std::make_unique<Inside>();
    inside_->is_list = raw_.starts_with('[');
    each_raw_field(raw_, [&](std::string_view key, std::string_view value) {
      if (++nodes <= kMaxNodes) inside_->fields.insert_or_assign(key, Node(value));
    });
    each_raw_item(raw_, [&](std::string_view item) {
      if (++nodes <= kMaxNodes) inside_->items.emplace_back(item);
    });
    return true;
  }

  std::string_view raw_;
  std::unique_ptr<Inside> inside_;
};

struct Patch {
  std::string_view kind;
  std::string_view value;
  std::vector<std::string_view> path;
  std::optional<std::size_t> keep;
};

std::optional<Patch> parse_patch(std::string_view line) {
  if (!line.starts_with('{') || json_extent(line) != line.size()) return std::nullopt;
  Patch patch;
  each_raw_field(line, [&](std::string_view key, std::string_view value) {
    if (key == "kind") patch.kind = value;
    if (key == "v") patch.value = value;
    if (key == "i") patch.keep = index_of(value);
    if (key != "k") return;
    each_raw_item(value, [&](std::string_view step) {
      const bool quoted = step.size() > 1 && step.front() == '"';
      patch.path.push_back(quoted ? step.substr(1, step.size() - 2) : step);
    });
  });
  if (patch.path.size() > kMaxPathSteps) return std::nullopt;
  return patch;
}

class Document {
 public:
  bool apply(const Patch& patch) {
    if (patch.kind == "0") {
      root_.emplace(patch.value);
      return patch.value.starts_with('{');
    }
    if (!root_ || patch.path.empty()) return false;
    const bool removes = patch.kind == "3";
    Node* node = &*root_;
    for (std::size_t i = 0; i + 1 < patch.path.size() && node != nullptr; ++i) {
      node = node->step(patch.path[i], false, nodes_);
    }
    if (node == nullptr) return removes;
    if (removes) {
      node->remove(patch.path.back(), nodes_);
      return true;
    }
    if (patch.kind != "1" && patch.kind != "2") return false;
    Node* last = node->step(patch.path.back(), true, nodes_);
    if (last == nullptr) return false;
    if (patch.kind == "2") return last->add(patch.value, patch.keep, nodes_);
    *last = Node(patch.value.empty() ? std::string_view("null") : patch.value);
    return true;
  }

  [[nodiscard]] std::string text() const {
    std::string out;
    if (root_) root_->write(out);
    return out;
  }

 private:
  std::optional<Node> root_;
  std::size_t nodes_ = 0;  // taken apart so far
};

}  // namespace

PatchedDocument replay_patches(std::string_view log) {
  PatchedDocument result;
  Document document;
  for (std::uint64_t number = 1; !log.empty(); ++number) {
    const std::size_t end = log.find('\n');
    const std::string_view line = text::trim(log.substr(0, end));
    const bool written = end != std::string_view::npos;
    log = written ? log.substr(end + 1) : std::string_view{};
    if (line.empty()) continue;
    const auto patch = parse_patch(line);
    if (!patch && !written) break;
    if (!patch || !document.apply(*patch)) result.broken.push_back(number);
  }
  result.text = document.text();
  return result;
}

}  // namespace yore::transcript
