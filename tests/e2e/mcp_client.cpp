#include "e2e/mcp_client.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

namespace yore::e2e {
namespace {

constexpr int kPatienceMs = 60'000;

}  // namespace

McpClient::McpClient(const Sandbox& box, const std::vector<std::string>& args) {
  // A server that is gone must not take the test with it.
  ::signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> all = {"mcp"};
  all.insert(all.end(), args.begin(), args.end());
  started_ = box.start(all);
}

McpClient::~McpClient() {
  close_input();
  close_output();
  if (!ended_) {
    ::kill(started_.pid, SIGKILL);
    wait();
  }
}

McpClient::Json McpClient::initialize(std::string_view version) {
  Json result = request("initialize", {{"protocolVersion", version},
                                       {"capabilities", Json::object()},
                                       {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
  send_raw(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
           "\n");
  return result;
}

int McpClient::send(std::string_view method, Json params) {
  const int id = next_id_++;
  const Json message = {
      {"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
  send_raw(message.dump() + "\n");
  return id;
}

McpClient::Json McpClient::request(std::string_view method, Json params) {
  const int id = send(method, std::move(params));
  while (auto message = next()) {
    if (message->value("id", Json()) != Json(id)) continue;
    return message->contains("result") ? (*message)["result"] : *message;
  }
  ADD_FAILURE() << "no answer to " << method;
  return {};
}

McpClient::Json McpClient::call(std::string_view tool, Json arguments) {
  const Json result = request("tools/call", {{"name", tool}, {"arguments", std::move(arguments)}});
  if (!result.contains("content")) return result;
  Json answer = Json::parse(result["content"][0]["text"].get<std::string>(), nullptr, false);
  EXPECT_TRUE(answer.is_object()) << result;
  if (result.value("isError", false)) answer["isError"] = true;
  return answer;
}

std::size_t McpClient::hits(std::string_view words) {
  return call("search_conversations", {{"query", words}, {"mode", "keyword"}})["results"].size();
}

void McpClient::send_raw(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::write(started_.in, bytes.data(), bytes.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return;  // the server is gone; whoever waits for its answer will notice
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::optional<McpClient::Json> McpClient::next() {
  while (true) {
    const std::size_t end = unread_.find('\n');
    if (end != std::string::npos) {
      const std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      Json message = Json::parse(line, nullptr, false);
      EXPECT_FALSE(message.is_discarded()) << line;
      return message;
    }
    pollfd waiting = {started_.out, POLLIN, 0};
    if (::poll(&waiting, 1, kPatienceMs) <= 0) return std::nullopt;
    char buffer[65536];
    const ssize_t size = ::read(started_.out, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return std::nullopt;
    unread_.append(buffer, static_cast<std::size_t>(size));
  }
}

void McpClient::close_input() {
  if (started_.in >= 0) ::close(std::exchange(started_.in, -1));
}

void McpClient::close_output() {
  if (started_.out >= 0) ::close(std::exchange(started_.out, -1));
}

void McpClient::signal(int number) const {
  ::kill(started_.pid, number);
}

int McpClient::wait() {
  if (ended_) return code_;
  int status = 0;
  while (::waitpid(started_.pid, &status, 0) < 0 && errno == EINTR) {
  }
  ended_ = true;
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return code_;
}

bool comes_true(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds{kPatienceMs};
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return false;
}

}  // namespace yore::e2e
