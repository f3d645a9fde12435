// fts_baseline.hpp — the same passages and the same terms in SQLite FTS5, to compare with.
//
// A contentless table with positions (detail=full). Its tokenizer is our analyser and stemmer:
// words that share a position in our index share one there too. A query is a list of terms, ORed,
// taken as they are.
//
// Two ways to ask: as the manual says (ORDER BY rank, its own bm25), and as well as it can be done
// from outside: a rank function of our own with document lengths in memory, which keeps the best k
// itself, so that SQLite neither sorts nor returns rows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace yore::bench {

struct FtsHit {
  std::int64_t row = 0;
  double score = 0;  // of the tuned way only
};

class FtsBaseline {
 public:
  // A new database at `path`; what was there is removed. `hash_bytes`: new postings that are
  // gathered in memory before they are written; 0 leaves it as it comes (1 MB).
  FtsBaseline(const std::string& path, std::uint64_t hash_bytes);
  FtsBaseline(const FtsBaseline&) = delete;
  FtsBaseline& operator=(const FtsBaseline&) = delete;
  ~FtsBaseline();

  // Rows ascend from 1 without gaps.
  void add(std::string_view text);
  // Commits; searches come after.
  void finish();
  // One b-tree in place of several, as a user who has time to spare would have it.
  void optimize();

  std::vector<FtsHit> search_stock(const std::vector<std::string>& terms, int k);
  std::vector<FtsHit> search_tuned(const std::vector<std::string>& terms, std::size_t k);

  [[nodiscard]] std::uint64_t rows() const;
  [[nodiscard]] std::uint64_t bytes() const;  // of the database file

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace yore::bench
