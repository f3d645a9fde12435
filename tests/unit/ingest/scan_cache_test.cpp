#include "ingest/scan_cache.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "ingest/scan_cache_writer.hpp"
#include "support/fake_world.hpp"
#include "support/faulty_file_system.hpp"

namespace yore::ingest {
namespace {

constexpr std::chrono::seconds kLong{10};

class Files : public testing::Test {
 protected:
  void save_and_load() {
    ASSERT_TRUE(make_directories(world_.data_dir()).ok());
    ASSERT_TRUE(list_.save(world_.data_dir(), now_).ok());
    load();
  }
  void load() {
    auto loaded = ScanCache::load(world_.data_dir());
    ASSERT_TRUE(loaded.ok());
    loaded_.emplace(std::move(*loaded));
  }
  [[nodiscard]] const ScanCache& table() const { return *loaded_; }
  // Looks at a folder, a file in it and something that is not there.
  void remember() {
    world_.write(file_, "one\n");
    PathRecorder recorder;
    ASSERT_TRUE(FileView(recorder).list_directory(folder_).ok());
    ASSERT_TRUE(FileView(recorder).stat(file_).ok());
    ASSERT_FALSE(FileView(recorder).is_directory(absent_));
    list_.looks = recorder.take();
    list_.settings = 7;
    list_.sessions = 3;
    list_.roots = {"/a", "/b"};
    save_and_load();
  }

  fake::FakeWorld world_;
  const Time now_ = world_.world().now;
  std::string folder_ = world_.in_home("transcripts");
  std::string file_ = folder_ + "/a.jsonl";
  std::string absent_ = world_.in_home("absent");
  ScanCacheWriter list_;
  std::optional<ScanCache> loaded_;
};

TEST_F(Files, AreKeptAsTheyWereSeen) {
  remember();
  EXPECT_EQ(table().settings(), 7U);
  EXPECT_EQ(table().sessions(), 3U);
  EXPECT_EQ(table().roots(), (std::vector<std::string>{"/a", "/b"}));
  EXPECT_EQ(table().size(), 3U);
  EXPECT_TRUE(table().compare(kLong).none());
}

TEST_F(Files, TellWhichHaveGrown) {
  remember();
  world_.append(file_, "two\n");
  const auto difference = table().compare(kLong);
  ASSERT_EQ(difference.files.size(), 1U);
  EXPECT_EQ(table().path_of(difference.files[0]), file_);
  EXPECT_FALSE(difference.other);
  EXPECT_EQ(difference.new_bytes, 4U);
}

TEST_F(Files, TellWhenSomethingCameOrWent) {
  remember();
  world_.write(folder_ + "/b.jsonl", "new\n");
  EXPECT_TRUE(table().compare(kLong).other);
  remember();
  world_.remove(file_);
  EXPECT_TRUE(table().compare(kLong).other);
  world_.write(file_, "one\n");
  remember();
  ASSERT_TRUE(make_directories(absent_).ok());
  EXPECT_TRUE(table().compare(kLong).other);
}

TEST_F(Files, NoticeWhatAppearsInAFolderThatWasListed) {
  absent_ = folder_ + "/session/subagents";  // missing with its folder
  remember();
  EXPECT_TRUE(table().compare(kLong).none());
  ASSERT_TRUE(make_directories(absent_).ok());
  EXPECT_TRUE(table().compare(kLong).other);
}

TEST_F(Files, NoticeAMissingFileThatAppears) {
  absent_ = folder_ + "/late.jsonl";
  remember();
  EXPECT_TRUE(table().compare(kLong).none());
  world_.write(absent_, "late\n");
  EXPECT_TRUE(table().compare(kLong).other);
}

// A session with a folder beside it that holds a sub-agent, none of it touched for a day, or only
// the session.
class SessionFolders : public Files {
 protected:
  void remember_aged(bool quiet) {
    const std::string subagents = folder_ + "/s/subagents";
    world_.write(session_, "one\n");
    world_.write(subagent_, "one\n");
    PathRecorder recorder;
    ASSERT_TRUE(FileView(recorder).list_directory(folder_).ok());
    ASSERT_TRUE(FileView(recorder).stat(session_).ok());
    ASSERT_TRUE(FileView(recorder).list_directory(subagents).ok());
    ASSERT_TRUE(FileView(recorder).stat(subagent_).ok());
    list_.looks = recorder.take();
    for (ObservedPath& look : list_.looks) {
      const bool old = look.path == session_ || (quiet && look.path != folder_);
      world_.set_time(look.path, now_ - std::chrono::hours{old ? 25 : 1});
      look = look_at(look.path);
    }
    save_and_load();
  }

