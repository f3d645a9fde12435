// call_pool.hpp — the calls of one connection and the threads that run them.
//
// A thread starts when a call comes and all others are busy, up to the limit; a server that is
// never asked has none. Calls begin in the order they came.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "mcp/protocol/call.hpp"

namespace yore::mcp {

struct Limits {
  std::size_t workers = 4;
  // Calls that wait or run, and the bytes of their lines. What comes beyond is answered with a tool
  // error that asks to try again: the client stays in step, and memory is bounded.
  std::size_t calls = 8192;
  std::size_t call_bytes = std::size_t{64} << 20;
};

class CallPool {
 public:
  explicit CallPool(Limits limits) : limits_(limits) {}
  // Abandons what is under way and waits for the threads.
  ~CallPool();
  CallPool(const CallPool&) = delete;
  CallPool& operator=(const CallPool&) = delete;

  // False: too many are under way already; nothing was done.
  bool start(const std::shared_ptr<Call>& call);
  // Unknown ids are passed over. Ids should not be used twice at a time; if so, all are cancelled.
  void cancel(const Id& id);

 private:
  bool ensure_worker();  // REQUIRES: mutex_ is held
  void work();
  void forget(const std::shared_ptr<Call>& call);  // REQUIRES: mutex_ is held

  const Limits limits_;
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<std::shared_ptr<Call>> waiting_;
  std::unordered_multimap<Id, std::shared_ptr<Call>> under_way_;  // waiting or running
  std::size_t bytes_ = 0;                                         // of those
  std::size_t idle_ = 0;
  bool ending_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace yore::mcp
