# One static library per room of ARCHITECTURE.md. DEPS are rooms, PRIVATE are outside libraries.
function(yore_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS;PRIVATE;PUBLIC" ${ARGN})
  list(TRANSFORM arg_SOURCES PREPEND ${name}/)
  add_library(yore_${name} STATIC ${arg_SOURCES})
  add_library(yore::${name} ALIAS yore_${name})
  target_include_directories(yore_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src
                                                 ${PROJECT_SOURCE_DIR}/include)
  list(TRANSFORM arg_DEPS PREPEND yore::)
  target_link_libraries(yore_${name} PUBLIC ${arg_DEPS} ${arg_PUBLIC}
                                     PRIVATE yore_flags ${arg_PRIVATE})
endfunction()
