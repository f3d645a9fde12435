#include "mcp/protocol/call.hpp"

#include <cmath>
#include <utility>

#include "mcp/protocol/request_meta.hpp"

namespace yore::mcp {
namespace {

// Whole numbers without a point, as clients write them.
Json number(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::abs(value) < kExact && value == std::floor(value)) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

}  // namespace

Call::Call(CallOrder order, Transport& transport, const Json& server_info)
    : order_(std::move(order)),
      transport_(transport),
      server_info_(server_info),
      token_(progress_token(order_.params)) {}

void Call::run() {
  if (stop_.stop_requested()) return;
  std::string line;
  try {
    line = answer_line();
  } catch (...) {
    // What went wrong may name files; that is not for the client.
    line = error_line(order_.id, {RpcCode::internal_error, "Internal error"});
  }
  const std::scoped_lock lock(mutex_);
  if (std::exchange(ended_, true)) return;
  order_.reply(std::move(line));
}

std::string Call::answer_line() {
  const Json* const given = member(order_.params, "arguments");
  const Json none = Json::object();
  const ToolAnswer answer = order_.tool->call(
      {given == nullptr ? none : *given, caller_session(order_.params), stop_.get_token(),
       [self = shared_from_this()](double progress, std::optional<double> total,
                                   std::string_view message) {
         self->report(progress, total, message);
       },
       order_.client, caller_model(order_.params)});
  Json result = to_json(answer);
  decorate(result, order_.revision, server_info_, Keep::no);
  return result_line(order_.id, result);
}

void Call::report(double progress, std::optional<double> total, std::string_view message) {
  if (!token_ || !std::isfinite(progress)) return;
  const std::scoped_lock lock(mutex_);
  if (ended_ || progress <= reported_) return;
  reported_ = progress;
  Json params = {{"progressToken", *token_}, {"progress", number(progress)}};
  if (total && std::isfinite(*total)) params["total"] = number(*total);
  if (!message.empty() && features(order_.revision).progress_message) params["message"] = message;
  deliver(transport_, notification_line("notifications/progress", params));
}

void Call::cancel() {
  // The token last and without the lock: what it wakes may report.
  {
    const std::scoped_lock lock(mutex_);
    if (!std::exchange(ended_, true)) order_.reply("");
  }
  stop_.request_stop();
}

void Call::abandon() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  stop_.request_stop();
}

}  // namespace yore::mcp
