// Originals are kept once, read when their source is gone, and go when they are forgotten.
#include "ingest/archiving.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "archive/backup_file.hpp"
#include "archive/chunker.hpp"
#include "archive/packed.hpp"
#include "ingest/forget.hpp"
#include "service/backup.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"
#include "support/faulty_file_system.hpp"

namespace yore {
namespace {

constexpr std::string_view kKept = "aaaaaaaa-2222-4222-8222-222222222222";
const std::atomic<bool> kGoOn{false};

// Text that does not repeat, so that its pieces differ.
std::string noise(std::size_t bytes, std::uint32_t seed) {
  std::string text;
  for (std::uint32_t n = seed; text.size() < bytes; n = n * 1664525U + 1013904223U) {
    text += std::to_string(n);
  }
  return text;
}

class Archiving : public testing::Test {
 protected:
  static std::string turn(const std::string& word) {
    fake::ClaudeLines lines("line-" + word);
    return lines.prompt("about " + word) + lines.answer("so much for " + word);
  }
  std::string path() { return machine.session_path("-home-ann-code-blog", kKept); }
  ingest::ArchiveReport archive() {
    machine.index();
    auto store = machine.store();
    auto report = ingest::archive_sessions(machine.world(), machine.settings(), store,
                                           {machine.session(kKept)}, kGoOn);
    EXPECT_TRUE(report.ok());
    return report ? *report : ingest::ArchiveReport{};
  }
  archive::Entry entry() {
    const auto found = archive::Archive(machine.data_dir()).find(kKept);
    EXPECT_TRUE(found.ok() && found->has_value());
    return **found;
  }
  fake::FakeWorld machine;
};

TEST_F(Archiving, WhatGrewIsNotStoredAgain) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += turn(noise(100'000, static_cast<std::uint32_t>(i)));
  machine.write(path(), text);
  const auto first = archive();
  EXPECT_EQ(first.kept, 1U);
  machine.append(path(), turn("egret"));
  const auto second = archive();
  EXPECT_EQ(second.kept, 1U);
  EXPECT_LT(second.stored_bytes, first.stored_bytes / 4);
  EXPECT_EQ(archive().unchanged, 1U);
  EXPECT_EQ(entry().versions.size(), 1U);
}

TEST_F(Archiving, WhatWasRewrittenKeepsBoth) {
  machine.write(path(), turn("heron") + turn("egret"));
  archive();
  machine.write(path(), turn("stork"));
  archive();
  EXPECT_EQ(entry().versions.size(), 2U);
}

TEST_F(Archiving, ASessionWhoseSourceIsGoneIsReadFromTheArchive) {
  machine.write(path(), turn("heron") + turn("egret"));
  archive();
  machine.remove(path());
  machine.index();
  auto store = machine.store();
  // What the store has is made unreadable: only the archive can answer.
  ASSERT_TRUE(store.database().run("UPDATE pack SET data=x'00'").ok());
  auto reader = machine.reader();
  const auto read = reader.read(machine.session(kKept), 0, 10);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(read->source_missing);
  ASSERT_EQ(read->turns.size(), 2U);
  EXPECT_EQ(read->turns[1].user_text, "about egret");
}

TEST_F(Archiving, ForgettingASessionOrATurnRemovesTheOriginal) {
  machine.write(path(), turn("heron") + turn("egret"));
  archive();
  auto store = machine.store();
  const auto plan = ingest::plan_forgetting(store, {{}, {{machine.session(kKept).id, 1}}});
  ASSERT_TRUE(plan.ok());
  ASSERT_TRUE(ingest::forget(machine.world(), machine.settings(), *plan, kGoOn).ok());
  std::size_t files = 0;
  for (const auto& each : std::filesystem::recursive_directory_iterator(
           archive::Archive(machine.data_dir()).directory())) {
    files += each.is_regular_file() && each.path().filename() != "lock" ? 1 : 0;
  }
  EXPECT_EQ(files, 0U);
  EXPECT_EQ(archive().left_out, 1U) << "nor does it come back";
}

TEST_F(Archiving, DamageIsFoundAndMendedWhileTheSourceIsThere) {
  machine.write(path(), turn("heron"));
  archive();
  const archive::Archive kept(machine.data_dir());
  const std::string piece =
      path_join(kept.directory(),
                archive::Archive::chunk_name(entry().versions[0].files[0].chunks[0].digest));
  ASSERT_TRUE(write_file_atomically(piece, "garbage").ok());
  EXPECT_EQ(kept.verify()->size(), 1U);
  machine.append(path(), "\n");
  archive();
  EXPECT_TRUE(kept.verify()->empty());
}

TEST_F(Archiving, AgentsThatDeleteAreWarnedOf) {
  machine.write(path(), turn("heron"));
  fake::FakeWorld::set_time(path(), machine.world().now - std::chrono::days{25});
  machine.index();
  auto store = machine.store();
  const auto soon = [&] {
    return ingest::expiring_sessions(machine.world(), machine.settings(), store,
                                     ingest::kWarnBefore);
  };
  ASSERT_EQ(soon()->size(), 1U);
  EXPECT_FALSE(soon()->front().kept);
  machine.write(machine.in_home(".claude/settings.json"), R"({"cleanupPeriodDays": 99})");
  EXPECT_TRUE(soon()->empty());
}

TEST_F(Archiving, ABackupBringsBackWhatCannotBeRebuilt) {
  machine.write(path(), turn("heron") + turn("egret"));
  archive();
  machine.write(path(), turn("heron"));
  machine.index();
  machine.remove(path());
  machine.index();
  const std::string file = machine.in_home("backup");
  ASSERT_TRUE(service::write_backup(machine.world(), machine.settings(), file).ok());
  config::Settings other = machine.settings();
  other.data_dir = machine.in_home("other");
  const auto restored = service::restore_backup(machine.world(), other, file, kGoOn);
  ASSERT_TRUE(restored.ok()) << restored.error().message;
  EXPECT_EQ(restored->sessions, 1U);
  EXPECT_EQ(restored->editions, 1U);
  auto store = store::Store::open_existing(other.data_dir);
  const auto session = store->session_by_uid(kKept);
  ASSERT_TRUE(session.ok() && session->has_value());
  EXPECT_EQ((*session)->superseded, 1U);
  EXPECT_EQ(store->editions_of((*session)->id)->size(), 1U);
  EXPECT_TRUE(archive::Archive(other.data_dir).verify()->empty());
  const auto again = service::restore_backup(machine.world(), other, file, kGoOn);
  EXPECT_EQ(again->sessions + again->editions, 0U);
}

TEST_F(Archiving, ADamagedBackupChangesNothing) {
  machine.write(path(), turn("heron"));
  archive();
  const std::string file = machine.in_home("backup");
  ASSERT_TRUE(service::write_backup(machine.world(), machine.settings(), file).ok());
  const std::string whole = *read_file(file);
  config::Settings other = machine.settings();
  other.data_dir = machine.in_home("other");
  for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 100) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    machine.write(file, damaged);
    EXPECT_FALSE(service::restore_backup(machine.world(), other, file, kGoOn).ok()) << at;
    machine.write(file, whole.substr(0, at));
    EXPECT_FALSE(service::restore_backup(machine.world(), other, file, kGoOn).ok()) << at;
    ASSERT_FALSE(std::filesystem::exists(other.data_dir)) << at;
  }
}

TEST_F(Archiving, AnyFaultOfAnyCallLeavesAnArchiveThatTheNextRunCompletes) {
  machine.write(path(), turn("heron"));
  machine.index();
  auto store = machine.store();
  const auto run = [&](const FileSystem& files) {
    config::World world = machine.world();
    world.files = &files;
    return ingest::archive_sessions(world, machine.settings(), store, {machine.session(kKept)},
                                    kGoOn);
  };
  const archive::Archive kept(machine.data_dir());
  const fake::FaultyFileSystem counting;
  ASSERT_TRUE(run(counting).ok());
  for (const fake::Fault fault : fake::kFaults) {
    for (std::size_t at = 0; at < counting.calls(); ++at) {
      if (!counting.matters(fault, at)) continue;
      std::filesystem::remove_all(kept.directory());
      const fake::FaultyFileSystem faulty(fault, at);
      static_cast<void>(run(faulty));
      ASSERT_TRUE(run(real_file_system()).ok());
      if (fault == fake::Fault::lose) continue;  // found by verify, mended as above
      EXPECT_TRUE(kept.verify()->empty()) << at;
      EXPECT_EQ(kept.all()->entries.size(), 1U) << at;
    }
  }
}

TEST(BackupFile, AnyFaultOfAnyCallLeavesTheOldOneOrAWholeNewOne) {
  const fake::TempDir folder;
  const std::string path = path_join(folder.path(), "backup");
  const auto write = [&](const FileSystem& files, const std::string& text) -> Status {
    auto out = archive::BackupWriter::create(path, files);
    if (!out) return out.error();
    Status status = out->add("one", archive::pack(text));
    return status ? out->finish() : status;
  };
  const auto members = [&] {
    std::string all;
    const Status read = archive::each_member(path, [&](auto, std::string_view packed) {
      all += *archive::unpack(packed, 1000);
      return Status{};
    });
    return read ? all : "damaged";
  };
  const fake::FaultyFileSystem counting;
  ASSERT_TRUE(write(counting, "new").ok());
  for (const fake::Fault fault : {fake::Fault::refuse, fake::Fault::tear, fake::Fault::crash}) {
    for (std::size_t at = 0; at < counting.calls(); ++at) {
      std::filesystem::remove_all(path + ".tmp-" + std::to_string(::getpid()));
      ASSERT_TRUE(write(real_file_system(), "old").ok());
      const fake::FaultyFileSystem faulty(fault, at);
      const bool done = write(faulty, "new").ok();
      EXPECT_EQ(members(), done ? "new" : "old") << at;
    }
  }
}

TEST(Chunker, CutsTheSameAfterSomethingWasPutIn) {
  const std::string text = noise(3 << 20, 7);
  const auto cuts = [](std::string_view rest) {
    std::vector<std::string> pieces;
    while (!rest.empty()) {
      const std::size_t size = archive::first_chunk(rest);
      EXPECT_TRUE(size <= archive::kMostChunkBytes && size > 0);
      pieces.emplace_back(rest.substr(0, size));
      rest.remove_prefix(size);
    }
    return pieces;
  };
  const auto before = cuts(text);
  ASSERT_GT(before.size(), 4U);
  const auto after = cuts("put in front" + text);
  std::size_t same = 0;
  for (const std::string& piece : before) same += std::ranges::count(after, piece) > 0 ? 1 : 0;
  EXPECT_GT(same, before.size() / 2);
}

}  // namespace
}  // namespace yore
