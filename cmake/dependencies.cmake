# Debian packages, each behind one imported target. Static where Debian ships an archive, so that a
# start maps as few libraries as possible; simdjson exists only as a shared library there.
find_package(Threads REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

function(yore_library target header archive shared)
  find_path(${target}_include ${header} REQUIRED)
  find_library(${target}_lib NAMES ${archive} ${shared} REQUIRED)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${${target}_include})
  target_link_libraries(${target} INTERFACE ${${target}_lib})
endfunction()

yore_library(yore_sqlite sqlite3.h libsqlite3.a sqlite3)
target_link_libraries(yore_sqlite INTERFACE Threads::Threads ${CMAKE_DL_LIBS} m)
# Header only: Debian has no archive of it, and one more shared library costs every start 0.2 million
# instructions of 15.
find_path(yore_fmt_include fmt/format.h REQUIRED)
add_library(yore_fmt INTERFACE IMPORTED GLOBAL)
target_include_directories(yore_fmt SYSTEM INTERFACE ${yore_fmt_include})
target_compile_definitions(yore_fmt INTERFACE FMT_HEADER_ONLY)
yore_library(yore_zstd zstd.h libzstd.a zstd)
yore_library(yore_zlib zlib.h libz.a z)
yore_library(yore_minizip minizip/unzip.h libminizip.a minizip)
target_link_libraries(yore_minizip INTERFACE yore_zlib)
yore_library(yore_xxhash xxhash.h libxxhash.a xxhash)
yore_library(yore_md md5.h libmd.a md)
yore_library(yore_md4c md4c.h libmd4c.a md4c)
yore_library(yore_yaml yaml.h libyaml.a yaml)
yore_library(yore_utf8proc utf8proc.h libutf8proc.a utf8proc)
yore_library(yore_stemmer libstemmer.h libstemmer.a stemmer)

find_path(yore_toml_include toml++/toml.h REQUIRED)
add_library(yore_toml INTERFACE IMPORTED GLOBAL)
target_include_directories(yore_toml SYSTEM INTERFACE ${yore_toml_include})
