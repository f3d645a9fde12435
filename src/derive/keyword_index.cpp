#include "derive/keyword_index.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "base/publication.hpp"
#include "base/trace.hpp"
#include "base/work_limit.hpp"
#include "derive/catalog_update.hpp"
#include "derive/keyword_build.hpp"
#include "derive/passage_documents.hpp"
#include "store/lock.hpp"

namespace yore::derive {
namespace {

constexpr int kChangesAtOnce = 10'000;
constexpr std::chrono::seconds kWaitForWriter{2};

// A part of the feed, boiled down to what is true now.
struct Changes {
  store::CommitMark until;  // the commit it ends with
  std::vector<lexical::KeyRange> added;
  std::vector<lexical::KeyRange> removed;
  std::set<std::pair<std::int64_t, turns::TurnNumber>> turns;
  std::set<std::int64_t> sessions;  // also of what was added: a pack may come back without its turn
  std::int64_t passages = 0;
  std::vector<store::Store::PackRow> packs;  // what was added
};

lexical::KeyRange range_of(const store::Change& change) {
  return {static_cast<lexical::DocKey>(change.subject), static_cast<std::uint32_t>(change.count)};
}

// Ends with `until`, or with the first commit after enough passages.
Result<Changes> read_changes(store::Store& store, std::int64_t after,
                             const store::CommitMark& until, std::int64_t at_once) {
  Changes changes;
  changes.until = until;
  std::map<lexical::DocKey, std::uint32_t> added;  // packs come and go as a whole
  bool enough = false;
  while (after < until.seq && !enough) {
    auto rows = store.changes_after(after, kChangesAtOnce);
    if (!rows) return rows.error();
    if (rows->empty()) break;
    for (const store::Change& change : *rows) {
      after = change.seq;
      if (change.op == store::ChangeOp::commit) {
        enough = changes.passages >= at_once;
        if (enough) changes.until = {change.seq, static_cast<std::uint64_t>(change.subject)};
        if (enough) break;
      } else if (change.op == store::ChangeOp::add_passages) {
        added.emplace(static_cast<lexical::DocKey>(change.subject),
                      static_cast<std::uint32_t>(change.count));
        changes.passages += change.count;
      } else if (change.op == store::ChangeOp::remove_passages) {
        const bool never_seen = added.erase(static_cast<lexical::DocKey>(change.subject)) > 0;
        if (!never_seen) changes.removed.push_back(range_of(change));
      } else if (change.op == store::ChangeOp::turn_changed) {
        changes.turns.emplace(change.subject, static_cast<turns::TurnNumber>(change.count));
        changes.sessions.insert(change.subject);
      } else if (change.op == store::ChangeOp::session_changed ||
                 change.op == store::ChangeOp::session_grown) {
        changes.sessions.insert(change.subject);
      }
    }
  }
  for (const auto& [first, count] : added) changes.added.push_back({first, count});
  return changes;
}

Status read_packs(store::Store& store, Changes& changes) {
  for (const lexical::KeyRange& range : changes.added) {
    const std::int64_t first = range.first;
    const auto take = [&](store::Store::PackRow&& pack) {
      changes.sessions.insert(static_cast<std::int64_t>(pack.session));
      changes.packs.push_back(std::move(pack));
      return true;
    };
    const Status status = store.each_pack(first, first + 1, store::kAllPassages, take);
    if (!status) return status;
  }
  return {};
}

// One update out of the changes.
class Updater {
 public:
  Updater(store::Store& store, const lexical::Catalog& catalog, const Changes& changes)
      : store_(store), changes_(changes), rows_(catalog, touched(changes)) {}

  Result<lexical::Update> make() {
    for (const std::int64_t id : changes_.sessions) {
      if (Status status = take_session(store::SessionId{id}); !status) return status.error();
    }
    for (const store::Store::PackRow& pack : changes_.packs) {
      documents_ += add_pack(pack, rows_, PassageKinds::both, builders_);
    }
    const auto finish = [this](lexical::Family family, lexical::SegmentBuilder& builder) {
      if (builder.documents() == 0) return;
      update_.segments[static_cast<std::size_t>(family)] = builder.finish();
    };
    each_builder(builders_, finish);
    finish(lexical::Family::title, titles_);
    update_.removed = changes_.removed;
    update_.rows = rows_.take();
    return std::move(update_);
  }
  [[nodiscard]] std::uint64_t documents() const { return documents_; }