  std::string session_ = folder_ + "/s.jsonl";
  std::string subagent_ = folder_ + "/s/subagents/agent-1.jsonl";
};

TEST_F(SessionFolders, AreLookedAtOnlyWithTheirSessionOnceAllIsQuiet) {
  remember_aged(true);
  EXPECT_EQ(table().followers(), 2U);
  world_.append(subagent_, "two\n");
  EXPECT_TRUE(table().compare(kLong).files.empty());
  world_.append(session_, "two\n");
  const auto difference = table().compare(kLong);
  ASSERT_EQ(difference.files.size(), 2U);
  EXPECT_EQ(table().path_of(difference.files[0]), session_);
  EXPECT_EQ(table().path_of(difference.files[1]), subagent_);
  EXPECT_EQ(table().compare(std::vector<std::string>{subagent_}).files.size(), 1U);

  // Once the session has been read, it is not quiet: its folder is looked at for itself.
  ASSERT_TRUE(table().renew(world_.data_dir(), difference.files[0], look_at(session_)).ok());
  load();
  EXPECT_EQ(table().followers(), 0U);
  const auto again = table().compare(kLong);
  ASSERT_EQ(again.files.size(), 1U);
  EXPECT_EQ(table().path_of(again.files[0]), subagent_);
}

TEST_F(SessionFolders, AreLookedAtWhereTheyWereChangedWithinADay) {
  remember_aged(false);
  EXPECT_EQ(table().followers(), 0U);
  world_.append(subagent_, "two\n");
  EXPECT_EQ(table().compare(kLong).files.size(), 1U);
}

TEST_F(SessionFolders, AreLookedAtWhereSomethingIsStillToBeRead) {
  remember_aged(true);
  for (ObservedPath& look : list_.looks) {
    if (look.path == subagent_) look.stamp.mtime_ns = 0;  // as the indexer marks it
  }
  save_and_load();
  const auto difference = table().compare(kLong);
  ASSERT_EQ(difference.files.size(), 1U);
  EXPECT_EQ(table().path_of(difference.files[0]), subagent_);
}

TEST_F(SessionFolders, AreDroppedWithTheTableWhenTheyFollowWhatIsNotBeforeThem) {
  remember_aged(true);
  const std::string path = ScanCache::path(world_.data_dir());
  std::string bytes = *read_file(path);
  files::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t at = sizeof header + (header.rows - 1) * sizeof(files::Row);
  files::Row last;
  std::memcpy(&last, bytes.data() + at, sizeof last);
  ASSERT_NE(last.leader, ScanCache::kAlone);
  last.leader = static_cast<std::uint32_t>(header.rows - 1);
  last.check = last.checksum(header.hash);
  bytes.replace(at, sizeof last, raw_bytes(last));
  world_.write(path, bytes);
  EXPECT_EQ(ScanCache::load(world_.data_dir()).error().code, Errc::corrupt);
}

// Whoever has loaded a table may find another one in its place.
TEST_F(Files, ATableIsNotRenewedWithWhatIsKnownOfAnother) {
  remember();
  world_.append(file_, "two\n");
  const auto grown = table().compare(kLong);
  ASSERT_EQ(grown.files.size(), 1U);
  list_.settings = 8;
  ASSERT_TRUE(list_.save(world_.data_dir(), now_).ok());
  const std::string other = *read_file(ScanCache::path(world_.data_dir()));
  ASSERT_TRUE(table().renew(world_.data_dir(), grown.files[0], look_at(file_)).ok());
  EXPECT_EQ(*read_file(ScanCache::path(world_.data_dir())), other);
  load();
  ASSERT_TRUE(table().renew(world_.data_dir(), grown.files[0], look_at(file_)).ok());
  load();
  EXPECT_TRUE(table().compare(kLong).none());
}

TEST_F(Files, StopLookingWhenTheTimeIsUp) {
  remember();
  EXPECT_EQ(table().compare(std::chrono::microseconds{-1}).unchecked, 3U);
}

TEST_F(Files, AFolderThatWasJustChangedCountsAsDifferent) {
  remember();
  PathRecorder recorder;
  const std::string fresh = world_.in_home("fresh");
  ASSERT_TRUE(make_directories(fresh).ok());
  ASSERT_TRUE(FileView(recorder).list_directory(fresh).ok());
  ScanCacheWriter list;
  list.looks = recorder.take();
  ASSERT_TRUE(list.save(world_.data_dir(), now_).ok());
  EXPECT_FALSE(ScanCache::load(world_.data_dir())->compare(kLong).none());
}

TEST_F(Files, WhateverGoesWrongWhileSavingTheTableIsTheOldTheNewOrNone) {
  for (const fake::Fault fault : fake::kFaults) {
    for (std::size_t at = 0;; ++at) {
      remember();
      const fake::FaultyFileSystem files(fault, at);
      ScanCacheWriter next = list_;
      next.settings = 8;
      const Status saved = next.save(world_.data_dir(), now_, files);
      if (!files.has_struck()) break;
      const auto loaded = ScanCache::load(world_.data_dir());
      if (fault == fake::Fault::lose) {
        EXPECT_TRUE(!loaded || loaded->settings() == 8);
        continue;
      }
      ASSERT_TRUE(loaded.ok());
      EXPECT_EQ(loaded->settings(), saved.ok() ? 8U : 7U);
    }
  }
}

TEST_F(Files, WhateverGoesWrongWhileARowIsRenewedItIsRightOrTheTableIsGone) {
  for (const fake::Fault fault : fake::kFaults) {
    for (std::size_t at = 0;; ++at) {
      remember();
      world_.append(file_, "two\n");
      const auto different = table().compare(kLong);
      ASSERT_EQ(different.files.size(), 1U);
      const fake::FaultyFileSystem files(fault, at);
      const Status renewed =
          table().renew(world_.data_dir(), different.files[0], look_at(file_), files);
      if (!files.has_struck()) break;
      auto loaded = ScanCache::load(world_.data_dir());
      if (!loaded) {  // a torn row: everything is listed again
        EXPECT_EQ(loaded.error().code, Errc::corrupt);
        EXPECT_NE(fault, fake::Fault::refuse);
        continue;
      }
      EXPECT_EQ(loaded->compare(kLong).none(), renewed.ok()) << at;
      world_.append(file_, "three\n");
      EXPECT_FALSE(loaded->compare(kLong).none()) << at;
    }
  }
}

TEST_F(Files, DamageMeansDoingWithout) {
  remember();
  const std::string path = world_.data_dir() + "/files";
  const std::string whole = *read_file(path);
  std::size_t padding = 0;  // behind each of two texts; nobody reads it
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string bytes = whole;
    bytes[i] ^= 1;
    world_.write(path, bytes);
    const auto loaded = ScanCache::load(world_.data_dir());
    if (loaded) ++padding;
    if (!loaded) {
      EXPECT_EQ(loaded.error().code, Errc::corrupt);
    }
  }
  EXPECT_LT(padding, 16U);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    world_.write(path, whole.substr(0, size));
    EXPECT_EQ(ScanCache::load(world_.data_dir()).error().code, Errc::corrupt) << size;
  }
  world_.remove(path);
  EXPECT_EQ(ScanCache::load(world_.data_dir()).error().code, Errc::not_found);
}

