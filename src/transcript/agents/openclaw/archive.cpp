#include "transcript/agents/openclaw/archive.hpp"

#include <simdjson.h>

#include <algorithm>
#include <charconv>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "base/work_limit.hpp"
#include "transcript/agents/openclaw/records.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/input/jsonl.hpp"

namespace yore::transcript::openclaw {
namespace {

namespace od = simdjson::ondemand;

// Incompressible text of the largest size still fits.
constexpr std::size_t kMaxArchiveBytes = kMaxDecodedBytes + (1 << 20);

// "archive <hash of the compressed bytes> <lines read>"
struct ArchiveCursor {
  std::uint64_t hash = 0;
  std::uint64_t lines = 0;
};
constexpr std::string_view kArchiveTag = "archive ";

Cursor encode(const ArchiveCursor& cursor) {
  return std::string(kArchiveTag) + std::to_string(cursor.hash) + ' ' +
         std::to_string(cursor.lines);
}

bool parse_number(std::string_view& text, std::uint64_t& out) {
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (ec != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool decode(std::string_view text, ArchiveCursor& out) {
  if (!text.starts_with(kArchiveTag)) return false;
  text.remove_prefix(kArchiveTag.size());
  if (!parse_number(text, out.hash) || !text.starts_with(' ')) return false;
  text.remove_prefix(1);
  return parse_number(text, out.lines) && text.empty();
}

// What one line of an archive is: an envelope with an event inside, or the entry itself.
struct Line {
  bool envelope = false;
  std::string event_json;
  std::uint64_t seq = 0;
};

// A string, or null; anything else is malformed.
bool read_string(od::value value, std::string_view& out) {
  od::json_type type{};
  if (!get_type(value, type)) return false;
  if (type == od::json_type::null) return true;
  return value.get_string().get(out) == simdjson::SUCCESS;
}

bool read_envelope_row(od::value value, Line& line) {
  od::object row;
  if (value.get_object().get(row) != simdjson::SUCCESS) return false;
  return each_field(row, [&](std::string_view key, od::value field) {
    if (key == "seq") return field.get_uint64().get(line.seq) == simdjson::SUCCESS;
    if (key != "event_json") return true;
    std::string_view text;
    if (!read_string(field, text)) return false;
    line.event_json = text;
    return true;
  });
}

// REQUIRES: `kind_value` is the object's field "kind".
bool read_envelope(od::object& object, od::value kind_value, Line& line) {
  line.envelope = true;
  std::string_view kind;
  if (!read_string(kind_value, kind)) return false;
  if (kind != "event") return true;
  od::value row;
  if (object.find_field_unordered("row").get(row) != simdjson::SUCCESS) return false;
  return read_envelope_row(row, line);
}

class ArchiveReader {
 public:
  explicit ArchiveReader(RecordSink& sink) : sink_(sink), entries_(sink, EntrySource::rows) {}

  void read(std::string_view text, std::uint64_t number) {
    Line line;
    const LineInfo where{number, number};
    read_json_text(text, where, sink_, [&](od::object& object, const LineInfo& at) {
      line = {};
      line.seq = number;
      od::value kind;
      if (object.find_field_unordered("kind").get(kind) == simdjson::SUCCESS) {
        return read_envelope(object, kind, line);
      }
      bool not_empty = false;
      if (object.reset().get(not_empty) != simdjson::SUCCESS) return false;
      return entries_.read(object, at);
    });
    if (line.event_json.empty()) return;
    // Only now: the reader of the envelope is done with its buffers.
    const LineInfo inner{line.seq, line.seq};
    read_json_text(line.event_json, inner, sink_, [&](od::object& object, const LineInfo& at) {
      return entries_.read(object, at);
    });
  }

 private:
  RecordSink& sink_;
  EntryReader entries_;
};

// What the first line of `text` calls the session: an archive's header or an entry of type session.
std::string first_line_id(std::string_view text) {
  const simdjson::padded_string line(text.substr(0, text.find('\n')));
  od::parser parser;
  od::document document;
  od::object object;
  if (parser.iterate(line).get(document) != simdjson::SUCCESS) return {};
  if (document.get_object().get(object) != simdjson::SUCCESS) return {};
  std::string_view type;
  std::string_view kind;
  std::string_view id;
  std::string_view session_id;
  const bool whole = each_field(object, [&](std::string_view key, od::value value) {
    if (key == "type") return read_string(value, type);
    if (key == "kind") return read_string(value, kind);
    if (key == "id") return read_string(value, id);
    if (key == "sessionId") return read_string(value, session_id);
    return true;
  });
  if (!whole) return {};
  if (kind == "header") return std::string(session_id);
  return type == "session" ? std::string(id) : std::string{};
}

}  // namespace

Result<std::string> load_archive(const std::string& path) {
  auto bytes = read_file(path, kMaxArchiveBytes + 1);
  if (bytes && bytes->size() > kMaxArchiveBytes) {
    return Error{Errc::unsupported, path + ": cold archive of more than 65 MB"};
  }
  return bytes;
}

std::string archive_session_id(const std::string& path, const FileView& files) {
  constexpr std::size_t kHeadBytes = 256 << 10;
  const auto head = files.read_file(path, kHeadBytes);
  if (!head) return {};
  return first_line_id(decompress(*head, kHeadBytes).text);
}

bool archive_resumable(std::string_view bytes, const Cursor& cursor) {
  ArchiveCursor at;
  return decode(cursor, at) && at.hash == hash64(bytes);
}

ReadStep read_archive(std::string_view bytes, const Cursor& cursor, const ReadLimits& limits,
                      RecordSink& sink) {
  ArchiveCursor at;
  if (!decode(cursor, at)) at = {};
  at.hash = hash64(bytes);
  const auto decoded = decompress(bytes);
  std::string_view rest = decoded.text;
  ReadStep step;
  ArchiveReader reader(sink);
  for (std::uint64_t number = 0; !rest.empty(); ++number) {
    const auto line = rest.substr(0, rest.find('\n'));
    if (number >= at.lines) {
      if (step.bytes_read > 0 && step.bytes_read >= limits.max_bytes) {
        step.more = true;
        break;
      }
      if (!line.empty()) reader.read(line, number + 1);
      step.bytes_read += line.size() + 1;
      at.lines = number + 1;
    }
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  if (!step.more && decoded.state != Decoded::State::whole) {
    const bool oversized = decoded.state == Decoded::State::oversized;
    sink.problem(oversized ? ProblemKind::oversized : ProblemKind::unreadable, at.lines);
  }
  step.cursor = encode(at);
  return step;
}

}  // namespace yore::transcript::openclaw
