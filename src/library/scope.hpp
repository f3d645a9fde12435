// scope.hpp — which sessions of the store a corpus answers from.
#pragma once

#include <memory>

#include "config/settings.hpp"
#include "yore/yore.hpp"

namespace yore::library {

// Null: all of them, also those that come later. `max_sessions` counts conversations with at least
// one turn, newest first; a sub-agent's session is in when its parent is.
Result<std::shared_ptr<const config::SessionSet>> sessions_in_scope(store::Store& store,
                                                                    const CorpusOptions& options);

}  // namespace yore::library
