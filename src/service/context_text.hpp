// context_text.hpp — the best passages for a question, for a model's prompt: cited, each thing said
// once, within a budget of tokens, between fences (turns/fence.hpp).
//
// The first hits get the most room and the last ones a line: what helps most is that the right turn
// is among them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "search/searcher.hpp"
#include "service/json.hpp"

namespace yore::service {

inline constexpr std::size_t kContextTokens = 1000;
inline constexpr std::size_t kLeastContextTokens = 100;
// Hits worth asking for when there is room for so many tokens.
std::size_t hits_for(std::size_t tokens);

struct ContextDigest {
  std::string text;  // "": nothing was found
  std::size_t tokens = 0;
  std::vector<std::size_t> cited;  // hits of the answer, by index
};

// Of an answer that is masked. Not more than about `tokens`. REQUIRES: tokens >=
// kLeastContextTokens.
ContextDigest context_digest(const search::SearchAnswer& answer, std::size_t tokens);
Json context_json(const search::SearchAnswer& answer, const ContextDigest& digest);

}  // namespace yore::service
