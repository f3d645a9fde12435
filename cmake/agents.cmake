# Writes the descriptions of agents into a source file, so that the program needs no files beside
# it: each is a raw text, and its head a constant that the compiler reads out of the text
# (transcript/spec/spec_head.hpp). OUT is the file, SPECS the descriptions.
function(yore_embed_agents out)
  set(constants "")
  set(rows "")
  foreach(spec ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${spec})
    cmake_path(GET spec FILENAME file)
    string(MAKE_C_IDENTIFIER ${file} name)
    file(READ ${spec} text)
    string(APPEND constants
      "constexpr std::string_view ${name} = R\"agent-spec(${text})agent-spec\";\n")
    string(APPEND rows "    {\"${file}\", ${name}, constant_head(${name})},\n")
  endforeach()
  list(LENGTH ARGN count)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[
// Made by cmake/agents.cmake of src/transcript/agents/*.toml.
#include "transcript/spec/built_in_specs.hpp"

namespace yore::transcript {
namespace {

// Each is named after its file. NOLINTBEGIN(readability-identifier-naming)
@constants@// NOLINTEND(readability-identifier-naming)

constexpr std::array<BuiltInSpec, @count@> kBuiltInSpecs = {{
@rows@}};

}  // namespace

std::span<const BuiltInSpec> built_in_specs() {
  return kBuiltInSpecs;
}

}  // namespace yore::transcript
]])
endfunction()
