#include "transcript/agents/exports/hooks.hpp"

#include <algorithm>

namespace yore::transcript::exports {
namespace {

// "recipient": "all" are people; anything else is a tool, and what is said to it its argument.
class ChatGptHook final : public RecordHook {
 public:
  void adjust(RecordDraft& draft) override {
    std::string_view& recipient = draft.text(Slot::tool_name);
    if (draft.as != RecordAs::assistant || recipient == "all") recipient = {};
    if (recipient.empty()) return;
    said_ = draft.words();
    draft.content.clear();
    draft.text(Slot::text) = {};
    draft.text(Slot::command) = said_;
  }

 private:
  std::string said_;
};

// "text" says again what the blocks say; exports of before 2024 have nothing else.
class ClaudeAiHook final : public RecordHook {
 public:
  void adjust(RecordDraft& draft) override {
    const bool said = std::ranges::any_of(draft.content.parts(), [](const ContentPart& part) {
      return part.kind == ContentKind::text && !part.text.empty();
    });
    if (said) draft.text(Slot::text) = {};
  }
};

template <typename Hook>
std::unique_ptr<RecordHook> make_hook(std::string_view) {
  return std::make_unique<Hook>();
}

}  // namespace

const Hooks kChatGptHooks = {.reading = make_hook<ChatGptHook>};
const Hooks kClaudeAiHooks = {.reading = make_hook<ClaudeAiHook>};

}  // namespace yore::transcript::exports
