# Writes the descriptions of agents into a source file, so that the program needs no files beside
# it: each is a raw text. OUT is the file, SPECS the descriptions.
function(yore_embed_agents out)
  set(rows "")
  foreach(spec ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${spec})
    cmake_path(GET spec FILENAME file)
    file(READ ${spec} text)
    string(APPEND rows "    {\"${file}\", R\"agent-spec(${text})agent-spec\"},\n")
  endforeach()
  list(LENGTH ARGN count)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[
// Made by cmake/agents.cmake of src/transcript/agents/*.toml.
#include "transcript/spec/built_in_specs.hpp"

#include <array>

namespace yore::transcript {

std::span<const BuiltInSpec> built_in_specs() {
  static constexpr std::array<BuiltInSpec, @count@> kSpecs = {{
@rows@  }};
  return kSpecs;
}

}  // namespace yore::transcript
]])
endfunction()
