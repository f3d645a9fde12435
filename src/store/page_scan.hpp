// page_scan.hpp — the rows of a SQLite file that SQLite itself may refuse to read.
//
// Looks at every page by itself and takes the rows that lie on it whole, without the trees that
// lead to it: a page that is lost costs its own rows and no others. Pages of the write-ahead log
// that were committed take the place of those in the file. Pages that are not in use do not show:
// Debian's SQLite fills them with zeros when it frees them.
//
// What is read (https://www.sqlite.org/fileformat2.html):
//   page      u8 kind (2 inner page of an index, 10 its leaf, 13 leaf of a table; the first page
//             has the file's header of 100 bytes before it), u16 free block, u16 cells,
//             u16 content, u8 fragments, [u32 right child], cells × u16 offset
//   cell      [u32 left child], varint payload size, [varint rowid], payload, [u32 overflow page]
//   payload   varint header size, a varint type per column, the values
//   log       header of 32 bytes, then frames: u32 page, u32 pages after commit or 0, two u32
//   salts,
//             two u32 checksums, the page
//
// Memory: a page and a row at a time, and 12 bytes per page of the log.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace yore::store {

struct ScannedValue {
  enum class Kind : std::uint8_t { null, integer, real, text, blob };
  Kind kind = Kind::null;
  std::int64_t integer = 0;  // also of a real: its bits
  std::string bytes;
};

struct ScannedRow {
  bool keyed = false;  // of an index, or of a table without rowids
  std::int64_t rowid = 0;
  std::vector<ScannedValue> values;  // in stored order; the key of a rowid is null here
  bool whole = true;                 // false: the values after these are lost
};

struct ScanCounts {
  std::uint64_t pages = 0;
  std::uint64_t damaged = 0;  // pages with something that is no row, and of no known kind
};

// No row is larger: more is damage.
inline constexpr std::uint64_t kMostRowBytes = 80ULL << 20;

// Visits every row of every page, in the order of the pages. Fails only when the file cannot be
// read at all. Wrong bytes are passed over.
Result<ScanCounts> scan_pages(const std::string& database_path,
                              const std::function<void(ScannedRow&&)>& visit);

}  // namespace yore::store
