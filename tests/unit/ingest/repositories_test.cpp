#include "ingest/repositories.hpp"

#include <gtest/gtest.h>

#include "base/files/file.hpp"
#include "support/fake_world.hpp"

namespace yore::ingest {
namespace {

using fake::FakeWorld;

Time day(int number) {
  return from_ms(86'400'000LL * number);
}

TEST(CanonicalRepository, IsTheSameHoweverItIsWritten) {
  for (const char* address :
       {"git@github.com:Ann/shop.git", "https://github.com/ann/shop",
        "ssh://git@github.com/ann/shop.git", "https://ann:token@github.com/ann/shop/", "ann/shop",
        "ssh://git@github.com:22/ann/shop"}) {
    EXPECT_EQ(canonical_repository(address), "ann/shop") << address;
  }
  EXPECT_EQ(canonical_repository("git@git.example.org:team/a/b.git"), "git.example.org/team/a/b");
  EXPECT_EQ(canonical_repository("https://git.example.org:8443/team/a"), "git.example.org/team/a");
}

TEST(CanonicalRepository, HoldsNoLogin) {
  EXPECT_EQ(canonical_repository("https://ann:s3cret@git.example.org/a/b").find("s3cret"),
            std::string::npos);
}

TEST(CanonicalRepository, IsNothingForWhatIsNoAddress) {
  for (const std::string& text :
       {std::string(), std::string("shop"), std::string("file:///x/y"), std::string(9000, 'a')}) {
    EXPECT_EQ(canonical_repository(text), "") << text.substr(0, 20);
  }
  EXPECT_EQ(canonical_repository("/home/ann/shop/"), "/home/ann/shop") << "a checkout";
}

TEST(RemoteIn, OriginComesBeforeOthers) {
  EXPECT_EQ(remote_in("[core]\n\turl = no\n[remote \"fork\"]\n\turl = a/b\n"
                      "[remote \"origin\"]\n\tfetch = x\n\turl = c/d\n"),
            "c/d");
  EXPECT_EQ(remote_in("[remote \"fork\"]\n\turl = a/b\n[branch \"x\"]\n\turl = no\n"), "a/b");
  EXPECT_EQ(remote_in("[remote \"origin\"\nurl"), "");
}

TEST(RepositoryFinder, KnowsACheckoutAFolderInItAndAWorktree) {
  FakeWorld world;
  world.write(world.in_home("shop/.git/config"),
              "[remote \"origin\"]\nurl = git@h.org:a/shop.git\n");
  world.write(world.in_home("shop-2/.git"),
              "gitdir: " + world.in_home("shop/.git/worktrees/shop-2") + "\n");
  world.write(world.in_home("shop/web/x"), "");
  RepositoryFinder finder({}, [](const std::string&) { return true; });
  EXPECT_EQ(finder.key_of(world.in_home("shop")), "h.org/a/shop");
  EXPECT_EQ(finder.key_of(world.in_home("shop-2")), "h.org/a/shop");
  EXPECT_EQ(finder.key_of(world.in_home("shop/web")), "h.org/a/shop//web");
  EXPECT_EQ(finder.key_of(world.in_home("elsewhere")), "");
}

TEST(RepositoryFinder, RemembersWhatIsGoneAndLooksAtNoOtherDisk) {
  FakeWorld world;
  world.write(world.in_home("far/.git/config"), "[remote \"origin\"]\nurl = h.org/a/new\n");
  RepositoryFinder finder({{"/gone/shop", "h.org/a/shop"},
                           {world.in_home("far"), "h.org/a/known"},
                           {"/linked", "/gone/shop"},
                           {"/a", "/b"},
                           {"/b", "/a"}},
                          [](const std::string&) { return false; });
  EXPECT_EQ(finder.key_of("/gone/shop"), "h.org/a/shop");
  EXPECT_EQ(finder.key_of(world.in_home("far")), "h.org/a/known");
  EXPECT_EQ(finder.key_of("/linked"), "h.org/a/shop") << "by the main checkout that was recorded";
  EXPECT_EQ(finder.key_of("/a"), "") << "a circle";
}

TEST(NamesOfRepositories, TheRepositorysOwnNameWinsElseTheLatestFolders) {
  const std::vector<Checkout> checkouts = {
      {"/w/shop", "h.org/a/shop", "shop", day(1)},
      {"/w/shop-2", "h.org/a/shop", "shop-2", day(9)},
      {"/w/old", "h.org/a/thing", "old", day(2)},
      {"/w/new", "h.org/a/thing", "new", day(5)},
      {"/w/old", "h.org/a/thing", "old", day(8)},
      {"/w/alone", "h.org/a/x", "alone", day(1)},
      {"/w/none", "", "none", day(1)},
  };
  const auto names = names_of_repositories(checkouts);
  EXPECT_EQ(names.size(), 2U);
  EXPECT_EQ(names.at("h.org/a/shop"), "shop");
  EXPECT_EQ(names.at("h.org/a/thing"), "new") << "by when a folder was first worked in";
}

}  // namespace
}  // namespace yore::ingest
