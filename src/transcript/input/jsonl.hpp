// jsonl.hpp — reads a file of JSON values, one a line, whatever the file holds.
//
// Bounded memory: a window of 1 MB slides over the file, whatever its size. It grows for a longer
// line, up to kMaxRecordBytes; the parser then needs up to six times the line's length. A line
// beyond that is counted and only its head is parsed; holes of a sparse file in it cost nothing.
//
// What can be wrong and what happens (each kind counted once a line):
//   torn last line            not consumed, not counted; read again when the file has grown
//   two values on one line    both are read
//   junk between or behind the values of a line
//                             skipped, counted as invalid_json
//   invalid UTF-8, lone surrogates, NUL and control bytes
//                             repaired with U+FFFD, the record is read
//   a value that is no object, or one that the handler refuses
//                             skipped, counted as wrong_type
//   anything else             skipped, counted as invalid_json
// A last line without its newline is read when it is complete and valid. So whatever the pieces in
// which a file was written and read, the records and problems are those of reading it once.
//
// Cursor, 36 bytes, little-endian:
//   u64 offset      bytes consumed
//   u64 lines       newlines consumed
//   u64 head_hash   of the first head_bytes of the file
//   u64 tail_hash   of the last min(4096, offset) bytes before offset
//   u32 head_bytes  min(4096, offset)
// An append is believed when both hashes still match. The empty cursor is the start of the file.
//
// Cost: one parse per line, in place; more only for lines with something wrong. O(file) in time.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/files/file.hpp"
#include "base/result.hpp"
#include "transcript/adapter.hpp"
#include "transcript/record.hpp"

namespace yore::transcript {

inline constexpr std::uint64_t kMaxRecordBytes = 32ULL << 20;
inline constexpr std::size_t kOversizedHeadBytes = 256 << 10;

struct LineInfo {
  std::uint64_t offset = 0;  // of the value's first byte
  std::uint64_t line = 0;    // 1-based
};

// Called for each JSON object. Returns false when the value is not what a record should be (a field
// of the wrong type, or an error of the parser in the middle): the line is then repaired and tried
// once more, and counted when that does not help. A handler therefore acts only after it has read
// the whole object. A field's string may be asked for once only: the parser's buffer for unescaped
// strings has room for each of them, not for two of each.
using OnObject = std::function<bool(simdjson::ondemand::object& object, const LineInfo& where)>;

// Bytes by position: a file, or what a compressed file holds (zstd_source.hpp). One thread at a
// time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Bytes read into `out`; fewer than `size` only at the end.
  virtual Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) = 0;
  // As InputFile::next_data().
  virtual std::uint64_t next_data(std::uint64_t offset) { return offset; }
};

// Does the file still hold what was read up to this cursor? False when it shrank or was rewritten,
// and for what is no cursor; not_found when the file is gone.
Result<bool> jsonl_resumable(const std::string& path, const Cursor& cursor);
Result<bool> jsonl_resumable(ByteSource& source, const Cursor& cursor);

// Reads the lines after the cursor. At least one line is consumed by each call, whatever the limit,
// as long as there is one. A read that fails after some lines is no error yet: the step says
// `more`, and the next call fails.
Result<ReadStep> read_jsonl(const std::string& path, const Cursor& cursor, const ReadLimits& limits,
                            RecordSink& sink, const OnObject& on_object);
// `name` is for messages.
Result<ReadStep> read_jsonl(ByteSource& source, std::string_view name, const Cursor& cursor,
                            const ReadLimits& limits, RecordSink& sink, const OnObject& on_object);

// The same over one text in memory (a database row, a decompressed file): every value in it, one a
// line or one over many lines. The text is complete: its last line needs no newline. `where` is
// where the text starts; with line 0 (a row) it is handed on as it is.
void read_json_text(std::string_view text, const LineInfo& where, RecordSink& sink,
                    const OnObject& on_object);

}  // namespace yore::transcript
