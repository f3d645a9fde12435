#include "service/text_budget.hpp"

#include "text/display.hpp"
#include "text/utf8.hpp"

namespace yore::service {
namespace {

constexpr std::size_t kQuartersOfWide = 4;
constexpr std::size_t kBytesPerToken = 16;  // and more, whatever the script

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// Quarters of a token that a character is, by its first byte. Letters with accents count as Latin.
std::size_t quarters_of(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0x80) return 1;
  return byte < 0xD0 ? 2 : kQuartersOfWide;
}

std::string without_emphasis(std::string text) {
  for (std::size_t at = 0; (at = text.find("**", at)) != std::string::npos;) text.erase(at, 2);
  return text;
}

// Without what models say before they say something: "Perfect! ", "You're right! ".
std::string without_cheers(std::string text) {
  constexpr std::size_t kLongestCheer = 30;
  while (true) {
    const std::size_t end = text.find("! ");
    if (end > kLongestCheer || text.find_first_of(".?:") < end || end + 2 >= text.size()) {
      return text;
    }
    text.erase(0, end + 2);
  }
}

}  // namespace

std::size_t tokens_of(std::string_view text) {
  std::size_t quarters = 0;
  for (const char c : text) {
    if (!continues_character(c)) quarters += quarters_of(c);
  }
  return (quarters + 3) / 4;
}

std::string cut_to_tokens(std::string_view text, std::size_t tokens) {
  const std::string line = text::one_line(text);
  if (tokens_of(line) <= tokens) return line;
  std::size_t quarters = 0;
  std::size_t end = 0;
  std::size_t word_end = 0;
  const std::size_t room = tokens > 1 ? (tokens - 1) * 4 : 0;
  for (; end < line.size(); ++end) {
    if (continues_character(line[end])) continue;
    if (quarters + quarters_of(line[end]) > room) break;
    quarters += quarters_of(line[end]);
    if (line[end] == ' ') word_end = end;
  }
  // Scripts without spaces, and very long words, are cut where they have to be.
  if (word_end < end / 2) word_end = end;
  return line.substr(0, word_end) + "…";
}

std::string first_sentences(std::string_view text, std::size_t tokens) {
  std::string plain;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : text.size());
    line = text::trim(line);
    if (line.starts_with("```")) continue;
    while (!line.empty() && (line.front() == '#' || line.front() == '>')) line.remove_prefix(1);
    if (line.starts_with("- ") || line.starts_with("* ")) line.remove_prefix(2);
    line = text::trim(line);
    if (line.empty()) continue;
    if (!plain.empty()) plain += ' ';
    // More of one line could not be used, however long it is.
    plain += text::one_line(text::prefix_bytes(line, kBytesPerToken * tokens + kBytesPerToken));
    if (tokens_of(plain) > 2 * tokens) break;  // some of it may be left out
  }
  plain = without_cheers(without_emphasis(std::move(plain)));
  if (tokens_of(plain) <= tokens) return plain;
  // Whole sentences where at least half of the room is used so.
  std::size_t best = 0;
  for (std::size_t at = 0; at + 1 < plain.size(); ++at) {
    const bool ends =
        (plain[at] == '.' || plain[at] == '!' || plain[at] == '?') && plain[at + 1] == ' ';
    if (!ends) continue;
    if (tokens_of(std::string_view(plain).substr(0, at + 1)) > tokens) break;
    best = at + 1;
  }
  if (best > 0 && tokens_of(std::string_view(plain).substr(0, best)) * 2 >= tokens) {
    return plain.substr(0, best);
  }
  return cut_to_tokens(plain, tokens);
}

}  // namespace yore::service
