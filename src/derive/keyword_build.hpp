// keyword_build.hpp — the keyword index from nothing: all passages of the store, in parallel.
#pragma once

#include "derive/keyword_index.hpp"

namespace yore::derive {

// Publishes the conversation first, then the details. Memory is bounded: passages are taken in
// slices, and each slice becomes a segment of its own.
Result<KeywordReport> build_keywords(store::Store& store, const std::string& data_dir,
                                     lexical::IndexWriter& writer,
                                     const lexical::StoreState& covers, const OnInverted& progress,
                                     const std::atomic<bool>& cancel);

}  // namespace yore::derive
