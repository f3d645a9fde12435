#include "support/stepped_world.hpp"

#include <array>
#include <atomic>
#include <filesystem>

#include "derive/embedder.hpp"
#include "derive/keyword_index.hpp"
#include "derive/open_model.hpp"
#include "lexical/format/snapshot.hpp"
#include "service/access.hpp"
#include "service/freshness.hpp"
#include "store/lock.hpp"
#include "support/claude_lines.hpp"
#include "support/state_dump.hpp"
#include "vector/vector_set.hpp"

namespace yore::fake {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "-home-ann-code-blog";
constexpr const char* kGrowing = "aaaa1111-2222-4333-8444-555555555555";
constexpr const char* kOther = "bbbb1111-2222-4333-8444-555555555555";
const std::atomic<bool> kNever{false};

enum StepNumber : std::size_t { kBuild, kAppend, kSearch, kRewrite, kFold, kMerge, kEmbed };
constexpr std::array kNames = {
    "first build", "append", "append found by a search", "rewrite", "fold", "merge", "embed"};

// So small that one update is a log worth folding and two segments are worth merging.
derive::KeywordOptions tiny(const FileSystem& files) {
  derive::KeywordOptions options;
  options.limits.fold_frames = 1;
  options.limits.tier_width = 2;
  options.files = &files;
  return options;
}

std::string round_of(ClaudeLines& lines, const std::string& what) {
  return lines.prompt("Why does the " + what + " fail?") +
         lines.tool_call("Bash", {{"command", "make " + what}}) +
         lines.tool_result("undefined reference to " + what) +
         lines.answer("The library of the " + what + " is missing.");
}

// All that a session says up to and with this round, in one of two versions.
std::string script(std::string_view session, const std::string& version, int rounds) {
  ClaudeLines lines{std::string(session) + version};
  std::string text;
  for (int i = 0; i < rounds; ++i) {
    text += round_of(lines, version + "kettle" + std::to_string(i));
  }
  return text;
}

std::string text_of(const std::vector<search::Hit>& hits) {
  std::string text;
  for (const search::Hit& hit : hits) {
    text += "  " + hit.session.uid + ":" + std::to_string(hit.turn_number) + " " + hit.chunk_id +
            (hit.superseded ? " superseded " : " ") + hit.snippet.text + "\n";
  }
  return text;
}

std::string state_of(const std::string& data_dir) {
  auto store = store::Store::open_existing(data_dir);
  if (!store) return "no store: " + store.error().message + "\n";
  const auto checked = store->integrity();
  std::string text = checked && *checked == "ok" ? "" : "the database is damaged\n";
  text += dump_state(*store);
  text += feed_problem(*store);
  const auto snapshot = lexical::Snapshot::open(derive::keyword_directory(data_dir));
  const auto last = store->last_commit();
  if (!snapshot || !last) return text + "no keyword index\n";
  const lexical::StoreState& covers = (*snapshot)->covers();
  const bool current =
      covers.details_complete && covers.seq == last->seq && covers.nonce == last->nonce;
  text += current ? "the keyword index is current" : "the keyword index is behind";
  return text + ((*snapshot)->verify().ok() ? " and sound\n" : " and damaged\n");
}

}  // namespace

SteppedWorld::SteppedWorld() : settings_(machine_.settings()) {}

std::size_t SteppedWorld::steps() {
  return kNames.size();
}

const char* SteppedWorld::name(std::size_t step) {
  return kNames.at(step);
}

void SteppedWorld::prepare(std::size_t step) {
  const std::string growing = machine_.session_path(kFolder, kGrowing);
  const auto grow = [&](const std::string& version, int from, int to) {
    const std::string before = script(kGrowing, version, from);
    machine_.append(growing, script(kGrowing, version, to).substr(before.size()));
  };
  if (step == kBuild) {
    machine_.write(growing, script(kGrowing, "", 1));
    machine_.write(machine_.session_path(kFolder, kOther), script(kOther, "", 1));
  }
  if (step == kAppend) grow("", 1, 2);
  if (step == kSearch) grow("", 2, 3);
  if (step == kRewrite) machine_.write(growing, script(kGrowing, "second", 1));
  if (step == kFold) grow("second", 1, 2);
  fs::remove_all(saved());
  if (fs::exists(settings_.data_dir)) {
    fs::copy(settings_.data_dir, saved(), fs::copy_options::recursive);
  }
}

void SteppedWorld::restart() const {
  const std::string data_dir = settings_.data_dir;
  fs::remove_all(data_dir);
  if (fs::exists(saved())) fs::copy(saved(), data_dir, fs::copy_options::recursive);
}

SteppedWorld::Outcome SteppedWorld::run(std::size_t step, const FileSystem& files) {
  switch (step) {
    case kSearch:
      return refresh(files);
    case kFold:
      return fold(files);
    case kMerge:
      return merge(files);
    case kEmbed:
      return embed(files);
    default:
      return index(files, true);
  }
}

