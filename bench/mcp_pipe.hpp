// mcp_pipe.hpp — a `yore mcp` process and the two ends of its pipes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yore::bench {

class McpPipe {
 public:
  McpPipe(const std::string& yore, const std::vector<std::string>& env);
  McpPipe(const McpPipe&) = delete;
  McpPipe& operator=(const McpPipe&) = delete;
  ~McpPipe();  // closes its input and waits for its end

  // Sends a line, reads the next one.
  std::string ask(std::string_view line);
  // The text that search_conversations answers with; still escaped, as it stands in the line.
  std::string search(std::string_view words);

  [[nodiscard]] double cpu_seconds() const;
  // Shared pages count in parts: the sum over all servers is what they take together.
  [[nodiscard]] double proportional_mb() const;

 private:
  int pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  std::string unread_;
};

// The first thing two kinds of clients say.
extern const std::string_view kDiscover;
extern const std::string_view kInitialize;

}  // namespace yore::bench
