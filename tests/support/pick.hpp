// pick.hpp — a number that rapidcheck chooses.
#pragma once

#include <rapidcheck.h>

#include <cstddef>

namespace yore {

// Below `below`. Only inside a property.
inline std::size_t pick(std::size_t below) {
  return *rc::gen::inRange<std::size_t>(0, below);
}

}  // namespace yore
