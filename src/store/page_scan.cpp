#include "store/page_scan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>

#include "base/files/file.hpp"

namespace yore::store {
namespace {

constexpr std::size_t kUsualPageBytes = 8192;  // of every store of yore
constexpr std::size_t kFileHeaderBytes = 100;
constexpr std::size_t kLogHeaderBytes = 32;
constexpr std::size_t kFrameHeaderBytes = 24;
constexpr std::uint32_t kLogMagic = 0x377F0682;  // the last bit: checksums of big-endian words
constexpr std::size_t kMostColumns = 200;

enum PageKind : std::uint8_t {
  overflow_or_free = 0,  // an overflow page begins with a page number below 2^24
  index_inner = 2,
  table_inner = 5,
  index_leaf = 10,
  table_leaf = 13,
};

std::uint64_t big_endian(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

bool is_page_size(std::uint64_t bytes) {
  return bytes >= 512 && bytes <= 65536 && std::has_single_bit(bytes);
}

// SQLite's varint: seven bits a byte, high bits first; the ninth byte counts whole.
std::optional<std::uint64_t> take_varint(std::string_view bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (int i = 0; i < 9; ++i) {
    if (at >= bytes.size()) return std::nullopt;
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    if (i == 8) return value << 8U | byte;
    value = value << 7U | (byte & 0x7FU);
    if ((byte & 0x80U) == 0) return value;
  }
  return std::nullopt;
}

class PageSource {
 public:
  static Result<PageSource> open(const std::string& path) {
    auto file = InputFile::open(path);
    if (!file) return file.error();
    const auto stamp = file->stamp();
    if (!stamp) return stamp.error();
    PageSource source(std::move(*file));
    std::string header(kFileHeaderBytes, '\0');
    const auto got = source.file_.read_at(0, header.data(), header.size());
    if (got && *got == header.size()) {
      std::uint64_t size = big_endian(header, 16, 2);
      if (size == 1) size = 65536;
      if (header.starts_with("SQLite format 3") && is_page_size(size)) source.page_bytes_ = size;
    }
    source.read_log(path + "-wal");
    source.pages_ = stamp->size_bytes / source.page_bytes_;
    if (!source.in_log_.empty()) {
      source.pages_ = std::max<std::uint64_t>(source.pages_, source.in_log_.rbegin()->first);
    }
    return source;
  }

  [[nodiscard]] std::uint64_t pages() const { return pages_; }
  [[nodiscard]] std::size_t page_bytes() const { return page_bytes_; }

  // False: there is no such page, or it cannot be read.
  bool read(std::uint64_t number, std::string& page) const {
    if (number == 0 || number > pages_) return false;
    page.resize(page_bytes_);
    const auto logged = in_log_.find(static_cast<std::uint32_t>(number));
    const bool in_log = logged != in_log_.end();
    const InputFile& file = in_log ? *log_ : file_;
    const std::uint64_t at = in_log ? logged->second : (number - 1) * page_bytes_;
    const auto got = file.read_at(at, page.data(), page.size());
    return got && *got == page.size();
  }

 private:
  explicit PageSource(InputFile file) : file_(std::move(file)) {}

  static void add_to_sum(std::string_view bytes, bool big, std::array<std::uint32_t, 2>& sum) {
    const auto word = [&](std::size_t at) {
      const auto value = static_cast<std::uint32_t>(big_endian(bytes, at, 4));
      return big ? value : __builtin_bswap32(value);
    };
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
      sum[0] += word(at) + sum[1];
      sum[1] += word(at + 4) + sum[0];
    }
  }

  static bool sum_is(std::string_view bytes, std::size_t at,
                     const std::array<std::uint32_t, 2>& sum) {
    return big_endian(bytes, at, 4) == sum[0] && big_endian(bytes, at + 4, 4) == sum[1];
  }

  // Up to the last commit whose frames are all as they were written.
  void read_log(const std::string& path) {
    auto log = InputFile::open(path);
    if (!log) return;
    std::string header(kLogHeaderBytes, '\0');
    const auto got = log->read_at(0, header.data(), header.size());
    if (!got || *got != header.size()) return;
    const std::uint64_t magic = big_endian(header, 0, 4);
    const std::uint64_t size = big_endian(header, 8, 4);
    if ((magic | 1U) != (kLogMagic | 1U) || !is_page_size(size)) return;
    const bool big = (magic & 1U) != 0;
    std::array<std::uint32_t, 2> sum{};
    add_to_sum(std::string_view(header).substr(0, 24), big, sum);
    if (!sum_is(header, 24, sum)) return;
    page_bytes_ = size;
    std::map<std::uint32_t, std::uint64_t> uncommitted;
    std::string frame(kFrameHeaderBytes + size, '\0');
    for (std::uint64_t at = kLogHeaderBytes;; at += frame.size()) {
      const auto read = log->read_at(at, frame.data(), frame.size());
      if (!read || *read != frame.size()) break;
      if (frame.compare(8, 8, header, 16, 8) != 0) break;  // of an earlier use of the file
      add_to_sum(std::string_view(frame).substr(0, 8), big, sum);
      add_to_sum(std::string_view(frame).substr(kFrameHeaderBytes), big, sum);
      if (!sum_is(frame, 16, sum)) break;
      uncommitted[static_cast<std::uint32_t>(big_endian(frame, 0, 4))] = at + kFrameHeaderBytes;
      if (big_endian(frame, 4, 4) == 0) continue;
      for (const auto& [page, place] : uncommitted) in_log_[page] = place;
      uncommitted.clear();
    }
    log_ = std::move(*log);
  }

  InputFile file_;
  std::optional<InputFile> log_;
  std::map<std::uint32_t, std::uint64_t> in_log_;  // page: where its bytes begin
  std::size_t page_bytes_ = kUsualPageBytes;
  std::uint64_t pages_ = 0;
};

class PageScan {
 public:
  PageScan(const PageSource& source, const std::function<void(ScannedRow&&)>& visit)
      : source_(source), visit_(visit) {}

