// tool_backend.hpp — what the tools ask: the index, as it is at the moment of a call.
//
// Nothing is opened before the first call (service/access.hpp). What is opened then always answers
// from the newest publication, so a server that lives for days stays current.
//
// A call never fails because the index is not ready. It waits a moment for the first part of it;
// after that the answer is empty, with a sentence that says why. A damaged keyword index is thrown
// away and built again by whoever keeps the index (service/keeper.hpp).
//
// Threads: any number may ask at once; each has its own connection meanwhile.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/tools/tool.hpp"
#include "search/reader.hpp"
#include "search/searcher.hpp"
#include "service/access.hpp"

namespace yore::mcp {

class ToolBackend {
 public:
  struct Options {
    config::Settings settings;
    config::Scope scope;
    std::function<config::World()> world = config::real_world;  // as it is when a call comes
    std::chrono::milliseconds patience{1500};                   // for the first part of an index
    std::function<void(std::string_view)> log = {};             // what went wrong, for people
    std::string folder = {};  // in which the agent started the server; "": the current one
  };
  explicit ToolBackend(Options options);

  [[nodiscard]] config::World world() const { return access_.world(); }
  [[nodiscard]] const transcript::AgentRegistry& agents() const {
    return *access_.settings().agents;
  }

  // The notes of the answer tell about the index, too. Errors: as of search::Searcher::search().
  Result<search::SearchAnswer> search(search::SearchRequest request, const ToolCall& call);
  struct Listed {
    search::ListAnswer answer;
    std::vector<std::string> notes;
  };
  Result<Listed> list(const search::ListFilter& filter, const ToolCall& call);
  // By an id or a unique prefix of one. Errors: as of search::Reader::find_session().
  Result<search::ReadAnswer> read(std::string_view session_id, std::uint32_t offset,
                                  std::uint32_t limit, const ToolCall& call);

  // The id of the session that asks, as far as it is certain (search/asking_session.hpp); "".
  [[nodiscard]] std::string asking_session(const ToolCall& call);

  // "The index is still being built: 120 of 2,000 conversations so far."; "" when it is not.
  [[nodiscard]] std::string building() const;
  // For what is said about a call beside its answer.
  [[nodiscard]] const service::Masker& masker() const { return access_.masker(); }
  // For what a model cannot do anything about.
  void log(std::string_view sentence) const { access_.log(sentence); }

 private:
  [[nodiscard]] service::Patience patience(const ToolCall& call) const;
  void tell_progress(const ToolCall& call) const;

  const std::chrono::milliseconds patience_;
  const std::string folder_;
  const Time started_;
  service::IndexAccess access_;
};

}  // namespace yore::mcp