 private:
  static std::vector<store::SessionId> touched(const Changes& changes) {
    std::vector<store::SessionId> ids;
    for (const std::int64_t id : changes.sessions) ids.push_back(store::SessionId{id});
    return ids;
  }

  Status take_session(store::SessionId id) {
    auto session = store_.session(id);
    if (!session) return session.error();
    const lexical::SessionOrd* const known = rows_.find(id);
    const bool searchable =
        *session && !(*session)->excluded && (*session)->standing != store::Standing::unsettled;
    if (!searchable) {
      if (known != nullptr) drop_title(*known);
      rows_.drop_session(id);
      return {};
    }
    const lexical::SessionOrd ord = rows_.put_session(**session);
    const auto key = static_cast<std::int64_t>(id);
    for (auto it = changes_.turns.lower_bound({key, 0});
         it != changes_.turns.end() && it->first == key; ++it) {
      auto turn = store_.turn(id, it->second);
      if (!turn) return turn.error();
      if (*turn) rows_.put_turn(ord, (*session)->uid, **turn);
    }
    const auto turns = store_.turn_end(id);
    if (!turns) return turns.error();
    rows_.drop_turns_from(ord, *turns);
    if (!rows_.counts(ord)) {
      // Turns leave an edition from its middle, too.
      const auto left = store_.turns_of(id);
      if (!left) return left.error();
      rows_.drop_turns_but(ord, *left);
    }
    take_title(ord, **session);
    return {};
  }

  void drop_title(lexical::SessionOrd ord) {
    if (rows_.title_hash(ord) == 0) return;
    update_.removed_titles.push_back({rows_.title_key(ord), 1});
  }

  void take_title(lexical::SessionOrd ord, const store::SessionRow& session) {
    const bool wanted =
        has_searchable_title(session) && rows_.counts(ord) && rows_.has_turn(ord, 0);
    const std::uint64_t hash = wanted ? hash64(session.title) | 1 : 0;
    if (hash == rows_.title_hash(ord)) return;
    drop_title(ord);
    // The old key stays noted, so that it is never given again.
    if (!wanted) return rows_.set_title(ord, 0, rows_.title_key(ord));
    lexical::DocInfo info;
    info.key = rows_.next_title_key();
    info.turn = rows_.turn(ord, 0);
    info.session = ord;
    info.tag = lexical::kTitleTag;
    titles_.add(info, session.title);
    rows_.set_title(ord, hash, info.key);
  }

