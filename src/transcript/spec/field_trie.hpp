// field_trie.hpp — the paths of field rules as one tree, so that an object is read in one pass
// whatever the number of rules.
//
// A node is a JSON value: its slot says what to do with it, its children what is inside. Keys that
// are neither children nor silent are unknown.
//
// Threads: const once made. Cost: a look-up per key, one or two comparisons.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "transcript/spec/agent_spec.hpp"

namespace yore::transcript {

class FieldTrie {
 public:
  struct Node {
    std::string path;  // for messages
    std::string name;  // of the key; what unknown keys inside are called after
    bool has_slot = false;
    bool silent = false;         // known and of no use: passed over
    bool silent_inside = false;  // so is everything in it that is not listed
    Slot slot = Slot::type;
    std::uint16_t priority = 0;  // of the rule: lower ones win
    std::uint32_t item = 0;      // node of the elements of a list; 0: none
    std::vector<std::uint32_t> children;
    std::vector<std::uint16_t> table;  // hashed: place in children + 1
  };

  // The error names the path that can never match.
  static Result<FieldTrie> make(const std::vector<FieldRule>& fields,
                                const std::vector<std::string>& silent,
                                const std::string& record_name);

  [[nodiscard]] const Node& root() const { return nodes_.front(); }
  [[nodiscard]] const Node& at(std::uint32_t index) const { return nodes_[index]; }
  // Null: there is no such child.
  [[nodiscard]] const Node* child(const Node& node, std::string_view key) const;
  [[nodiscard]] static bool is_inner(const Node& node) {
    return !node.children.empty() || node.item != 0;
  }

 private:
  Status add(const std::string& path, const FieldRule* rule, std::size_t priority);
  std::uint32_t descend(std::uint32_t node, std::string_view step);
  void hash_children(Node& node);

  std::vector<Node> nodes_;
};

}  // namespace yore::transcript
