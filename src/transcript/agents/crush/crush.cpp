// crush.cpp — every project has a database of its own; Crush keeps a list of them:
//   <data>/projects.json   {"projects":[{"path":"/w/app","data_dir":"/w/app/.crush",…}]}
// A project, or its folder .crush, may be named as well.
#include <simdjson.h>

#include "base/files/file.hpp"
#include "transcript/agents/crush/hooks.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/null_sink.hpp"

namespace yore::transcript::crush {
namespace {

using simdjson::ondemand::object;
using simdjson::ondemand::value;

constexpr std::string_view kFolder = ".crush";
constexpr std::size_t kMaxListBytes = 4 << 20;
constexpr std::size_t kMaxProjects = 10'000;

bool read_project(value json, std::vector<HookedRoot>& out) {
  std::string_view path;
  std::string_view data;
  const bool whole = each_field(json, [&](std::string_view key, value field) {
    if (key == "path") return get_text(field, path);
    return key != "data_dir" || get_text(field, data);
  });
  if (!whole) return false;
  const std::string folder = data.empty() ? path_join(path, kFolder) : std::string(data);
  const bool absolute = folder.starts_with('/') && path.starts_with('/');
  if (absolute && out.size() < kMaxProjects) out.push_back({folder, std::string(path)});
  return true;
}

std::vector<HookedRoot> roots(const Root& root, const FileView& files) {
  const std::string top = absolute_path(root.path);
  if (path_basename(top) == kFolder) return {{top, std::string(path_dirname(top))}};
  if (files.is_regular_file(top)) return {{top, std::string(path_dirname(path_dirname(top)))}};
  std::vector<HookedRoot> all = {{top, ""}, {path_join(top, kFolder), top}};
  if (const auto list = files.read_file(path_join(top, "projects.json"), kMaxListBytes)) {
    NullSink sink;
    read_json_text(*list, {}, sink, [&](object& json, const LineInfo&) {
      return each_field(json, [&](std::string_view key, value field) {
        if (key != "projects") return true;
        return each_item(field, [&](value item) { return read_project(item, all); });
      });
    });
  }
  // Projects come and go; a list keeps them for ever.
  std::erase_if(all, [&](const HookedRoot& each) { return !files.is_directory(each.path); });
  return all;
}

}  // namespace

const Hooks kHooks = {.roots = roots};

}  // namespace yore::transcript::crush
