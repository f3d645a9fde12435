// catalog_file.hpp — the catalog's base: all rows as of one moment, and the keys that were dead
// then and still stand in segments. Read whole, so it is hashed whole.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "lexical/format/catalog.hpp"
#include "lexical/format/key_range.hpp"
#include "lexical/format/manifest.hpp"

namespace yore::lexical {

struct DeadKeys {
  std::vector<KeyRange> passages;  // of conversation and details
  std::vector<KeyRange> titles;
};

struct CatalogFile {
  Catalog catalog;
  DeadKeys dead;
};

std::string encode_catalog_file(std::uint64_t birth, FileNumber number, const Catalog& catalog,
                                const DeadKeys& dead);
// `bytes` must outlive the catalog and begin at an address divisible by 8. corrupt: damaged, or of
// another index. `verified`: its hash was compared before.
Result<CatalogFile> decode_catalog_file(std::uint64_t birth, FileNumber number,
                                        std::string_view bytes, bool verified = false);

}  // namespace yore::lexical
