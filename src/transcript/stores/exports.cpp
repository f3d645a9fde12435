// exports.cpp — many conversations in one JSON list, as services hand them out on request:
//   [{"id":…,"title":…,"messages":[…]},{…}]   conversations.json, in a folder or in the zip that
//   was
//                                             downloaded; a row each:
//                                             "conversations.json@OFFSET+SIZE"
// A place names the lists, and the archives that may hold lists of such names. What stands beside
// the messages is read by the rules of [head]: `key` is the conversation's id.
//
// Where `messages` is an object it is a tree: {"<node>":{"parent":"<node>",…}}. Every message comes
// after the one it answers (the slot parent_key), and the branch that ends in the message which
// `current` of the conversation names comes last: that is the conversation, the others were left.
//
// A list is streamed once to find its conversations, and left closed as long as it has not changed.
// A conversation is then read at its place; of an archive the sessions of a list are read in its
// order, so that it is unpacked once for all of them by each thread.
#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <unordered_map>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "text/utf8.hpp"
#include "transcript/input/json_list.hpp"
#include "transcript/input/json_pieces.hpp"
#include "transcript/input/zip_source.hpp"
#include "transcript/null_sink.hpp"
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {
namespace {

using simdjson::ondemand::object;

constexpr std::size_t kMagicBytes = 4;

class ExportFile final : public ByteSource {
 public:
  explicit ExportFile(InputFile file) : file_(std::move(file)) {}
  Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override {
    return file_.read_at(offset, out, size);
  }

 private:
  InputFile file_;
};

Result<std::unique_ptr<ByteSource>> open_export(const std::string& path, const std::string& name) {
  if (!name.empty()) {
    auto zip = ZipSource::open(path, name);
    if (!zip) return zip.error();
    return std::unique_ptr<ByteSource>(std::make_unique<ZipSource>(*std::move(zip)));
  }
  auto file = InputFile::open(path);
  if (!file) return file.error();
  return std::unique_ptr<ByteSource>(std::make_unique<ExportFile>(*std::move(file)));
}

// SessionRef::row.
struct ExportPlace {
  std::string name;  // in the archive; "" when there is none
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;

  [[nodiscard]] std::string row() const {
    return name + "@" + std::to_string(offset) + "+" + std::to_string(size_bytes);
  }
  static bool parse(std::string_view row, ExportPlace& out) {
    const std::size_t at = row.rfind('@');
    const std::size_t plus = row.rfind('+');
    if (at == std::string_view::npos || plus == std::string_view::npos || plus < at) return false;
    const char* const end = row.data() + row.size();
    out.name = row.substr(0, at);
    const auto first = std::from_chars(row.data() + at + 1, row.data() + plus, out.offset);
    const auto second = std::from_chars(row.data() + plus + 1, end, out.size_bytes);
    return first.ptr == row.data() + plus && second.ptr == end && out.size_bytes <= kMaxRecordBytes;
  }
};

// An archive stays open between two conversations of a thread: each then costs its own bytes.
struct OpenArchive {
  std::string path;
  std::string name;
  FileStamp stamp;
  std::unique_ptr<ByteSource> source;
  std::uint64_t offset = 0;  // of the last conversation
  std::string text;
};

Result<std::string> read_piece(ByteSource& source, const ExportPlace& place,
                               const std::string& path) {
  std::string text(place.size_bytes, '\0');
  const auto got = source.read_at(place.offset, text.data(), text.size());
  if (!got) return got.error();
  const bool same = *got == text.size() && text.starts_with('{') && text.ends_with('}');
  if (!same) return Error{Errc::busy, path + ": changed since it was looked at"};
  return text;
}

Result<std::string> read_conversation(const SessionRef& session) {
  ExportPlace place;
  if (!ExportPlace::parse(session.row, place)) {
    return Error{Errc::invalid_argument, session.path + ": no place of a conversation"};
  }
  if (place.name.empty()) {
    auto file = open_export(session.path, "");
    if (!file) return file.error();
    return read_piece(**file, place, session.path);
  }
  thread_local OpenArchive open;
  const auto stamp = stat_file(session.path);
  if (!stamp) return stamp.error();
  const bool same = open.source != nullptr && open.path == session.path &&
                    open.name == place.name && open.stamp == *stamp;
  if (!same) {
    open = {};
    auto source = open_export(session.path, place.name);
    if (!source) return source.error();
    open = {session.path, place.name, *stamp, *std::move(source), 0, ""};
  }
  // Asked for twice, to see whether it is what it was and to read it: not worth going back.
  if (open.text.empty() || open.offset != place.offset) {
    open.text.clear();
    auto text = read_piece(*open.source, place, session.path);
    if (!text) return text.error();
    open.offset = place.offset;
    open.text = *std::move(text);
  }
  return open.text;
}

// The messages of a conversation, and everything else of it as an object.
struct Conversation {
  std::string head;
  std::string_view messages;
};

Conversation take_apart(std::string_view text, std::string_view messages) {
  Conversation parts;
  each_raw_field(text, [&](std::string_view key, std::string_view value) {
    if (key == messages) {
      parts.messages = value;
      return;
    }
    parts.head.append(parts.head.empty() ? "{\"" : ",\"").append(key).append("\":").append(value);
  });
  parts.head.append(parts.head.empty() ? "{}" : "}");
  return parts;
}

// A text without its quotes; anything else is none. Ids have nothing to unescape.
std::string_view plain_text(std::string_view raw) {
  const bool text = raw.size() >= 2 && raw.starts_with('"') && raw.ends_with('"');
  return text ? raw.substr(1, raw.size() - 2) : std::string_view{};
}

std::string_view field_of(std::string_view json, std::string_view wanted) {
  std::string_view found;
  each_raw_field(json, [&](std::string_view key, std::string_view value) {
    if (key == wanted) found = value;
  });
  return found;
}

// Messages that answer each other, in the order described above. Cost: O(messages).
class MessageTree {
 public:
  MessageTree(std::string_view nodes, std::string_view parent_key, std::string_view current) {
    whole_ = each_raw_field(nodes, [&](std::string_view id, std::string_view node) {
      if (!numbers_.emplace(id, texts_.size()).second) return;
      texts_.push_back(node);
    });
    children_.resize(texts_.size());
    parents_.assign(texts_.size(), kNone);
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const auto parent = numbers_.find(plain_text(field_of(texts_[i], parent_key)));
      if (parent == numbers_.end()) {
        roots_.push_back(i);
      } else {
        parents_[i] = parent->second;
        children_[parent->second].push_back(i);
      }
    }
    const auto last = numbers_.find(current);
    put_last(last == numbers_.end() ? kNone : last->second);
  }

  [[nodiscard]] bool whole() const { return whole_; }

  // Until `on_message` gives false.
  void each(const std::function<bool(std::string_view message)>& on_message) const {
    std::vector<std::size_t> waiting(roots_.rbegin(), roots_.rend());
    while (!waiting.empty()) {
      const std::size_t node = waiting.back();
      waiting.pop_back();
      if (!on_message(texts_[node])) return;
      waiting.insert(waiting.end(), children_[node].rbegin(), children_[node].rend());
    }
  }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;

  // Every message on the way to `node` becomes the last of its siblings. A way that leads in a
  // circle ends after as many steps as there are messages.
  void put_last(std::size_t node) {
    for (std::size_t steps = 0; node != kNone && steps < texts_.size(); ++steps) {
      const std::size_t parent = parents_[node];
      auto& siblings = parent == kNone ? roots_ : children_[parent];
      const auto at = std::ranges::find(siblings, node);
      std::rotate(at, at + 1, siblings.end());
      node = parent;
    }
  }

  std::unordered_map<std::string_view, std::size_t> numbers_;
  std::vector<std::string_view> texts_;
  std::vector<std::size_t> parents_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::size_t> roots_;
  bool whole_ = true;
};

class ExportsStore final : public Replayed<SessionStore> {
 public:
  using Replayed::Replayed;

  Result<Listing> sessions(const Root& root, const PreviousListing& known) const override {
    Listing listing;
    return list_databases(spec_, root, known, listing, [&](const std::string& path) -> Status {
      const Status status = list_export(path, known.files, listing);
      if (status) return status;
      // A problem of a listing has the path in front of it anyway.
      const std::string& message = status.error().message;
      const bool named = message.starts_with(path + ": ");
      return Error{status.error().code, named ? message.substr(path.size() + 2) : message};
    });
  }

 private:
  Status list_export(const std::string& path, const FileView& files, Listing& listing) const {
    const auto magic = files.read_range(path, 0, kMagicBytes);
    if (!magic) return magic.error();
    if (!is_zip(*magic)) return list_conversations(path, "", listing);
    const auto names = zip_names(path);
    if (!names) return names.error();
    for (const std::string& name : *names) {
      // An archive holds other files too, and may be of somebody else.
      if (!has_name(name) || !name.ends_with(".json")) continue;
      if (Status status = list_conversations(path, name, listing); !status) return status;
    }
    return {};
  }

  Status list_conversations(const std::string& path, const std::string& name,
                            Listing& listing) const {
    const auto stamp = stat_file(path);
    if (!stamp) return stamp.error();
    auto source = open_export(path, name);
    if (!source) return source.error();
    const std::size_t before = listing.sessions.size();
    std::uint64_t too_large = 0;
    const auto closed = each_list_object(**source, [&](const ListItem& item) {
      if (item.text.empty()) ++too_large;
      const ExportPlace place{name, item.offset, item.size_bytes};
      if (!item.text.empty()) add(path, place, item.text, stamp->mtime_ns, listing);
    });
    if (!closed) return closed.error();
    const std::string file = name.empty() ? "" : name + ": ";
    const auto note = [&](const std::string& what) {
      listing.problems.emplace_back(path, file + what);
    };
    if (too_large > 0) {
      note(std::to_string(too_large) + " conversations of more than 32 MB cannot be read");
    }
    if (listing.sessions.size() > before) {
      if (!*closed) note("ends in the middle of a conversation");
      return {};
    }
    if (*closed && is_empty(**source)) return {};
    return Error{Errc::unsupported, file + "holds no conversations of " + spec_.display_name};
  }

  // "[]": an export of somebody who has said nothing.
  static bool is_empty(ByteSource& source) {
    std::array<char, 16> text{};
    const auto got = source.read_at(0, text.data(), text.size());
    if (!got) return false;
    const std::string_view all = text::trim({text.data(), *got});
    return all.starts_with('[') && text::trim(all.substr(1)) == "]";
  }

  void add(const std::string& path, const ExportPlace& place, std::string_view text,
           std::int64_t mtime_ns, Listing& listing) const {
    const Conversation parts = take_apart(text, spec_.messages);
    if (parts.messages.empty()) return;
    RecordDraft draft(spec_.dialect);
    std::vector<std::string> unknown;
    SessionRef session;
    NullSink sink;
    read_json_text(parts.head, {}, sink, [&](object& json, const LineInfo&) {
      if (!read_fields(compiled_.head, json, draft, unknown)) return false;
      const std::string_view id = draft.text(Slot::key);
      if (is_usable_id(id)) session.id = session_id(spec_, "", id);
      return true;
    });
    if (session.id.empty()) return;
    session.path = path;
    session.row = place.row();
    // All of one file as old as it is: they stay in its order.
    session.stamp = {place.size_bytes, mtime_ns, hash64(text)};
    listing.sessions.push_back(std::move(session));
  }

  Result<bool> tell(const SessionRef& session, ReplaySink& sink,
                    RecordReader& reader) const override {
    const auto text = read_conversation(session);
    if (!text) return text.error();
    const Conversation parts = take_apart(*text, spec_.messages);
    if (!parts.messages.starts_with('{')) return tell_document(*text, spec_, sink, reader);
    tell_head(parts.head, {}, sink, reader);
    const auto parent = std::ranges::find(spec_.fields, Slot::parent_key, &FieldRule::slot);
    const std::string_view parent_key =
        parent == spec_.fields.end() ? std::string_view("parent") : std::string_view(parent->path);
    const MessageTree tree(parts.messages, parent_key,
                           plain_text(field_of(parts.head, spec_.current)));
    bool more = false;
    std::uint64_t number = 0;
    tree.each([&](std::string_view message) {
      more = sink.full();
      if (more) return false;
      tell_text(message, {++number, 0}, sink, reader);
      return true;
    });
    if (!more && !tree.whole()) sink.problem(ProblemKind::invalid_json, 0);
    return more;
  }
};

}  // namespace

std::unique_ptr<const SessionStore> make_exports_store(const CompiledSpec& compiled) {
  return std::make_unique<ExportsStore>(compiled);
}

}  // namespace yore::transcript
