// A prompt with pictures or attached files is written in pieces, one behind the other and with one
// number. A later prompt with the same number is another one: what lies between was undone.
#include <memory>
#include <string>

#include "transcript/agents/grok/hooks.hpp"

namespace yore::transcript::grok {
namespace {

class PromptHook final : public RecordHook {
 public:
  explicit PromptHook(std::string_view saved) : number_(saved) {}

  void adjust(RecordDraft& draft) override {
    if (draft.as == RecordAs::meta) return;
    const bool prompt = draft.as == RecordAs::prompt;
    const std::string number(prompt ? draft.text(Slot::parent_key) : std::string_view{});
    if (prompt && !number.empty() && number == number_) draft.as = RecordAs::joined_prompt;
    number_ = number;
  }
  [[nodiscard]] std::string save() const override { return number_; }

 private:
  std::string number_;  // of the prompt that may go on; "" when something else was said since
};

}  // namespace

const Hooks kHooks = {
    .reading = [](std::string_view saved) -> std::unique_ptr<RecordHook> {
      return std::make_unique<PromptHook>(saved);
    },
};

}  // namespace yore::transcript::grok
