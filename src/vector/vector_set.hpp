// vector_set.hpp — the vectors of texts as they were published at one moment.
//
// A vector belongs to a text, which is named by its hash; which passages have that text, the set
// does not know. So it stays right whatever happens to the database, as long as the model is the
// same. A text has one row.
//
// Immutable and shared: who holds a set keeps it, mapped, while newer ones appear and its files are
// removed. Opening reads names and scales (12 bytes a row) and compares them with their checksums;
// of the vectors only those that are looked at come from the disk. Threads: const, so any number
// may use one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/files/file_system.hpp"
#include "base/result.hpp"
#include "vector/types.hpp"

namespace yore::vector {

struct Block;

class VectorSet {
 public:
  // not_found: there are none yet; unsupported: another format or another model; corrupt: they
  // are damaged. All three mean: a writer begins anew.
  // Given a `previous` set of the same directory, what both use is not checked again; it is
  // returned itself when nothing newer was published.
  static Result<std::shared_ptr<const VectorSet>> open(
      const std::string& directory, std::uint64_t model,
      const std::shared_ptr<const VectorSet>& previous = nullptr,
      const FileSystem& files = real_file_system());

  [[nodiscard]] std::size_t rows() const { return rows_; }
  // The row of each text, kNoRow where there is none. Many at once are much cheaper than one by
  // one. REQUIRES: as many places as texts
  void find(std::span<const TextHash> texts, std::span<Row> rows) const;
  // The cosine of every row with the query. REQUIRES: out.size() == rows()
  void scan(const Query& query, std::span<float> out) const;
  // The same value to the bit. REQUIRES: row < rows()
  [[nodiscard]] float cosine(const Query& query, Row row) const;
  // Whose row it is. REQUIRES: row < rows()
  [[nodiscard]] TextHash text(Row row) const;

  // Identifies the publication: changes with every one.
  [[nodiscard]] std::uint64_t generation() const;
  [[nodiscard]] std::uint64_t bytes_on_disk() const;
  // Every byte of every file against its checksum.
  [[nodiscard]] Status verify() const;

  // Made by open().
  struct Files;
  VectorSet(std::shared_ptr<const Files> files, std::size_t rows)
      : files_(std::move(files)), rows_(rows) {}

 private:
  friend class VectorWriter;
  friend class SetLoader;
  [[nodiscard]] const Block& block_of(Row row) const;
  std::shared_ptr<const Files> files_;
  std::size_t rows_ = 0;
};

// Is `generation` still what is published last? Costs one small read.
bool is_current(const std::string& directory, std::uint64_t generation,
                const FileSystem& files = real_file_system());

}  // namespace yore::vector
