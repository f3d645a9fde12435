// pool.hpp — things that belong to one thread at a time: who needs one takes it and brings it back.
// Thread-safe.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace yore::service {

// `Mark` says what a thing was made for; one made for anything else is thrown away.
template <typename T, typename Mark>
class Pool {
 public:
  std::optional<T> take(const Mark& mark) {
    const std::lock_guard guard(mutex_);
    while (!idle_.empty()) {
      auto [made_for, thing] = std::move(idle_.back());
      idle_.pop_back();
      if (made_for == mark) return std::move(thing);
    }
    return std::nullopt;
  }
  void give(const Mark& mark, T thing) {
    const std::lock_guard guard(mutex_);
    if (idle_.size() < kMostIdle) idle_.emplace_back(mark, std::move(thing));
  }

 private:
  static constexpr std::size_t kMostIdle = 16;
  std::mutex mutex_;
  std::vector<std::pair<Mark, T>> idle_;
};

}  // namespace yore::service
