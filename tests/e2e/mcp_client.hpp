// mcp_client.hpp — a real `yore mcp` process and the client's side of its pipes.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "e2e/sandbox.hpp"

namespace yore::e2e {

class McpClient {
 public:
  using Json = nlohmann::json;

  explicit McpClient(const Sandbox& box, const std::vector<std::string>& args = {});
  McpClient(const McpClient&) = delete;
  McpClient& operator=(const McpClient&) = delete;
  ~McpClient();  // kills what still runs

  // Legacy handshake; returns its result.
  Json initialize(std::string_view version = "2025-11-25");
  // Sends a request and waits for its answer; other messages that come before it are dropped.
  Json request(std::string_view method, Json params = Json::object());
  // The answer of a tool: its text as JSON, "isError" beside it when it is an error.
  Json call(std::string_view tool, Json arguments);
  std::size_t hits(std::string_view words);  // of search_conversations, by words alone

  int send(std::string_view method, Json params);  // the id; does not wait
  void send_raw(std::string_view bytes) const;
  // The next line as JSON; nullopt: the output ended, or nothing came for a very long time.
  std::optional<Json> next();

  void close_input();
  void close_output();
  void signal(int number) const;
  int wait();  // exit code; 128 + signal
  [[nodiscard]] int pid() const { return started_.pid; }

 private:
  Sandbox::Started started_;
  std::string unread_;
  int next_id_ = 1;
  bool ended_ = false;
  int code_ = -1;
};

// Asks until it is true; false after a very long time.
bool comes_true(const std::function<bool()>& condition);

}  // namespace yore::e2e
