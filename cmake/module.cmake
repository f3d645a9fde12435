# Headers that most files of a room read are compiled once for all rooms that read the same ones. A
# compiler cache does as much for unchanged files, and the two do not mix.
option(YORE_PCH "Precompiled headers" ON)
set(YORE_TOGETHER 10 CACHE STRING "Files of a room that are compiled together; 1: each alone")
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

# Files are compiled several at a time: most of what a file costs are headers and templates that it
# shares with its neighbours. Names in unnamed namespaces are therefore unique among neighbours.
function(yore_compile_together target)
  if(YORE_TOGETHER GREATER 1)
    set_target_properties(${target} PROPERTIES
      UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${YORE_TOGETHER})
  endif()
endfunction()

# One static library per room of ARCHITECTURE.md. DEPS are rooms, PRIVATE and PUBLIC are outside
# libraries, HEADERS those to precompile (or LIKE a room that has them). HOT: its loops decide how
# fast a search or a build of the index is, so a release optimises it as far as it goes. EDGE: passed
# once per command, so that optimising it makes no difference that could be measured.
function(yore_module name)
  cmake_parse_arguments(arg "HOT;EDGE" "LIKE" "SOURCES;DEPS;PRIVATE;PUBLIC;HEADERS" ${ARGN})
  list(TRANSFORM arg_SOURCES PREPEND ${name}/)
  add_library(yore_${name} STATIC ${arg_SOURCES})
  add_library(yore::${name} ALIAS yore_${name})
  target_include_directories(yore_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src
                                                 ${PROJECT_SOURCE_DIR}/include)
  list(TRANSFORM arg_DEPS PREPEND yore::)
  target_link_libraries(yore_${name} PUBLIC ${arg_DEPS} ${arg_PUBLIC}
                                     PRIVATE yore_flags ${arg_PRIVATE})
  yore_compile_together(yore_${name})
  if(NOT arg_HOT)
    target_compile_options(yore_${name} PRIVATE $<$<CONFIG:Release>:-O2>)
  elseif(YORE_SANITIZE MATCHES "undefined")
    target_compile_options(yore_${name} PRIVATE -fsanitize=alignment)
  endif()
  if(arg_EDGE)
    target_compile_options(yore_${name} PRIVATE $<$<CONFIG:Debug>:-O0> $<$<CONFIG:Release>:-O1>)
  endif()
  if(arg_LIKE)
    yore_precompile(yore_${name} LIKE yore_${arg_LIKE})
  elseif(arg_HEADERS)
    yore_precompile(yore_${name} HEADERS ${arg_HEADERS})
  endif()
endfunction()
