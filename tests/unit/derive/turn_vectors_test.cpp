// Keyword snapshots joined with vectors, against the obvious way: every document on its own.
#include "derive/turn_vectors.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/hash.hpp"
#include "support/temp_dir.hpp"
#include "support/tiny_index.hpp"
#include "vector/vector_writer.hpp"

namespace yore::derive {
namespace {

using fake::TempDir;
using lexical::Family;
using test::TinyDoc;
using test::TinyIndex;
using test::TinyTurn;
using Vector = std::array<float, vector::kDimensions>;

constexpr std::uint64_t kModel = 7;

// Points somewhere that only the number decides.
Vector direction(std::uint64_t number) {
  Vector out{};
  double squares = 0;
  for (float& value : out) {
    number = number * 6364136223846793005U + 1442695040888963407U;
    value = static_cast<float>(number >> 40) / float{1 << 24} - 0.5F;
    squares += double{value} * double{value};
  }
  for (float& value : out) value /= static_cast<float>(std::sqrt(squares));
  return out;
}

lexical::Selection everything() {
  lexical::Selection selection;
  selection.weights = {256, 256, 96, 80, 0, 0, 0, 256};
  selection.earlier_answer_weight = 224;
  return selection;
}

lexical::WriterLimits small_limits() {
  lexical::WriterLimits limits;
  limits.fold_frames = 3;
  limits.tier_width = 2;
  return limits;
}

struct Machine {
  TempDir dir;
  TinyIndex index{dir.path() + "/keyword", small_limits()};
  vector::VectorWriter vectors = *vector::VectorWriter::open(dir.path() + "/vectors", kModel);

  void embed(vector::TextHash key) {
    ASSERT_TRUE(vectors.append(std::span(&key, 1), direction(key)).ok());
  }
  void embed(const std::string& text) { embed(hash64(text)); }
  [[nodiscard]] TurnVectors join(bool full) const {
    return TurnVectors(index.snapshot(), vectors.set(), full);
  }
};

bool concludes(const TinyIndex& index, const TinyDoc& doc) {
  return doc.tag == lexical::kAnswerTag && doc.block == index.turns()[doc.turn].summary_block;
}

// What the text of a short message is known by: an answer with the first prompt of its turn, a
// prompt with the last piece of the conclusion before it.
vector::TextHash obvious_key(const TinyIndex& index, const TinyDoc& doc) {
  const bool answer = doc.tag == lexical::kAnswerTag;
  const bool is_short = std::ranges::count(doc.text, ' ') < 20;
  std::string answered;
  const std::vector<TinyTurn>& turns = index.turns();
  const bool first = doc.turn == 0 || turns[doc.turn - 1].session != turns[doc.turn].session;
  if (doc.family == Family::conversation && is_short) {
    for (const TinyIndex::Living& other : index.living()) {
      if (other.doc.family != Family::conversation) continue;
      const bool prompt = other.doc.tag != lexical::kAnswerTag && other.doc.turn == doc.turn;
      if (answer && prompt && answered.empty()) answered = other.doc.text;
      const bool before = !first && other.doc.turn + 1 == doc.turn;
      if (!answer && before && concludes(index, other.doc)) answered = other.doc.text;
    }
  }
  Meaning meaning;
  meaning.text = hash64(doc.text);
  meaning.answered = answered.empty() ? 0 : hash64(answered);
  return meaning.key();
}

// The best cosine of every turn, by definition.
std::map<std::uint32_t, float> obvious(const Machine& machine,
                                       const std::set<vector::TextHash>& embedded,
                                       const vector::Query& query,
                                       const lexical::Selection& selection, bool full) {
  std::map<std::uint32_t, float> best;
  for (const TinyIndex::Living& each : machine.index.living()) {
    const TinyDoc& doc = each.doc;
    const vector::TextHash key = obvious_key(machine.index, doc);
    if (doc.family == Family::detail || !embedded.contains(key)) continue;
    const bool answer = doc.tag == lexical::kAnswerTag;
    const bool conclusion = concludes(machine.index, doc);
    if (answer && !conclusion && !full) continue;
    const unsigned weight =
        answer && !conclusion ? selection.earlier_answer_weight : selection.weights[doc.tag];
    const bool allowed = selection.allowed == nullptr || selection.allowed->has(doc.turn);
    if (weight == 0 || !allowed) continue;
    vector::Row row = vector::kNoRow;
    machine.vectors.set()->find(std::span(&key, 1), std::span(&row, 1));
    const float cosine = machine.vectors.set()->cosine(query, row);
    const auto [at, added] = best.emplace(doc.turn, cosine);
    if (!added) at->second = std::max(at->second, cosine);
  }
  return best;
}

RC_GTEST_PROP(TurnVectors, AgreeWithLookingAtEveryDocument, ()) {
  Machine machine;
  std::vector<TinyTurn> turns(*rc::gen::inRange<std::size_t>(1, 9));
  for (TinyTurn& turn : turns) {
    turn.session = *rc::gen::inRange<std::uint32_t>(0, 3);
    turn.last_time = *rc::gen::inRange<std::int64_t>(0, 5);
    turn.summary_block = *rc::gen::element<std::uint16_t>(0, 1, 0xFFFF);
  }
  machine.index.set_turns(turns);
  std::set<vector::TextHash> embedded;
  const int steps = *rc::gen::inRange(1, 5);
  for (int step = 0; step < steps; ++step) {
    std::vector<TinyDoc> docs(*rc::gen::inRange<std::size_t>(1, 9));
    for (TinyDoc& doc : docs) {
      doc.tag = *rc::gen::element<std::uint8_t>(0, 1, 1, 2, lexical::kTitleTag);
      doc.family = lexical::family_of(doc.tag);
      doc.turn = *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(turns.size()));
      doc.block = *rc::gen::inRange<std::uint32_t>(0, 2);
      doc.text = "text number " + std::to_string(*rc::gen::inRange(0, 12));
      const int words = *rc::gen::element(3, 3, 20, 21);
      for (int word = 3; word < words; ++word) doc.text += " more";
    }
    machine.index.publish(docs);
    // Some of what there is now; another message before it may make it something else later.
    for (const TinyIndex::Living& each : machine.index.living()) {
      const vector::TextHash key = obvious_key(machine.index, each.doc);
      if (*rc::gen::arbitrary<bool>() && embedded.insert(key).second) machine.embed(key);
    }
    const int then = *rc::gen::inRange(0, 4);
    if (then == 0) machine.index.fold();
    if (then == 1) machine.index.merge();
    if (then <= 1 && !machine.index.living().empty()) {
      machine.index.remove((*rc::gen::elementOf(machine.index.living())).key);
    }
  }
  lexical::Selection selection = everything();
  for (const std::size_t tag : {0U, 1U, 7U}) {
    if (*rc::gen::inRange(0, 4) == 0) selection.weights[tag] = 0;
  }
  lexical::TurnSet allowed(turns.size());
  for (std::uint32_t turn = 0; turn < turns.size(); ++turn) {
    if (*rc::gen::arbitrary<bool>()) allowed.add(turn);
  }
  if (*rc::gen::arbitrary<bool>()) selection.allowed = &allowed;
  const bool full = *rc::gen::arbitrary<bool>();
  const vector::Query query(direction(*rc::gen::inRange<std::uint64_t>(0, 50)));

