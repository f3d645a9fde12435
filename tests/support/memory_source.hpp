// memory_source.hpp — a TranscriptSource for tests: conversations in memory, reads counted,
// failures on demand.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "yore/yore.hpp"

namespace yore::fake {

inline TimePoint day(int number) {
  return TimePoint{std::chrono::milliseconds{1'760'000'000'000}} + std::chrono::hours{24 * number};
}

inline SourceTurn turn(std::string asked, std::vector<std::string> answers, int when = 1) {
  SourceTurn made;
  made.user_prompt = std::move(asked);
  made.assistant_text = std::move(answers);
  made.time = day(when);
  return made;
}

class MemorySource final : public TranscriptSource {
 public:
  struct Page {
    SourceSession session;
    std::vector<SourceTurn> turns;
  };
  std::map<std::string, Page> pages;  // by id
  std::vector<std::string> reads;     // in order
  std::optional<Error> list_failure;
  std::map<std::string, Error> read_failures;  // by id
  bool throws = false;

  SourceSession& add(const std::string& id, const std::string& project,
                     std::vector<SourceTurn> turns) {
    Page& page = pages[id];
    page.session.id = id;
    page.session.project = project;
    page.turns = std::move(turns);
    page.session.version = std::to_string(page.turns.size());
    return page.session;
  }
  void append(const std::string& id, SourceTurn more) {
    Page& page = pages.at(id);
    page.turns.push_back(std::move(more));
    page.session.version = std::to_string(page.turns.size());
  }

  Result<std::vector<SourceSession>> sessions() override {
    if (list_failure) return *list_failure;
    std::vector<SourceSession> all;
    for (const auto& [id, page] : pages) all.push_back(page.session);
    return all;
  }
  Result<std::vector<SourceTurn>> read(const std::string& id) override {
    reads.push_back(id);
    if (throws) throw std::runtime_error("the cellar is flooded");
    if (const auto failure = read_failures.find(id); failure != read_failures.end()) {
      return failure->second;
    }
    return pages.at(id).turns;
  }
};

}  // namespace yore::fake
