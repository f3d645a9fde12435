#include "mcp/protocol/stdio_transport.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <system_error>

#include "text/utf8.hpp"

namespace yore::mcp {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;
// Above this an empty buffer is given back: one long line must not be paid for ever after.
constexpr std::size_t kSpareBytes = std::size_t{1} << 20;
constexpr int kFarewellMs = 1000;

bool can_write(int fd, int timeout_ms) {
  pollfd writable{fd, POLLOUT, 0};
  return ::poll(&writable, 1, timeout_ms) > 0;
}

// How much a descriptor that polls as writable takes without making us wait. A pipe promises
// PIPE_BUF; an empty one has room for all it can hold.
std::size_t room(int fd) {
  const int capacity = ::fcntl(fd, F_GETPIPE_SZ);
  int unread = 0;
  const bool empty_pipe = capacity > 0 && ::ioctl(fd, FIONREAD, &unread) == 0 && unread == 0;
  return empty_pipe ? static_cast<std::size_t>(capacity) : PIPE_BUF;
}

std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

Result<int> claim_stdout() {
  const int fd = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (fd < 0) {
    return Error{Errc::io, "cannot use standard output: " + std::generic_category().message(errno)};
  }
  if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    // No standard error: prints go nowhere.
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0 || ::dup2(nowhere, STDOUT_FILENO) < 0) {
      return Error{Errc::io, "cannot set standard output aside"};
    }
    if (nowhere != STDOUT_FILENO) ::close(nowhere);
  }
  return fd;
}

StdioTransport::StdioTransport(int in_fd, int out_fd, Options options)
    : in_fd_(in_fd), out_fd_(out_fd), options_(options) {
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends{-1, -1};
  // Without the pipe we still serve; only close() from another thread goes unnoticed for a while.
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0) {
    wake_read_fd_ = ends[0];
    wake_write_fd_ = ends[1];
  }
}

StdioTransport::~StdioTransport() {
  while (write_some() > 0 && can_write(out_fd_, kFarewellMs)) {
  }
  if (wake_read_fd_ >= 0) ::close(wake_read_fd_);
  if (wake_write_fd_ >= 0) ::close(wake_write_fd_);
}

std::optional<Line> StdioTransport::next() {
  while (!closed_ && !gone_) {
    if (auto line = take_line()) return line;
    if (in_ended_) return take_rest();
    if (!wait_for_input()) break;
    read_some();
  }
  return std::nullopt;
}

std::optional<Line> StdioTransport::take_line() {
  while (true) {
    const std::size_t end = in_.find('\n', in_scanned_);
    if (end == std::string::npos) break;
    const std::string_view text =
        without_return(std::string_view(in_).substr(in_begin_, end - in_begin_));
    const bool oversize = skipping_ || text.size() > options_.max_line_bytes;
    std::optional<Line> line;
    if (oversize) line = Line{Line::Kind::oversize, "", options_.max_line_bytes};
    if (!oversize && !text::is_blank(text)) line = Line{Line::Kind::whole, std::string(text)};
    in_begin_ = in_scanned_ = end + 1;
    skipping_ = false;
    if (line) return line;
  }
  in_.erase(0, in_begin_);
  in_begin_ = 0;
  // One byte more for a \r that may turn out to end the line.
  if (skipping_ || in_.size() > options_.max_line_bytes + 1) {
    skipping_ = true;
    in_.clear();
  }
  in_scanned_ = in_.size();
  if (in_.empty() && in_.capacity() > kSpareBytes) in_.shrink_to_fit();
  return std::nullopt;
}

std::optional<Line> StdioTransport::take_rest() {
  const std::string rest = std::move(in_);
  in_.clear();
  in_begin_ = in_scanned_ = 0;
  if (skipping_ || rest.size() > options_.max_line_bytes) return std::nullopt;
  if (text::is_blank(rest)) return std::nullopt;
  return Line{Line::Kind::half, rest};
}

bool StdioTransport::wait_for_input() {
  while (!closed_ && !gone_) {
    const std::size_t kept = write_some();
    const bool may_read = kept <= options_.max_kept_bytes;
    // Negative descriptors are passed over by poll(). The output is watched even when there is
    // nothing to write: a peer that no longer reads is gone.
    std::array<pollfd, 4> watched = {{{may_read ? in_fd_ : -1, POLLIN, 0},
                                      {out_fd_, static_cast<short>(kept > 0 ? POLLOUT : 0), 0},
                                      {wake_read_fd_, POLLIN, 0},
                                      {options_.stop_fd, POLLIN, 0}}};
    if (::poll(watched.data(), watched.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (watched[3].revents != 0) return false;
    if (watched[2].revents != 0) {
      std::array<char, 64> ignored{};
      while (::read(wake_read_fd_, ignored.data(), ignored.size()) > 0) {
      }
    }
    if ((watched[1].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) {
      gone_ = true;
      return false;
    }
    if (watched[0].revents != 0) return true;
  }
  return false;
}

void StdioTransport::read_some() {
  const std::size_t before = in_.size();
  in_.resize(before + kReadBytes);
  const ssize_t count = ::read(in_fd_, in_.data() + before, kReadBytes);
  in_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  const bool again = count < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK);
  in_ended_ = count <= 0 && !again;
}

bool StdioTransport::send(std::string_view line) {
  const std::scoped_lock lock(out_mutex_);
  if (gone_) return false;
  const bool was_empty = out_.empty();
  out_.append(line).push_back('\n');
  write_kept();
  // What is left is for next() to write, once it knows.
  if (was_empty && !out_.empty()) wake();
  return !gone_;
}

std::size_t StdioTransport::write_some() {
  const std::scoped_lock lock(out_mutex_);
  write_kept();
  return out_.size() - out_begin_;
}

void StdioTransport::write_kept() {
  while (!gone_ && out_begin_ < out_.size() && can_write(out_fd_, 0)) {
    const std::size_t size = std::min(out_.size() - out_begin_, room(out_fd_));
    const ssize_t count = ::write(out_fd_, out_.data() + out_begin_, size);
    if (count >= 0) {
      out_begin_ += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno != EINTR) {
      gone_ = true;
    }
  }
  if (gone_) out_begin_ = out_.size();
  // Moving the rest to the front is paid for by the bytes written since.
  if (out_begin_ < out_.size() / 2) return;
  out_.erase(0, out_begin_);
  out_begin_ = 0;
  if (out_.empty() && out_.capacity() > kSpareBytes) out_.shrink_to_fit();
}

void StdioTransport::close() {
  closed_ = true;
  wake();
}

void StdioTransport::wake() {
  // A full pipe wakes as well.
  if (wake_write_fd_ >= 0 && ::write(wake_write_fd_, "", 1) < 0) return;
}

}  // namespace yore::mcp
