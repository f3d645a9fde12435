// record_reader.hpp — one object of a store in, records out, as a description says.
//
// Threads: one reader per thread. Memory: O(largest object), kept between objects.
#pragma once

#include <simdjson.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/input/jsonl.hpp"
#include "transcript/record.hpp"
#include "transcript/spec/agent_spec.hpp"
#include "transcript/spec/field_trie.hpp"
#include "transcript/spec/hooks.hpp"
#include "transcript/spec/record_draft.hpp"

namespace yore::transcript {

// A description made ready for reading.
struct CompiledSpec {
  AgentSpec spec;
  FieldTrie fields;
  FieldTrie head;
  std::vector<FieldTrie> beside;
  std::vector<ToolRule> tools;  // views of spec.tools
};
// Is it a title that every new session has?
bool says_nothing(const AgentSpec& spec, std::string_view title);
// The error names what is wrong.
Result<std::unique_ptr<const CompiledSpec>> compile(AgentSpec spec);

// The fields of one object into their slots. False: malformed JSON.
// `unknown`: keys that are not listed, as "message.key"; at most kMaxUnknown of them.
bool read_fields(const FieldTrie& trie, simdjson::ondemand::object& object, RecordDraft& draft,
                 std::vector<std::string>& unknown);

class RecordReader {
 public:
  // All outlive the reader; `hook` may be null.
  RecordReader(const CompiledSpec& compiled, const SessionRef& session, RecordSink& sink,
               RecordHook* hook);

  // An OnObject: false when the object is malformed; nothing was delivered then.
  bool read(simdjson::ondemand::object& object, const LineInfo& where);
  // The same for a document's own fields, by the head's rules: metadata only. Its time is that of
  // records that have none.
  bool read_head(simdjson::ondemand::object& object, const LineInfo& where);
  // Likewise for a file beside the session: what the listing does not have of it.
  bool read_beside(const FieldTrie& fields, simdjson::ondemand::object& object);
  // Without delivering anything.
  bool look_at_head(simdjson::ondemand::object& object);
  // Tokens that the last object spoke of.
  [[nodiscard]] const Usage& usage() const { return draft_.usage; }

 private:
  const RecordRule* find_rule();
  void read_tags();
  void start_record(const LineInfo& where, const RecordRule* rule);
  void deliver_as(const RecordRule* rule);
  void deliver_prompt(RecordKind kind, std::string_view raw);
  void deliver_exchange();
  void deliver_assistant();
  void deliver_tool_output();
  void deliver_shell();
  void deliver_text(RecordKind kind, std::string_view text, BlockKind block = BlockKind::text);
  void deliver(RecordKind kind, std::span<const Block> blocks = {});
  void add_fenced_calls();
  // The block of a record that is itself a call.
  void add_own_call(std::string_view tool);
  // Results that stand among a message's parts, as a record of their own. False: there are none.
  bool deliver_results();
  [[nodiscard]] bool calls_stand_beside() const;
  void give_key(std::string_view text);
  void report_blocks();

  const AgentSpec& spec_;
  const CompiledSpec& compiled_;
  RecordSink& sink_;
  RecordHook* hook_;
  std::uint64_t session_hash_;
  RecordDraft draft_;
  Time head_time_ = kNoTime;
  Record record_;
  std::vector<std::string> unknown_;
  std::vector<Block> blocks_;
  std::string key_;
  std::string shell_;
  std::string cwd_;
};

}  // namespace yore::transcript
