#include "mcp/tools/tool.hpp"

#include <cassert>
#include <utility>

namespace yore::mcp {

ToolAnswer tool_error(std::string_view sentence) {
  return {json_text({{"error", sentence}}), true};
}

Json describe(const Tool& tool, Revision revision) {
  const Features& known = features(revision);
  Json json = {{"name", tool.name}};
  if (known.titles_and_meta && !tool.title.empty()) json["title"] = tool.title;
  json["description"] = tool.description;
  Json schema = Json::parse(tool.input_schema, nullptr, /*allow_exceptions=*/false);
  assert(schema.is_object());
  json["inputSchema"] = std::move(schema);
  if (known.annotations) {
    Json& hints = json["annotations"];
    if (!known.titles_and_meta && !tool.title.empty()) hints["title"] = tool.title;
    // What only reads neither destroys nor repeats: those hints would say it again.
    hints["readOnlyHint"] = true;
    hints["openWorldHint"] = false;
  }
  if (known.titles_and_meta && tool.always_load) json["_meta"] = {{"anthropic/alwaysLoad", true}};
  return json;
}

Json to_json(const ToolAnswer& answer) {
  Json json;
  json["content"] = Json::array({{{"type", "text"}, {"text", answer.text}}});
  if (answer.is_error) json["isError"] = true;
  return json;
}

}  // namespace yore::mcp