  const auto wanted = obvious(machine, embedded, query, selection, full);
  const TurnSimilarity likeness = machine.join(full).compare(query, selection);
  RC_ASSERT(likeness.empty() == wanted.empty());
  for (std::uint32_t turn = 0; turn < turns.size(); ++turn) {
    const auto known = wanted.find(turn);
    RC_ASSERT(likeness.of(turn) ==
              (known == wanted.end() ? TurnSimilarity::kUnknown : known->second));
  }
  // Nearest first, each turn once, as many as were asked for.
  const std::size_t k = *rc::gen::inRange<std::size_t>(1, 12);
  const std::vector<lexical::TurnOrd> nearest = likeness.nearest(k);
  RC_ASSERT(nearest.size() == std::min(k, wanted.size()));
  for (std::size_t i = 1; i < nearest.size(); ++i) {
    RC_ASSERT(likeness.of(nearest[i - 1]) >= likeness.of(nearest[i]));
  }
}

TEST(TurnSimilarity, OfCopiesOneIsNearest) {
  Machine machine;
  std::vector<TinyTurn> turns(3);
  turns[0] = {0, 5, 99, 0};
  turns[1] = {1, 7, 99, 0};  // the same turn in another session, later
  turns[2] = {2, 1, 0, 0};
  machine.index.set_turns(turns);
  machine.index.publish({{Family::conversation, 0, 0, 0, "same"},
                         {Family::conversation, 0, 1, 0, "same"},
                         {Family::conversation, 0, 2, 0, "other"}});
  machine.embed("same");
  machine.embed("other");
  const vector::Query query(direction(hash64("same")));
  const TurnSimilarity likeness = machine.join(false).compare(query, everything());
  EXPECT_EQ(likeness.nearest(10), (std::vector<lexical::TurnOrd>{1, 2}));
  EXPECT_NEAR(likeness.of(1), 1.0F, 0.01F);
  EXPECT_EQ(likeness.place(1).turn, 1U);
  EXPECT_EQ(machine.join(false).documents(), 3U);
}

}  // namespace
}  // namespace yore::derive
