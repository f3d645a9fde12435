#include "mcp/protocol/message.hpp"

#include <optional>
#include <utility>

namespace yore::mcp {
namespace {

Malformed invalid(Id id, std::string message) {
  return {std::move(id), invalid_request(std::move(message))};
}

Malformed malformed(JsonFault fault) {
  if (fault == JsonFault::not_json) return {"", {RpcCode::parse_error, "The line is not JSON"}};
  return invalid("", "The message is nested too deeply or has too many values");
}

Message to_message(Json& json) {
  if (!json.is_object()) return invalid("", "A message must be a JSON object");
  const auto id_at = json.find("id");
  const bool has_id = id_at != json.end();
  Id id = has_id ? id_text(*id_at) : "";
  const Json* const version = member(json, "jsonrpc");
  if (version == nullptr || *version != "2.0") {
    return invalid(std::move(id), "jsonrpc must be \"2.0\"");
  }
  const auto method = json.find("method");
  if (method == json.end()) {
    if (json.contains("result") || json.contains("error")) return Ignored{};
    return invalid(std::move(id), "method is missing");
  }
  if (!method->is_string()) return invalid(std::move(id), "method must be a string");
  if (has_id && id.empty()) return invalid("", "id must be a string or an integer");

  Json params = Json::object();
  const auto given = json.find("params");
  if (given != json.end() && !given->is_null()) {
    if (!given->is_object()) {
      if (!has_id) return Ignored{};
      return Malformed{std::move(id), {RpcCode::invalid_params, "params must be an object"}};
    }
    params = std::move(*given);
  }
  std::string name = std::move(method->get_ref<std::string&>());
  if (!has_id) return Notification{std::move(name), std::move(params)};
  return Request{std::move(id), std::move(name), std::move(params)};
}

}  // namespace

RpcError invalid_request(std::string message) {
  return {RpcCode::invalid_request, std::move(message)};
}

Incoming parse_line(std::string_view line) {
  auto parsed = parse_json(line);
  Incoming incoming;
  if (const auto* fault = std::get_if<JsonFault>(&parsed)) {
    incoming.messages.emplace_back(malformed(*fault));
    return incoming;
  }
  Json& json = std::get<Json>(parsed);
  if (!json.is_array()) {
    incoming.messages.push_back(to_message(json));
  } else if (json.size() > kMaxBatch) {
    incoming.messages.emplace_back(
        invalid("", "A batch may hold " + std::to_string(kMaxBatch) + " messages at most"));
  } else {
    incoming.batch = true;
    for (Json& element : json) incoming.messages.push_back(to_message(element));
  }
  return incoming;
}

Id id_text(const Json& value) {
  return value.is_string() || value.is_number_integer() ? json_text(value) : "";
}

std::string result_line(const Id& id, const Json& result) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + json_text(result) + "}";
}

std::string notification_line(std::string_view method, const Json& params) {
  return R"({"jsonrpc":"2.0","method":)" + json_text(method) + R"(,"params":)" + json_text(params) +
         "}";
}

std::string error_line(const Id& id, const RpcError& error, NoId no_id) {
  std::string line = R"({"jsonrpc":"2.0",)";
  if (!id.empty() || no_id == NoId::null) line += R"("id":)" + (id.empty() ? "null" : id) + ",";
  Json body = {{"code", static_cast<int>(error.code)}, {"message", error.message}};
  if (!error.data.is_null()) body["data"] = error.data;
  return line + R"("error":)" + json_text(body) + "}";
}

}  // namespace yore::mcp
