#include "cli/screen/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "text/utf8.hpp"

namespace yore::cli {
namespace {

bool is_unsafe(char32_t c) {
  return (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x61C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) ||
         (c >= 0xE0000 && c <= 0xE007F);
}

std::string escape(char32_t c) {
  const auto code = static_cast<std::uint32_t>(c);
  if (code < 0x10000) return fmt::format("\\u{:04x}", code);
  const std::uint32_t rest = code - 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
}

}  // namespace

std::string json_text(const service::Json& json) {
  const std::string raw = json.dump(2, ' ', false, service::Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(raw.size() + 1);
  // Outside of strings JSON is ASCII, so whatever is replaced here stands inside one.
  for (std::size_t at = 0; at < raw.size();) {
    if (static_cast<unsigned char>(raw[at]) < 0x7F) {
      safe += raw[at++];
      continue;
    }
    const text::Char c = text::decode_at(raw, at);
    if (is_unsafe(c.code_point)) {
      safe += escape(c.code_point);
    } else {
      safe.append(raw, at, c.size_bytes);
    }
    at += c.size_bytes;
  }
  return safe + "\n";
}

void print_json(const Context& context, const service::Json& json) {
  service::Json safe = json;
  context.mask(safe);
  context.program.out(json_text(safe));
}

}  // namespace yore::cli
