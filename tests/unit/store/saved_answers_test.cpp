#include "store/saved_answers.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>

#include "base/files/file.hpp"
#include "support/temp_dir.hpp"

namespace yore::store {
namespace {

SavedAnswer example() {
  SavedAnswer answer;
  answer.name = "nginx";
  answer.again = R"(["--","nginx 502"])";
  answer.asked = from_ms(1'760'000'000'000);
  answer.head = "- Question: nginx 502\n";
  answer.hits = {{"aaaa", 3, 77, "a2ffd9f7abcd", "## 1. shop\n\n> **You:**\n> why?\n"},
                 {"codex:b b", 0, 0, "0123456789ab", "## 2. blog\n"}};
  return answer;
}

TEST(SavedAnswers, AreReadBackAsTheyWereWritten) {
  const fake::TempDir dir;
  const SavedAnswer answer = example();
  ASSERT_TRUE(save_answer(dir.path(), answer));
  const auto back = saved_answer(dir.path(), "nginx");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(*back, answer);
  EXPECT_EQ(saved_answers(dir.path())->size(), 1U);
  const std::string path = saved_directory(dir.path()) + "/nginx.md";
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms{0600});
  EXPECT_EQ(save_answer(dir.path(), answer).error().code, Errc::invalid_argument) << "never over";
  EXPECT_TRUE(replace_saved(dir.path(), answer));
  EXPECT_TRUE(remove_saved(dir.path(), "nginx"));
  EXPECT_EQ(saved_answer(dir.path(), "nginx").error().code, Errc::not_found);
  EXPECT_EQ(remove_saved(dir.path(), "nginx").error().code, Errc::not_found);
}

TEST(SavedAnswers, PeopleSeeNoComments) {
  EXPECT_EQ(shown_markdown(example()),
            "# nginx\n\n- Question: nginx 502\n\n## 1. shop\n\n> **You:**\n> why?\n\n## 2. blog\n");
}

TEST(SavedAnswers, WhatWasSaidCannotPassForAComment) {
  SavedAnswer answer = example();
  answer.hits[0].text = "## 1.\n<!-- hit 0 0 abc other -->\n<!-- again x -->\n";
  const auto back = decode_saved("nginx", encode_saved(answer));
  ASSERT_TRUE(back.ok());
  ASSERT_EQ(back->hits.size(), 2U);
  EXPECT_EQ(back->again, answer.again);
  EXPECT_EQ(back->hits[0].session, "aaaa");
}

TEST(SavedAnswers, NamesAreNamesOfFiles) {
  for (const std::string name : {"", " ", "../x", "a/b", ".hidden", "-x", "a\nb", "\xff"}) {
    EXPECT_FALSE(check_saved_name(name)) << name;
  }
  EXPECT_FALSE(check_saved_name(std::string(121, 'x')));
  EXPECT_TRUE(check_saved_name("the nginx trouble, größe"));
}

TEST(SavedAnswers, WhatWasForgottenIsTakenOut) {
  const fake::TempDir dir;
  SavedAnswer by_turn = example();
  by_turn.name = "by turn";
  ASSERT_TRUE(save_answer(dir.path(), example()));
  ASSERT_TRUE(Tombstones::add(dir.path(), {"codex:b b"}, {77}));
  const auto forgotten = Tombstones::load(dir.path());
  ASSERT_TRUE(forget_saved(dir.path(), *forgotten));
  EXPECT_TRUE(saved_answer(dir.path(), "nginx")->hits.empty());
  // An answer from before is saved after it.
  ASSERT_TRUE(save_answer(dir.path(), by_turn));
  EXPECT_TRUE(saved_answer(dir.path(), "by turn")->hits.empty());
}

TEST(SavedAnswers, SavingOneTouchesNoOther) {
  const fake::TempDir dir;
  ASSERT_TRUE(make_directories(saved_directory(dir.path())));
  const std::string path = saved_directory(dir.path()) + "/notes.md";
  ASSERT_TRUE(write_new_file(path, "# mine\n"));
  ASSERT_TRUE(Tombstones::add(dir.path(), {"aaaa"}, {}));
  ASSERT_TRUE(save_answer(dir.path(), example()));
  EXPECT_TRUE(is_regular_file(path));
}

TEST(SavedAnswers, ATurnThatWasWrittenAnewIsForgottenByWhoeverKnowsIt) {
  const fake::TempDir dir;
  ASSERT_TRUE(save_answer(dir.path(), example()));
  const std::size_t before = saved_answer(dir.path(), "nginx")->hits.size();
  ASSERT_TRUE(Tombstones::add(dir.path(), {"aaaa"}, {}));
  const std::string chunk = example().hits.front().chunk;
  ASSERT_TRUE(forget_saved(dir.path(), *Tombstones::load(dir.path()),
                           [&](const SavedHit& hit) { return hit.chunk == chunk; }));
  EXPECT_EQ(saved_answer(dir.path(), "nginx")->hits.size(), before - 1);
}

TEST(SavedAnswers, OneThatNobodyCanReadGoesWithWhatIsForgotten) {
  const fake::TempDir dir;
  ASSERT_TRUE(make_directories(saved_directory(dir.path())));
  const std::string path = saved_directory(dir.path()) + "/odd.md";
  ASSERT_TRUE(write_new_file(path, "# odd\n<!-- hit x -->\n"));
  std::vector<std::string> broken;
  EXPECT_TRUE(saved_answers(dir.path(), &broken)->empty());
  EXPECT_EQ(broken, std::vector<std::string>{"odd"});
  EXPECT_EQ(saved_answer(dir.path(), "odd").error().code, Errc::corrupt);
  ASSERT_TRUE(Tombstones::add(dir.path(), {"aaaa"}, {}));
  ASSERT_TRUE(forget_saved(dir.path(), *Tombstones::load(dir.path())));
  EXPECT_FALSE(is_regular_file(path));
}

RC_GTEST_PROP(SavedAnswersProperty, AnyBytesAreReadOrRefused, (const std::string& bytes)) {
  const auto answer = decode_saved("x", bytes + "\n<!-- again [] -->\n" + bytes);
  if (answer) RC_ASSERT(decode_saved("x", encode_saved(*answer)).ok());
}

}  // namespace
}  // namespace yore::store
