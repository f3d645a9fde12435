// yore agents: which agents are supported, where they were looked for, what was found.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/commands/agent_check.hpp"
#include "cli/commands/agents_table.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "config/sealed_stores.hpp"
#include "config/whereabouts.hpp"
#include "search/reader.hpp"
#include "service/index_notes.hpp"
#include "service/status.hpp"
#include "text/display.hpp"
#include "transcript/adapter.hpp"
#include "transcript/spec/spec_names.hpp"

namespace yore::cli {
namespace {

struct AgentView {
  const transcript::Adapter* adapter = nullptr;
  store::AgentCounts counts;
  std::vector<service::RootStatus> roots;
};

// The places that the status knows, and those where nothing is.
std::vector<service::RootStatus> all_places(const Context& context,
                                            const service::StatusReport& report) {
  std::vector<service::RootStatus> places = report.roots;
  const config::Whereabouts where(context.world, context.settings.data_dir);
  for (config::FoundRoot& root :
       config::default_places(*context.settings.agents, context.world.env)) {
    if (!where.is_far(root.root.path)) root.exists = config::exists(root, context.world.env);
    const bool known = std::ranges::any_of(places, [&](const service::RootStatus& place) {
      return place.agent == root.adapter->name && place.path == root.root.path;
    });
    if (known) continue;
    service::RootStatus place;
    place.agent = root.adapter->name;
    place.path = root.root.path;
    place.exists = root.exists;
    places.push_back(std::move(place));
  }
  return places;
}

std::vector<AgentView> views(const Context& context, const service::StatusReport& report) {
  const std::vector<service::RootStatus> places = all_places(context, report);
  std::vector<AgentView> all;
  for (const transcript::Adapter& adapter : context.settings.agents->all()) {
    AgentView view;
    view.adapter = &adapter;
    for (const store::AgentCounts& counts : report.agents) {
      if (counts.agent == adapter.name) view.counts = counts;
    }
    for (const service::RootStatus& root : places) {
      if (root.agent == adapter.name) view.roots.push_back(root);
    }
    all.push_back(std::move(view));
  }
  return all;
}

// The word of the description; null when it says nothing.
service::Json verified_json(transcript::Verified verified) {
  if (verified == transcript::Verified::unsaid) return nullptr;
  return transcript::kVerifiedNames[static_cast<std::size_t>(verified)];
}

service::Json to_json(const std::vector<AgentView>& all,
                      const std::vector<config::SealedStore>& sealed) {
  service::Json agents = service::Json::array();
  for (const AgentView& view : all) {
    service::Json places = service::Json::array();
    for (const service::RootStatus& root : view.roots) {
      places.push_back({{"path", root.path},
                        {"exists", root.exists},
                        {"named", root.named},
                        {"sessions", root.sessions},
                        {"turns", root.turns}});
    }
    agents.push_back({{"agent", view.adapter->name},
                      {"name", view.adapter->display_name},
                      {"formats", view.adapter->formats},
                      {"verified", verified_json(view.adapter->verified)},
                      {"found", std::ranges::any_of(view.roots, &service::RootStatus::exists)},
                      {"places", std::move(places)},
                      {"sessions", view.counts.sessions},
                      {"subagents", view.counts.subagents},
                      {"turns", view.counts.turns},
                      {"missing", view.counts.missing},
                      {"copies", view.counts.other_files},
                      {"bytes", view.counts.bytes},
                      {"problems", view.counts.problems},
                      {"newest", format_iso8601(view.counts.newest)},
                      {"versions", view.counts.versions}});
  }
  service::Json encrypted = service::Json::array();
  for (const config::SealedStore& store : sealed) {
    encrypted.push_back({{"name", store.name}, {"path", store.path}});
  }
  return service::Json{{"agents", std::move(agents)}, {"encrypted", std::move(encrypted)}};
}

std::string agent_row(const Context& context, std::string_view name, std::string_view value) {
  constexpr std::string_view kIndent = "            ";
  const std::string wrapped = text::wrap(text::one_line(value), context.columns(), kIndent);
  if (wrapped.size() <= kIndent.size()) return "";
  return fmt::format("  {}  {}\n", context.style(Paint::dim, fmt::format("{:<8}", name)),
                     wrapped.substr(kIndent.size()));
}

std::string view_text(const Context& context, const AgentView& view, bool indexed) {
  std::string out = fmt::format("{} ({})\n", context.style(Paint::bold, view.adapter->display_name),
                                view.adapter->name);
  out += agent_row(context, "formats", view.adapter->formats);
  out += agent_row(context, "checked", verified_words(view.adapter->verified));
  std::string name = "places";
  for (const service::RootStatus& root : view.roots) {
    std::string what = "not there";
    if (root.exists || !root.place.empty())
      what = indexed ? plural(root.sessions, "session") : "found";
    if (root.named) what += ", named by --source";
    if (!root.place.empty()) what += ", " + root.place;
    out += agent_row(context, name, shown_path(root.path, context.home()) + ": " + what);
    name.clear();
  }
  if (view.counts.sessions + view.counts.subagents == 0) return out;
  std::string held = plural(view.counts.sessions, "session");
  if (view.counts.subagents > 0) held += ", " + plural(view.counts.subagents, "sub-agent session");
  held += ", " + plural(view.counts.turns, "turn");
  if (view.counts.newest != kNoTime) {
    held += ", newest " + format_age(view.counts.newest, context.world.now);
  }
  out += agent_row(context, "indexed", held);
  out += agent_row(context, "versions", view.counts.versions);
  if (view.counts.problems > 0) {
    out += agent_row(context, "problems",
                     plural(view.counts.problems, "record") + " skipped or repaired: yore doctor");
  }
  return out;
}

struct AgentsFlags {
  bool markdown = false;
  std::vector<std::string> words;
};

int run_agents(Context& context, bool markdown) {
  if (markdown) {
    context.print(agents_markdown(*transcript::built_in_agents()));
    return kFound;
  }
  auto report = service::read_status(context.world, context.settings);
  if (!report) return context.fail(report.error());
  context.mask(*report);
  const std::vector<AgentView> all = views(context, *report);
  const auto sealed = config::sealed_stores(context.world.env);
  if (context.globals.json) {
    print_json(context, to_json(all, sealed));
    return kFound;
  }
  std::string out;
  for (const AgentView& view : all) {
    if (!out.empty()) out += '\n';
    out += view_text(context, view, report->indexed);
  }
  for (const config::SealedStore& store : sealed) {
    out += fmt::format("\n{}\n", context.style(Paint::bold, store.name));
    out +=
        agent_row(context, "places",
                  fmt::format("{}: {}", shown_path(store.path, context.home()), config::kSealed));
  }
  context.print(out);
  if (!report->indexed) context.note(std::string(service::kNoIndexYet) + ": yore index");
  return kFound;
}

}  // namespace

Action declare_agents(Options& options) {
  const auto flags = std::make_shared<AgentsFlags>();  // shared with the action that outlives us
  options.flag("--markdown", flags->markdown,
               "only the table of supported agents, as in the README");
  options.words("[check FILE PATH]", flags->words,
                "try the description FILE of an agent on the sessions in PATH");
  return [flags](Context& context) {
    const std::vector<std::string>& words = flags->words;
    if (words.empty()) return run_agents(context, flags->markdown);
    if (words.size() == 3 && words[0] == "check") return check_agent(context, words[1], words[2]);
    return context.fail({Errc::invalid_argument, "want: yore agents check FILE PATH"});
  };
}

}  // namespace yore::cli
