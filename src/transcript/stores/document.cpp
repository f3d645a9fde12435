// document.cpp — one JSON document per session, which its owner rewrites as a whole:
//   {"id":…,"title":…,"messages":[{…},{…}]}       `messages` names the list; its elements are
//   records
//   [{…},{…}]                                     or the document is the list
// In a file named .jsonl it is kept as a log of changes (json_patches.hpp).
// The fields beside the list are read by the rules of [head], as metadata.
//
// The document is taken apart before it is parsed (json_pieces.hpp), so damage inside one message
// costs that message only, and one that is cut off is read up to its last whole message.
#include <algorithm>

#include "base/files/file.hpp"
#include "text/utf8.hpp"
#include "transcript/input/json_patches.hpp"
#include "transcript/input/json_pieces.hpp"
#include "transcript/spec/hooks.hpp"
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {
namespace {

// Larger ones are read up to here, and counted.
constexpr std::size_t kMaxDocumentBytes = 512ULL << 20;

class DocumentStore final : public Replayed<FileStore> {
 public:
  using Replayed::Replayed;

 private:
  Result<bool> tell(const SessionRef& session, ReplaySink& sink,
                    RecordReader& reader) const override {
    const bool spread = spec_.hooks != nullptr && spec_.hooks->document != nullptr;
    const auto text = spread ? spec_.hooks->document(session.path)
                             : read_file(session.path, kMaxDocumentBytes + 1);
    if (!text) return text.error();
    if (text->size() > kMaxDocumentBytes) sink.problem(ProblemKind::oversized, 1);
    if (!session.path.ends_with(".jsonl")) {
      return tell_document(*text, spec_, sink, reader);
    }
    const PatchedDocument patched = replay_patches(*text);
    const bool more = tell_document(patched.text, spec_, sink, reader);
    // Last: a line that was broken stays so, but there may be more of them next time.
    for (const std::uint64_t line : patched.broken) {
      if (!more) sink.problem(ProblemKind::invalid_json, line);
    }
    return more;
  }
};

}  // namespace

void each_split(std::string_view text, const std::vector<std::string>& split,
                const std::function<void(std::string_view record)>& on_record) {
  std::string common;
  std::vector<std::string_view> own(split.size());
  const bool whole =
      !split.empty() && each_raw_field(text, [&](std::string_view key, std::string_view value) {
        const auto found = std::ranges::find(split, key);
        if (found != split.end()) {
          own[static_cast<std::size_t>(found - split.begin())] = value;
        } else {
          common.append(",\"").append(key).append("\":").append(value);
        }
      });
  const bool none = std::ranges::all_of(own, &std::string_view::empty);
  if (!whole || none) return on_record(text);
  for (std::size_t i = 0; i < split.size(); ++i) {
    if (own[i].empty() || own[i] == "null") continue;
    on_record("{\"" + split[i] + "\":" + std::string(own[i]) + common + "}");
  }
}

bool tell_document(std::string_view text, const AgentSpec& spec, ReplaySink& sink,
                   RecordReader& reader) {
  const std::string_view messages = spec.messages;
  std::string_view list = text::trim(text);
  std::string head;
  bool whole = true;
  // One step of the path after the other; what stands beside them is the head.
  for (std::string_view path = messages; !path.empty() && whole && !list.empty();) {
    const std::size_t dot = path.find('.');
    const std::string_view step = path.substr(0, dot);
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
    std::string_view found;
    whole = each_raw_field(list, [&](std::string_view key, std::string_view value) {
      if (key == step) {
        found = value;
      } else {
        head.append(head.empty() ? "{\"" : ",\"").append(key).append("\":").append(value);
      }
    });
    if (found.data() != nullptr) whole = true;
    list = found.data() == nullptr ? std::string_view{} : found;
  }
  if (!head.empty()) ReplayedStore::tell_head(head.append("}"), {0, 0}, sink, reader);
  if (list.empty()) {
    if (!whole) sink.problem(ProblemKind::invalid_json, 0);
    return false;
  }
  bool more = false;
  std::uint64_t number = 0;  // its place in the list: bytes move whenever anything before changes
  const bool closed = each_raw_item(list, [&](std::string_view item) {
    more = more || sink.full();
    // A bare text among messages is a mark that something went on.
    if (more || item.starts_with('"')) return;
    ++number;
    each_split(item, spec.split, [&](std::string_view record) {
      ReplayedStore::tell_text(record, {number, 0}, sink, reader);
    });
  });
  if (!more && (!closed || !whole)) sink.problem(ProblemKind::invalid_json, 0);
  return more;
}

std::unique_ptr<const SessionStore> make_document_store(const CompiledSpec& compiled) {
  return std::make_unique<DocumentStore>(compiled);
}

}  // namespace yore::transcript
