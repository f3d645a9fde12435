#include "mcp/protocol/connection.hpp"

#include <utility>

namespace yore::mcp {

void Connection::take(const Line& line) {
  if (line.kind == Line::Kind::oversize) {
    deliver(transport_,
            nameless_error(invalid_request("The line is longer than " +
                                           std::to_string(line.limit_bytes) + " bytes")));
    return;
  }
  Incoming incoming = parse_line(line.text);
  if (incoming.batch) return take_batch(std::move(incoming.messages), line.text.size());
  const auto* malformed = std::get_if<Malformed>(&incoming.messages.front());
  const bool broken_off = line.kind == Line::Kind::half && malformed != nullptr &&
                          malformed->error.code == RpcCode::parse_error;
  // A client that died while writing wants no answer; one that forgot the newline does.
  if (broken_off) return;
  take_message(std::move(incoming.messages.front()), line.text.size(), /*in_batch=*/false,
               reply_alone(transport_));
}

void Connection::take_batch(std::vector<Message> messages, std::size_t line_bytes) {
  const auto refuse = [this](std::string why) {
    deliver(transport_, nameless_error(invalid_request(std::move(why))));
  };
  if (!era_.legacy() || !features(*era_.legacy()).batches) {
    return refuse("This protocol revision has no batches");
  }
  if (messages.empty()) return refuse("The batch is empty");
  const auto reply_of = replies_of_batch(transport_, messages.size());
  for (std::size_t slot = 0; slot < messages.size(); ++slot) {
    take_message(std::move(messages[slot]), line_bytes / messages.size(), /*in_batch=*/true,
                 reply_of(slot));
  }
}

void Connection::take_message(Message message, std::size_t line_bytes, bool in_batch,
                              const Reply& reply) {
  if (const auto* malformed = std::get_if<Malformed>(&message)) {
    return reply(malformed->id.empty() ? nameless_error(malformed->error)
                                       : error_line(malformed->id, malformed->error));
  }
  if (const auto* notification = std::get_if<Notification>(&message)) {
    take_notification(*notification);
  }
  auto* const request = std::get_if<Request>(&message);
  if (request == nullptr) return reply("");

  const Id id = request->id;
  Asked asked{std::move(*request), kNewestLegacy, line_bytes, in_batch, reply};
  const Answer said = answer(asked);
  if (const auto* result = std::get_if<Json>(&said)) reply(result_line(id, *result));
  if (const auto* error = std::get_if<RpcError>(&said)) reply(error_line(id, *error));
}

void Connection::take_notification(const Notification& notification) {
  if (notification.method != "notifications/cancelled") return;
  const Json* const id = member(notification.params, "requestId");
  if (id != nullptr) calls_.cancel(id_text(*id));
}

std::string Connection::nameless_error(const RpcError& error) const {
  const bool absent = !era_.legacy() || features(*era_.legacy()).id_may_be_absent;
  return error_line("", error, absent ? NoId::absent : NoId::null);
}

void Connection::say_internal_error() {
  deliver(transport_, nameless_error({RpcCode::internal_error, "Internal error"}));
}

}  // namespace yore::mcp
