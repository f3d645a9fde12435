// tree.cpp — a file about the session and a small one for each message, in a folder of their own:
//   session/{directory}/{id}.json       the place; its fields are read by the rules of [head]
//   message/{id}/*.json                 `messages` of the place, in the order of their names
// Without rules of a head the place is only what the session is found by: its first message, say.
// The stamp of a session is that of all its files together; of messages that never change, their
// names and the last one's stamp.
#include <algorithm>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {
namespace {

constexpr char kSeparator = '\n';  // SessionRef::row: root, then the pattern with its captures

class TreeStore final : public FileStore, private ReplayedStore {
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

  void add(SessionRef session, const Captures& captures, const PlaceRule& place,
           const PreviousListing&, PlaceFinder& finder, Listing& listing) const override {
    const std::string pattern = fill_pattern(place.messages, captures);
    session.row = finder.root() + kSeparator + pattern;
    FileStamp& stamp = session.stamp;
    std::string last;
    const auto add_stamp = [&](const std::string& path) {
      const auto each = finder.files().stat(path);
      if (!each) return;
      stamp.size_bytes += each->size_bytes;
      stamp.mtime_ns = std::max(stamp.mtime_ns, each->mtime_ns);
      stamp.inode ^= each->inode;
    };
    // A root that cannot be listed was an error before.
    [[maybe_unused]] const Status found =
        finder.find(pattern, place.skip, [&](const std::string& path, const Captures&) {
          stamp.inode = hash64(path, stamp.inode);
          if (!place.fixed) add_stamp(path);
          last = path;
        });
    if (place.fixed && !last.empty()) add_stamp(last);
    listing.sessions.push_back(std::move(session));
  }

  Result<bool> tell(const SessionRef& session, ReplaySink& sink,
                    RecordReader& reader) const override {
    if (!spec_.head.fields.empty()) {
      const auto own = read_file(session.path, kMaxRecordBytes);
      if (!own) return own.error();
      tell_head(*own, {}, sink, reader);
    }
    const std::size_t split = session.row.find(kSeparator);
    if (split == std::string::npos) return false;
    std::vector<std::string> paths;
    Listing ignored;
    PlaceFinder finder(session.row.substr(0, split), {}, ignored);
    const Status found =
        finder.find(session.row.substr(split + 1), {},
                    [&](const std::string& path, const Captures&) { paths.push_back(path); });
    if (!found) return found.error();
    std::uint64_t number = 0;
    for (const std::string& path : paths) {
      if (sink.full()) return true;
      const LineInfo where{++number, 0};
      const auto text = read_file(path, kMaxRecordBytes);
      if (text) {
        tell_text(*text, where, sink, reader);
      } else if (text.error().code != Errc::not_found) {
        sink.problem(ProblemKind::unreadable, 0);
      }
    }
    return false;
  }
};

}  // namespace

std::unique_ptr<const SessionStore> make_tree_store(const CompiledSpec& compiled) {
  return std::make_unique<TreeStore>(compiled);
}

}  // namespace yore::transcript
