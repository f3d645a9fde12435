// Originals and backups, as people see them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "e2e/sandbox.hpp"

namespace yore::e2e {
namespace {

class Archived : public testing::Test {
 protected:
  static std::string turn(const std::string& word) {
    fake::ClaudeLines lines("line-" + word);
    return lines.prompt("about the " + word) + lines.answer("the " + word + " was seen");
  }
  static std::string contents(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  Sandbox box_;
};

TEST_F(Archived, KeepsListsChecksRestoresAndReads) {
  const std::string path = box_.write_session("blog", kFirst, turn("heron"));
  EXPECT_EQ(box_.run({"archive", "--json"}).json()["kept"], 1);
  EXPECT_EQ(box_.run({"archive", "--json"}).json()["unchanged"], 1);
  EXPECT_EQ(box_.run({"archive", "--list", "--json"}).json()["archived"][0]["session_id"], kFirst);
  EXPECT_EQ(box_.run({"archive", "--verify", "--json"}).json()["ok"], true);
  const std::string original = contents(path);
  std::filesystem::remove(path);
  EXPECT_TRUE(has(box_.run({"show", kFirst}).out, "about the heron"));
  const std::string out =
      std::filesystem::path(path).parent_path().parent_path().parent_path().parent_path() /
      "restored";
  EXPECT_EQ(box_.run({"archive", "--restore", kFirst, "--out", out}).code, 0);
  EXPECT_EQ(contents(out + "/" + kFirst + ".jsonl"), original);
  EXPECT_EQ(box_.run({"archive", "--restore", kFirst, "--out", out}).code, 2) << "not empty";
  const std::string store = std::filesystem::path(path).parent_path() / "new";
  EXPECT_EQ(box_.run({"archive", "--restore", kFirst, "--out", store}).code, 2) << "an agent's";
  EXPECT_FALSE(std::filesystem::exists(store));
}

TEST_F(Archived, ABackupIsPrivateAndADamagedOneIsASentence) {
  const std::string path = box_.write_session("blog", kFirst, turn("heron"));
  ASSERT_EQ(box_.run({"archive"}).code, 0);
  const std::string file =
      std::filesystem::path(path).parent_path().parent_path().parent_path().parent_path() /
      "backup";
  ASSERT_EQ(box_.run({"backup", file}).code, 0);
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(box_.run({"backup", "--restore", file, "--json"}).json()["there_already"], 1);
  std::filesystem::resize_file(file, 100);
  const Ran damaged = box_.run({"backup", "--restore", file});
  EXPECT_EQ(damaged.code, 3);
  EXPECT_TRUE(has(damaged.err, "it ends too early")) << damaged.err;
  EXPECT_EQ(box_.run({"backup", path}).code, 2) << "no other file is overwritten";
  EXPECT_TRUE(has(box_.run({"forget", kFirst, "--yes"}).out, "Backups"));
  EXPECT_TRUE(box_.run({"archive", "--list", "--json"}).json()["archived"].empty());
}

}  // namespace
}  // namespace yore::e2e
