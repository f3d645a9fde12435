#include "lexical/format/catalog_file.hpp"

#include <array>
#include <utility>

#include "base/hash.hpp"
#include "base/layout.hpp"

namespace yore::lexical {
namespace {

constexpr std::array<char, 8> kMagic = {'y', 'o', 'r', 'e', 'c', 'a', 't', '2'};

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint64_t hash = 0;  // of all bytes behind
  std::uint64_t birth = 0;
  FileNumber number = 0;
  std::uint64_t dead_passages = 0;
  std::uint64_t dead_titles = 0;
  std::uint64_t catalog_bytes = 0;
};
constexpr std::size_t kCatalogHashedFrom = 16;

Error damaged_catalog_file() {
  return {Errc::corrupt, "the catalog file of the keyword index is damaged"};
}

}  // namespace

std::string encode_catalog_file(std::uint64_t birth, FileNumber number, const Catalog& catalog,
                                const DeadKeys& dead) {
  const std::string rows = catalog.encode();
  Header header;
  header.birth = birth;
  header.number = number;
  header.dead_passages = dead.passages.size();
  header.dead_titles = dead.titles.size();
  header.catalog_bytes = rows.size();
  std::string out;
  LayoutWriter writer(out);
  writer.value(header);
  writer.array(std::span<const KeyRange>(dead.passages));
  writer.array(std::span<const KeyRange>(dead.titles));
  writer.bytes(rows);
  header.hash = hash64(std::string_view(out).substr(kCatalogHashedFrom));
  out.replace(0, sizeof header, raw_bytes(header));
  return out;
}

Result<CatalogFile> decode_catalog_file(std::uint64_t birth, FileNumber number,
                                        std::string_view bytes, bool verified) {
  LayoutReader reader(bytes);
  const auto header = reader.value<Header>();
  if (!reader.ok() || header.magic != kMagic) return damaged_catalog_file();
  if (header.birth != birth || header.number != number) return damaged_catalog_file();
  if (!verified && hash64(bytes.substr(kCatalogHashedFrom)) != header.hash)
    return damaged_catalog_file();
  const auto passages = reader.array<KeyRange>(header.dead_passages);
  const auto titles = reader.array<KeyRange>(header.dead_titles);
  const auto rows = reader.bytes(header.catalog_bytes);
  if (!reader.at_end()) return damaged_catalog_file();
  auto catalog = Catalog::decode(rows);
  if (!catalog) return catalog.error();
  return CatalogFile{std::move(*catalog),
                     {{passages.begin(), passages.end()}, {titles.begin(), titles.end()}}};
}

}  // namespace yore::lexical
