#include "service/doctor.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "base/files/file.hpp"
#include "config/sealed_stores.hpp"
#include "config/whereabouts.hpp"
#include "derive/embedder.hpp"
#include "derive/keyword_index.hpp"
#include "derive/open_model.hpp"
#include "ingest/mending.hpp"
#include "lexical/format/snapshot.hpp"
#include "service/doctor_wiring.hpp"
#include "service/index_notes.hpp"
#include "service/status.hpp"
#include "store/exchange.hpp"
#include "store/lock.hpp"
#include "store/mend.hpp"
#include "store/schema.hpp"
#include "store/store.hpp"
#include "store/tombstones.hpp"
#include "store/upkeep.hpp"
#include "transcript/stores/store_versions.hpp"
#include "vector/vector_set.hpp"

namespace yore::service {
namespace {

using Level = Finding::Level;

constexpr std::size_t kMostListed = 20;
constexpr const char* kMendsItself =
    "the next search or yore index mends it; yore doctor --fix does so now";

constexpr const char* kNewerYore =
    "what is known of it is read; update yore when something is missing";

// Files in the data directory that are ours.
constexpr std::string_view kOwnFiles[] = {
    "yore.db",        "yore.db-wal", "yore.db-shm", "writer.lock",     "files",
    "keeper",         "keeper.lock", "embed.lock",  "yore.db.damaged", "yore.db.damaged-wal",
    "yore.db.mended", "mending"};

class Examination {
 public:
  Examination(const config::World& world, const config::Settings& settings, bool fix)
      : world_(world), settings_(settings), fix_(fix) {}

  Result<std::vector<Finding>> run() {
    check_settings();
    check_permissions();
    check_strangers();
    for (Finding& finding : examine_wiring(world_, settings_)) {
      findings_.push_back(std::move(finding));
    }
    auto store = store::Store::open_existing(settings_.data_dir);
    if (!store) {
      check_unopened(store.error());
      return std::move(findings_);
    }
    // What a damaged database says about anything else is worth nothing.
    if (!check_database(*store)) return std::move(findings_);
    check_mended(*store);
    check_keywords(*store);
    check_meaning();
    auto status = read_status(world_, settings_);
    if (!status) return status.error();
    check_sources(*status);
    if (Status checked = check_versions(*store, *status); !checked) return checked.error();
    check_skipped(*status);
    check_unknown(*status);
    if (Status checked = check_orphans(*store); !checked) return checked.error();
    return std::move(findings_);
  }

 private:
  Finding& add(Level level, std::string area, std::string message, std::string what_to_do = "") {
    findings_.push_back(
        {level, std::move(area), std::move(message), std::move(what_to_do), false, false});
    return findings_.back();
  }

  void check_settings() {
    for (const std::string& warning : settings_.warnings) {
      add(Level::note, "settings", warning, "remove the key or correct its name");
    }
    if (settings_.warnings.empty() && is_regular_file(settings_.config_path)) {
      add(Level::ok, "settings", settings_.config_path + " is fine");
    }
  }

  void check_mode(const std::string& path, mode_t wanted) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return;
    if ((info.st_mode & 0077) == 0) return;
    ++open_modes_;
    Finding& finding = add(Level::problem, "permissions", path + " can be read by others",
                           "chmod " + std::string(wanted == 0700 ? "0700" : "0600"));
    finding.fixable = true;
    finding.fixed = fix_ && ::chmod(path.c_str(), wanted) == 0;
  }

  void check_permissions() {
    if (!is_directory(settings_.data_dir)) return;
    check_mode(settings_.data_dir, 0700);
    for (const std::string_view name : kOwnFiles) {
      check_mode(path_join(settings_.data_dir, name), 0600);
    }
    const std::string keep = store::keep_directory(settings_.data_dir);
    check_mode(keep, 0700);
    if (const auto kept = list_directory(keep)) {
      for (const DirEntry& entry : *kept) {
        check_mode(path_join(keep, entry.name), entry.type == FileType::directory ? 0700 : 0600);
      }
    }
    if (open_modes_ == 0) {
      add(Level::ok, "permissions", settings_.data_dir + " is private (0700, files 0600)");
    }
  }

  void check_strangers() {
    const auto entries = list_directory(settings_.data_dir);
    if (!entries) return;
    const std::string keywords = derive::keyword_directory(settings_.data_dir);
    const std::string vectors = derive::vector_directory(settings_.data_dir);
    for (const DirEntry& entry : *entries) {
      if (std::ranges::find(kOwnFiles, entry.name) != std::end(kOwnFiles)) continue;
      if (entry.name == path_basename(keywords) || entry.name == path_basename(vectors)) continue;
      if (entry.name == path_basename(store::keep_directory(settings_.data_dir))) continue;
      add(Level::note, "orphans",
          path_join(settings_.data_dir, entry.name) + " is not a file of yore", "look at it");
    }
  }

