#include "unit/text/labelled_secrets.hpp"

#include <array>
#include <charconv>
#include <fstream>
#include <random>
#include <string_view>

namespace yore::text {
namespace {

constexpr std::string_view kOpen = "«";
constexpr std::string_view kClose = "»";

struct Letters {
  std::string_view name;
  std::string_view all;
};
// Longer names first.
constexpr std::array<Letters, 6> kLetters = {{
    {"b64-", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"},
    {"b32-", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"},
    {"hex", "0123456789abcdef"},
    {"dig", "0123456789"},
    {"an", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"},
    {"AN", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"},
}};

using Random = std::mt19937_64;

std::string drawn(std::string_view letters, std::size_t count, Random& random) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += letters[random() % letters.size()];
  return out;
}

// What {name} stands for; "" when it stands for itself.
std::string filled(std::string_view name, Random& random) {
  if (name == "nl") return "\n";
  if (name == "uuid") {
    const std::string_view hex = kLetters[2].all;
    return drawn(hex, 8, random) + "-" + drawn(hex, 4, random) + "-4" + drawn(hex, 3, random) +
           "-a" + drawn(hex, 3, random) + "-" + drawn(hex, 12, random);
  }
  for (const Letters& letters : kLetters) {
    if (!name.starts_with(letters.name)) continue;
    const std::string_view digits = name.substr(letters.name.size());
    std::size_t count = 0;
    const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (ec != std::errc{} || end != digits.data() + digits.size()) continue;
    std::string value = drawn(letters.all, count, random);
    // A password of chance without a digit is one of letters alone, which is another shape.
    if (letters.name == "an" && count > 4) value[count / 2] = static_cast<char>('2' + random() % 8);
    return value;
  }
  return "";
}

std::string expanded(std::string_view shape, Random& random) {
  std::string out;
  while (!shape.empty()) {
    const std::size_t open = shape.find('{');
    const std::size_t close = shape.find('}', open);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    const std::string value = filled(shape.substr(open + 1, close - open - 1), random);
    out.append(shape.substr(0, open));
    out.append(value.empty() ? shape.substr(open, 1) : std::string_view(value));
    shape.remove_prefix(value.empty() ? open + 1 : close + 1);
  }
  return out.append(shape);
}

}  // namespace

std::vector<LabelledLine> labelled_lines(std::uint64_t seed) {
  std::ifstream file(std::string(YORE_SOURCE_DIR) + "/tests/data/secrets/labelled.txt");
  Random random(seed);
  std::vector<LabelledLine> lines;
  for (std::string raw; std::getline(file, raw);) {
    const std::size_t tab = raw.find('\t');
    if (raw.empty() || raw.front() == '#' || tab == std::string::npos) continue;
    LabelledLine line;
    line.secret = raw.front() == '+';
    line.kind = raw.substr(1, tab - 1);
    line.text = expanded(std::string_view(raw).substr(tab + 1), random);
    if (line.secret) {
      line.begin = line.text.find(kOpen);
      line.text.erase(line.begin, kOpen.size());
      line.end = line.text.find(kClose);
      line.text.erase(line.end, kClose.size());
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace yore::text
