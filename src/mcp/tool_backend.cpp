#include "mcp/tool_backend.hpp"

#include <condition_variable>
#include <mutex>
#include <type_traits>
#include <utility>

#include "base/files/file.hpp"
#include "derive/keyword_index.hpp"
#include "ingest/scan_cache.hpp"
#include "mcp/tool_answers.hpp"
#include "service/keeper.hpp"
#include "store/store.hpp"

namespace yore::mcp {
namespace {

constexpr std::chrono::milliseconds kStep{20};

// False: it is time to give up.
bool pause(const std::stop_token& stop, std::chrono::steady_clock::time_point end) {
  if (std::chrono::steady_clock::now() >= end || stop.stop_requested()) return false;
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, kStep, [] { return false; });
  return !stop.stop_requested();
}

std::string building_sentence(const std::optional<service::KeeperReport>& report) {
  if (!report || !report->building) return "";
  if (report->files_known == 0) return "The index is being built: ask again in a moment.";
  return "The index is still being built: " + with_commas(report->files_indexed) + " of " +
         with_commas(report->files_known) + " conversations so far.";
}

// Why there is nothing to ask.
std::string absence(const std::optional<service::KeeperReport>& report, bool damaged) {
  if (damaged) return "The keyword index was damaged and is being built again: ask again soon.";
  const std::string building = building_sentence(report);
  if (!building.empty()) return building;
  return "There is no index yet; it is built while the server runs: ask again in a moment.";
}

bool no_transcripts(const std::optional<service::KeeperReport>& report) {
  return report && !report->building && report->files_known == 0;
}

}  // namespace

ToolBackend::Mark ToolBackend::mark() const {
  const auto stamp = stat_file(store::Store::database_path(options_.settings.data_dir));
  return {stamp ? stamp->inode : 0};
}

void ToolBackend::log(std::string_view sentence) const {
  if (options_.log) options_.log(sentence);
}

void ToolBackend::give_up_damaged(const Error& error) const {
  log(error.message);
  const Status discarded = derive::discard_keywords(options_.settings.data_dir);
  // busy: whoever writes right now may be mending it.
  if (!discarded && discarded.error().code != Errc::busy) log(discarded.error().message);
}

std::string ToolBackend::building() const {
  return building_sentence(service::read_keeper_report(options_.settings.data_dir));
}

void ToolBackend::tell_progress(const ToolCall& call) const {
  if (!call.progress) return;
  const auto report = service::read_keeper_report(options_.settings.data_dir);
  if (!report || report->files_known == 0) return;
  call.progress(static_cast<double>(report->files_indexed),
                static_cast<double>(report->files_known), "The index is being built.");
}

// Asks one from the pool, or a new one. Tries again until `end` when there is none to ask.
template <typename T, typename Ask>
auto ToolBackend::ask(Pool<T>& pool, const ToolCall& call, Clock::time_point end,
                      const Ask& question) {
  using Answer = std::decay_t<decltype(*question(std::declval<T&>()))>;
  using Outcome = Result<Asked<Answer>>;
  const config::World world = options_.world();
  bool damaged = false;
  while (true) {
    const Mark made_for = mark();
    std::optional<T> one = pool.take(made_for);
    Status ready;
    if (!one) {
      auto opened = T::open(world, options_.settings, options_.scope);
      if (opened) one = std::move(*opened);
      if (!opened) ready = opened.error();
    }
    if (one) ready = one->refresh();
    if (ready) {
      auto answer = question(*one);
      if (answer || answer.error().code != Errc::corrupt) {
        pool.give(made_for, std::move(*one));
        if (!answer) return Outcome(answer.error());
        return Outcome(Asked<Answer>{std::move(*answer), damaged});
      }
      ready = answer.error();
    }
    const Error error = ready.error();
    // Of a reader it would be the database, which nothing can be built from.
    const bool mendable = error.code == Errc::corrupt && std::is_same_v<T, search::Searcher>;
    if (mendable) give_up_damaged(error);
    damaged = damaged || mendable;
    if (!mendable && error.code != Errc::not_found && error.code != Errc::busy) {
      return Outcome(error);
    }
    tell_progress(call);
    if (pause(call.stop, end)) continue;
    if (error.code != Errc::not_found) return Outcome(error);
    return Outcome(Asked<Answer>{std::nullopt, damaged});
  }
}

