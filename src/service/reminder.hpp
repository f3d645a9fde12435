// reminder.hpp — what an agent is told without having asked (`yore recall`, run by its hooks): what
// happened in this folder last, what was found for a prompt, what a compaction took away.
//
// Text for a model: between fences (turns/fence.hpp), at most kReminderBytes, every piece with
// where it is from. Empty when there is nothing to say. Reads the index as it is and writes
// nothing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "service/access.hpp"
#include "store/recall_log.hpp"

namespace yore::service {

inline constexpr std::size_t kReminderBytes = 2048;
// Relevance from which a turn is worth interrupting for. More than 9 of 10 reminders on the
// questions of bench/coding hold the answer then (bench/RESULTS.md); people's prompts ask less
// clearly.
inline constexpr double kRemindFrom = 0.9;

struct Asking {
  std::string session;  // as its agent names it; ""
  std::string folder;
  std::vector<store::RemindedTurn> known;  // what it was reminded of before
};

struct Reminder {
  std::string text;  // "": nothing to say
  std::vector<store::RemindedTurn> turns;
  double relevance = 0;  // of the best of them
};

// The newest conversations of the folder, and how the last of them ended.
Result<Reminder> remind_at_start(IndexAccess& access, const Asking& asking);
// Turns that most likely answer the prompt, and that the session was not told of before.
Result<Reminder> remind_of_prompt(IndexAccess& access, const Asking& asking,
                                  std::string_view prompt, double from = kRemindFrom);
// What the session knew before it was compacted.
Result<Reminder> remind_after_compaction(IndexAccess& access, const Asking& asking);

// A prompt as a question: what a query would take for its language is taken for words.
std::string question_of(std::string_view prompt);

}  // namespace yore::service
