// tools.hpp — tool calls of a coding agent: plausible inputs and results, in the sizes seen in use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "generator/project.hpp"
#include "generator/random.hpp"
#include "generator/text_maker.hpp"

namespace yore::generator {

enum class Tool : std::uint8_t { bash, read, edit, grep, glob, write, todo };

// All texts escaped; `input` and `structured` are JSON values.
struct ToolCall {
  Tool tool = Tool::bash;
  std::string_view name;
  std::string id;
  std::string input;
  std::string result;
  std::string structured;  // what toolUseResult holds
  std::string spilled;     // output too large for the transcript; "" mostly
  bool failed = false;
};

class ToolSimulator {
 public:
  // `spill_prefix`: escaped directory that spilled output is said to be in.
  ToolSimulator(Rng& rng, TextMaker& text, const Project& project, bool modern,
                std::string spill_prefix)
      : rng_(rng),
        text_(text),
        project_(project),
        modern_(modern),
        spill_prefix_(std::move(spill_prefix)) {}

  Tool any(bool long_turn);
  Tool any_of_helper();  // sub-agents mostly read
  // Replaces the contents of `call`, whose strings are reused.
  void run(Tool tool, ToolCall& call);

 private:
  void bash(ToolCall& call);
  void read(ToolCall& call);
  void edit(ToolCall& call);
  void grep(ToolCall& call);
  void glob(ToolCall& call);
  void write(ToolCall& call);
  void todo(ToolCall& call);
  void spill(ToolCall& call, std::string_view output);
  std::size_t any_file() { return rng_.below(static_cast<std::uint32_t>(project_.file_count())); }

  Rng& rng_;
  TextMaker& text_;
  const Project& project_;
  bool modern_;
  std::string spill_prefix_;
  std::string scratch_;
};

}  // namespace yore::generator
