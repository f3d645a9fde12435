# yore_flags carries language level, warnings and sanitizers to our own targets only.
add_library(yore_flags INTERFACE)
target_compile_features(yore_flags INTERFACE cxx_std_20)
target_compile_options(yore_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlapping copies in "x" + std::string where there are none.
  target_compile_options(yore_flags INTERFACE -Wno-restrict)
endif()
if(YORE_SANITIZE)
  target_compile_options(yore_flags INTERFACE -fsanitize=${YORE_SANITIZE} -fno-omit-frame-pointer)
  if(YORE_SANITIZE MATCHES "undefined")
    # What the address sanitizer sees as well is left to it: those checks double the time of a build.
    # Alignment matters to rooms that read mapped files (cmake/module.cmake).
    target_compile_options(yore_flags INTERFACE -fno-sanitize-recover=undefined
      -fno-sanitize=null,object-size,vptr,pointer-overflow,alignment)
  endif()
  target_link_options(yore_flags INTERFACE -fsanitize=${YORE_SANITIZE})
endif()
if(YORE_TESTS)
  # Many programs, each with most of the code: the linker decides how long that takes.
  find_program(YORE_MOLD mold)
  if(YORE_MOLD)
    target_link_options(yore_flags INTERFACE -fuse-ld=mold)
  endif()
endif()

if(YORE_PYTHON)
  # The same objects make the program and the Python module. Hidden names that nobody may replace
  # cost the program nothing: the linker turns what is left of tables into direct addresses.
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(yore_flags INTERFACE -fno-semantic-interposition)
  endif()
endif()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
