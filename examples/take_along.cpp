// take_along.cpp — every turn of a store, one after the other, as a program that has an index of
// its own would take them: what it has seen with the same hash it need not look at again.
#include <yore/yore.hpp>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>

namespace {

class Notebook final : public yore::TranscriptSource {
 public:
  std::map<std::string, std::vector<yore::SourceTurn>> pages;

  yore::Result<std::vector<yore::SourceSession>> sessions() override {
    std::vector<yore::SourceSession> all;
    for (const auto& [id, turns] : pages) {
      yore::SourceSession session;
      session.id = id;
      session.project = "shop";
      all.push_back(session);
    }
    return all;
  }
  yore::Result<std::vector<yore::SourceTurn>> read(const std::string& id) override {
    return pages[id];
  }
};

yore::SourceTurn turn(const std::string& asked, const std::string& concluded) {
  yore::SourceTurn made;
  made.user_prompt = asked;
  made.assistant_text = {concluded};
  return made;
}

// By id, the hash of what was seen.
using Seen = std::map<std::string, std::string>;

// Brings the corpus up to date and takes along what is not in `seen` as it is.
bool take_along(yore::Corpus& corpus, Seen& seen) {
  if (!corpus.refresh()) return false;
  auto walk = corpus.turns();
  while (walk) {
    const auto next = walk->next();
    if (!next) break;
    if (!*next) return true;
    const yore::TurnRecord& turn = **next;
    std::string& hash = seen[turn.id];
    if (hash != turn.content_hash) {
      std::cout << (hash.empty() ? "new      " : "changed  ") << turn.metadata.session_id << " "
                << turn.metadata.turn_number << "  " << turn.assistant_summary << "\n";
    }
    hash = turn.content_hash;
  }
  return false;
}

}  // namespace

int main() {
  const auto notebook = std::make_shared<Notebook>();
  notebook->pages["friday"] = {turn("Why is the pool so small?", "Somebody tested with two.")};
  notebook->pages["monday"] = {turn("The checkout times out.", "The pool was too small."),
                               turn("Thanks!", "You are welcome.")};

  std::string directory = std::filesystem::temp_directory_path() / "yore-take-along-XXXXXX";
  if (::mkdtemp(directory.data()) == nullptr) return 1;
  yore::CorpusOptions options;
  options.data_dir = directory;
  options.source = notebook;
  auto corpus = yore::Corpus::open(options);
  Seen seen;
  bool done = corpus && take_along(*corpus, seen);
  std::cout << "-- the next day\n";
  notebook->pages["monday"][1].assistant_text.emplace_back("Anything else?");
  notebook->pages["monday"].push_back(turn("Make it twenty.", "It is twenty now."));
  done = done && take_along(*corpus, seen);
  std::filesystem::remove_all(directory);
  return done ? 0 : 1;
}
