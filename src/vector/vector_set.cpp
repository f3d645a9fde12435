#include "vector/vector_set.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "vector/kernels.hpp"
#include "vector/set_files.hpp"

namespace yore::vector {
namespace {

// Each time something newer must have been published in between.
constexpr int kOpenTries = 20;

}  // namespace

class SetLoader {
 public:
  SetLoader(const std::string& directory, Manifest manifest, const VectorSet* previous,
            const FileSystem& system)
      : directory_(directory), system_(system), files_(std::make_shared<VectorSet::Files>()) {
    files_->manifest = std::move(manifest);
    if (previous != nullptr && previous->files_->manifest.birth == files_->manifest.birth) {
      previous_ = previous->files_.get();
    }
  }

  Result<std::shared_ptr<const VectorSet>> load() {
    const Manifest& manifest = files_->manifest;
    for (const FileEntry& file : manifest.files) {
      if (file.number == manifest.log) files_->sealed = files_->blocks.size();
      if (Status status = load_file(file); !status) return status.error();
    }
    if (manifest.log == 0) {
      files_->sealed = files_->blocks.size();
    } else if (files_->blocks.size() - files_->sealed != manifest.log_blocks) {
      return damaged("number of blocks");
    }
    fill_table();
    return std::make_shared<const VectorSet>(std::move(files_), rows_);
  }

 private:
  // Published bytes of the file that the set before has open, and so has compared.
  [[nodiscard]] std::uint64_t known_bytes(FileNumber number) const {
    if (previous_ == nullptr) return 0;
    const auto& files = previous_->manifest.files;
    const auto known = std::ranges::find(files, number, &FileEntry::number);
    return known == files.end() ? 0 : known->bytes;
  }

  // A mapping has the size its file had when it was made: one that grew is mapped again.
  Result<std::shared_ptr<const MappedFile>> open_file(const FileEntry& file) {
    if (known_bytes(file.number) == file.bytes) return previous_->open.at(file.number);
    const std::string path = vector_path(directory_, file.number);
    auto mapped = system_.map(path);
    if (mapped) return std::make_shared<const MappedFile>(std::move(*mapped));
    if (mapped.error().code == Errc::not_found) return damaged(path + " is gone");
    return mapped.error();
  }

  Status load_file(const FileEntry& file) {
    const Manifest& manifest = files_->manifest;
    const bool is_log = file.number == manifest.log;
    auto mapped = open_file(file);
    if (!mapped) return mapped.error();
    std::string_view rest = (*mapped)->bytes();
    files_->open[file.number] = std::move(*mapped);
    if (rest.size() < file.bytes || (!is_log && rest.size() != file.bytes)) {
      return damaged("size of a file");
    }
    rest = rest.substr(0, file.bytes);
    const auto id = read_file_header(rest);
    if (!id) return id.error();
    if (*id != FileId{manifest.model, manifest.birth, file.number}) return damaged("wrong file");
    rest.remove_prefix(kFileHeaderBytes);
    const std::size_t first = rows_;
    while (!rest.empty()) {
      const bool known = file.bytes - rest.size() < known_bytes(file.number);
      auto block = read_block(rest, known ? Check::none : Check::columns);
      if (!block) return block.error();
      if (block->directory.empty() != is_log) return damaged("kind of a block");
      block->first = static_cast<Row>(rows_);
      rows_ += block->rows();
      rest.remove_prefix(block->size);
      if (!is_log && !rest.empty()) return damaged("blocks of a sealed file");
      files_->blocks.push_back(*block);
    }
    return rows_ - first == file.rows ? Status{} : damaged("number of rows");
  }

