#include "mcp/server.hpp"

#include <exception>
#include <utility>

#include "mcp/protocol/connection.hpp"

namespace yore::mcp {

Server::Server(ServerInfo info, std::vector<Tool> tools, Limits limits)
    : info_(std::move(info)), tools_(std::move(tools)), limits_(limits) {}

int Server::run(Transport& transport) {
  Connection connection(info_, tools_, limits_, transport);
  while (const auto line = transport.next()) {
    try {
      connection.take(*line);
    } catch (const std::exception&) {
      connection.say_internal_error();  // out of memory, most likely: the next line may fit
    }
  }
  return 0;
}

}  // namespace yore::mcp
