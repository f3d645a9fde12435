// Properties of `turns` over random sessions: small vocabularies, so that keys, parents, messages,
// tools and texts meet again and again.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "turns/session_builder.hpp"
#include "turns/turn_reader.hpp"
#include "unit/turns/records.hpp"

namespace yore::turns {

// How a failing example is printed.
void showValue(const Draft& item, std::ostream& out) {
  out << "kind " << static_cast<int>(item.fields.kind) << " key '" << item.key_text << "' after '"
      << item.parent_text << "' message '" << item.message_text << "'"
      << (item.fields.structural ? " structural" : "")
      << (item.fields.sidechain ? " sidechain" : "");
  for (const Draft::Part& part : item.parts) {
    out << " [" << static_cast<int>(part.kind) << " '" << part.text.substr(0, 40) << "' "
        << part.text.size() << " bytes, tool '" << part.tool_id << "']";
  }
  out << "\n";
}

namespace {

using transcript::RecordKind;
using transcript::TitleKind;

std::string repeat(std::string_view text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

// Many texts are prefixes of others, some are empty, some take several passages.
rc::Gen<std::string> some_text() {
  return rc::gen::weightedOneOf<std::string>(
      {{12, rc::gen::element<std::string>("a", "ab", "abc", "abcd", " ab ", "", "b\n", "\nc", "ü",
                                          "! yore list", "! ls", "/init", "x\n\ny")},
       {1, rc::gen::element<std::string>(repeat("One more sentence. ", 150), repeat("€", 700),
                                         repeat("line\n", 900), repeat("€ß", 1500))}});
}

rc::Gen<std::string> one_of(std::string_view prefix, int count) {
  return rc::gen::map(rc::gen::inRange(0, count), [prefix = std::string(prefix)](int number) {
    return number == 0 ? std::string() : prefix + std::to_string(number);
  });
}

Draft some_words() {
  const std::string text = *some_text();
  switch (*rc::gen::inRange(0, 12)) {
    case 0:
    case 1:
      return prompt(text);
    case 2:
      return joined(text);
    case 3:
    case 4:
      return queued(text);
    case 5:
      return command(text);
    case 6:
      return note(text);
    case 7:
      return thinks(text);
    case 8:
      return calls(*rc::gen::element<std::string>("Read", "Bash", "mcp__x__read_turn"),
                   *one_of("t", 4), *rc::gen::element<std::string>("yore list", "ls", ""));
    case 9:
      return result(*one_of("t", 4), text);
    default:
      return says(text);
  }
}

rc::Gen<Draft> some_record() {
  return rc::gen::exec([] {
    Draft item = *rc::gen::inRange(0, 10) == 0 ? meta() : some_words();
    if (item.fields.kind == RecordKind::assistant && *rc::gen::inRange(0, 3) == 0) {
      item.with(says(*some_text())).with(thinks(*some_text()));
    }
    if (*rc::gen::arbitrary<bool>()) item.key(*one_of("k", 60));
    item.after(*one_of("k", 60)).message(*one_of("m", 4));
    item.at(*rc::gen::inRange(0, 50)).model(*one_of("model", 3)).branch(*one_of("branch", 3));
    item.cwd(*one_of("/w", 3)).slug(*one_of("slug", 3)).version(*one_of("1.", 3));
    item.usage(
        {*rc::gen::inRange<std::uint64_t>(0, 9), *rc::gen::inRange<std::uint64_t>(0, 9), 1, 2});
    item.fields.structural = *rc::gen::inRange(0, 8) == 0;
    item.fields.sidechain = *rc::gen::inRange(0, 10) == 0;
    item.fields.automated = *rc::gen::inRange(0, 6) == 0;
    if (*rc::gen::inRange(0, 6) == 0) {
      item.title(*rc::gen::element(TitleKind::custom, TitleKind::summary, TitleKind::ai,
                                   TitleKind::compaction, TitleKind::name, TitleKind::index),
                 *one_of("title", 4), *one_of("k", 60));
    }
    return item;
  });
}

rc::Gen<Drafts> some_session() {
  return rc::gen::map(rc::gen::container<Drafts>(some_record()), [](Drafts drafts) {
    std::uint64_t line = 0;
    for (Draft& item : drafts) {
      ++line;
      item.place(line * 100, line);
    }
    return drafts;
  });
}

void assert_same_passages(const std::vector<Passage>& a, const std::vector<Passage>& b) {
  RC_ASSERT(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) RC_ASSERT(same(a[i], b[i]));
}

void assert_same(const Kept& a, const Kept& b) {
  RC_ASSERT(a.turns == b.turns);
  assert_same_passages(a.sealed, b.sealed);
  assert_same_passages(a.open, b.open);
  RC_ASSERT(a.facts == b.facts);
  RC_ASSERT(a.leaf_titles == b.leaf_titles);
  RC_ASSERT(a.keys == b.keys);
  RC_ASSERT(a.state == b.state);
}

// Between two records: nothing, a take(), or a take() and a builder restored from its bytes.
enum class Pause : std::uint8_t { none, take, restore };

RC_GTEST_PROP(Turns, DoNotDependOnWhereTheReadingWasInterrupted, ()) {
  const Drafts drafts = *some_session();
  const auto pauses = *rc::gen::container<std::vector<Pause>>(
      drafts.size(), rc::gen::element(Pause::none, Pause::take, Pause::restore));
  SessionBuilder builder;
  Kept kept;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    feed(builder, {drafts[i]});
    if (pauses[i] == Pause::none) continue;
    kept.apply(builder.take());
    if (pauses[i] == Pause::take) continue;
    auto restored = SessionBuilder::restore(kept.state, kept.keys);
    RC_ASSERT(restored.ok());
    builder = std::move(*restored);
  }
  kept.apply(builder.take());
  assert_same(kept, keep(drafts));
}

RC_GTEST_PROP(Turns, KeepNumberPlaceAndOriginWhenTheSessionGrows, ()) {
  SessionBuilder builder;
  std::map<TurnNumber, Turn> early;
  for (const Draft& item : *some_session()) {
    feed(builder, {item});
    for (const Turn& turn : builder.take().turns) {
      const auto [known, is_new] = early.emplace(turn.number, turn);
      if (is_new) RC_ASSERT(turn.number + 1 == early.size());
      RC_ASSERT(known->second.offset == turn.offset);
      RC_ASSERT(known->second.line == turn.line);
      RC_ASSERT(known->second.origin == turn.origin);
    }
  }
}

// The text of each block, taken from the events themselves.
class BlockTexts final : public TurnSink {
 public:
  std::map<std::pair<TurnNumber, std::uint32_t>, std::string> user;
  std::map<std::pair<TurnNumber, std::uint32_t>, std::string> assistant;

