// The methods of the server, one function each.
#include <algorithm>
#include <memory>
#include <utility>

#include "mcp/protocol/connection.hpp"
#include "mcp/protocol/request_meta.hpp"
#include "text/secrets/secrets.hpp"
#include "text/suggest.hpp"
#include "text/utf8.hpp"

namespace yore::mcp {
namespace {

RpcError invalid_params(std::string message) {
  return {RpcCode::invalid_params, std::move(message)};
}

RpcError unknown_tool(const std::string& name, const std::vector<Tool>& tools) {
  std::vector<std::string_view> names(tools.size());
  std::ranges::transform(tools, names.begin(), &Tool::name);
  std::string message = "Unknown tool: ";
  message += text::first_chars(text::masked(name), 100);
  const std::string_view meant = text::closest(name, names);
  if (!meant.empty()) message.append(" (did you mean ").append(meant).append("?)");
  return invalid_params(std::move(message));
}

}  // namespace

const std::array<Connection::Method, 5> Connection::kMethods = {{
    {"initialize", true, false, &Connection::initialize},
    {"ping", true, false, &Connection::ping},
    {"server/discover", false, true, &Connection::discover},
    {"tools/list", true, true, &Connection::list_tools},
    {"tools/call", true, true, &Connection::call_tool},
}};

Answer Connection::answer(Asked& asked) {
  const auto era = era_.of(asked.request);
  if (const auto* error = std::get_if<RpcError>(&era)) return *error;
  asked.revision = std::get<Revision>(era);
  const bool stateless = features(asked.revision).stateless;
  if (asked.in_batch && stateless) return invalid_request("This protocol revision has no batches");
  for (const Method& method : kMethods) {
    if (method.name != asked.request.method) continue;
    if (stateless ? method.stateless : method.legacy) return (this->*method.answer)(asked);
  }
  std::string message = "Unknown method: ";
  message += text::first_chars(text::masked(asked.request.method), 100);
  return RpcError{RpcCode::method_not_found, std::move(message)};
}

Answer Connection::initialize(Asked& asked) {
  if (asked.in_batch) return invalid_request("initialize may not be part of a batch");
  const Json* const version = member(asked.request.params, "protocolVersion");
  if (version == nullptr || !version->is_string()) {
    return invalid_params("params.protocolVersion must be a string");
  }
  const Revision revision = era_.negotiate(version->get_ref<const std::string&>());
  client_ = client_name(asked.request.params);
  Json result = {{"protocolVersion", features(revision).name},
                 {"capabilities", {{"tools", Json::object()}}},
                 {"serverInfo", info_json(features(revision).titles_and_meta)}};
  if (!info_.instructions.empty()) result["instructions"] = info_.instructions;
  return result;
}

Answer Connection::ping(Asked& /*asked*/) {
  return Json::object();
}

Answer Connection::discover(Asked& asked) {
  Json result = {{"supportedVersions", supported_versions()},
                 {"capabilities", {{"tools", Json::object()}}}};
  if (!info_.instructions.empty()) result["instructions"] = info_.instructions;
  decorate(result, asked.revision, info_json_, Keep::a_while);
  return result;
}

Answer Connection::list_tools(Asked& asked) {
  // All fit on one page, so no cursor can be ours.
  if (member(asked.request.params, "cursor") != nullptr) return invalid_params("Unknown cursor");
  Json result;
  result["tools"] = Json::array();
  for (const Tool& tool : tools_) result["tools"].push_back(describe(tool, asked.revision));
  decorate(result, asked.revision, info_json_, Keep::a_while);
  return result;
}

Answer Connection::call_tool(Asked& asked) {
  const Json* const name = member(asked.request.params, "name");
  if (name == nullptr || !name->is_string()) return invalid_params("params.name must be a string");
  const Json* const arguments = member(asked.request.params, "arguments");
  if (arguments != nullptr && !arguments->is_object()) {
    return invalid_params("params.arguments must be an object");
  }
  const auto& wanted = name->get_ref<const std::string&>();
  const auto tool = std::ranges::find(tools_, wanted, &Tool::name);
  if (tool == tools_.end()) return unknown_tool(wanted, tools_);

  std::string client = client_name(asked.request.params);
  if (client.empty()) client = client_;
  const auto call = std::make_shared<Call>(
      CallOrder{asked.request.id, &*tool, std::move(asked.request.params), asked.revision,
                asked.line_bytes, asked.reply, std::move(client)},
      transport_, info_json_);
  if (calls_.start(call)) return Later{};
  Json busy = to_json(tool_error("Too many calls are waiting already; try again in a moment."));
  decorate(busy, asked.revision, info_json_, Keep::no);
  return busy;
}

Json Connection::info_json(bool with_title) const {
  Json json = {{"name", info_.name}};
  if (with_title && !info_.title.empty()) json["title"] = info_.title;
  json["version"] = info_.version;
  return json;
}

}  // namespace yore::mcp
