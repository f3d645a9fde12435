#include "generator/claude_records.hpp"

#include "generator/json_text.hpp"

namespace yore::generator {
namespace {

void append_member(std::string& out, std::string_view key, std::string_view value) {
  ((((out += ",\"") += key) += "\":\"") += value) += '"';
}

void append_member(std::string& out, std::string_view key, std::uint64_t value) {
  ((out += ",\"") += key) += "\":";
  append_number(out, value);
}

}  // namespace

Chain make_chain(const EnvelopeFacts& facts) {
  Chain chain;
  chain.prefix = facts.agent_id.empty() ? ",\"isSidechain\":false" : ",\"isSidechain\":true";
  if (!facts.agent_id.empty()) append_member(chain.prefix, "agentId", facts.agent_id);
  std::string& place = facts.modern ? chain.suffix : chain.prefix;
  append_member(place, "userType", std::string_view("external"));
  if (facts.modern) append_member(place, "entrypoint", std::string_view("cli"));
  append_member(place, "cwd", facts.cwd);
  append_member(place, "sessionId", facts.session_id);
  append_member(place, "version", facts.version);
  append_member(place, "gitBranch", facts.branch);
  if (!facts.modern) append_member(place, "slug", facts.slug);
  return chain;
}

void RecordWriter::append_time(std::string& out) const {
  append_iso(out, clock_.now_ms - clock_.step_back_ms);
}

const std::string& RecordWriter::chained(Chain& chain, std::string_view body,
                                         std::string_view more) {
  std::string& out = chain.out;
  out += "{\"parentUuid\":";
  if (chain.parent.empty()) {
    out += "null";
  } else {
    ((out += '"') += chain.parent) += '"';
  }
  chain.parent = make_uuid(rng_);
  ((out += chain.prefix) += ',') += body;
  append_member(out, "uuid", chain.parent);
  out += ",\"timestamp\":\"";
  append_time(out);
  (((out += '"') += more) += chain.suffix) += "}\n";
  clock_.step_back_ms = 0;
  ++chain.lines;
  return chain.parent;
}

void RecordWriter::bare(Chain& chain, std::string_view object) {
  (chain.out += object) += '\n';
  ++chain.lines;
}

void RecordWriter::begin_message(std::string_view model) {
  model_ = model;
  message_id_ = make_api_id(rng_, "msg_01");
  request_id_ = make_api_id(rng_, "req_011C");
  cached_tokens_ += rng_.between(200, 3000);
  if (cached_tokens_ > 160'000) cached_tokens_ = 20'000;
}

void RecordWriter::append_usage(std::string& out) {
  const std::uint32_t created = rng_.between(120, 4000);
  out += "{\"input_tokens\":";
  append_number(out, rng_.between(1, 9));
  append_member(out, "cache_creation_input_tokens", created);
  append_member(out, "cache_read_input_tokens", cached_tokens_);
  out += ",\"cache_creation\":{\"ephemeral_5m_input_tokens\":";
  append_number(out, created);
  out += ",\"ephemeral_1h_input_tokens\":0}";
  const std::uint32_t written = modern_ ? rng_.between(40, 2500) : rng_.between(1, 9);
  append_member(out, "output_tokens", written);
  append_member(out, "service_tier", std::string_view("standard"));
  append_member(out, "inference_geo", std::string_view("not_available"));
  if (modern_) {
    out += ",\"server_tool_use\":{\"web_search_requests\":0,\"web_fetch_requests\":0}";
    out += ",\"iterations\":[{\"input_tokens\":2,\"output_tokens\":";
    append_number(out, written);
    append_member(out, "cache_read_input_tokens", cached_tokens_);
    append_member(out, "cache_creation_input_tokens", created);
    out += ",\"cache_creation\":{\"ephemeral_5m_input_tokens\":0,\"ephemeral_1h_input_tokens\":";
    append_number(out, created);
    out += "},\"type\":\"message\"}],\"speed\":\"standard\"";
  }
  out += '}';
}

void RecordWriter::assistant_body(std::string& body, std::string_view block,
                                  std::string_view stop_reason) {
  body = "\"message\":{\"model\":\"";
  (body += model_) += '"';
  append_member(body, "id", message_id_);
  body += ",\"type\":\"message\",\"role\":\"assistant\",\"content\":[";
  (body += block) += "],\"stop_reason\":";
  if (modern_) {
    ((body += '"') += stop_reason) += '"';
  } else {
    body += "null";
  }
  body += ",\"stop_sequence\":null,\"usage\":";
  append_usage(body);
  body += modern_ ? ",\"diagnostics\":null,\"context_management\":null}" : "}";
  append_member(body, "requestId", request_id_);
  body += ",\"type\":\"assistant\"";
}

}  // namespace yore::generator
