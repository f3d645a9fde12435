// Damage, kills, and readers that come at any moment.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "support/temp_dir.hpp"
#include "unit/vector/vector_model.hpp"

namespace yore::vector {
namespace {

const auto kAll = [](TextHash) { return true; };

struct DamagedVectors : testing::Test {
  // A sealed file of three rows and a log of two blocks.
  void SetUp() override {
    auto writer = VectorWriter::open(path(), kModel);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(append(*writer, {1, 2, 3ULL << 60}).ok());
    ASSERT_TRUE(writer->compact(kAll).ok());
    ASSERT_TRUE(append(*writer, {4, 5}).ok());
    ASSERT_TRUE(append(*writer, {6}).ok());
    generation = writer->set()->generation();
    for (const std::string& name : names_in(path())) {
      whole[name] = *read_file(path_join(path(), name));
    }
    ASSERT_EQ(whole.size(), 3U);
  }

  [[nodiscard]] std::string path() const { return path_join(directory.path(), "vectors"); }

  // Everything as it was, but for one file; files that nobody has mapped.
  void put(const std::string& name, std::string_view bytes) const {
    for (const std::string& there : names_in(path())) {
      ASSERT_TRUE(remove_file(path_join(path(), there)).ok());
    }
    for (const auto& [there, was] : whole) {
      const std::string_view now = there == name ? bytes : std::string_view(was);
      ASSERT_TRUE(write_new_file(path_join(path(), there), now).ok());
    }
  }

  // Found when opened, or by verify() when it is in the vectors; names are right in any case.
  [[nodiscard]] bool is_found() const {
    const auto set = VectorSet::open(path(), kModel);
    if (!set) return set.error().code == Errc::corrupt || set.error().code == Errc::not_found;
    const Texts texts(expected.begin(), expected.end());
    std::vector<Row> rows(texts.size());
    (*set)->find(texts, rows);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (rows[i] == kNoRow || (*set)->text(rows[i]) != texts[i]) return false;
    }
    std::vector<float> cosines((*set)->rows());
    (*set)->scan(Query(vector_of(1)), cosines);
    return (*set)->verify().error().code == Errc::corrupt;
  }

  // What a writer makes of it: right rows, and at least `least` of them. Then all goes on.
  void check_writer(std::size_t least) const {
    auto writer = VectorWriter::open(path(), kModel);
    ASSERT_TRUE(writer.ok());
    const auto set = writer->set();
    ASSERT_GE(set->rows(), least);
    ASSERT_TRUE(set->verify().ok());
    ASSERT_GT(set->generation(), generation);
    std::set<TextHash> left;
    for (Row row = 0; row < set->rows(); ++row) left.insert(set->text(row));
    for (const TextHash text : left) ASSERT_TRUE(expected.contains(text));
    ASSERT_EQ(difference(*set, left), "");
    ASSERT_TRUE(append(*writer, Texts(expected.begin(), expected.end())).ok());
    ASSERT_EQ(difference(**VectorSet::open(path(), kModel), expected), "");
    for (const auto& [name, bytes] : whole) {
      if (name == "manifest") continue;
      ASSERT_FALSE(stat_file(path_join(path(), name)).ok()) << "a number is used once";
    }
  }

  fake::TempDir directory;
  std::map<std::string, std::string> whole;
  std::set<TextHash> expected = {1, 2, 3ULL << 60, 4, 5, 6};
  std::uint64_t generation = 0;
};

TEST_F(DamagedVectors, EveryFlippedByteIsFound) {
  for (const auto& [name, bytes] : whole) {
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
      put(name, flipped);
      ASSERT_TRUE(is_found()) << name << " at " << at;
    }
  }
}

TEST_F(DamagedVectors, EveryMissingTailIsFound) {
  for (const auto& [name, bytes] : whole) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      put(name, std::string_view(bytes).substr(0, size));
      ASSERT_EQ(VectorSet::open(path(), kModel).error().code, Errc::corrupt) << name << size;
    }
    put(name, bytes);
    ASSERT_TRUE(remove_file(path_join(path(), name)).ok());
    const Errc missing = name == "manifest" ? Errc::not_found : Errc::corrupt;
    EXPECT_EQ(VectorSet::open(path(), kModel).error().code, missing) << name;
  }
}

TEST_F(DamagedVectors, AWriterKeepsAllThatIsSoundAndGoesOn) {
  for (const auto& [name, bytes] : whole) {
    // All rows when only the manifest is gone; else those of the other file.
    const std::size_t least = name == "manifest" ? 6 : 3;
    for (std::size_t at = 0; at < bytes.size(); at += name == "manifest" ? 1 : 13) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ 0x01);
      put(name, flipped);
      check_writer(least);
      if (HasFatalFailure()) FAIL() << name << " at " << at;
      put(name, std::string_view(bytes).substr(0, at));
      check_writer(least);
      if (HasFatalFailure()) FAIL() << name << " cut at " << at;
    }
  }
}

