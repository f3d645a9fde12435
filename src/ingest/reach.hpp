// reach.hpp — which disks may be touched (config/whereabouts.hpp): an answer that somebody waits
// for keeps to near ones.
#pragma once

#include <cstdint>

namespace yore::ingest {

enum class Reach : std::uint8_t { near, everywhere };

}  // namespace yore::ingest
