#include "mcp/protocol/reply.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace yore::mcp {
namespace {

class Batch {
 public:
  Batch(Transport& transport, std::size_t slots)
      : transport_(transport), lines_(slots), missing_(slots) {}

  void fill(std::size_t slot, std::string line) {
    const std::scoped_lock lock(mutex_);
    lines_[slot] = std::move(line);
    if (--missing_ > 0) return;
    std::string all;
    for (const std::string& answer : lines_) {
      if (answer.empty()) continue;
      all += all.empty() ? '[' : ',';
      all += answer;
    }
    if (!all.empty()) deliver(transport_, all + "]");
  }

 private:
  Transport& transport_;
  std::mutex mutex_;
  std::vector<std::string> lines_;
  std::size_t missing_;
};

}  // namespace

void deliver(Transport& transport, std::string_view line) {
  if (!transport.send(line)) transport.close();
}

Reply reply_alone(Transport& transport) {
  return [&transport](const std::string& line) {
    if (!line.empty()) deliver(transport, line);
  };
}

std::function<Reply(std::size_t slot)> replies_of_batch(Transport& transport, std::size_t slots) {
  return [batch = std::make_shared<Batch>(transport, slots)](std::size_t slot) -> Reply {
    return [batch, slot](std::string line) { batch->fill(slot, std::move(line)); };
  };
}

}  // namespace yore::mcp