  void check_unopened(const Error& error) {
    if (error.code == Errc::not_found) {
      const Error none = no_index_yet("run: yore index");
      add(Level::note, "database", none.message, none.hint);
      return;
    }
    const std::string hint = error.hint.empty() ? kMendsItself : error.hint;
    Finding& finding = add(Level::problem, "database", error.message, hint);
    if (error.code == Errc::corrupt) mend(finding);
  }

  void mend(Finding& finding) {
    finding.fixable = true;
    if (!fix_) return;
    const auto mended = ingest::mend_if_damaged(world_, settings_);
    finding.fixed = mended && *mended;
  }

  bool check_database(store::Store& store) {
    const auto checked = store.integrity();
    if (!checked || *checked != "ok") {
      mend(add(Level::problem, "database",
               "the database is damaged: " + (checked ? *checked : checked.error().message),
               kMendsItself));
      return false;
    }
    add(Level::ok, "database", "intact, schema " + std::to_string(store::kSchemaVersion));
    if (const auto holder = store::WriterLock::holder(settings_.data_dir)) {
      add(Level::ok, "database", "process " + std::to_string(*holder) + " is writing");
    }
    return true;
  }

  void check_mended(store::Store& store) {
    const auto mended = store::mended(store);
    if (!mended || !*mended) return;
    const std::string copy = store::damaged_path(store::Store::database_path(settings_.data_dir));
    const std::string hint =
        is_regular_file(copy) ? "the damaged store is kept as " + copy + "; it may be removed" : "";
    add((*mended)->losses.empty() ? Level::ok : Level::note, "database",
        store::mended_note(**mended), hint);
    for (const store::Loss& loss : (*mended)->losses) {
      add(Level::note, "database", "lost with the damaged store: " + store::loss_text(loss));
    }
  }

  // Derived: damage costs nothing but the time to build it again.
  void check_keywords(store::Store& store) {
    const std::string directory = derive::keyword_directory(settings_.data_dir);
    check_mode(directory, 0700);
    const auto snapshot = lexical::Snapshot::open(directory);
    if (!snapshot && snapshot.error().code == Errc::not_found) {
      add(Level::note, "keywords", "there is no keyword index yet", "run: yore index");
      return;
    }
    const Status verified = snapshot ? (*snapshot)->verify() : Status(snapshot.error());
    if (!verified) {
      Finding& finding = add(Level::problem, "keywords",
                             "the keyword index is damaged: " + verified.error().message,
                             "throw it away; the next search or index builds it again");
      finding.fixable = true;
      finding.fixed = fix_ && derive::discard_keywords(settings_.data_dir, *world_.files).ok();
      return;
    }
    const auto commit = store.last_commit();
    const lexical::StoreState& covers = (*snapshot)->covers();
    const bool current = commit && covers.seq == commit->seq && covers.nonce == commit->nonce;
    add(current && covers.details_complete ? Level::ok : Level::note, "keywords",
        current && covers.details_complete ? "the keyword index is intact and complete"
                                           : "the keyword index is intact but behind the database",
        current && covers.details_complete ? "" : "run: yore index");
  }

  // Without them search by words goes on as before.
  void check_meaning() {
    const auto model = derive::open_model(world_);
    const Status whole = model ? (*model)->verify() : Status(model.error());
    if (!whole) {
      add(Level::problem, "model", whole.error().message,
          whole.error().hint.empty() ? "put the file back from the source tree (models)"
                                     : whole.error().hint);
      return;
    }
    add(Level::ok, "model", (*model)->path() + " is intact");
    const std::string directory = derive::vector_directory(settings_.data_dir);
    check_mode(directory, 0700);
    const auto vectors = vector::VectorSet::open(directory, (*model)->fingerprint());
    if (!vectors && vectors.error().code == Errc::not_found) {
      add(Level::note, "vectors", "nothing is searchable by meaning yet", "run: yore index");
      return;
    }
    const Status sound = vectors ? (*vectors)->verify() : Status(vectors.error());
    if (!sound) {
      Finding& finding = add(Level::problem, "vectors", sound.error().message,
                             "yore index keeps what is sound and makes the rest again");
      finding.fixable = true;
      finding.fixed = fix_ && derive::mend_vectors(world_, settings_).ok();
      return;
    }
    add(Level::ok, "vectors",
        std::to_string((*vectors)->rows()) + " texts have intact vectors of this model");
  }

