# Headers of outside libraries that most files of a target read are compiled once for all of them.
# A compiler cache does the same for unchanged files, and the two do not mix.
option(YORE_PCH "Precompiled headers" ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(YORE_PCH OFF)
endif()
function(yore_precompile target)
  if(YORE_PCH)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
# The same headers as `other`, which has the same flags.
function(yore_precompile_like target other)
  if(YORE_PCH)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

# One static library per room of ARCHITECTURE.md. DEPS are rooms, PRIVATE and PUBLIC are outside
# libraries, PCH their headers that most of its files read.
function(yore_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS;PRIVATE;PUBLIC;PCH" ${ARGN})
  list(TRANSFORM arg_SOURCES PREPEND ${name}/)
  add_library(yore_${name} STATIC ${arg_SOURCES})
  add_library(yore::${name} ALIAS yore_${name})
  target_include_directories(yore_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src
                                                 ${PROJECT_SOURCE_DIR}/include)
  list(TRANSFORM arg_DEPS PREPEND yore::)
  target_link_libraries(yore_${name} PUBLIC ${arg_DEPS} ${arg_PUBLIC}
                                     PRIVATE yore_flags ${arg_PRIVATE})
  if(arg_PCH)
    yore_precompile(yore_${name} ${arg_PCH})
  endif()
endfunction()
