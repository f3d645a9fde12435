#include "service/here.hpp"

#include <gtest/gtest.h>

#include "base/files/file.hpp"
#include "support/temp_dir.hpp"

namespace yore::service {
namespace {

TEST(ProjectRoot, IsTheRepositoryOrTheFolderItself) {
  fake::TempDir dir;
  const std::string repository = dir.path() + "/code/shop";
  const std::string inside = repository + "/src/cart";
  const std::string worktree = dir.path() + "/code/shop-fix";
  ASSERT_TRUE(make_directories(inside));
  ASSERT_TRUE(make_directories(worktree + "/src"));
  ASSERT_TRUE(make_directories(dir.path() + "/notes"));
  EXPECT_EQ(project_root(dir.path() + "/notes"), dir.path() + "/notes");
  ASSERT_TRUE(make_directories(repository + "/.git"));
  EXPECT_EQ(project_root(inside), repository);
  EXPECT_EQ(project_root(repository), repository);
  ASSERT_TRUE(
      write_new_file(worktree + "/.git", "gitdir: " + repository + "/.git/worktrees/shop-fix\n"));
  EXPECT_EQ(project_root(worktree + "/src"), repository) << "a worktree is of its repository";
  EXPECT_EQ(project_root("/"), "/");
}

}  // namespace
}  // namespace yore::service
