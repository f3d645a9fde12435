// sections.cpp — text in which marks at the begin of a line say who speaks, as in Aider's Markdown:
//   # aider chat started at 2026-05-02 10:00:00      a mark of type "session" begins a new one
//   #### add a test                                  lines of one mark belong together
//   > Applied edit to p.c
//   Done.                                            the mark "" is everything else
// A section becomes an object {"type":…,"text":…}; that of a session's mark stands first, its text
// what follows the mark. Sessions of one file are numbered: "<id>", "<id>.2", …
//
// A section that grows is another one than was told: the session is then read again (replay.hpp).
// A file that has not changed is not opened to be listed.
#include <algorithm>

#include "base/files/file.hpp"
#include "text/utf8.hpp"
#include "transcript/spec/tool_render.hpp"
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {
namespace {

constexpr std::size_t kMaxTextBytes = 512ULL << 20;
constexpr std::string_view kSession = "session";

class SectionsStore final : public Replayed<FileStore> {
 public:
  using Replayed::Replayed;

 private:
  struct Line {
    const SectionRule* rule = nullptr;
    std::string_view text;  // behind the mark
  };

  // The longest mark that fits.
  [[nodiscard]] Line read_line(std::string_view line) const {
    Line best;
    for (const SectionRule& rule : spec_.sections) {
      const bool longer = best.rule == nullptr || rule.mark.size() > best.rule->mark.size();
      if (line.starts_with(rule.mark) && longer) best = {&rule, line.substr(rule.mark.size())};
    }
    return best;
  }

  // Calls on_line(line, number) until it returns false.
  template <typename OnLine>
  void each_line(std::string_view text, const OnLine& on_line) const {
    for (std::uint64_t number = 1; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!on_line(read_line(line), number)) return;
      text.remove_prefix(std::min(end + 1, text.size()));
    }
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
    std::uint64_t sessions = 0;
    bool any = false;
    each_line(*text, [&](const Line& line, std::uint64_t) {
      any = any || !text::is_blank(line.text);
      if (line.rule != nullptr && line.rule->type == kSession) ++sessions;
      return true;
    });
    listing.containers.push_back({session.path, session.stamp});
    if (!any) return;
    for (std::uint64_t number = 1; number <= std::max<std::uint64_t>(sessions, 1); ++number) {
      SessionRef each = session;
      if (number > 1) each.id += "." + std::to_string(number);
      each.row = std::to_string(number);
      listing.sessions.push_back(std::move(each));
    }
  }

  Result<bool> tell(const SessionRef& session, ReplaySink& sink,
                    RecordReader& reader) const override {
    const auto text = read_file(session.path, kMaxTextBytes);
    if (!text) return text.error();
    Teller teller{sink, reader, nullptr, {}, 0, false};
    std::uint64_t sessions = 0;
    each_line(*text, [&](const Line& line, std::uint64_t number) {
      const bool begins = line.rule != nullptr && line.rule->type == kSession;
      if (begins) ++sessions;
      // What stands before the first mark belongs to the first session.
      const bool own = std::to_string(std::max<std::uint64_t>(sessions, 1)) == session.row;
      if (own && line.rule != nullptr) teller.add(line, number);
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

    void add(const Line& next, std::uint64_t number) {
      if (next.rule != rule) {
        finish();
        rule = next.rule;
        line = number;
        text.clear();
      } else {
        text += '\n';
      }
      text += next.text;
    }
    void finish() {
      if (rule == nullptr || text::is_blank(text)) return;
      more = more || sink.full();
      if (more) return;
      std::string object = "{\"type\":\"";
      append_json_escaped(object, rule->type);
      object += "\",\"text\":\"";
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
