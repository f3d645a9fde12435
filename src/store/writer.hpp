// writer.hpp — the only way anything gets into the store.
//
// REQUIRES: the process holds the WriterLock.
// Calls between begin() and commit() are one transaction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/masking.hpp"
#include "store/pack.hpp"
#include "store/store.hpp"
#include "turns/session_builder.hpp"

namespace yore::store {

// One step of reading one session, ready to be written.
struct SessionStep {
  bool replace = false;  // everything read before is read anew
  // For a replacement: the source was rewritten, so what it held before may stand nowhere any more.
  // False: the same is read again, and takes the place of what was read.
  bool supersede = false;
  std::vector<turns::Turn> turns;
  std::vector<turns::TurnNumber> abandoned;
  std::vector<EncodedPack> sealed;
  std::vector<EncodedPack> open;
  turns::SessionFacts facts;
  std::string repository;  // of the folder that the session began in; "": nothing new
  std::vector<turns::LeafTitle> leaf_titles;
  std::string new_keys;
  std::string state;
  transcript::Cursor cursor;
  FileStamp stamp;    // of the source, taken before reading; kept only with the last step
  bool last = false;  // the source is read to its end
  std::uint64_t bytes_read = 0;
  std::vector<turns::SessionBuilder::Problem> problems;
  std::vector<std::pair<std::string, std::uint64_t>> unknown;
};

struct SavedState {
  transcript::Cursor cursor;
  std::string state;
  std::string keys;
};

class Writer {
 public:
  static Result<Writer> create(Store& store);

  Status begin();
  Status commit();
  void rollback();

  Result<RootId> add_root(std::string_view agent, std::string_view path, bool named);
  // Inserts or updates what is known of a session from where it was found.
  Result<SessionId> put_session(RootId root, std::string_view agent,
                                const transcript::SessionRef& ref, std::string_view other_files);
  Status apply(SessionId session, const SessionStep& step);
  Status set_broken(SessionId session, bool broken);
  // No more of it is read until its source differs from `stamp`; counted as unreadable.
  Status leave_off(SessionId session, const FileStamp& stamp);
  // The source is gone: the session stays. kNoTime: it is back.
  Status set_missing(SessionId session, Time since);
  Status remove_session(SessionId session);
  // Forgets what was read but not that it was: the source is not read again while it stands.
  Status exclude_session(SessionId session, Excluded why = Excluded::by_settings);
  // Nothing is left of these turns but their numbers.
  Status forget_turns(const SessionRow& session, const std::vector<turns::Turn>& turns);
  Status set_container(RootId root, const std::string& path, const FileStamp& stamp);
  Status set_troubles(RootId root, const std::vector<std::pair<std::string, std::string>>& items);
  Status set_title(SessionId session, std::string_view title, std::string_view kind);
  Status set_project(SessionId session, std::string_view project, std::string_view path);

  // masking.cpp: true when something of it was changed.
  Result<bool> mask_session(SessionId session, const MaskText& mask);

  // kept_records.cpp: the passages of a session of another store, which is `there` in it. Its turns
  // have been put.
  Status adopt_packs(SessionId session, Database& from, std::int64_t there);

  // When the turns of the conversations in this folder began. In no order.
  Result<std::vector<Time>> prompt_times(std::string_view directory);

  // To go on reading where the last step ended. Empty strings for a session never read.
  Result<SavedState> saved_state(SessionId session);

 private:
  explicit Writer(Store& store) : store_(&store) {}
  Status mask_leaf_titles(SessionId session, const MaskText& mask, bool& changed);
  Status forget_content(SessionId session);
  Status forget_reading(SessionId session);
  // editions.cpp: what happens to turns whose source was rewritten.
  Status set_aside(SessionId session);
  Status settle_editions(SessionId session);
  Status settle(const SessionRow& session, SessionId unsettled, std::vector<turns::Turn>& fresh);
  Status take_facts_back(SessionId session, SessionId edition);
  Status revive(const SessionRow& session, std::vector<turns::Turn> fresh);
  Result<bool> stands_elsewhere(SessionId session, SessionId edition, const turns::Turn& turn);
  Result<std::vector<std::pair<SessionId, Standing>>> editions_and_unsettled(SessionId session);
  Status drop_told_packs(SessionId unsettled);
  Status keep_turns(SessionId edition, const std::vector<turns::Turn>& kept, bool told);
  Status remove_edition(SessionId edition);
  Status remove_editions(SessionId session);
  Status set_chunk(SessionId session, turns::TurnNumber turn, std::uint64_t chunk);
  Status read_again(SessionId session);
  Status drop_unread_turns(SessionId session);
  Result<bool> chunk_is_taken(const SessionRow& session, std::uint64_t chunk, std::uint64_t origin);
  Result<std::uint64_t> free_chunk(const SessionRow& session, const turns::Turn& turn);
  Status drop_packs(SessionId session, bool open_only);
  Status add_packs(SessionId session, const std::vector<EncodedPack>& packs, bool open);
  Status note_change(ChangeOp op, std::int64_t subject, std::int64_t count);
  Status note_named(SessionId session, const char* name_editions);
  Status put_turns(SessionId session, const SessionStep& step);
  Status put_leaf_titles(SessionId session, const SessionStep& step);
  // How many parts of the session's keys there were before.
  Result<std::int64_t> put_keys(SessionId session, const SessionStep& step);
  Status put_facts(SessionId session, const SessionStep& step);
  Status put_stamp(SessionId session, const FileStamp& stamp);
  Status put_problems(SessionId session, const SessionStep& step);

  // Prepared on first use, kept for the life of the writer.
  Result<Statement*> statement(const char* sql);

  Store* store_;
  std::vector<std::pair<const char*, Statement>> statements_;
  std::int64_t next_passage_ = 1;
  bool changed_ = false;  // since begin()
};

// Hash of what a listing says of a session: differs when its row must be written again.
std::uint64_t ref_hash(const transcript::SessionRef& ref, std::string_view other_files);

}  // namespace yore::store
