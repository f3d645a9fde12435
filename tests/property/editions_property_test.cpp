// Nothing said is lost: whatever happens to the files of some sessions, and wherever a run is
// killed, every turn that was ever indexed and not forgotten is found, exactly once, and the marks
// that were put on it with it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include "base/hash.hpp"
#include "ingest/forget.hpp"
#include "search/searcher.hpp"
#include "search/session_id.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"
#include "support/state_dump.hpp"

namespace yore {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;

constexpr std::array<std::string_view, 2> kIds = {"aaaaaaaa-1111-4111-8111-111111111111",
                                                  "bbbbbbbb-1111-4111-8111-111111111111"};
constexpr std::array<std::string_view, 2> kFolders = {"-home-ann-code-blog", "-home-ann-code-shop"};

// Turns by number; each says a word of its own, made of its number.
std::string word_of(int turn) {
  std::string word = "q";
  for (; turn > 0; turn /= 20) word += static_cast<char>('a' + turn % 20);
  return word + "zz";
}

// A line of a turn: its prompt, or its answer. Equal ones are equal wherever they stand.
struct Line {
  int turn = 0;
  bool is_answer = false;
  [[nodiscard]] std::string text() const {
    const std::string word = word_of(turn);
    ClaudeLines lines("k" + word);
    std::string prompt = lines.prompt("asked for " + word);
    return is_answer ? lines.answer("said of " + word) : prompt;
  }
  // What its turn is known by: the key of its prompt, and the prompt.
  [[nodiscard]] std::uint64_t origin() const {
    const std::string word = word_of(turn);
    return hash64("asked for " + word, hash64("k" + word + "-0"));
  }
};
std::vector<Line> lines_of(int turn) {
  return {{turn, false}, {turn, true}};
}

// Files of two sessions in two folders.
class RewrittenFiles {
 public:
  RewrittenFiles() { machine.index(); }

  void step() {
    const auto at = *rc::gen::inRange<std::size_t>(0, 4);
    File& file = files_[at];
    switch (*rc::gen::inRange(0, 11)) {
      case 0:
      case 1:  // grows, or is made again
        for (const Line& line : lines_of(next_++)) file.lines.push_back(line);
        return write(at);
      case 2:  // is cut anywhere
        return cut(at);
      case 3:  // is compacted: the first turn goes, another comes
        std::erase_if(file.lines, [first = file.lines.empty() ? 0 : file.lines.front().turn](
                                      const Line& line) { return line.turn == first; });
        for (const Line& line : lines_of(next_++)) file.lines.push_back(line);
        return write(at);
      case 4:  // is copied over another of its session
        files_[(at + 2) % 4] = file;
        return write((at + 2) % 4);
      case 5:  // a fork goes on with the same turns
        files_[at ^ 1U] = file;
        return write(at ^ 1U);
      case 6:  // moves to the other folder
        files_[(at + 2) % 4] = file;
        write((at + 2) % 4);
        file = {};
        return machine.remove(path_of(at));
      case 7:
        file = {};
        return machine.remove(path_of(at));
      case 8:
        return forget(at % 2);
      case 9:
        return index_and_die();
      default:
        return index();
    }
  }

  void index() {
    ingest::IndexOptions options;
    options.force = *rc::gen::inRange(0, 6) == 0;
    machine.index(options);
    for (const int turn : readable()) seen.insert(turn);
  }

  std::size_t times_found(int turn) {
    auto searcher = search::Searcher::open(machine.world(), machine.settings(), {});
    RC_ASSERT(searcher.ok());
    search::SearchRequest request;
    request.query = word_of(turn);
    request.mode = search::SearchMode::keyword;
    const auto answer = searcher->search(request);
    RC_ASSERT(answer.ok());
    return answer->hits.size();
  }

  // Puts a star on a turn that was seen, or takes it off again.
  void mark() {
    if (seen.empty()) return;
    const int turn = *rc::gen::elementOf(std::vector<int>(seen.begin(), seen.end()));
    auto searcher = search::Searcher::open(machine.world(), machine.settings(), {});
    RC_ASSERT(searcher.ok());
    search::SearchRequest request;
    request.query = word_of(turn);
    request.mode = search::SearchMode::keyword;
    const auto answer = searcher->search(request);
    RC_ASSERT(answer.ok() && answer->hits.size() == 1U);
    const auto chunk = searcher->chunk(answer->hits[0].chunk_id, 0);
    RC_ASSERT(chunk.ok());
    const store::Mark star{
        store::MarkKind::star,
        "",
        {std::string(search::edition_base(chunk->session.uid)), chunk->origin, chunk->chunk},
        from_ms(1)};
    if (marked.erase(turn) > 0) {
      const auto gone = store::Marks::remove(machine.data_dir(), star);
      RC_ASSERT(gone.ok() && *gone == 1U);
    } else {
      const auto added = store::Marks::add(machine.data_dir(), star);
      RC_ASSERT(added.ok() && *added);
      marked.insert(turn);
    }
  }

  // The turns that a star leads to, and those whose hit shows one.
  std::set<int> starred() {
    auto searcher = search::Searcher::open(machine.world(), machine.settings(), {});
    RC_ASSERT(searcher.ok());
    search::SearchRequest request;
    request.starred = true;
    request.limit = 1000;
    const auto answer = searcher->search(request);
    RC_ASSERT(answer.ok());
    std::set<int> turns;
    for (const search::Hit& hit : answer->hits) {
      RC_ASSERT(hit.marks.starred);
      const std::string& asked = hit.messages.front().content;
      const std::string word = asked.substr(asked.rfind(' ') + 1);
      const auto turn = std::ranges::find(seen, word, word_of);
      RC_ASSERT(turn != seen.end());
      RC_ASSERT(turns.insert(*turn).second);
    }
    return turns;
  }

