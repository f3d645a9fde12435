// Editions: turns that stood in a session and stand nowhere any more.
//
// Agents rewrite their files: they compact, rewind, resume into a new file and delete the old one.
// A turn that was seen stays all the same. When a session is read anew because its source no longer
// begins with what was read, its turns are set aside first, as rows of an unsettled session. Once
// the new reading has reached its end, the two are compared (turns/match_turns.hpp): turns that
// still stand are dropped, the others become the session's next edition, `<uid>~N`. Whatever an
// edition holds and the session holds again later leaves the edition. So nothing is ever there
// twice, and a kill between any two steps leaves either the old turns set aside or settled.
//
// Passages that are set aside are told to the feed as removed; those that stay get new ids.
//
// Chunk ids lead to what they named when they were printed: a turn takes its number along into an
// edition or to another place in its session, and whoever comes to stand where it stood gets
// another one.
#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "base/time.hpp"
#include "store/writer.hpp"
#include "turns/chunk_id.hpp"
#include "turns/match_turns.hpp"

namespace yore::store {
namespace {

turns::SaidTurn said_of(const std::vector<std::pair<PassageId, turns::Passage>>& passages) {
  std::map<std::uint32_t, std::string> prompts;
  std::map<std::uint32_t, std::string> answers;
  for (const auto& [id, passage] : passages) {
    if (passage.surface == turns::Surface::user_prompt) prompts[passage.block] += passage.text;
    if (passage.surface == turns::Surface::assistant_text) answers[passage.block] += passage.text;
  }
  turns::SaidTurn said;
  for (auto& [block, text] : prompts) said.prompts.push_back(std::move(text));
  for (auto& [block, text] : answers) said.answers.push_back(std::move(text));
  return said;
}

// Turns of a session and their words. A failure to read words shows in `failed`.
turns::TurnReading reading_of(Store& store, SessionId session, std::vector<turns::Turn> turns,
                              Status& failed) {
  turns::TurnReading reading;
  reading.turns = turns;
  reading.said = [&store, session, turns = std::move(turns), &failed](std::size_t i) {
    const turns::TurnNumber number = turns[i].number;
    const auto passages = store.passages_of(session, number, number, kSaid);
    if (passages) return said_of(*passages);
    if (failed) failed = passages.error();
    return turns::SaidTurn{};
  };
  return reading;
}

Result<SessionRow> row_of(Store& store, SessionId id) {
  auto row = store.session(id);
  if (!row) return row.error();
  if (!*row) return Error{Errc::not_found, "a session that is being written is gone"};
  return std::move(**row);
}

}  // namespace

Status Writer::set_aside(SessionId session) {
  const auto turns = store_->turn_end(session);
  if (!turns) return turns.error();
  if (*turns == 0) return forget_content(session);
  auto insert = statement(
      "INSERT INTO session(uid,agent,root,path,row,copies,size,mtime,inode,ref_hash,kind,parent,"
      "directory,fixed_project,ref_title,ref_cwd,resume_key,ref_automated,project,project_path,"
      "title,title_kind,automated,first_time,last_time,turn_count,records,first_cwd,cwd,branch,"
      "model,version,slug,custom_title,name_title,ai_title,index_title,compaction_title,"
      "first_prompt,reading,host,standing,base) SELECT "
      "uid||'~new'||(SELECT seq FROM sqlite_sequence WHERE name='session'),agent,root,path,row,'',"
      "0,0,0,0,kind,parent,directory,fixed_project,ref_title,ref_cwd,resume_key,ref_automated,"
      "project,project_path,title,title_kind,automated,first_time,last_time,turn_count,records,"
      "first_cwd,cwd,branch,model,version,slug,custom_title,name_title,ai_title,index_title,"
      "compaction_title,first_prompt,reading,host,?2,id FROM session WHERE id=?1");
  if (!insert) return insert.error();
  (*insert)->bind(1, number(session)).bind(2, static_cast<int>(Standing::unsettled));
  if (Status status = (*insert)->execute(); !status) return status;
  const std::int64_t aside = store_->database().last_rowid();
  // Removed as far as the feed is concerned.
  auto told = statement(
      "INSERT INTO change(op,subject,count) SELECT ?2,first,count FROM pack WHERE session=?1");
  if (!told) return told.error();
  (*told)->bind(1, number(session)).bind(2, static_cast<int>(ChangeOp::remove_passages));
  if (Status status = (*told)->execute(); !status) return status;
  for (const char* sql : {"UPDATE pack SET session=?2,open=0 WHERE session=?1",
                          "UPDATE turn SET session=?2 WHERE session=?1"}) {
    auto move = statement(sql);
    if (!move) return move.error();
    Status status = (*move)->bind(1, number(session)).bind(2, aside).execute();
    if (!status) return status;
  }
  return forget_reading(session);
}

// In the order in which they were set aside.
Result<std::vector<std::pair<SessionId, Standing>>> Writer::editions_and_unsettled(
    SessionId session) {
  auto find = statement("SELECT id,standing FROM session WHERE base=?1 AND base<>0 ORDER BY id");
  if (!find) return find.error();
  (*find)->bind(1, number(session));
  std::vector<std::pair<SessionId, Standing>> rows;
  while (true) {
    const auto row = (*find)->step();
    if (!row) return row.error();
    if (!*row) break;
    rows.emplace_back(SessionId{(*find)->integer(0)}, static_cast<Standing>((*find)->integer(1)));
  }
  (*find)->reset();
  return rows;
}

Status Writer::settle_editions(SessionId session) {
  const auto editions = editions_and_unsettled(session);
  if (!editions) return editions.error();
  if (editions->empty()) {
    // Turns that went on elsewhere have left their numbers behind, and new ones may come there.
    const auto moved = store_->database().number("SELECT EXISTS(SELECT 1 FROM moved_chunk)");
    if (!moved) return moved.error();
    if (*moved == 0) return {};
  }
  std::vector<SessionId> unsettled;
  for (const auto& [id, standing] : *editions) {
    if (standing == Standing::unsettled) unsettled.push_back(id);
  }
  auto row = row_of(*store_, session);
  if (!row) return row.error();
  auto fresh = store_->turns_of(session);
  if (!fresh) return fresh.error();
  const turns::TurnNumber settled = unsettled.empty() ? row->settled : 0;
  std::erase_if(*fresh, [&](const turns::Turn& turn) { return turn.number < settled; });
  for (const SessionId aside : unsettled) {
    if (Status status = settle(*row, aside, *fresh); !status) return status;
    row = row_of(*store_, session);
    if (!row) return row.error();
  }
  if (Status status = revive(*row, std::move(*fresh)); !status) return status;
  auto note = statement(
      "UPDATE session SET settled=(SELECT coalesce(max(number)+1,0) FROM turn WHERE session=?1) "
      "WHERE id=?1");
  if (!note) return note.error();
  return (*note)->bind(1, number(session)).execute();
}

// Which of the turns that were set aside still stand; the rest become an edition. Those that stand
// for one of them leave `fresh`.
Status Writer::settle(const SessionRow& session, SessionId unsettled,
                      std::vector<turns::Turn>& fresh) {
  auto before = store_->turns_of(unsettled);
  if (!before) return before.error();
  auto now = store_->turns_of(session.id);
  if (!now) return now.error();
  Status failed;
  const turns::TurnReading earlier = reading_of(*store_, unsettled, *before, failed);
  const turns::TurnReading later = reading_of(*store_, session.id, *now, failed);
  const auto matches = turns::match_turns(earlier, later);
  if (!failed) return failed;

  std::vector<turns::Turn> superseded;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    turns::Turn& turn = (*before)[i];
    turn.chunk = chunk_of(turn, session.uid);
    if (matches[i]) {
      const turns::Turn& stands = (*now)[*matches[i]];
      std::erase_if(fresh, [&](const turns::Turn& each) { return each.number == stands.number; });
      if (chunk_of(stands, session.uid) == turn.chunk) continue;
      Status status = set_chunk(session.id, stands.number, turn.chunk);
      if (!status) return status;
      continue;
    }
    const auto elsewhere = stands_elsewhere(session.id, unsettled, turn);
    if (!elsewhere) return elsewhere.error();
    if (!*elsewhere) superseded.push_back(turn);
  }
  if (superseded.empty()) {
    if (Status status = drop_told_packs(unsettled); !status) return status;
    return remove_edition(unsettled);
  }
  const std::uint32_t edition = session.editions + 1;
  auto count = statement("UPDATE session SET editions=?2,superseded=superseded+?3 WHERE id=?1");
  if (!count) return count.error();
  (*count)->bind(1, number(session.id)).bind(2, edition).bind(3, superseded.size());
  if (Status status = (*count)->execute(); !status) return status;
  auto name = statement("UPDATE session SET uid=?2,standing=?3 WHERE id=?1");
  if (!name) return name.error();
  const std::string uid = session.uid + kEditionMark + std::to_string(edition);
  (*name)->bind(1, number(unsettled)).bind(2, uid).bind(3, static_cast<int>(Standing::edition));
  if (Status status = (*name)->execute(); !status) return status;
  if (session.facts.turn_count == 0) {
    if (Status status = take_facts_back(session.id, unsettled); !status) return status;
  }
  return keep_turns(unsettled, superseded, true);
}