  void turn_opened(TurnNumber number, const transcript::Record&) override {
    turn_ = number;
    user_blocks_ = 0;
    assistant_blocks_ = 0;
  }
  void user_text(std::string_view text) override { user[{turn_, user_blocks_++}] = text; }
  void queued(QueuedId id, std::string_view text) override {
    queued_[id] = {turn_, user_blocks_};
    user_text(text);
  }
  void queued_withdrawn(QueuedId id) override { user.erase(queued_.at(id)); }
  void queued_settled(QueuedId) override {}
  void assistant_text(std::string_view text, bool continues) override {
    if (!continues) ++assistant_blocks_;
    assistant[{turn_, assistant_blocks_ - 1}] += text;
  }
  void thinking(std::string_view, bool) override {}
  void tool_call(const transcript::Block&) override {}
  void tool_result(std::string_view, std::string_view, bool) override {}
  void note(std::string_view) override {}
  void turn_abandoned(TurnNumber) override {}
  void record_done(const transcript::Record&) override {}

 private:
  TurnNumber turn_ = 0;
  std::uint32_t user_blocks_ = 0;
  std::uint32_t assistant_blocks_ = 0;
  std::map<QueuedId, std::pair<TurnNumber, std::uint32_t>> queued_;
};

RC_GTEST_PROP(Turns, AreGivenBackByTheirPassagesBlockByBlock, ()) {
  const Drafts drafts = *some_session();
  TurnTracker tracker;
  BlockTexts texts;
  for (const Draft& item : drafts) {
    item.deliver([&](const transcript::Record& record) { tracker.add(record, texts); });
  }
  decltype(texts.user) user;
  decltype(texts.assistant) assistant;
  for (const Passage& passage : keep(drafts).passages()) {
    RC_ASSERT(!passage.text.empty());
    if (passage.surface == Surface::user_prompt)
      user[{passage.turn, passage.block}] += passage.text;
    if (passage.surface != Surface::assistant_text) continue;
    assistant[{passage.turn, passage.block}] += passage.text;
  }
  std::erase_if(texts.user, [](const auto& block) { return block.second.empty(); });
  RC_ASSERT(user == texts.user);
  RC_ASSERT(assistant == texts.assistant);
}

RC_GTEST_PROP(Turns, ReadTheSameFromRecordsAndFromPassages, ()) {
  const Drafts drafts = *some_session();
  const auto first = *rc::gen::inRange<TurnNumber>(0, 3);
  TurnReader reader(first, 1000);
  for (const Draft& item : drafts) {
    item.deliver([&](const transcript::Record& record) { reader.record(record); });
  }
  const Kept kept = keep(drafts);
  RC_ASSERT(reader.turn_count() == kept.turns.size());
  const std::vector<WholeTurn> turns = reader.take();
  RC_ASSERT(turns.size() == kept.turns.size() - std::min<std::size_t>(first, kept.turns.size()));
  for (const WholeTurn& turn : turns) {
    const WholeTurn stored = read_from_passages(kept.turns.at(turn.number), kept.passages());
    RC_ASSERT(turn.number == stored.number);
    RC_ASSERT(turn.time == stored.time);
    RC_ASSERT(turn.user_text == stored.user_text);
    RC_ASSERT(turn.assistant_text == stored.assistant_text);
    RC_ASSERT(turn.tools_used == stored.tools_used);
    RC_ASSERT(turn.abandoned == stored.abandoned);
  }
}

// Restores from bytes that may be damaged and, when they pass, works on: nothing may crash.
void use_state(const std::string& state, const std::string& keys, const Drafts& more) {
  auto builder = SessionBuilder::restore(state, keys);
  if (!builder) return;
  feed(*builder, more);
  const Delta delta = builder->take();
  auto again = SessionBuilder::restore(delta.state, keys + delta.new_keys);
  RC_ASSERT(again.ok());
}

RC_GTEST_PROP(TurnState, MayBeDamagedInAnyWayWithoutACrash, ()) {
  Kept kept = keep(*some_session());
  const Drafts more = *some_session();
  const int edits = *rc::gen::inRange(1, 6);
  for (int i = 0; i < edits && !kept.state.empty(); ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, kept.state.size());
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        kept.state[at] = *rc::gen::arbitrary<char>();
        break;
      case 1:
        kept.state.insert(at, *rc::gen::arbitrary<std::string>());
        break;
      case 2:
        kept.state.erase(at, *rc::gen::inRange<std::size_t>(1, 20));
        break;
      default:
        kept.state[at] = '\xFF';
        break;
    }
  }
  use_state(kept.state, kept.keys, more);
  use_state(kept.state, *rc::gen::arbitrary<std::string>(), more);
}

