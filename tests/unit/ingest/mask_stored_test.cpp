// [privacy] mask = "index": what is stored holds no secret, whenever it was stored.
#include "ingest/mask_stored.hpp"

#include <gtest/gtest.h>

#include <random>

#include "search/searcher.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"
#include "support/marker_words.hpp"
#include "support/state_dump.hpp"

namespace yore {
namespace {

using fake::ClaudeLines;
using fake::FakeWorld;

constexpr std::string_view kId = "aaaaaaaa-1111-4111-8111-111111111111";
constexpr std::string_view kMask = "[privacy]\nmask = \"index\"\n";

// Made up, and put together here so that no scanner of sources finds a token.
std::string token(unsigned seed) {
  constexpr std::string_view kAll =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::mt19937 random(seed);
  std::string out = "ghp_";
  for (int i = 0; i < 36; ++i) out += kAll[random() % kAll.size()];
  return out;
}

class MaskStored : public testing::Test {
 protected:
  // In every surface, one across the place where a long text is cut, and one in a call that is not
  // closed yet.
  std::string secrets() {
    ClaudeLines lines{std::string(kId)};
    std::string text = lines.prompt("Why is the heron refused with " + token(1) + " here?");
    text += lines.thinking("the heron thinks " + token(2));
    text += lines.tool_call("Bash", {{"command", "curl -H 'X: " + token(3) + "' heron"}});
    text += lines.tool_result("heron " + token(4));
    std::string words;
    while (words.size() < 985) words += "heron ";
    text += lines.answer(words + token(5) + " is an old one\n" + words);
    text += lines.custom_title("Heron " + token(6));
    text += lines.prompt("And the egret?") + lines.tool_call("Read", {{"file_path", token(7)}});
    return text;
  }
  // Halves of secrets that stand anywhere in the data directory.
  [[nodiscard]] int left() const {
    int count = 0;
    const auto all = fake::all_bytes(machine.data_dir());
    for (unsigned seed = 1; seed <= 8; ++seed) {
      const std::string secret = token(seed).substr(4);
      for (const std::string_view part :
           {std::string_view(secret).substr(0, 18), std::string_view(secret).substr(18)}) {
        count += std::ranges::any_of(all, [&](const std::string& bytes) {
          return bytes.find(part) != std::string::npos ||
                 text_in_small_letters(bytes).find(text_in_small_letters(part)) !=
                     std::string::npos;
        });
      }
    }
    return count;
  }
  static std::string text_in_small_letters(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
  }
  std::vector<search::Hit> hits(const std::string& word) {
    auto searcher = search::Searcher::open(machine.world(), machine.settings(), {});
    search::SearchRequest request;
    request.query = word;
    request.mode = search::SearchMode::keyword;
    auto answer = searcher->search(request);
    EXPECT_TRUE(answer.ok());
    return std::move(answer->hits);
  }

  FakeWorld machine;
  const std::string path = machine.session_path("-home-ann-code-blog", kId);
};

TEST_F(MaskStored, NothingIsStoredThatHoldsASecret) {
  machine.write(path, secrets());
  machine.index();
  ASSERT_GT(left(), 10) << "the test sees what is there";
  FakeWorld other;
  other.set_config(kMask);
  other.write(other.session_path("-home-ann-code-blog", kId), secrets());
  other.index();
  const auto all = fake::all_bytes(other.data_dir());
  for (unsigned seed = 1; seed <= 7; ++seed) {
    const std::string secret = token(seed).substr(4);
    for (const std::string& bytes : all) {
      EXPECT_EQ(bytes.find(secret.substr(0, 18)), std::string::npos) << seed;
      EXPECT_EQ(bytes.find(secret.substr(18)), std::string::npos) << seed;
    }
  }
}

TEST_F(MaskStored, WhatWasStoredBeforeIsRewritten) {
  machine.write(path, secrets());
  machine.index();
  ASSERT_GT(left(), 10);
  const std::string chunk = hits("egret").at(0).chunk_id;
  machine.set_config(kMask);
  const auto report = machine.index();
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_EQ(report.notes[0], "Secrets were masked in what is stored of 1 session.");
  EXPECT_EQ(left(), 0);
  ASSERT_EQ(hits("heron").size(), 1U);
  EXPECT_EQ(hits("egret").at(0).chunk_id, chunk);
  EXPECT_TRUE(machine.index().notes.empty()) << "once is enough";
  auto store = machine.store();
  EXPECT_EQ(fake::feed_problem(store), "");
}

TEST_F(MaskStored, WhatComesLaterIsMaskedToo) {
  machine.set_config(kMask);
  machine.write(path, secrets());
  machine.index();
  ClaudeLines more("more");
  machine.append(path, more.prompt("a stork with " + token(8)) + more.answer("yes " + token(8)));
  machine.index();
  EXPECT_EQ(left(), 0);
  EXPECT_EQ(hits("stork").size(), 1U);
  EXPECT_EQ(machine.session(kId).superseded, 0U);
}

TEST_F(MaskStored, ARewrittenSessionIsStillKnownTurnByTurn) {
  machine.write(path, secrets());
  machine.index();
  machine.set_config(kMask);
  machine.index();
  ClaudeLines lines{std::string(kId)};
  ClaudeLines crane("crane");
  machine.write(path, lines.prompt("Why is the heron refused with " + token(1) + " here?") +
                          lines.answer("It is not.") + crane.prompt("A crane?"));
  machine.index();
  EXPECT_EQ(left(), 0);
  const auto egret = hits("egret");
  ASSERT_EQ(egret.size(), 1U);
  EXPECT_TRUE(egret[0].superseded);
}

TEST_F(MaskStored, WhoLeavesItAndComesBackIsMaskedAgain) {
  machine.set_config(kMask);
  machine.index();
  machine.set_config("[privacy]\nmask = \"output\"\n");
  machine.write(path, secrets());
  machine.index();
  ASSERT_GT(left(), 10);
  machine.set_config(kMask);
  machine.index();
  EXPECT_EQ(left(), 0);
}

TEST_F(MaskStored, ForgettingGoesByTheTextAsItWas) {
  const std::string kOther = "bbbbbbbb-1111-4111-8111-111111111111";
  machine.write(path, secrets());
  machine.index();
  machine.set_config(kMask);
  // The same turn in a session that was read masked has the same origin.
  machine.write(machine.session_path("-home-ann-code-blog", kOther), secrets());
  machine.index();
  auto store = machine.store();
  const auto first = store.turns_of(machine.session(kId).id);
  const auto second = store.turns_of(machine.session(kOther).id);
  ASSERT_EQ(first->size(), second->size());
  for (std::size_t i = 0; i < first->size(); ++i) {
    EXPECT_EQ((*first)[i].origin, (*second)[i].origin);
    EXPECT_EQ((*first)[i].content, (*second)[i].content);
  }
}

}  // namespace
}  // namespace yore
