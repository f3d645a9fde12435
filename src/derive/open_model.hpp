// open_model.hpp — the model that turns texts into vectors: looked for and opened in one place.
#pragma once

#include <memory>

#include "base/result.hpp"
#include "config/settings.hpp"
#include "semantic/model_file.hpp"

namespace yore::derive {

// $YORE_MODEL alone when it is set, else what lies beside the program, else the source tree's.
// not_found: there is none; corrupt, unsupported: as ModelFile::open says. Shared because every
// thread has an encoder of its own over the one file. Takes a fraction of a millisecond.
Result<std::shared_ptr<const semantic::ModelFile>> open_model(const config::World& world);

}  // namespace yore::derive