Result<search::SearchAnswer> ToolBackend::search(search::SearchRequest request,
                                                 const ToolCall& call) {
  request.now = world().now;
  const auto end = Clock::now() + options_.patience;
  const auto question = [&](search::Searcher& searcher) { return searcher.search(request); };
  auto asked = ask(searchers_, call, end, question);
  if (!asked) return asked.error();
  auto report = service::read_keeper_report(options_.settings.data_dir);
  bool damaged = asked->damaged;
  // A first publication that holds nothing yet is as good as none.
  const auto comes_still = [&] {
    return asked->answer && asked->answer->coverage.passages == 0 &&
           (asked->answer->incomplete || (report && report->building));
  };
  while (comes_still() && pause(call.stop, end)) {
    tell_progress(call);
    asked = ask(searchers_, call, end, question);
    if (!asked) return asked.error();
    damaged = damaged || asked->damaged;
    report = service::read_keeper_report(options_.settings.data_dir);
  }
  search::SearchAnswer answer;
  if (asked->answer) {
    answer = std::move(*asked->answer);
    if (damaged) answer.notes.emplace_back("The keyword index was damaged and was built again.");
    const std::string building = building_sentence(report);
    if (!building.empty()) answer.notes.push_back(building);
    if (answer.hits.empty() && answer.notes.empty() && no_transcripts(report)) {
      answer.notes.emplace_back("No transcripts were found on this machine.");
    }
  } else {
    answer.query = request.query;
    answer.notes.push_back(absence(report, damaged));
  }
  if (report) {
    answer.coverage.files_known = report->files_known;
    answer.coverage.files_indexed = report->files_indexed;
    answer.coverage.behind_bytes = report->behind_bytes;
  } else if (const auto table = ingest::ScanCache::load(options_.settings.data_dir)) {
    // Nobody keeps the index right now: as it was when it was last looked after.
    answer.coverage.files_known = answer.coverage.files_indexed = table->sessions();
  }
  return answer;
}

Result<ToolBackend::Listed> ToolBackend::list(const search::ListFilter& filter,
                                              const ToolCall& call) {
  auto asked = ask(readers_, call, Clock::now() + options_.patience,
                   [&](search::Reader& reader) { return reader.list(filter); });
  if (!asked) return asked.error();
  const auto report = service::read_keeper_report(options_.settings.data_dir);
  Listed listed;
  if (!asked->answer) {
    listed.notes.push_back(absence(report, asked->damaged));
    return listed;
  }
  listed.answer = std::move(*asked->answer);
  const std::string building = building_sentence(report);
  if (!building.empty()) listed.notes.push_back(building);
  if (listed.answer.sessions.empty() && building.empty() && no_transcripts(report)) {
    listed.notes.emplace_back("No transcripts were found on this machine.");
  }
  return listed;
}

Result<search::ReadAnswer> ToolBackend::read(std::string_view session_id, std::uint32_t offset,
                                             std::uint32_t limit, const ToolCall& call) {
  auto asked = ask(readers_, call, Clock::now() + options_.patience,
                   [&](search::Reader& reader) -> Result<search::ReadAnswer> {
                     const auto session = reader.find_session(session_id);
                     if (!session) return session.error();
                     return reader.read(*session, offset, limit);
                   });
  if (!asked) return asked.error();
  if (asked->answer) return std::move(*asked->answer);
  return Error{Errc::not_found, "Unknown session_id: " + std::string(session_id)};
}

}  // namespace yore::mcp
