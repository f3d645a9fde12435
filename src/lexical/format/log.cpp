#include "lexical/format/log.hpp"

#include <cstring>

#include "base/hash.hpp"
#include "base/layout.hpp"

namespace yore::lexical {
namespace {

struct LogHeader {
  std::array<char, 8> magic = {'y', 'o', 'r', 'e', 'l', 'o', 'g', '1'};
  std::uint64_t birth = 0;
  FileNumber number = 0;
  std::uint64_t hash = 0;  // of the bytes before
};
static_assert(sizeof(LogHeader) == 32);

struct FrameHeader {
  std::uint64_t size = 0;  // of the frame with this header
  std::uint64_t hash = 0;  // of all bytes behind this field, with `size` as seed
  std::array<std::uint64_t, kFamilies> segment_bytes{};
  std::uint64_t removed = 0;
  std::uint64_t removed_titles = 0;
  std::uint64_t row_bytes = 0;
};
constexpr std::size_t kLogHashedFrom = 2 * sizeof(std::uint64_t);

Error damaged_log() {
  return {Errc::corrupt, "the log of the keyword index is damaged"};
}

}  // namespace

std::string log_header(std::uint64_t birth, FileNumber number) {
  LogHeader header;
  header.birth = birth;
  header.number = number;
  header.hash = hash64(raw_bytes(header).substr(0, offsetof(LogHeader, hash)));
  return std::string(raw_bytes(header));
}

std::string encode_frame(const Update& update) {
  const std::string rows = update.rows.empty() ? "" : update.rows.encode();
  FrameHeader header;
  header.removed = update.removed.size();
  header.removed_titles = update.removed_titles.size();
  header.row_bytes = rows.size();
  std::string out;
  LayoutWriter writer(out);
  writer.value(header);
  for (std::size_t family = 0; family < kFamilies; ++family) {
    header.segment_bytes[family] = update.segments[family].size();
    writer.bytes(update.segments[family]);
  }
  writer.array(std::span<const KeyRange>(update.removed));
  writer.array(std::span<const KeyRange>(update.removed_titles));
  writer.bytes(rows);
  header.size = out.size();
  out.replace(0, sizeof header, raw_bytes(header));
  header.hash = hash64(std::string_view(out).substr(kLogHashedFrom), header.size);
  out.replace(0, sizeof header, raw_bytes(header));
  return out;
}

Result<Frame> read_frame(std::string_view bytes, bool verified) {
  FrameHeader header;
  if (bytes.size() < sizeof header) return damaged_log();
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.size < sizeof header || header.size > bytes.size() || header.size % 8 != 0) {
    return damaged_log();
  }
  bytes = bytes.substr(0, header.size);
  if (!verified && hash64(bytes.substr(kLogHashedFrom), header.size) != header.hash)
    return damaged_log();

  Frame frame;
  frame.size = header.size;
  LayoutReader reader(bytes.substr(sizeof header));
  for (std::size_t family = 0; family < kFamilies; ++family) {
    frame.segments[family] = reader.bytes(header.segment_bytes[family]);
  }
  frame.removed = reader.array<KeyRange>(header.removed);
  frame.removed_titles = reader.array<KeyRange>(header.removed_titles);
  frame.rows = reader.bytes(header.row_bytes);
  if (!reader.at_end()) return damaged_log();
  return frame;
}

}  // namespace yore::lexical
