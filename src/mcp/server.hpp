// server.hpp — an MCP server: takes lines from a transport, answers each request in the revision it
// was asked in.
//
// What is known without work (initialize, server/discover, ping, tools/list) is answered at once on
// the thread of run(); tools/call goes to worker threads, which start with the first call. Nothing
// that a client sends ends the server: only the end of its input, a stop, or a peer that is gone.
#pragma once

#include <string>
#include <vector>

#include "mcp/protocol/call_pool.hpp"
#include "mcp/protocol/transport.hpp"
#include "mcp/tools/tool.hpp"

namespace yore::mcp {

struct ServerInfo {
  std::string name;
  std::string title;  // for people; "" leaves it out
  std::string version;
  std::string instructions;  // "" leaves them out
};

class Server {
 public:
  Server(ServerInfo info, std::vector<Tool> tools, Limits limits = {});

  // Serves one client until next() ends; the exit code of the process, always 0. Calls that still
  // run are asked to stop, waited for and not answered. May be called again for the next client.
  int run(Transport& transport);

 private:
  ServerInfo info_;
  std::vector<Tool> tools_;
  Limits limits_;
};

}  // namespace yore::mcp
