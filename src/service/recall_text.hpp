// recall_text.hpp — what is recalled, as text for a model: between fences (turns/fence.hpp), within
// a budget, every line with the turn it is from.
#pragma once

#include <cstddef>
#include <string>

#include "search/recall.hpp"
#include "service/json.hpp"

namespace yore::service {

// About what a model reads gladly after a compaction: 2,000 tokens.
inline constexpr std::size_t kRecallChars = 8000;
inline constexpr std::size_t kLeastRecallChars = 500;

// Commands first, then files, then what was asked and concluded. Of each kind the newest that fit
// are taken, and shown in the order of the conversation; how many were left out is said. Never
// longer than `max_chars`, fences included. REQUIRES: max_chars >= kLeastRecallChars.
std::string recall_text(const search::RecallAnswer& answer, std::size_t max_chars);

Json recall_json(const search::RecallAnswer& answer, std::size_t max_chars);

}  // namespace yore::service