TEST_F(DamagedVectors, WhatLiesBehindThePublishedEndDoesNotCount) {
  std::string log;
  for (const auto& [name, bytes] : whole) {
    if (name != "manifest") log = name;  // the last
  }
  put(log, whole[log] + "torn by a kill");
  EXPECT_EQ(difference(**VectorSet::open(path(), kModel), expected), "");
  auto writer = VectorWriter::open(path(), kModel);
  ASSERT_TRUE(writer.ok());
  EXPECT_EQ(difference(*writer->set(), expected), "");
  ASSERT_TRUE(append(*writer, {7}).ok());
  expected.insert(7);
  EXPECT_EQ(difference(**VectorSet::open(path(), kModel), expected), "");
  EXPECT_FALSE(stat_file(path_join(path(), log)).ok()) << "a new log was begun";
}

TEST_F(DamagedVectors, FilesThatNoManifestNamesAreRemoved) {
  const std::string left = path_join(path(), "0099.vec");
  const std::string temp = path_join(path(), "manifest.tmp-1-1");
  const std::string other = path_join(path(), "notes.txt");
  for (const std::string& file : {left, temp, other}) {
    ASSERT_TRUE(write_new_file(file, "left by a kill").ok());
  }
  auto writer = VectorWriter::open(path(), kModel);
  ASSERT_TRUE(writer.ok());
  EXPECT_FALSE(stat_file(left).ok());
  EXPECT_FALSE(stat_file(temp).ok());
  EXPECT_TRUE(stat_file(other).ok());
  ASSERT_TRUE(writer->compact(kAll).ok());
  EXPECT_TRUE(stat_file(path_join(path(), "0100.vec")).ok()) << "numbers go on behind it";
  EXPECT_EQ(difference(*writer->set(), expected), "");
}

TEST_F(DamagedVectors, AWriterNoticesThatItsFilesWereRemoved) {
  auto writer = VectorWriter::open(path(), kModel);
  ASSERT_TRUE(writer.ok());
  const auto old = writer->set();
  std::filesystem::remove_all(path());
  EXPECT_EQ(append(*writer, {9}).error().code, Errc::not_found);
  EXPECT_EQ(writer->compact(kAll).error().code, Errc::not_found);
  EXPECT_EQ(difference(*old, expected), "") << "who has it keeps it";
  // The same numbers again, with other rows: not mixed up with what is mapped.
  auto anew = VectorWriter::open(path(), kModel);
  ASSERT_TRUE(anew.ok());
  ASSERT_TRUE(append(*anew, {1, 2, 8}).ok());
  ASSERT_TRUE(anew->compact(kAll).ok());
  ASSERT_TRUE(append(*anew, {9, 10}).ok());
  const auto next = VectorSet::open(path(), kModel, old);
  ASSERT_TRUE(next.ok());
  EXPECT_EQ(difference(**next, {1, 2, 8, 9, 10}), "");
}

TEST(VectorKill, LosesNothingThatWasPublished) {
  const fake::TempDir directory;
  WriterLimits limits;
  limits.fold_blocks = 3;
  for (int round = 0; round < 25; ++round) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto writer = VectorWriter::open(directory.path(), kModel, limits);
      // The number of texts is that of rows: text n is the n-th to come.
      for (TextHash text = writer->set()->rows();; ++text) {
        if (!append(*writer, {text}).ok()) ::_exit(1);
        if (::write(pipe[1], &text, sizeof text) < 0) ::_exit(1);
      }
    }
    ::close(pipe[1]);
    TextHash told = 0;
    for (int i = 0; i <= round; ++i) ASSERT_EQ(::read(pipe[0], &told, sizeof told), 8);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    while (::read(pipe[0], &told, sizeof told) == 8) {
    }
    ::close(pipe[0]);
    const auto set = VectorSet::open(directory.path(), kModel);
    ASSERT_TRUE(set.ok());
    ASSERT_GE((*set)->rows(), told + 1);
    std::set<TextHash> expected;
    for (TextHash text = 0; text < (*set)->rows(); ++text) expected.insert(text);
    ASSERT_EQ(difference(**set, expected), "");
    ASSERT_TRUE((*set)->verify().ok());
  }
}

TEST(VectorRace, ReadersSeeWholePublicationsWhileAllIsReplaced) {
  const fake::TempDir directory;
  std::atomic<bool> done{false};
  std::jthread writing([&] {
    WriterLimits limits;
    limits.fold_blocks = 3;
    auto writer = VectorWriter::open(directory.path(), kModel, limits);
    for (TextHash text = 0; text < 200; ++text) {
      EXPECT_TRUE(append(*writer, {text}).ok());
      if (text % 20 != 19) continue;
      EXPECT_TRUE(writer->compact(kAll).ok());
    }
    done = true;
  });
  std::shared_ptr<const VectorSet> kept;
  for (bool last = false; !last;) {
    last = done;
    auto next = VectorSet::open(directory.path(), kModel, kept);
    if (!next && next.error().code == Errc::not_found && !last) continue;
    ASSERT_TRUE(next.ok()) << next.error().message;
    ASSERT_GE((*next)->rows(), kept ? kept->rows() : 0);
    std::set<TextHash> expected;
    for (TextHash text = 0; text < (*next)->rows(); ++text) expected.insert(text);
    ASSERT_EQ(difference(**next, expected), "");
    kept = std::move(*next);
  }
  EXPECT_EQ(kept->rows(), 200U);
}

}  // namespace
}  // namespace yore::vector
