// prompts.hpp — who is behind a message of the user's role, and whether it was seen before.
//
// Kimi Code writes a prompt twice, first as what was typed and then as what the model was sent.
// Hashes of the former wait for the latter; they are part of the cursor, 8 bytes each.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/spec/hooks.hpp"

namespace yore::transcript::kimi {

class PromptHook final : public RecordHook {
 public:
  explicit PromptHook(std::string_view saved);
  void adjust(RecordDraft& draft) override;
  [[nodiscard]] std::string save() const override;

 private:
  // What was typed; the same words will come again when they are sent.
  void remember(std::string_view text);
  // True: these words were typed, and were delivered then.
  bool forget(std::string_view text);

  std::vector<std::uint64_t> typed_;
};

}  // namespace yore::transcript::kimi
