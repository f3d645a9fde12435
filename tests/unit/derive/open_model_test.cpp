#include "derive/open_model.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.hpp"
#include "support/fake_world.hpp"

namespace yore::derive {
namespace {

using fake::FakeWorld;

const std::string kOurs =
    std::string(YORE_SOURCE_DIR "/models/") + std::string(semantic::kModelName);

TEST(OpenModel, FindsThatOfTheSourceTreeWhenNothingElseIsKnown) {
  const FakeWorld world;
  const auto model = open_model(world.world());
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_EQ((*model)->path(), kOurs);
}

TEST(OpenModel, PrefersWhatLiesBesideTheProgram) {
  FakeWorld fake;
  config::World world = fake.world();
  world.program = fake.in_home("usr/bin/yore");
  const std::string beside = path_join(fake.in_home("usr/share/yore/models"), semantic::kModelName);
  std::filesystem::create_directories(path_dirname(beside));
  std::filesystem::create_symlink(kOurs, beside);
  const auto model = open_model(world);
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_EQ((*model)->path(), beside);
}

TEST(OpenModel, LooksNowhereElseWhenAPathIsNamed) {
  FakeWorld world;
  world.set_env("YORE_MODEL", "~/other.yoremodel");
  auto model = open_model(world.world());
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code, Errc::not_found);
  EXPECT_NE(model.error().message.find(world.in_home("other.yoremodel")), std::string::npos);
  EXPECT_EQ(model.error().message.find(kOurs), std::string::npos);

  std::filesystem::create_symlink(kOurs, world.in_home("other.yoremodel"));
  model = open_model(world.world());
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_EQ((*model)->path(), world.in_home("other.yoremodel"));
}

TEST(OpenModel, TellsADamagedFileFromAMissingOne) {
  FakeWorld world;
  const std::string path = world.write(world.in_home("m"), "yoremdl1, or so it says");
  world.set_env("YORE_MODEL", path);
  const auto model = open_model(world.world());
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code, Errc::corrupt);
}

}  // namespace
}  // namespace yore::derive
