// work_reader.hpp — what was run in a session and how it ended: each tool call with its turn, and
// whether its result looks like a failure.
//
// Transcripts of most agents do not say whether a command failed; its output does. What counts is
// an exit code that the output names, else how it begins.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/record.hpp"
#include "turns/turn_types.hpp"

namespace yore::turns {

struct Work {
  TurnNumber turn = 0;
  std::string rendering;  // of the call, a JSON object
  bool answered = false;  // a result came
  bool failed = false;
};

// Does the output of a tool say that it failed?
bool looks_failed(std::string_view output);

// Keeps the calls of the records fed to it, in order.
class WorkReader final : public transcript::RecordSink {
 public:
  WorkReader();
  ~WorkReader() override;
  void record(const transcript::Record& record) override;
  void problem(transcript::ProblemKind, std::uint64_t) override {}
  void unknown(std::string_view) override {}

  [[nodiscard]] std::vector<Work> take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace yore::turns