  void fill_table() {
    const bool same_log = previous_ != nullptr && files_->manifest.log != 0 &&
                          previous_->manifest.log == files_->manifest.log;
    std::size_t from = files_->sealed;
    if (same_log) {
      files_->in_log = previous_->in_log;
      from += previous_->blocks.size() - previous_->sealed;
    }
    if (from == files_->blocks.size()) return;
    auto table = std::make_shared<RowTable>(*files_->in_log);
    std::vector<TextHash> texts;
    for (std::size_t i = from; i < files_->blocks.size(); ++i) {
      const auto more = files_->blocks[i].texts;
      texts.insert(texts.end(), more.begin(), more.end());
    }
    table->add(texts);
    files_->in_log = std::move(table);
  }

  const std::string& directory_;
  const FileSystem& system_;
  const VectorSet::Files* previous_ = nullptr;
  std::shared_ptr<VectorSet::Files> files_;
  std::size_t rows_ = 0;
};

Result<std::shared_ptr<const VectorSet>> VectorSet::open(
    const std::string& directory, std::uint64_t model,
    const std::shared_ptr<const VectorSet>& previous, const FileSystem& files) {
  for (int tries = 0; tries < kOpenTries; ++tries) {
    auto manifest = read_manifest<Manifest>(directory, files);
    if (!manifest) return manifest.error();
    if (manifest->model != model) {
      return Error{Errc::unsupported, "the vectors are those of another model"};
    }
    const std::uint64_t generation = manifest->generation;
    if (previous && previous->generation() == generation) return previous;
    auto set = SetLoader(directory, std::move(*manifest), previous.get(), files).load();
    if (set) return set;
    // The writer removes what it has replaced: between the manifest and its files something newer
    // may have come. If not, it is as bad as it looks.
    if (is_current(directory, generation, files)) return set.error();
  }
  return Error{Errc::busy, "the vectors change faster than they can be opened"};
}

void VectorSet::find(std::span<const TextHash> texts, std::span<Row> rows) const {
  assert(texts.size() == rows.size());
  std::ranges::fill(rows, kNoRow);
  for (std::size_t i = 0; i < files_->sealed; ++i) files_->blocks[i].find(texts, rows);
  if (files_->in_log->size() == 0) return;
  const Row log_begins = files_->blocks[files_->sealed].first;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (rows[i] != kNoRow) continue;
    const Row place = files_->in_log->find(texts[i]);
    if (place != kNoRow) rows[i] = log_begins + place;
  }
}

void VectorSet::scan(const Query& query, std::span<float> out) const {
  assert(out.size() == rows_);
  for (const Block& block : files_->blocks) {
    score_rows(query, block.vectors, block.scales.data(), block.rows(), out.data() + block.first);
  }
}

const Block& VectorSet::block_of(Row row) const {
  assert(row < rows_);
  return *std::prev(std::ranges::upper_bound(files_->blocks, row, {}, &Block::first));
}

float VectorSet::cosine(const Query& query, Row row) const {
  const Block& block = block_of(row);
  const std::size_t at = row - block.first;
  float result = 0;
  score_rows(query, block.vector(at), &block.scales[at], 1, &result);
  return result;
}

TextHash VectorSet::text(Row row) const {
  const Block& block = block_of(row);
  return block.texts[row - block.first];
}

std::uint64_t VectorSet::generation() const {
  return files_->manifest.generation;
}

std::uint64_t VectorSet::bytes_on_disk() const {
  std::uint64_t bytes = encode_manifest(files_->manifest).size();
  for (const FileEntry& file : files_->manifest.files) bytes += file.bytes;
  return bytes;
}

Status VectorSet::verify() const {
  for (const FileEntry& file : files_->manifest.files) {
    std::string_view rest = files_->open.at(file.number)->bytes().substr(0, file.bytes);
    if (const auto id = read_file_header(rest); !id) return id.error();
    rest.remove_prefix(kFileHeaderBytes);
    while (!rest.empty()) {
      const auto block = read_block(rest);
      if (!block) return block.error();
      if (!block->vectors_are_sound()) return damaged("vectors");
      rest.remove_prefix(block->size);
    }
  }
  return {};
}

}  // namespace yore::vector
