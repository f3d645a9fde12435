#include "turns/session_builder.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "text/passages.hpp"
#include "text/secrets/secrets.hpp"
#include "text/utf8.hpp"
#include "transcript/name_limits.hpp"
#include "turns/builder_text.hpp"
#include "turns/fence.hpp"
#include "turns/tracker.hpp"
#include "turns/turn_codec.hpp"

namespace yore::turns {

using transcript::Record;
using transcript::TitleKind;

namespace {

// 2: the tokens of the current turn follow everything else.
constexpr std::uint64_t kBuilderVersion = 2;
constexpr std::uint64_t kFirstBuilderVersion = 1;
constexpr std::size_t kFirstPromptChars = 200;

// Folders and the like are as long as somebody wants them to be.
std::string_view name(std::string_view text) {
  return text::prefix_bytes(text, transcript::kMaxFolderBytes);
}

// A prompt that may still be withdrawn.
struct OpenPrompt {
  QueuedId id = 0;
  TurnNumber turn = 0;
  std::uint32_t block = 0;
  std::string text;
};

}  // namespace

struct SessionBuilder::State final : TurnSink {
  TurnTracker tracker;
  SessionFacts facts;

  Turn turn;  // the current one
  bool turn_changed = false;
  bool opening = false;  // the record that opened the turn is being read
  std::uint32_t user_blocks = 0;
  Time seen = kNoTime;         // the last time in the order of records
  Time seen_before = kNoTime;  // likewise when the current turn began
  IsForgotten is_forgotten;
  bool masks = false;
  std::string masked_words;  // room for kept()
  bool is_private = false;
  bool is_own = false;         // its first prompt is nothing but what yore made
  std::string unfenced_words;  // room for without_fenced()
  transcript::Usage counted;   // tokens that were put down to a turn
  bool tokens_lost = false;    // of the current turn: it began before they were counted
  // Text that the next record may continue: the tails of surfaces made of many small pieces.
  std::string tool_tail;
  std::string thinking_tail;
  std::string calls_tail;
  std::vector<OpenPrompt> open_prompts;

  std::vector<Turn> turns_done;
  std::vector<Time> times_before_done;
  std::vector<TurnNumber> abandoned;
  std::vector<Passage> sealed;
  std::size_t sealed_bytes = 0;
  std::vector<LeafTitle> leaf_titles;
  std::vector<Problem> problems;
  std::map<std::string, std::uint64_t, std::less<>> unknown;

  // A text as it is to be stored; valid until the next call.
  std::string_view kept(std::string_view text) {
    if (!masks) return text;
    masked_words = text;
    text::mask_secrets(masked_words);
    return masked_words;
  }

  // Passages -------------------------------------------------------------------------------------

  void seal(TurnNumber number, Surface surface, std::uint32_t block, std::string_view text) {
    if (text.empty() || (turn.forgotten && number == turn.number)) return;
    sealed_bytes += text.size();
    sealed.push_back({number, surface, block, std::string(text)});
  }

  void seal_block(TurnNumber number, Surface surface, std::uint32_t block, std::string_view text) {
    for (const std::string_view piece : text::split_passages(text, text::kConversation)) {
      seal(number, surface, block, piece);
    }
  }

  // Adds lines to a tail, or more of its last line, and seals all of it but the last piece.
  void extend(std::string& tail, Surface surface, std::string_view text, bool continues = false) {
    if (text.empty() || turn.forgotten) return;
    if (!continues && !tail.empty() && !tail.ends_with('\n')) tail += '\n';
    tail += text;
    if (tail.size() <= text::kToolOutput.max_bytes) return;
    const auto pieces = text::split_passages(tail, text::kToolOutput);
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) seal(turn.number, surface, 0, pieces[i]);
    tail.erase(0, tail.size() - pieces.back().size());
  }

  void seal_tails() {
    seal(turn.number, Surface::tool, 0, std::exchange(tool_tail, {}));
    seal(turn.number, Surface::thinking, 0, std::exchange(thinking_tail, {}));
    seal(turn.number, Surface::calls, 0, std::exchange(calls_tail, {}));
  }

  [[nodiscard]] std::vector<Passage> open_passages() const {
    std::vector<Passage> open;
    const auto add = [&](TurnNumber number, Surface surface, std::uint32_t block,
                         std::string_view text) {
      if (!text.empty()) open.push_back({number, surface, block, std::string(text)});
    };
    for (const OpenPrompt& prompt : open_prompts) {
      for (const std::string_view piece : text::split_passages(prompt.text, text::kConversation)) {
        add(prompt.turn, Surface::user_prompt, prompt.block, piece);
      }
    }
    add(turn.number, Surface::tool, 0, tool_tail);
    add(turn.number, Surface::thinking, 0, thinking_tail);
    add(turn.number, Surface::calls, 0, calls_tail);
    return open;
  }

