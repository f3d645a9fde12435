// Any bytes as what a client sends: no crash, answers that are valid lines, and ids that come back
// as they were.
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <string>
#include <string_view>

#include "fuzz/target.hpp"
#include "mcp/protocol/message.hpp"
#include "mcp/protocol/request_meta.hpp"
#include "mcp/server.hpp"
#include "mcp/tools/arguments.hpp"

namespace yore::fuzz {
namespace {

using namespace yore::mcp;

// The input as lines; what is sent must be JSON on one line.
class FuzzTransport final : public Transport {
 public:
  explicit FuzzTransport(std::string_view input) : rest_(input) {}
  std::optional<Line> next() override {
    if (rest_.empty()) return std::nullopt;
    const std::size_t end = rest_.find('\n');
    Line line{Line::Kind::whole, std::string(rest_.substr(0, end))};
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return line;
  }
  bool send(std::string_view line) override {
    check(line.find('\n') == std::string_view::npos);
    const Json json = Json::parse(line, nullptr, false);
    check(json.is_object() || (json.is_array() && !json.empty()));
    return true;
  }
  void close() override {}

 private:
  std::string_view rest_;
};

ToolAnswer read_arguments(const ToolCall& call) {
  Arguments args(call.arguments, {"query", "limit", "all", "words", "mode"});
  constexpr std::string_view kModes[] = {"keyword", "meaning"};
  args.required_text("query", 100);
  args.integer("limit", {1, 100}, 10);
  args.flag("all", false);
  args.texts("words");
  args.choices("mode", kModes);
  call.progress(1, 2, args.error().value_or(""));
  return args.error() ? tool_error(*args.error()) : ToolAnswer{call.caller_session};
}

void mcp(std::string_view text) {
  for (const Message& message : parse_line(text.substr(0, text.find('\n'))).messages) {
    const auto* request = std::get_if<Request>(&message);
    if (request == nullptr) continue;
    const Json echoed = Json::parse(result_line(request->id, {}), nullptr, false);
    check(id_text(echoed["id"]) == request->id);
    check(request->params.is_object());
  }

  static Server server({"fuzz", "", "0", ""},
                       {{"read", "Read", "Reads.", R"({"type":"object"})", false, read_arguments}});
  FuzzTransport transport(text);
  check(server.run(transport) == 0);
}

constexpr Target kMcpTargets[] = {{"mcp", mcp}};

}  // namespace

std::span<const Target> mcp_targets() {
  return kMcpTargets;
}

}  // namespace yore::fuzz
