#include "e2e/sandbox.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "support/schema_check.hpp"

namespace yore::e2e {
namespace {

int exit_code_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Reads both until they end, so that a full pipe cannot stop the child. A terminal whose other
// side is closed reports EIO: the end as well.
void drain(int out_fd, std::string& out, int err_fd, std::string& err) {
  pollfd fds[2] = {{out_fd, POLLIN, 0}, {err_fd, POLLIN, 0}};
  std::string* targets[2] = {&out, &err};
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    if (::poll(fds, 2, -1) < 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t size = ::read(fds[i].fd, buffer, sizeof buffer);
      if (size < 0 && errno == EINTR) continue;
      if (size > 0) {
        targets[i]->append(buffer, static_cast<std::size_t>(size));
        continue;
      }
      ::close(fds[i].fd);
      fds[i].fd = -1;
    }
  }
}

// The schema of what these words print: that of the command, of errors, or "" for what is no JSON.
std::string schema_for(const std::vector<std::string>& args, const nlohmann::json& answer) {
  if (answer.is_object() && answer.size() == 1 && answer.contains("error")) return "error.json";
  for (const std::string& word : args) {
    if (schema::exists(word + ".json")) return word + ".json";
  }
  return "status.json";  // bare yore
}

// Every answer that a test sees is what docs/schemas says of it.
void expect_schema(const std::vector<std::string>& args, const Ran& ran) {
  const auto given = [&](std::string_view word) {
    return std::ranges::find(args, word) != args.end();
  };
  if (!given("--json") || given("--help") || given("-h") || given("--version")) return;
  const auto answer = nlohmann::json::parse(ran.out, nullptr, false);
  if (answer.is_discarded()) return;  // whoever wants JSON says so by Ran::json()
  const std::string file = schema_for(args, answer);
  std::string words;
  for (const std::string& word : args) words += " " + word;
  EXPECT_EQ(schema::problem(answer, file), "") << file << ", of yore" << words;
}

}  // namespace

nlohmann::json Ran::json() const {
  auto parsed = nlohmann::json::parse(out, nullptr, false);
  EXPECT_FALSE(parsed.is_discarded()) << out << err;
  return parsed;
}

Sandbox::Sandbox() {
  std::filesystem::create_directories(home());
  env_ = {{"HOME", home()},
          {"PATH", "/usr/bin:/bin"},
          {"TZ", "UTC"},
          {"LC_ALL", "C.UTF-8"},
          {"TERM", "xterm"},
          {"PAGER", "cat"},
          {"YORE_DATA_DIR", data_dir()},
          {"XDG_CACHE_HOME", dir_.path() + "/cache"},
          {"CLAUDE_CONFIG_DIR", home() + "/.claude"}};
}

std::string Sandbox::write(const std::string& path, std::string_view bytes) const {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string Sandbox::write_session(const std::string& project, const std::string& id,
                                   std::string_view lines) const {
  return write(in_home(".claude/projects/-home-ann-code-" + project + "/" + id + ".jsonl"), lines);
}

void Sandbox::become_yore(const std::vector<std::string>& args) const {
  std::vector<std::string> words = {YORE_BINARY};
  words.insert(words.end(), args.begin(), args.end());
  std::vector<std::string> settings;
  for (const auto& [name, value] : env_) settings.push_back(name + "=" + value);
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  };
  if (::chdir(home().c_str()) != 0) ::_exit(127);
  ::execve(YORE_BINARY, pointers(words).data(), pointers(settings).data());
  ::_exit(127);
}

Ran Sandbox::run(const std::vector<std::string>& args, const std::string& input) const {
  int out[2];
  int err[2];
  if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) std::abort();
  const pid_t child = ::fork();
  if (child == 0) {
    const int given = ::open(input.c_str(), O_RDONLY);
    ::dup2(given, STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(err[1], STDERR_FILENO);
    become_yore(args);
  }
  ::close(out[1]);
  ::close(err[1]);
  Ran ran;
  drain(out[0], ran.out, err[0], ran.err);
  ran.code = exit_code_of(child);
  expect_schema(args, ran);
  return ran;
}

Ran Sandbox::run_into_closed_pipe(const std::vector<std::string>& args) const {
  int out[2];
  int err[2];
  if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) std::abort();
  ::close(out[0]);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(err[1], STDERR_FILENO);
    become_yore(args);
  }
  ::close(out[1]);
  ::close(err[1]);
  Ran ran;
  drain(-1, ran.out, err[0], ran.err);
  ran.code = exit_code_of(child);
  return ran;
}

Sandbox::Started Sandbox::start(const std::vector<std::string>& args) const {
  int in[2];
  int out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) std::abort();
  const pid_t child = ::fork();
  if (child == 0) {
    const int nothing = ::open("/dev/null", O_WRONLY);
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(nothing, STDERR_FILENO);
    become_yore(args);
  }
  ::close(in[0]);
  ::close(out[1]);
  return {child, in[1], out[0]};
}

Ran Sandbox::run_on_terminal(const std::vector<std::string>& args, unsigned short columns) const {
  winsize size{24, columns, 0, 0};
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) become_yore(args);
  if (child < 0) std::abort();
  Ran ran;
  drain(terminal, ran.out, -1, ran.err);
  ran.code = exit_code_of(child);
  return ran;
}

std::string conversation(const std::string& id, const std::string& topic, int turns,
                         const std::string& cwd) {
  fake::ClaudeLines lines(id, cwd);
  std::string text;
  for (int i = 0; i < turns; ++i) {
    const std::string number = std::to_string(i);
    text += lines.prompt("Question " + number + " about " + topic);
    text += lines.tool_call("Bash", {{"command", "grep " + topic + " notes"}});
    text += lines.tool_result("found");
    text += lines.answer("Answer " + number + " about " + topic);
  }
  return text;
}

}  // namespace yore::e2e