config::World SteppedWorld::world_with(const FileSystem& files) const {
  config::World world = machine_.world();
  world.files = &files;
  return world;
}

SteppedWorld::Outcome SteppedWorld::index(const FileSystem& files, bool keywords) const {
  ingest::IndexOptions options;
  options.threads = 1;
  options.keywords = keywords;
  const auto report = ingest::run_index(world_with(files), settings_, options, nullptr, kNever);
  if (!report) return {report.error(), false};
  return {{}, report->troubles.empty()};
}

SteppedWorld::Outcome SteppedWorld::refresh(const FileSystem& files) const {
  const auto fresh =
      service::bring_up_to_date(world_with(files), settings_, {}, {}, nullptr, kNever);
  if (!fresh) return {fresh.error(), false};
  const bool quiet = !fresh->report || fresh->report->troubles.empty();
  return {{}, quiet && !fresh->busy && fresh->notes.empty()};
}

SteppedWorld::Outcome SteppedWorld::fold(const FileSystem& files) const {
  Outcome read = index(files, false);
  if (!read.status) return read;
  const std::string data_dir = settings_.data_dir;
  const auto lock = store::WriterLock::try_acquire(data_dir, files);
  if (!lock) return {lock.error(), false};
  auto store = store::Store::open(data_dir);
  if (!store) return {store.error(), false};
  const auto taken = derive::update_keywords(*store, data_dir, {}, kNever, tiny(files));
  if (!taken) return {taken.error(), false};
  return {{}, read.is_whole};
}

SteppedWorld::Outcome SteppedWorld::merge(const FileSystem& files) const {
  const Status merged = derive::merge_keywords(settings_.data_dir, UINT64_MAX, kNever, tiny(files));
  return {merged, merged.ok()};
}

SteppedWorld::Outcome SteppedWorld::embed(const FileSystem& files) const {
  const auto report = derive::embed(world_with(files), settings_, {}, nullptr, kNever);
  if (!report) return {report.error(), false};
  return {{}, report->waiting == 0};
}

bool SteppedWorld::has_vectors() const {
  return fs::exists(derive::vector_directory(settings_.data_dir));
}

// The model is opened only where there is something for it: that takes as long as all the rest.
search::SearchRequest SteppedWorld::asking(const std::string& query, bool by_meaning) {
  search::SearchRequest request;
  request.query = query;
  request.mode = by_meaning ? search::SearchMode::hybrid : search::SearchMode::keyword;
  request.count_embedded = by_meaning;
  return request;
}

std::string SteppedWorld::observe() const {
  std::string text = state_of(settings_.data_dir);
  auto searcher = search::Searcher::open(machine_.world(), settings_, {});
  if (!searcher) return text + "cannot search: " + searcher.error().message;
  for (const char* query : {"library", "kettle2", "secondkettle1", "undefined"}) {
    const auto answer = searcher->search(asking(query, false));
    text += std::string(query) + ":\n";
    text += answer ? text_of(answer->hits) : answer.error().message;
  }
  if (!has_vectors()) return text;
  const auto answer = searcher->search(asking("a tool that makes tea", true));
  text += answer ? text_of(answer->closest) + text_of(answer->hits) : answer.error().message;
  const auto counts = derive::count_embedded(machine_.world(), settings_);
  if (!counts) return text + counts.error().message;
  return text + std::to_string(counts->embedded) + " of " + std::to_string(counts->documents) +
         " embedded\n";
}

std::string SteppedWorld::ask() const {
  service::IndexAccess::Options options;
  options.settings = settings_;
  options.world = [this] { return machine_.world(); };
  options.rebuild = [](service::IndexAccess& access) {
    return derive::build_discarded_keywords(access.settings().data_dir,
                                            std::chrono::milliseconds{0}, kNever);
  };
  service::IndexAccess access(std::move(options));
  const auto found = access.search(asking("kettle0 library", has_vectors()));
  return found ? "" : found.error().message;
}

bool SteppedWorld::mend() const {
  bool mended = false;
  const auto snapshot = lexical::Snapshot::open(derive::keyword_directory(settings_.data_dir));
  if (snapshot && !(*snapshot)->verify()) {
    mended = derive::discard_keywords(settings_.data_dir).ok();
  }
  if (!has_vectors()) return mended;
  const auto model = derive::open_model(machine_.world());
  if (!model) return mended;
  const auto vectors = vector::VectorSet::open(derive::vector_directory(settings_.data_dir),
                                               (*model)->fingerprint());
  if (vectors && !(*vectors)->verify()) {
    mended = derive::mend_vectors(machine_.world(), settings_).ok() || mended;
  }
  return mended;
}

std::vector<std::string> SteppedWorld::leftovers() const {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(settings_.data_dir)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".tmp-") != std::string::npos) found.push_back(entry.path().string());
  }
  return found;
}

}  // namespace yore::fake
