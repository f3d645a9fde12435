#include "mcp/protocol/call_pool.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace yore::mcp {

CallPool::~CallPool() {
  std::unordered_multimap<Id, std::shared_ptr<Call>> left;
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
    left.swap(under_way_);
    waiting_.clear();
  }
  for (const auto& [id, call] : left) call->abandon();
  filled_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

bool CallPool::start(const std::shared_ptr<Call>& call) {
  const std::scoped_lock lock(mutex_);
  const std::size_t bytes = call->order().bytes;
  if (under_way_.size() >= limits_.calls || bytes_ + bytes > limits_.call_bytes) return false;
  if (!ensure_worker()) return false;
  under_way_.emplace(call->order().id, call);
  bytes_ += bytes;
  waiting_.push_back(call);
  filled_.notify_one();
  return true;
}

bool CallPool::ensure_worker() {
  if (idle_ > waiting_.size() || workers_.size() >= limits_.workers) return true;
  try {
    workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // No more threads to be had: those that run must do.
  }
  return !workers_.empty();
}

void CallPool::cancel(const Id& id) {
  std::vector<std::shared_ptr<Call>> wanted;
  {
    const std::scoped_lock lock(mutex_);
    const auto [begin, end] = under_way_.equal_range(id);
    for (auto at = begin; at != end; ++at) wanted.push_back(at->second);
  }
  for (const auto& call : wanted) call->cancel();
}

void CallPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    filled_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    --idle_;
    if (ending_) return;
    const std::shared_ptr<Call> call = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    call->run();
    lock.lock();
    forget(call);
  }
}

void CallPool::forget(const std::shared_ptr<Call>& call) {
  const auto [begin, end] = under_way_.equal_range(call->order().id);
  const auto found =
      std::find_if(begin, end, [&](const auto& entry) { return entry.second == call; });
  if (found == end) return;
  bytes_ -= call->order().bytes;
  under_way_.erase(found);
}

}  // namespace yore::mcp
