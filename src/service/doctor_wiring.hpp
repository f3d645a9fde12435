// doctor_wiring.hpp — what yore setup wrote into agents' settings: does it still start yore?
#pragma once

#include <vector>

#include "config/settings.hpp"
#include "service/doctor.hpp"

namespace yore::service {

// Only what is in setup's ledger: the rest is nobody's promise.
std::vector<Finding> examine_wiring(const config::World& world, const config::Settings& settings);

}  // namespace yore::service
