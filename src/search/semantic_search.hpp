// semantic_search.hpp — the half of a search that knows meaning: the model, the vectors that are
// there, and how near every turn is to what was asked.
//
// Whatever is missing (the model, vectors, the wish) costs search by meaning and nothing else.
// Threads: belongs to one; the files behind it are shared.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "config/settings.hpp"
#include "derive/turn_vectors.hpp"
#include "search/query.hpp"
#include "semantic/encoder.hpp"

namespace yore::search {

// What is to be understood of a query: its words and phrases, without marks, fields and what must
// not be there.
std::string plain_question(const ParsedQuery& query);

class SemanticSearch {
 public:
  SemanticSearch(config::World world, const config::Settings& settings);

  // Takes the newest vectors for this publication of the keyword index.
  void refresh(const std::shared_ptr<const lexical::Snapshot>& snapshot);
  // Documents that have a vector; 0: search by meaning finds nothing.
  [[nodiscard]] std::uint64_t documents() const;
  // Why there is nothing to compare with, as a sentence; "": there is, or it is not wanted.
  [[nodiscard]] const std::string& absence() const { return absence_; }
  // nullopt: nothing that is selected can be compared, or there is nothing in the question to
  // understand.
  std::optional<derive::TurnSimilarity> compare(std::string_view question,
                                                const lexical::Selection& selection);

 private:
  void open_model();

  config::World world_;
  config::EmbeddingSettings wanted_;
  std::string directory_;
  bool looked_for_model_ = false;
  std::shared_ptr<const semantic::ModelFile> model_;  // null: there is none
  std::optional<semantic::Encoder> encoder_;          // made for the first question
  std::shared_ptr<const lexical::Snapshot> snapshot_;
  std::shared_ptr<const vector::VectorSet> vectors_;
  std::optional<derive::TurnVectors> meanings_;
  std::string absence_;
};

}  // namespace yore::search
