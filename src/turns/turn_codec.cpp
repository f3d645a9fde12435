// Turn and SessionFacts as bytes, for the state that lets reading go on where it stopped.
#include "turns/turn_codec.hpp"

namespace yore::turns {
namespace {

void write_time(ByteWriter& out, Time time) {
  out.u64(static_cast<std::uint64_t>(to_ms(time)));
}

Time read_time(ByteReader& in) {
  return from_ms(static_cast<std::int64_t>(in.u64()));
}

}  // namespace

void write_turn(ByteWriter& out, const Turn& turn) {
  out.varint(turn.number);
  out.varint((turn.abandoned ? 1U : 0U) | (turn.automated ? 2U : 0U) | (turn.has_tool ? 4U : 0U) |
             (turn.forgotten ? 8U : 0U) | (turn.scripted ? 16U : 0U));
  write_time(out, turn.first_time);
  write_time(out, turn.last_time);
  out.varint(turn.offset);
  out.varint(turn.line);
  out.varint(turn.assistant_blocks);
  out.u64(turn.origin);
  out.u64(turn.content);
  out.text(turn.model);
  out.text(turn.branch);
}

Turn read_turn(ByteReader& in) {
  Turn turn;
  turn.number = static_cast<TurnNumber>(in.varint());
  const std::uint64_t flags = in.varint();
  turn.abandoned = (flags & 1U) != 0;
  turn.automated = (flags & 2U) != 0;
  turn.has_tool = (flags & 4U) != 0;
  turn.forgotten = (flags & 8U) != 0;
  turn.scripted = (flags & 16U) != 0;
  turn.first_time = read_time(in);
  turn.last_time = read_time(in);
  turn.offset = in.varint();
  turn.line = in.varint();
  turn.assistant_blocks = static_cast<std::uint32_t>(in.varint());
  turn.origin = in.u64();
  turn.content = in.u64();
  turn.model = in.text();
  turn.branch = in.text();
  return turn;
}

void write_usage(ByteWriter& out, const transcript::Usage& usage) {
  out.varint(usage.input_tokens);
  out.varint(usage.output_tokens);
  out.varint(usage.cache_read_tokens);
  out.varint(usage.cache_write_tokens);
}

transcript::Usage read_usage(ByteReader& in) {
  transcript::Usage usage;
  usage.input_tokens = in.varint();
  usage.output_tokens = in.varint();
  usage.cache_read_tokens = in.varint();
  usage.cache_write_tokens = in.varint();
  return usage;
}

void write_facts(ByteWriter& out, const SessionFacts& facts) {
  write_time(out, facts.first_time);
  write_time(out, facts.last_time);
  for (const std::string* text :
       {&facts.first_cwd, &facts.cwd, &facts.branch, &facts.model, &facts.version, &facts.slug,
        &facts.custom_title, &facts.name_title, &facts.ai_title, &facts.index_title,
        &facts.compaction_title, &facts.first_prompt}) {
    out.text(*text);
  }
  out.varint(facts.first_prompt_typed ? 1 : 0);
  out.varint(facts.records);
  out.varint(facts.turn_count);
  out.varint(facts.automated_turns);
  write_usage(out, facts.usage);
}

SessionFacts read_facts(ByteReader& in) {
  SessionFacts facts;
  facts.first_time = read_time(in);
  facts.last_time = read_time(in);
  for (std::string* text :
       {&facts.first_cwd, &facts.cwd, &facts.branch, &facts.model, &facts.version, &facts.slug,
        &facts.custom_title, &facts.name_title, &facts.ai_title, &facts.index_title,
        &facts.compaction_title, &facts.first_prompt}) {
    *text = in.text();
  }
  facts.first_prompt_typed = in.varint() != 0;
  facts.records = in.varint();
  facts.turn_count = static_cast<std::uint32_t>(in.varint());
  facts.automated_turns = static_cast<std::uint32_t>(in.varint());
  facts.usage = read_usage(in);
  return facts;
}

}  // namespace yore::turns
