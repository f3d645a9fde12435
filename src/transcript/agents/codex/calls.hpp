// calls.hpp — a Codex tool call as blocks, and what its output says.
//
// Lifetime: views in blocks and results stay good until the next call of a member.
#pragma once

#include <simdjson.h>

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/agents/codex/fields.hpp"
#include "transcript/record.hpp"
#include "transcript/spec/tool_render.hpp"

namespace yore::transcript::codex {

class CallReader {
 public:
  // Adds one block, or one for each file of a patch, of which the first has the text.
  void read(std::string_view tool, Fields& fields, std::vector<Block>& blocks);
  // Older builds wrapped an output: {"output":"…","metadata":{…}}. Others are given back as they
  // are.
  std::string_view unwrapped(std::string_view output);

 private:
  bool open(std::string_view json, simdjson::ondemand::object& object);
  bool read_arguments(Input& input);
  std::string& next_rendering();
  void add_patch(Block block, std::string_view patch, std::vector<Block>& blocks);

  // JSON inside a string has a parser of its own: the line's is still needed.
  simdjson::ondemand::parser parser_;
  simdjson::ondemand::document document_;
  std::string inner_;
  std::deque<std::string> renderings_;  // views point into it
  std::size_t renderings_used_ = 0;
};

}  // namespace yore::transcript::codex
