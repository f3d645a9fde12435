// Claude Desktop's local agent mode ("Cowork"): each of its sessions has a Claude Code of its own.
//
//   <data>/local-agent-mode-sessions/<account>/<workspace>/local_<uuid>.json
//     {"cliSessionId":…,"title":…,"userSelectedFolders":["/home/ann/app"],…}
//   <data>/…/local_<uuid>/.claude/projects/<directory>/<cliSessionId>.jsonl, and its sub-agents
//   <data>/…/local_<uuid>/audit.jsonl          a copy of the same: not read
// Inside, the directory is that of a virtual machine: the first folder that was selected is what
// was worked on. Earlier transcripts of the same session lie beside the last one.
#include <simdjson.h>

#include <array>
#include <string>

#include "base/files/file.hpp"
#include "text/utf8.hpp"
#include "transcript/adapters.hpp"
#include "transcript/agents/claude_code/family.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/spec/places.hpp"

namespace yore::transcript::cowork {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kMaxHeadBytes = 4 << 20;
constexpr std::string_view kFolder = "local-agent-mode-sessions";

constexpr std::array kRoots = {
    RootRule{"", "~config", "Claude/local-agent-mode-sessions"},
    RootRule{"", "~/Library/Application Support/Claude", kFolder},
};
constexpr claude_code::Member kCowork = {
    .name = "cowork",
    .display_name = "Claude Cowork",
    .speaker = "Claude",
    .formats = "Claude Code's JSONL in the local agent mode of Claude Desktop",
    .roots = kRoots,
    .program = "",
    .prefix = "cowork:",
};

struct Head {
  std::string session;
  std::string title;
  std::string folder;
};

// Whatever is wrong with it, the transcripts are there all the same.
Head read_head(const std::string& path, const FileView& files) {
  Head head;
  const auto bytes = files.read_file(path, kMaxHeadBytes);
  if (!bytes) return head;
  const simdjson::padded_string text(*bytes);
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object object;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS) return head;
  if (document.get_object().get(object) != simdjson::SUCCESS) return head;
  const auto keep = [](ondemand::value json, std::string& out) {
    std::string_view found;
    if (!get_text(json, found)) return false;
    if (out.empty()) out = text::trim(found);
    return true;
  };
  each_field(object, [&](std::string_view key, ondemand::value value) {
    if (key == "cliSessionId") return keep(value, head.session);
    if (key == "title") return keep(value, head.title);
    ondemand::json_type type{};
    if (key != "userSelectedFolders" || !get_type(value, type)) return true;
    if (type != ondemand::json_type::array) return true;
    return each_item(value, [&](ondemand::value item) { return keep(item, head.folder); });
  });
  return head;
}

Result<Listing> sessions(const Root& root, const PreviousListing& known) {
  Listing all;
  std::string top = absolute_path(root.path);
  const std::string below = path_join(top, kFolder);
  if (known.files.is_directory(below)) top = below;
  PlaceFinder finder(top, known.files, all);
  const auto add = [&](const std::string& path, const Captures&) {
    const std::string projects =
        path_join(path.substr(0, path.size() - 5), ".claude/projects");  // without ".json"
    if (!known.files.is_directory(projects)) return;
    auto listing = claude_code::list_projects(kCowork, {projects, root.named}, known);
    if (!listing) {
      all.problems.emplace_back(projects, listing.error().message);
      return;
    }
    const Head head = read_head(path, known.files);
    for (SessionRef& session : listing->sessions) {
      const bool last = session.id == kCowork.id_of(head.session);
      if (last && !head.title.empty()) session.title = head.title;
      if (!head.folder.empty()) {
        session.cwd = head.folder;
        session.project = path_basename(head.folder);
      }
      all.sessions.push_back(std::move(session));
    }
    for (auto& problem : listing->problems) all.problems.push_back(std::move(problem));
  };
  const Status found = finder.find("*/*/local_*.json", {}, add);
  if (!found) return found.error();
  return all;
}

}  // namespace

const Adapter kAdapter = [] {
  Adapter adapter = claude_code::make_adapter(kCowork);
  adapter.sessions = sessions;
  return adapter;
}();

}  // namespace yore::transcript::cowork
