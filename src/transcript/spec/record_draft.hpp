// record_draft.hpp — one object of a store, its fields in their slots, before it is a record.
//
// Lifetime: views point into the parser's buffers and are valid until the next object.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/dialects/parts.hpp"
#include "transcript/spec/agent_spec.hpp"

namespace yore::transcript {

struct RecordDraft {
  explicit RecordDraft(Dialect dialect) : content(dialect) {}

  [[nodiscard]] std::string_view text(Slot slot) const {
    return texts[static_cast<std::size_t>(slot)];
  }
  std::string_view& text(Slot slot) { return texts[static_cast<std::size_t>(slot)]; }
  // What was typed, else the words of the content, else those of the slot `text`.
  std::string_view words() {
    if (!text(Slot::typed).empty()) return text(Slot::typed);
    const std::string_view joined = content.joined_text();
    return joined.empty() ? text(Slot::text) : joined;
  }
  void clear() {
    texts.fill({});
    ranks.fill(UINT16_MAX);
    content.clear();
    call = {};
    unknown.clear();
    time = kNoTime;
    time_rank = UINT16_MAX;
    usage = {};
    shown = sidechain = machine = body = false;
  }

  std::array<std::string_view, kTextSlots> texts;
  std::array<std::uint16_t, kTextSlots> ranks{};  // of the rule that filled it
  PartReader content;
  ContentPart call;  // of a record that is itself a call: its input
  Time time = kNoTime;
  std::uint16_t time_rank = UINT16_MAX;
  Usage usage;
  bool shown = false;
  bool sidechain = false;
  bool machine = false;
  bool body = false;

  std::vector<std::string> unknown;  // what a hook does not know, to be counted

  // What it counts as; by the rules, then by the hook.
  RecordAs as = RecordAs::meta;
  bool any_keys = false;
};

}  // namespace yore::transcript
