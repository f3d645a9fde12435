#include "support/memory_transport.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace yore::fake {

void MemoryTransport::push(mcp::Line line) {
  const std::scoped_lock lock(mutex_);
  in_.push_back(std::move(line));
  changed_.notify_all();
}

void MemoryTransport::finish() {
  const std::scoped_lock lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

void MemoryTransport::hang_up() {
  const std::scoped_lock lock(mutex_);
  gone_ = true;
}

std::string MemoryTransport::take() {
  std::unique_lock lock(mutex_);
  // Never waited out unless the test has failed.
  constexpr std::chrono::seconds kPatience{60};
  if (!changed_.wait_for(lock, kPatience, [this] { return !out_.empty(); })) {
    std::fputs("the server sent nothing\n", stderr);
    std::abort();
  }
  std::string line = std::move(out_.front());
  out_.pop_front();
  return line;
}

std::vector<std::string> MemoryTransport::rest() {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> lines(out_.begin(), out_.end());
  out_.clear();
  return lines;
}

bool MemoryTransport::closed() {
  const std::scoped_lock lock(mutex_);
  return closed_;
}

std::optional<mcp::Line> MemoryTransport::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || finished_ || !in_.empty(); });
  if (closed_ || in_.empty()) return std::nullopt;
  mcp::Line line = std::move(in_.front());
  in_.pop_front();
  return line;
}

bool MemoryTransport::send(std::string_view line) {
  const std::scoped_lock lock(mutex_);
  if (gone_) return false;
  out_.emplace_back(line);
  changed_.notify_all();
  return true;
}

void MemoryTransport::close() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

}  // namespace yore::fake