  FakeWorld machine;
  std::set<int> seen;
  std::set<int> perhaps_seen;  // by a run that was killed
  std::set<int> forgotten;
  std::set<int> marked;

 private:
  struct File {
    std::vector<Line> lines;
    std::string torn;  // the beginning of another line
    [[nodiscard]] std::string text() const {
      std::string all;
      for (const Line& line : lines) all += line.text();
      return all + torn;
    }
  };

  [[nodiscard]] std::string path_of(std::size_t file) const {
    return machine.session_path(kFolders[file / 2], kIds[file % 2]);
  }
  void write(std::size_t file) {
    files_[file].torn.clear();
    machine.write(path_of(file), files_[file].text());
  }
  void cut(std::size_t at) {
    File& file = files_[at];
    const std::string text = file.text();
    if (text.empty()) return;
    const auto size = *rc::gen::inRange<std::size_t>(0, text.size());
    std::vector<Line> left;
    std::size_t end = 0;
    for (const Line& line : file.lines) {
      if (end + line.text().size() > size) break;
      end += line.text().size();
      left.push_back(line);
    }
    // A line that lacks nothing but its end is whole.
    file.lines = std::move(left);
    file.torn = text.substr(end, size - end);
    machine.write(path_of(at), file.text());
  }

  // Of two copies one is read, the longer: what only stood in the other is never seen.
  [[nodiscard]] std::set<int> readable() const {
    std::set<int> turns;
    for (std::size_t i = 0; i < 2; ++i) {
      if (gone_for_good_[i]) continue;
      const bool first = files_[i].text().size() >= files_[i + 2].text().size();
      const File& read = files_[first ? i : i + 2];
      for (const Line& line : read.lines) turns.insert(line.turn);
      const std::string& torn = read.torn;
      if (torn.ends_with('}') && nlohmann::json::accept(torn)) turns.insert(turn_said_in(torn));
    }
    for (const int turn : forgotten) turns.erase(turn);
    return turns;
  }
  [[nodiscard]] int turn_said_in(const std::string& line) const {
    int turn = 0;
    while (line.find(word_of(turn) + "\"") == std::string::npos) ++turn;
    return turn;
  }

  void forget(std::size_t session) {
    if (*rc::gen::inRange(0, 3) != 0) return;
    auto store = machine.store();
    const auto row = store.session_by_uid(kIds[session]);
    if (!row.ok() || !row->has_value()) return;
    const auto plan = ingest::plan_forgetting(store, {{(*row)->id}, {}});
    RC_ASSERT(plan.ok());
    const std::atomic<bool> never{false};
    RC_ASSERT(ingest::forget(machine.world(), machine.settings(), *plan, never).ok());
    gone_for_good_[session] = true;
    for (int turn = 1; turn < next_; ++turn) {
      const auto& origins = plan->origins;
      if (std::ranges::find(origins, Line{turn, false}.origin()) == origins.end()) continue;
      forgotten.insert(turn);
      seen.erase(turn);
      perhaps_seen.erase(turn);
      marked.erase(turn);
    }
  }

  // As when the power goes at any point between two commits.
  void index_and_die() {
    const int point = *rc::gen::inRange(1, 6);
    const pid_t child = ::fork();
    RC_ASSERT(child >= 0);
    if (child == 0) {
      int left = point;
      const std::atomic<bool> never{false};
      (void)ingest::run_index(
          machine.world(), machine.settings(), {},
          [&left](const auto&) {
            if (--left == 0) ::_exit(0);
          },
          never);
      ::_exit(0);
    }
    int how = 0;
    RC_ASSERT(::waitpid(child, &how, 0) == child);
    for (const int turn : readable()) {
      if (!seen.contains(turn)) perhaps_seen.insert(turn);
    }
  }

  std::array<File, 4> files_;
  std::array<bool, 2> gone_for_good_{};
  int next_ = 1;
};

RC_GTEST_PROP(Editions, EveryTurnEverSeenIsFoundOnce, ()) {
  RewrittenFiles files;
  const int steps = *rc::gen::inRange(1, 30);
  for (int i = 0; i < steps; ++i) files.step();
  files.index();
  for (const int turn : files.seen) RC_ASSERT(files.times_found(turn) == 1U);
  for (const int turn : files.perhaps_seen) RC_ASSERT(files.times_found(turn) <= 1U);
  for (const int turn : files.forgotten) RC_ASSERT(files.times_found(turn) == 0U);
  auto store = files.machine.store();
  RC_ASSERT(fake::feed_problem(store) == "");
}

// Every mark is found again by what it was put on, and found nowhere else.
RC_GTEST_PROP(Editions, MarksFollowTheirTurns, ()) {
  RewrittenFiles files;
  const int steps = *rc::gen::inRange(1, 25);
  for (int i = 0; i < steps; ++i) {
    files.step();
    if (*rc::gen::inRange(0, 3) != 0) continue;
    files.index();
    files.mark();
  }
  files.index();
  RC_ASSERT(files.starred() == files.marked);
  auto reader = files.machine.reader();
  const auto marks = reader.marks();
  RC_ASSERT(marks.ok() && marks->all().size() == files.marked.size());
  for (const store::Mark& mark : marks->all()) {
    const auto place = reader.find_marked(mark.on);
    RC_ASSERT(place.ok() && *place && (*place)->turn);
  }
}

}  // namespace
}  // namespace yore
