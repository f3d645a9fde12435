// result.hpp — Result, Status and Error; public, so the definition is there.
#pragma once

#include "yore/result.hpp"  // IWYU pragma: export
