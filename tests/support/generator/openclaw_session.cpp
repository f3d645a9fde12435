#include "generator/openclaw_session.hpp"

#include <algorithm>

#include "generator/json_text.hpp"
#include "generator/tools.hpp"

namespace yore::generator {
namespace {

constexpr Spread kExchanges = {0, 1, 4, 14, 40, 60};
constexpr Spread kReplyBytes = {30, 90, 420, 1800, 4000, 6000};

class Writer {
 public:
  Writer(Rng& rng, TextMaker& text, const Project& project, const OpenClawPlan& plan)
      : rng_(rng),
        text_(text),
        plan_(plan),
        tools_(rng, text, project, true, "/tmp"),
        now_ms_(plan.start_ms),
        id_(make_uuid(rng)) {
    out_ = "{\"type\":\"session\",\"version\":3,\"id\":\"" + id_ + "\",\"timestamp\":\"";
    append_iso(out_, now_ms_);
    ((out_ += "\",\"cwd\":\"") += project.cwd()) += "\"}\n";
    entry("model_change", ",\"provider\":\"anthropic\",\"modelId\":\"claude-sonnet-4-5\"");
    entry("thinking_level_change", ",\"thinkingLevel\":\"low\"");
    entry("custom", ",\"customType\":\"model-snapshot\",\"data\":{\"provider\":\"anthropic\"}");
  }

  void turn(bool first) {
    if (first || rng_.chance(250)) heartbeat();
    std::string prompt = "[Mon ";
    append_iso(prompt, now_ms_);
    prompt.resize(prompt.size() - 8);  // to the minute
    prompt[prompt.size() - 6] = ' ';
    prompt += " GMT+1] ";
    text_.prompt(prompt, first);
    user(prompt);
    const std::uint32_t exchanges = static_cast<std::uint32_t>(
        std::uint64_t{sample(kExchanges, rng_)} * plan_.size_permille / 1000);
    for (std::uint32_t i = 0; i < exchanges; ++i) exchange();
    std::string block = "{\"type\":\"text\",\"text\":\"";
    text_.conclusion(block, sample(kReplyBytes, rng_));
    assistant(block += "\"}", "stop");
    now_ms_ += rng_.between(20'000, 1'800'000);
    ++turns_;
  }

  void name_session() {
    std::string fields = ",\"name\":\"";
    text_.title(fields);
    entry("session_info", fields += '"');
  }

  [[nodiscard]] const std::string& text() const { return out_; }
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] std::int64_t now_ms() const { return now_ms_; }
  [[nodiscard]] std::uint32_t turns() const { return turns_; }