RC_GTEST_PROP(TurnState, IsRefusedWhenItIsArbitraryBytes, (const std::string& bytes)) {
  RC_ASSERT(!SessionBuilder::restore(bytes, "").ok() || bytes.size() > 50);
}

RC_GTEST_PROP(TurnState, IsRefusedWhenCutAnywhere, ()) {
  const Kept kept = keep(*some_session());
  const std::size_t step = kept.state.size() / 500 + 1;
  for (std::size_t size = 0; size < kept.state.size(); size += step) {
    RC_ASSERT(!SessionBuilder::restore(kept.state.substr(0, size), kept.keys).ok());
  }
}

// Every byte in turn is every value that a varint, a flag or a count turns on.
TEST(TurnState, SurvivesEachByteChanged) {
  SessionBuilder builder;
  feed(builder, {note("n"), prompt("a").key("k1"), queued("b"), thinks("h").message("m1"),
                 calls("Bash", "t1", "yore list").message("m1").key("k2"), link("k3", "k2"),
                 prompt("c").key("k4").after("k3"), says("ab").message("m2").key("k5")});
  const Delta delta = builder.take();
  const Drafts more{says("abc").message("m2"),  result("t1", "r"),
                    prompt("b").after("k2"),    queued("z"),
                    thinks("hm").message("m1"), prompt("z").after("k3")};
  for (std::size_t at = 0; at < delta.state.size(); ++at) {
    for (const char value : {'\x00', '\x01', '\x02', '\x7F', '\x80', '\xFF'}) {
      std::string state = delta.state;
      state[at] = value;
      auto restored = SessionBuilder::restore(state, delta.new_keys);
      if (!restored) continue;
      feed(*restored, more);
      EXPECT_GE(restored->take().facts.turn_count, 1U);
    }
  }
}

}  // namespace
}  // namespace yore::turns