  // Turn events ----------------------------------------------------------------------------------

  void turn_opened(TurnNumber number, const Record& record) override {
    seal_tails();
    if (turn_changed) {
      turns_done.push_back(turn);
      times_before_done.push_back(seen_before);
    }
    seen_before = seen;
    turn = Turn{};
    turn.number = number;
    turn.automated = record.automated;
    turn.scripted = record.scripted;
    turn.first_time = record.time;
    turn.offset = record.offset;
    turn.line = record.line;
    turn.origin = hash64(record.key);
    turn.content = static_cast<std::uint64_t>(to_ms(record.time));
    turn_changed = true;
    opening = true;
    user_blocks = 0;
    tokens_lost = false;
    if (record.automated) ++facts.automated_turns;
    if (!record.key.empty()) check_forgotten();
  }

  // Its text is not to be kept, not even while the turn is open.
  void check_forgotten() {
    if (!is_forgotten || !is_forgotten(turn.origin)) return;
    turn.forgotten = true;
    turn.has_tool = false;
    turn.content = 0;
  }

  void count_tokens() {
    const transcript::Usage& now = tracker.usage();
    if (now == counted) return;
    if (!tokens_lost) {
      if (!turn.usage) turn.usage.emplace();
      add_growth(*turn.usage, counted, now);
    }
    counted = now;
    turn_changed = true;
  }

  void user_text(std::string_view text) override {
    // Only the record that opened the turn: a prompt that joins later must not change its lineage.
    if (user_blocks == 0 && opening) {
      turn.origin = hash64(text, turn.origin);
      check_forgotten();
    }
    turn.content = hash64(text, turn.content);
    const bool begins_session = opening && user_blocks == 0 && turn.number == 0;
    const Unfenced typed = leave_out_fenced(text, Unclosed::stays);
    if (begins_session && typed.had_fence && typed.text.empty()) is_own = true;
    if (!turn.automated && says_private(typed.text)) is_private = true;
    const std::string_view words = kept(typed.text);
    seal_block(turn.number, Surface::user_prompt, user_blocks++, words);
    turn_changed = true;
    if (!turn.forgotten) note_first_prompt(words);
  }

  // What is left when yore's own words are taken out; valid until the next call.
  Unfenced leave_out_fenced(std::string_view text, Unclosed unclosed) {
    return without_fenced(text, unclosed, unfenced_words);
  }

  void note_first_prompt(std::string_view text) {
    const bool typed = !turn.automated;
    if (!facts.first_prompt.empty() && (facts.first_prompt_typed || !typed)) return;
    facts.first_prompt_typed = typed;
    facts.first_prompt = text::first_chars(text::trim(text), kFirstPromptChars);
  }

  void queued(QueuedId id, std::string_view text) override {
    const std::string_view typed = leave_out_fenced(text, Unclosed::stays).text;
    if (says_private(typed)) is_private = true;
    if (!turn.forgotten) {
      open_prompts.push_back({id, turn.number, user_blocks++, std::string(kept(typed))});
    }
  }

  void queued_withdrawn(QueuedId id) override {
    std::erase_if(open_prompts, [id](const OpenPrompt& prompt) { return prompt.id == id; });
  }

  void queued_settled(QueuedId id) override {
    const auto prompt = std::ranges::find(open_prompts, id, &OpenPrompt::id);
    if (prompt == open_prompts.end()) return;
    seal_block(prompt->turn, Surface::user_prompt, prompt->block, prompt->text);
    open_prompts.erase(prompt);
  }

  void assistant_text(std::string_view text, bool continues) override {
    if (text.empty()) return;
    if (!continues || turn.assistant_blocks == 0) ++turn.assistant_blocks;
    turn.content = hash64(text, turn.content);
    seal_block(turn.number, Surface::assistant_text, turn.assistant_blocks - 1,
               kept(leave_out_fenced(text, Unclosed::stays).text));
    turn_changed = true;
  }

  void thinking(std::string_view text, bool continues) override {
    extend(thinking_tail, Surface::thinking, kept(leave_out_fenced(text, Unclosed::stays).text),
           continues);
  }

