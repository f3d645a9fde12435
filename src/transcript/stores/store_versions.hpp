// store_versions.hpp — is a store of a newer version than we know? What is known of it is read
// anyway; this tells people why something may be missing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace yore::transcript {

struct NewerStore {
  std::string found;  // "schema 31"
  std::string known;  // "30"
};

// Of a database that sessions of this agent were read from, or of another file that numbers its
// store. nullopt: we know its version, it says none, or it cannot be read now.
std::optional<NewerStore> newer_store(std::string_view agent, const std::string& path);

// The file below a root of this agent that holds such a number; "" when it has none.
std::string_view version_file(std::string_view agent);

}  // namespace yore::transcript
