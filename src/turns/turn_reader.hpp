// turn_reader.hpp — whole turns for people and agents to read, from records or from passages.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/record.hpp"
#include "turns/tracker.hpp"
#include "turns/turn_types.hpp"

namespace yore::turns {

// A piece of a turn, in the order in which things happened.
struct TurnPart {
  enum class Kind : std::uint8_t { text, thinking, call, result, note };
  Kind kind = Kind::text;
  // What was said, thought, printed or noted; of a call, what of its input is worth finding.
  std::string text;
  std::string tool_id;    // call and result: joins one to the other; "" when the agent gives none
  std::string rendering;  // call: a JSON object; likewise what follows
  std::string removed;    // an edit: what it took away
  std::string added;      // and what it wrote
  bool in_order = true;   // false: read from passages, which do not tell what came when
};

// As read_turn shows it. Blocks are joined with a newline.
struct WholeTurn {
  TurnNumber number = 0;
  Time time = kNoTime;
  std::string user_text;
  std::string assistant_text;
  std::vector<std::string> tools_used;  // JSON objects
  std::vector<TurnPart> parts;          // all the assistant and its tools did; only when asked for
  bool abandoned = false;
  bool note = false;         // its text was written down to be remembered
  bool superseded = false;   // it stands nowhere any more; the reader of turns does not know
  std::uint32_t masked = 0;  // secrets that are not shown; likewise (service/masking.hpp)
};

// What is kept of a turn: its two sides, or its parts as well.
enum class Detail : std::uint8_t { sides, parts };

// Keeps the turns first..first+count-1 of the records fed to it; counts the rest.
class TurnReader final : public transcript::RecordSink {
 public:
  TurnReader(TurnNumber first, TurnNumber count, Detail detail = Detail::sides);
  ~TurnReader() override;
  void record(const transcript::Record& record) override;
  void problem(transcript::ProblemKind, std::uint64_t) override {}
  void unknown(std::string_view) override {}

  [[nodiscard]] std::vector<WholeTurn> take();
  [[nodiscard]] TurnNumber turn_count() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The same from stored passages (in stored order), for a session whose file is gone.
WholeTurn read_from_passages(const Turn& turn, const std::vector<Passage>& passages,
                             Detail detail = Detail::sides);
// Where the conclusion, its last block, begins in the turn's answer as that function gives it; 0:
// all of it is one.
std::size_t conclusion_begin(const Turn& turn, const std::vector<Passage>& passages,
                             std::string_view answer);

}  // namespace yore::turns