// A session that lost all its turns keeps the facts that were known before.
Status Writer::take_facts_back(SessionId session, SessionId edition) {
  auto put = statement(
      "UPDATE session SET (first_time,last_time,first_cwd,cwd,branch,model,version,slug,"
      "custom_title,name_title,ai_title,index_title,compaction_title,first_prompt)=(SELECT "
      "first_time,last_time,first_cwd,cwd,branch,model,version,slug,custom_title,name_title,"
      "ai_title,index_title,compaction_title,first_prompt FROM session e WHERE e.id=?2) "
      "WHERE id=?1");
  if (!put) return put.error();
  return (*put)->bind(1, number(session)).bind(2, number(edition)).execute();
}

// Turns that are there again leave the editions; the other new ones get chunks that name nothing
// yet.
Status Writer::revive(const SessionRow& session, std::vector<turns::Turn> fresh) {
  if (fresh.empty()) return {};
  const auto editions = store_->editions_of(session.id);
  if (!editions) return editions.error();
  std::uint64_t revived = 0;
  for (const SessionRow& edition : *editions) {
    const auto before = store_->turns_of(edition.id);
    if (!before) return before.error();
    Status failed;
    const turns::TurnReading earlier = reading_of(*store_, edition.id, *before, failed);
    const turns::TurnReading later = reading_of(*store_, session.id, fresh, failed);
    const auto matches = turns::match_turns(earlier, later);
    if (!failed) return failed;
    std::vector<turns::Turn> kept;
    std::unordered_set<turns::TurnNumber> back;
    for (std::size_t i = 0; i < matches.size(); ++i) {
      if (!matches[i]) {
        kept.push_back((*before)[i]);
        continue;
      }
      const turns::TurnNumber number = fresh[*matches[i]].number;
      back.insert(number);
      if (Status status = set_chunk(session.id, number, (*before)[i].chunk); !status) return status;
    }
    if (back.empty()) continue;
    revived += back.size();
    std::erase_if(fresh, [&](const turns::Turn& turn) { return back.contains(turn.number); });
    Status status = kept.empty() ? remove_edition(edition.id) : keep_turns(edition.id, kept, false);
    if (!status) return status;
  }
  if (revived > 0) {
    auto count = statement("UPDATE session SET superseded=superseded-?2 WHERE id=?1");
    if (!count) return count.error();
    (*count)->bind(1, number(session.id)).bind(2, revived);
    if (Status status = (*count)->execute(); !status) return status;
  }
  for (const turns::Turn& turn : fresh) {
    const std::uint64_t usual = turns::chunk_number(session.uid, turn.number);
    const auto taken = chunk_is_taken(session, usual, turn.origin);
    if (!taken) return taken.error();
    if (!*taken) continue;
    const auto chunk = free_chunk(session, turn);
    if (!chunk) return chunk.error();
    if (Status status = set_chunk(session.id, turn.number, *chunk); !status) return status;
  }
  return {};
}

