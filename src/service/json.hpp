// json.hpp — the name of JSON values, for headers that speak of them. Who makes one or looks into
// one includes <nlohmann/json.hpp>, which is expensive to compile.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace yore::service {

using Json = nlohmann::ordered_json;

}  // namespace yore::service
