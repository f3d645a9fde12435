// masking.hpp — secrets out of what is stored: every text of a session is looked at once more.
//
// What masks is handed in; this room knows of texts only. A session that had a secret gets new
// passages, and reading it goes on from its start the next time, because where it stopped held text
// as well.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "base/result.hpp"
#include "store/store.hpp"

namespace yore::store {

// Changes a text that holds secrets; true: it did.
using MaskText = std::function<bool(std::string& text)>;

// Was all that is stored masked when it was written, or since? By the rules of this version.
Result<bool> is_masked(Store& store, int version);
Status set_masked(Store& store, int version);
// From now on something may not be.
Status set_unmasked(Store& store);

// Masks every session and edition, a transaction each; how many were changed. A kill in between
// leaves some as they were: call it again. REQUIRES: the process holds the WriterLock.
Result<std::uint64_t> mask_all(Store& store, const MaskText& mask, const std::atomic<bool>& cancel);

}  // namespace yore::store
