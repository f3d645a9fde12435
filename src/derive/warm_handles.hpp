// warm_handles.hpp — what one step has open already, for the next one to read on with.
#pragma once

#include <memory>
#include <optional>

#include "lexical/format/snapshot.hpp"
#include "store/store.hpp"

namespace yore::derive {

// Either may be missing or no longer the newest: whoever takes it looks.
struct WarmHandles {
  std::optional<store::Store> store;
  std::shared_ptr<const lexical::Snapshot> keywords;
};

}  // namespace yore::derive
