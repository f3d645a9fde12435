#include "semantic/word_pieces.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace yore::semantic {
namespace {

constexpr std::uint32_t kWordSeed = 0x811C9DC5;
constexpr std::uint32_t kContinuedSeed = 0x9E3779B9;
constexpr std::uint32_t kPrime = 0x01000193;
constexpr std::string_view kContinued = "##";
constexpr TokenId kNoToken = 0xFFFF;

struct Special {
  std::string_view name;
  TokenId token;
};
constexpr std::array kSpecials = {
    Special{"[PAD]", 0},          Special{"[UNK]", kUnknownToken}, Special{"[CLS]", kFirstToken},
    Special{"[SEP]", kLastToken}, Special{"[MASK]", 103},
};

const Special* special_at(std::string_view text) {
  const auto it = std::ranges::find_if(
      kSpecials, [text](const Special& special) { return text.starts_with(special.name); });
  return it == kSpecials.end() ? nullptr : &*it;
}

}  // namespace

void WordPieces::read(std::string_view text, std::size_t max_tokens, std::vector<TokenId>& tokens) {
  const std::size_t limit = max_tokens - 1;
  tokens.clear();
  tokens.push_back(kFirstToken);
  std::size_t at = 0;
  while (at < text.size() && tokens.size() < limit) {
    std::size_t end = text.find('[', at);
    const Special* special = nullptr;
    while (end < text.size() && (special = special_at(text.substr(end))) == nullptr) {
      end = text.find('[', end + 1);
    }
    read_words(text.substr(at, end - at), limit, tokens);
    if (special == nullptr) break;
    tokens.push_back(special->token);
    at = end + special->name.size();
  }
  if (tokens.size() > limit) tokens.resize(limit);
  tokens.push_back(kLastToken);
}

void WordPieces::read_words(std::string_view text, std::size_t limit,
                            std::vector<TokenId>& tokens) {
  words_.begin(text);
  while (tokens.size() < limit && words_.next()) {
    if (words_.too_long()) {
      tokens.push_back(kUnknownToken);
    } else {
      append_word(words_.word(), tokens);
    }
  }
}

void WordPieces::append_word(std::string_view word, std::vector<TokenId>& tokens) const {
  const std::size_t before = tokens.size();
  std::array<std::uint32_t, 64> hashes;  // of the first i bytes; open() allows no longer pieces
  std::size_t at = 0;
  while (at < word.size()) {
    const bool continues = at > 0;
    const std::size_t longest = std::min(word.size() - at, model_->longest_piece());
    hashes[0] = continues ? kContinuedSeed : kWordSeed;
    for (std::size_t i = 0; i < longest; ++i) {
      hashes[i + 1] = (hashes[i] ^ static_cast<unsigned char>(word[at + i])) * kPrime;
    }
    TokenId token = kNoToken;
    std::size_t size = longest;
    for (; size > 0 && token == kNoToken; --size) {
      token = find(word.substr(at, size), continues, hashes[size]);
    }
    if (token == kNoToken) {
      tokens.resize(before);
      tokens.push_back(kUnknownToken);
      return;
    }
    tokens.push_back(token);
    at += size + 1;  // the loop went one further
  }
}

TokenId WordPieces::find(std::string_view piece, bool continues, std::uint32_t hash) const {
  const auto slots = model_->slots();
  const std::size_t mask = slots.size() - 1;
  for (std::size_t at = hash & mask; slots[at] != 0; at = (at + 1) & mask) {
    if (slots[at] >> 16 != hash >> 16) continue;
    const std::uint32_t number = (slots[at] & 0xFFFF) - 1;
    std::string_view candidate = model_->piece(number);
    const bool continued = candidate.size() > 2 && candidate.starts_with(kContinued);
    if (continued) candidate.remove_prefix(kContinued.size());
    if (continued == continues && candidate == piece) return static_cast<TokenId>(number);
  }
  return kNoToken;
}

}  // namespace yore::semantic
