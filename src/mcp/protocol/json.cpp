#include "mcp/protocol/json.hpp"

#include <array>
#include <charconv>
#include <optional>

#include "text/utf8.hpp"

namespace yore::mcp {
namespace {

// What is open at one moment, outermost first.
struct Container {
  bool object = false;
  std::size_t commas = 0;
};

// True when the text stays within the limits. Brackets and commas inside strings do not count; what
// is no JSON may be judged wrongly, and is refused by the parser anyway.
bool is_simple(std::string_view text) {
  std::array<Container, kMaxJsonDepth + 1> open{};  // open[0] is the line itself
  std::size_t depth = 0;
  std::size_t values = 1;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (depth == kMaxJsonDepth || ++values > kMaxJsonValues) return false;
      open[++depth] = {c == '{', 0};
    } else if (c == ']' || c == '}') {
      if (depth > 0) --depth;
    } else if (c == ',') {
      if (++values > kMaxJsonValues) return false;
      if (++open[depth].commas >= kMaxJsonKeys && open[depth].object) return false;
    }
  }
  return true;
}

// The code unit of an escape \uXXXX at `at`.
std::optional<unsigned> unit_at(std::string_view text, std::size_t at) {
  constexpr std::size_t kSize = 6;
  if (at + kSize > text.size() || text[at] != '\\' || text[at + 1] != 'u') return std::nullopt;
  unsigned unit = 0;
  const char* const end = text.data() + at + kSize;
  const auto [stop, problem] = std::from_chars(text.data() + at + 2, end, unit, 16);
  if (problem != std::errc{} || stop != end) return std::nullopt;
  return unit;
}

bool is_high(unsigned unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
bool is_low(unsigned unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

// Appends the escape at `at` and returns its size.
std::size_t mend_escape(std::string_view text, std::size_t at, std::string& out) {
  const auto unit = unit_at(text, at);
  if (!unit) {
    const std::string_view copied = text.substr(at, 2);
    out += copied;
    return copied.size();
  }
  const auto next = unit_at(text, at + 6);
  const std::size_t size = is_high(*unit) && next && is_low(*next) ? 12 : 6;
  const bool lone = size == 6 && (is_high(*unit) || is_low(*unit));
  out += lone ? std::string_view("\\ufffd") : text.substr(at, size);
  return size;
}

// The text with stray bytes and lone surrogates replaced.
std::string mended(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\\') {
      at += mend_escape(text, at, out);
      continue;
    }
    const text::Char c = text::decode_at(text, at);
    out += c.is_stray() ? text::kReplacementText : text.substr(at, c.size_bytes);
    at += c.size_bytes;
  }
  return out;
}

Json parse(std::string_view text) {
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

}  // namespace

std::variant<Json, JsonFault> parse_json(std::string_view text) {
  if (!is_simple(text)) {
    return Json::accept(text) ? JsonFault::too_complex : JsonFault::not_json;
  }
  Json json = parse(text);
  // Mending copies the line, so only what cannot be read as it is gets mended.
  if (json.is_discarded()) json = parse(mended(text));
  if (json.is_discarded()) return JsonFault::not_json;
  return json;
}

std::string json_text(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

const Json* member(const Json& json, std::string_view key) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(key);
  return found == json.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace yore::mcp
