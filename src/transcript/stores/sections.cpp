// sections.cpp — text in which marks at the begin of a line say who speaks, as in Aider's Markdown:
//   # aider chat started at 2026-05-02 10:00:00      a mark of type "session" begins a new one
//   #### add a test                                  lines of one type belong together
//   > Applied edit to p.c
//   Done.                                            the mark "" is everything else
//   ```                                              one with an `end` holds all up to it
// A section becomes an object {"type":…,"text":…}; that of a session's mark stands first, its text
// what follows the mark. Before an `end`, marks count only on lines that end in `line_end`: what
// was cut off does not swallow the rest of the file.
//
// Sessions of one file are told apart by what follows their mark: "<id>.2026-05-02-10-00-00", or
// by their number when nothing does.
//
// A section that grows is another one than was told: the session is then read again (replay.hpp).
// A file that has not changed is not opened to be listed; when it has, only sessions whose bytes
// are others are read.
#include <algorithm>
#include <unordered_map>

#include "base/ascii.hpp"
#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "text/utf8.hpp"
#include "transcript/spec/tool_render.hpp"
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {
namespace {

constexpr std::size_t kMaxTextBytes = 512ULL << 20;
constexpr std::string_view kSession = "session";
constexpr std::size_t kMaxNameChars = 64;

// "2026-05-02 10:00:00" -> "2026-05-02-10-00-00": as part of an id.
std::string id_part(std::string_view text) {
  std::string part(text.substr(0, kMaxNameChars));
  std::ranges::replace_if(
      part, [](char c) { return !ascii::is_alnum(c); }, '-');
  return part;
}

struct Line {
  const SectionRule* rule = nullptr;  // null: of no section
  std::string_view text;              // behind the mark
  std::string_view raw;
  std::uint64_t number = 0;
};

// Reads lines one after the other.
class LineReader {
 public:
  explicit LineReader(const AgentSpec& spec) : spec_(spec) {}

  Line read(std::string_view raw, std::uint64_t number) {
    std::string_view text = raw;
    if (text.ends_with('\r')) text.remove_suffix(1);
    const bool ended = !spec_.line_end.empty() && text.ends_with(spec_.line_end);
    if (ended) text.remove_suffix(spec_.line_end.size());
    const SectionRule* marked = longest(text);
    const bool closes = inside_ != nullptr && text.starts_with(inside_->end);
    if (!closes && breaks_out(marked, ended)) inside_ = nullptr;
    Line line{inside_ != nullptr ? inside_ : marked, text, raw, number};
    if (line.rule == nullptr) return line;
    const bool between = inside_ != nullptr && !closes;
    const bool opens = inside_ == nullptr && !line.rule->end.empty();
    if (closes) inside_ = nullptr;
    if (opens) inside_ = line.rule;
    if (line.rule->whole || between) return line;
    line.text.remove_prefix(opens || closes ? text.size() : line.rule->mark.size());
    if (!line.rule->until.empty()) {
      line.text = line.text.substr(0, line.text.find(line.rule->until));
    }
    return line;
  }

 private:
  [[nodiscard]] const SectionRule* longest(std::string_view text) const {
    const SectionRule* best = nullptr;
    for (const SectionRule& rule : spec_.sections) {
      const bool longer = best == nullptr || rule.mark.size() > best->mark.size();
      if (text.starts_with(rule.mark) && longer) best = &rule;
    }
    return best;
  }
  // Is it a mark even where everything is text?
  [[nodiscard]] static bool breaks_out(const SectionRule* marked, bool ended) {
    if (marked == nullptr || marked->mark.empty()) return false;
    return ended || marked->type == kSession;
  }

  const AgentSpec& spec_;
  const SectionRule* inside_ = nullptr;  // whose end is awaited
};

// Calls on_line(line, session) until it returns false. Sessions are numbered from 1; what stands
// before the first mark belongs to the first.
template <typename OnLine>
void each_line(const AgentSpec& spec, std::string_view text, const OnLine& on_line) {
  LineReader reader(spec);
  std::uint64_t marks = 0;
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const Line line = reader.read(text.substr(0, end), number);
    if (line.rule != nullptr && line.rule->type == kSession) ++marks;
    if (!on_line(line, std::max<std::uint64_t>(marks, 1))) return;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

class SectionsStore final : public FileStore, private ReplayedStore {
 public:
  using FileStore::FileStore;

  Result<bool> resumable(const SessionRef& session, const Cursor& cursor) const override {
    return replay_fits(session, cursor);
  }
  Result<ReadStep> read(const SessionRef& session, const Cursor& cursor, const ReadLimits& limits,
                        RecordSink& sink) const override {
    return replay(compiled_, session, cursor, limits, sink);
  }

 private:
  [[nodiscard]] const CompiledSpec& compiled() const override { return compiled_; }

  struct Found {
    std::string name;
    std::uint64_t bytes = 0;
    std::uint64_t hash = 0;
    bool any = false;
  };

  [[nodiscard]] std::vector<Found> find_sessions(std::string_view text) const {
    std::vector<Found> found;
    each_line(spec_, text, [&](const Line& line, std::uint64_t session) {
      if (found.size() < session) found.emplace_back();
      Found& each = found.back();
      if (line.rule != nullptr && line.rule->type == kSession) {
        each.name = id_part(text::trim(line.text));
      }
      each.any = each.any || !text::trim(line.text).empty();
      each.bytes += line.raw.size() + 1;
      each.hash = hash64(line.raw, each.hash);
      return true;
    });
    return found;
  }

  void add(SessionRef session, const Captures&, const PlaceRule&, const PreviousListing& known,
           PlaceFinder&, Listing& listing) const override {
    if (known.unchanged(session.path, session.stamp)) {
      listing.unchanged.push_back(session.path);
      return;
    }
    const auto text = known.files.read_file(session.path, kMaxTextBytes);
    if (!text) {
      listing.problems.emplace_back(session.path, text.error().message);
      return;
    }
    listing.containers.push_back({session.path, session.stamp});
    std::unordered_map<std::string, int> names;
    std::uint64_t number = 0;
    for (const Found& found : find_sessions(*text)) {
      ++number;
      if (!found.any) continue;
      SessionRef each = session;
      std::string name = found.name;
      if (name.empty() && number > 1) name = std::to_string(number);
      const int copies = ++names[name];
      if (!name.empty()) each.id += "." + name;
      if (copies > 1) each.id += "." + std::to_string(copies);
      each.row = std::to_string(number);
      each.stamp = {found.bytes, static_cast<std::int64_t>(found.hash >> 1U), 0};
      listing.sessions.push_back(std::move(each));
    }
  }

  Result<bool> tell(const SessionRef& session, ReplaySink& sink,
                    RecordReader& reader) const override {
    const auto text = read_file(session.path, kMaxTextBytes);
    if (!text) return text.error();
    Teller teller{sink, reader, nullptr, {}, 0, false};
    each_line(spec_, *text, [&](const Line& line, std::uint64_t number) {
      const bool own = std::to_string(number) == session.row;
      if (own && line.rule != nullptr) teller.add(line);
      return !teller.more;
    });
    teller.finish();
    return teller.more;
  }

  // Puts the lines of one section together.
  struct Teller {
    ReplaySink& sink;
    RecordReader& reader;
    const SectionRule* rule = nullptr;
    std::string text;
    std::uint64_t line = 0;
    bool more = false;

    void add(const Line& next) {
      if (rule == nullptr || next.rule->single || next.rule->type != rule->type) {
        finish();
        rule = next.rule;
        line = next.number;
        text.clear();
      } else {
        text += '\n';
      }
      text += next.text;
    }
    void finish() {
      if (rule == nullptr || text::trim(text).empty()) return;
      more = more || sink.full();
      if (more) return;
      std::string object = "{\"type\":\"";
      append_json_escaped(object, rule->type);
      object += "\",\"";
      append_json_escaped(object, rule->key);
      object += "\":\"";
      append_json_escaped(object, text::trim(text));
      object += "\"}";
      tell_text(object, {line, line}, sink, reader);
      rule = nullptr;
    }
  };
};

}  // namespace

std::unique_ptr<const SessionStore> make_sections_store(const CompiledSpec& compiled) {
  return std::make_unique<SectionsStore>(compiled);
}

}  // namespace yore::transcript
