// lines.cpp — JSON lines, as jsonl.hpp reads them, plain or packed with zstd.
//
// Cursor: that of jsonl.hpp, of a packed file then 'd' when damage in it was counted and '-' when
// not, then what the hook saves. A packed file may grow frame by frame: one without its end is like
// a line without its own. Damage may have been a half-written file: it is read again from its
// start.
#include <algorithm>

#include "transcript/input/zstd_source.hpp"
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {
namespace {

constexpr std::size_t kFileCursorBytes = 36;
constexpr char kCountedDamage = 'd';
constexpr char kNoDamage = '-';

class LinesStore final : public FileStore {
 public:
  using FileStore::FileStore;

  Result<bool> resumable(const SessionRef& session, const Cursor& cursor) const override {
    const Cursor file = cursor.substr(0, kFileCursorBytes);
    if (!is_packed_name(session.path)) return jsonl_resumable(session.path, file);
    if (counted_damage(cursor)) return false;
    auto source = ZstdSource::open(session.path);
    if (!source) return source.error();
    return jsonl_resumable(*source, file);
  }

  Result<ReadStep> read(const SessionRef& session, const Cursor& cursor, const ReadLimits& limits,
                        RecordSink& sink) const override {
    const bool packed = is_packed_name(session.path);
    const std::size_t own = kFileCursorBytes + (packed ? 1 : 0);
    const std::string_view saved = std::string_view(cursor).substr(std::min(cursor.size(), own));
    const Hooks* hooks = spec_.hooks;
    const bool hooked = hooks != nullptr && hooks->reading != nullptr;
    const auto hook = hooked ? hooks->reading(saved) : std::unique_ptr<RecordHook>();
    RecordReader reader(compiled_, session, sink, hook.get());
    if (cursor.empty()) tell_beside(compiled_, session, reader);
    const OnObject on_object = [&reader](simdjson::ondemand::object& json, const LineInfo& where) {
      return reader.read(json, where);
    };
    auto step = packed ? read_packed(session, cursor, limits, sink, on_object)
                       : read_jsonl(session.path, cursor.substr(0, kFileCursorBytes), limits, sink,
                                    on_object);
    if (step && hook != nullptr && !step->cursor.empty()) step->cursor += hook->save();
    return step;
  }

 private:
  static bool counted_damage(const Cursor& cursor) {
    return cursor.size() > kFileCursorBytes && cursor[kFileCursorBytes] == kCountedDamage;
  }

  static Result<ReadStep> read_packed(const SessionRef& session, const Cursor& cursor,
                                      const ReadLimits& limits, RecordSink& sink,
                                      const OnObject& on_object) {
    auto source = ZstdSource::open(session.path);
    if (!source) return source.error();
    const Cursor file = cursor.substr(0, kFileCursorBytes);
    auto step =
        read_jsonl(*source, session.path, file, unpacking_limits(limits, file), sink, on_object);
    if (!step || step->cursor.empty()) return step;
    const ZstdSource::State state = source->state();
    const bool oversized = state == ZstdSource::State::oversized;
    const bool damaged = oversized || state == ZstdSource::State::damaged;
    const bool before = counted_damage(cursor);
    if (damaged && !before) {
      sink.problem(oversized ? ProblemKind::oversized : ProblemKind::unreadable, 0);
    }
    step->cursor += damaged || before ? kCountedDamage : kNoDamage;
    return step;
  }
};

}  // namespace

std::unique_ptr<const SessionStore> make_lines_store(const CompiledSpec& compiled) {
  return std::make_unique<LinesStore>(compiled);
}

}  // namespace yore::transcript
