// turn_vectors.hpp — how near every turn is to a question in meaning.
//
// Joins a publication of the keyword index, which knows documents and turns, with a publication of
// vectors, which knows texts by their hashes. Only documents that carry meaning count, so that
// vectors left over from earlier days change nothing. A document without a vector is no nearer and
// no farther than any other; it is simply not known.
//
// What is said in a conversation means little without what it answers ("yes, do that", "done"): a
// prompt is understood together with the conclusion before it, an answer with its prompt. A text
// has one vector for each message that it answers.
//
// Threads: const, so any number may ask. Cost: the join a look-up per document, a question one scan
// over all vectors and one pass over the documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "lexical/format/snapshot.hpp"
#include "lexical/search/search.hpp"
#include "vector/vector_set.hpp"

namespace yore::derive {

// Documents that carry meaning: prompts, conclusions and titles; with `full` every answer.
struct MeaningDoc {
  lexical::Family family = lexical::Family::conversation;
  std::uint32_t segment = 0;  // of Snapshot::segments(family)
  lexical::Doc doc = 0;
};
struct Meaning {
  MeaningDoc at;
  std::uint64_t text = 0;      // its hash
  std::uint64_t answered = 0;  // hash of the text that it answers; 0: none
  MeaningDoc answered_at;
  // By which its vector is known.
  [[nodiscard]] std::uint64_t key() const;
};
// All of them, living ones only.
void each_meaning(const lexical::Snapshot& snapshot, bool full,
                  const std::function<void(const Meaning&)>& visit);

// How near each turn is to one question.
class TurnSimilarity {
 public:
  static constexpr float kUnknown = -2;  // below every cosine

  // The best of the turn's selected documents; kUnknown: none of them has a vector.
  [[nodiscard]] float of(lexical::TurnOrd turn) const { return best_[turn].cosine; }
  // Is nothing known of any turn?
  [[nodiscard]] bool empty() const { return known_ == 0; }
  // Where that is, as a candidate of score 0. REQUIRES: of(turn) != kUnknown
  [[nodiscard]] lexical::Candidate place(lexical::TurnOrd turn) const;
  // The k nearest turns, nearest first, one of each set of copies. Ties as in lexical::comes_first.
  [[nodiscard]] std::vector<lexical::TurnOrd> nearest(std::size_t k) const;

 private:
  friend class TurnVectors;
  struct Best {
    float cosine = kUnknown;
    MeaningDoc place;
  };
  std::shared_ptr<const lexical::Snapshot> snapshot_;
  std::vector<Best> best_;  // by turn
  std::size_t known_ = 0;   // of these
};

class TurnVectors {
 public:
  TurnVectors(std::shared_ptr<const lexical::Snapshot> snapshot,
              std::shared_ptr<const vector::VectorSet> vectors, bool full);

  // Documents that have a vector.
  [[nodiscard]] std::uint64_t documents() const { return documents_; }
  // `selection` decides which documents count, not how much.
  [[nodiscard]] TurnSimilarity compare(const vector::Query& query,
                                       const lexical::Selection& selection) const;

 private:
  struct Column {  // a segment's documents that have a vector
    lexical::Family family;
    std::uint32_t segment;
    std::vector<std::pair<lexical::Doc, vector::Row>> rows;
  };
  std::shared_ptr<const lexical::Snapshot> snapshot_;
  std::shared_ptr<const vector::VectorSet> vectors_;
  std::vector<Column> columns_;
  std::uint64_t documents_ = 0;
};

}  // namespace yore::derive
