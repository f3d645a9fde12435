#include "turns/turn_reader.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "text/lines.hpp"

namespace yore::turns {

using transcript::Record;

namespace {

// The lines of a passage of renderings.
void append_lines(std::vector<std::string>& lines, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end != 0) lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

// Blocks may be large: the first is taken as it is, each is gone once it stands in the whole.
void join(std::map<std::uint32_t, std::string>& blocks, std::string& whole) {
  for (auto& [block, text] : blocks) {
    if (whole.empty()) {
      whole = std::move(text);
    } else {
      text::append_line(whole, text);
    }
    text = {};
  }
}

}  // namespace

struct TurnReader::State final : TurnSink {
  TurnNumber first = 0;
  TurnNumber count = 0;
  Detail detail = Detail::sides;
  TurnTracker tracker;
  std::vector<WholeTurn> turns;
  WholeTurn* current = nullptr;  // null outside the wanted range
  // Prompts by turn, in order; a queued one carries its id so that it can be withdrawn.
  struct Prompt {
    TurnNumber turn;
    bool queued;
    QueuedId id;
    std::string text;
  };
  std::vector<Prompt> prompts;

  void turn_opened(TurnNumber number, const Record& record) override {
    current = nullptr;
    if (number < first || number - first >= count) return;
    turns.push_back({});
    current = &turns.back();
    current->number = number;
    current->time = record.time;
  }
  void user_text(std::string_view text) override { add_prompt(false, 0, text); }
  void queued(QueuedId id, std::string_view text) override { add_prompt(true, id, text); }
  void add_prompt(bool is_queued, QueuedId id, std::string_view text) {
    if (current == nullptr || text.empty()) return;
    prompts.push_back({current->number, is_queued, id, std::string(text)});
  }
  void queued_withdrawn(QueuedId id) override {
    std::erase_if(prompts, [id](const Prompt& prompt) { return prompt.queued && prompt.id == id; });
  }
  void queued_settled(QueuedId) override {}
  void assistant_text(std::string_view text, bool continues) override {
    if (current == nullptr || text.empty()) return;
    if (continues) {
      current->assistant_text += text;
    } else {
      text::append_line(current->assistant_text, text);
    }
    add_part(TurnPart::Kind::text, text, continues);
  }
  void thinking(std::string_view text, bool continues) override {
    add_part(TurnPart::Kind::thinking, text, continues);
  }
  void tool_call(const transcript::Block& call) override {
    if (current == nullptr) return;
    current->tools_used.emplace_back(call.rendering);
    TurnPart* part = add_part(TurnPart::Kind::call, call.text, false);
    if (part == nullptr) return;
    part->tool_id = call.tool_id;
    part->rendering = call.rendering;
    part->removed = call.removed;
    part->added = call.added;
  }
  void tool_result(std::string_view text, std::string_view tool_id, bool) override {
    TurnPart* part = add_part(TurnPart::Kind::result, text, false);
    if (part != nullptr) part->tool_id = tool_id;
  }
  void note(std::string_view text) override { add_part(TurnPart::Kind::note, text, false); }
  // Null where nobody wants it. What continues goes on in the last part of its kind.
  TurnPart* add_part(TurnPart::Kind kind, std::string_view text, bool continues) {
    if (current == nullptr || detail != Detail::parts) return nullptr;
    std::vector<TurnPart>& parts = current->parts;
    if (continues) {
      const auto last = std::find_if(parts.rbegin(), parts.rend(),
                                     [kind](const TurnPart& part) { return part.kind == kind; });
      if (last != parts.rend()) {
        last->text += text;
        return &*last;
      }
    }
    TurnPart& part = parts.emplace_back();
    part.kind = kind;
    part.text = text;
    return &part;
  }
  void memory(std::string_view text) override { assistant_text(text, false); }
  void turn_abandoned(TurnNumber number) override {
    const auto turn = std::ranges::find(turns, number, &WholeTurn::number);
    if (turn != turns.end()) turn->abandoned = true;
  }
  void record_done(const Record& record) override {
    if (current == nullptr || record.kind == transcript::RecordKind::meta) return;
    if (current->time == kNoTime) current->time = record.time;
  }
};

TurnReader::TurnReader(TurnNumber first, TurnNumber count, Detail detail)
    : state_(std::make_unique<State>()) {
  state_->first = first;
  state_->count = count;
  state_->detail = detail;
}

TurnReader::~TurnReader() = default;

void TurnReader::record(const Record& record) {
  state_->tracker.add(record, *state_);
}

std::vector<WholeTurn> TurnReader::take() {
  for (const auto& prompt : state_->prompts) {
    // Turns are dense: kept ones follow each other without a gap.
    WholeTurn& turn = state_->turns[prompt.turn - state_->turns.front().number];
    text::append_line(turn.user_text, prompt.text);
  }
  state_->prompts.clear();
  state_->current = nullptr;
  return std::exchange(state_->turns, {});
}

TurnNumber TurnReader::turn_count() const {
  return state_->tracker.turn_count();
}

namespace {

// Calls, then what the tools printed, then what was said: passages keep no other order.
std::vector<TurnPart> parts_of(const WholeTurn& whole, const std::string& thinking,
                               const std::string& printed,
                               const std::map<std::uint32_t, std::string>& said) {
  std::vector<TurnPart> parts;
  const auto add = [&parts](TurnPart::Kind kind, std::string_view text) -> TurnPart& {
    TurnPart& part = parts.emplace_back();
    part.kind = kind;
    part.text = text;
    part.in_order = false;
    return part;
  };
  if (!thinking.empty()) add(TurnPart::Kind::thinking, thinking);
  for (const std::string& rendering : whole.tools_used) {
    add(TurnPart::Kind::call, "").rendering = rendering;
  }
  if (!printed.empty()) add(TurnPart::Kind::result, printed);
  for (const auto& [block, text] : said) add(TurnPart::Kind::text, text);
  return parts;
}

}  // namespace

WholeTurn read_from_passages(const Turn& turn, const std::vector<Passage>& passages,
                             Detail detail) {
  WholeTurn whole;
  whole.number = turn.number;
  whole.time = turn.first_time;
  whole.abandoned = turn.abandoned;
  std::map<std::uint32_t, std::string> user;
  std::map<std::uint32_t, std::string> assistant;
  std::string thinking;
  std::string printed;
  for (const Passage& passage : passages) {
    if (passage.turn != turn.number) continue;
    if (passage.surface == Surface::user_prompt) user[passage.block] += passage.text;
    if (passage.surface == Surface::assistant_text) assistant[passage.block] += passage.text;
    if (passage.surface == Surface::note) {
      whole.note = true;
      assistant[passage.block] += passage.text;
    }
    if (passage.surface == Surface::thinking) thinking += passage.text;
    const bool output = passage.surface == Surface::tool || passage.surface == Surface::own;
    if (output && detail == Detail::parts) text::append_line(printed, passage.text);
    if (passage.surface == Surface::calls) append_lines(whole.tools_used, passage.text);
  }
  join(user, whole.user_text);
  join(assistant, whole.assistant_text);
  if (detail == Detail::parts) whole.parts = parts_of(whole, thinking, printed, assistant);
  return whole;
}

std::size_t conclusion_begin(const Turn& turn, const std::vector<Passage>& passages,
                             std::string_view answer) {
  std::size_t bytes = 0;
  for (const Passage& passage : passages) {
    const bool last = passage.turn == turn.number && passage.surface == Surface::assistant_text &&
                      passage.block + 1 == turn.assistant_blocks;
    if (last) bytes += passage.text.size();
  }
  return bytes < answer.size() ? answer.size() - bytes : 0;
}

}  // namespace yore::turns
