// call.hpp — one tools/call under way: what was asked, and what may still be said about it.
//
// A call says things in one order only: progress that grows, then one answer, then nothing. Once it
// was cancelled it says nothing at all.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "mcp/protocol/reply.hpp"
#include "mcp/tools/tool.hpp"

namespace yore::mcp {

struct CallOrder {
  Id id;
  const Tool* tool = nullptr;
  Json params;  // of tools/call
  Revision revision = kNewestLegacy;
  std::size_t bytes = 0;  // of the line that asked
  Reply reply;
  std::string client = {};  // its name
};

// Held by shared pointers: a tool may keep the progress function longer than its call.
class Call : public std::enable_shared_from_this<Call> {
 public:
  // `transport` carries the progress, `server_info` goes into the result; both must outlive it.
  Call(CallOrder order, Transport& transport, const Json& server_info);

  [[nodiscard]] const CallOrder& order() const { return order_; }
  // Runs the tool and answers. Whatever the tool throws becomes an internal error.
  void run();
  // The client does not want it any more: the request is over, without an answer.
  void cancel();
  // The connection ends: as cancel(), and a batch it belongs to stays unanswered too.
  void abandon();

 private:
  std::string answer_line();
  void report(double progress, std::optional<double> total, std::string_view message);

  CallOrder order_;
  Transport& transport_;
  const Json& server_info_;
  const std::optional<Json> token_;
  std::stop_source stop_;

  std::mutex mutex_;  // held while a line goes out, so that nothing overtakes the end
  bool ended_ = false;
  double reported_ = -std::numeric_limits<double>::infinity();
};

}  // namespace yore::mcp
