// passage_documents.hpp — which passages become documents, of which family, and how.
#pragma once

#include <array>

#include "derive/catalog_update.hpp"
#include "lexical/write/builder.hpp"
#include "store/store.hpp"

namespace yore::derive {

enum class PassageKinds : std::uint8_t { conversation = 1, details = 2, both = 3 };

// One per family of passages.
struct Builders {
  lexical::SegmentBuilder conversation;
  lexical::SegmentBuilder details;
  lexical::SegmentBuilder kept_conversation;
  lexical::SegmentBuilder kept_details;
};
// Calls visit(family, builder) for each.
template <typename Visit>
void each_builder(Builders& builders, Visit visit) {
  visit(lexical::Family::conversation, builders.conversation);
  visit(lexical::Family::detail, builders.details);
  visit(lexical::Family::kept_conversation, builders.kept_conversation);
  visit(lexical::Family::kept_detail, builders.kept_details);
}

// Adds the pack's passages to the builders; the number of documents. Passages of sessions or turns
// that the catalog does not know (they are being removed) are left out.
std::uint64_t add_pack(const store::Store::PackRow& pack, const CatalogUpdate& rows,
                       PassageKinds take, Builders& builders);

// A session's title as a document of its first turn, when it says more than its first prompt.
bool has_searchable_title(const store::SessionRow& session);

}  // namespace yore::derive
