// remember.cpp — three conversations that live in memory, and two questions about them.
#include <yore/yore.hpp>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>

namespace {

// Any store can be searched: it lists its conversations and reads one when asked.
class Notebook final : public yore::TranscriptSource {
 public:
  void add(const std::string& id, const std::string& asked, const std::string& concluded) {
    yore::SourceTurn turn;
    turn.user_prompt = asked;
    turn.assistant_text = {"Let me have a look.", concluded};
    pages_[id].push_back(turn);
  }
  yore::Result<std::vector<yore::SourceSession>> sessions() override {
    std::vector<yore::SourceSession> all;
    for (const auto& [id, turns] : pages_) {
      yore::SourceSession session;
      session.id = id;
      session.project = "shop";
      session.version = std::to_string(turns.size());
      all.push_back(session);
    }
    return all;
  }
  yore::Result<std::vector<yore::SourceTurn>> read(const std::string& id) override {
    return pages_[id];
  }

 private:
  std::map<std::string, std::vector<yore::SourceTurn>> pages_;
};

void ask(const yore::Corpus& corpus, const std::string& text, const std::string& surface) {
  yore::SearchQuery query;
  query.text = text;
  query.surfaces = {surface};
  const auto found = corpus.search(query);
  std::cout << text << "\n";
  if (!found) std::cout << "  " << found.error().message << "\n";
  if (!found || found->hits.empty()) return;
  const yore::SearchHit& best = found->hits.front();
  std::cout << "  " << best.session_id << ", turn " << best.turn_number << "\n";
  std::cout << "  asked:     " << best.user_prompt << "\n";
  std::cout << "  concluded: " << best.assistant_summary << "\n";
}

}  // namespace

int main() {
  const auto notebook = std::make_shared<Notebook>();
  notebook->add("monday", "The checkout times out.", "The pool of connections was too small.");
  notebook->add("tuesday", "Add a retry to the mailer.", "It retries three times, then gives up.");
  notebook->add("friday", "Why is the pool so small?", "Somebody tested with two connections.");

  std::string directory = std::filesystem::temp_directory_path() / "yore-remember-XXXXXX";
  if (::mkdtemp(directory.data()) == nullptr) return 1;
  yore::CorpusOptions options;
  options.data_dir = directory;
  options.source = notebook;
  auto corpus = yore::Corpus::open(options);
  const bool ready = corpus && corpus->refresh();
  if (ready) {
    ask(*corpus, "what did we conclude about the pool?", "assistant_summary");
    ask(*corpus, "what did I ask about the pool?", "user_prompt");
  }
  std::filesystem::remove_all(directory);
  return ready ? 0 : 1;
}
