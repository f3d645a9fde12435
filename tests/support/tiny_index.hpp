// tiny_index.hpp — a keyword index made of a few texts, and an obvious BM25 to compare it with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lexical/search/search.hpp"
#include "lexical/write/index_writer.hpp"

namespace yore::test {

struct TinyDoc {
  lexical::Family family = lexical::Family::conversation;
  std::uint8_t tag = 0;
  std::uint32_t turn = 0;
  std::uint32_t block = 0;
  std::string text;
};

struct TinyTurn {
  std::uint32_t session = 0;
  std::int64_t last_time = 0;
  std::uint64_t origin = 0;  // 0: its own
  std::uint16_t summary_block = 0xFFFF;
};

// Documents get the keys 1, 2, … in the order of adding, within their family's numbers.
class TinyIndex {
 public:
  explicit TinyIndex(const std::string& directory, const lexical::WriterLimits& limits);

  void set_turns(const std::vector<TinyTurn>& turns);
  void publish(const std::vector<TinyDoc>& docs);
  void remove(lexical::DocKey key);
  void fold();
  void merge();
  [[nodiscard]] std::shared_ptr<const lexical::Snapshot> snapshot() const;

  struct Living {
    lexical::DocKey key = 0;
    TinyDoc doc;
  };
  [[nodiscard]] const std::vector<Living>& living() const { return living_; }
  [[nodiscard]] const std::vector<TinyTurn>& turns() const { return turns_; }

 private:
  lexical::Update next_update();

  std::string directory_;
  lexical::WriterLimits limits_;
  std::vector<TinyTurn> turns_;
  std::vector<Living> living_;
  lexical::DocKey next_key_ = 1;
  std::int64_t seq_ = 0;
  std::unique_ptr<lexical::IndexWriter> writer_;
};

// The k best turns by definition: every document scored on its own, nothing skipped.
std::vector<lexical::Candidate> obvious_best_turns(const TinyIndex& index,
                                                   const std::vector<lexical::Leaf>& leaves,
                                                   const lexical::Selection& selection,
                                                   std::size_t k);

}  // namespace yore::test
