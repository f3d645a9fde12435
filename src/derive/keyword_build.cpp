#include "derive/keyword_build.hpp"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "base/hash.hpp"
#include "derive/catalog_update.hpp"
#include "derive/passage_documents.hpp"

namespace yore::derive {
namespace {

// Passages that are inverted at one time, by all threads together; they are 2.4 KB at most. Large
// slices: what two of them share is sorted, stemmed and merged less often.
constexpr std::int64_t kPassagesInverted = 160'000;
constexpr std::int64_t kSmallestSlice = 4'000;
constexpr std::int64_t kMaxThreads = 4;

unsigned kinds_of(PassageKinds take) {
  return take == PassageKinds::conversation ? store::kSaid : store::kDetails;
}

struct Slice {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

std::int64_t thread_count() {
  return std::clamp<std::int64_t>(std::thread::hardware_concurrency(), 1, kMaxThreads);
}

// Alike in size, and as many for each thread. Cut by ids: a pack's passages have theirs in a row.
std::vector<Slice> slices_of(const std::vector<std::int64_t>& packs) {
  std::vector<Slice> slices;
  if (packs.empty()) return slices;
  const std::int64_t ids = packs.back() - packs.front() + 1;
  const std::int64_t rounds = ids / kPassagesInverted + 1;
  const std::int64_t size = std::max(kSmallestSlice, ids / (rounds * thread_count()) + 1);
  for (const std::int64_t first : packs) {
    if (slices.empty() || first - slices.back().from >= size) slices.push_back({first, first});
    slices.back().to = first + 1;
  }
  return slices;
}

// Slices are inverted by several threads and published in their order.
class SliceRun {
 public:
  SliceRun(const std::string& data_dir, const CatalogUpdate& rows, PassageKinds take,
           const std::atomic<bool>& cancel)
      : data_dir_(data_dir), rows_(rows), take_(take), cancel_(cancel) {}

  using Segments = std::vector<std::pair<lexical::Family, std::string>>;

  // Calls publish(segments, documents) for each slice in order, on this thread.
  Status run(const std::vector<Slice>& slices,
             const std::function<Status(Segments, std::uint64_t)>& publish) {
    const std::size_t threads = std::min(static_cast<std::size_t>(thread_count()), slices.size());
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < threads; ++i) {
      workers.emplace_back([this, &slices, threads] { work(slices, threads); });
    }
    Status status;
    for (std::size_t i = 0; i < slices.size() && status; ++i) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return done_.contains(i) || failed_ || cancel_; });
      if (failed_) status = *failed_;
      if (!done_.contains(i) || cancel_) break;  // a slice that was cut short is not published
      auto [segments, documents] = std::move(done_[i]);
      done_.erase(i);
      ++published_;
      changed_.notify_all();
      lock.unlock();
      if (status) status = publish(std::move(segments), documents);
    }
    const std::scoped_lock lock(mutex_);
    stop_ = true;
    changed_.notify_all();
    return status;
  }

 private:
  void work(const std::vector<Slice>& slices, std::size_t threads) {
    auto store = store::Store::open_existing(data_dir_);
    while (true) {
      std::size_t mine = 0;
      {
        std::unique_lock lock(mutex_);
        // Not far ahead of what is published: finished segments wait in memory.
        changed_.wait(lock, [&] { return next_ <= published_ + threads || stop_ || cancel_; });
        if (stop_ || cancel_ || failed_ || next_ >= slices.size()) {
          changed_.notify_all();
          return;
        }
        mine = next_++;
      }
      Status status = store ? Status{} : Status(store.error());
      Builders builders;
      std::uint64_t documents = 0;
      if (status) {
        const auto take = [&](store::Store::PackRow&& pack) {
          documents += add_pack(pack, rows_, take_, builders);
          return !cancel_;
        };
        status = store->each_pack(slices[mine].from, slices[mine].to, kinds_of(take_), take);
      }
      Segments segments;
      each_builder(builders, [&](lexical::Family family, lexical::SegmentBuilder& builder) {
        if (status && builder.documents() > 0) segments.emplace_back(family, builder.finish());
      });
      const std::scoped_lock lock(mutex_);
      if (!status) failed_ = status.error();
      done_.emplace(mine, std::pair{std::move(segments), documents});
      changed_.notify_all();
    }
  }

  const std::string& data_dir_;
  const CatalogUpdate& rows_;
  PassageKinds take_;
  const std::atomic<bool>& cancel_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0;
  std::size_t published_ = 0;
  bool stop_ = false;
  std::optional<Error> failed_;
  std::map<std::size_t, std::pair<Segments, std::uint64_t>> done_;
};