  void check_sources(const StatusReport& status) {
    for (const RootStatus& root : status.roots) {
      if (!root.place.empty()) {
        add(Level::ok, "sources",
            root.agent + ": " + root.path + " (" + root.place + "), " +
                std::to_string(root.sessions) +
                " sessions; looked at by yore index and by servers");
      } else if (root.exists) {
        add(Level::ok, "sources",
            root.agent + ": " + root.path + ", " + std::to_string(root.sessions) + " sessions");
      } else {
        add(Level::note, "sources", root.agent + ": " + root.path + " does not exist (any more)",
            "what was read from it is kept; yore index --forget-missing removes it");
      }
    }
    for (const config::SealedStore& sealed : config::sealed_stores(world_.env)) {
      add(Level::note, "sources",
          std::string(sealed.name) + ": " + sealed.path + ": " + std::string(config::kSealed));
    }
    for (const store::TroubleRow& trouble : status.troubles) {
      add(Level::problem, "sources", trouble.path + ": " + trouble.message);
    }
    std::uint64_t missing = 0;
    for (const store::AgentCounts& agent : status.agents) {
      missing += agent.missing;
      if (agent.versions.empty()) continue;
      add(Level::ok, "formats", agent.agent + " " + agent.versions);
    }
    if (missing > 0) {
      add(Level::note, "sources",
          std::to_string(missing) + " sessions are kept although their file is gone",
          "yore index --forget-missing removes them");
    }
  }

  // Stores that their agents have changed since we learnt to read them. Other disks are left alone.
  Status check_versions(store::Store& store, const StatusReport& status) {
    const config::Whereabouts where(world_, settings_.data_dir);
    const auto containers = store.containers();
    if (!containers) return containers.error();
    for (const auto& [path, stamp] : *containers) {
      const auto sessions = store.sessions_at(path);
      if (!sessions) return sessions.error();
      if (!sessions->empty() && !where.is_far(path)) add_newer(sessions->front().agent, path);
    }
    for (const RootStatus& root : status.roots) {
      const std::string_view file = transcript::version_file(root.agent);
      if (root.exists && !file.empty()) add_newer(root.agent, path_join(root.path, file));
    }
    std::map<std::string, std::uint64_t> sessions;
    for (const store::ProblemRow& problem : status.problems) {
      if (problem.kind != transcript::ProblemKind::unknown_schema) continue;
      ++sessions[problem.uid.substr(0, problem.uid.find(':'))];
    }
    for (const auto& [agent, count] : sessions) {
      add(Level::note, "formats",
          agent + ": " + std::to_string(count) +
              " sessions in a version of its format that is not known",
          kNewerYore);
    }
    return {};
  }

  void add_newer(const std::string& agent, const std::string& path) {
    const auto newer = transcript::newer_store(agent, path);
    if (!newer) return;
    add(Level::note, "formats",
        agent + ": " + path + " is of " + newer->found + ", known is up to " + newer->known,
        kNewerYore);
  }

  void check_skipped(const StatusReport& status) {
    std::size_t listed = 0;
    for (const store::ProblemRow& problem : status.problems) {
      if (++listed > kMostListed) break;
      add(Level::note, "skipped",
          problem.path + ": " + std::to_string(problem.count) + " × " +
              std::string(transcript::problem_name(problem.kind)) + ", line " + problem.lines);
    }
    if (status.problems.size() > kMostListed) {
      add(Level::note, "skipped",
          std::to_string(status.problems.size() - kMostListed) + " more files with problems",
          "yore status --json lists all");
    }
    if (status.problems.empty()) add(Level::ok, "skipped", "every record could be read");
  }

  void check_unknown(const StatusReport& status) {
    std::size_t listed = 0;
    for (const store::UnknownRow& unknown : status.unknowns) {
      if (++listed > kMostListed) break;
      add(Level::note, "unknown",
          unknown.agent + ": " + unknown.what + ", " + std::to_string(unknown.count) + " × in " +
              std::to_string(unknown.sessions) + " sessions",
          "the format may have changed; a newer yore may know it");
    }
  }

  Status check_orphans(store::Store& store) {
    const auto orphans = store::count_orphans(store);
    if (!orphans) return orphans.error();
    if (*orphans == 0) {
      add(Level::ok, "orphans", "no orphaned rows");
      return {};
    }
    Finding& finding = add(Level::problem, "orphans",
                           std::to_string(*orphans) + " rows belong to no session", "remove them");
    finding.fixable = true;
    if (!fix_) return {};
    const auto lock = store::WriterLock::try_acquire(settings_.data_dir, *world_.files);
    if (!lock) return lock.error();
    const Status removed = store::remove_orphans(store);
    finding.fixed = removed.ok();
    return removed;
  }

  const config::World& world_;
  const config::Settings& settings_;
  bool fix_;
  int open_modes_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace

bool is_broken(const Finding& finding) {
  return finding.level == Level::problem && !finding.fixed;
}

Result<std::vector<Finding>> examine(const config::World& world, const config::Settings& settings,
                                     bool fix) {
  return Examination(world, settings, fix).run();
}

}  // namespace yore::service
