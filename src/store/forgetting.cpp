// Removing turns on purpose, text and all.
#include <unordered_set>

#include "store/writer.hpp"

namespace yore::store {

Status Writer::forget_turns(const SessionRow& session, const std::vector<turns::Turn>& turns) {
  std::unordered_set<turns::TurnNumber> numbers;
  for (const turns::Turn& turn : turns) numbers.insert(turn.number);
  if (session.standing == Standing::edition) {
    auto kept = store_->turns_of(session.id);
    if (!kept) return kept.error();
    std::erase_if(*kept, [&](const turns::Turn& turn) { return numbers.contains(turn.number); });
    auto count = statement("UPDATE session SET superseded=superseded-?2 WHERE id=?1");
    if (!count) return count.error();
    (*count)->bind(1, number(session.base)).bind(2, turns.size());
    if (Status status = (*count)->execute(); !status) return status;
    return kept->empty() ? remove_edition(session.id) : keep_turns(session.id, *kept, false);
  }
  auto stored = store_->passages_of(session.id, 0, UINT32_MAX);
  if (!stored) return stored.error();
  std::vector<turns::Passage> passages;
  for (auto& [id, passage] : *stored) {
    if (!numbers.contains(passage.turn)) passages.push_back(std::move(passage));
  }
  if (Status status = drop_packs(session.id, false); !status) return status;
  PackEncoder encoder;
  Status status = add_packs(session.id, encoder.encode(passages), false);
  SessionStep step;
  for (const turns::Turn& turn : turns) {
    turns::Turn left;
    left.number = turn.number;
    left.forgotten = true;
    left.first_time = turn.first_time;
    left.last_time = turn.last_time;
    left.offset = turn.offset;
    left.line = turn.line;
    step.turns.push_back(std::move(left));
  }
  if (status) status = put_turns(session.id, step);
  // Where reading stopped holds the last words that were read: it is read again from its start.
  if (status) status = forget_reading(session.id);
  if (!status) return status;
  auto clear = statement(
      "UPDATE session SET first_prompt='',ai_title='',index_title='',compaction_title='',title='',"
      "title_kind='',ref_title='',broken=1 WHERE id=?1");
  if (!clear) return clear.error();
  if (status = (*clear)->bind(1, number(session.id)).execute(); !status) return status;
  return note_change(ChangeOp::session_changed, number(session.id), 0);
}

}  // namespace yore::store
