// Texts get their vectors, and searches by meaning find them: with the real model.
#include "derive/embedder.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.hpp"
#include "base/files/file_lock.hpp"
#include "derive/keyword_index.hpp"
#include "derive/open_model.hpp"
#include "search/searcher.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"
#include "vector/vector_set.hpp"

namespace yore::derive {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;

const std::string kCat = "aaaaaaaa-2222-4333-8444-555555555555";
const std::string kProxy = "bbbbbbbb-2222-4333-8444-555555555555";
const std::string kCopy = "cccccccc-2222-4333-8444-555555555555";

class Embedding : public testing::Test {
 protected:
  Embedding() {
    write(kCat, {{"My kitten refuses to eat its food", "Warm the meal a little before serving."}});
    write(kProxy, {{"The reverse proxy answers 502 under load",
                    "The upstream closed idle connections; keepalive is longer now."}});
    machine.index();
  }

  void write(const std::string& id, const std::vector<std::pair<std::string, std::string>>& turns,
             std::chrono::minutes ago = std::chrono::hours{24}) {
    ClaudeLines lines(id);
    lines.set_time(machine.world().now - ago);
    std::string text;
    for (const auto& [prompt, answer] : turns) text += lines.prompt(prompt) + lines.answer(answer);
    machine.write(machine.session_path("-home-ann-code-blog", id), text);
  }
  // Without what was in these sessions before.
  void write_anew(const std::string& id,
                  const std::vector<std::pair<std::string, std::string>>& turns) {
    machine.remove(machine.session_path("-home-ann-code-blog", id));
    ingest::IndexOptions options;
    options.forget_missing = true;
    machine.index(options);
    write(id, turns);
  }
  EmbedReport embed(EmbedOptions options = {}) {
    auto report = derive::embed(machine.world(), settings(), options, {}, never);
    EXPECT_TRUE(report.ok()) << report.error().message;
    return report ? *report : EmbedReport{};
  }
  [[nodiscard]] config::Settings settings() const {
    config::Settings all = machine.settings();
    all.embedding.full = full;
    return all;
  }
  search::SearchAnswer search(const std::string& query, search::SearchMode mode,
                              const std::function<void(search::SearchRequest&)>& change = {}) {
    auto searcher = search::Searcher::open(machine.world(), settings(), {});
    EXPECT_TRUE(searcher.ok());
    search::SearchRequest request;
    request.query = query;
    request.mode = mode;
    if (change) change(request);
    auto answer = searcher->search(request);
    EXPECT_TRUE(answer.ok()) << answer.error().message;
    return answer ? std::move(*answer) : search::SearchAnswer{};
  }
  [[nodiscard]] std::uint64_t fingerprint() const {
    return (*open_model(machine.world()))->fingerprint();
  }
  static std::string first(const std::vector<search::Hit>& hits) {
    return hits.empty() ? "" : hits.front().session.uid;
  }