// Is there a living turn of another session that says all of it? Then its chunk leads there.
Result<bool> Writer::stands_elsewhere(SessionId session, SessionId edition,
                                      const turns::Turn& turn) {
  auto find = statement(
      "SELECT t.session,t.number FROM turn t JOIN session s ON s.id=t.session "
      "WHERE t.origin=?1 AND s.standing=0 AND s.excluded=0 AND s.id<>?2");
  if (!find) return find.error();
  (*find)->bind(1, turn.origin).bind(2, number(session));
  std::vector<std::pair<SessionId, turns::TurnNumber>> places;
  while (true) {
    const auto row = (*find)->step();
    if (!row) return row.error();
    if (!*row) break;
    places.emplace_back(SessionId{(*find)->integer(0)},
                        static_cast<turns::TurnNumber>((*find)->integer(1)));
  }
  (*find)->reset();
  if (places.empty()) return false;
  const auto own = store_->passages_of(edition, turn.number, turn.number, kSaid);
  if (!own) return own.error();
  const turns::SaidTurn said = said_of(*own);
  for (const auto& [other, place] : places) {
    const auto passages = store_->passages_of(other, place, place, kSaid);
    if (!passages) return passages.error();
    if (!turns::says_all_of(said_of(*passages), said)) continue;
    auto lead = statement("INSERT OR REPLACE INTO moved_chunk VALUES(?1,?2)");
    if (!lead) return lead.error();
    Status status = (*lead)->bind(1, turn.chunk).bind(2, turn.origin).execute();
    if (!status) return status.error();
    return true;
  }
  return false;
}

// Packs that were told to the feed as removed when they were set aside.
Status Writer::drop_told_packs(SessionId unsettled) {
  auto drop = statement("DELETE FROM pack WHERE session=?1");
  if (!drop) return drop.error();
  return (*drop)->bind(1, number(unsettled)).execute();
}

