#include "config/sealed_stores.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/temp_dir.hpp"

namespace yore::config {
namespace {

void put_file(const std::string& path, std::string_view text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

TEST(SealedStores, AreNamedOnlyWhereAnEncryptedFileIs) {
  const fake::TempDir home;
  const GetEnv env = [&](std::string_view name) -> std::optional<std::string> {
    return name == "HOME" ? std::optional(home.path()) : std::nullopt;
  };
  EXPECT_TRUE(sealed_stores(env).empty());
  put_file(home.path() + "/.codeium/windsurf/cascade/a.pb", "xyz");
  put_file(home.path() + "/.gemini/antigravity/conversations/a.db", "xyz");
  const std::string trae = home.path() + "/.config/Trae/ModularData/ai-agent/database.db";
  put_file(trae, "SQLite format 3 and so on");
  ASSERT_EQ(sealed_stores(env).size(), 1U);
  EXPECT_EQ(sealed_stores(env)[0].name, "Windsurf");
  EXPECT_EQ(sealed_stores(env)[0].path, home.path() + "/.codeium/windsurf/cascade");
  put_file(trae, "no database that anybody could open");
  ASSERT_EQ(sealed_stores(env).size(), 2U);
  EXPECT_EQ(sealed_stores(env)[1].name, "Trae");
}

}  // namespace
}  // namespace yore::config
