// vector_writer.hpp — vectors come, are published at once, and go when no text needs them.
//
// An append costs one write and one small file; many small ones are folded into sorted files as
// they pile up. REQUIRES: one writer at a time, whose caller holds a lock; readers take none.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/result.hpp"
#include "vector/types.hpp"
#include "vector/vector_set.hpp"

namespace yore::vector {

struct WriterLimits {
  // The log is folded when it has this many blocks or bytes.
  std::uint64_t fold_blocks = 512;
  std::uint64_t fold_bytes = 16U << 20;
  // Together with neighbours that are no larger than what is folded already, up to this: a fold
  // must not take long. compact() knows no such bound.
  std::uint64_t max_merge_bytes = 64U << 20;
};

class VectorWriter {
 public:
  // Compares every byte with its checksum. Where there is nothing, or damage, or another model, it
  // begins anew with all rows of this model that are still sound: a vector depends on the model and
  // its text alone, so it is right wherever it is found. REQUIRES: `files` outlives the writer.
  static Result<VectorWriter> open(const std::string& directory, std::uint64_t model,
                                   const WriterLimits& limits = {},
                                   const FileSystem& files = real_file_system());
  VectorWriter(VectorWriter&&) noexcept;
  VectorWriter& operator=(VectorWriter&&) noexcept;
  ~VectorWriter();

  // What is published; replaced by every call below that changes something.
  [[nodiscard]] std::shared_ptr<const VectorSet> set() const;

  // Appends and publishes: new readers see it when this returns. Texts that have a vector keep it.
  // `vectors`: kDimensions floats of length 1 for each text. invalid_argument: other sizes, or a
  // value that is not finite. not_found, corrupt, unsupported: the files were removed or damaged by
  // others since; open it anew.
  Status append(std::span<const TextHash> texts, std::span<const float> vectors);
  // Rewrites all into one file, with the texts for which `keep` is true.
  Status compact(const std::function<bool(TextHash)>& keep);

 private:
  struct State;
  explicit VectorWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace yore::vector
