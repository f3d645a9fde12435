// bounded_queue.hpp — hands items from many producers to one consumer; a full queue makes producers
// wait, so that memory stays bounded. Thread-safe.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace yore::ingest {

template <typename T>
class BoundedQueue {
 public:
  BoundedQueue(std::size_t limit, int producers) : limit_(limit), producers_(producers) {}

  // False: the consumer is gone, stop producing.
  bool push(T item) {
    std::unique_lock lock(mutex_);
    space_.wait(lock, [this] { return items_.size() < limit_ || closed_; });
    if (closed_) return false;
    items_.push_back(std::move(item));
    filled_.notify_one();
    return true;
  }

  // nullopt: every producer is done and nothing is left.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return !items_.empty() || producers_ == 0; });
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    space_.notify_one();
    return item;
  }

  void producer_done() {
    const std::scoped_lock lock(mutex_);
    --producers_;
    filled_.notify_one();
  }

  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    space_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable space_;
  std::condition_variable filled_;
  std::deque<T> items_;
  std::size_t limit_;
  int producers_;
  bool closed_ = false;
};

}  // namespace yore::ingest
