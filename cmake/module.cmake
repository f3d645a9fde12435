# Headers that most files of a room read are compiled once for all rooms that read the same ones. A
# compiler cache does as much for unchanged files, and the two do not mix.
option(YORE_PCH "Precompiled headers" ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(YORE_PCH OFF)
endif()
set(yore_std_headers <algorithm> <array> <atomic> <chrono> <cstdint> <functional> <map> <memory>
    <mutex> <optional> <span> <string> <string_view> <unordered_map> <utility> <vector>)
set(yore_json_headers <nlohmann/json.hpp> <fmt/format.h>)
# yore_precompile(TARGET LIKE OTHER | HEADERS …): LIKE takes those of another target with the same flags.
function(yore_precompile target)
  cmake_parse_arguments(arg "" "LIKE" "HEADERS" ${ARGN})
  if(NOT YORE_PCH)
    return()
  elseif(arg_LIKE)
    target_precompile_headers(${target} REUSE_FROM ${arg_LIKE})
  else()
    target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
  endif()
endfunction()

# One static library per room of ARCHITECTURE.md. DEPS are rooms, PRIVATE and PUBLIC are outside
# libraries, HEADERS those to precompile (or LIKE a room that has them). COLD: runs once per command,
# so it is optimised for a quick build.
function(yore_module name)
  cmake_parse_arguments(arg "COLD" "LIKE" "SOURCES;DEPS;PRIVATE;PUBLIC;HEADERS" ${ARGN})
  list(TRANSFORM arg_SOURCES PREPEND ${name}/)
  add_library(yore_${name} STATIC ${arg_SOURCES})
  add_library(yore::${name} ALIAS yore_${name})
  target_include_directories(yore_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src
                                                 ${PROJECT_SOURCE_DIR}/include)
  list(TRANSFORM arg_DEPS PREPEND yore::)
  target_link_libraries(yore_${name} PUBLIC ${arg_DEPS} ${arg_PUBLIC}
                                     PRIVATE yore_flags ${arg_PRIVATE})
  if(arg_COLD)
    target_compile_options(yore_${name} PRIVATE $<$<CONFIG:Release>:-O2>)
  endif()
  if(arg_LIKE)
    yore_precompile(yore_${name} LIKE yore_${arg_LIKE})
  elseif(arg_HEADERS)
    yore_precompile(yore_${name} HEADERS ${arg_HEADERS})
  endif()
endfunction()
