#include "text/passages.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "text/utf8.hpp"

namespace yore::text {
namespace {

[[maybe_unused]] constexpr std::size_t kLongestCharacter = 4;  // for assert()

enum class Cut : std::uint8_t { none, space, sentence_end };

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

// REQUIRES: `before` ends with a newline. True when nothing but blanks stands on its last line.
bool ends_with_blank_line(std::string_view before) {
  before.remove_suffix(1);
  while (!before.empty() && is_blank(before.back())) before.remove_suffix(1);
  return !before.empty() && before.back() == '\n';
}

// "…end. " and "(…end.) ": the space belongs to the sentence before it.
bool ends_with_sentence(std::string_view before) {
  if (before.empty() || before.back() != ' ') return false;
  before.remove_suffix(1);
  while (!before.empty() && std::string_view{"\"')]"}.find(before.back()) != before.npos) {
    before.remove_suffix(1);
  }
  return !before.empty() && std::string_view{".!?"}.find(before.back()) != before.npos;
}

bool ends_with_cjk_sentence(std::string_view before) {
  constexpr std::string_view kStops[] = {"。", "！", "？", "．", "｡"};
  return std::any_of(std::begin(kStops), std::end(kStops),
                     [&](std::string_view stop) { return before.ends_with(stop); });
}

// How good a cut after `before` would be.
Cut cut_after(std::string_view before) {
  const char last = before.back();
  if (last == ' ') return ends_with_sentence(before) ? Cut::sentence_end : Cut::space;
  if (last == '\t') return Cut::space;
  if (static_cast<unsigned char>(last) >= 0x80 && ends_with_cjk_sentence(before)) {
    return Cut::sentence_end;
  }
  return Cut::none;
}

// The last blank line that ends in [earliest, target], else the last line end there, else 0. Looks
// no further: the text may be long and have no line end at all.
std::size_t line_cut(std::string_view text, std::size_t earliest, std::size_t target) {
  text = text.substr(0, target);
  std::size_t last_line = 0;
  std::size_t last_blank = 0;
  std::size_t newline = text.find('\n', earliest - 1);
  while (newline != std::string_view::npos) {
    last_line = newline + 1;
    if (ends_with_blank_line(text.substr(0, last_line))) last_blank = last_line;
    newline = text.find('\n', last_line);
  }
  return last_blank != 0 ? last_blank : last_line;
}

// Length of the first piece of a text longer than max_bytes.
std::size_t first_cut(std::string_view text, PassageSize size) {
  const std::size_t target = std::min(size.target_bytes, size.max_bytes);
  const std::size_t earliest = std::max<std::size_t>(target / 2, 1);
  // Most text has line ends; looking for them alone is the fast way.
  if (const std::size_t cut = line_cut(text, earliest, target); cut != 0) return cut;
  Cut best = Cut::none;
  std::size_t best_cut = 0;
  for (std::size_t cut = target; cut >= earliest && best != Cut::sentence_end; --cut) {
    const Cut found = cut_after(text.substr(0, cut));
    if (found <= best) continue;
    best = found;
    best_cut = cut;
  }
  if (best != Cut::none) return best_cut;
  return std::max<std::size_t>(prefix_bytes(text, size.max_bytes).size(), 1);
}

}  // namespace

std::vector<std::string_view> split_passages(std::string_view text, PassageSize size) {
  assert(size.max_bytes >= kLongestCharacter);
  std::vector<std::string_view> pieces;
  while (text.size() > size.max_bytes) {
    const std::size_t cut = first_cut(text, size);
    pieces.push_back(text.substr(0, cut));
    text.remove_prefix(cut);
  }
  if (!text.empty()) pieces.push_back(text);
  return pieces;
}

}  // namespace yore::text
