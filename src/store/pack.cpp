#include "store/pack.hpp"

#include <zstd.h>

#include <algorithm>

#include "base/bytes.hpp"
#include "base/varint.hpp"

namespace yore::store {

using turns::Passage;

namespace {

// Compression is the most expensive step of indexing. On real transcripts level 1 packs 3.5 : 1 at
// 282 MB/s; level -1 packs 2.9 : 1 at 316 MB/s and gains nothing overall, because more is written.
constexpr int kLevel = 1;

}  // namespace

struct PackEncoder::Context {
  ZSTD_CCtx* zstd = ZSTD_createCCtx();
  std::string plain;  // both reused from pack to pack
  std::string packed;
  Context() {
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
  }
  ~Context() { ZSTD_freeCCtx(zstd); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

PackEncoder::PackEncoder() : context_(std::make_unique<Context>()) {}
PackEncoder::~PackEncoder() = default;
PackEncoder::PackEncoder(PackEncoder&&) noexcept = default;
PackEncoder& PackEncoder::operator=(PackEncoder&&) noexcept = default;

unsigned kind_of(turns::Surface surface) {
  const bool said = surface == turns::Surface::user_prompt ||
                    surface == turns::Surface::assistant_text || surface == turns::Surface::note ||
                    surface == turns::Surface::synopsis;
  return said ? kSaid : kDetails;
}

EncodedPack PackEncoder::encode_one(std::span<const Passage* const> passages) {
  EncodedPack pack;
  pack.kind = kind_of(passages.front()->surface);
  pack.count = static_cast<std::uint32_t>(passages.size());
  pack.first_turn = passages.front()->turn;
  ByteWriter out;
  out.varint(passages.size());
  std::size_t text_bytes = 0;
  for (const Passage* passage : passages) {
    pack.first_turn = std::min(pack.first_turn, passage->turn);
    pack.last_turn = std::max(pack.last_turn, passage->turn);
    out.varint(passage->turn);
    out.varint(static_cast<std::uint64_t>(passage->surface));
    out.varint(passage->block);
    out.varint(passage->text.size());
    text_bytes += passage->text.size();
  }
  std::string& plain = context_->plain;
  plain = out.bytes();
  plain.reserve(plain.size() + text_bytes);
  for (const Passage* passage : passages) plain += passage->text;

  std::string& packed = context_->packed;
  const std::size_t bound = ZSTD_compressBound(plain.size());
  if (packed.size() < bound) packed.resize(bound);
  const std::size_t size =
      ZSTD_compress2(context_->zstd, packed.data(), packed.size(), plain.data(), plain.size());
  pack.bytes.assign(packed, 0, size);  // cannot fail: the bound was given
  return pack;
}

std::vector<EncodedPack> PackEncoder::encode(std::span<const Passage> passages) {
  std::vector<EncodedPack> packs;
  std::vector<const Passage*> chosen;
  for (const unsigned kind : {kSaid, kDetails}) {
    std::size_t bytes = 0;
    for (const Passage& passage : passages) {
      if (kind_of(passage.surface) != kind) continue;
      chosen.push_back(&passage);
      bytes += passage.text.size();
      if (bytes < kPackBytes) continue;
      packs.push_back(encode_one(chosen));
      chosen.clear();
      bytes = 0;
    }
    if (!chosen.empty()) packs.push_back(encode_one(chosen));
    chosen.clear();
  }
  return packs;
}

Result<std::vector<Passage>> decode_pack(std::string_view bytes) {
  const Error damaged{Errc::corrupt, "pack of passages: damaged"};
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size > kMaxPackBytes) return damaged;  // also the two error values
  std::string plain(static_cast<std::size_t>(size), '\0');
  // Made once per thread: setting one up costs as much as a small pack.
  thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                                  &ZSTD_freeDCtx);
  if (ZSTD_decompressDCtx(context.get(), plain.data(), plain.size(), bytes.data(), bytes.size()) !=
      size) {
    return damaged;
  }
  ByteReader in(plain);
  std::vector<Passage> passages(in.count());
  std::vector<std::uint64_t> sizes;
  sizes.reserve(passages.size());
  // Where the entries end and how long the texts are: together exactly what there is.
  std::size_t texts_at = varint_bytes(passages.size());
  std::uint64_t total = 0;
  for (Passage& passage : passages) {
    passage.turn = static_cast<turns::TurnNumber>(in.varint());
    const std::uint64_t surface = in.varint();
    if (surface >= turns::kSurfaces) return damaged;
    passage.surface = static_cast<turns::Surface>(surface);
    passage.block = static_cast<std::uint32_t>(in.varint());
    sizes.push_back(in.varint());
    if (sizes.back() > plain.size()) return damaged;
    total += sizes.back();
    texts_at += varint_bytes(passage.turn) + varint_bytes(surface) + varint_bytes(passage.block) +
                varint_bytes(sizes.back());
  }
  if (!in.ok() || texts_at + total != plain.size()) return damaged;
  std::string_view texts = std::string_view(plain).substr(texts_at);
  for (std::size_t i = 0; i < passages.size(); ++i) {
    passages[i].text = texts.substr(0, sizes[i]);
    texts.remove_prefix(sizes[i]);
  }
  return passages;
}

}  // namespace yore::store
