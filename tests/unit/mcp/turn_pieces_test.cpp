#include "mcp/tools/turn_pieces.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "mcp/tools/answers.hpp"
#include "text/utf8.hpp"

namespace yore::mcp {
namespace {

Json turn(const std::string& user, const std::string& assistant, std::size_t tools) {
  Json json = {{"session_id", "5e55"}, {"user_text", user}, {"assistant_text", assistant}};
  json["tools_used"] = Json::array();
  for (std::size_t i = 0; i < tools; ++i) {
    json["tools_used"].push_back({{"tool", "Bash"}, {"command", std::string(i % 40, 'c')}});
  }
  return json;
}

rc::Gen<std::string> any_text() {
  return rc::gen::map(rc::gen::container<std::vector<char32_t>>(
                          rc::gen::element(U'a', U' ', U'\n', U'"', U'\x01', U'ñ', U'語', U'🦜')),
                      [](const std::vector<char32_t>& chars) {
                        std::string text;
                        for (const char32_t c : chars) {
                          if (c < 0x80) {
                            text += static_cast<char>(c);
                          } else if (c == U'ñ') {
                            text += "ñ";
                          } else if (c == U'語') {
                            text += "語";
                          } else {
                            text += "🦜";
                          }
                        }
                        return text;
                      });
}

TEST(TurnPieces, AShortTurnIsItself) {
  const Json whole = turn("why", "because", 2);
  const TurnPiece piece = piece_of(whole, 0, kMostTurnChars);
  EXPECT_EQ(piece.json, whole);
  EXPECT_FALSE(piece.next);
  EXPECT_EQ(fitted(whole, 1000), whole);
}

TEST(TurnPieces, AnOffsetInsideAnEntryShowsThatEntry) {
  const Json whole = turn("", "", 3);
  const std::size_t first = json_chars(whole["tools_used"][0]);
  EXPECT_EQ(piece_of(whole, first - 1, 1000).json["tools_used"].size(), 3U);
  EXPECT_EQ(piece_of(whole, first, 1000).json["tools_used"].size(), 2U);
}

TEST(TurnPieces, EscapesDoNotMakeAnAnswerTooLong) {
  const Json whole = turn("", std::string(40'000, '\x01'), 0);
  const TurnPiece piece = piece_of(whole, 0, kMostTurnChars);
  EXPECT_LT(json_chars(piece.json), 48'000U);
  ASSERT_TRUE(piece.next);
  EXPECT_EQ(piece.json["truncated"]["assistant_text"]["shown"], *piece.next);
}

RC_GTEST_PROP(TurnPieces, MakeTheTurnWholeAgain, ()) {
  const Json whole = turn(*any_text(), *any_text(), *rc::gen::inRange<std::size_t>(0, 6));
  const auto max_chars = *rc::gen::inRange<std::size_t>(1, 40);
  std::string user;
  std::string assistant;
  Json tools = Json::array();
  std::size_t offset = 0;
  while (true) {
    const TurnPiece piece = piece_of(whole, offset, max_chars);
    user += piece.json["user_text"].get<std::string>();
    assistant += piece.json["assistant_text"].get<std::string>();
    for (const Json& tool : piece.json["tools_used"]) tools.push_back(tool);
    for (const char* field : {"user_text", "assistant_text"}) {
      const std::size_t shown = text::count_chars(piece.json[field].get<std::string>());
      const std::size_t total = text::count_chars(whole[field].get<std::string>());
      RC_ASSERT(shown <= max_chars);
      const Json* const cut = member(piece.json, "truncated");
      const Json* const said = cut == nullptr ? nullptr : member(*cut, field);
      RC_ASSERT((said != nullptr) == (shown < total));
      if (said != nullptr) RC_ASSERT((*said == Json{{"shown", shown}, {"total", total}}));
    }
    if (!piece.next) break;
    RC_ASSERT(*piece.next > offset);
    offset = *piece.next;
  }
  RC_ASSERT(user == whole["user_text"]);
  RC_ASSERT(assistant == whole["assistant_text"]);
  RC_ASSERT(tools == whole["tools_used"]);
}

RC_GTEST_PROP(TurnPieces, FitTheBudgetWithEveryPartInView, ()) {
  const auto repeat = *rc::gen::inRange<std::size_t>(1, 30);
  std::string user;
  std::string assistant;
  const std::string one = *any_text();
  const std::string other = *any_text();
  for (std::size_t i = 0; i < repeat; ++i) {
    user += one;
    assistant += other;
  }
  const Json whole = turn(user, assistant, *rc::gen::inRange<std::size_t>(0, 40));
  const auto budget = *rc::gen::inRange<std::size_t>(600, 3000);
  const Json cut = fitted(whole, budget);
  RC_ASSERT(json_chars(cut) <= budget);
  RC_ASSERT((json_chars(whole) <= budget) == (cut == whole));
  RC_ASSERT(user.starts_with(cut["user_text"].get<std::string>()));
  RC_ASSERT(assistant.starts_with(cut["assistant_text"].get<std::string>()));
  RC_ASSERT(user.empty() || !cut["user_text"].get<std::string>().empty());
  RC_ASSERT(assistant.empty() || !cut["assistant_text"].get<std::string>().empty());
}

}  // namespace
}  // namespace yore::mcp
