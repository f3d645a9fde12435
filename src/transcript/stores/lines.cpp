// lines.cpp — JSON lines, as jsonl.hpp reads them.
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {
namespace {

constexpr std::size_t kFileCursorBytes = 36;  // see jsonl.hpp; what follows is the hook's

class LinesStore final : public FileStore {
 public:
  using FileStore::FileStore;

  Result<bool> resumable(const SessionRef& session, const Cursor& cursor) const override {
    return jsonl_resumable(session.path, cursor.substr(0, kFileCursorBytes));
  }

  Result<ReadStep> read(const SessionRef& session, const Cursor& cursor, const ReadLimits& limits,
                        RecordSink& sink) const override {
    const std::string_view saved =
        std::string_view(cursor).substr(std::min(cursor.size(), kFileCursorBytes));
    const Hooks* hooks = spec_.hooks;
    const bool hooked = hooks != nullptr && hooks->reading != nullptr;
    const auto hook = hooked ? hooks->reading(saved) : std::unique_ptr<RecordHook>();
    RecordReader reader(compiled_, session, sink, hook.get());
    if (cursor.empty()) tell_beside(compiled_, session, reader);
    auto step = read_jsonl(session.path, cursor.substr(0, kFileCursorBytes), limits, sink,
                           [&reader](simdjson::ondemand::object& json, const LineInfo& where) {
                             return reader.read(json, where);
                           });
    if (step && hook != nullptr && !step->cursor.empty()) step->cursor += hook->save();
    return step;
  }
};

}  // namespace

std::unique_ptr<const SessionStore> make_lines_store(const CompiledSpec& compiled) {
  return std::make_unique<LinesStore>(compiled);
}

}  // namespace yore::transcript