 private:
  void entry(std::string_view type, std::string_view fields) {
    const std::string id = make_hex(rng_, 8);
    ((out_ += "{\"type\":\"") += type) += "\",\"id\":\"";
    (out_ += id) += "\",\"parentId\":";
    if (parent_.empty()) {
      out_ += "null";
    } else {
      ((out_ += '"') += parent_) += '"';
    }
    out_ += ",\"timestamp\":\"";
    append_iso(out_, now_ms_);
    ((out_ += '"') += fields) += "}\n";
    parent_ = id;
    now_ms_ += rng_.between(30, 4'000);
  }

  void message(std::string_view role_and_content, std::string_view more) {
    message_ = ",\"message\":{";
    ((message_ += role_and_content) += more) += ",\"timestamp\":";
    append_number(message_, static_cast<std::uint64_t>(now_ms_));
    entry("message", message_ += '}');
  }

  void user(std::string_view text) {
    std::string content = "\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"";
    message((content += text) += "\"}]", "");
  }

  void assistant(std::string_view blocks, std::string_view stop_reason) {
    const std::uint32_t written = rng_.between(10, 900);
    std::string content = "\"role\":\"assistant\",\"content\":[";
    (content += blocks) += ']';
    std::string more =
        ",\"api\":\"anthropic-messages\",\"provider\":\"anthropic\",\"model\":\"claude-sonnet-4-5\""
        ",\"usage\":{\"input\":4,\"output\":";
    append_number(more, written);
    more += ",\"cacheRead\":12000,\"cacheWrite\":300,\"totalTokens\":";
    append_number(more, 12'304 + written);
    more += ",\"cost\":{\"input\":0,\"output\":0,\"cacheRead\":0,\"cacheWrite\":0,\"total\":0}}";
    ((more += ",\"stopReason\":\"") += stop_reason) += '"';
    message(content, more);
  }

  void heartbeat() {
    user("[OpenClaw heartbeat poll]");
    assistant("{\"type\":\"text\",\"text\":\"HEARTBEAT_OK\"}", "stop");
    now_ms_ += rng_.between(600'000, 1'800'000);
  }

  void exchange() {
    tools_.run(rng_.chance(600) ? Tool::bash : Tool::read, call_);
    const bool shell = call_.tool == Tool::bash;
    std::string blocks;
    if (rng_.chance(300)) {
      blocks = "{\"type\":\"thinking\",\"thinking\":\"";
      text_.thought(blocks, rng_.between(40, 900));
      blocks += "\",\"thinkingSignature\":\"";
      append_base64(rng_, blocks, rng_.between(200, 900));
      blocks += "\"},";
    }
    blocks += "{\"type\":\"toolCall\",\"id\":\"" + call_.id + "\",\"name\":\"";
    blocks += shell ? "exec\",\"arguments\":{\"command\":\"" : "read\",\"arguments\":{\"path\":\"";
    if (shell) {
      text_.command(blocks);
    } else {
      // The path is the first value of the simulated call's input.
      const std::size_t from = call_.input.find(":\"") + 2;
      blocks += std::string_view(call_.input).substr(from, call_.input.find('"', from) - from);
    }
    assistant(blocks += "\"}}", "toolUse");
    std::string content = "\"role\":\"toolResult\",\"toolCallId\":\"" + call_.id +
                          (shell ? "\",\"toolName\":\"exec\"" : "\",\"toolName\":\"read\"") +
                          ",\"content\":[{\"type\":\"text\",\"text\":\"";
    (content += call_.result) += "\"}]";
    message(content, call_.failed ? ",\"isError\":true" : ",\"isError\":false");
  }

  Rng& rng_;
  TextMaker& text_;
  const OpenClawPlan& plan_;
  ToolSimulator tools_;
  ToolCall call_;
  std::int64_t now_ms_;
  std::string id_;
  std::string parent_;
  std::string out_;
  std::string message_;
  std::uint32_t turns_ = 0;
};

std::string file_name(const OpenClawPlan& plan, const Writer& writer) {
  const std::string live = plan.directory + "/" + writer.id() + ".jsonl";
  if (plan.fate == OpenClawFate::reset) return live + ".reset." + file_time(writer.now_ms());
  if (plan.fate == OpenClawFate::deleted) return live + ".deleted." + file_time(writer.now_ms());
  return live;
}

}  // namespace

Result<OpenClawReport> write_openclaw_session(Rng& rng, TextMaker& text, const Project& project,
                                              Output& output, const OpenClawPlan& plan) {
  Writer writer(rng, text, project, plan);
  std::string half_way;  // what a compaction would have kept aside
  for (std::uint32_t i = 0; i < plan.turns; ++i) {
    writer.turn(i == 0);
    if (plan.with_copies && i == plan.turns / 2) half_way = writer.text();
    if (writer.text().size() >= plan.budget_bytes) break;
  }
  if (rng.chance(400)) writer.name_session();

  OpenClawReport report;
  report.id = writer.id();
  report.start_ms = plan.start_ms;
  report.end_ms = writer.now_ms();
  report.turns = writer.turns();
  const auto write = [&](const std::string& path, std::string_view bytes) {
    ++report.files;
    report.bytes += bytes.size();
    return output.write(path, bytes);
  };
  if (Status ok = write(file_name(plan, writer), writer.text()); !ok.ok()) return ok.error();
  if (half_way.empty()) return report;
  const std::string stem = plan.directory + "/" + report.id;
  Status ok = write(stem + ".checkpoint." + make_uuid(rng) + ".jsonl", half_way);
  if (ok.ok()) ok = write(stem + ".jsonl.bak-4711-" + std::to_string(report.end_ms), half_way);
  if (!ok.ok()) return ok.error();
  return report;
}

}  // namespace yore::generator
