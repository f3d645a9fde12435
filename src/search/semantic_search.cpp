#include "search/semantic_search.hpp"

#include <array>
#include <utility>

#include "derive/embedder.hpp"
#include "derive/open_model.hpp"

namespace yore::search {

std::string plain_question(const ParsedQuery& query) {
  std::string text;
  for (const QueryPart& part : query.parts) {
    if (part.mark == QueryPart::Mark::excluded) continue;
    text += (text.empty() ? "" : " ") + part.text;
  }
  return text;
}

SemanticSearch::SemanticSearch(config::World world, const config::Settings& settings)
    : world_(std::move(world)),
      wanted_(settings.embedding),
      directory_(derive::vector_directory(settings.data_dir)) {}

void SemanticSearch::open_model() {
  if (looked_for_model_) return;
  looked_for_model_ = true;
  auto model = derive::open_model(world_);
  if (model) {
    model_ = std::move(*model);
  } else {
    absence_ = "Searched by words only: " + model.error().message + ".";
  }
}

void SemanticSearch::refresh(const std::shared_ptr<const lexical::Snapshot>& snapshot) {
  if (!wanted_.enabled) return;
  open_model();
  if (model_ == nullptr) return;
  const bool same =
      meanings_ && snapshot == snapshot_ && vector::is_current(directory_, vectors_->generation());
  if (same) return;
  auto opened = vector::VectorSet::open(directory_, model_->fingerprint(), vectors_);
  if (!opened) {
    // None yet, or damaged: whoever embeds next makes them again.
    vectors_ = nullptr;
    meanings_.reset();
    return;
  }
  snapshot_ = snapshot;
  vectors_ = std::move(*opened);
  meanings_.emplace(snapshot_, vectors_, wanted_.full);
}

std::uint64_t SemanticSearch::documents() const {
  return meanings_ ? meanings_->documents() : 0;
}

std::optional<derive::TurnSimilarity> SemanticSearch::compare(std::string_view question,
                                                              const lexical::Selection& selection) {
  if (documents() == 0 || question.empty()) return std::nullopt;
  if (!encoder_) {
    auto encoder = semantic::Encoder::open(model_);
    if (!encoder) {
      absence_ = "Searched by words only: " + encoder.error().message + ".";
      return std::nullopt;
    }
    encoder_ = std::move(*encoder);
  }
  std::array<float, vector::kDimensions> asked{};
  encoder_->encode(std::span(&question, 1), asked);
  derive::TurnSimilarity likeness = meanings_->compare(vector::Query(asked), selection);
  if (likeness.empty()) return std::nullopt;
  return likeness;
}

}  // namespace yore::search
