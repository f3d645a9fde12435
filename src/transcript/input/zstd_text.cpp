#include "transcript/input/zstd_text.hpp"

#include <zstd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/work_limit.hpp"

namespace yore::transcript {
namespace {

constexpr int kMaxTextWindowLog = 26;  // no frame may ask for more than 64 MB of history
constexpr std::string_view kFrameMark = "\x28\xb5\x2f\xfd";

struct FreeTextStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

}  // namespace

Decoded decompress(std::string_view bytes, std::size_t max_bytes) {
  Decoded out;
  const std::unique_ptr<ZSTD_DStream, FreeTextStream> stream(ZSTD_createDStream());
  if (!stream) return {{}, Decoded::State::damaged};
  ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, kMaxTextWindowLog);
  std::vector<char> buffer(ZSTD_DStreamOutSize());
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  std::size_t pending = 1;  // 0 at the end of a frame
  bool full = true;         // the output buffer was: there may be more without more input
  while (input.pos < input.size || (full && pending != 0)) {
    ZSTD_outBuffer output{buffer.data(), buffer.size(), 0};
    pending = ZSTD_decompressStream(stream.get(), &output, &input);
    if (ZSTD_isError(pending) != 0 || WorkLimit::is_over()) {
      out.state = Decoded::State::damaged;
      return out;
    }
    full = output.pos == output.size;
    const auto room = max_bytes - out.text.size();
    out.text.append(buffer.data(), std::min(room, output.pos));
    if (output.pos > room) {
      out.state = Decoded::State::oversized;
      return out;
    }
  }
  if (pending != 0) out.state = Decoded::State::damaged;
  return out;
}

bool is_compressed(std::string_view bytes) {
  return bytes.starts_with(kFrameMark);
}

}  // namespace yore::transcript
