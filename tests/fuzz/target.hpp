// target.hpp — fuzz targets: any bytes in; what must hold and does not ends the process.
//
// A target is a row in one of the tables below. The same targets run in three ways: under libFuzzer
// (fuzz_main.cpp, tools/fuzz), over the kept inputs and simple damage to them as an ordinary test
// (replay_test.cpp), and over one file that was found (libFuzzer with a file as its argument).
#pragma once

#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace yore::fuzz {

struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
  // Valid inputs to begin with, made by the encoder; null where the kept inputs are enough.
  std::vector<std::string> (*seeds)() = nullptr;
};

std::span<const Target> text_targets();
std::span<const Target> agent_targets();
std::span<const Target> index_targets();
std::span<const Target> store_targets();
std::span<const Target> mcp_targets();
std::vector<Target> all_targets();

void jsonl(std::string_view bytes);  // a target in a file of its own, jsonl_target.cpp

inline void check(bool holds) {
  if (!holds) std::abort();
}

// A directory of this process alone, in memory where there is such a place; gone when it ends.
const std::string& scratch_directory();
// A file in it, with the folders above; its path.
std::string write_scratch(const std::string& name, std::string_view bytes);
// A file on disk, whole.
std::string read_whole(const std::string& path);
// `bytes` at an address divisible by 8, with nothing readable behind them.
class Aligned {
 public:
  explicit Aligned(std::string_view bytes);
  [[nodiscard]] std::string_view bytes() const {
    return {reinterpret_cast<const char*>(words_.get()), size_};
  }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> words_;
  std::size_t size_ = 0;
};

}  // namespace yore::fuzz
