// yore projects: projects with counts, the last active first.
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/open_index.hpp"
#include "cli/refresh.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "cli/screen/table.hpp"

namespace yore::cli {
namespace {

// "~/src/shop (also ~/src/old-shop)"
std::string places_of(const search::ProjectRow& row, const std::string& home) {
  constexpr std::size_t kMostShown = 3;
  std::string places = shown_path(row.path, home);
  for (std::size_t i = 0; i < row.joined.size() && i < kMostShown; ++i) {
    places += (i == 0 ? " (also " : ", ") + shown_path(row.joined[i], home);
  }
  if (row.joined.empty()) return places;
  if (row.joined.size() > kMostShown) {
    places += " and " + count(row.joined.size() - kMostShown) + " more";
  }
  return places + ")";
}

int run_projects(Context& context) {
  auto fresh = open_fresh(context);
  if (!fresh) return context.fail(fresh.error());
  auto rows = fresh->reader.projects({});
  if (!rows) return context.fail(rows.error());
  context.mask(*rows);
  if (context.globals.json) {
    print_json(context, service::to_json(*rows));
  } else if (!rows->empty()) {
    Table table({{"PROJECT", false, Paint::green, 32, 0},
                 {"SESSIONS", true, Paint::plain, 10, 0},
                 {"TURNS", true, Paint::plain, 10, 46},
                 {"AGE", true, Paint::dim, 6, 0},
                 {"PATH", false, Paint::dim, 1000, 60}});
    for (const search::ProjectRow& row : *rows) {
      table.add({row.project.empty() ? "(none)" : row.project, count(row.sessions),
                 count(row.turns), short_age(row.last_time, context.world.now),
                 places_of(row, context.home())});
    }
    context.print(table.render(context.columns(), context.style));
  }
  if (fresh->no_transcripts) context.note(no_transcripts(context));
  return kFound;
}

}  // namespace

Action declare_projects(Options&) {
  return run_projects;
}

}  // namespace yore::cli