TEST_F(Files, OfPathsThatChangedOnlyThoseThatMatterAreLookedAt) {
  remember();
  const auto told = [&](std::vector<std::string> paths) { return table().compare(paths); };
  EXPECT_TRUE(told({}).none());
  EXPECT_TRUE(told({file_}).none());  // said to have changed, but has not
  EXPECT_TRUE(told({world_.in_home("notes.txt")}).none());
  EXPECT_TRUE(told({absent_ + "-not"}).none());
  EXPECT_TRUE(told({folder_ + "/b.jsonl"}).other);  // in a directory that was listed
  EXPECT_TRUE(told({absent_ + "/deeper"}).none());  // still not there

  world_.append(file_, "two\n");
  EXPECT_TRUE(told({}).none());  // nobody said so
  const ScanCache::Difference grown = told({file_});
  ASSERT_EQ(grown.files.size(), 1U);
  EXPECT_EQ(table().path_of(grown.files.front()), file_);
  EXPECT_EQ(grown.new_bytes, 4U);
  EXPECT_FALSE(grown.other);
  ASSERT_TRUE(make_directories(absent_).ok());
  EXPECT_TRUE(told({absent_}).other);
}

TEST_F(Files, AMissingPlaceIsExpectedFromItsClosestFolder) {
  absent_ = world_.in_home("agent/store/sessions");
  remember();
  EXPECT_EQ(table().directories(), (std::vector<std::string>{world_.home(), folder_}));
  EXPECT_TRUE(table().compare(std::vector<std::string>{world_.in_home("agent")}).other);
  EXPECT_FALSE(table().compare(std::vector<std::string>{world_.in_home("age")}).other);
  ASSERT_TRUE(make_directories(world_.in_home("agent")).ok());
  EXPECT_EQ(table().directories(), (std::vector<std::string>{world_.home() + "/agent", folder_}));
}

}  // namespace
}  // namespace yore::ingest
