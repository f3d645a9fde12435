#include "semantic/word_pieces.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "text/utf8.hpp"
#include "unit/semantic/semantic_rows.hpp"

namespace yore::semantic {
namespace {

class WordPiecesTest : public ::testing::Test {
 protected:
  std::vector<TokenId> read(std::string_view text, std::size_t max_tokens = kMaxTokens) {
    std::vector<TokenId> tokens;
    pieces_.read(text, max_tokens, tokens);
    return tokens;
  }

  std::shared_ptr<const ModelFile> model_ = open_model();
  WordPieces pieces_{*model_};
};

TEST_F(WordPiecesTest, GivesThePiecesOfTheReference) {
  for (const auto& row : own_rows("pieces.jsonl")) {
    EXPECT_EQ(read(row["text"].get<std::string>()), row["ids"].get<std::vector<TokenId>>())
        << row["text"].dump(-1, ' ', true);
  }
}

TEST_F(WordPiecesTest, LeavesOutBytesThatAreNoText) {
  const auto clean = read("before after");
  EXPECT_EQ(read("be\xFF\xFE"
                 "fore \xC3"
                 "after\xE2\x82"),
            clean);
  EXPECT_EQ(read("be\xED\xA0\x80"
                 "fore after\xED\xBF\xBF"),
            clean);  // halves of a surrogate pair
  EXPECT_EQ(read("\xF4\x90\x80\x80"
                 "before after\xC0\x80"),
            clean);
  EXPECT_EQ(read("\x80\x81"), read(""));
}

TEST_F(WordPiecesTest, CutsInTheMiddleOfAWordAndStillEndsIt) {
  const auto whole = read("tokenization");
  ASSERT_EQ(whole.size(), 4U);  // [CLS] token ##ization [SEP]
  EXPECT_EQ(read("tokenization", 3), (std::vector<TokenId>{kFirstToken, whole[1], kLastToken}));
  EXPECT_EQ(read("tokenization", 2), (std::vector<TokenId>{kFirstToken, kLastToken}));
}

// The longest piece from the front, tried one by one in an ordinary map.
std::vector<TokenId> pieces_of_word(const std::map<std::string, TokenId, std::less<>>& vocabulary,
                                    std::string_view word) {
  std::vector<TokenId> tokens;
  while (!word.empty()) {
    std::size_t size = word.size();
    const std::string prefix = tokens.empty() ? "" : "##";
    auto found = vocabulary.end();
    while (size > 0 && (found = vocabulary.find(prefix + std::string(word.substr(0, size)))) ==
                           vocabulary.end()) {
      --size;
    }
    if (size == 0) return {kUnknownToken};
    tokens.push_back(found->second);
    word.remove_prefix(size);
  }
  return tokens;
}

RC_GTEST_FIXTURE_PROP(WordPiecesTest, AgreesWithTryingEveryPiece, ()) {
  static const auto vocabulary = [this] {
    std::map<std::string, TokenId, std::less<>> all;
    for (std::uint32_t i = 0; i < model_->pieces(); ++i) {
      all.emplace(model_->piece(i), static_cast<TokenId>(i));
    }
    return all;
  }();
  // Words made of real pieces, so that there is something to find, and of letters.
  const auto parts =
      *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::arbitrary<std::uint32_t>());
  std::string word;
  for (const std::uint32_t part : parts) {
    std::string piece(model_->piece(part % model_->pieces()));
    std::erase_if(piece, [](char c) { return c < 'a' || c > 'z'; });
    word += part % 3 == 0 ? std::string(1, static_cast<char>('a' + part % 26)) : piece;
  }
  word.resize(std::min<std::size_t>(word.size(), 100));
  auto expected = pieces_of_word(vocabulary, word);
  expected.insert(expected.begin(), kFirstToken);
  expected.push_back(kLastToken);
  RC_ASSERT(read(word) == expected);
}

RC_GTEST_FIXTURE_PROP(WordPiecesTest, ReadsAnyBytes, (const std::string& text)) {
  const auto tokens = read(text, 16);
  RC_ASSERT(tokens.size() >= 2U && tokens.size() <= 16U);
  RC_ASSERT(tokens.front() == kFirstToken);
  RC_ASSERT(tokens.back() == kLastToken);
  // What is cut off does not change what stays.
  const auto longer = read(text, 64);
  RC_ASSERT(std::equal(tokens.begin(), tokens.end() - 1, longer.begin()));
}

}  // namespace
}  // namespace yore::semantic
