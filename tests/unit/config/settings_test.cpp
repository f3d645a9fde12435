#include "config/settings.hpp"

#include <gtest/gtest.h>

#include "base/files/file.hpp"
#include "support/fake_world.hpp"

namespace yore::config {
namespace {

using fake::FakeWorld;

TEST(DataDirectory, IsInTheHomeUnlessAVariableSaysOtherwise) {
  FakeWorld world;
  EXPECT_EQ(world.settings().data_dir, world.in_home(".local/share/yore"));
  world.set_env("XDG_DATA_HOME", "/xdg");
  EXPECT_EQ(world.settings().data_dir, "/xdg/yore");
  world.set_env("YORE_DATA_DIR", "~/mine");
  EXPECT_EQ(world.settings().data_dir, world.in_home("mine"));
}

TEST(Config, LiesInTheConfigHome) {
  FakeWorld world;
  EXPECT_EQ(world.settings().config_path, world.in_home(".config/yore/config.toml"));
  world.set_env("XDG_CONFIG_HOME", "/xdg");
  EXPECT_EQ(world.settings().config_path, "/xdg/yore/config.toml");
}

TEST(Config, MayBeMissing) {
  const FakeWorld world;
  const Settings settings = world.settings();
  EXPECT_TRUE(settings.sources.empty());
  EXPECT_TRUE(settings.exclude.empty());
  EXPECT_TRUE(settings.warnings.empty());
}

TEST(Config, GivesSourcesAndExcludedGlobs) {
  FakeWorld world;
  world.set_config("sources = [\"openclaw:~/claw/sessions\"]\nexclude = [\"*/secret\", 'x*']\n");
  const Settings settings = world.settings();
  EXPECT_EQ(settings.sources, (std::vector<std::string>{"openclaw:~/claw/sessions"}));
  EXPECT_EQ(settings.exclude, (std::vector<std::string>{"*/secret", "x*"}));
}

TEST(Config, SaysWhatIsSearchableByMeaning) {
  FakeWorld world;
  EXPECT_TRUE(world.settings().embedding.enabled);
  EXPECT_FALSE(world.settings().embedding.full);
  EXPECT_EQ(world.settings().embedding.days, 90U);
  world.set_config("[embedding]\nenabled = false\nfull = true\ndays = 0\nmodel = 'x'\n");
  const Settings settings = world.settings();
  EXPECT_FALSE(settings.embedding.enabled);
  EXPECT_TRUE(settings.embedding.full);
  EXPECT_EQ(settings.embedding.days, 0U);
  ASSERT_EQ(settings.warnings.size(), 1U);
  EXPECT_NE(settings.warnings[0].find("unknown key 'embedding.model'"), std::string::npos);
  for (const char* wrong : {"embedding = 3\n", "[embedding]\ndays = -1\n",
                            "[embedding]\ndays = 'many'\n", "[embedding]\nfull = 1\n"}) {
    FakeWorld other;
    other.set_config(wrong);
    const auto refused = load_settings(other.world());
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_NE(refused.error().message.find("embedding"), std::string::npos);
  }
}

TEST(Config, GivesPricesOfModels) {
  FakeWorld world;
  EXPECT_TRUE(world.settings().prices.empty());
  world.set_config(
      "[prices]\n\"My-Model\" = { input = 2, output = 8.5 }\n"
      "other = { input = 1, output = 2, cache_read = 3, cache_write = 4 }\n");
  const std::vector<ModelPrice> prices = world.settings().prices;
  ASSERT_EQ(prices.size(), 2U);
  EXPECT_EQ(prices[0], (ModelPrice{"my-model", 2, 8.5, 0.2, 2}));
  EXPECT_EQ(prices[1], (ModelPrice{"other", 1, 2, 3, 4}));
  for (const char* wrong :
       {"prices = 3\n", "[prices]\nx = 3\n", "[prices]\nx = { input = 1 }\n",
        "[prices]\nx = { input = -1, output = 1 }\n", "[prices]\nx = { input = nan, output = 1 }\n",
        "[prices]\nx = { input = 1, output = 1, tea = 1 }\n"}) {
    FakeWorld other;
    other.set_config(wrong);
    const auto refused = load_settings(other.world());
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_NE(refused.error().message.find("prices"), std::string::npos);
  }
}

TEST(Config, NamesEveryKeyItDoesNotKnow) {
  FakeWorld world;
  world.set_config("exlude = [\"x\"]\n[rankng]\na = 1\n");
  const Settings settings = world.settings();
  ASSERT_EQ(settings.warnings.size(), 2U);
  EXPECT_NE(settings.warnings[0].find("config.toml: unknown key 'exlude'"), std::string::npos);
  EXPECT_NE(settings.warnings[1].find("'rankng'"), std::string::npos);
}

TEST(Config, ThatIsBrokenIsAnErrorThatNamesTheLine) {
  FakeWorld world;
  world.set_config("exclude = []\nsources = [oops\n");
  const auto settings = load_settings(world.world());
  ASSERT_FALSE(settings.ok());
  EXPECT_EQ(settings.error().code, Errc::invalid_argument);
  EXPECT_NE(settings.error().message.find("config.toml: line 2"), std::string::npos)
      << settings.error().message;
}

TEST(Config, ThatHoldsAnotherTypeSaysWhatIsWanted) {
  for (const char* text : {"exclude = \"x\"\n", "exclude = [1]\n", "sources = {a=1}\n"}) {
    FakeWorld world;
    world.set_config(text);
    const auto settings = load_settings(world.world());
    ASSERT_FALSE(settings.ok()) << text;
    EXPECT_NE(settings.error().message.find("want a list of strings"), std::string::npos) << text;
  }
}

TEST(Config, WithASourceOfAnUnknownFormatIsAnError) {
  FakeWorld world;
  world.set_config("sources = [\"vim:/x\"]\n");
  const auto settings = load_settings(world.world());
  ASSERT_FALSE(settings.ok());
  EXPECT_NE(settings.error().message.find("config.toml: source format 'vim'"), std::string::npos);
}

TEST(Exclude, MatchesPathsFoldersAndProjects) {
  Settings settings;
  settings.exclude = {"/home/ann/private", "*-scratch", "bank"};
  EXPECT_TRUE(is_excluded(settings, "/home/ann/private/a.jsonl", ""));
  EXPECT_TRUE(is_excluded(settings, "/x/my-scratch/a.jsonl", ""));
  EXPECT_TRUE(is_excluded(settings, "/x/a.jsonl", "bank"));
  EXPECT_TRUE(is_excluded(settings, "/x/a.jsonl", "old-scratch"));
  EXPECT_FALSE(is_excluded(settings, "/home/ann/privateer/a.jsonl", ""));
  EXPECT_FALSE(is_excluded(settings, "/x/a.jsonl", "bankrupt"));
  EXPECT_FALSE(is_excluded(Settings{}, "/x/a.jsonl", "bank"));
}

}  // namespace
}  // namespace yore::config
