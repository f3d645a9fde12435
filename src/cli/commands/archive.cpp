// yore archive: keeps originals of transcripts, lists, checks and restores them.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "archive/archive.hpp"
#include "base/files/file.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/open_index.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "cli/time_options.hpp"
#include "config/roots.hpp"
#include "ingest/archiving.hpp"
#include "text/display.hpp"

namespace yore::cli {
namespace {

struct ArchiveFlags {
  std::vector<std::string> sessions;
  std::vector<std::string> projects;
  std::vector<std::string> agents;
  std::string since;
  std::string until;
  bool list = false;
  bool verify = false;
  bool restore = false;
  std::string out;
};

Result<std::vector<store::SessionRow>> chosen_sessions(const Context& context,
                                                       const ArchiveFlags& flags,
                                                       search::Reader& reader) {
  std::vector<store::SessionRow> rows;
  search::ListFilter filter;
  const auto since = parse_time(context, "--since", flags.since);
  if (!since) return since.error();
  const auto until = parse_time(context, "--until", flags.until);
  if (!until) return until.error();
  filter.projects = flags.projects;
  filter.agents = flags.agents;
  filter.since = *since;
  filter.until = *until;
  filter.subagents = true;
  filter.limit = SIZE_MAX;
  auto all = reader.list(filter);
  if (!all) return all.error();
  if (flags.sessions.empty()) return std::move(all->sessions);
  for (const std::string& id : flags.sessions) {
    auto named = reader.find_session(id);
    if (!named) return named.error();
    // What a session started goes with it.
    for (const store::SessionRow& each : all->sessions) {
      if (each.parent == named->uid) rows.push_back(each);
    }
    rows.push_back(std::move(*named));
  }
  return rows;
}

int keep_chosen(Context& context, const ArchiveFlags& flags) {
  auto fresh = open_fresh(context);
  if (!fresh) return context.fail(fresh.error());
  const auto sessions = chosen_sessions(context, flags, fresh->reader);
  if (!sessions) return context.fail(sessions.error());
  const InterruptGuard guard;
  const auto report = ingest::archive_sessions(
      context.world, context.settings, fresh->reader.store(), *sessions, InterruptGuard::asked());
  if (!report) return context.fail(report.error());
  for (const std::string& trouble : report->troubles) context.note(text::one_line(trouble));
  if (context.globals.json) {
    print_json(context, service::Json{{"kept", report->kept},
                                      {"unchanged", report->unchanged},
                                      {"gone", report->gone},
                                      {"left_out", report->left_out},
                                      {"bytes", report->bytes},
                                      {"stored_bytes", report->stored_bytes},
                                      {"troubles", report->troubles}});
  } else {
    context.print(fmt::format("Kept {} ({}, {} on disk); {} unchanged, {} without a source.\n",
                              plural(report->kept, "session"), size(report->bytes),
                              size(report->stored_bytes), count(report->unchanged),
                              count(report->gone)));
    if (report->left_out > 0) {
      context.note(plural(report->left_out, "session") +
                   " left out: something was forgotten there.");
    }
  }
  if (report->cancelled) return kInterrupted;
  return report->troubles.empty() ? kFound : kBroken;
}

int list_kept_sessions(Context& context, const archive::Archive& archive) {
  const auto all = archive.all();
  if (!all) return context.fail(all.error());
  service::Json json = service::Json::array();
  for (const archive::Entry& entry : all->entries) {
    const archive::Version& newest = entry.versions.back();
    json.push_back({{"session_id", entry.ref.id},
                    {"agent", entry.agent},
                    {"path", entry.ref.path},
                    {"kept_at", format_iso8601(newest.kept_at)},
                    {"files", newest.files.size()},
                    {"bytes", newest.size_bytes()},
                    {"versions", entry.versions.size()}});
    if (context.globals.json) continue;
    context.print(fmt::format("{}  {}  {}  {}\n", text::one_line(entry.ref.id),
                              short_age(newest.kept_at, context.world.now),
                              size(newest.size_bytes()),
                              text::one_line(shown_path(entry.ref.path, context.home()))));
  }
  if (context.globals.json) {
    print_json(context, service::Json{{"archived", json},
                                      {"disk_bytes", archive.disk_bytes()},
                                      {"damaged", all->damaged}});
  } else {
    context.note(fmt::format("{} kept, {} on disk.", plural(all->entries.size(), "session"),
                             size(archive.disk_bytes())));
  }
  return kFound;
}

int verify_archive(Context& context, const archive::Archive& archive) {
  const auto wrong = archive.verify();
  if (!wrong) return context.fail(wrong.error());
  if (context.globals.json) {
    print_json(context, service::Json{{"ok", wrong->empty()}, {"problems", *wrong}});
  } else {
    for (const std::string& sentence : *wrong) context.print(text::one_line(sentence) + "\n");
    if (wrong->empty()) context.print("Every piece is what its name says.\n");
  }
  return wrong->empty() ? kFound : kBroken;
}

// Every folder that transcripts are read from, by rule or because somebody named it.
std::vector<std::string> agents_places(const Context& context) {
  std::vector<std::string> places;
  for (const auto& root : config::default_places(*context.settings.agents, context.world.env)) {
    places.push_back(root.root.path);
  }
  auto store = store::Store::open_existing(context.settings.data_dir);
  if (!store) return places;
  if (const auto roots = store->roots()) {
    for (const store::RootRow& root : *roots) places.push_back(root.path);
  }
  return places;
}

// A folder of its own: new or empty, and in no agent's store.
Status check_out(const Context& context, const std::string& folder) {
  if (folder.empty()) {
    return Error{Errc::invalid_argument, "--restore needs a folder to write to", "--out FOLDER"};
  }
  if (look_at(folder).there) {
    const auto entries = list_directory(folder);
    if (!entries || !entries->empty()) {
      return Error{Errc::invalid_argument, folder + " is there already and not empty",
                   "name a new folder"};
    }
  }
  std::string there = folder;
  while (!look_at(there).there) there = path_dirname(there);
  for (const std::string& place : agents_places(context)) {
    // One agent writes into the folders that were worked in: its place is the whole home.
    if (is_inside(context.home(), place)) continue;
    if (is_inside(there, place) || folder == place || folder.starts_with(place + "/")) {
      return Error{Errc::invalid_argument, folder + " lies in an agent's own store, " + place,
                   "yore never writes there: name another folder"};
    }
  }
  return {};
}

int restore_kept(Context& context, const ArchiveFlags& flags, const archive::Archive& archive) {
  if (flags.sessions.size() != 1) {
    return context.fail({Errc::invalid_argument, "--restore wants one session",
                         "yore archive --restore SESSION --out FOLDER"});
  }
  const std::string folder =
      flags.out.empty() ? "" : absolute_path(expand_home(flags.out, context.home()));
  if (Status fine = check_out(context, folder); !fine) return context.fail(fine.error());
  const auto all = archive.all();
  if (!all) return context.fail(all.error());
  std::vector<const archive::Entry*> found;
  for (const archive::Entry& entry : all->entries) {
    if (entry.ref.id == flags.sessions[0]) found = {&entry};
    if (entry.ref.id == flags.sessions[0]) break;
    const std::string_view id = entry.ref.id;
    const bool fits = id.starts_with(flags.sessions[0]) ||
                      id.substr(id.find(':') + 1).starts_with(flags.sessions[0]);
    if (fits && entry.ref.kind == transcript::SessionKind::main) found.push_back(&entry);
  }
  if (found.empty()) {
    return context.fail({Errc::not_found, "'" + flags.sessions[0] + "' is not in the archive",
                         "yore archive --list shows what is"});
  }
  if (found.size() > 1) {
    return context.fail({Errc::ambiguous, "'" + flags.sessions[0] + "' names several sessions"});
  }
  const std::vector<archive::Version>& versions = found[0]->versions;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const bool newest = i + 1 == versions.size();
    const std::string to = newest ? folder : path_join(folder, fmt::format("older-{}", i + 1));
    if (Status done = archive.restore(versions[i], to); !done) return context.fail(done.error());
  }
  if (context.globals.json) {
    print_json(context, service::Json{{"session_id", found[0]->ref.id},
                                      {"folder", folder},
                                      {"files", versions.back().files.size()}});
  } else {
    context.print(fmt::format("{} in {}\n", plural(versions.back().files.size(), "file"),
                              text::one_line(shown_path(folder, context.home()))));
  }
  return kFound;
}

int run_archive(Context& context, const ArchiveFlags& flags) {
  const archive::Archive archive(context.settings.data_dir);
  if (flags.restore) return restore_kept(context, flags, archive);
  if (flags.list) return list_kept_sessions(context, archive);
  if (flags.verify) return verify_archive(context, archive);
  if (Status known = context.check_agents(flags.agents); !known) return context.fail(known.error());
  return keep_chosen(context, flags);
}

}  // namespace

Action declare_archive(Options& options) {
  const auto flags = std::make_shared<ArchiveFlags>();  // shared with the action that outlives us
  options.words("[SESSION...]", flags->sessions, "sessions to keep; without any: all of them");
  options.texts("-p,--project", "NAME", flags->projects, "only of these projects");
  options.texts("-a,--agent", "NAME", flags->agents, "only of these agents");
  options.text("-s,--since", "WHEN", flags->since, "only last active at or after");
  options.text("-u,--until", "WHEN", flags->until, "only last active before");
  options.flag("--list", flags->list, "show what is kept");
  options.flag("--verify", flags->verify, "check that all of it can be read");
  options.flag("--restore", flags->restore, "write the files of one session to a new folder");
  options.text("--out", "FOLDER", flags->out, "that folder");
  return [flags](Context& context) { return run_archive(context, *flags); };
}

}  // namespace yore::cli