  FakeWorld machine;
  bool full = false;
  const std::atomic<bool> never{false};
};

TEST_F(Embedding, GivesPromptsConclusionsAndTitlesTheirVectorsOnce) {
  EXPECT_EQ(embed().embedded, 4U);
  EXPECT_EQ(embed().embedded, 0U);
  const auto counts = count_embedded(machine.world(), settings());
  ASSERT_TRUE(counts.ok());
  EXPECT_EQ(counts->documents, 4U);
  EXPECT_EQ(counts->embedded, 4U);
  EXPECT_GT(counts->bytes, 0U);
}

TEST_F(Embedding, WhereAllIsOldTheNewestNinetyDaysOfItCount) {
  const auto window = [&] {
    const auto snapshot = lexical::Snapshot::open(keyword_directory(machine.data_dir()));
    return embedding_window(machine.world(), settings(), **snapshot);
  };
  constexpr std::chrono::days kNinety{90};
  EXPECT_EQ(window(), machine.world().now - kNinety);
  write_anew(kCat, {});
  machine.remove(machine.session_path("-home-ann-code-blog", kCat));
  machine.remove(machine.session_path("-home-ann-code-blog", kProxy));
  ingest::IndexOptions options;
  options.forget_missing = true;
  machine.index(options);
  write(kCat, {{"The oldest question of all", "An answer."}}, std::chrono::days{400});
  write(kProxy, {{"A question that is old", "An answer that is old."}}, std::chrono::days{200});
  machine.index();
  EXPECT_LT(*window(), machine.world().now - std::chrono::days{289});
  EmbedOptions recent;
  recent.recent_only = true;
  EXPECT_EQ(embed(recent).embedded, 2U) << "what is older than that is left";
}

TEST_F(Embedding, EmbedsATextOnceHoweverManySessionsHoldIt) {
  embed();
  write(kCopy, {{"My kitten refuses to eat its food", "Something else entirely."}});
  machine.index();
  EXPECT_EQ(embed().embedded, 1U);
  EXPECT_EQ(count_embedded(machine.world(), settings())->embedded, 6U);
}

TEST_F(Embedding, UnderstandsAShortTextWithWhatItAnswers) {
  const std::string done = "Yes, that has solved it.";
  write_anew(kCat, {{"My kitten refuses to eat its food, should I warm the meal?", done}});
  write_anew(kProxy, {{"The reverse proxy answers 502, should keepalive be longer?", done}});
  machine.index();
  EXPECT_EQ(embed().embedded, 4U);
  const auto concluded = [&](const std::string& query) {
    const search::SearchAnswer answer =
        search(query, search::SearchMode::semantic,
               [](search::SearchRequest& request) { request.surfaces = {"assistant_summary"}; });
    return first(answer.hits) + first(answer.closest);
  };
  EXPECT_EQ(concluded("feeding a hungry cat"), kCat);
  EXPECT_EQ(concluded("web server gateway error"), kProxy);
}

TEST_F(Embedding, UnderstandsALongTextByItself) {
  std::string verdict = "Yes,";
  for (int i = 0; i < 25; ++i) verdict += " solved";
  write_anew(kCat, {{"My kitten refuses to eat its food, should I warm the meal?", verdict}});
  write_anew(kProxy, {{"The reverse proxy answers 502, should keepalive be longer?", verdict}});
  machine.index();
  EXPECT_EQ(embed().embedded, 3U);
}

TEST_F(Embedding, TakesTheNewestFirstAndGoesOnWhereItStopped) {
  write(kCopy, {{"The very latest question", "And its answer."}}, std::chrono::hours{1});
  machine.index();
  EmbedOptions few;
  few.max_texts = 2;
  EXPECT_EQ(embed(few).waiting, 4U);
  const search::SearchAnswer latest =
      search("The very latest question", search::SearchMode::semantic);
  EXPECT_EQ(first(latest.hits), kCopy);
  EXPECT_EQ(latest.coverage.passages_embedded, 2U);
  EXPECT_EQ(embed().embedded, 4U);
}

TEST_F(Embedding, WaitsWithTheConclusionUntilTheTurnIsClosed) {
  embed();
  write(kCopy, {{"What shall we do now", "First this."}}, std::chrono::minutes{1});
  machine.index();
  EXPECT_EQ(embed().embedded, 1U);  // the prompt
  write(kCopy, {{"What shall we do now", "First this."}, {"And then", "That."}},
        std::chrono::minutes{1});
  machine.index();
  EXPECT_EQ(embed().embedded, 2U);  // the next prompt, and the conclusion before it
}

TEST_F(Embedding, LeavesOutWhatIsOlderThanAsked) {
  EmbedOptions recent;
  recent.since = machine.world().now - std::chrono::hours{1};
  EXPECT_EQ(embed(recent).embedded, 0U);
  recent.since = machine.world().now - std::chrono::days{90};
  EXPECT_EQ(embed(recent).embedded, 4U);
}

TEST_F(Embedding, WithFullEveryAnswerCounts) {
  ClaudeLines lines(kCopy);
  lines.set_time(machine.world().now - std::chrono::hours{2});
  machine.write(machine.session_path("-home-ann-code-blog", kCopy),
                lines.prompt("Clean the kitchen") + lines.answer("I begin with the sink.") +
                    lines.tool_call("Bash", {{"command", "ls"}}) + lines.tool_result("soap") +
                    lines.answer("Everything shines."));
  machine.index();
  EXPECT_EQ(embed().embedded, 6U);
  full = true;
  EXPECT_EQ(embed().embedded, 1U);
}

TEST_F(Embedding, MakesDeletedAndDamagedVectorsAgain) {
  embed();
  const std::string directory = vector_directory(machine.data_dir());
  const search::SearchAnswer before = search("hungry pet", search::SearchMode::semantic);
  std::filesystem::remove_all(directory);
  EXPECT_EQ(search("hungry pet", search::SearchMode::hybrid).coverage.passages_embedded, 0U);
  EXPECT_EQ(embed().embedded, 4U);
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    std::filesystem::resize_file(entry.path(), entry.file_size() / 2);
  }
  embed();
  const search::SearchAnswer after = search("hungry pet", search::SearchMode::semantic);
  ASSERT_EQ(after.closest.size() + after.hits.size(), before.closest.size() + before.hits.size());
  EXPECT_EQ(first(after.hits) + first(after.closest), first(before.hits) + first(before.closest));
}

