#include "unit/text/noise_twin.hpp"

#include <algorithm>

namespace yore::text {
namespace {

const std::string kSigns = "+/-_";
const std::string kHexDigits = kDigits + "abcdefABCDEF";

std::vector<Range> split(const std::string& text, const std::string& signs) {
  std::vector<Range> pieces;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && signs.find(text[at]) == std::string::npos) continue;
    pieces.emplace_back(begin, at);
    begin = at + 1;
  }
  return pieces;
}

std::size_t changes_in(const std::string& text, Range piece) {
  const auto kind = [](char c) { return c >= 'a' ? 'a' : c >= 'A' ? 'A' : '0'; };
  std::size_t changes = 0;
  for (std::size_t i = piece.first + 1; i < piece.second; ++i) {
    if (kind(text[i]) != kind(text[i - 1])) ++changes;
  }
  return changes;
}

}  // namespace

bool has_any(const std::string& text, const std::string& set) {
  return text.find_first_of(set) != std::string::npos;
}

bool has_only(const std::string& text, const std::string& set) {
  return text.find_first_not_of(set) == std::string::npos;
}

std::vector<Range> encoded_in(const std::string& text) {
  std::vector<Range> spans;
  const std::string alphabet = kLetters + kDigits + kSigns;
  for (std::size_t at = text.find_first_of(alphabet); at != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_not_of(alphabet, at), text.size());
    const std::string run = text.substr(at, end - at);
    std::vector<Range> pieces = split(run, kSigns);
    const auto is_quiet = [&](Range piece) { return changes_in(run, piece) < 2; };
    while (!pieces.empty() && is_quiet(pieces.front())) pieces.erase(pieces.begin());
    while (!pieces.empty() && is_quiet(pieces.back())) pieces.pop_back();
    if (!pieces.empty()) {
      const Range span{pieces.front().first, pieces.back().second};
      const std::string noise = run.substr(span.first, span.second - span.first);
      std::size_t changes = 0;
      for (const Range& piece : pieces) changes += changes_in(run, piece);
      const double rate = static_cast<double>(changes) / static_cast<double>(noise.size());
      if (noise.size() >= 40 && rate >= 0.45 && has_any(noise, kSmallLetters) &&
          has_any(noise, kCapitals) && has_any(noise, kDigits)) {
        spans.emplace_back(at + span.first, at + span.second);
      }
    }
    at = text.find_first_of(alphabet, end);
  }
  return spans;
}

std::vector<Range> pieces_of(const std::string& word) {
  std::vector<Range> pieces = split(word, "_");
  std::erase_if(pieces, [](Range piece) { return piece.first == piece.second; });
  return pieces;
}

bool is_hash(const std::string& piece) {
  const bool is_prefixed = piece.starts_with("0x") || piece.starts_with("0X");
  const std::string digits = piece.substr(is_prefixed ? 2 : 0);
  return digits.size() >= 16 && has_only(digits, kHexDigits) && has_any(digits, kDigits);
}

bool holds_hash(const std::string& word) {
  const std::vector<Range> pieces = pieces_of(word);
  return std::any_of(pieces.begin(), pieces.end(), [&](Range piece) {
    return is_hash(word.substr(piece.first, piece.second - piece.first));
  });
}

bool is_uuid(const std::string& text) {
  const std::vector<Range> groups = split(text, "-");
  const std::vector<Range> wanted = {{0, 8}, {9, 13}, {14, 18}, {19, 23}, {24, 36}};
  return groups == wanted && has_only(text, kHexDigits + "-") && has_any(text, kDigits);
}

}  // namespace yore::text
