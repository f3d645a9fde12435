#include "archive/packed.hpp"

#include <zstd.h>

#include <memory>

namespace yore::archive {
namespace {

// Kept for years and written once. On real transcripts level 9 packs 5 to 8 : 1.
constexpr int kLevel = 9;

}  // namespace

std::string pack(std::string_view bytes) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress2(context.get(), packed.data(), packed.size(), bytes.data(),
                               bytes.size()));  // cannot fail: the bound was given
  return packed;
}

Result<std::string> unpack(std::string_view packed, std::size_t most_bytes) {
  const Error damaged{Errc::corrupt, "compressed bytes of the archive: damaged"};
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size > most_bytes) return damaged;  // also the two error values
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size()) != size) {
    return damaged;
  }
  return bytes;
}

}  // namespace yore::archive
