#include "ingest/program_source.hpp"

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/bytes.hpp"
#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "derive/keyword_index.hpp"
#include "ingest/naming_run.hpp"
#include "store/lock.hpp"
#include "store/writer.hpp"
#include "turns/session_builder.hpp"

namespace yore::ingest {
namespace {

using transcript::Block;
using transcript::Record;

// The root of everything handed over; no adapter has this name.
constexpr std::string_view kRootAgent = "library";
constexpr std::size_t kBatchBytes = 16 << 20;

// How much of a conversation was taken, and the hash of that part: when it still begins with the
// same records, reading continues after them.
struct Position {
  std::uint64_t records = 0;
  std::uint64_t hash = 0;

  [[nodiscard]] transcript::Cursor cursor() const {
    ByteWriter out;
    out.u64(records);
    out.u64(hash);
    return out.take();
  }
  static std::optional<Position> read(std::string_view cursor) {
    ByteReader in(cursor);
    const Position position{in.u64(), in.u64()};
    if (!in.at_end() || !in.ok()) return std::nullopt;
    return position;
  }
};

std::uint64_t hash_of(const Record& record, std::uint64_t seed) {
  std::uint64_t hash = seed + static_cast<std::uint64_t>(record.kind) + 1;
  hash = hash64(record.key, hash ^ static_cast<std::uint64_t>(to_ms(record.time)));
  for (const std::string_view text : {record.model, record.branch, record.cwd}) {
    hash = hash64(text, hash);
  }
  for (const Block& block : record.blocks) {
    hash += static_cast<std::uint64_t>(block.kind) + 1;
    for (const std::string_view text : {block.text, block.tool_id, block.rendering}) {
      hash = hash64(text, hash);
    }
  }
  return hash;
}

// Keeps the position it is at; hands on what comes after `from`.
class Follower final : public transcript::RecordSink {
 public:
  explicit Follower(std::uint64_t from, transcript::RecordSink* sink = nullptr)
      : from_(from), sink_(sink) {}
  void record(const Record& record) override {
    at_.hash = hash_of(record, at_.hash);
    if (++at_.records == from_) hash_at_from_ = at_.hash;
    if (sink_ != nullptr && at_.records > from_) sink_->record(record);
  }
  void problem(transcript::ProblemKind, std::uint64_t) override {}
  void unknown(std::string_view) override {}

  [[nodiscard]] const Position& at() const { return at_; }
  [[nodiscard]] std::uint64_t hash_at_from() const { return hash_at_from_; }

 private:
  std::uint64_t from_;
  transcript::RecordSink* sink_;
  Position at_;
  std::uint64_t hash_at_from_ = 0;
};

bool still_begins_with(const RecordProducer& tell, const Position& position) {
  Follower follower(position.records);
  tell(follower);
  return follower.hash_at_from() == position.hash;
}

class Importer {
 public:
  Importer(store::Store& store, store::Writer& writer, const ProgramSource& intake,
           const std::atomic<bool>& cancel)
      : store_(store), writer_(writer), intake_(intake), cancel_(cancel) {}

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
    auto saved = writer_.saved_state(id);
    if (!saved) return saved.error();
    turns::SessionBuilder builder;
    Position from;
    if (const auto position = Position::read(saved->cursor)) {
      auto restored = turns::SessionBuilder::restore(saved->state, saved->keys);
      if (restored && still_begins_with(tell, *position)) {
        builder = std::move(*restored);
        from = *position;
      }
    }
    Follower follower(from.records, &builder);
    tell(follower);
    const bool continued = from.records > 0;
    if (continued) ++report_.sessions_continued;
    if (continued && !changed && follower.at().records == from.records) return {};
    return writer_.apply(id, step_of(builder, session, follower.at().cursor(), !continued));
  }

  store::SessionStep step_of(turns::SessionBuilder& builder, const HandedSession& session,
                             transcript::Cursor cursor, bool replace) {
    turns::Delta delta = builder.take();
    store::SessionStep step;
    step.replace = replace;
    step.last = true;
    step.sealed = encoder_.encode(delta.sealed);
    step.open = encoder_.encode(delta.open);
    step.turns = std::move(delta.turns);
    step.abandoned = std::move(delta.abandoned);
    step.facts = std::move(delta.facts);
    step.new_keys = std::move(delta.new_keys);
    step.state = std::move(delta.state);
    step.cursor = std::move(cursor);
    step.stamp = session.ref.stamp;
    for (const store::EncodedPack& pack : step.sealed) batch_bytes_ += pack.bytes.size();
    return step;
  }

  Status give_their_names() {
    const auto due = names_are_due(store_, {});
    if (!due) return due.error();
    if (!*due) return {};
    if (Status status = begin(); !status) return status;
    return give_names(store_, writer_, {});
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
  const std::atomic<bool>& cancel_;
  store::PackEncoder encoder_;
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
  auto report = Importer(*store, *writer, intake, cancel).run();
  if (!report) return report.error();
  const auto keywords = derive::update_keywords(*store, data_dir, {}, cancel);
  if (!keywords) return keywords.error();
  return report;
}

}  // namespace yore::ingest