// The edition holds these of its turns and nothing else, in passages with ids of their own. `told`:
// the feed knows that its present ones are removed.
Status Writer::keep_turns(SessionId edition, const std::vector<turns::Turn>& kept, bool told) {
  std::unordered_set<turns::TurnNumber> numbers;
  Time first = kNoTime;
  Time last = kNoTime;
  for (const turns::Turn& turn : kept) {
    numbers.insert(turn.number);
    if (first == kNoTime || (turn.first_time != kNoTime && turn.first_time < first)) {
      first = turn.first_time;
    }
    last = std::max({last, turn.first_time, turn.last_time});
  }
  auto stored = store_->passages_of(edition, 0, UINT32_MAX);
  if (!stored) return stored.error();
  std::vector<turns::Passage> passages;
  for (auto& [id, passage] : *stored) {
    if (numbers.contains(passage.turn)) passages.push_back(std::move(passage));
  }
  Status dropped = told ? drop_told_packs(edition) : drop_packs(edition, false);
  if (!dropped) return dropped;
  auto drop = statement("DELETE FROM turn WHERE session=?1");
  if (!drop) return drop.error();
  if (Status status = (*drop)->bind(1, number(edition)).execute(); !status) return status;
  SessionStep step;
  step.turns = kept;
  PackEncoder encoder;
  Status status = add_packs(edition, encoder.encode(passages), false);
  if (status) status = put_turns(edition, step);
  for (const turns::Turn& turn : kept) {
    if (status) status = set_chunk(edition, turn.number, turn.chunk);
  }
  if (!status) return status;
  auto facts = statement("UPDATE session SET turn_count=?2,first_time=?3,last_time=?4 WHERE id=?1");
  if (!facts) return facts.error();
  (*facts)->bind(1, number(edition)).bind(2, kept.size()).bind(3, to_ms(first));
  if (status = (*facts)->bind(4, to_ms(last)).execute(); !status) return status;
  return note_change(ChangeOp::session_changed, number(edition), 0);
}

Status Writer::remove_edition(SessionId edition) {
  if (Status status = forget_content(edition); !status) return status;
  auto drop = statement("DELETE FROM session WHERE id=?1");
  if (!drop) return drop.error();
  if (Status status = (*drop)->bind(1, number(edition)).execute(); !status) return status;
  return note_change(ChangeOp::session_changed, number(edition), 0);
}

// Its numbers stay used.
Status Writer::remove_editions(SessionId session) {
  const auto editions = editions_and_unsettled(session);
  if (!editions) return editions.error();
  for (const auto& [edition, standing] : *editions) {
    Status status = standing == Standing::unsettled ? drop_told_packs(edition) : Status{};
    if (status) status = remove_edition(edition);
    if (!status) return status;
  }
  auto count = statement("UPDATE session SET superseded=0 WHERE id=?1 AND superseded<>0");
  if (!count) return count.error();
  return (*count)->bind(1, number(session)).execute();
}

Status Writer::set_chunk(SessionId session, turns::TurnNumber turn, std::uint64_t chunk) {
  auto put = statement("UPDATE turn SET chunk=?3 WHERE session=?1 AND number=?2");
  if (!put) return put.error();
  Status status = (*put)->bind(1, number(session)).bind(2, turn).bind(3, chunk).execute();
  return status ? note_change(ChangeOp::turn_changed, number(session), turn) : status;
}

// Does it name a turn of the session or of its editions, or one of another origin that was here and
// stands elsewhere now?
Result<bool> Writer::chunk_is_taken(const SessionRow& session, std::uint64_t chunk,
                                    std::uint64_t origin) {
  auto find = statement(
      "SELECT (SELECT count(*) FROM turn WHERE chunk=?2 AND session IN "
      "(SELECT id FROM session WHERE id=?1 UNION SELECT id FROM session WHERE base=?1 AND "
      "base<>0)) + (SELECT count(*) FROM moved_chunk WHERE chunk=?2 AND origin<>?3)");
  if (!find) return find.error();
  const auto row = (*find)->bind(1, number(session.id)).bind(2, chunk).bind(3, origin).step();
  if (!row) return row.error();
  const bool taken = (*find)->integer(0) > 0;
  (*find)->reset();
  return taken;
}

Result<std::uint64_t> Writer::free_chunk(const SessionRow& session, const turns::Turn& turn) {
  for (int salt = 1;; ++salt) {
    const std::uint64_t chunk =
        turns::chunk_number(session.uid + "@" + std::to_string(salt), turn.number);
    const auto taken = chunk_is_taken(session, chunk, turn.origin);
    if (!taken) return taken.error();
    if (!*taken) return chunk;
  }
}

}  // namespace yore::store
