// threads.cpp — a conversation of llm 0.32 and later, as the document that llm.toml describes.
//
//   threads   id, name, tip_message_hash: the last message
//   messages  hash, parent_hash: the one before, role
//   parts     message_hash, position, type (text, reasoning, tool_call, tool_result), text, payload
//   turns     tip_message_hash: the answer, parent_message_hash: what it answers; model, time,
//   tokens
// Messages are shared: a fork has those of the thread it came from. From the last one of a thread
// the chain leads to its first, and leaves out what belongs to other forks.
#include "base/sqlite.hpp"
#include "transcript/agents/llm/hooks.hpp"

namespace yore::transcript::llm {
namespace {

// A chain that leads in a circle ends here.
constexpr const char* kThread = R"sql(
WITH RECURSIVE chain(hash, parent, role, depth) AS (
  SELECT m.hash, m.parent_hash, m.role, 0 FROM threads t
    JOIN messages m ON m.hash = t.tip_message_hash WHERE t.id = ?1
  UNION ALL
  SELECT m.hash, m.parent_hash, m.role, depth + 1 FROM chain
    JOIN messages m ON m.hash = chain.parent WHERE depth < 20000)
SELECT json_object('messages', json_group_array(json(message))) FROM (
  SELECT json_object(
    'hash', hash, 'role', role,
    'time', coalesce(
      (SELECT min(datetime_utc) FROM turns WHERE tip_message_hash = hash),
      (SELECT min(datetime_utc) FROM turns WHERE parent_message_hash = hash)),
    'model', (SELECT model FROM turns WHERE tip_message_hash = hash),
    'input_tokens', (SELECT input_tokens FROM turns WHERE tip_message_hash = hash),
    'output_tokens', (SELECT output_tokens FROM turns WHERE tip_message_hash = hash),
    'content', (SELECT json_group_array(json(block)) FROM (SELECT CASE type
      WHEN 'text' THEN json_object('type', 'text', 'text', coalesce(text, ''))
      WHEN 'reasoning' THEN json_object('type', 'thinking', 'thinking', coalesce(text, ''))
      WHEN 'tool_call' THEN json_object('type', 'tool_use', 'name', tool_name,
        'id', json_extract(payload, '$.tool_call_id'),
        'input', json(coalesce(payload -> '$.arguments', '{}')))
      WHEN 'tool_result' THEN json_object('type', 'tool_result',
        'tool_use_id', json_extract(payload, '$.tool_call_id'),
        'content', coalesce(json_extract(payload, '$.output'), text, ''))
      WHEN 'attachment' THEN json_object('type', 'image')
      ELSE json_object('type', type) END AS block
      FROM parts WHERE message_hash = hash AND (payload IS NULL OR json_valid(payload))
      ORDER BY position))) AS message
  FROM chain ORDER BY depth DESC)
)sql";

Result<std::string> assemble(Database& database, std::string_view id) {
  auto query = database.prepare(kThread);
  if (!query) return query.error();
  query->bind(1, id);
  const auto row = query->step();
  if (!row) return row.error();
  return *row ? std::string(query->text(0)) : std::string();
}

}  // namespace

const Hooks kHooks = {.assemble = assemble};

}  // namespace yore::transcript::llm