TEST_F(Embedding, ADamagedKeywordIndexIsReportedAndNeverBelieved) {
  embed();
  for (const auto& entry :
       std::filesystem::directory_iterator(keyword_directory(machine.data_dir()))) {
    if (entry.path().extension() != ".seg") continue;
    const std::string whole = *read_file(entry.path().string());
    // Behind the header lie the columns: keys, turns, lengths, …
    for (std::size_t at = 280; at < std::min<std::size_t>(whole.size(), 400); at += 3) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ 0x7F);
      machine.write(entry.path().string(), bytes);
      auto searcher = search::Searcher::open(machine.world(), settings(), {});
      search::SearchRequest request;
      request.query = "kitten";
      const auto answer =
          searcher ? searcher->search(request) : Result<search::SearchAnswer>(searcher.error());
      if (!answer) {
        EXPECT_EQ(answer.error().code, Errc::corrupt) << at;
      }
      const auto counts = count_embedded(machine.world(), settings());
      EXPECT_TRUE(counts.ok()) << at;
    }
    machine.write(entry.path().string(), whole);
  }
  EXPECT_EQ(first(search("kitten", search::SearchMode::hybrid).hits), kCat);
}

TEST_F(Embedding, ForgetsTheVectorsOfForgottenTexts) {
  embed();
  const std::string directory = vector_directory(machine.data_dir());
  const auto rows = [&] { return (*vector::VectorSet::open(directory, fingerprint()))->rows(); };
  EXPECT_EQ(rows(), 4U);
  machine.remove(machine.session_path("-home-ann-code-blog", kCat));
  ingest::IndexOptions forget;
  forget.forget_missing = true;
  machine.index(forget);
  embed();
  EXPECT_EQ(rows(), 2U);
}

TEST_F(Embedding, IsDoneByOneProcessAtATime) {
  const std::string lock = machine.data_dir() + "/embed.lock";
  const auto held = FileLock::try_acquire(lock);
  ASSERT_TRUE(held.ok());
  const auto report = derive::embed(machine.world(), settings(), {}, {}, never);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, Errc::busy);
}

TEST_F(Embedding, StopsWhenItIsAsked) {
  const std::atomic<bool> stop{true};
  const auto report = derive::embed(machine.world(), settings(), {}, {}, stop);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->cancelled);
  EXPECT_EQ(report->waiting, 4U);
  EXPECT_EQ(embed().embedded, 4U);
}

TEST_F(Embedding, FindsByMeaningWhatSharesNoWord) {
  embed();
  const search::SearchAnswer found =
      search("hungry feline will not have dinner", search::SearchMode::semantic);
  const std::vector<search::Hit>& shown = found.hits.empty() ? found.closest : found.hits;
  EXPECT_EQ(first(shown), kCat);
  EXPECT_EQ(found.mode, search::SearchMode::semantic);
  const search::SearchAnswer words = search("hungry feline dinner", search::SearchMode::keyword);
  EXPECT_TRUE(words.hits.empty());
  EXPECT_TRUE(words.closest.empty()) << "words were asked for";
}

