#include "service/access.hpp"

#include <condition_variable>

#include "base/files/file.hpp"
#include "config/whereabouts.hpp"
#include "derive/keyword_index.hpp"
#include "ingest/mending.hpp"
#include "store/store.hpp"

namespace yore::service {
namespace {

constexpr std::chrono::milliseconds kStep{20};

}  // namespace

bool Patience::pause() const {
  if (std::chrono::steady_clock::now() >= until || stop.stop_requested()) return false;
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, kStep, [] { return false; });
  return !stop.stop_requested();
}

IndexAccess::IndexAccess(Options options)
    : options_(std::move(options)),
      mask_(options_.settings, options_.reveal),
      scope_(options_.scope) {}

void IndexAccess::log(std::string_view sentence) const {
  if (options_.log) options_.log(sentence);
}

bool IndexAccess::has_index() const {
  return is_regular_file(store::Store::database_path(settings().data_dir));
}

Result<Freshness> IndexAccess::refresh(const FreshnessOptions& options,
                                       const ingest::OnProgress& progress,
                                       const std::atomic<bool>& cancel) {
  auto fresh = bring_up_to_date(world(), settings(), options_.scope, options, progress, cancel);
  if (!fresh) return fresh;
  const std::uint64_t inode = mark().inode;
  const std::lock_guard guard(mutex_);
  coverage_ = *fresh;
  warm_ = {std::move(fresh->opened.store), fresh->opened.keywords};
  warm_inode_ = inode;
  return fresh;
}

void IndexAccess::set_coverage(const store::FileCoverage& coverage) {
  const std::lock_guard guard(mutex_);
  coverage_ = coverage;
}

void IndexAccess::set_scope(config::Scope scope) {
  const std::lock_guard guard(mutex_);
  scope_ = std::move(scope);
  ++scope_number_;
}

IndexAccess::Mark IndexAccess::mark() {
  const auto stamp = stat_file(store::Store::database_path(settings().data_dir));
  const std::lock_guard guard(mutex_);
  return {stamp ? stamp->inode : 0, scope_number_};
}

derive::WarmHandles IndexAccess::take_warm(std::uint64_t inode) {
  const std::lock_guard guard(mutex_);
  derive::WarmHandles warm = std::exchange(warm_, {});
  return inode == warm_inode_ ? std::move(warm) : derive::WarmHandles{};
}

Status IndexAccess::heal(const Error& damage, std::uint64_t healings, bool derived) {
  const std::lock_guard alone(healing_);
  if (healings_ != healings) return {};  // somebody else was quicker
  log(damage.message);
  take_warm(0);
  const auto mended = ingest::mend_if_damaged(world(), settings());
  if (!mended) return mended.error();
  if (!*mended && !derived) return damage;
  const Status discarded = derive::discard_keywords(settings().data_dir, *world().files);
  if (options_.rebuild) {
    if (!discarded) return damage;
    if (Status rebuilt = options_.rebuild(*this); !rebuilt) return rebuilt;
    ++healings_;
    return {};
  }
  // busy: whoever writes right now may be mending it.
  if (!discarded && discarded.error().code != Errc::busy) log(discarded.error().message);
  return {};
}

void IndexAccess::tell_places(search::SearchAnswer& answer) const {
  const config::Whereabouts where(world(), settings().data_dir);
  if (!where.has_far()) return;
  for (std::vector<search::Hit>* hits : {&answer.hits, &answer.closest}) {
    for (search::Hit& hit : *hits) hit.place = where.tell(hit.session.path);
  }
}

Result<Asked<search::SearchAnswer>> IndexAccess::search(search::SearchRequest request,
                                                        const Patience& patience) {
  if (!request.now) request.now = world().now;
  auto asked =
      with_searcher([&](search::Searcher& searcher) { return searcher.search(request); }, patience);
  if (!asked || !asked->answer) return asked;
  tell_places(*asked->answer);
  const std::lock_guard guard(mutex_);
  if (coverage_) static_cast<store::FileCoverage&>(asked->answer->coverage) = *coverage_;
  return asked;
}

Result<Asked<search::ReadAnswer>> IndexAccess::read(std::string_view session_id,
                                                    std::uint32_t offset, std::uint32_t limit,
                                                    const Patience& patience) {
  return with_reader(
      [&](search::Reader& reader) -> Result<search::ReadAnswer> {
        const auto session = reader.find_session(session_id);
        if (!session) return session.error();
        return reader.read(*session, offset, limit);
      },
      patience);
}

Result<search::Reader> IndexAccess::open_reader() {
  return take_or_open(readers_, mark());
}

}  // namespace yore::service
