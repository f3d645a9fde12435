// memory_transport.hpp — a client in memory: lines for the server on one side, its lines on the
// other.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "mcp/protocol/transport.hpp"

namespace yore::fake {

class MemoryTransport final : public mcp::Transport {
 public:
  // As the client.
  void push(std::string line) { push(mcp::Line{mcp::Line::Kind::whole, std::move(line)}); }
  void push(mcp::Line line);
  void finish();   // the end of what the client sends
  void hang_up();  // the client reads no more
  // The next line the server sent; waits for it. A test that waits in vain fails by aborting.
  std::string take();
  // All that was sent and not taken.
  std::vector<std::string> rest();
  [[nodiscard]] bool closed();

  std::optional<mcp::Line> next() override;
  bool send(std::string_view line) override;
  void close() override;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<mcp::Line> in_;
  std::deque<std::string> out_;
  bool finished_ = false;
  bool gone_ = false;
  bool closed_ = false;
};

}  // namespace yore::fake
