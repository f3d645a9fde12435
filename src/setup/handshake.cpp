#include "setup/handshake.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/posix.hpp"
#include "setup/edit/entry.hpp"

// NOLINTNEXTLINE(readability-redundant-declaration): not every system declares it
extern char** environ;

namespace yore::setup {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostAnswer = 1 << 20;
constexpr std::string_view kGreeting =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
    R"("capabilities":{},"clientInfo":{"name":"yore-setup","version":"1"}}})"
    "\n";

int time_left(Clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
  return left.count() > 0 ? static_cast<int>(left.count()) : 0;
}

struct Child {
  pid_t pid = -1;
  int in = -1;
  int out = -1;
};

Result<Child> start_server(const std::vector<std::string>& command) {
  std::array<int, 2> in{-1, -1};
  std::array<int, 2> out{-1, -1};
  if (::pipe2(in.data(), O_CLOEXEC) != 0) return system_error(errno, "make", "a pipe");
  if (::pipe2(out.data(), O_CLOEXEC) != 0) {
    const int code = errno;
    ::close(in[0]);
    ::close(in[1]);
    return system_error(code, "make", "a pipe");
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<std::string> words = command;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  Child child{-1, in[1], out[0]};
  const int failure = ::posix_spawnp(&child.pid, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  if (failure == 0) return child;
  ::close(in[1]);
  ::close(out[0]);
  return system_error(failure, "start", command[0]);
}

// The first line it writes; "" when there is none in time.
std::string first_line(int fd, Clock::time_point end) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (text.size() < kMostAnswer) {
    pollfd wait{fd, POLLIN, 0};
    if (restarted([&] { return ::poll(&wait, 1, time_left(end)); }) <= 0) return "";
    const ssize_t got = restarted([&] { return ::read(fd, buffer.data(), buffer.size()); });
    if (got <= 0) return "";
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (const std::size_t at = text.find('\n'); at != std::string::npos) return text.substr(0, at);
  }
  return "";
}

// Its input is closed: it ends by itself, or is made to.
void await_end(pid_t pid, Clock::time_point end) {
  while (::waitpid(pid, nullptr, WNOHANG) == 0) {
    if (time_left(end) == 0) {
      ::kill(pid, SIGKILL);
      restarted([&] { return ::waitpid(pid, nullptr, 0); });
      return;
    }
    ::poll(nullptr, 0, 2);
  }
}

}  // namespace

Result<std::string> shake_hands(const std::vector<std::string>& command,
                                std::chrono::milliseconds most) {
  if (command.empty() || command[0].empty()) {
    return Error{Errc::invalid_argument, "the entry names no program"};
  }
  const Clock::time_point end = Clock::now() + most;
  const auto child = start_server(command);
  if (!child) return child.error();
  std::string answer;
  // SIGPIPE is ignored by the program: a server that is gone already shows as a failed write.
  const ssize_t sent =
      restarted([&] { return ::write(child->in, kGreeting.data(), kGreeting.size()); });
  if (sent == static_cast<ssize_t>(kGreeting.size())) answer = first_line(child->out, end);
  ::close(child->in);
  ::close(child->out);
  await_end(child->pid, end);
  const Json json = Json::parse(answer, nullptr, false);
  const Json::json_pointer info("/result/serverInfo");
  if (json.is_discarded() || !json.contains(info) || !json[info].is_object()) {
    return Error{Errc::io, command[0] + " does not answer as an MCP server"};
  }
  return json[info].value("name", "") + " " + json[info].value("version", "");
}

}  // namespace yore::setup
