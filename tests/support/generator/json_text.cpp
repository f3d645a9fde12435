#include "generator/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace yore::generator {
namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kHex = "0123456789abcdef";

void append_padded(std::string& out, std::uint32_t number, int width) {
  std::array<char, 8> digits{};
  for (int i = width - 1; i >= 0; --i, number /= 10) {
    digits[static_cast<std::size_t>(i)] = static_cast<char>('0' + number % 10);
  }
  out.append(digits.data(), static_cast<std::size_t>(width));
}

}  // namespace

void append_number(std::string& out, std::uint64_t number) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void append_iso(std::string& out, std::int64_t ms) {
  // Days to a date in the proleptic Gregorian calendar, with years that begin in March.
  const std::int64_t days = ms / 86'400'000;
  const auto of_day = static_cast<std::uint32_t>(ms % 86'400'000);
  const std::int64_t shifted = days + 719'468;
  const std::int64_t era = shifted / 146'097;
  const auto of_era = static_cast<std::uint32_t>(shifted - era * 146'097);
  const std::uint32_t year_of_era =
      (of_era - of_era / 1460 + of_era / 36'524 - of_era / 146'096) / 365;
  const std::uint32_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::uint32_t month_index = (5 * of_year + 2) / 153;
  const std::uint32_t day = of_year - (153 * month_index + 2) / 5 + 1;
  const std::uint32_t month = month_index < 10 ? month_index + 3 : month_index - 9;
  const std::uint32_t year =
      static_cast<std::uint32_t>(era) * 400 + year_of_era + (month <= 2 ? 1 : 0);
  append_padded(out, year, 4);
  out += '-';
  append_padded(out, month, 2);
  out += '-';
  append_padded(out, day, 2);
  out += 'T';
  append_padded(out, of_day / 3'600'000, 2);
  out += ':';
  append_padded(out, of_day / 60'000 % 60, 2);
  out += ':';
  append_padded(out, of_day / 1000 % 60, 2);
  out += '.';
  append_padded(out, of_day % 1000, 3);
  out += 'Z';
}

std::string file_time(std::int64_t ms) {
  std::string text;
  append_iso(text, ms);
  std::replace(text.begin(), text.end(), ':', '-');
  return text;
}

std::string make_hex(Rng& rng, std::size_t digits) {
  std::string out;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < digits; ++i, bits >>= 4) {
    if (i % 16 == 0) bits = rng.next();
    out += kHex[bits & 15];
  }
  return out;
}

std::string make_uuid(Rng& rng) {
  std::string out = make_hex(rng, 36);
  for (const std::size_t dash : {8, 13, 18, 23}) out[dash] = '-';
  out[14] = '4';
  out[19] = "89ab"[rng.below(4)];
  return out;
}

std::string make_api_id(Rng& rng, std::string_view prefix) {
  std::string out(prefix);
  for (int word = 0; word < 3; ++word) {
    std::uint64_t bits = rng.next();
    // The first 62 signs of the alphabet: letters and digits.
    for (int i = 0; i < 8; ++i, bits >>= 8) out += kBase64[(bits & 255) % 62];
  }
  return out;
}

void append_base64(Rng& rng, std::string& out, std::size_t bytes) {
  std::size_t left = bytes / 4 * 4;
  while (left > 0) {
    std::array<char, 8> signs{};
    std::uint64_t bits = rng.next();
    for (char& sign : signs) {
      sign = kBase64[bits & 63];
      bits >>= 6;
    }
    const std::size_t count = std::min<std::size_t>(left, signs.size());
    out.append(signs.data(), count);
    left -= count;
  }
}

std::string unescape(std::string_view escaped) {
  std::string out;
  out.reserve(escaped.size());
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] != '\\' || i + 1 == escaped.size()) {
      out += escaped[i];
      continue;
    }
    const char next = escaped[++i];
    out += next == 'n' ? '\n' : next == 't' ? '\t' : next;
  }
  return out;
}

std::string encode_cwd(std::string_view cwd) {
  std::string out;
  for (const char c : cwd) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    out += kept ? c : '-';
  }
  return out;
}

}  // namespace yore::generator
