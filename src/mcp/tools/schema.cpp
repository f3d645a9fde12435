#include "mcp/tools/schema.hpp"

#include <utility>

#include "mcp/protocol/json.hpp"
#include "search/vocabulary.hpp"

namespace yore::mcp {
namespace {

std::string modes() {
  Json names = Json::array();
  for (const std::string_view name : search::kModeNames) names.push_back(name);
  return json_text(names);
}

// "user_prompt, assistant_summary (conclusions), …; user, assistant": types that are also surfaces
// are told once.
std::string surfaces() {
  std::string text;
  for (const search::SurfaceName& each : search::kSurfaces) {
    text += (text.empty() ? "" : ", ") + std::string(each.name);
    if (!each.gloss.empty()) text += " (" + std::string(each.gloss) + ")";
  }
  return text + "; " + search::joined(search::kCoarseNames);
}

}  // namespace

std::string with_vocabulary(std::string_view schema) {
  const std::pair<std::string_view, std::string> values[] = {
      {"%modes%", modes()},
      {"%surfaces%", surfaces()},
      {"%most%", std::to_string(search::kMostRows)},
      {"%hits%", std::to_string(search::kHitsOfATool)},
      {"%sessions%", std::to_string(search::kSessionsListed)},
      {"%turns%", std::to_string(search::kTurnsRead)},
  };
  std::string text(schema);
  for (const auto& [name, value] : values) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
      text.replace(at, name.size(), value);
    }
  }
  return text;
}

}  // namespace yore::mcp
