// stdio_transport.hpp — lines over two descriptors: standard input and output of `yore mcp`.
//
// send() never waits. What the peer does not take at once is kept and written by next() as room
// appears, so a client that writes a thousand requests before it reads the first answer cannot lock
// up with us. When too much is kept, next() stops reading until the peer has caught up.
//
// A line ends with \n or \r\n; blank lines are passed over. A line over the limit is skipped as it
// arrives and reported once. What stands before the end of input without a newline is a `half`
// line.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "mcp/protocol/transport.hpp"

namespace yore::mcp {

// Keeps standard output for the protocol: returns a new descriptor for it, closed on exec, and
// points descriptor 1 at standard error, so that whatever prints cannot break a line.
Result<int> claim_stdout();

class StdioTransport final : public Transport {
 public:
  struct Options {
    std::size_t max_line_bytes = std::size_t{10} << 20;
    std::size_t max_kept_bytes = std::size_t{16} << 20;  // unsent, before reading stops
    int stop_fd = -1;  // readable: end as if the input had ended; what it holds is not read
  };

  // The descriptors stay the caller's. SIGPIPE is ignored from here on, for the whole process.
  StdioTransport(int in_fd, int out_fd, Options options);
  StdioTransport(int in_fd, int out_fd) : StdioTransport(in_fd, out_fd, Options{}) {}
  // Writes what is kept, unless the peer takes nothing for a while.
  ~StdioTransport() override;
  StdioTransport(const StdioTransport&) = delete;
  StdioTransport& operator=(const StdioTransport&) = delete;

  std::optional<Line> next() override;
  bool send(std::string_view line) override;
  void close() override;

 private:
  std::optional<Line> take_line();
  std::optional<Line> take_rest();
  bool wait_for_input();  // false: nothing more will come
  void read_some();
  std::size_t write_some();  // bytes still kept
  void write_kept();         // REQUIRES: out_mutex_ is held
  void wake();

  const int in_fd_;
  const int out_fd_;
  const Options options_;
  int wake_read_fd_ = -1;
  int wake_write_fd_ = -1;

  // Used by the reading thread alone.
  std::string in_;
  std::size_t in_begin_ = 0;    // the first byte not yet handed out
  std::size_t in_scanned_ = 0;  // no newline between in_begin_ and here
  bool skipping_ = false;       // inside a line over the limit
  bool in_ended_ = false;

  std::mutex out_mutex_;
  std::string out_;
  std::size_t out_begin_ = 0;
  std::atomic<bool> closed_{false};
  std::atomic<bool> gone_{false};
};

}  // namespace yore::mcp