  void tool_call(const transcript::Block& call) override {
    if (turn.forgotten) return;
    turn.has_tool = true;
    turn.content = hash64(call.rendering, turn.content);
    turn_changed = true;
    std::string line(call.tool_name);
    line += '\n';
    line += leave_out_fenced(call.text, Unclosed::runs_to_end).text;
    extend(tool_tail, Surface::tool, kept(line));
    // A rendering is read back as one JSON object a line: a passage ends between two of them.
    const std::string_view rendering = kept(call.rendering);
    if (calls_tail.size() + rendering.size() > text::kToolOutput.target_bytes) {
      seal(turn.number, Surface::calls, 0, std::exchange(calls_tail, {}));
    }
    calls_tail += rendering;
    calls_tail += '\n';
  }

  void tool_result(std::string_view text, std::string_view, bool own) override {
    std::string storage;
    if (!own) {
      const Unfenced rest = leave_out_fenced(text, Unclosed::runs_to_end);
      return extend(tool_tail, Surface::tool, capped_result(kept(rest.text), storage));
    }
    const std::string_view shown = capped_result(kept(text), storage);
    for (const std::string_view piece : text::split_passages(shown, text::kToolOutput)) {
      seal(turn.number, Surface::own, 0, piece);
    }
  }

  void note(std::string_view text) override {
    extend(tool_tail, Surface::tool, kept(leave_out_fenced(text, Unclosed::runs_to_end).text));
  }

  void memory(std::string_view text) override {
    turn.origin = hash64(text, turn.origin);
    check_forgotten();
    turn.content = hash64(text, turn.content);
    seal_block(turn.number, Surface::note, 0,
               kept(leave_out_fenced(text, Unclosed::runs_to_end).text));
    turn_changed = true;
  }

  void turn_abandoned(TurnNumber number) override {
    if (number == turn.number) turn.abandoned = true;
    const auto done = std::ranges::find(turns_done, number, &Turn::number);
    if (done != turns_done.end()) done->abandoned = true;
    abandoned.push_back(number);
  }

  void record_done(const Record& record) override {
    opening = false;
    ++facts.records;
    if (record.time != kNoTime) seen = record.time;
    keep_earliest(facts.first_time, record.time);
    keep_latest(facts.last_time, record.time);
    if (facts.first_cwd.empty()) facts.first_cwd = name(record.cwd);
    keep_new(facts.cwd, name(record.cwd));
    keep_new(facts.branch, name(record.branch));
    keep_new(facts.model, name(record.model));
    keep_new(facts.version, name(record.version));
    keep_new(facts.slug, name(record.slug));
    note_title(record);
    if (tracker.turn_count() == 0) return;
    count_tokens();
    if (record.kind == transcript::RecordKind::meta) return;
    turn_changed = true;
    if (turn.first_time == kNoTime) turn.first_time = record.time;
    keep_latest(turn.last_time, record.time);
    keep_new(turn.model, name(record.model));
    keep_new(turn.branch, name(record.branch));
  }

  void note_title(const Record& record) {
    const std::string_view title =
        kept(text::prefix_bytes(text::trim(record.title), transcript::kMaxTitleBytes));
    if (title.empty()) return;
    switch (record.title_kind) {
      case TitleKind::none:
        return;
      case TitleKind::custom:
        return keep_new(facts.custom_title, title);
      case TitleKind::name:
        return keep_new(facts.name_title, title);
      case TitleKind::summary:
        leaf_titles.push_back({hash64(record.leaf), std::string(title), tracker.turn_count() == 0});
        return;
      case TitleKind::ai:
        return keep_new(facts.ai_title, title);
      case TitleKind::index:
        return keep_new(facts.index_title, title);
      case TitleKind::compaction:
        return keep_new(facts.compaction_title, title);
    }
  }
};

SessionBuilder::SessionBuilder() : state_(std::make_unique<State>()) {}
SessionBuilder::~SessionBuilder() = default;
SessionBuilder::SessionBuilder(SessionBuilder&&) noexcept = default;
SessionBuilder& SessionBuilder::operator=(SessionBuilder&&) noexcept = default;

void SessionBuilder::leave_out(IsForgotten is_forgotten) {
  state_->is_forgotten = std::move(is_forgotten);
}

void SessionBuilder::mask_secrets() {
  state_->masks = true;
}

bool SessionBuilder::is_private() const {
  return state_->is_private;
}

bool SessionBuilder::is_own() const {
  return state_->is_own;
}

void SessionBuilder::record(const Record& record) {
  const bool waits = state_->masks && state_->tracker.turn_count() == 0 &&
                     record.kind != transcript::RecordKind::prompt;
  if (!waits) return state_->tracker.add(record, *state_);
  // The tracker keeps it as it is until there is a turn.
  std::vector<std::string> words;
  std::vector<transcript::Block> blocks(record.blocks.begin(), record.blocks.end());
  words.reserve(blocks.size());
  for (transcript::Block& block : blocks) {
    if (block.kind == transcript::BlockKind::tool_call) continue;
    words.emplace_back(state_->kept(block.text));
    block.text = words.back();
  }
  transcript::Record masked = record;
  masked.blocks = blocks;
  state_->tracker.add(masked, *state_);
}

