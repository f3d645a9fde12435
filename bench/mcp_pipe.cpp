#include "mcp_pipe.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "place.hpp"

namespace yore::bench {

const std::string_view kDiscover =
    R"({"jsonrpc":"2.0","id":"probe","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
const std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}})";

McpPipe::McpPipe(const std::string& yore, const std::vector<std::string>& env) {
  int in[2];
  int out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) {
    give_up({Errc::io, "no pipes"});
  }
  std::vector<std::string> words = {yore, "mcp"};
  std::vector<std::string> settings = env;
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (std::string& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
  };
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  const int problem = ::posix_spawn(&pid_, yore.c_str(), &actions, nullptr, pointers(words).data(),
                                    pointers(settings).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  in_ = in[1];
  out_ = out[0];
  if (problem != 0) give_up({Errc::io, "cannot start " + yore});
}

McpPipe::~McpPipe() {
  ::close(in_);
  ::close(out_);
  ::waitpid(pid_, nullptr, 0);
}

std::string McpPipe::ask(std::string_view line) {
  const std::string whole = std::string(line) + "\n";
  if (::write(in_, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size())) {
    give_up({Errc::io, "the server takes no input"});
  }
  std::size_t end = std::string::npos;
  while ((end = unread_.find('\n')) == std::string::npos) {
    char buffer[65536];
    const ssize_t size = ::read(out_, buffer, sizeof buffer);
    if (size <= 0) give_up({Errc::io, "the server ended"});
    unread_.append(buffer, static_cast<std::size_t>(size));
  }
  std::string answer = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return answer;
}

std::string McpPipe::search(std::string_view words) {
  const nlohmann::json call = {
      {"jsonrpc", "2.0"},
      {"id", 1},
      {"method", "tools/call"},
      {"params", {{"name", "search_conversations"}, {"arguments", {{"query", words}}}}}};
  return ask(call.dump());
}

double McpPipe::cpu_seconds() const {
  std::ifstream stat("/proc/" + std::to_string(pid_) + "/stat");
  std::string text((std::istreambuf_iterator<char>(stat)), {});
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double McpPipe::proportional_mb() const {
  std::ifstream rollup("/proc/" + std::to_string(pid_) + "/smaps_rollup");
  for (std::string line; std::getline(rollup, line);) {
    if (line.starts_with("Pss:")) return std::strtod(line.c_str() + 4, nullptr) / 1024;
  }
  return 0;
}

}  // namespace yore::bench
