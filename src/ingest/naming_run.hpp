// naming_run.hpp — gives every session its title and project after a run. Names are functions of
// all sessions together (a summary may belong to another file, project names depend on their
// neighbours), so who was read first does not matter. Writes only what changed.
#pragma once

#include "base/result.hpp"
#include "config/settings.hpp"
#include "ingest/repositories.hpp"
#include "store/writer.hpp"

namespace yore::ingest {

// Has anything changed since names were given, even by a run that was killed before it came to
// that? Also true when the settings exclude something else than then.
Result<bool> names_are_due(store::Store& store, const config::Settings& settings);

// REQUIRES: a transaction is open. Sessions whose project the settings exclude are emptied. Of
// folders on disks that may not be looked at counts what is known of them.
Status give_names(store::Store& store, store::Writer& writer, const config::Settings& settings,
                  const MayLook& may_look);

}  // namespace yore::ingest
