#include "archive/entry.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/files/file.hpp"
#include "base/hash.hpp"

namespace yore::archive {
namespace {

constexpr std::string_view kEntryMagic = "YOREARC";
constexpr char kEntryVersion = 1;
constexpr std::size_t kHeadBytes = 8;
constexpr std::size_t kHashBytes = 8;
constexpr std::size_t kDigestDigits = 64;
constexpr std::uint64_t kMostChunkSize = 64U << 20U;

void put_ref(ByteWriter& out, const transcript::SessionRef& ref) {
  for (const std::string* text : {&ref.id, &ref.parent_id, &ref.path, &ref.row, &ref.directory,
                                  &ref.project, &ref.title, &ref.cwd, &ref.resume_key}) {
    out.text(*text);
  }
  out.varint(ref.kind == transcript::SessionKind::subagent ? 1 : 0);
  out.varint(ref.automated ? 1 : 0);
  out.varint(static_cast<std::uint64_t>(ref.reading));
}

void take_ref(ByteReader& in, transcript::SessionRef& ref) {
  for (std::string* text : {&ref.id, &ref.parent_id, &ref.path, &ref.row, &ref.directory,
                            &ref.project, &ref.title, &ref.cwd, &ref.resume_key}) {
    *text = in.text();
  }
  ref.kind = in.varint() == 1 ? transcript::SessionKind::subagent : transcript::SessionKind::main;
  ref.automated = in.varint() == 1;
  ref.reading = static_cast<int>(in.varint() & 0x7FFFFFFFU);
}

bool take_file(ByteReader& in, KeptFile& file) {
  file.path = in.text();
  file.mtime_ns = static_cast<std::int64_t>(in.u64());
  if (!file.path.starts_with('/') || absolute_path(file.path) != file.path) return false;
  const std::uint64_t count = in.count();
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    Chunk& chunk = file.chunks.emplace_back();
    chunk.digest = in.text();
    chunk.size_bytes = in.varint();
    if (!is_digest(chunk.digest) || chunk.size_bytes > kMostChunkSize) return false;
  }
  return in.ok();
}

bool take_version(ByteReader& in, Version& version) {
  version.kept_at = from_ms(static_cast<std::int64_t>(in.u64()));
  version.stamp.size_bytes = in.u64();
  version.stamp.mtime_ns = static_cast<std::int64_t>(in.u64());
  version.stamp.inode = in.u64();
  const std::uint64_t count = in.count();
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    if (!take_file(in, version.files.emplace_back())) return false;
  }
  return in.ok();
}

}  // namespace

std::uint64_t KeptFile::size_bytes() const {
  std::uint64_t size = 0;
  for (const Chunk& chunk : chunks) size += chunk.size_bytes;
  return size;
}

std::uint64_t Version::size_bytes() const {
  std::uint64_t size = 0;
  for (const KeptFile& file : files) size += file.size_bytes();
  return size;
}

bool is_digest(std::string_view text) {
  return text.size() == kDigestDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string encode_entry(const Entry& entry) {
  ByteWriter out;
  out.text(entry.agent);
  put_ref(out, entry.ref);
  out.varint(entry.origins.size());
  for (const std::uint64_t origin : entry.origins) out.u64(origin);
  out.varint(entry.versions.size());
  for (const Version& version : entry.versions) {
    out.u64(static_cast<std::uint64_t>(to_ms(version.kept_at)));
    out.u64(version.stamp.size_bytes);
    out.u64(static_cast<std::uint64_t>(version.stamp.mtime_ns));
    out.u64(version.stamp.inode);
    out.varint(version.files.size());
    for (const KeptFile& file : version.files) {
      out.text(file.path);
      out.u64(static_cast<std::uint64_t>(file.mtime_ns));
      out.varint(file.chunks.size());
      for (const Chunk& chunk : file.chunks) {
        out.text(chunk.digest);
        out.varint(chunk.size_bytes);
      }
    }
  }
  std::string bytes(kEntryMagic);
  bytes += kEntryVersion;
  bytes += out.bytes();
  ByteWriter hash;
  hash.u64(hash64(bytes));
  return bytes + hash.bytes();
}

Result<Entry> decode_entry(std::string_view bytes) {
  const Error damaged{Errc::corrupt, "entry of the archive: damaged"};
  if (bytes.size() < kHeadBytes + kHashBytes || !bytes.starts_with(kEntryMagic)) return damaged;
  const std::string_view body = bytes.substr(0, bytes.size() - kHashBytes);
  if (ByteReader(bytes.substr(body.size())).u64() != hash64(body)) return damaged;
  if (body[kEntryMagic.size()] != kEntryVersion) {
    return Error{Errc::unsupported, "entry of the archive: written by a newer yore"};
  }
  ByteReader in(body.substr(kHeadBytes));
  Entry entry;
  entry.agent = in.text();
  take_ref(in, entry.ref);
  const std::uint64_t origins = in.count();
  for (std::uint64_t i = 0; i < origins && in.ok(); ++i) entry.origins.push_back(in.u64());
  const std::uint64_t versions = in.count();
  for (std::uint64_t i = 0; i < versions && in.ok(); ++i) {
    if (!take_version(in, entry.versions.emplace_back())) return damaged;
  }
  if (!in.at_end() || entry.versions.empty() || entry.ref.id.empty()) return damaged;
  return entry;
}

}  // namespace yore::archive
