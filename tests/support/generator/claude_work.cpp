// The work inside a turn: thinking, tool calls and their results, progress, sub-agents.
#include <algorithm>
#include <array>

#include "generator/claude_session.hpp"
#include "generator/json_text.hpp"

namespace yore::generator {
namespace {

constexpr Spread kThinkingBytes = {2, 40, 150, 940, 3900, 8000};
constexpr Spread kSignatureBytes = {200, 300, 700, 1900, 4200, 9000};
constexpr Spread kModernSignatureBytes = {300, 800, 1750, 4900, 11'000, 16'000};
constexpr Spread kProgressBytes = {0, 20, 160, 2200, 4400, 4500};
constexpr Spread kTaskPromptBytes = {150, 300, 620, 2600, 6000, 6700};

}  // namespace

void ClaudeSession::say(std::string_view text, std::string_view stop_reason) {
  block_ = "{\"type\":\"text\",\"text\":\"";
  (block_ += text) += "\"}";
  writer_.assistant_body(body_, block_, stop_reason);
  pass(900, 9'000);
  writer_.chained(main_, body_);
}

void ClaudeSession::think() {
  block_ = "{\"type\":\"thinking\",\"thinking\":\"";
  text_.thought(block_, sample(kThinkingBytes, rng_));
  block_ += "\",\"signature\":\"";
  append_base64(rng_, block_, sample(plan_.modern ? kModernSignatureBytes : kSignatureBytes, rng_));
  block_ += "\"}";
  writer_.assistant_body(body_, block_, "tool_use");
  pass(700, 8'000);
  writer_.chained(main_, body_);
}

void ClaudeSession::call_line(Chain& chain, const ToolCall& call) {
  block_ = "{\"type\":\"tool_use\",\"id\":\"";
  (((block_ += call.id) += "\",\"name\":\"") += call.name) += "\",\"input\":";
  (block_ += call.input) += ",\"caller\":{\"type\":\"direct\"}}";
  writer_.assistant_body(body_, block_, "tool_use");
  pass(400, 5'000);
  writer_.chained(chain, body_);
}

void ClaudeSession::progress(const ToolCall& call) {
  if (plan_.modern) return;
  if (rng_.chance(200)) {
    progress_ =
        "\"type\":\"progress\",\"data\":{\"type\":\"hook_progress\",\"hookEvent\":"
        "\"PostToolUse\",\"hookName\":\"PostToolUse:";
    (progress_ += call.name) += "\",\"command\":\"callback\"},\"parentToolUseID\":\"";
    ((progress_ += call.id) += "\",\"toolUseID\":\"") += call.id;
    writer_.chained(main_, progress_ += '"');
  }
  if (call.tool != Tool::bash || !rng_.chance(150)) return;
  // A slow command: its output so far, again and again.
  std::string output;
  const std::uint32_t ticks = rng_.between(2, 24);
  const std::uint32_t bytes = sample(kProgressBytes, rng_);
  for (std::uint32_t tick = 1; tick <= ticks; ++tick) {
    pass(900, 1'100);
    if (output.size() < bytes) text_.log(output, bytes / 4);
    progress_ = "\"type\":\"progress\",\"data\":{\"type\":\"bash_progress\",\"output\":\"";
    ((progress_ += output) += "\",\"fullOutput\":\"") += output;
    progress_ += "\",\"elapsedTimeSeconds\":";
    append_number(progress_, tick + 1);
    progress_ += ",\"totalLines\":12,\"timeoutMs\":120000},\"toolUseID\":\"bash-progress-";
    append_number(progress_, tick);
    ((progress_ += "\",\"parentToolUseID\":\"") += call.id) += '"';
    writer_.chained(main_, progress_);
  }
}

void ClaudeSession::result_body(const ToolCall& call) {
  body_ = "\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"tool_use_id\":\"";
  ((body_ += call.id) += "\",\"type\":\"tool_result\",\"content\":\"") += call.result;
  body_ += call.failed ? "\",\"is_error\":true}]}" : "\"}]}";
  (body_ += ",\"toolUseResult\":") += call.structured;
}

Status ClaudeSession::result_line(const ToolCall& call) {
  if (!call.spilled.empty()) {
    ++report_.spills;
    const std::string path = "tool-results/" + call.id + ".txt";
    if (Status written = side_file(path, call.spilled); !written.ok()) return written;
  }
  result_body(call);
  pass(call.tool == Tool::bash ? 300 : 15, call.tool == Tool::bash ? 9'000 : 250);
  // Results are stamped when the tool ends, which is sometimes before the line above them.
  if (clock_.step_back_ms == 0 && rng_.chance(60)) clock_.step_back_ms = rng_.between(1, 180);
  writer_.chained(main_, body_,
                  ",\"sourceToolAssistantUUID\":\"" + std::string(main_.parent) + "\"");
  return {};
}

void ClaudeSession::image_result() {
  const std::string id = make_api_id(rng_, "toolu_01");
  writer_.begin_message(model_);
  block_ = "{\"type\":\"tool_use\",\"id\":\"" + id +
           "\",\"name\":\"Read\",\"input\":{\"file_path\":\"/tmp/screenshot.png\"}}";
  writer_.assistant_body(body_, block_, "tool_use");
  writer_.chained(main_, body_);
  std::string data = "iVBORw0KGgo";
  append_base64(rng_, data, rng_.between(4'000, 34'000));
  body_ = "\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"tool_use_id\":\"" + id +
          "\",\"type\":\"tool_result\",\"content\":[{\"type\":\"image\",\"source\":{\"type\":"
          "\"base64\",\"media_type\":\"image/png\",\"data\":\"";
  (body_ += data) += "\"}}]}]},\"toolUseResult\":{\"type\":\"image\",\"file\":{\"base64\":\"";
  (body_ += data) += "\",\"type\":\"image/png\"}}";
  writer_.chained(main_, body_);
}

Status ClaudeSession::step() {
  writer_.begin_message(model_);
  if (rng_.chance(545)) think();
  if (rng_.chance(290)) {
    said_.clear();
    text_.step(said_);
    if (rng_.chance(120)) {
      said_ += ' ';
      text_.prose(said_, rng_.between(100, 700));
    }
    say(said_, "tool_use");
  }
  const std::uint32_t parallel = rng_.chance(860) ? 1 : rng_.between(2, 3);
  for (std::uint32_t i = 0; i < parallel; ++i) {
    tools_.run(tools_.any(long_turn_), calls_[i]);
    call_line(main_, calls_[i]);
  }
  for (std::uint32_t i = 0; i < parallel; ++i) {
    progress(calls_[i]);
    if (Status written = result_line(calls_[i]); !written.ok()) return written;
  }
  if (rng_.chance(scaled(5))) image_result();
  if (plan_.modern && rng_.chance(150)) {
    body_ = "\"attachment\":{\"type\":\"edited_text_file\",\"filename\":\"" + project_.absolute(0) +
            "\",\"snippet\":\"";
    text_.code(body_, rng_.between(100, 4600));
    writer_.chained(main_, body_ += "\"},\"type\":\"attachment\"");
  }
  return {};
}

void ClaudeSession::agent_progress(std::string_view record, std::string_view prompt_text,
                                   std::string_view agent_id, std::string_view task_id) {
  if (plan_.modern) return;
  progress_ = "\"type\":\"progress\",\"data\":{\"message\":{";
  ((progress_ += record) += ",\"uuid\":\"") += make_uuid(rng_);
  progress_ += "\",\"timestamp\":\"";
  writer_.append_time(progress_);
  progress_ += "\"},\"normalizedMessages\":[],\"type\":\"agent_progress\",\"prompt\":\"";
  ((progress_ += prompt_text) += "\",\"agentId\":\"") += agent_id;
  ((progress_ += "\"},\"toolUseID\":\"agent_") += writer_.message_id()) +=
      "\",\"parentToolUseID\":\"";
  (progress_ += task_id) += '"';
  writer_.chained(main_, progress_);
}

Status ClaudeSession::subagent(std::uint32_t exchanges) {
  ++report_.subagents;
  const std::string agent_id = make_hex(rng_, 17);
  const std::string agent_model = "claude-haiku-4-5-20251001";
  Chain chain = make_chain(
      {report_.id, project_.cwd(), project_.branch(), version_, slug_, agent_id, plan_.modern});
  std::string task;
  text_.prompt(task, true);
  task += ' ';
  text_.prose(task, sample(kTaskPromptBytes, rng_));
  ToolCall call;
  call.name = plan_.modern ? "Agent" : "Task";
  call.id = make_api_id(rng_, "toolu_01");
  call.input = "{\"description\":\"";
  text_.title(call.input);
  call.input += "\",\"prompt\":\"" + task + "\",\"subagent_type\":\"Explore\"}";
  writer_.begin_message(model_);
  call_line(main_, call);

  body_ = "\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"" + task + "\"}";
  writer_.chained(chain, body_);
  agent_progress(body_, task, agent_id, call.id);
  ToolCall inner;
  for (std::uint32_t i = 0; i < exchanges; ++i) {
    tools_.run(tools_.any_of_helper(), inner);
    if (!inner.spilled.empty()) continue;  // keeps the side files to the parent's own output
    writer_.begin_message(agent_model);
    call_line(chain, inner);
    agent_progress(body_, task, agent_id, call.id);
    pass(20, 3'000);
    result_body(inner);
    writer_.chained(chain, body_);
    agent_progress(body_, task, agent_id, call.id);
  }
  said_.clear();
  text_.conclusion(said_, rng_.between(900, 7'000));
  writer_.begin_message(agent_model);
  block_ = "{\"type\":\"text\",\"text\":\"" + said_ + "\"}";
  writer_.assistant_body(body_, block_, "end_turn");
  writer_.chained(chain, body_);
  const std::string meta = plan_.modern ? "{\"agentType\":\"Explore\",\"description\":\"" +
                                              report_.title + "\",\"spawnDepth\":1}"
                                        : "{\"agentType\":\"Explore\"}";
  if (Status ok = side_file("subagents/agent-" + agent_id + ".jsonl", chain.out); !ok.ok())
    return ok;
  if (Status ok = side_file("subagents/agent-" + agent_id + ".meta.json", meta); !ok.ok())
    return ok;

  body_ = "\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"tool_use_id\":\"" +
          call.id + "\",\"type\":\"tool_result\",\"content\":[{\"type\":\"text\",\"text\":\"" +
          said_ + "\"},{\"type\":\"text\",\"text\":\"agentId: " + agent_id + "\"}]}]}";
  body_ += ",\"toolUseResult\":{\"status\":\"completed\",\"prompt\":\"" + task +
           "\",\"agentId\":\"" + agent_id + "\",\"content\":[{\"type\":\"text\",\"text\":\"" +
           said_ + "\"}],\"totalDurationMs\":";
  append_number(body_, rng_.between(20'000, 300'000));
  body_ += ",\"totalTokens\":";
  append_number(body_, rng_.between(9'000, 90'000));
  body_ += ",\"totalToolUseCount\":";
  append_number(body_, exchanges);
  writer_.chained(main_, body_ += '}');
  return {};
}

}  // namespace yore::generator
