#include "ingest/program_source.hpp"

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/files/file.hpp"
#include "derive/keyword_index.hpp"
#include "ingest/naming_run.hpp"
#include "ingest/session_reading.hpp"
#include "store/lock.hpp"
#include "store/writer.hpp"
#include "transcript/stores/replay.hpp"

namespace yore::ingest {
namespace {

// The root of everything handed over; no adapter has this name.
constexpr std::string_view kRootAgent = "library";

// A conversation is told from its start each time; what was taken before is passed over.
SessionSource source_of(const RecordProducer& tell, const std::string& id) {
  return {[&tell](const transcript::Cursor& cursor) -> Result<bool> {
            transcript::ReplaySink sink(cursor);
            tell(sink);
            return sink.fits();
          },
          [&tell, &id](const transcript::Cursor& cursor, const transcript::ReadLimits& limits,
                       transcript::RecordSink& next) {
            transcript::ReplaySink sink(next, cursor, limits);
            tell(sink);
            return sink.step(id, false);
          }};
}

class Importer {
 public:
  Importer(store::Store& store, store::Writer& writer, const ProgramSource& intake,
           store::Tombstones forgotten, const std::atomic<bool>& cancel)
      : store_(store),
        writer_(writer),
        intake_(intake),
        forgotten_(std::move(forgotten)),
        cancel_(cancel) {}

  Result<ProgramSourceReport> run() {
    Status status = take_all();
    if (status) status = give_their_names();
    if (status && open_) status = commit();
    if (status) return std::move(report_);
    if (open_) writer_.rollback();
    return status.error();
  }

 private:
  Status take_all() {
    auto sessions = intake_.sessions();
    if (!sessions) return sessions.error();
    if (Status status = look_up(*sessions); !status) return status;
    report_.sessions_known = sessions->size();
    for (const HandedSession& session : *sessions) {
      if (cancel_) return Error{Errc::cancelled, "interrupted"};
      if (forgotten_.has_session(session.ref.id)) continue;
      if (Status status = take(session); !status) return status;
    }
    for (const store::KnownSession& session : known_) {
      if (!session.ref.path.empty() || listed_.contains(session.ref.id)) continue;
      if (Status status = begin(); !status) return status;
      if (Status status = writer_.remove_session(session.id); !status) return status;
      ++report_.sessions_removed;
    }
    return {};
  }

  // What is known of them. Nothing is taken when one of them cannot be told from another.
  Status look_up(const std::vector<HandedSession>& sessions) {
    auto known = store_.known_sessions();
    if (!known) return known.error();
    known_ = std::move(*known);
    for (const store::KnownSession& session : known_) by_uid_.emplace(session.ref.id, &session);
    for (const HandedSession& session : sessions) {
      const std::string& id = session.ref.id;
      if (id.empty()) return Error{Errc::invalid_argument, "a session without an id"};
      if (!listed_.insert(id).second) {
        return Error{Errc::invalid_argument, "session " + id + ": given twice"};
      }
      const auto found = by_uid_.find(id);
      if (found != by_uid_.end() && !found->second->ref.path.empty()) {
        return Error{Errc::invalid_argument, "session " + id + ": already read from a file",
                     "give the corpus a data_dir of its own"};
      }
    }
    return {};
  }

  Status take(const HandedSession& session) {
    const auto found = by_uid_.find(session.ref.id);
    const store::KnownSession* known = found == by_uid_.end() ? nullptr : found->second;
    const bool renamed = known == nullptr || known->agent != session.agent ||
                         known->ref_hash != store::ref_hash(session.ref, "");
    const bool changed = known == nullptr || known->broken || known->ref.stamp != session.ref.stamp;
    const bool unread = changed || session.always_read;
    std::optional<RecordProducer> tell;
    if (unread) {
      auto read = intake_.read(session);
      if (!read) {
        ++report_.sessions_behind;
        report_.troubles.push_back(session.ref.id + ": " + read.error().message);
        return {};
      }
      tell = std::move(*read);
    }
    if (!renamed && !unread) return {};
    if (Status status = begin(); !status) return status;
    store::SessionId id = known == nullptr ? store::SessionId{} : known->id;
    if (renamed) {
      auto put = put_session(session);
      if (!put) return put.error();
      id = *put;
    }
    if (!tell) return {};
    ++report_.sessions_read;
    if (Status status = apply(id, session, *tell, changed); !status) return status;
    return batch_bytes_ < kBatchBytes ? Status{} : commit();
  }

  Result<store::SessionId> put_session(const HandedSession& session) {
    if (!root_) {
      auto root = writer_.add_root(kRootAgent, "", false);
      if (!root) return root.error();
      root_ = *root;
    }
    return writer_.put_session(*root_, session.agent, session.ref, "");
  }

  // `changed`: there is something to write even when nothing new is told.
  Status apply(store::SessionId id, const HandedSession& session, const RecordProducer& tell,
               bool changed) {
    Status status;
    SessionReader reader(writer_, forgotten_, cancel_);
    // The program is the authority: what it took back is gone.
    const ReadingOrder order{false, false};
    reader.read(source_of(tell, session.ref.id), id, order, session.ref.stamp,
                [&](ReadResult&& read) {
                  if (read.failure) {
                    status = *read.failure;
                    return false;
                  }
                  if (read.resumed) ++report_.sessions_continued;
                  if (read.resumed && !read.moved && !changed) return true;
                  batch_bytes_ += bytes_of(read.step);
                  status = writer_.apply(id, read.step);
                  return status.ok();
                });
    return status;
  }

  Status give_their_names() {
    const auto due = names_are_due(store_, {});
    if (!due) return due.error();
    if (!*due) return {};
    if (Status status = begin(); !status) return status;
    return give_names(store_, writer_, {}, [](const std::string&) { return true; });
  }

  Status begin() {
    if (open_) return {};
    if (Status status = writer_.begin(); !status) return status;
    open_ = true;
    return {};
  }

  Status commit() {
    if (Status status = writer_.commit(); !status) return status;
    open_ = false;
    batch_bytes_ = 0;
    return {};
  }

  store::Store& store_;
  store::Writer& writer_;
  const ProgramSource& intake_;
  store::Tombstones forgotten_;
  const std::atomic<bool>& cancel_;
  std::vector<store::KnownSession> known_;
  std::unordered_map<std::string_view, const store::KnownSession*> by_uid_;
  std::unordered_set<std::string> listed_;
  std::optional<store::RootId> root_;
  bool open_ = false;  // a transaction
  std::size_t batch_bytes_ = 0;
  ProgramSourceReport report_;
};

}  // namespace

Result<ProgramSourceReport> take_in(const std::string& data_dir, const ProgramSource& intake,
                                    std::chrono::milliseconds patience,
                                    const std::atomic<bool>& cancel) {
  if (Status made = make_directories(data_dir); !made) return made.error();
  const auto lock = store::WriterLock::acquire(data_dir, patience);
  if (!lock) return lock.error();
  auto store = store::Store::open(data_dir);
  if (!store) return store.error();
  auto writer = store::Writer::create(*store);
  if (!writer) return writer.error();
  auto forgotten = store::Tombstones::load(data_dir);
  if (!forgotten) return forgotten.error();
  auto report = Importer(*store, *writer, intake, std::move(*forgotten), cancel).run();
  if (!report) return report.error();
  const auto keywords = derive::update_keywords(*store, data_dir, {}, cancel);
  if (!keywords) return keywords.error();
  return report;
}

}  // namespace yore::ingest
