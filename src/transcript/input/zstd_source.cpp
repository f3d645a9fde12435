#include "transcript/input/zstd_source.hpp"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/work_limit.hpp"

namespace yore::transcript {
namespace {

constexpr int kMaxWindowLog = 26;  // no frame may ask for more than 64 MB of history
constexpr std::uint64_t kMaxStepBytes = 64ULL << 20;
constexpr std::uint64_t kAlwaysUnpackedBytes = 64ULL << 20;
constexpr std::uint64_t kMaxRatio = 200;
constexpr std::uint64_t kMaxUnpackedBytes = 4ULL << 30;

struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

}  // namespace

struct ZstdSource::Stream {
  Stream(InputFile opened, std::uint64_t size_bytes, ZSTD_DStream* made)
      : file(std::move(opened)), decoder(made), max_unpacked(max_unpacked_bytes(size_bytes)) {
    input.resize(ZSTD_DStreamInSize());
    output.resize(ZSTD_DStreamOutSize());
    ZSTD_DCtx_setParameter(decoder.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
  }

  void rewind() {
    ZSTD_DCtx_reset(decoder.get(), ZSTD_reset_session_only);
    packed = unpacked = 0;
    input_at = input_end = output_size = 0;
    between_frames = true;
    ended = false;
    state = State::sound;
  }

  void end(State how) {
    ended = true;
    state = how;
  }

  // Puts the next piece into `output`. Leaves it empty at the end.
  Status unpack() {
    unpacked += output_size;
    output_size = 0;
    while (!ended && output_size == 0) {
      if (const Status go = WorkLimit::check("unpacked", "a compressed file"); !go) return go;
      if (unpacked >= max_unpacked) {
        end(State::oversized);
        break;
      }
      if (input_at == input_end) {
        const auto got = file.read_at(packed, input.data(), input.size());
        if (!got) return got.error();
        packed += *got;
        input_at = 0;
        input_end = *got;
        // Without input the decoder may still hold output, but never of a finished frame.
        if (*got == 0 && (between_frames || !draining)) {
          end(between_frames ? State::sound : State::torn);
          break;
        }
      }
      ZSTD_inBuffer in{input.data(), input_end, input_at};
      ZSTD_outBuffer out{output.data(), output.size(), 0};
      const std::size_t left = ZSTD_decompressStream(decoder.get(), &out, &in);
      if (ZSTD_isError(left) != 0) {
        end(State::damaged);
        break;
      }
      input_at = in.pos;
      output_size = out.pos;
      between_frames = left == 0;
      draining = out.pos == out.size;
    }
    return {};
  }

  InputFile file;
  std::unique_ptr<ZSTD_DStream, FreeStream> decoder;
  const std::uint64_t max_unpacked;
  std::vector<char> input;
  std::vector<char> output;
  std::uint64_t packed = 0;    // bytes of the file that were fetched
  std::uint64_t unpacked = 0;  // offset of the first byte of `output`
  std::size_t input_at = 0;
  std::size_t input_end = 0;
  std::size_t output_size = 0;
  bool between_frames = true;
  bool draining = false;
  bool ended = false;
  State state = State::sound;
};

ZstdSource::ZstdSource(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
ZstdSource::ZstdSource(ZstdSource&&) noexcept = default;
ZstdSource& ZstdSource::operator=(ZstdSource&&) noexcept = default;
ZstdSource::~ZstdSource() = default;

Result<ZstdSource> ZstdSource::open(const std::string& path) {
  auto file = InputFile::open(path);
  if (!file) return file.error();
  const auto stamp = file->stamp();
  if (!stamp) return stamp.error();
  ZSTD_DStream* const decoder = ZSTD_createDStream();
  if (decoder == nullptr) return Error{Errc::io, path + ": no memory to unpack it"};
  return ZstdSource(std::make_unique<Stream>(*std::move(file), stamp->size_bytes, decoder));
}

Result<std::size_t> ZstdSource::read_at(std::uint64_t offset, char* out, std::size_t size) {
  Stream& stream = *stream_;
  if (offset < stream.unpacked) stream.rewind();
  std::size_t done = 0;
  while (done < size) {
    const std::uint64_t at = offset + done;
    const std::uint64_t behind = stream.unpacked + stream.output_size;
    if (at >= behind) {
      if (stream.ended) break;
      if (const Status status = stream.unpack(); !status) return status.error();
      continue;
    }
    const auto from = static_cast<std::size_t>(at - stream.unpacked);
    const std::size_t bytes = std::min(size - done, stream.output_size - from);
    std::memcpy(out + done, stream.output.data() + from, bytes);
    done += bytes;
  }
  return done;
}

ZstdSource::State ZstdSource::state() const {
  return stream_->state;
}

bool is_packed_name(std::string_view path) {
  return path.ends_with(".zst") || path.ends_with(".zstd");
}

std::uint64_t max_unpacked_bytes(std::uint64_t packed_bytes) {
  const std::uint64_t counted = std::min(packed_bytes, kMaxUnpackedBytes);  // no overflow
  return std::min(kAlwaysUnpackedBytes + kMaxRatio * counted, kMaxUnpackedBytes);
}

ReadLimits unpacking_limits(const ReadLimits& limits, const Cursor& cursor) {
  const std::uint64_t offset = cursor.empty() ? 0 : ByteReader(cursor).u64();
  return {std::max(limits.max_bytes, std::min(offset / 4, kMaxStepBytes))};
}

}  // namespace yore::transcript
