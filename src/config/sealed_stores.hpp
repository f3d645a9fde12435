// sealed_stores.hpp — stores of agents that their makers encrypt. They are named where they are
// found, so that nobody looks for conversations that cannot be there, and never opened beyond
// their first bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_view.hpp"
#include "config/roots.hpp"

namespace yore::config {

// What is said of each.
inline constexpr std::string_view kSealed = "found, encrypted by its maker, cannot be read";

struct SealedStore {
  std::string_view name;  // "Windsurf"
  std::string path;
};

// Those that are there, in a fixed order. Cost: a look at each place, a listing of those there.
std::vector<SealedStore> sealed_stores(const GetEnv& env, const FileView& files = {});

}  // namespace yore::config
