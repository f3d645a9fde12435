#include "transcript/input/json_pieces.hpp"

#include <algorithm>
#include <cstddef>

#include "transcript/input/json_chars.hpp"
#include "transcript/input/json_scan.hpp"

namespace yore::transcript {
namespace {

// Bytes of whatever value `text` starts with.
std::size_t value_extent(std::string_view text) {
  if (text.empty()) return std::string_view::npos;
  if (text.front() == '"') return json_string_extent(text);
  if (text.front() == '{' || text.front() == '[') return json_extent(text);
  return text.find_first_of(",]} \t\r\n");
}

}  // namespace

bool each_raw_field(std::string_view text, const OnRawField& on_field) {
  std::size_t at = skip_json_space(text, 0);
  if (at == text.size() || text[at] != '{') return false;
  at = skip_json_space(text, at + 1);
  while (at < text.size() && text[at] == '"') {
    const std::size_t key_size = json_string_extent(text.substr(at));
    if (key_size == std::string_view::npos) return false;
    const std::string_view key = text.substr(at + 1, key_size - 2);
    at = skip_json_space(text, at + key_size);
    if (at == text.size() || text[at] != ':') return false;
    at = skip_json_space(text, at + 1);
    const std::size_t size = value_extent(text.substr(at));
    on_field(key, text.substr(at, size));
    if (size == std::string_view::npos) return false;
    at = skip_json_space(text, at + size);
    if (at < text.size() && text[at] == ',') at = skip_json_space(text, at + 1);
  }
  return at < text.size() && text[at] == '}';
}

bool each_raw_item(std::string_view text, const OnPiece& on_item) {
  std::size_t at = skip_json_space(text, 0);
  if (at == text.size() || text[at] != '[') return false;
  at = skip_json_space(text, at + 1);
  while (at < text.size() && text[at] != ']') {
    const std::size_t size = value_extent(text.substr(at));
    // Nothing there (a second comma): a step on, or this would never end.
    if (size == std::string_view::npos) return false;
    if (size > 0) on_item(text.substr(at, size));
    at = skip_json_space(text, at + size);
    if (at < text.size() && text[at] == ',') {
      at = skip_json_space(text, at + 1);
    } else if (size == 0) {
      return false;
    }
  }
  return at < text.size();
}

}  // namespace yore::transcript