TEST_F(Embedding, SaysSoWhenNothingIsRelevantAndShowsTheClosest) {
  embed();
  const search::SearchAnswer answer =
      search("which quantum annealer did the lab buy", search::SearchMode::hybrid);
  EXPECT_TRUE(answer.hits.empty());
  EXPECT_FALSE(answer.closest.empty());
  ASSERT_FALSE(answer.notes.empty());
  EXPECT_NE(answer.notes.back().find("Nothing clearly relevant"), std::string::npos);
  // What is demanded word for word is relevant when it is there.
  EXPECT_EQ(first(search("+proxy zebra giraffe", search::SearchMode::hybrid).hits), kProxy);
}

TEST_F(Embedding, WithoutAModelWordsAreSearchedAndOneSentenceSaysWhy) {
  embed();
  machine.set_env("YORE_MODEL", "/nowhere/model");
  const search::SearchAnswer answer = search("proxy 502", search::SearchMode::hybrid);
  EXPECT_EQ(first(answer.hits), kProxy);
  EXPECT_EQ(answer.mode, search::SearchMode::keyword);
  ASSERT_EQ(answer.notes.size(), 1U);
  EXPECT_NE(answer.notes[0].find("Searched by words only: "), std::string::npos);
  const auto report = derive::embed(machine.world(), settings(), {}, {}, never);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, Errc::unsupported);
}

TEST_F(Embedding, WithoutVectorsHybridIsKeyword) {
  const search::SearchAnswer hybrid = search("proxy load", search::SearchMode::hybrid);
  const search::SearchAnswer keyword = search("proxy load", search::SearchMode::keyword);
  EXPECT_EQ(hybrid.mode, search::SearchMode::keyword);
  ASSERT_EQ(hybrid.hits.size(), keyword.hits.size());
  EXPECT_EQ(hybrid.hits[0].score, keyword.hits[0].score);
  EXPECT_TRUE(search("proxy", search::SearchMode::semantic).hits.empty());
}

TEST_F(Embedding, SurfacesAndFiltersNarrowTheSearchByMeaning) {
  embed();
  const auto only = [](const char* surface) {
    return [surface](search::SearchRequest& request) { request.surfaces = {surface}; };
  };
  const std::string asked = "Warm the meal a little before serving.";
  const search::SearchAnswer said =
      search(asked, search::SearchMode::semantic, only("assistant_summary"));
  EXPECT_EQ(first(said.hits), kCat);
  EXPECT_EQ(said.hits[0].surfaces, (std::vector<std::string>{"assistant_summary"}));
  for (const search::Hit& hit :
       search(asked, search::SearchMode::semantic, only("user_prompt")).hits) {
    EXPECT_EQ(hit.surfaces.front(), "user_prompt");
  }
  const search::SearchAnswer elsewhere =
      search(asked, search::SearchMode::semantic,
             [](search::SearchRequest& request) { request.session = kProxy; });
  for (const auto* hits : {&elsewhere.hits, &elsewhere.closest}) {
    for (const search::Hit& hit : *hits) EXPECT_EQ(hit.session.uid, kProxy);
  }
}

TEST_F(Embedding, EqualQuestionsGiveEqualAnswers) {
  embed();
  const search::SearchAnswer once = search("why does the proxy fail", search::SearchMode::hybrid);
  const search::SearchAnswer again = search("why does the proxy fail", search::SearchMode::hybrid);
  ASSERT_EQ(once.hits.size(), again.hits.size());
  for (std::size_t i = 0; i < once.hits.size(); ++i) {
    EXPECT_EQ(once.hits[i].chunk_id, again.hits[i].chunk_id);
    EXPECT_EQ(once.hits[i].score, again.hits[i].score);
  }
}

}  // namespace
}  // namespace yore::derive
