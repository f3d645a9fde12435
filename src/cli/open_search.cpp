#include "cli/open_search.hpp"

#include "base/files/file.hpp"
#include "cli/format.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "derive/keyword_index.hpp"
#include "store/store.hpp"

namespace yore::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{500};

Result<service::Freshness> bring_up_to_date(const Context& context) {
  const std::string database = store::Store::database_path(context.settings.data_dir);
  const bool first = !is_regular_file(database);
  if (first) context.note("No index yet, reading the transcripts first.");

  service::FreshnessOptions options;
  options.unlimited = first;
  const InterruptGuard interrupt;
  ProgressMeter meter(context.program.err, context.program.err_screen,
                      first ? std::chrono::milliseconds{0} : kPatience);
  const ingest::OnProgress on_progress = [&](const ingest::IndexProgress& progress) {
    if (!context.globals.quiet) meter.update(progress);
  };
  auto freshness = service::bring_up_to_date(context.world, context.settings, context.scope,
                                             options, on_progress, InterruptGuard::asked());
  meter.finish();
  if (!freshness) return freshness;
  if (freshness->cancelled) return Error{Errc::cancelled, "interrupted"};
  return freshness;
}

}  // namespace

Result<OpenSearch> open_search(const Context& context, bool refresh) {
  service::Freshness freshness;
  if (refresh) {
    auto fresh = bring_up_to_date(context);
    if (!fresh) return fresh.error();
    freshness = std::move(*fresh);
  }
  auto searcher =
      search::Searcher::open(context.world, context.settings, context.scope,
                             {std::move(freshness.opened.store), freshness.opened.keywords});
  if (!searcher && refresh && give_up_damaged(context, searcher.error())) {
    auto fresh = bring_up_to_date(context);
    if (!fresh) return fresh.error();
    searcher = search::Searcher::open(context.world, context.settings, context.scope);
  }
  if (!searcher) {
    if (searcher.error().code != Errc::not_found) return searcher.error();
    if (!refresh) return Error{Errc::not_found, "there is no index yet", "make one: yore index"};
    return Error{Errc::busy, "another yore process is building the index", "try again in a moment"};
  }
  if (refresh) {
    searcher->set_coverage(freshness.files_known, freshness.files_indexed, freshness.behind_bytes);
  }
  return OpenSearch{std::move(*searcher), std::move(freshness)};
}

bool give_up_damaged(const Context& context, const Error& error) {
  if (error.code != Errc::corrupt) return false;
  if (!derive::discard_keywords(context.settings.data_dir)) return false;
  context.note("yore: the keyword index was damaged; it is built again.");
  return true;
}

void tidy_up(const Context& context, const service::Freshness& freshness) {
  constexpr std::uint64_t kMaxBytes = 32U << 20;
  if (freshness.sessions_read == 0) return;
  const InterruptGuard interrupt;
  // What fails or is interrupted here is done another time.
  [[maybe_unused]] const Status merged = derive::merge_keywords(
      context.settings.data_dir, kMaxBytes, InterruptGuard::asked(), {}, freshness.opened.keywords);
}

}  // namespace yore::cli
