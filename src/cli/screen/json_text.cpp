#include "cli/screen/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

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
  std::string raw = json.dump(2, ' ', false, service::Json::error_handler_t::replace);
  std::string safe;
  std::size_t copied = 0;  // of raw; nothing is as long as nothing has to be replaced
  // Outside of strings JSON is ASCII, so whatever is replaced here stands inside one.
  for (std::size_t at = 0; at < raw.size();) {
    if (static_cast<unsigned char>(raw[at]) < 0x7F) {
      ++at;
      continue;
    }
    const text::Char c = text::decode_at(raw, at);
    if (is_unsafe(c.code_point)) {
      safe.append(raw, copied, at - copied).append(escape(c.code_point));
      copied = at + c.size_bytes;
    }
    at += c.size_bytes;
  }
  std::string& all = copied == 0 ? raw : safe.append(raw, copied);
  all += '\n';
  return std::move(all);
}

void print_json(const Context& context, service::Json json) {
  context.mask(json);
  context.program.out(json_text(json));
}

}  // namespace yore::cli
