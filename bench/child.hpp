// child.hpp — starts a program as a shell would and tells what the process cost.
#pragma once

#include <string>
#include <vector>

namespace yore::bench {

struct Ended {
  int exit_code = -1;  // -1: it did not end by itself
  double wall_seconds = 0;
  double cpu_seconds = 0;  // user and system
  std::string output;
};

// Runs argv[0] with exactly this environment; its output is collected, its errors are not.
Ended run_program(const std::vector<std::string>& argv, const std::vector<std::string>& env);

struct Memory {
  double anonymous_mb = 0;  // of its own: heap, stacks, written pages
  double resident_mb = 0;   // with the pages of files that are mapped
};

// The most that the program has of each at the beginning or the end of any system call. Memory is
// given back by system calls only, so that is its peak. The process is traced, hence slow: time it
// in another run.
Memory peak_memory(const std::vector<std::string>& argv, const std::vector<std::string>& env);

}  // namespace yore::bench
