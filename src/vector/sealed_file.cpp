#include "vector/sealed_file.hpp"

#include <algorithm>

#include "base/trace.hpp"

namespace yore::vector {
namespace {

struct KeptRow {
  TextHash text = 0;
  std::uint32_t block = 0;
  std::uint32_t row = 0;  // in it
};

// Sorts by text and keeps the first of several equal ones.
std::vector<KeptRow> choose(std::span<const Block> blocks, const Keep& keep) {
  std::vector<KeptRow> rows;
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    const auto texts = blocks[block].texts;
    for (std::uint32_t row = 0; row < texts.size(); ++row) {
      if (!keep || keep(texts[row])) rows.push_back({texts[row], block, row});
    }
  }
  std::ranges::stable_sort(rows, {}, &KeptRow::text);
  const auto same = [](const KeptRow& a, const KeptRow& b) { return a.text == b.text; };
  rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
  return rows;
}

// Calls `on_piece` with one piece of vectors after the other, until it fails.
template <typename OnPiece>
Status each_piece(std::span<const Block> blocks, std::span<const KeptRow> rows, OnPiece on_piece) {
  std::vector<std::int8_t> piece;
  for (std::size_t at = 0; at < rows.size(); at += kPieceRows) {
    piece.clear();
    for (const KeptRow& kept : rows.subspan(at, std::min(kPieceRows, rows.size() - at))) {
      const std::int8_t* const vector = blocks[kept.block].vector(kept.row);
      piece.insert(piece.end(), vector, vector + kDimensions);
    }
    if (Status status = on_piece(piece); !status) return status;
  }
  return {};
}

// The file so far, which no manifest names.
class GrowingFile {
 public:
  GrowingFile(const std::string& path, const FileSystem& files) : path_(path), files_(files) {}
  Status add(std::string_view bytes) {
    if (bytes_ == 0) {
      if (Status status = files_.write_new_file(path_, bytes); !status) return status;
    } else {
      const auto appended = files_.append_if_size(path_, bytes_, bytes);
      if (!appended) return appended.error();
      if (!*appended) return Error{Errc::io, path_ + " was changed by somebody else"};
    }
    bytes_ += bytes.size();
    return {};
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  const std::string& path_;
  const FileSystem& files_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

Result<FileEntry> write_sealed_file(const std::string& path, const FileId& id,
                                    std::span<const Block> blocks, const Keep& keep,
                                    const FileSystem& files) {
  const std::vector<KeptRow> rows = choose(blocks, keep);
  if (rows.empty()) return FileEntry{};
  std::vector<TextHash> texts;
  std::vector<float> scales;
  texts.reserve(rows.size());
  scales.reserve(rows.size());
  for (const KeptRow& kept : rows) {
    texts.push_back(kept.text);
    scales.push_back(blocks[kept.block].scales[kept.row]);
  }
  // Once for the hash, which stands at the beginning, and once for the file.
  std::uint64_t hash = 0;
  Status status = each_piece(blocks, rows, [&](std::span<const std::int8_t> piece) {
    hash = hash_vectors(piece, hash);
    return Status{};
  });
  GrowingFile file(path, files);
  status = file.add(encode_file_header(id) + encode_block_head({texts, scales, hash, true}));
  if (status) {
    status = each_piece(blocks, rows, [&](std::span<const std::int8_t> piece) {
      return file.add({reinterpret_cast<const char*>(piece.data()), piece.size()});
    });
  }
  if (status) return FileEntry{id.number, file.bytes(), rows.size()};
  Trace::failure("remove an unfinished file", files.remove_file(path));
  return status.error();
}

}  // namespace yore::vector
