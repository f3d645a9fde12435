// Nothing said is lost: whatever happens to the files of some sessions, every turn that was ever
// indexed is found, exactly once, and the marks that were put on it with it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

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

std::string lines_of(const std::vector<int>& turns) {
  std::string text;
  for (const int turn : turns) {
    const std::string word = word_of(turn);
    ClaudeLines lines("k" + word);
    text += lines.prompt("asked for " + word) + lines.answer("said of " + word);
  }
  return text;
}

// Files of two sessions in two folders, as lists of turns.
class RewrittenFiles {
 public:
  RewrittenFiles() { machine.index(); }

  void step() {
    const auto file = *rc::gen::inRange<std::size_t>(0, 4);
    std::vector<int>& turns = files_[file];
    const std::string path = machine.session_path(kFolders[file / 2], kIds[file % 2]);
    switch (*rc::gen::inRange(0, 8)) {
      case 0:
      case 1:  // grows
        turns.push_back(next_++);
        machine.append(path, lines_of({turns.back()}));
        return;
      case 2:  // is cut between two turns
        if (!turns.empty()) turns.resize(*rc::gen::inRange<std::size_t>(0, turns.size()));
        return rewrite(path, turns);
      case 3:  // is compacted: the first ones go, another comes
        if (turns.size() > 1) turns.erase(turns.begin(), turns.begin() + 1);
        turns.push_back(next_++);
        return rewrite(path, turns);
      case 4:  // is copied over another of its session
        files_[(file + 2) % 4] = turns;
        return rewrite(machine.session_path(kFolders[(file + 2) % 4 / 2], kIds[file % 2]), turns);
      case 5:  // a fork goes on with the same turns
        files_[file ^ 1U] = turns;
        return rewrite(machine.session_path(kFolders[file / 2], kIds[(file ^ 1U) % 2]), turns);
      case 6:
        turns.clear();
        return machine.remove(path);
      default:
        return index();
    }
  }

  void index() {
    ingest::IndexOptions options;
    options.force = *rc::gen::inRange(0, 6) == 0;
    machine.index(options);
    // Of two copies one is read, the longer: what only stood in the other was never seen.
    for (std::size_t i = 0; i < 2; ++i) {
      const std::vector<int>& a = files_[i];
      const std::vector<int>& b = files_[i + 2];
      const bool first = lines_of(a).size() >= lines_of(b).size();
      for (const int turn : first ? a : b) seen.insert(turn);
    }
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
  std::set<int> marked;

 private:
  void rewrite(const std::string& path, const std::vector<int>& turns) {
    machine.write(path, lines_of(turns));
  }
  std::array<std::vector<int>, 4> files_;
  int next_ = 1;
};

RC_GTEST_PROP(Editions, EveryTurnEverSeenIsFoundOnce, ()) {
  RewrittenFiles files;
  const int steps = *rc::gen::inRange(1, 25);
  for (int i = 0; i < steps; ++i) files.step();
  files.index();
  for (const int turn : files.seen) RC_ASSERT(files.times_found(turn) == 1U);
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
