// tool_backend.hpp — what the tools ask: the index, as it is at the moment of a call.
//
// Nothing is opened before the first call. What is opened then is kept for the next ones and always
// answers from the newest publication, so a server that lives for days stays current.
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
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/tool.hpp"
#include "search/reader.hpp"
#include "search/searcher.hpp"
#include "service/pool.hpp"

namespace yore::mcp {

class ToolBackend {
 public:
  struct Options {
    config::Settings settings;
    config::Scope scope;
    std::function<config::World()> world = config::real_world;  // as it is when a call comes
    std::chrono::milliseconds patience{1500};                   // for the first part of an index
    std::function<void(std::string_view)> log = {};             // what went wrong, for people
  };
  explicit ToolBackend(Options options) : options_(std::move(options)) {}

  [[nodiscard]] config::World world() const { return options_.world(); }

  // The notes of the answer tell about the index, too. Errors: as of engine::Searcher::search().
  Result<search::SearchAnswer> search(search::SearchRequest request, const ToolCall& call);
  struct Listed {
    search::ListAnswer answer;
    std::vector<std::string> notes;
  };
  Result<Listed> list(const search::ListFilter& filter, const ToolCall& call);
  // By an id or a unique prefix of one. Errors: as of engine::Reader::find_session().
  Result<search::ReadAnswer> read(std::string_view session_id, std::uint32_t offset,
                                  std::uint32_t limit, const ToolCall& call);

  // "The index is still being built: 120 of 2,000 conversations so far."; "" when it is not.
  [[nodiscard]] std::string building() const;
  // For what a model cannot do anything about.
  void log(std::string_view sentence) const;

 private:
  // The database that something was opened on: another file under the same name is another one.
  struct Mark {
    std::uint64_t inode = 0;
    friend bool operator==(const Mark&, const Mark&) = default;
  };
  using Clock = std::chrono::steady_clock;
  template <typename T>
  using Pool = service::Pool<T, Mark>;

  template <typename Answer>
  struct Asked {
    std::optional<Answer> answer;  // nullopt: there is nothing to ask yet
    bool damaged = false;          // a damaged keyword index was found on the way
  };
  template <typename T, typename Ask>
  auto ask(Pool<T>& pool, const ToolCall& call, Clock::time_point end, const Ask& question);
  [[nodiscard]] Mark mark() const;
  void give_up_damaged(const Error& error) const;
  void tell_progress(const ToolCall& call) const;

  const Options options_;
  Pool<search::Searcher> searchers_;
  Pool<search::Reader> readers_;
};

}  // namespace yore::mcp
