#include "child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string_view>

namespace yore::bench {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

void look_at(pid_t process, Memory& peak) {
  std::ifstream rollup("/proc/" + std::to_string(process) + "/smaps_rollup");
  for (std::string line; std::getline(rollup, line);) {
    const auto take = [&line](std::string_view name, double& most_mb) {
      if (!line.starts_with(name)) return;
      most_mb = std::max(most_mb, std::strtod(line.c_str() + name.size(), nullptr) / 1024);
    };
    take("Anonymous:", peak.anonymous_mb);
    take("Rss:", peak.resident_mb);
  }
}

}  // namespace

Ended run_program(const std::vector<std::string>& argv, const std::vector<std::string>& env) {
  const auto words = pointers(argv);
  const auto settings = pointers(env);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  Ended ended;
  const auto start = std::chrono::steady_clock::now();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int problem =
      ::posix_spawn(&child, words[0], &actions, nullptr, words.data(), settings.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  char buffer[1 << 16];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    ended.output.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  if (problem != 0) return {};
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  ended.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  ended.wall_seconds = wall.count();
  ended.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  return ended;
}

Memory peak_memory(const std::vector<std::string>& argv, const std::vector<std::string>& env) {
  const auto words = pointers(argv);
  const auto settings = pointers(env);
  const pid_t child = ::fork();
  if (child == 0) {
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::raise(SIGSTOP);
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) ::dup2(nowhere, stream);
    ::execve(words[0], words.data(), settings.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::ptrace(PTRACE_SETOPTIONS, child, nullptr,
           PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXIT |
               PTRACE_O_EXITKILL);
  bool is_the_program = false;  // not yet: still a copy of us
  Memory peak;
  std::set<pid_t> threads = {child};
  ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
  while (!threads.empty()) {
    const pid_t stopped = ::waitpid(-1, &status, __WALL);
    if (stopped < 0) break;
    threads.insert(stopped);
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      threads.erase(stopped);
      continue;
    }
    const int event = status >> 16;
    if (event == PTRACE_EVENT_EXEC) is_the_program = true;
    if (is_the_program) look_at(stopped, peak);
    // Stops of tracing are ours; other signals are meant for the program.
    const int signal = WSTOPSIG(status);
    const bool of_tracing = event != 0 || signal == (SIGTRAP | 0x80) || signal == SIGSTOP;
    ::ptrace(PTRACE_SYSCALL, stopped, nullptr, of_tracing ? 0L : static_cast<long>(signal));
  }
  return peak;
}

}  // namespace yore::bench
