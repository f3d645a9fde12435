#include "cli/screen/search_notes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/refresh.hpp"
#include "cli/screen/format.hpp"
#include "search/query.hpp"
#include "search/reader.hpp"
#include "text/display.hpp"

namespace yore::cli {
namespace {

constexpr std::size_t kLongestQueryShown = 200;
constexpr std::string_view kNoMeaningYet =
    "Searched by words only so far: yore index makes all this searchable by meaning, too.";

// Is there more to the query than words?
bool has_marks(const search::ParsedQuery& query) {
  search::ParsedQuery fields = query;
  fields.parts.clear();
  fields.hints.clear();
  const auto is_plain = [](const search::QueryPart& part) {
    return part.kind == search::QueryPart::Kind::words &&
           part.mark == search::QueryPart::Mark::none;
  };
  return fields != search::ParsedQuery{} || !std::ranges::all_of(query.parts, is_plain);
}

// What to try when there is nothing.
std::string suggestion(const search::SearchRequest& request) {
  if (search::has_filters(request)) return "Try it with fewer filters.";
  if (has_marks(search::parse_query(request.query))) {
    return "Try it without quotes, marks and fields.";
  }
  return "Try other words, or the beginning of one with a star: conn*";
}

void tell_hidden(const Context& context, const search::Hidden& hidden) {
  const auto tell = [&](std::uint64_t number, std::string_view where, std::string_view flag) {
    if (number == 0) return;
    context.note(fmt::format("{} in {} hidden: {} shows {}", plural(number, "hit"), where, flag,
                             number == 1 ? "it" : "them"));
  };
  tell(hidden.subagents, "sub-agents", "--subagents");
  tell(hidden.automated, "automated turns", "--automated");
}

// The first search is answered by words; what comes by meaning has to be asked for once.
void tell_meaning(const Context& context, const search::SearchRequest& request,
                  const OpenIndex& index, const search::SearchAnswer& answer) {
  const bool wanted = request.mode == search::SearchMode::hybrid &&
                      context.settings.embedding.enabled && !search::is_filters_alone(request);
  const bool absent = answer.coverage.passages_embedded == 0 && answer.coverage.passages > 0;
  if (wanted && absent && index.freshness().first_build) context.note(kNoMeaningYet);
}

void print_rest(const Context& context, const search::SearchRequest& request,
                const OpenIndex& index, const search::SearchAnswer& answer) {
  for (const std::string& note : answer.notes) context.note(note);
  tell_meaning(context, request, index, answer);
  tell_hidden(context, answer.hidden);
  if (answer.more && answer.hits.size() < search::kMostRows) {
    const std::size_t next = std::min<std::size_t>(answer.hits.size() * 2, search::kMostRows);
    context.note(fmt::format("There is more: -n {} shows it.", next));
  }
  const search::Coverage& coverage = answer.coverage;
  if (coverage.behind_bytes > 0) {
    const std::uint64_t behind =
        coverage.files_known - std::min(coverage.files_indexed, coverage.files_known);
    context.note(fmt::format("{}{} not searched yet: yore index reads the rest",
                             size(coverage.behind_bytes),
                             behind == 0 ? "" : " in " + plural(behind, "file")));
  }
}

// The index holds nothing, and nothing was found to put into it.
bool nothing_there(const OpenIndex& index, const search::SearchAnswer& answer) {
  const bool empty = answer.coverage.files_known == 0 && answer.coverage.passages == 0;
  return index.freshness().nothing_there || empty;
}

}  // namespace

void print_notes(const Context& context, const search::SearchRequest& request,
                 const OpenIndex& index, const search::SearchAnswer& answer) {
  if (answer.hits.empty() && answer.closest.empty()) {
    if (nothing_there(index, answer)) {
      context.note(no_transcripts(context));
      return;
    }
    const std::string query = text::fit(answer.query, kLongestQueryShown);
    context.note(fmt::format("Nothing found for: {}\n{}", query, suggestion(request)));
  }
  print_rest(context, request, index, answer);
}

}  // namespace yore::cli
