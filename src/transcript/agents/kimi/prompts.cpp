#include "transcript/agents/kimi/prompts.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "transcript/agents/kimi/text.hpp"
#include "transcript/unknown_names.hpp"

namespace yore::transcript::kimi {
namespace {

// Prompts that wait to be sent to the model; more is a file of another kind.
constexpr std::size_t kMaxTyped = 32;
constexpr std::size_t kHashBytes = 8;

}  // namespace

PromptHook::PromptHook(std::string_view saved) {
  for (ByteReader bytes(saved); saved.size() >= kHashBytes; saved.remove_prefix(kHashBytes)) {
    typed_.push_back(bytes.u64());
  }
}

std::string PromptHook::save() const {
  ByteWriter bytes;
  for (const std::uint64_t hash : typed_) bytes.u64(hash);
  return bytes.take();
}

void PromptHook::remember(std::string_view text) {
  typed_.push_back(hash64(text));
  if (typed_.size() > kMaxTyped) typed_.erase(typed_.begin());
}

bool PromptHook::forget(std::string_view text) {
  const auto found = std::ranges::find(typed_, hash64(text));
  if (found == typed_.end()) return false;
  typed_.erase(found);
  return true;
}

void PromptHook::adjust(RecordDraft& draft) {
  // "moonshot-ai/kimi-k2": some lines name the provider too.
  std::string_view& model = draft.text(Slot::model);
  model = model.substr(model.rfind('/') + 1);
  if (draft.as != RecordAs::prompt && draft.as != RecordAs::joined_prompt) return;

  const std::string_view words = draft.words();
  const std::string_view origin = draft.text(Slot::origin);
  const Writer writer = writer_of(origin, draft.text(Slot::origin_name));
  const bool typed = draft.text(Slot::type).starts_with("turn.");
  const bool sent = !typed && draft.text(Slot::subtype).empty();
  const bool empty = typed && words.empty();
  if (empty || (sent && forget(words))) {
    draft.as = RecordAs::meta;
    return;
  }
  if (typed) remember(words);
  if (!is_known_origin(origin)) {
    draft.unknown.push_back(unknown_name("origin ", origin));
  }
  // A machine's word that began no turn is for the model alone.
  const bool for_the_model = sent && writer == Writer::machine;
  const bool injected = writer == Writer::injected && !is_compaction(words);
  if (writer == Writer::shell_output) {
    draft.as = RecordAs::tool_output;
  } else if (for_the_model || injected) {
    draft.as = RecordAs::meta;
  } else if (writer == Writer::notice) {
    draft.as = RecordAs::note;
  }
  draft.machine = writer == Writer::machine;
}

}  // namespace yore::transcript::kimi
