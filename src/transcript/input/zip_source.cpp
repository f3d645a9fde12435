#include "transcript/input/zip_source.hpp"

#include <minizip/unzip.h>

#include <algorithm>
#include <array>

#include "base/work_limit.hpp"
#include "transcript/input/zstd_source.hpp"

namespace yore::transcript {
namespace {

constexpr std::size_t kMaxZipNames = 100'000;
constexpr std::size_t kMaxZipNameBytes = 1024;
constexpr std::size_t kZipChunkBytes = 256 << 10;
constexpr std::uint64_t kHasPassword = 1;  // bit of a file's flags

struct CloseZip {
  void operator()(void* file) const {
    unzCloseCurrentFile(file);
    unzClose(file);
  }
};
using ZipHandle = std::unique_ptr<void, CloseZip>;

Error bad_zip(const std::string& path, std::string_view why) {
  return {Errc::unsupported, path + ": " + std::string(why)};
}

Result<ZipHandle> open_zip(const std::string& path) {
  // A pipe or a device would block us.
  if (!is_regular_file(path)) return Error{Errc::not_found, path + ": no such file"};
  ZipHandle zip(unzOpen64(path.c_str()));
  if (zip == nullptr) return bad_zip(path, "is no zip archive, or a damaged one");
  return zip;
}

}  // namespace

bool is_zip(std::string_view head) {
  return head.starts_with("PK\3\4") || head.starts_with("PK\5\6");
}

Result<std::vector<std::string>> zip_names(const std::string& path) {
  const auto zip = open_zip(path);
  if (!zip) return zip.error();
  std::vector<std::string> names;
  std::array<char, kMaxZipNameBytes> name{};
  int state = unzGoToFirstFile(zip->get());
  for (; state == UNZ_OK && names.size() < kMaxZipNames; state = unzGoToNextFile(zip->get())) {
    if (const Status go = WorkLimit::check("looked at", path); !go) return go.error();
    unz_file_info64 info{};
    const int got = unzGetCurrentFileInfo64(zip->get(), &info, name.data(), name.size(), nullptr, 0,
                                            nullptr, 0);
    if (got != UNZ_OK) return bad_zip(path, "is a damaged zip archive");
    if (info.size_filename >= name.size()) continue;  // no name of ours
    names.emplace_back(name.data(), info.size_filename);
  }
  const bool ended = state == UNZ_END_OF_LIST_OF_FILE || names.size() == kMaxZipNames;
  if (state != UNZ_OK && !ended) return bad_zip(path, "is a damaged zip archive");
  return names;
}

struct ZipSource::Stream {
  // Puts the next bytes into `buffer`; none at the end.
  Status unpack() {
    if (const Status go = WorkLimit::check("unpacked", path); !go) return go;
    unpacked += size;
    size = 0;
    if (unpacked >= max_unpacked) return bad_zip(path, "holds more than an export can");
    const int got =
        unzReadCurrentFile(zip.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
    if (got < 0) return bad_zip(path, "is a damaged zip archive");
    size = static_cast<std::size_t>(got);
    ended = got == 0;
    return {};
  }

  Status rewind() {
    unzCloseCurrentFile(zip.get());
    unpacked = size = 0;
    ended = false;
    if (unzOpenCurrentFile(zip.get()) == UNZ_OK) return {};
    return bad_zip(path, "is packed in a way that is not known");
  }

  std::string path;
  ZipHandle zip;
  std::uint64_t max_unpacked = 0;
  std::vector<char> buffer = std::vector<char>(kZipChunkBytes);
  std::uint64_t unpacked = 0;  // offset of the first byte of `buffer`
  std::size_t size = 0;
  bool ended = false;
};

ZipSource::ZipSource(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
ZipSource::ZipSource(ZipSource&&) noexcept = default;
ZipSource& ZipSource::operator=(ZipSource&&) noexcept = default;
ZipSource::~ZipSource() = default;

Result<ZipSource> ZipSource::open(const std::string& path, const std::string& name) {
  constexpr int kExactName = 1;
  auto zip = open_zip(path);
  if (!zip) return zip.error();
  const auto stamp = stat_file(path);
  if (!stamp) return stamp.error();
  unz_file_info64 info{};
  const bool found =
      unzLocateFile(zip->get(), name.c_str(), kExactName) == UNZ_OK &&
      unzGetCurrentFileInfo64(zip->get(), &info, nullptr, 0, nullptr, 0, nullptr, 0) == UNZ_OK;
  if (!found) return bad_zip(path, "has no file " + name.substr(0, 200));
  if ((info.flag & kHasPassword) != 0) return bad_zip(path, "is locked with a password");
  auto stream = std::make_unique<Stream>();
  stream->path = path;
  stream->zip = *std::move(zip);
  stream->max_unpacked = max_unpacked_bytes(stamp->size_bytes);
  if (const Status opened = stream->rewind(); !opened) return opened.error();
  return ZipSource(std::move(stream));
}

Result<std::size_t> ZipSource::read_at(std::uint64_t offset, char* out, std::size_t size) {
  Stream& stream = *stream_;
  if (offset < stream.unpacked) {
    if (const Status status = stream.rewind(); !status) return status.error();
  }
  std::size_t done = 0;
  while (done < size) {
    const std::uint64_t at = offset + done;
    if (at >= stream.unpacked + stream.size) {
      if (stream.ended) break;
      if (const Status status = stream.unpack(); !status) return status.error();
      continue;
    }
    const auto from = static_cast<std::size_t>(at - stream.unpacked);
    const std::size_t bytes = std::min(size - done, stream.size - from);
    std::copy_n(stream.buffer.data() + from, bytes, out + done);
    done += bytes;
  }
  return done;
}

}  // namespace yore::transcript
