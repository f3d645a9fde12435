// yore search: turns that match, best first.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/open_index.hpp"
#include "cli/saving.hpp"
#include "cli/screen/hit_text.hpp"
#include "cli/screen/json_text.hpp"
#include "cli/screen/search_notes.hpp"
#include "cli/search_flags.hpp"
#include "service/search_answers.hpp"
#include "text/shell.hpp"

namespace yore::cli {
namespace {

struct SearchOptions : SearchFlags {
  std::string save;
  bool no_refresh = false;
};

int show(const Context& context, const SearchOptions& flags, const search::SearchRequest& request,
         const OpenIndex& index, const search::SearchAnswer& answer) {
  const bool found = !answer.hits.empty();
  const int code = found ? kFound : kNothing;
  if (context.globals.json) {
    print_json(context, service::to_json(answer, flags.max_chars));
    return code;
  }
  if (found) context.page(hits_text(context, answer, flags.max_chars));
  print_notes(context, request, index, answer);
  if (!answer.closest.empty()) context.print(closest_text(context, answer, flags.max_chars));
  return code;
}

int run_search(Context& context, const SearchOptions& flags) {
  const auto request = make_request(context, flags);
  if (!request) return context.fail(request.error());
  if (!flags.save.empty()) {
    Status fit = store::check_saved_name(flags.save);
    if (!fit) return context.fail(fit.error());
  }
  using Refresh = OpenIndex::Refresh;
  auto index = OpenIndex::open(context, flags.no_refresh ? Refresh::none : Refresh::quick);
  if (!index) return context.fail(index.error());
  auto answer = index->search(*request);
  if (!answer) return context.fail(answer.error());
  if (search::page_size(flags.limit).reduced) {
    answer->notes.push_back(fmt::format("At most {} results are shown.", search::kMostRows));
  }
  const std::vector<std::string>& late = index->freshness().notes;
  answer->notes.insert(answer->notes.end(), late.begin(), late.end());
  if (!flags.save.empty()) {
    const auto kept = saved_from(context, flags.save, flags, *answer);
    const Status saved = store::save_answer(context.settings.data_dir, kept);
    if (!saved) return context.fail(saved.error());
  }
  const int code = show(context, flags, *request, *index, *answer);
  if (!flags.save.empty()) {
    context.note("Saved: yore saved " + text::shell_quote(flags.save) + " shows it.");
  }
  index->tidy_up();
  return code;
}

}  // namespace

Action declare_search(Options& options) {
  const auto flags = std::make_shared<SearchOptions>();  // shared with the action that outlives us
  declare_question(options, *flags);
  options.text("--save", "NAME", flags->save, "keep the answer: yore saved NAME shows it again");
  options.flag("--no-refresh", flags->no_refresh, "search the index as it is");
  return [flags](Context& context) { return run_search(context, *flags); };
}

}  // namespace yore::cli
