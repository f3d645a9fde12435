// yore saved: answers that were kept with --save: shown, asked again, removed.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/open_index.hpp"
#include "cli/saving.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/hit_text.hpp"
#include "cli/screen/json_text.hpp"
#include "cli/screen/table.hpp"
#include "service/search_answers.hpp"
#include "text/display.hpp"

namespace yore::cli {
namespace {

using service::Json;
using store::SavedAnswer;
using store::SavedHit;

struct SavedFlags {
  std::string name;
  bool again = false;
  bool update = false;
  bool remove = false;
};

Json json_of(const Context& context, const SavedAnswer& saved, bool with_hits) {
  const auto flags = question_of(saved);
  Json json = {{"name", saved.name},
               {"query", flags ? flags->query : ""},
               {"filters", flags ? words_of(*flags) : std::vector<std::string>{}},
               {"asked", format_iso8601(saved.asked)},
               {"total_results", saved.hits.size()}};
  if (with_hits) {
    Json hits = Json::array();
    for (const SavedHit& hit : saved.hits) {
      hits.push_back({{"session_id", hit.session},
                      {"turn_number", hit.turn},
                      {"chunk_id", hit.chunk},
                      {"text", hit.text}});
    }
    json["results"] = std::move(hits);
  }
  context.mask(json);
  return json;
}

int list_saved(Context& context) {
  std::vector<std::string> broken;
  const auto all = store::saved_answers(context.settings.data_dir, &broken);
  if (!all) return context.fail(all.error());
  for (const std::string& name : broken) {
    context.note(fmt::format("The saved answer '{}' cannot be read.", text::one_line(name)));
  }
  if (context.globals.json) {
    Json rows = Json::array();
    for (const SavedAnswer& saved : *all) rows.push_back(json_of(context, saved, false));
    print_json(context, Json{{"saved", std::move(rows)}});
    return kFound;
  }
  if (all->empty()) {
    context.note("No answers are saved yet: yore search WORDS --save NAME.");
    return kFound;
  }
  Table table({{"NAME", false, Paint::cyan, 40, 0},
               {"AGE", true, Paint::dim, 6, 0},
               {"HITS", true, Paint::dim, 5, 0},
               {"QUESTION", false, Paint::plain, 1000, 0}});
  for (const SavedAnswer& saved : *all) {
    const auto flags = question_of(saved);
    std::string question = flags ? flags->query : "";
    if (question.empty() && flags) question = fmt::format("{}", fmt::join(words_of(*flags), " "));
    table.add({saved.name, short_age(saved.asked, context.world.now), count(saved.hits.size()),
               context.mask.text(question)});
  }
  context.print(table.render(context.columns(), context.style));
  return kFound;
}

bool same_turn(const SavedHit& saved, const search::Hit& hit) {
  return saved.chunk == hit.chunk_id || (saved.origin != 0 && saved.origin == hit.origin);
}

// What the same question finds now and did not find then: later turns, and those that have come
// among as many as it asked for.
search::SearchAnswer news_of(search::SearchAnswer answer, const SavedAnswer& saved,
                             std::size_t limit) {
  std::erase_if(answer.hits, [&](const search::Hit& hit) {
    const bool known =
        std::ranges::any_of(saved.hits, [&](const SavedHit& each) { return same_turn(each, hit); });
    return known || (hit.rank > limit && hit.timestamp <= saved.asked);
  });
  for (std::size_t i = 0; i < answer.hits.size(); ++i) answer.hits[i].rank = i + 1;
  answer.closest.clear();
  answer.more = false;
  return answer;
}

int ask_again(Context& context, const SavedAnswer& saved, bool update) {
  auto flags = question_of(saved);
  if (!flags) return context.fail(flags.error());
  auto request = make_request(context, *flags);
  if (!request) return context.fail(request.error());
  auto index = OpenIndex::open(context, OpenIndex::Refresh::quick);
  if (!index) return context.fail(index.error());
  const std::size_t limit = request->limit;
  request->limit = search::kMostRows;
  auto answer = index->search(*request);
  if (!answer) return context.fail(answer.error());
  const auto there =
      static_cast<std::size_t>(std::ranges::count_if(saved.hits, [&](const SavedHit& each) {
        return std::ranges::any_of(answer->hits,
                                   [&](const search::Hit& hit) { return same_turn(each, hit); });
      }));
  const search::SearchAnswer news = news_of(*answer, saved, limit);
  if (context.globals.json) {
    Json json = service::to_json(news, 0);
    json["name"] = saved.name;
    json["asked"] = format_iso8601(saved.asked);
    json["known"] = there;
    json["gone"] = saved.hits.size() - there;
    print_json(context, json);
  } else {
    if (!news.hits.empty()) context.print(hits_text(context, news, flags->max_chars));
    context.note(fmt::format("{} new since {}; {} of {} found then {} found again.",
                             plural(news.hits.size(), "result"), local_time(saved.asked),
                             count(there), count(saved.hits.size()), there == 1 ? "is" : "are"));
  }
  if (update) {
    if (answer->hits.size() > limit) answer->hits.resize(limit);
    const SavedAnswer now = saved_from(context, saved.name, *flags, *answer);
    Status put = store::replace_saved(context.settings.data_dir, now);
    if (!put) return context.fail(put.error());
  }
  index->tidy_up();
  return news.hits.empty() ? kNothing : kFound;
}

int run_saved(Context& context, const SavedFlags& flags) {
  if (flags.name.empty()) {
    if (!flags.again && !flags.remove && !flags.update) return list_saved(context);
    return context.fail({Errc::invalid_argument, "NAME is missing", "yore saved lists the names"});
  }
  const std::string& data_dir = context.settings.data_dir;
  if (flags.remove) {
    const Status removed = store::remove_saved(data_dir, flags.name);
    if (!removed) return context.fail(removed.error());
    context.note(fmt::format("Removed: {}", text::one_line(flags.name)));
    return kFound;
  }
  const auto saved = store::saved_answer(data_dir, flags.name);
  if (!saved) return context.fail(saved.error());
  if (flags.again || flags.update) return ask_again(context, *saved, flags.update);
  if (context.globals.json) {
    print_json(context, json_of(context, *saved, true));
  } else {
    context.print(text::for_terminal(context.mask.text(store::shown_markdown(*saved))));
  }
  return kFound;
}

}  // namespace

Action declare_saved(Options& options) {
  const auto flags = std::make_shared<SavedFlags>();  // shared with the action that outlives us
  options.rest("[NAME]", flags->name, "a saved answer; without: all of them");
  options.flag("--again", flags->again, "ask the same question, and show what is new since");
  options.flag("--update", flags->update, "likewise, and keep the answer of now");
  options.flag("--remove", flags->remove, "remove it");
  return [flags](Context& context) { return run_saved(context, *flags); };
}

}  // namespace yore::cli
