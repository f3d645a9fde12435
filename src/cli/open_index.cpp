#include "cli/open_index.hpp"

#include "cli/interrupt.hpp"
#include "cli/refresh.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/progress.hpp"
#include "derive/keyword_index.hpp"
#include "service/index_notes.hpp"
#include "store/lock.hpp"

namespace yore::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{500};
constexpr std::uint64_t kMergeBytes = 32U << 20;

}  // namespace

struct OpenIndex::State {
  State(const Context& given, Refresh wanted)
      : context(given), how(wanted), access(access_options()) {}

  service::IndexAccess::Options access_options() {
    return {.settings = context.settings,
            .scope = context.scope,
            .world = [this] { return context.world; },
            .heal = how != Refresh::none,
            .rebuild = [this](service::IndexAccess&) -> Status {
              context.note(std::string(service::kBeingBuiltAgain) + ".");
              return refresh();
            },
            .reveal = context.globals.reveal};
  }

  Status refresh() {
    const bool first = !access.has_index();
    if (first) {
      const bool elsewhere = store::WriterLock::holder(context.settings.data_dir).has_value();
      context.note(elsewhere ? service::kWaitingForFirst : service::kReadingFirst);
    }
    service::FreshnessOptions options;
    options.unlimited = first || how == Refresh::whole;
    if (how == Refresh::whole) options.look_budget = std::chrono::minutes{1};
    const InterruptGuard interrupt;
    ProgressMeter meter(context.program.err, context.program.err_screen,
                        first ? std::chrono::milliseconds{0} : kPatience);
    const ingest::OnProgress on_progress = [&](const ingest::IndexProgress& progress) {
      if (!context.globals.quiet) meter.update(progress);
    };
    auto fresh = access.refresh(options, on_progress, InterruptGuard::asked());
    meter.finish();
    if (!fresh) return with_place(fresh.error());
    if (fresh->cancelled) return Error{Errc::cancelled, "interrupted"};
    freshness = std::move(*fresh);
    freshness.first_build = first;
    return {};
  }

  // What can be done about a folder that cannot be written.
  [[nodiscard]] Error with_place(Error error) const {
    if (error.code != Errc::io || !error.hint.empty()) return error;
    error.hint = "the index lies in " + shown_path(context.settings.data_dir, context.home()) +
                 "; YORE_DATA_DIR can name another folder";
    return error;
  }

  // Why there is nothing to ask.
  [[nodiscard]] Error absence() const {
    return how == Refresh::none ? service::no_index_yet("make one: yore index")
                                : service::being_built_elsewhere();
  }

  template <typename Answer>
  Result<Answer> answer_of(Result<service::Asked<Answer>> asked) const {
    if (!asked) return asked.error();
    if (!asked->answer) return absence();
    return std::move(*asked->answer);
  }

  const Context& context;
  const Refresh how;
  service::Freshness freshness;
  service::IndexAccess access;
};

Result<OpenIndex> OpenIndex::open(const Context& context, Refresh refresh) {
  auto state = std::make_shared<State>(context, refresh);
  if (refresh != Refresh::none) {
    if (Status status = state->refresh(); !status) return status.error();
  }
  return OpenIndex(std::move(state));
}

Result<search::SearchAnswer> OpenIndex::search(const search::SearchRequest& request) {
  return state_->answer_of(state_->access.search(request));
}

Result<search::ChunkAnswer> OpenIndex::chunk(std::string_view id, std::uint32_t neighbours,
                                             turns::Detail detail) {
  return state_->answer_of(state_->access.with_searcher(
      [&](search::Searcher& searcher) { return searcher.chunk(id, neighbours, detail); }));
}

Result<search::Reader> OpenIndex::reader() {
  auto reader = state_->access.open_reader();
  if (!reader && reader.error().code == Errc::not_found) return state_->absence();
  return reader;
}

const service::Freshness& OpenIndex::freshness() const {
  return state_->freshness;
}

void OpenIndex::tidy_up() const {
  const service::Freshness& fresh = state_->freshness;
  if (fresh.sessions_read == 0) return;
  const InterruptGuard interrupt;
  // What fails or is interrupted here is done another time.
  [[maybe_unused]] const Status merged =
      derive::merge_keywords(state_->context.settings.data_dir, kMergeBytes,
                             InterruptGuard::asked(), {.previous = fresh.opened.keywords});
}

Result<FreshReader> open_fresh(const Context& context) {
  auto index = OpenIndex::open(context, OpenIndex::Refresh::whole);
  if (!index) return index.error();
  const service::Freshness& fresh = index->freshness();
  for (const std::string& note : fresh.notes) context.note(note);
  if (fresh.first_build && fresh.report && fresh.report->sessions_known > 0) {
    std::string lines = summary(*fresh.report);
    if (!lines.empty()) lines.pop_back();
    context.note(lines);
  }
  index->tidy_up();
  auto reader = index->reader();
  if (!reader) return reader.error();
  bool nothing = fresh.nothing_there;
  if (fresh.files_known == 0 && !fresh.listed) {
    const auto kept = reader->store().agent_counts();
    nothing = kept && kept->empty();
  }
  return FreshReader{std::move(*reader), nothing};
}

}  // namespace yore::cli
