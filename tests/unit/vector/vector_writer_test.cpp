#include "vector/vector_writer.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <limits>

#include "support/temp_dir.hpp"
#include "unit/vector/vector_model.hpp"

namespace yore::vector {
namespace {

struct Vectors : testing::Test {
  [[nodiscard]] std::string path() const { return path_join(directory.path(), "vectors"); }
  [[nodiscard]] VectorWriter writer(WriterLimits limits = {}, std::uint64_t model = kModel) const {
    auto opened = VectorWriter::open(path(), model, limits);
    EXPECT_TRUE(opened.ok());
    return std::move(*opened);
  }
  [[nodiscard]] std::shared_ptr<const VectorSet> read(
      const std::shared_ptr<const VectorSet>& previous = nullptr) const {
    auto set = VectorSet::open(path(), kModel, previous);
    EXPECT_TRUE(set.ok());
    return set ? *set : nullptr;
  }
  fake::TempDir directory;
};

TEST_F(Vectors, AreNotFoundBeforeTheFirstWriter) {
  EXPECT_EQ(VectorSet::open(path(), kModel).error().code, Errc::not_found);
  EXPECT_FALSE(is_current(path(), 1));
  const VectorWriter first = writer();
  EXPECT_EQ(difference(*read(), {}), "");
}

TEST_F(Vectors, AreSeenByNewReadersWhenAppendReturns) {
  VectorWriter first = writer();
  const auto before = read();
  ASSERT_TRUE(append(first, {5, 3, 9}).ok());
  EXPECT_FALSE(is_current(path(), before->generation()));
  EXPECT_EQ(difference(*read(), {3, 5, 9}), "");
  EXPECT_EQ(difference(*read(before), {3, 5, 9}), "");
  EXPECT_EQ(difference(*first.set(), {3, 5, 9}), "");
  EXPECT_EQ(difference(*before, {}), "");
  EXPECT_TRUE(is_current(path(), first.set()->generation()));
}

TEST_F(Vectors, OfATextThatIsThereAreSkipped) {
  VectorWriter first = writer();
  ASSERT_TRUE(append(first, {1, 2, 1}).ok());
  const auto before = first.set();
  ASSERT_TRUE(append(first, {2, 1}).ok());
  EXPECT_EQ(first.set(), before) << "nothing was published";
  ASSERT_TRUE(append(first, {2, 3}).ok());
  EXPECT_EQ(difference(*first.set(), {1, 2, 3}), "");
  ASSERT_TRUE(first.compact([](TextHash) { return true; }).ok());
  ASSERT_TRUE(append(first, {3, 4}).ok());
  EXPECT_EQ(difference(*read(), {1, 2, 3, 4}), "");
}

TEST_F(Vectors, OfNamesAtTheEdgesAreFound) {
  const Texts texts = {0, 1, UINT64_MAX, UINT64_MAX - 2, 1ULL << 63, 77};
  VectorWriter first = writer();
  ASSERT_TRUE(append(first, texts).ok());
  EXPECT_EQ(difference(*read(), {texts.begin(), texts.end()}), "");
  ASSERT_TRUE(first.compact({[](TextHash) { return true; }}).ok());
  EXPECT_EQ(difference(*read(), {texts.begin(), texts.end()}), "");
}

TEST_F(Vectors, OfOtherSizesOrWithoutValueAreRefused) {
  VectorWriter first = writer();
  std::vector<float> vectors = vectors_of({1, 2});
  const Texts three = {1, 2, 3}, two = {1, 2};
  EXPECT_EQ(first.append(three, vectors).error().code, Errc::invalid_argument);
  vectors[400] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(first.append(two, vectors).error().code, Errc::invalid_argument);
  EXPECT_EQ(difference(*first.set(), {}), "");
}

TEST_F(Vectors, AreGoneOnlyWithTheirTextsWhenCompacted) {
  VectorWriter first = writer();
  ASSERT_TRUE(append(first, {1, 2, 3}).ok());
  ASSERT_TRUE(append(first, {4, 5}).ok());
  const auto old = read();
  ASSERT_TRUE(first.compact([](TextHash text) { return text % 2 == 1; }).ok());
  EXPECT_EQ(difference(*read(old), {1, 3, 5}), "");
  EXPECT_EQ(difference(*old, {1, 2, 3, 4, 5}), "") << "who has it keeps it";
  EXPECT_EQ(names_in(path()).size(), 2U) << "the manifest and one file";
  const auto compact = first.set();
  ASSERT_TRUE(first.compact([](TextHash text) { return text < 9; }).ok());
  EXPECT_EQ(first.set(), compact) << "there was nothing to do";
  ASSERT_TRUE(first.compact([](TextHash) { return false; }).ok());
  EXPECT_EQ(difference(*read(), {}), "");
  EXPECT_EQ(names_in(path()).size(), 1U);
  ASSERT_TRUE(append(first, {2}).ok());
  EXPECT_EQ(difference(*read(), {2}), "");
}

TEST_F(Vectors, InManySmallBlocksAreFoldedIntoFewFiles) {
  WriterLimits limits;
  limits.fold_blocks = 4;
  VectorWriter first = writer(limits);
  std::set<TextHash> expected;
  for (TextHash text = 1; text <= 200; ++text) {
    ASSERT_TRUE(append(first, {text}).ok());
    expected.insert(text);
  }
  EXPECT_LE(names_in(path()).size(), 9U);
  EXPECT_EQ(difference(*read(), expected), "");
}

TEST_F(Vectors, OfMoreRowsThanAPieceAreSound) {
  VectorWriter first = writer();
  Texts texts;
  for (TextHash text = 0; text < 2500; ++text) texts.push_back(text * 0x9E37'79B9'7F4A'7C15);
  ASSERT_TRUE(append(first, texts).ok());
  EXPECT_TRUE(read()->verify().ok());
  ASSERT_TRUE(first.compact([](TextHash) { return true; }).ok());
  EXPECT_TRUE(read()->verify().ok());
  EXPECT_EQ(difference(*read(), {texts.begin(), texts.end()}), "");
}

TEST_F(Vectors, OfAnotherModelAreNotRead) {
  {
    VectorWriter first = writer();
    ASSERT_TRUE(append(first, {1, 2}).ok());
  }
  EXPECT_EQ(VectorSet::open(path(), 1).error().code, Errc::unsupported);
  const VectorWriter other = writer({}, 1);
  EXPECT_EQ(difference(*other.set(), {}), "");
  EXPECT_EQ(VectorSet::open(path(), kModel).error().code, Errc::unsupported);
  EXPECT_EQ(names_in(path()), std::vector<std::string>{"manifest"});
}

TEST_F(Vectors, AreReadByNobodyElse) {
  VectorWriter first = writer();
  ASSERT_TRUE(append(first, {1}).ok());
  ASSERT_TRUE(first.compact([](TextHash) { return true; }).ok());
  ASSERT_TRUE(append(first, {2}).ok());
  EXPECT_EQ(names_in(path()).size(), 3U);
  for (const std::string& name : names_in(path())) {
    struct stat info {};
    ASSERT_EQ(::stat(path_join(path(), name).c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0600U) << name;
  }
}

TEST_F(Vectors, SayHowManyBytesTheyTake) {
  VectorWriter first = writer();
  ASSERT_TRUE(append(first, {1}).ok());
  ASSERT_TRUE(first.compact([](TextHash) { return true; }).ok());
  ASSERT_TRUE(append(first, {2, 3}).ok());
  std::uint64_t bytes = 0;
  for (const std::string& name : names_in(path())) {
    bytes += stat_file(path_join(path(), name))->size_bytes;
  }
  EXPECT_EQ(first.set()->bytes_on_disk(), bytes);
}

TEST_F(Vectors, WrittenByTwoInTurnAreAllThere) {
  VectorWriter one = writer();
  VectorWriter two = writer();
  ASSERT_TRUE(append(one, {1}).ok());
  ASSERT_TRUE(append(two, {2}).ok());
  ASSERT_TRUE(one.compact([](TextHash) { return true; }).ok());
  ASSERT_TRUE(append(two, {3}).ok());
  ASSERT_TRUE(append(one, {4, 2}).ok());
  EXPECT_EQ(difference(*read(), {1, 2, 3, 4}), "");
}

TEST_F(Vectors, StayMappedWhileAnotherProcessCompacts) {
  {
    VectorWriter first = writer();
    ASSERT_TRUE(append(first, {1, 2, 3}).ok());
    ASSERT_TRUE(first.compact([](TextHash) { return true; }).ok());
    ASSERT_TRUE(append(first, {4}).ok());
  }
  const auto old = read();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto other = VectorWriter::open(path(), kModel);
    bool good = other.ok() && append(*other, {5}).ok();
    good = good && other->compact([](TextHash text) { return text > 2; }).ok();
    good = good && append(*other, {6}).ok();
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(difference(*old, {1, 2, 3, 4}), "");
  EXPECT_TRUE(old->verify().ok());
  EXPECT_EQ(difference(*read(old), {3, 4, 5, 6}), "");
}

}  // namespace
}  // namespace yore::vector