  ScanCounts run() {
    std::string page;
    for (std::uint64_t number = 1; number <= source_.pages(); ++number) {
      ++counts_.pages;
      if (!source_.read(number, page) || !take_page(page, number == 1 ? kFileHeaderBytes : 0)) {
        ++counts_.damaged;
      }
    }
    return counts_;
  }

 private:
  // False: something on it is damaged.
  bool take_page(std::string_view page, std::size_t at) {
    const auto kind = static_cast<std::uint8_t>(page[at]);
    if (kind == overflow_or_free || kind == table_inner) return true;
    if (kind != index_inner && kind != index_leaf && kind != table_leaf) return false;
    const std::size_t cells = big_endian(page, at + 3, 2);
    const std::size_t first = at + (kind == index_inner ? 12 : 8);
    if (first + 2 * cells > page.size()) return false;
    bool fine = true;
    for (std::size_t i = 0; i < cells; ++i) {
      const std::size_t cell = big_endian(page, first + 2 * i, 2);
      if (cell < first + 2 * cells || cell + 4 > page.size() || !take_cell(page, cell, kind)) {
        fine = false;
      }
    }
    return fine;
  }

  bool take_cell(std::string_view page, std::size_t at, std::uint8_t kind) {
    if (kind == index_inner) at += 4;
    const auto size = take_varint(page, at);
    if (!size || *size == 0 || *size > kMostRowBytes) return false;
    ScannedRow row;
    row.keyed = kind != table_leaf;
    if (!row.keyed) {
      const auto rowid = take_varint(page, at);
      if (!rowid) return false;
      row.rowid = static_cast<std::int64_t>(*rowid);
    }
    std::string payload;
    row.whole = take_payload(page, at, *size, row.keyed, payload);
    if (!take_values(payload, row)) return false;
    const bool whole = row.whole;
    visit_(std::move(row));
    return whole;
  }

  // How much of a payload lies on the page itself is fixed by the format.
  [[nodiscard]] std::uint64_t local_bytes(std::uint64_t size, bool keyed) const {
    const std::uint64_t usable = source_.page_bytes();
    const std::uint64_t most = keyed ? (usable - 12) * 64 / 255 - 23 : usable - 35;
    if (size <= most) return size;
    const std::uint64_t least = (usable - 12) * 32 / 255 - 23;
    const std::uint64_t fitting = least + (size - least) % (usable - 4);
    return fitting <= most ? fitting : least;
  }

  // False: the rest of it is lost.
  bool take_payload(std::string_view page, std::size_t at, std::uint64_t size, bool keyed,
                    std::string& payload) {
    const std::uint64_t local = local_bytes(size, keyed);
    if (at + local > page.size()) return false;
    payload = page.substr(at, local);
    if (local == size) return true;
    if (at + local + 4 > page.size()) return false;
    std::uint64_t next = big_endian(page, at + local, 4);
    while (payload.size() < size) {
      if (!source_.read(next, overflow_)) return false;
      const std::uint64_t left = size - payload.size();
      payload.append(overflow_, 4, std::min<std::uint64_t>(left, overflow_.size() - 4));
      next = big_endian(overflow_, 0, 4);
      // The last page names no other one; any other last page was written by somebody else.
      if (payload.size() == size && next != 0) return false;
    }
    return true;
  }

  // False: it is no row at all. Of a row that is not whole the values that are there are taken.
  static bool take_values(std::string_view payload, ScannedRow& row) {
    std::size_t at = 0;
    const auto header = take_varint(payload, at);
    if (!header || *header > payload.size() || *header < at) return false;
    std::size_t value = *header;
    while (at < *header) {
      const auto type = take_varint(payload.substr(0, *header), at);
      if (!type || row.values.size() >= kMostColumns || *type == 10 || *type == 11) return false;
      constexpr std::array<std::uint8_t, 10> kBytes = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
      const std::uint64_t bytes = *type < 10 ? kBytes[*type] : (*type - 12) / 2;
      if (bytes > payload.size() - value) return !row.whole;
      row.values.push_back(value_of(payload.substr(value, bytes), *type));
      value += bytes;
    }
    return !row.whole || value == payload.size();
  }

  static ScannedValue value_of(std::string_view bytes, std::uint64_t type) {
    using Kind = ScannedValue::Kind;
    if (type == 0) return {};
    if (type >= 12) return {type % 2 == 0 ? Kind::blob : Kind::text, 0, std::string(bytes)};
    if (type == 8 || type == 9) return {Kind::integer, type == 9 ? 1 : 0, {}};
    std::uint64_t number = big_endian(bytes, 0, bytes.size());
    const std::size_t unused = 64 - 8 * bytes.size();
    if (type == 7) return {Kind::real, static_cast<std::int64_t>(number), {}};
    // The sign is that of the shorter number.
    return {Kind::integer, static_cast<std::int64_t>(number << unused) >> unused, {}};
  }

  const PageSource& source_;
  const std::function<void(ScannedRow&&)>& visit_;
  ScanCounts counts_;
  std::string overflow_;
};

}  // namespace

Result<ScanCounts> scan_pages(const std::string& database_path,
                              const std::function<void(ScannedRow&&)>& visit) {
  const auto source = PageSource::open(database_path);
  if (!source) return source.error();
  return PageScan(*source, visit).run();
}

}  // namespace yore::store
