// blobs.cpp — a database for each session, whose messages are blobs named by the hash of what is in
// them, as the CLI of Cursor keeps them:
//   meta    key "0": JSON in hexadecimal digits, {"name","createdAt","latestRootBlobId":<id>}
//   blobs   id, data: a JSON message, or a node (Protocol Buffers) whose fields 1 and 2 are ids of
//           32 bytes, field 4 a JSON message, and of the root field 9 the folder that was worked in
// The messages are those that the root leads to, in its order; others are of branches that were
// left. The JSON of `meta`, and the folder as "workspace", are read by the rules of [head].
//
// Locks: one statement for each blob, none of them left open. A session that changes meanwhile is
// read again by the next run.
#include <optional>

#include "base/ascii.hpp"
#include "transcript/input/json_pieces.hpp"
#include "transcript/input/proto_fields.hpp"
#include "transcript/spec/tool_render.hpp"
#include "transcript/stores/foreign_database.hpp"
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {
namespace {

constexpr std::size_t kIdBytes = 32;
constexpr int kMaxNodeDepth = 1000;
constexpr std::size_t kMaxBlobs = 1'000'000;

std::string to_digits(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    digits += kDigits[byte >> 4U];
    digits += kDigits[byte & 0xFU];
  }
  return digits;
}

// What the digits stand for; a text that is none of them as it is.
std::string from_digits(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    if (!ascii::is_hex(digits[i]) || !ascii::is_hex(digits[i + 1])) return std::string(digits);
    bytes += static_cast<char>(ascii::hex_value(digits[i]) * 16 + ascii::hex_value(digits[i + 1]));
  }
  return bytes;
}

bool is_blob_id(const ProtoField& field) {
  return (field.number == 1 || field.number == 2) && field.bytes.size() == kIdBytes;
}

// One reading of one session.
class BlobWalk {
 public:
  BlobWalk(Statement& blob, ReplaySink& sink, RecordReader& reader)
      : blob_(blob), sink_(sink), reader_(reader) {}

  Result<std::string> fetch(const std::string& id) {
    blob_.bind(1, id);
    const auto row = blob_.step();
    std::string data;
    if (row && *row) data = blob_.text(0);
    blob_.reset();
    if (!row) return row.error();
    return data;
  }

  // Tells what a blob leads to; true when the sink was full before the end.
  Result<bool> tell(std::string_view data, int depth) {
    if (data.starts_with('{')) {
      ReplayedStore::tell_text(data, {++number_, 0}, sink_, reader_);
      return false;
    }
    std::vector<std::string> ids;
    const bool whole = each_proto_field(data, [&](const ProtoField& field) {
      if (is_blob_id(field)) ids.push_back(to_digits(field.bytes));
    });
    if (!whole || depth >= kMaxNodeDepth) sink_.problem(ProblemKind::unreadable, 0);
    if (depth >= kMaxNodeDepth) return false;
    for (const std::string& id : ids) {
      if (sink_.full() || number_ >= kMaxBlobs) return sink_.full();
      const auto inner = fetch(id);
      if (!inner) return inner.error();
      auto more = tell(*inner, depth + 1);
      if (!more || *more) return more;
    }
    const std::string_view message = proto_bytes(data, 4);
    if (message.starts_with('{')) {
      ReplayedStore::tell_text(message, {++number_, 0}, sink_, reader_);
    }
    return false;
  }

 private:
  Statement& blob_;
  ReplaySink& sink_;
  RecordReader& reader_;
  std::uint64_t number_ = 0;
};

class BlobsStore final : public Replayed<FileStore> {
 public:
  using Replayed::Replayed;

 private:
  // What is new may stand in the log beside the database.
  void add(SessionRef session, const Captures&, const PlaceRule&, const PreviousListing& known,
           PlaceFinder&, Listing& listing) const override {
    if (const auto stamp = database_stamp(session.path, known.files)) session.stamp = *stamp;
    listing.sessions.push_back(std::move(session));
  }

  Result<bool> tell(const SessionRef& session, ReplaySink& sink,
                    RecordReader& reader) const override {
    auto database = open_foreign(session.path);
    if (!database) return database.error();
    for (const auto& [table, columns] :
         {std::pair{"meta", std::pair{"key", "value"}}, {"blobs", {"id", "data"}}}) {
      const auto known = table_columns(*database, table);
      if (!known) return known.error();
      // It is being made, or its agent has changed: nothing can be told of it now.
      if (!has_all(*known, {columns.first, columns.second})) {
        sink.problem(ProblemKind::unreadable, 0);
        return false;
      }
    }
    std::string head;
    const Status read =
        for_each_row(*database, "SELECT value FROM meta WHERE key='0'",
                     [&](const Statement& row) { head = from_digits(row.text(0)); });
    if (!read) return read.error();
    std::string_view root;
    each_raw_field(head, [&](std::string_view key, std::string_view value) {
      if (key == "latestRootBlobId" && value.size() > 2) root = value.substr(1, value.size() - 2);
    });
    if (!head.empty()) tell_head(head, {}, sink, reader);
    auto blob = database->prepare("SELECT data FROM blobs WHERE id=?1");
    if (!blob) return blob.error();
    BlobWalk walk(*blob, sink, reader);
    const auto data = walk.fetch(std::string(root));
    if (!data) return data.error();
    const std::string_view folder = proto_bytes(*data, 9);
    if (!folder.empty()) {
      std::string place = "{\"workspace\":\"";
      append_json_escaped(place, folder);
      tell_head(place.append("\"}"), {}, sink, reader);
    }
    return walk.tell(*data, 0);
  }
};

}  // namespace

std::unique_ptr<const SessionStore> make_blobs_store(const CompiledSpec& compiled) {
  return std::make_unique<BlobsStore>(compiled);
}

}  // namespace yore::transcript
