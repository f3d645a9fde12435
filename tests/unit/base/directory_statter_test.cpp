#include "base/files/directory_statter.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/temp_dir.hpp"

namespace yore {
namespace {

// lookout.changed() against look_at(), its slow twin.
void expect_same(const DirectoryStatter& lookout, const ObservedPath& before) {
  const PathState now = look_at(before.path);
  const std::optional<PathState> changed = lookout.changed(before.path, before);
  ASSERT_EQ(changed.has_value(), now != static_cast<const PathState&>(before)) << before.path;
  if (changed) {
    EXPECT_EQ(*changed, now);
  }
}

TEST(DirectoryStatter, SaysWhatLookAtSays) {
  const fake::TempDir temp;
  const std::string root = path_join(temp.path(), "root");
  const std::string deep = path_join(root, "a/b");
  ASSERT_TRUE(make_directories(deep).ok());
  ASSERT_TRUE(make_directories(root + "-too").ok());
  const std::string grows = path_join(deep, "grows");
  const std::string goes = path_join(root, "goes");
  const std::string stays = path_join(root, "stays");
  const std::string comes = path_join(root, "comes");
  const std::string outside = path_join(root + "-too", "file");
  const std::string link = path_join(root, "link");
  for (const std::string& path : {grows, goes, stays, outside}) {
    ASSERT_TRUE(write_new_file(path, "one").ok());
  }
  ASSERT_EQ(::symlink(grows.c_str(), link.c_str()), 0);
  std::vector<ObservedPath> before;
  for (const std::string& path : {grows, goes, stays, comes, outside, link, deep, root}) {
    before.push_back(look_at(path));
  }
  const DirectoryStatter lookout({path_join(temp.path(), "missing"), root, grows});
  for (const ObservedPath& look : before) {
    EXPECT_FALSE(lookout.changed(look.path, look).has_value()) << look.path;
  }

  ASSERT_TRUE(append_if_size(grows, 3, "two").ok());
  ASSERT_TRUE(remove_file(goes).ok());
  ASSERT_TRUE(make_directories(comes).ok());
  ASSERT_TRUE(remove_file(outside).ok());
  for (const ObservedPath& look : before) expect_same(lookout, look);
  EXPECT_TRUE(lookout.changed(before[0].path, before[0]).has_value());
  EXPECT_FALSE(lookout.changed(before[2].path, before[2]).has_value());
  EXPECT_TRUE(lookout.changed(before[5].path, before[5]).has_value());  // by way of the link
}

}  // namespace
}  // namespace yore
