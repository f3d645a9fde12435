#include "store/writer.hpp"

#include <algorithm>
#include <cstdint>
#include <random>

#include "base/hash.hpp"
#include "base/trace.hpp"

namespace yore::store {
namespace {

std::int64_t flags_of(const turns::Turn& turn) {
  return (turn.abandoned ? 1 : 0) | (turn.automated ? 2 : 0) | (turn.has_tool ? 4 : 0) |
         (turn.forgotten ? kForgottenFlag : 0) | (turn.scripted ? kScriptedFlag : 0);
}

}  // namespace

std::uint64_t ref_hash(const transcript::SessionRef& ref, std::string_view other_files) {
  std::uint64_t hash = static_cast<std::uint64_t>(ref.kind) * 2 + (ref.automated ? 1 : 0);
  for (const std::string_view text :
       {std::string_view(ref.id), std::string_view(ref.parent_id), std::string_view(ref.path),
        std::string_view(ref.row), std::string_view(ref.directory), std::string_view(ref.project),
        std::string_view(ref.title), std::string_view(ref.cwd), std::string_view(ref.resume_key),
        other_files}) {
    hash = hash64(text, hash);
  }
  return hash;
}

Result<Writer> Writer::create(Store& store) {
  Writer writer(store);
  const auto next = store.database().number("SELECT value FROM meta WHERE key='next_passage'");
  if (!next) return next.error();
  writer.next_passage_ = *next;
  return writer;
}

Result<Statement*> Writer::statement(const char* sql) {
  const auto known =
      std::ranges::find_if(statements_, [sql](const auto& s) { return s.first == sql; });
  if (known != statements_.end()) return &known->second;
  auto prepared = store_->database().prepare(sql);
  if (!prepared) return prepared.error();
  // Callers use a pointer only until their next call of statement().
  statements_.emplace_back(sql, std::move(*prepared));
  return &statements_.back().second;
}

Status Writer::begin() {
  changed_ = false;
  return store_->database().run("BEGIN IMMEDIATE");
}

Status Writer::commit() {
  auto next = statement("UPDATE meta SET value=?1 WHERE key='next_passage'");
  if (!next) return next.error();
  if (Status status = (*next)->bind(1, next_passage_).execute(); !status) return status;
  if (changed_) {
    std::random_device random;
    const auto nonce = static_cast<std::int64_t>(std::uint64_t{random()} << 31 ^ random());
    if (Status status = note_change(ChangeOp::commit, nonce, 0); !status) return status;
  }
  return store_->database().run("COMMIT");
}

void Writer::rollback() {
  Trace::failure("roll back", store_->database().run("ROLLBACK"));
  const auto next = store_->database().number("SELECT value FROM meta WHERE key='next_passage'");
  if (next) next_passage_ = *next;
}

Status Writer::note_change(ChangeOp op, std::int64_t subject, std::int64_t count) {
  changed_ = true;
  auto insert = statement("INSERT INTO change(op,subject,count) VALUES(?1,?2,?3)");
  if (!insert) return insert.error();
  return (*insert)->bind(1, static_cast<int>(op)).bind(2, subject).bind(3, count).execute();
}

Result<RootId> Writer::add_root(std::string_view agent, std::string_view path, bool named) {
  auto insert = statement("INSERT OR IGNORE INTO root(agent,path,named) VALUES(?1,?2,?3)");
  if (!insert) return insert.error();
  const Status inserted = (*insert)->bind(1, agent).bind(2, path).bind(3, named ? 1 : 0).execute();
  if (!inserted) return inserted.error();
  auto find = statement("SELECT id FROM root WHERE agent=?1 AND path=?2");
  if (!find) return find.error();
  const auto row = (*find)->bind(1, agent).bind(2, path).step();
  if (!row) return row.error();
  const RootId id{(*find)->integer(0)};
  (*find)->reset();
  return id;
}

Result<SessionId> Writer::put_session(RootId root, std::string_view agent,
                                      const transcript::SessionRef& ref,
                                      std::string_view other_files) {
  // The stamp is not touched: it is written by apply() once everything up to it has been read.
  auto upsert = statement(
      "INSERT INTO session(uid,agent,root,path,row,copies,size,mtime,inode,ref_hash,kind,parent,"
      "directory,fixed_project,ref_title,ref_cwd,resume_key,ref_automated,reading,standing,broken) "
      "VALUES(?1,?2,?3,?4,?5,?6,0,0,0,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,1) "
      "ON CONFLICT(uid) DO UPDATE SET agent=?2,root=?3,path=?4,row=?5,copies=?6,ref_hash=?7,"
      "kind=?8,parent=?9,directory=?10,fixed_project=?11,ref_title=?12,ref_cwd=?13,"
      "resume_key=?14,ref_automated=?15,reading=?16,standing=?17,missing=0,excluded=0");
  if (!upsert) return upsert.error();
  (*upsert)->bind(1, ref.id).bind(2, agent).bind(3, static_cast<std::int64_t>(root));
  (*upsert)->bind(4, ref.path).bind(5, ref.row).bind(6, other_files);
  (*upsert)->bind(7, ref_hash(ref, other_files)).bind(8, static_cast<int>(ref.kind));
  (*upsert)->bind(9, ref.parent_id).bind(10, ref.directory).bind(11, ref.project);
  (*upsert)->bind(12, ref.title).bind(13, ref.cwd).bind(14, ref.resume_key);
  (*upsert)->bind(15, ref.automated ? 1 : 0).bind(16, ref.reading);
  (*upsert)->bind(17, static_cast<int>(standing_of(ref.content)));
  if (Status status = (*upsert)->execute(); !status) return status.error();
  auto find = statement("SELECT id FROM session WHERE uid=?1");
  if (!find) return find.error();
  const auto row = (*find)->bind(1, ref.id).step();
  if (!row) return row.error();
  const SessionId id{(*find)->integer(0)};
  (*find)->reset();
  if (Status status = note_change(ChangeOp::session_changed, number(id), 0); !status) {
    return status.error();
  }
  return id;
}

Status Writer::drop_packs(SessionId session, bool open_only) {
  auto find = statement("SELECT first,count FROM pack WHERE session=?1 AND open>=?2");
  if (!find) return find.error();
  (*find)->bind(1, number(session)).bind(2, open_only ? 1 : 0);
  std::vector<std::pair<std::int64_t, std::int64_t>> packs;
  while (true) {
    const auto row = (*find)->step();
    if (!row) return row.error();
    if (!*row) break;
    packs.emplace_back((*find)->integer(0), (*find)->integer(1));
  }
  (*find)->reset();
  for (const auto& [first, count] : packs) {
    auto drop = statement("DELETE FROM pack WHERE first=?1");
    if (!drop) return drop.error();
    if (Status status = (*drop)->bind(1, first).execute(); !status) return status;
    if (Status status = note_change(ChangeOp::remove_passages, first, count); !status) {
      return status;
    }
  }
  return {};
}

Status Writer::add_packs(SessionId session, const std::vector<EncodedPack>& packs, bool open) {
  for (const EncodedPack& pack : packs) {
    auto insert = statement(
        "INSERT INTO pack(first,count,session,open,first_turn,last_turn,data,kind) "
        "VALUES(?1,?2,?3,?4,?5,?6,?7,?8)");
    if (!insert) return insert.error();
    (*insert)->bind(1, next_passage_).bind(2, pack.count).bind(3, number(session));
    (*insert)->bind(4, open ? 1 : 0).bind(5, pack.first_turn).bind(6, pack.last_turn);
    (*insert)->bind_blob(7, pack.bytes).bind(8, std::int64_t{pack.kind});
    if (Status status = (*insert)->execute(); !status) return status;
    if (Status status = note_change(ChangeOp::add_passages, next_passage_, pack.count); !status) {
      return status;
    }
    next_passage_ += pack.count;
  }
  return {};
}

Status Writer::put_turns(SessionId session, const SessionStep& step) {
  for (const turns::Turn& turn : step.turns) {
    // Its chunk stays: see editions.cpp.
    auto put = statement(
        "INSERT INTO turn(session,number,flags,first_time,last_time,offset,line,assistant_blocks,"
        "origin,content,model,branch,input_tokens,output_tokens,cache_read_tokens,"
        "cache_write_tokens) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16) "
        "ON CONFLICT(session,number) DO UPDATE SET flags=?3,first_time=?4,last_time=?5,offset=?6,"
        "line=?7,assistant_blocks=?8,origin=?9,content=?10,model=?11,branch=?12,input_tokens=?13,"
        "output_tokens=?14,cache_read_tokens=?15,cache_write_tokens=?16");
    if (!put) return put.error();
    (*put)->bind(1, number(session)).bind(2, turn.number).bind(3, flags_of(turn));
    (*put)->bind(4, to_ms(turn.first_time)).bind(5, to_ms(turn.last_time));
    (*put)->bind(6, turn.offset).bind(7, turn.line).bind(8, turn.assistant_blocks);
    (*put)->bind(9, turn.origin).bind(10, turn.content).bind(11, turn.model);
    (*put)->bind(12, turn.branch);
    if (turn.usage) {
      (*put)->bind(13, turn.usage->input_tokens).bind(14, turn.usage->output_tokens);
      (*put)->bind(15, turn.usage->cache_read_tokens).bind(16, turn.usage->cache_write_tokens);
    }
    if (Status status = (*put)->execute(); !status) return status;
    Status status = note_change(ChangeOp::turn_changed, number(session), turn.number);
    if (!status) return status;
  }
  for (const turns::TurnNumber turn : step.abandoned) {
    auto mark = statement("UPDATE turn SET flags=flags|1 WHERE session=?1 AND number=?2");
    if (!mark) return mark.error();
    Status status = (*mark)->bind(1, number(session)).bind(2, turn).execute();
    if (status) status = note_change(ChangeOp::turn_changed, number(session), turn);
    if (!status) return status;
  }
  return {};
}

Result<std::int64_t> Writer::put_keys(SessionId session, const SessionStep& step) {
  auto count = statement("SELECT count(*) FROM record_keys WHERE session=?1");
  if (!count) return count.error();
  (*count)->bind(1, number(session));
  if (const auto row = (*count)->step(); !row) return row.error();
  const std::int64_t part = (*count)->integer(0);
  (*count)->reset();
  if (step.new_keys.empty()) return part;
  auto put = statement("INSERT INTO record_keys VALUES(?1,?2,?3)");
  if (!put) return put.error();
  (*put)->bind(1, number(session)).bind(2, part).bind_blob(3, step.new_keys);
  if (Status status = (*put)->execute(); !status) return status.error();
  return part;
}

Status Writer::apply(SessionId session, const SessionStep& step) {
  Status status = step.supersede ? set_aside(session)
                  : step.replace ? read_again(session)
                                 : drop_packs(session, true);
  if (status) status = add_packs(session, step.sealed, false);
  if (status) status = add_packs(session, step.open, true);
  if (status) status = put_turns(session, step);
  if (status) status = put_leaf_titles(session, step);
  if (!status) return status;
  const auto part = put_keys(session, step);
  if (!part) return part.error();
  auto save = statement("INSERT OR REPLACE INTO session_state VALUES(?1,?2,?3)");
  if (!save) return save.error();
  (*save)->bind(1, number(session)).bind_blob(2, step.cursor).bind_blob(3, step.state);
  if (status = (*save)->execute(); !status) return status;
  if (status = put_problems(session, step); !status) return status;
  // What is read anew may say anything else than before; what has grown keeps what it was.
  const ChangeOp op = step.replace ? ChangeOp::session_changed : ChangeOp::session_grown;
  if (status = note_change(op, number(session), step.replace ? 0 : *part); !status) return status;
  if (status = put_facts(session, step); !status || !step.last) return status;
  if (status = drop_unread_turns(session); !status) return status;
  return settle_editions(session);
}

Status Writer::set_broken(SessionId session, bool broken) {
  auto put = statement("UPDATE session SET broken=?2 WHERE id=?1");
  if (!put) return put.error();
  return (*put)->bind(1, number(session)).bind(2, broken ? 1 : 0).execute();
}

Status Writer::set_missing(SessionId session, Time since) {
  auto put = statement("UPDATE session SET missing=?2 WHERE id=?1");
  if (!put) return put.error();
  if (Status status = (*put)->bind(1, number(session)).bind(2, to_ms(since)).execute(); !status) {
    return status;
  }
  return note_change(ChangeOp::session_changed, number(session), 0);
}

Status Writer::remove_session(SessionId session) {
  Status status = remove_editions(session);
  if (status) status = forget_content(session);
  if (!status) return status;
  // What was noted of its folder goes with the last session that knows the folder.
  auto clear = statement(
      "DELETE FROM meta WHERE key IN (SELECT 'repository:'||project_path FROM session WHERE id=?1 "
      "UNION SELECT 'repository:'||first_cwd FROM session WHERE id=?1) AND NOT EXISTS(SELECT 1 "
      "FROM session s WHERE s.id<>?1 AND 'repository:'||s.project_path=meta.key)");
  if (!clear) return clear.error();
  if (status = (*clear)->bind(1, number(session)).execute(); !status) return status;
  auto clear_names = statement(
      "DELETE FROM meta WHERE key GLOB 'repository-name:*' AND NOT EXISTS(SELECT 1 FROM meta r "
      "WHERE r.key GLOB 'repository:*' AND r.value=substr(meta.key,17))");
  if (!clear_names) return clear_names.error();
  if (status = (*clear_names)->execute(); !status) return status;
  auto drop = statement("DELETE FROM session WHERE id=?1");
  if (!drop) return drop.error();
  if (status = (*drop)->bind(1, number(session)).execute(); !status) return status;
  return note_change(ChangeOp::session_changed, number(session), 0);
}

Status Writer::exclude_session(SessionId session, Excluded why) {
  if (Status status = remove_editions(session); !status) return status;
  if (Status status = forget_content(session); !status) return status;
  auto put = statement(
      "UPDATE session SET excluded=?2,turn_count=0,title='',first_prompt='',custom_title='',"
      "name_title='',ai_title='',index_title='',compaction_title='',ref_title='',slug='' "
      "WHERE id=?1");
  if (!put) return put.error();
  (*put)->bind(1, number(session)).bind(2, static_cast<int>(why));
  if (Status status = (*put)->execute(); !status) return status;
  return note_change(ChangeOp::session_changed, number(session), 0);
}

Status Writer::set_container(RootId root, const std::string& path, const FileStamp& stamp) {
  auto put = statement("INSERT OR REPLACE INTO container VALUES(?1,?2,?3,?4,?5)");
  if (!put) return put.error();
  (*put)->bind(1, path).bind(2, static_cast<std::int64_t>(root)).bind(3, stamp.size_bytes);
  return (*put)->bind(4, stamp.mtime_ns).bind(5, stamp.inode).execute();
}

Status Writer::set_troubles(RootId root,
                            const std::vector<std::pair<std::string, std::string>>& items) {
  auto clear = statement("DELETE FROM trouble WHERE root=?1");
  if (!clear) return clear.error();
  Status status = (*clear)->bind(1, static_cast<std::int64_t>(root)).execute();
  for (const auto& [path, message] : items) {
    if (!status) return status;
    auto put = statement("INSERT INTO trouble VALUES(?1,?2,?3)");
    if (!put) return put.error();
    (*put)->bind(1, static_cast<std::int64_t>(root)).bind(2, path);
    status = (*put)->bind(3, message).execute();
  }
  return status;
}

Status Writer::set_title(SessionId session, std::string_view title, std::string_view kind) {
  auto put = statement("UPDATE session SET title=?2,title_kind=?3 WHERE id=?1");
  if (!put) return put.error();
  (*put)->bind(1, number(session)).bind(2, title).bind(3, kind);
  if (Status status = (*put)->execute(); !status) return status;
  return note_named(session,
                    "UPDATE session SET (title,title_kind)=(SELECT title,title_kind FROM "
                    "session s WHERE s.id=?1) WHERE base=?1 AND base<>0");
}

Status Writer::set_project(SessionId session, std::string_view project, std::string_view path) {
  auto put = statement("UPDATE session SET project=?2,project_path=?3 WHERE id=?1");
  if (!put) return put.error();
  (*put)->bind(1, number(session)).bind(2, project).bind(3, path);
  if (Status status = (*put)->execute(); !status) return status;
  return note_named(session,
                    "UPDATE session SET (project,project_path)=(SELECT project,"
                    "project_path FROM session s WHERE s.id=?1) WHERE base=?1 AND base<>0");
}

// Editions are called what their session is called.
Status Writer::note_named(SessionId session, const char* name_editions) {
  if (Status status = note_change(ChangeOp::session_changed, number(session), 0); !status) {
    return status;
  }
  auto name = statement(name_editions);
  if (!name) return name.error();
  if (Status status = (*name)->bind(1, number(session)).execute(); !status) return status;
  if (store_->database().changes() == 0) return {};
  auto note = statement(
      "INSERT INTO change(op,subject,count) SELECT ?2,id,0 FROM session WHERE base=?1 AND base<>0");
  if (!note) return note.error();
  (*note)->bind(1, number(session)).bind(2, static_cast<int>(ChangeOp::session_changed));
  return (*note)->execute();
}

Result<SavedState> Writer::saved_state(SessionId session) {
  SavedState saved;
  auto find = statement("SELECT cursor,state FROM session_state WHERE session=?1");
  if (!find) return find.error();
  const auto row = (*find)->bind(1, number(session)).step();
  if (!row) return row.error();
  if (*row) {
    saved.cursor = (*find)->text(0);
    saved.state = (*find)->text(1);
  }
  (*find)->reset();
  auto keys = statement("SELECT keys FROM record_keys WHERE session=?1 ORDER BY part");
  if (!keys) return keys.error();
  (*keys)->bind(1, number(session));
  while (true) {
    const auto part = (*keys)->step();
    if (!part) return part.error();
    if (!*part) break;
    saved.keys += (*keys)->text(0);
  }
  (*keys)->reset();
  return saved;
}

}  // namespace yore::store
