// yaml_text.hpp — a YAML text as a tree that knows where things stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "setup/edit/entry.hpp"

namespace yore::setup {

struct YamlNode {
  enum class Kind : std::uint8_t { none, scalar, alias, mapping, sequence };
  Kind kind = Kind::none;  // none: the text holds nothing but white space and comments
  bool plain = false;      // of a scalar: not in quotes and no block
  bool flow = false;       // of a collection: in brackets
  std::string value;       // of a scalar; of an alias its name
  std::string tag;
  std::string anchor;
  std::size_t begin = 0;  // bytes
  // Behind its last character. That of a block scalar is the beginning of the line after it.
  std::size_t end = 0;
  std::vector<YamlNode> children;  // of a mapping: key, value, key, value …

  // "key:" with nothing behind it.
  [[nodiscard]] bool is_hollow() const {
    return kind == Kind::scalar && plain && value.empty() && tag.empty() && anchor.empty();
  }
};

// The one document of the text. corrupt: not valid; unsupported: there are several.
Result<YamlNode> parse_yaml_text(std::string_view text);
// Aliases are not followed: an alias is the text "*name".
Json to_value(const YamlNode& node);

}  // namespace yore::setup
