// Reading a session again from its start, while its turns keep the ids that were printed.
#include "store/writer.hpp"

namespace yore::store {

Status Writer::forget_content(SessionId session) {
  if (Status status = drop_packs(session, false); !status) return status;
  auto drop = statement("DELETE FROM turn WHERE session=?1");
  if (!drop) return drop.error();
  if (Status status = (*drop)->bind(1, number(session)).execute(); !status) return status;
  return forget_reading(session);
}

// How far it was read, and what that reading found beside turns.
Status Writer::forget_reading(SessionId session) {
  for (const char* sql :
       {"DELETE FROM session_state WHERE session=?1", "DELETE FROM record_keys WHERE session=?1",
        "DELETE FROM leaf_title WHERE session=?1", "DELETE FROM problem WHERE session=?1",
        "DELETE FROM unknown WHERE session=?1", "UPDATE session SET bytes_read=0 WHERE id=?1"}) {
    auto forget = statement(sql);
    if (!forget) return forget.error();
    if (Status status = (*forget)->bind(1, number(session)).execute(); !status) return status;
  }
  return {};
}

// What is the same file still gives its turns the same numbers: those with a chunk of their own
// keep it. Until the reading is done, nobody knows which of them are there.
Status Writer::read_again(SessionId session) {
  auto own = statement("SELECT EXISTS(SELECT 1 FROM turn WHERE session=?1 AND chunk<>0)");
  if (!own) return own.error();
  const auto row = (*own)->bind(1, number(session)).step();
  if (!row) return row.error();
  const bool any = (*own)->integer(0) != 0;
  (*own)->reset();
  if (!any) return forget_content(session);
  if (Status status = drop_packs(session, false); !status) return status;
  for (const char* sql : {"DELETE FROM turn WHERE session=?1 AND chunk=0",
                          "UPDATE turn SET line=-1 WHERE session=?1"}) {
    auto change = statement(sql);
    if (!change) return change.error();
    if (Status status = (*change)->bind(1, number(session)).execute(); !status) return status;
  }
  return forget_reading(session);
}

// Those that read_again() has kept and that did not come again.
Status Writer::drop_unread_turns(SessionId session) {
  auto drop = statement("DELETE FROM turn WHERE session=?1 AND line=-1");
  if (!drop) return drop.error();
  return (*drop)->bind(1, number(session)).execute();
}

}  // namespace yore::store