  store::Store& store_;
  const Changes& changes_;
  CatalogUpdate rows_;
  Builders builders_;
  lexical::SegmentBuilder titles_;
  lexical::Update update_;
  std::uint64_t documents_ = 0;
};

// How many passages there are to take in; nullopt: build everything anew, because the index is
// empty, unfinished or of another history, or because there is more to take in than it holds.
Result<std::optional<std::int64_t>> passages_behind(store::Store& store,
                                                    const lexical::IndexWriter& writer,
                                                    const store::CommitMark& now) {
  using Behind = std::optional<std::int64_t>;
  const lexical::StoreState& covers = writer.covers();
  if (covers.seq == 0 || !covers.details_complete) return Behind{};
  const auto known = store.has_commit({covers.seq, covers.nonce});
  if (!known) return known.error();
  if (!*known || covers.seq > now.seq) return Behind{};
  const auto added = store.passages_added_after(covers.seq);
  if (!added) return added.error();
  std::uint64_t held = 0;
  for (const auto family : {lexical::Family::conversation, lexical::Family::detail}) {
    held += writer.snapshot()->stats(family).documents;
  }
  const bool mostly_new = *added > kPassagesAtOnce && static_cast<std::uint64_t>(*added) > held;
  return mostly_new ? Behind{} : Behind{*added};
}

// Removes indexes of earlier formats, which nothing reads any more.
void remove_older(const std::string& data_dir) {
  for (const std::string_view name : {"keyword-1", "keyword-2", "keyword-3"}) {
    std::error_code ignored;  // tried again after the next build
    std::filesystem::remove_all(path_join(data_dir, name), ignored);
  }
}

}  // namespace

std::string keyword_directory(const std::string& data_dir) {
  return path_join(data_dir, "keyword-4");
}

Result<KeywordReport> update_keywords(store::Store& store, const std::string& data_dir,
                                      const OnInverted& progress, const std::atomic<bool>& cancel,
                                      const KeywordOptions& options) {
  TraceStep step("update the keyword index");
  const auto uuid = store.uuid();
  if (!uuid) return uuid.error();
  const auto now = store.last_commit();
  if (!now) return now.error();
  auto writer = lexical::IndexWriter::open(keyword_directory(data_dir), *uuid, options.limits,
                                           options.previous, *options.files);
  if (!writer) return writer.error();
  lexical::StoreState covers = writer->covers();
  const store::CommitMark covered{covers.seq, covers.nonce};
  KeywordReport report;
  report.snapshot = writer->snapshot();
  if (covered == *now && covers.details_complete) return report;

  const auto behind = passages_behind(store, *writer, *now);
  if (!behind) return behind.error();
  covers.uuid = *uuid;
  covers.details_complete = true;
  if (!*behind) {
    covers.seq = now->seq;
    covers.nonce = now->nonce;
    auto built = build_keywords(store, data_dir, *writer, covers, progress, cancel);
    if (built && !built->cancelled) remove_older(data_dir);
    if (built) built->snapshot = writer->snapshot();
    return built;
  }
  while (covers.seq < now->seq) {
    auto changes = read_changes(store, covers.seq, *now, options.passages_at_once);
    if (!changes) return changes.error();
    if (Status status = read_packs(store, *changes); !status) return status.error();
    Updater updater(store, writer->snapshot()->catalog(), *changes);
    auto update = updater.make();
    if (!update) return update.error();
    covers.seq = changes->until.seq;
    covers.nonce = changes->until.nonce;
    update->covers = covers;
    for (const std::string& segment : update->segments) step.add_bytes(segment.size());
    if (Status status = writer->publish(*update); !status) return status.error();
    if (Status status = writer->fold_if_due(); !status) return status.error();
    report.documents += updater.documents();
    if (progress && **behind > kPassagesAtOnce) {
      progress(report.documents, static_cast<std::uint64_t>(**behind));
    }
    report.cancelled = cancel;
    if (report.cancelled) break;
  }
  report.snapshot = writer->snapshot();
  return report;
}

Status discard_keywords(const std::string& data_dir, const FileSystem& files) {
  const auto lock = store::WriterLock::try_acquire(data_dir, files);
  if (!lock) return lock.error();
  // Without it nothing else in the directory counts; the files are removed by the next writer.
  return files.remove_file(manifest_path(keyword_directory(data_dir)));
}

Status build_discarded_keywords(const std::string& data_dir, std::chrono::milliseconds patience,
                                const std::atomic<bool>& cancel, const FileSystem& files) {
  const auto lock = store::WriterLock::acquire(data_dir, patience, files);
  if (!lock) return lock.error();
  auto store = store::Store::open(data_dir);
  if (!store) return store.error();
  const auto built = update_keywords(*store, data_dir, {}, cancel, {.files = &files});
  return built ? Status{} : Status(built.error());
}

Status merge_keywords(const std::string& data_dir, std::uint64_t max_bytes,
                      const std::atomic<bool>& cancel, const KeywordOptions& options) {
  const lexical::IndexWriter::UnderLock under_lock =
      [&](const std::function<Status()>& step) -> Status {
    // The work is done: worth a moment of waiting for whoever writes.
    const auto lock = store::WriterLock::acquire(data_dir, kWaitForWriter, *options.files);
    if (!lock) return lock.error();
    return step();
  };
  const WorkLimit limit(cancel);
  while (!cancel) {
    const TraceStep step("merge the keyword index");
    const auto merged =
        lexical::IndexWriter::merge(keyword_directory(data_dir), options.limits, max_bytes,
                                    under_lock, options.previous, *options.files);
    if (!merged) {
      // Most who merge do so in passing and have nobody to tell.
      Trace::failure("merge the keyword index", merged.error());
      const Errc code = merged.error().code;
      const bool later = code == Errc::busy || code == Errc::cancelled;
      return later ? Status{} : Status(merged.error());
    }
    if (!*merged) return {};
  }
  return {};
}

}  // namespace yore::derive
