// passage_documents.hpp — which passages become documents, of which family, and how.
#pragma once

#include <array>

#include "derive/catalog_update.hpp"
#include "lexical/write/builder.hpp"
#include "store/store.hpp"

namespace yore::derive {

enum class PassageKinds : std::uint8_t { conversation = 1, details = 2, both = 3 };

struct Builders {
  lexical::SegmentBuilder conversation;
  lexical::SegmentBuilder details;
};

// Adds the pack's passages to the builders; the number of documents. Passages of sessions or turns
// that the catalog does not know (they are being removed) are left out.
std::uint64_t add_pack(const store::Store::PackRow& pack, const CatalogUpdate& rows,
                       PassageKinds take, Builders& builders);

// A session's title as a document of its first turn, when it says more than its first prompt.
bool has_searchable_title(const store::SessionRow& session);

}  // namespace yore::derive
