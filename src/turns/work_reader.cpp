#include "turns/work_reader.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "text/utf8.hpp"
#include "turns/tracker.hpp"

namespace yore::turns {
namespace {

// An exit code stands at the beginning or at the end of what was printed.
constexpr std::size_t kLookedAt = 400;
constexpr std::array<std::string_view, 5> kExitWords = {
    "exit code", "exit_code", "exited with code", "exit status", "exitcode"};
constexpr std::array<std::string_view, 6> kFailureHeads = {
    "error",  "<tool_use_error>", "fatal:", "traceback (most recent call last)",
    "panic:", "command failed"};
constexpr std::array<std::string_view, 3> kFailureWords = {"command not found", "permission denied",
                                                           "no such file or directory"};

// The number behind "exit code", if one stands there.
std::optional<int> exit_code_in(std::string_view lower) {
  for (const std::string_view words : kExitWords) {
    const std::size_t found = lower.find(words);
    if (found == std::string_view::npos) continue;
    std::size_t at = found + words.size();
    constexpr std::string_view kBetween = " :=\"'";
    while (at < lower.size() && kBetween.find(lower[at]) != std::string_view::npos) ++at;
    if (at == lower.size() || !ascii::is_digit(lower[at])) continue;
    const bool zero =
        lower[at] == '0' && (at + 1 == lower.size() || !ascii::is_digit(lower[at + 1]));
    return zero ? 0 : 1;
  }
  return std::nullopt;
}

}  // namespace

bool looks_failed(std::string_view output) {
  output = text::trim(output);
  const std::string head = ascii::to_lower(text::prefix_bytes(output, kLookedAt));
  const std::string tail = ascii::to_lower(text::suffix_bytes(output, kLookedAt));
  for (const std::string& part : {head, tail}) {
    if (const auto code = exit_code_in(part)) return *code != 0;
  }
  if (std::ranges::any_of(kFailureHeads,
                          [&](std::string_view words) { return head.starts_with(words); })) {
    return true;
  }
  // In one line alone: a long output may speak of failures that others had.
  const std::string_view first = std::string_view(head).substr(0, head.find('\n'));
  return first.size() == output.size() &&
         std::ranges::any_of(kFailureWords, [&](std::string_view words) {
           return first.find(words) != std::string_view::npos;
         });
}

struct WorkReader::State final : TurnSink {
  TurnTracker tracker;
  std::vector<Work> all;
  std::map<std::string, std::size_t, std::less<>> by_id;

  void turn_opened(TurnNumber, const transcript::Record&) override {}
  void user_text(std::string_view) override {}
  void queued(QueuedId, std::string_view) override {}
  void queued_withdrawn(QueuedId) override {}
  void queued_settled(QueuedId) override {}
  void assistant_text(std::string_view, bool) override {}
  void thinking(std::string_view, bool) override {}
  void tool_call(const transcript::Block& call) override {
    if (tracker.turn_count() == 0) return;
    if (!call.tool_id.empty()) by_id[std::string(call.tool_id)] = all.size();
    all.push_back({tracker.turn_count() - 1, std::string(call.rendering), false, false});
  }
  void tool_result(std::string_view, std::string_view, bool) override {}
  void note(std::string_view) override {}
  void turn_abandoned(TurnNumber) override {}
  void record_done(const transcript::Record& record) override {
    for (const transcript::Block& block : record.blocks) {
      if (block.kind != transcript::BlockKind::tool_result) continue;
      const auto call = by_id.find(block.tool_id);
      if (call == by_id.end()) continue;
      all[call->second].answered = true;
      all[call->second].failed = looks_failed(block.text);
    }
  }
};

WorkReader::WorkReader() : state_(std::make_unique<State>()) {}
WorkReader::~WorkReader() = default;

void WorkReader::record(const transcript::Record& record) {
  state_->tracker.add(record, *state_);
}

std::vector<Work> WorkReader::take() {
  return std::exchange(state_->all, {});
}

}  // namespace yore::turns
