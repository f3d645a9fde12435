// open_index.hpp — the index as commands use it: brought up to date first, with progress on
// standard error when that takes long, then asked.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "cli/context.hpp"
#include "service/access.hpp"

namespace yore::cli {

class OpenIndex {
 public:
  enum class Refresh : std::uint8_t {
    none,   // the index as it is
    quick,  // what can be read within a small budget
    whole,  // all that is new
  };
  // Without an index: builds all of it, saying so. When another process is writing, or when the
  // index cannot be written: what is there.
  static Result<OpenIndex> open(const Context& context, Refresh refresh);

  // A keyword index that turns out to be damaged is built again, which is said, unless the index is
  // to be taken as it is.
  Result<search::SearchAnswer> search(const search::SearchRequest& request);
  Result<search::ChunkAnswer> chunk(std::string_view id, std::uint32_t neighbours,
                                    turns::Detail detail = turns::Detail::sides);
  Result<search::Reader> reader();

  // What the last refreshing found; its notes are not said yet.
  [[nodiscard]] const service::Freshness& freshness() const;
  // After the answer is out: merges small segments, when this command has added some.
  void tidy_up() const;

 private:
  struct State;
  explicit OpenIndex(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;  // movable, whatever points into it
};

// For the commands that list and show: a reader of all there is, the notes said.
struct FreshReader {
  search::Reader reader;
  bool no_transcripts = false;
};
Result<FreshReader> open_fresh(const Context& context);

}  // namespace yore::cli
