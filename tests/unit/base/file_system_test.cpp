// What writing a file leaves behind when any of its calls to the system goes wrong.
#include "base/files/file_system.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <set>

#include "base/files/leftovers.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temp_dir.hpp"

namespace yore {
namespace {

using fake::Fault;
using fake::FaultyFileSystem;

const std::string kOld = "the old bytes";
const std::string kNew = "the new bytes, which are more";

class FaultyWrite : public testing::TestWithParam<Fault> {
 protected:
  using Action = std::function<Status(const FileSystem&, const std::string& path)>;

  // Runs the action once for each of its calls, which goes wrong; `check` sees how it ended.
  template <typename Check>
  void at_every_call(const Action& action, bool old_file, Check check) {
    for (std::size_t at = 0;; ++at) {
      const fake::TempDir directory;
      const std::string path = path_join(directory.path(), "file");
      if (old_file) {
        ASSERT_TRUE(write_new_file(path, kOld).ok());
      }
      const FaultyFileSystem files(GetParam(), at);
      const Status status = action(files, path);
      if (!files.has_struck()) {
        EXPECT_GT(at, 1U);
        return;
      }
      check(status, directory.path(), path);
      if (HasFailure()) FAIL() << "at call " << at;
    }
  }

  static std::size_t files_in(const std::string& directory) {
    return list_directory(directory)->size();
  }
};

TEST_P(FaultyWrite, AReplacedFileHasTheOldBytesOrTheNew) {
  for (const bool synced : {false, true}) {
    at_every_call(
        [&](const FileSystem& files, const std::string& path) {
          return synced ? files.write_file_atomically(path, kNew) : files.replace_file(path, kNew);
        },
        true,
        [&](const Status& status, const std::string& directory, const std::string& path) {
          const std::string now = *read_file(path);
          if (GetParam() == Fault::lose) {
            EXPECT_EQ(now.size(), kNew.size());
          } else {
            // A directory that cannot be synced is no failure.
            EXPECT_EQ(now, status.ok() ? kNew : kOld);
          }
          // Only who crashed cannot clean up: others do.
          if (GetParam() == Fault::crash) remove_leftovers(path);
          EXPECT_EQ(files_in(directory), 1U);
        });
  }
}

TEST_P(FaultyWrite, ANewFileIsWholeOrNotThere) {
  at_every_call([](const FileSystem& files,
                   const std::string& path) { return files.write_new_file(path, kNew); },
                false,
                [&](const Status& status, const std::string& directory, const std::string& path) {
                  if (status.ok() && GetParam() != Fault::lose) {
                    EXPECT_EQ(*read_file(path), kNew);
                  }
                  if (!status.ok() && GetParam() != Fault::crash) {
                    EXPECT_EQ(files_in(directory), 0U);
                  }
                });
}

TEST_P(FaultyWrite, AppendingLeavesWhatWasThere) {
  at_every_call(
      [](const FileSystem& files, const std::string& path) -> Status {
        const auto appended = files.append_if_size(path, kOld.size(), kNew);
        if (!appended) return appended.error();
        return *appended ? Status{} : Status(Error{Errc::io, "another size"});
      },
      true,
      [&](const Status& status, const std::string&, const std::string& path) {
        const std::string now = *read_file(path);
        EXPECT_TRUE(now.starts_with(kOld));
        if (status.ok() && GetParam() != Fault::lose) {
          EXPECT_EQ(now, kOld + kNew);
        }
      });
}

TEST_P(FaultyWrite, ReadingFailsOrTellsAll) {
  at_every_call(
      [](const FileSystem& files, const std::string& path) -> Status {
        const auto bytes = files.read_file(path);
        if (!bytes) return bytes.error();
        return *bytes == kOld ? Status{} : Status(Error{Errc::corrupt, *bytes});
      },
      true,
      [&](const Status& status, const std::string&, const std::string&) {
        const bool harmless = GetParam() == Fault::shorten || GetParam() == Fault::lose;
        EXPECT_EQ(status.ok(), harmless);
        if (!status.ok()) {
          EXPECT_EQ(status.error().code, Errc::io);
        }
      });
}

INSTANTIATE_TEST_SUITE_P(EveryKind, FaultyWrite, testing::ValuesIn(fake::kFaults));

}  // namespace
}  // namespace yore