void SessionBuilder::problem(transcript::ProblemKind kind, std::uint64_t line) {
  state_->problems.push_back({kind, line});
}

void SessionBuilder::unknown(std::string_view what) {
  const auto found = state_->unknown.find(what);
  if (found != state_->unknown.end()) {
    ++found->second;
  } else {
    state_->unknown.emplace(what, 1);
  }
}

std::size_t SessionBuilder::pending_bytes() const {
  return state_->sealed_bytes;
}

std::vector<SessionBuilder::Problem> SessionBuilder::take_problems() {
  return std::exchange(state_->problems, {});
}

std::vector<std::pair<std::string, std::uint64_t>> SessionBuilder::take_unknown() {
  const auto taken = std::exchange(state_->unknown, {});
  return {taken.begin(), taken.end()};
}

Delta SessionBuilder::take() {
  State& state = *state_;
  state.facts.usage = state.tracker.usage();
  state.facts.turn_count = state.tracker.turn_count();
  Delta delta;
  delta.turns = std::exchange(state.turns_done, {});
  delta.times_before = std::exchange(state.times_before_done, {});
  if (std::exchange(state.turn_changed, false)) {
    delta.turns.push_back(state.turn);
    delta.times_before.push_back(state.seen_before);
  }
  delta.abandoned = std::exchange(state.abandoned, {});
  delta.sealed = std::exchange(state.sealed, {});
  state.sealed_bytes = 0;
  delta.open = state.open_passages();
  delta.facts = state.facts;
  delta.leaf_titles = std::exchange(state.leaf_titles, {});
  delta.new_keys = state.tracker.take_new_keys();

  ByteWriter out;
  out.varint(kBuilderVersion);
  out.text(state.tracker.save());
  write_facts(out, state.facts);
  write_turn(out, state.turn);
  out.varint(state.user_blocks);
  out.text(state.tool_tail);
  out.text(state.thinking_tail);
  out.text(state.calls_tail);
  out.varint(state.open_prompts.size());
  for (const OpenPrompt& prompt : state.open_prompts) {
    out.varint(prompt.id);
    out.varint(prompt.turn);
    out.varint(prompt.block);
    out.text(prompt.text);
  }
  out.varint((state.turn.usage ? 1U : 0U) | (state.tokens_lost ? 2U : 0U));
  if (state.turn.usage) write_usage(out, *state.turn.usage);
  write_usage(out, state.counted);
  out.u64(static_cast<std::uint64_t>(to_ms(state.seen)));
  out.u64(static_cast<std::uint64_t>(to_ms(state.seen_before)));
  delta.state = out.take();
  return delta;
}

Result<SessionBuilder> SessionBuilder::restore(std::string_view saved, std::string_view all_keys) {
  const Error damaged{Errc::corrupt, "session state: damaged"};
  SessionBuilder builder;
  State& state = *builder.state_;
  ByteReader in(saved);
  const std::uint64_t version = in.varint();
  if (version != kBuilderVersion && version != kFirstBuilderVersion) return damaged;
  auto tracker = TurnTracker::restore(in.text(), all_keys);
  if (!tracker) return tracker.error();
  state.tracker = std::move(*tracker);
  state.facts = read_facts(in);
  state.turn = read_turn(in);
  state.user_blocks = static_cast<std::uint32_t>(in.varint());
  state.tool_tail = in.text();
  state.thinking_tail = in.text();
  state.calls_tail = in.text();
  state.open_prompts.resize(in.count());
  for (OpenPrompt& prompt : state.open_prompts) {
    prompt.id = static_cast<QueuedId>(in.varint());
    prompt.turn = static_cast<TurnNumber>(in.varint());
    prompt.block = static_cast<std::uint32_t>(in.varint());
    prompt.text = in.text();
  }
  if (version == kFirstBuilderVersion) {
    state.tokens_lost = true;
    state.counted = state.tracker.usage();
  } else {
    const std::uint64_t flags = in.varint();
    if ((flags & 1U) != 0) state.turn.usage = read_usage(in);
    state.tokens_lost = (flags & 2U) != 0;
    state.counted = read_usage(in);
    state.seen = from_ms(static_cast<std::int64_t>(in.u64()));
    state.seen_before = from_ms(static_cast<std::int64_t>(in.u64()));
  }
  if (!in.at_end()) return damaged;
  return builder;
}

}  // namespace yore::turns
