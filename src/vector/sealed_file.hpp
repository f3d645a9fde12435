// sealed_file.hpp — blocks become one sorted file.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "vector/block.hpp"
#include "vector/manifest.hpp"

namespace yore::vector {

using Keep = std::function<bool(TextHash)>;  // empty: all

// Rows of `blocks` for which `keep` is true, each text once. Written in pieces: needs about 24
// bytes of memory a row. A failure leaves no file; rows == 0: nothing was left, and no file was
// made.
Result<FileEntry> write_sealed_file(const std::string& path, const FileId& id,
                                    std::span<const Block> blocks, const Keep& keep,
                                    const FileSystem& files);

}  // namespace yore::vector
