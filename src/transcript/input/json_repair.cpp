#include "transcript/input/json_repair.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/ascii.hpp"
#include "text/utf8.hpp"
#include "transcript/input/json_chars.hpp"

namespace yore::transcript {
namespace {

using text::kReplacementText;

constexpr std::string_view kReplacementEscape = "\\ufffd";

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

bool is_high_surrogate(std::uint32_t unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}
bool is_low_surrogate(std::uint32_t unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

class Repairer {
 public:
  explicit Repairer(std::string_view text) : text_(text) { repair_.text.reserve(text.size() + 16); }

  Repair run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\\' && in_string_) {
        escape();
      } else if (is_control(c)) {
        control();
      } else if (!is_ascii(c)) {
        character();
      } else {
        if (c == '"') in_string_ = !in_string_;
        ++at_;
      }
    }
    replace(0, "");
    return std::move(repair_);
  }

 private:
  // Copies what was fine so far, then puts `with` in the place of the next `size` bytes.
  void replace(std::size_t size, std::string_view with) {
    repair_.text += text_.substr(copied_, at_ - copied_);
    repair_.text += with;
    at_ += size;
    copied_ = at_;
  }

  void control() {
    if (!in_string_ && is_json_space(text_[at_])) {
      ++at_;
      return;
    }
    repair_.control_bytes = true;
    replace(1, in_string_ ? kReplacementText : "");
  }

  void character() {
    const Utf8Char next = first_utf8_char(text_.substr(at_));
    if (next.valid) {
      at_ += next.size_bytes;
      return;
    }
    repair_.bad_utf8 = true;
    replace(next.size_bytes, kReplacementText);
  }

  void escape() {
    const std::string_view rest = text_.substr(at_);
    if (rest.size() == 1) {
      ++at_;
      return;
    }
    const char next = rest[1];
    // A backslash before a damaged byte would make the replacement an invalid escape: it goes too.
    if (is_control(next) || (!is_ascii(next) && !first_utf8_char(rest.substr(1)).valid)) {
      replace(1, "");
      return;
    }
    const auto unit = unicode_escape(rest);
    if (!unit || (!is_high_surrogate(*unit) && !is_low_surrogate(*unit))) {
      at_ += is_ascii(next) ? 2 : 1;
      return;
    }
    const auto partner = unicode_escape(rest.substr(kUnicodeEscapeBytes));
    if (is_high_surrogate(*unit) && partner && is_low_surrogate(*partner)) {
      at_ += 2 * kUnicodeEscapeBytes;
      return;
    }
    repair_.lone_surrogate = true;
    replace(kUnicodeEscapeBytes, kReplacementEscape);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t copied_ = 0;
  bool in_string_ = false;
  Repair repair_;
};

}  // namespace

Repair repair_json(std::string_view text) {
  return Repairer{text}.run();
}

std::optional<std::uint32_t> unicode_escape(std::string_view text) {
  if (text.size() < kUnicodeEscapeBytes || text[0] != '\\' || text[1] != 'u') return std::nullopt;
  std::uint32_t unit = 0;
  for (const char c : text.substr(2, 4)) {
    if (!ascii::is_hex(c)) return std::nullopt;
    unit = unit * 16 + ascii::hex_value(c);
  }
  return unit;
}

Utf8Char first_utf8_char(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {1, true};
  if (lead < 0xC2 || lead > 0xF4) return {1, false};
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte's range rules out overlong forms, surrogates and what lies past U+10FFFF.
  unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  for (std::size_t at = 1; at < size; ++at) {
    if (at == text.size() || byte(at) < low || byte(at) > high) return {at, false};
    low = 0x80;
    high = 0xBF;
  }
  return {size, true};
}

}  // namespace yore::transcript
