#include "text/analyzer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace yore::text {
namespace {

using Strings = std::vector<std::string>;

// "0 part parse": position, kind, text. The kind "word" is left out.
Strings terms(std::string_view text) {
  constexpr std::array kNames = {"", "part ", "whole ", "joined ", "mark ", "gram ", "pair "};
  Analyzer analyzer;
  Strings shown;
  for (const Term& term : analyzer.analyze(text)) {
    shown.push_back(std::to_string(term.position) + ' ' +
                    kNames.at(static_cast<std::size_t>(term.kind)) + std::string{term.text});
  }
  return shown;
}

// The bytes of the original text that each term stands for.
Strings sources(std::string_view text) {
  Analyzer analyzer;
  Strings shown;
  for (const Term& term : analyzer.analyze(text)) {
    shown.emplace_back(text.substr(term.begin, term.end - term.begin));
  }
  return shown;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(Analyzer, CutsWordsAndFoldsTheirCase) {
  EXPECT_EQ(terms("The quick ECONNREFUSED, at last."),
            (Strings{"0 the", "1 quick", "2 econnrefused", "3 at", "4 last"}));
}

TEST(Analyzer, GivesNothingForNothing) {
  EXPECT_EQ(terms(""), Strings{});
  EXPECT_EQ(terms(" \n\t...!? ___ -- "), Strings{});
  EXPECT_EQ(terms("😀 👩‍💻 ❤️ 🇩🇪"), Strings{});
  EXPECT_EQ(terms("\u0301"), Strings{});
}

TEST(Analyzer, CountsThePositionsOfTheLastText) {
  Analyzer analyzer;
  EXPECT_EQ(analyzer.positions(), 0U);
  analyzer.analyze("parseJsonLine in src/net/http.cc");
  EXPECT_EQ(analyzer.positions(), 8U);
  analyzer.analyze("漢字");
  EXPECT_EQ(analyzer.positions(), 2U);
  analyzer.analyze("");
  EXPECT_EQ(analyzer.positions(), 0U);
}

TEST(Analyzer, CanBeMoved) {
  Analyzer first;
  first.analyze("one");
  Analyzer second = std::move(first);
  EXPECT_EQ(second.analyze("one two").size(), 2U);
}

TEST(Analyzer, SplitsIdentifiersSoThatBothSpellingsMeet) {
  const Strings parts = {"0 part parse", "0 whole parsejsonline", "1 part json", "2 part line"};
  EXPECT_EQ(terms("parseJsonLine"), parts);
  EXPECT_EQ(terms("parse_json_line"), parts);
  EXPECT_EQ(terms("PARSE_JSON_LINE"), parts);
  EXPECT_EQ(terms("ParseJSONLine"), parts);
  EXPECT_EQ(terms("__parse__json_line_"), parts);
}

TEST(Analyzer, KeepsDigitsWithTheLettersBeforeThem) {
  EXPECT_EQ(terms("utf8 sha256 v2 2FA E2E 3D"),
            (Strings{"0 utf8", "1 sha256", "2 v2", "3 2fa", "4 e2e", "5 3d"}));
  EXPECT_EQ(terms("utf8Decode"), (Strings{"0 part utf8", "0 whole utf8decode", "1 part decode"}));
  EXPECT_EQ(terms("HTTP2Server"),
            (Strings{"0 part http2", "0 whole http2server", "1 part server"}));
  EXPECT_EQ(terms("x86_64"), (Strings{"0 part x86", "0 whole x8664", "1 part 64"}));
}

TEST(Analyzer, KeepsThePluralOfCapitalsTogether) {
  EXPECT_EQ(terms("URLs"), Strings{"0 urls"});
  EXPECT_EQ(terms("getIDsFrom"),
            (Strings{"0 part get", "0 whole getidsfrom", "1 part ids", "2 part from"}));
  EXPECT_EQ(terms("HTTPServer"), (Strings{"0 part http", "0 whole httpserver", "1 part server"}));
  EXPECT_EQ(terms("CSStyle"), (Strings{"0 part cs", "0 whole csstyle", "1 part style"}));
}

TEST(Analyzer, DropsUnderscoresAround) {
  EXPECT_EQ(terms("__init__"), Strings{"0 init"});
  EXPECT_EQ(sources("__init__"), Strings{"init"});
}

TEST(Analyzer, DoesNotSplitWhatIsNoIdentifier) {
  EXPECT_EQ(terms("aBcD"), Strings{"0 abcd"});
  EXPECT_EQ(terms("a_b"), Strings{"0 ab"});
  EXPECT_EQ(terms("aa_bb_cc_dd_ee_ff_gg_hh_ii_jj_kk_ll_mm_nn_oo_pp").size(), 17U);
  EXPECT_EQ(terms("aa_bb_cc_dd_ee_ff_gg_hh_ii_jj_kk_ll_mm_nn_oo_pp_qq"),
            Strings{"0 aabbccddeeffgghhiijjkkllmmnnooppqq"});
}

TEST(Analyzer, JoinsWordsAroundADotOrADash) {
  EXPECT_EQ(terms("v2.1.3"), (Strings{"0 v2", "0 joined v2.1.3", "1 1", "2 3"}));
  EXPECT_EQ(terms("--no-verify"), (Strings{"0 no", "0 joined no-verify", "1 verify"}));
  EXPECT_EQ(terms("10.0.0.1"), (Strings{"0 10", "0 joined 10.0.0.1", "1 0", "2 0", "3 1"}));
  EXPECT_EQ(terms("my_file.py"),
            (Strings{"0 part my", "0 whole myfile", "0 joined my_file.py", "1 part file", "2 py"}));
  EXPECT_EQ(terms("größe.TXT"), (Strings{"0 grosse", "0 joined grosse.txt", "1 txt"}));
}

TEST(Analyzer, JoinsOverExactlyOneSign) {
  EXPECT_EQ(terms("It ends. And so on..."), (Strings{"0 it", "1 ends", "2 and", "3 so", "4 on"}));
  EXPECT_EQ(terms("wait..what a--b c. d"),
            (Strings{"0 wait", "1 what", "2 a", "3 b", "4 c", "5 d"}));
  EXPECT_EQ(terms("a:b c,d"), (Strings{"0 a", "1 b", "2 c", "3 d"}));
}

TEST(Analyzer, JoinsAtMostSixWords) {
  EXPECT_EQ(terms("a.b.c.d.e.f")[1], "0 joined a.b.c.d.e.f");
  EXPECT_EQ(terms("a.b.c.d.e.f.g").size(), 7U);
}

TEST(Analyzer, JoinsTheLastTwoStepsOfAPath) {
  EXPECT_EQ(terms("src/net/http.cc"), (Strings{"0 src", "1 net", "1 joined net/http.cc", "2 http",
                                               "2 joined http.cc", "3 cc"}));
  EXPECT_EQ(terms("/usr/lib/"), (Strings{"0 usr", "0 joined usr/lib", "1 lib"}));
  EXPECT_EQ(terms("a-b/c"), (Strings{"0 a", "0 joined a-b", "0 joined a-b/c", "1 b", "2 c"}));
}

TEST(Analyzer, TakesABackslashForAStepOnlyBehindADrive) {
  EXPECT_EQ(terms("C:\\x\\y.txt"),
            (Strings{"0 c", "1 x", "1 joined x/y.txt", "2 y", "2 joined y.txt", "3 txt"}));
  EXPECT_EQ(terms("one\\ntwo\\tthree"), (Strings{"0 one", "1 ntwo", "2 tthree"}));
  EXPECT_EQ(terms("abc:\\x\\y"), (Strings{"0 abc", "1 x", "2 y"}));
}

TEST(Analyzer, MarksNumbersBehindAHash) {
  EXPECT_EQ(terms("see #1234"), (Strings{"0 see", "1 1234", "1 mark #1234"}));
  EXPECT_EQ(sources("see #1234"), (Strings{"see", "1234", "#1234"}));
  EXPECT_EQ(terms("repo#7 #abc # 5"), (Strings{"0 repo", "1 7", "1 mark #7", "2 abc", "3 5"}));
}

TEST(Analyzer, MarksLanguagesOfOneLetterAndSigns) {
  EXPECT_EQ(terms("C++ or c#?"), (Strings{"0 c", "0 mark c++", "1 or", "2 c", "2 mark c#"}));
  EXPECT_EQ(terms("c++20 c#x ab++ 1++"), (Strings{"0 c", "1 20", "2 c", "3 x", "4 ab", "5 1"}));
  EXPECT_EQ(terms("用C++写")[2], "1 mark c++");
}

TEST(Analyzer, TakesCharactersOfScriptsWithoutSpacesOneByOneAndInPairs) {
  EXPECT_EQ(terms("検索する"), (Strings{"0 gram 検", "0 pair 検索", "1 gram 索", "1 pair 索す",
                                        "2 gram す", "2 pair する", "3 gram る"}));
  EXPECT_EQ(terms("検"), Strings{"0 gram 検"});
  EXPECT_EQ(terms("検 索"), (Strings{"0 gram 検", "1 gram 索"}));
  EXPECT_EQ(terms("ab検索cd"), (Strings{"0 ab", "1 gram 検", "1 pair 検索", "2 gram 索", "3 cd"}));
  EXPECT_EQ(terms("한글"), (Strings{"0 gram 한", "0 pair 한글", "1 gram 글"}));
  EXPECT_EQ(terms("ไทย").size(), 5U);
  EXPECT_EQ(sources("検索"), (Strings{"検", "検索", "索"}));
}

TEST(Analyzer, ComposesWhatIsWrittenApart) {
  EXPECT_EQ(terms("か\u3099"), Strings{"0 gram が"});
  EXPECT_EQ(terms("ｶﾞｷ"), (Strings{"0 gram ガ", "0 pair ガキ", "1 gram キ"}));
  EXPECT_EQ(terms("き\u3099か\u3099"), (Strings{"0 gram ぎ", "0 pair ぎが", "1 gram が"}));
  EXPECT_EQ(terms("\u1112\u1161\u11ab"), Strings{"0 gram 한"});
  EXPECT_EQ(terms("か"), Strings{"0 gram か"});
}

TEST(Analyzer, FoldsAccentsAndWidth) {
  EXPECT_EQ(terms("Café naïve Straße ＦＵＬＬ１２ ﬁne"),
            (Strings{"0 cafe", "1 naive", "2 strasse", "3 full12", "4 fine"}));
  EXPECT_EQ(terms("cafe\u0301s"), Strings{"0 cafes"});
  EXPECT_EQ(terms("İstanbul Łódź Søren ΌΣΟΣ Ёлка"),
            (Strings{"0 istanbul", "1 lodz", "2 soren", "3 οσοσ", "4 елка"}));
  EXPECT_EQ(terms("co\u00adoperate"), Strings{"0 cooperate"});
  EXPECT_EQ(terms("हिन्दी"), Strings{"0 हिन्दी"});
}

TEST(Analyzer, SplitsIdentifiersOfAnyScript) {
  EXPECT_EQ(terms("größeÄndern"),
            (Strings{"0 part grosse", "0 whole grosseandern", "1 part andern"}));
  EXPECT_EQ(sources("größeÄndern"), (Strings{"größe", "größeÄndern", "Ändern"}));
}

TEST(Analyzer, TakesStrayBytesAndControlsForSeparators) {
  EXPECT_EQ(terms("a\xff"
                  "b\xc3 c\xe6\xbc"),
            (Strings{"0 a", "1 b", "2 c"}));
  EXPECT_EQ(terms(std::string_view{"x\0y\x1bz", 5}), (Strings{"0 x", "1 y", "2 z"}));
  EXPECT_EQ(terms("one—two\u200bthree"), (Strings{"0 one", "1 two", "2 three"}));
}

TEST(Analyzer, CutsLongTermsAtACharacter) {
  EXPECT_EQ(terms(repeated("x", 100)), Strings{"0 " + repeated("x", 40)});
  EXPECT_EQ(terms("x" + repeated("ж", 100)), Strings{"0 x" + repeated("ж", 19)});
  const std::string first = repeated("y", 30);
  EXPECT_EQ(terms(first + "." + first)[1], "0 joined " + first + "." + repeated("y", 9));
}

TEST(Analyzer, KeepsTwelveCharactersOfAHash) {
  EXPECT_EQ(terms("9F86D081884c7d659a2feaa0c55ad015"), Strings{"0 9f86d081884c"});
  EXPECT_EQ(terms("0x00007ffd3c4a1b20"), Strings{"0 0x00007ffd3c"});
  EXPECT_EQ(terms("123456789abcdef"), Strings{"0 123456789abcdef"});
  EXPECT_EQ(terms("abcdefabcdefabcdef"), Strings{"0 abcdefabcdefabcdef"});
  EXPECT_EQ(terms("build-9f86d081884c7d65.js"), (Strings{"0 build", "1 9f86d081884c", "2 js"}));
  EXPECT_EQ(terms("cache_9f86d081884c7d65"), (Strings{"0 cache", "1 9f86d081884c"}));
}

TEST(Analyzer, TakesAUuidForOneHash) {
  EXPECT_EQ(terms("550e8400-e29b-41d4-a716-446655440000.jsonl"),
            (Strings{"0 550e8400e29b", "1 jsonl"}));
  EXPECT_EQ(terms("550e8400e29b41d4a716446655440000"), Strings{"0 550e8400e29b"});
  EXPECT_EQ(sources("x 550e8400-e29b-41d4-a716-446655440000 y")[1],
            "550e8400-e29b-41d4-a716-446655440000");
}

TEST(Analyzer, KeepsTwelveCharactersOfEncodedBytes) {
  const std::string noise = "z5T6rGqPdIQ7ZOeqWbZr8bqOyDKJ+n9Q2Mtrt4pTwD/Mv2q6pvn9YLKZ2oHZ";
  EXPECT_EQ(terms(noise + "=="), Strings{"0 z5t6rgqpdiq7"});
  EXPECT_EQ(terms("sha512-" + noise), (Strings{"0 sha512", "1 z5t6rgqpdiq7"}));
  EXPECT_EQ(terms("src/cache/" + noise + "/index"),
            (Strings{"0 src", "0 joined src/cache", "1 cache", "2 z5t6rgqpdiq7", "3 index"}));
  EXPECT_EQ(sources("a " + noise)[1], noise);
  EXPECT_GT(terms("thisIsAVeryLongIdentifierThatSomebodyWroteInJava").size(), 0U);
  EXPECT_EQ(terms("/home/user/Projects/SearchTool/src/main/http2/HttpServer").size(), 13U);
}

TEST(Analyzer, SaysWhichWordsHaveStems) {
  Analyzer analyzer;
  const auto stemmable = [&](std::string_view text) {
    Strings words;
    for (const Term& term : analyzer.analyze(text)) {
      if (term.stemmable) words.emplace_back(term.text);
    }
    return words;
  };
  EXPECT_EQ(stemmable("running utf8 is parsedLines a-b.cc 漢字 naïve"),
            (Strings{"running", "parsed", "lines", "naive"}));
  EXPECT_EQ(stemmable(repeated("x", 32)), Strings{repeated("x", 32)});
  EXPECT_EQ(stemmable(repeated("x", 33)), Strings{});
}

TEST(Analyzer, ReadsTextsOfAnyLength) {
  Analyzer analyzer;
  // Words at every place relative to the blocks that are read at once.
  for (std::size_t size = 1; size < 300; ++size) {
    std::string text = repeated(" ", size) + "parseJson";
    const auto& found = analyzer.analyze(text);
    ASSERT_EQ(found.size(), 3U) << size;
    EXPECT_EQ(found[1].text, "parsejson");
    EXPECT_EQ(found[2].begin, size + 5);
    EXPECT_EQ(analyzer.analyze(repeated("x", size)).size(), 1U);
  }
}

// Who looks for a stem leaves out words that begin otherwise.
TEST(Stemmer, KeepsTheFirstLetter) {
  Stemmer stemmer;
  std::string word;
  for (char a = 'a'; a <= 'z'; ++a) {
    for (char b = 'a'; b <= 'z'; ++b) {
      for (const std::string_view end : {"e", "y", "ing", "ies", "ied", "yly", "ization", "ses"}) {
        word.assign({a, b}).append(end);
        EXPECT_EQ(stemmer.stem(word).substr(0, 1), word.substr(0, 1)) << word;
      }
    }
  }
}

TEST(Stemmer, FindsTheStemsOfEnglishWords) {
  Stemmer stemmer;
  EXPECT_EQ(stemmer.stem("running"), "run");
  EXPECT_EQ(stemmer.stem("connections"), "connect");
  EXPECT_EQ(stemmer.stem("connected"), "connect");
  EXPECT_EQ(stemmer.stem("parse"), "pars");
  EXPECT_EQ(stemmer.stem("urls"), "url");
  EXPECT_EQ(stemmer.stem("привет"), "привет");
  EXPECT_EQ(stemmer.stem(""), "");
  Stemmer moved = std::move(stemmer);
  EXPECT_EQ(moved.stem("indexes"), "index");
}

TEST(StopWords, SayNothingInAQuestion) {
  for (const char* word :
       {"the", "did", "what", "how", "i", "is", "t", "don", "ve", "we", "yours"}) {
    EXPECT_TRUE(is_stop_word(word)) << word;
  }
  for (const char* word : {"", "error", "use", "index", "The", "fail", "a-b", "zebra"}) {
    EXPECT_FALSE(is_stop_word(word)) << word;
  }
}

TEST(Fold, FoldsAWholeTextWithoutCuttingIt) {
  EXPECT_EQ(fold("My Café — Straße.TXT"), "my cafe — strasse.txt");
  EXPECT_EQ(fold("ＡＢ（１）"), "ab(1)");
  EXPECT_EQ(fold("か\u3099 ｶﾞ"), "が ガ");
  EXPECT_EQ(fold("㉮ ㈎ ㌀ ㋕\u3099 ヿ\u3099"), "가 (가) アパート ガ コド");
  EXPECT_EQ(fold("a\xff"), "a\ufffd");
  EXPECT_EQ(fold(""), "");
}

}  // namespace
}  // namespace yore::text