// All rows, and the titles as a segment.
Result<std::string> take_rows(store::Store& store, CatalogUpdate& rows) {
  std::map<store::SessionId, std::pair<lexical::SessionOrd, std::string>> ords;
  std::vector<std::pair<lexical::SessionOrd, std::string>> titles;
  Status status = store.each_searchable([&](store::SessionRow&& session) {
    const lexical::SessionOrd ord = rows.put_session(session);
    ords.emplace(session.id, std::pair{ord, session.uid});
    if (has_searchable_title(session) && rows.counts(ord))
      titles.emplace_back(ord, std::move(session.title));
    return true;
  });
  if (status) {
    status = store.each_turn([&](store::SessionId session, turns::Turn&& turn) {
      const auto known = ords.find(session);
      if (known == ords.end()) return;
      rows.put_turn(known->second.first, known->second.second, turn);
    });
  }
  if (!status) return status.error();
  lexical::SegmentBuilder builder;
  for (const auto& [ord, title] : titles) {
    if (!rows.has_turn(ord, 0)) continue;
    lexical::DocInfo info;
    info.key = rows.next_title_key();
    info.turn = rows.turn(ord, 0);
    info.session = ord;
    info.tag = lexical::kTitleTag;
    builder.add(info, title);
    rows.set_title(ord, hash64(title) | 1, info.key);
  }
  return builder.documents() == 0 ? std::string() : builder.finish();
}

}  // namespace

Result<KeywordReport> build_keywords(store::Store& store, const std::string& data_dir,
                                     lexical::IndexWriter& writer,
                                     const lexical::StoreState& covers, const OnInverted& progress,
                                     const std::atomic<bool>& cancel) {
  KeywordReport report;
  report.rebuilt = true;
  if (Status status = writer.reset(); !status) return status.error();
  CatalogUpdate rows;
  auto titles = take_rows(store, rows);
  if (!titles) return titles.error();
  const auto total = store.passage_count();
  if (!total) return total.error();

  lexical::IndexWriter::Bulk first;
  first.covers = covers;
  first.covers.details_complete = *total == 0;
  if (!titles->empty()) first.segments.emplace_back(lexical::Family::title, std::move(*titles));
  first.rows = rows.take();
  if (Status status = writer.publish_bulk(std::move(first)); !status) return status.error();

  for (const PassageKinds take : {PassageKinds::conversation, PassageKinds::details}) {
    const auto packs = store.pack_ids(kinds_of(take));
    if (!packs) return packs.error();
    SliceRun run(data_dir, rows, take, cancel);
    const Status status =
        run.run(slices_of(*packs), [&](auto segments, std::uint64_t documents) -> Status {
          report.documents += documents;
          if (progress) progress(report.documents, *total);
          if (segments.empty()) return {};
          lexical::IndexWriter::Bulk bulk;
          bulk.covers = covers;
          bulk.covers.details_complete = false;
          bulk.segments = std::move(segments);
          return writer.publish_bulk(std::move(bulk));
        });
    if (!status) return status.error();
    report.cancelled = cancel;
    if (report.cancelled) return report;
  }
  lexical::IndexWriter::Bulk last;
  last.covers = covers;
  if (Status status = writer.publish_bulk(std::move(last)); !status) return status.error();
  return report;
}

}  // namespace yore::derive
