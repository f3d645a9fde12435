// The keyword core against an obvious BM25: whatever the spread over segments, whatever was merged
// or removed, pruned or not, the answer is the same to the bit.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "support/temp_dir.hpp"
#include "support/tiny_index.hpp"

namespace yore::test {
namespace {

using fake::TempDir;
using lexical::Candidate;
using lexical::Family;
using lexical::Leaf;

const std::vector<std::string> kWords = {
    "the",     "server", "running", "runs",    "run",   "parse",  "parseJsonLine", "json",
    "timeout", "kafka",  "日本語",  "http.cc", "error", "errors", "fix",           "v2.1.3",
    "café",    "test",   "testing", "x",       "build", "cache"};

std::string random_text(std::size_t max_words) {
  const auto count = *rc::gen::inRange<std::size_t>(0, max_words);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += *rc::gen::elementOf(kWords) + " ";
  return text;
}

TinyDoc random_doc(std::size_t turns) {
  TinyDoc doc;
  doc.tag = *rc::gen::element<std::uint8_t>(0, 1, 1, 2, 3, lexical::kTitleTag);
  doc.family = lexical::family_of(doc.tag);
  doc.turn = *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(turns));
  doc.block = *rc::gen::inRange<std::uint32_t>(0, 3);
  doc.text = random_text(14);
  return doc;
}

std::vector<TinyTurn> random_turns() {
  std::vector<TinyTurn> turns(*rc::gen::inRange<std::size_t>(1, 25));
  for (TinyTurn& turn : turns) {
    turn.session = *rc::gen::inRange<std::uint32_t>(0, 5);
    turn.last_time = *rc::gen::inRange<std::int64_t>(0, 4);
    turn.origin = *rc::gen::element<std::uint64_t>(0, 0, 0, 77, 88);
    turn.summary_block = *rc::gen::element<std::uint16_t>(0, 1, 2, 0xFFFF);
  }
  return turns;
}

Leaf term_leaf(std::string term, float boost) {
  Leaf leaf;
  leaf.terms = {std::move(term)};
  leaf.boost = boost;
  return leaf;
}

std::vector<Leaf> random_leaves() {
  std::vector<Leaf> leaves;
  const auto count = *rc::gen::inRange<std::size_t>(1, 6);
  for (std::size_t i = 0; i < count; ++i) {
    const float boost = *rc::gen::element(1.0F, 0.3F, 0.6F);
    Leaf leaf = term_leaf(
        *rc::gen::element<std::string>("the", "server", "run", "running", "parsejsonline", "json",
                                       "timeout", "日本", "http.cc", "error", "nowhere", "cafe"),
        boost);
    const int kind = *rc::gen::inRange(0, 8);
    if (kind == 0) {
      leaf.kind = Leaf::Kind::prefix;
      leaf.terms = {*rc::gen::element<std::string>("r", "te", "e", "日", "zz")};
    } else if (kind == 1) {
      leaf.kind = Leaf::Kind::phrase;
      leaf.terms = {"error", *rc::gen::element<std::string>("fix", "run", "errors", "the")};
      leaf.offsets = {0, 1};
    }
    leaves.push_back(std::move(leaf));
  }
  return leaves;
}

void same(const std::vector<Candidate>& found, const std::vector<Candidate>& wanted) {
  RC_ASSERT(found.size() == wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    RC_ASSERT(found[i].score == wanted[i].score);
    RC_ASSERT(found[i].turn == wanted[i].turn);
    RC_ASSERT(found[i].key == wanted[i].key);
    RC_ASSERT(found[i].family == wanted[i].family);
  }
}

void check(const TinyIndex& index, const std::vector<Leaf>& leaves,
           const lexical::Selection& selection, std::size_t k) {
  const auto wanted = obvious_best_turns(index, leaves, selection, k);
  auto search = lexical::Search::prepare(index.snapshot(), leaves);
  RC_ASSERT(search.ok());
  same(search->best_turns(selection, k, true), wanted);
  same(search->best_turns(selection, k, false), wanted);
}

// Every living document of conversation and titles carries the hash of its text, however often it
// was folded and merged; details carry none.
void check_hashes(const TinyIndex& index) {
  std::map<std::pair<lexical::Family, lexical::DocKey>, std::uint64_t> wanted;
  for (const TinyIndex::Living& each : index.living()) {
    if (each.doc.family == lexical::Family::detail) continue;
    wanted[{each.doc.family, each.key}] = hash64(each.doc.text);
  }
  std::map<std::pair<lexical::Family, lexical::DocKey>, std::uint64_t> held;
  const auto snapshot = index.snapshot();
  for (const auto family :
       {lexical::Family::conversation, lexical::Family::detail, lexical::Family::title}) {
    for (const lexical::LiveSegment& live : snapshot->segments(family)) {
      const auto hashes = live.segment.text_hashes();
      for (lexical::Doc doc = 0; doc < hashes.size(); ++doc) {
        if (live.dead.has(doc)) continue;
        held[{family, live.segment.keys()[doc]}] = hashes[doc];
      }
    }
  }
  RC_ASSERT(held == wanted);
}

lexical::Selection random_selection(const lexical::TurnSet& allowed) {
  lexical::Selection selection;
  for (const std::size_t tag : {0U, 1U, 2U, 3U, 7U}) {
    selection.weights[tag] = *rc::gen::element<std::uint16_t>(0, 1, 96, 256, 256);
  }
  selection.earlier_answer_weight = *rc::gen::element<std::uint16_t>(0, 224, 256);
  if (*rc::gen::arbitrary<bool>()) selection.allowed = &allowed;
  return selection;
}

lexical::WriterLimits small_limits() {
  lexical::WriterLimits limits;
  limits.fold_frames = 3;
  limits.tier_width = 2;
  return limits;
}

RC_GTEST_PROP(KeywordCore, AnswersLikeTheObviousScorer, ()) {
  const TempDir dir;
  TinyIndex index(dir.path(), small_limits());
  const std::vector<TinyTurn> turns = random_turns();
  index.set_turns(turns);
  const auto steps = *rc::gen::inRange(1, 8);
  for (int step = 0; step < steps; ++step) {
    std::vector<TinyDoc> docs(*rc::gen::inRange<std::size_t>(0, 12));
    for (TinyDoc& doc : docs) doc = random_doc(turns.size());
    index.publish(docs);
    const int then = *rc::gen::inRange(0, 6);
    if (then == 0) index.fold();
    if (then == 1) index.merge();
    if (then <= 2 && !index.living().empty()) {
      index.remove((*rc::gen::elementOf(index.living())).key);
    }
  }
  lexical::TurnSet allowed(turns.size());
  for (std::uint32_t turn = 0; turn < turns.size(); ++turn) {
    if (*rc::gen::arbitrary<bool>()) allowed.add(turn);
  }
  check_hashes(index);
  check(index, random_leaves(), random_selection(allowed),
        *rc::gen::element<std::size_t>(1, 3, 50));
}

// Long lists: several blocks and windows, skewed words, so that pruning has something to prune.
TEST(KeywordCore, AnswersLikeTheObviousScorerOverManyDocuments) {
  const TempDir dir;
  TinyIndex index(dir.path(), small_limits());
  std::vector<TinyTurn> turns(3000);
  for (std::uint32_t i = 0; i < turns.size(); ++i) {
    turns[i] = {i / 7, static_cast<std::int64_t>(i * 2654435761U % 1000), i % 50 == 0 ? 9U : 0U, 0};
  }
  index.set_turns(turns);
  std::uint64_t state = 42;
  const auto random = [&state](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33) % below;
  };
  for (const std::size_t count : {9000U, 500U, 40U}) {
    std::vector<TinyDoc> docs(count);
    for (TinyDoc& doc : docs) {
      doc.tag = random(4) == 0 ? std::uint8_t{2} : std::uint8_t{0};
      doc.family = lexical::family_of(doc.tag);
      doc.turn = static_cast<std::uint32_t>(random(turns.size()));
      const std::uint64_t words = 3 + random(30);
      for (std::uint64_t i = 0; i < words; ++i) {
        // Squared: the first words of the list are frequent, the last ones rare.
        const std::uint64_t at = random(1000) * random(1000) * kWords.size() / 1'000'000;
        doc.text += kWords[at] + " ";
      }
    }
    index.publish(docs);
  }
  for (lexical::DocKey key = 5; key < 9000; key += 97) index.remove(key);
  lexical::Selection selection;
  selection.weights = {256, 256, 96, 80, 0, 0, 0, 256};
  selection.earlier_answer_weight = 224;
  const std::vector<std::vector<std::string>> queries = {
      {"cache"},
      {"the"},
      {"the", "cache"},
      {"run", "test", "build"},
      {"the", "server", "run", "pars", "json", "timeout", "kafka", "error"}};
  for (const auto& words : queries) {
    std::vector<Leaf> leaves;
    for (const std::string& word : words) leaves.push_back(term_leaf(word, 1));
    auto wanted = obvious_best_turns(index, leaves, selection, 200);  // the slow part: once
    for (const std::size_t k : {200U, 10U, 1U}) {
      wanted.resize(std::min(wanted.size(), k));
      auto search = lexical::Search::prepare(index.snapshot(), leaves);
      ASSERT_TRUE(search.ok());
      for (const bool prune : {true, false}) {
        const auto found = search->best_turns(selection, k, prune);
        ASSERT_EQ(found.size(), wanted.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
          ASSERT_EQ(found[i].score, wanted[i].score) << words.front() << " " << i;
          ASSERT_EQ(found[i].key, wanted[i].key) << words.front() << " " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace yore::test
