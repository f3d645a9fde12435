// compactions.hpp — where the memory of the model was cut: after which turn of a session its agent
// went on with a summary of what was before.
#pragma once

#include <memory>
#include <optional>

#include "transcript/record.hpp"
#include "turns/turn_types.hpp"

namespace yore::turns {

struct Compactions {
  std::uint32_t count = 0;
  // The turn in or after which the last one came; none: it came before any turn, as in a file that
  // goes on with another one's conversation.
  std::optional<TurnNumber> last_turn;
};

// Feed it a session from its start.
class CompactionFinder final : public transcript::RecordSink {
 public:
  CompactionFinder();
  ~CompactionFinder() override;
  void record(const transcript::Record& record) override;
  void problem(transcript::ProblemKind, std::uint64_t) override {}
  void unknown(std::string_view) override {}
  [[nodiscard]] const Compactions& found() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace yore::turns
