#include "transcript/agents/claude_code/spill.hpp"

#include <simdjson.h>

#include "base/files/file.hpp"
#include "text/utf8.hpp"

namespace yore::transcript::claude_code {
namespace {

// As much as can matter; far more than is kept of any output.
constexpr std::size_t kHeadBytes = 256 << 10;
constexpr std::string_view kSavedTo = "Full output saved to: ";

// <project>/<session>, for the session's own file and for those of its sub-agents.
std::string session_folder(const SessionRef& session) {
  const std::string_view path = session.path;
  const bool own = session.kind == SessionKind::main;
  const std::size_t subagents = path.rfind("/subagents/");
  if (!own && subagents != std::string_view::npos) return std::string(path.substr(0, subagents));
  const std::string_view parent = session.parent_id;
  const std::string_view owner = own ? path_stem(path) : parent.substr(parent.find(':') + 1);
  // An id that a transcript names must not lead to another folder.
  if (!is_safe_id(owner)) return {};
  return path_join(path_dirname(path), owner);
}

// Is nothing on the way from the project's folder to this one a link that leads elsewhere?
bool is_own(const std::string& results) {
  const std::string session(path_dirname(results));
  return is_inside(results, session) && is_inside(session, std::string(path_dirname(session)));
}

}  // namespace

SpilledOutputs::SpilledOutputs(const SessionRef& session) : folder_(session_folder(session)) {
  if (!folder_.empty()) folder_ = path_join(folder_, "tool-results");
}

std::string_view SpilledOutputs::named_in(std::string_view output) {
  if (!output.starts_with("<persisted-output>") && !output.starts_with("Output too large (")) {
    return {};
  }
  const std::size_t mark = output.find(kSavedTo);
  if (mark == std::string_view::npos) return {};
  const std::string_view rest = output.substr(mark + kSavedTo.size());
  return text::trim(rest.substr(0, rest.find('\n')));
}

bool SpilledOutputs::read(std::string_view named, std::string& text) const {
  const std::string_view name = named.substr(named.find_last_of("/\\") + 1);
  if (name.empty() || folder_.empty() || !is_own(folder_)) return false;
  // As named, or beside the transcript when the home directory has moved.
  for (const std::string& path : {std::string(named), path_join(folder_, name)}) {
    if (!path.starts_with('/') || !is_inside(path, folder_) || !is_regular_file(path)) continue;
    // A few bytes more than wanted, so that the cut falls between two characters.
    const auto bytes = read_file(path, kHeadBytes + 4);
    if (!bytes.ok()) continue;
    const std::string_view head = text::prefix_bytes(*bytes, kHeadBytes);
    if (!simdjson::validate_utf8(head.data(), head.size())) continue;
    text = head;
    return true;
  }
  return false;
}

}  // namespace yore::transcript::claude_code
