#include "transcript/input/zstd_source.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/work_limit.hpp"
#include "support/temp_dir.hpp"

namespace yore::transcript {
namespace {

std::string packed(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string some_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "{\"line\":" + std::to_string(i * 7919 % 1000) + "}\n";
  return text;
}

class Zstd : public testing::Test {
 protected:
  ZstdSource open(const std::string& bytes) {
    path_ = directory_.path() + "/a.zst";
    std::ofstream(path_, std::ios::binary) << bytes;
    auto source = ZstdSource::open(path_);
    EXPECT_TRUE(source.ok());
    return *std::move(source);
  }
  static std::string read(ZstdSource& source, std::uint64_t offset, std::size_t size) {
    std::string out(size, '\0');
    const auto got = source.read_at(offset, out.data(), size);
    EXPECT_TRUE(got.ok());
    out.resize(got.ok() ? *got : 0);
    return out;
  }

  fake::TempDir directory_;
  std::string path_;
};

// The slow twin: the whole text in memory.
TEST_F(Zstd, GivesThePiecesOfTheTextInWhateverOrder) {
  const std::string text = some_lines(60'000);
  const std::size_t half = text.size() / 2;
  // Two frames, as when a file was written in two goes.
  auto source = open(packed(text.substr(0, half)) + packed(text.substr(half)));
  const bool holds = rc::check([&] {
    const auto offset = *rc::gen::inRange<std::size_t>(0, text.size() + 10);
    const auto size = *rc::gen::inRange<std::size_t>(0, 200'000);
    const std::string expected = offset > text.size() ? "" : text.substr(offset, size);
    RC_ASSERT(read(source, offset, size) == expected);
    RC_ASSERT(source.state() == ZstdSource::State::sound);
  });
  EXPECT_TRUE(holds);
}

TEST_F(Zstd, EndsWhereTheFileIsCut) {
  const std::string text = some_lines(60'000);
  const std::string bytes = packed(text);
  auto source = open(bytes.substr(0, bytes.size() / 2));
  const std::string got = read(source, 0, text.size());
  EXPECT_LT(got.size(), text.size());
  EXPECT_TRUE(text.starts_with(got));
  EXPECT_EQ(source.state(), ZstdSource::State::torn);
}

TEST_F(Zstd, TakesAnythingElseForDamagedAndABegunFrameForTorn) {
  auto other = open("not packed at all");
  EXPECT_EQ(read(other, 0, 100), "");
  EXPECT_EQ(other.state(), ZstdSource::State::damaged);
  for (const std::string bytes : {"\x28\xB5\x2F\xFD", "\x28"}) {
    auto begun = open(bytes);
    EXPECT_EQ(read(begun, 0, 100), "");
    EXPECT_EQ(begun.state(), ZstdSource::State::torn);
  }
  auto empty = open("");
  EXPECT_EQ(read(empty, 0, 100), "");
  EXPECT_EQ(empty.state(), ZstdSource::State::sound);
}

TEST_F(Zstd, RefusesAFrameThatWantsMoreMemoryThanIsFair) {
  const std::string text(1000, 'x');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 30);
  std::string bytes(4096, '\0');
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer out{bytes.data(), bytes.size(), 0};
  // In two goes, so that the frame's header cannot say how little it holds.
  ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush);
  ZSTD_compressStream2(context, &out, &in, ZSTD_e_end);
  bytes.resize(out.pos);
  ZSTD_freeCCtx(context);
  auto source = open(bytes);
  EXPECT_EQ(read(source, 0, 100), "");
  EXPECT_EQ(source.state(), ZstdSource::State::damaged);
}

TEST_F(Zstd, ReadsAFileThatHoldsFarMoreThanItsSizeUpToALimit) {
  EXPECT_EQ(max_unpacked_bytes(0), 64U << 20);
  EXPECT_EQ(max_unpacked_bytes(1U << 20), 264U << 20);
  EXPECT_EQ(max_unpacked_bytes(1U << 30), 4ULL << 30);
  EXPECT_EQ(max_unpacked_bytes(UINT64_MAX), 4ULL << 30);
  const std::string bytes = packed(std::string(80U << 20, '\n'));
  ASSERT_LT(bytes.size(), 20'000U);
  auto source = open(bytes);
  const std::uint64_t most = max_unpacked_bytes(bytes.size());
  EXPECT_EQ(read(source, most - 10, 10).size(), 10U);
  EXPECT_LT(read(source, most, 1U << 20).size(), 1U << 20);
  EXPECT_EQ(source.state(), ZstdSource::State::oversized);
}

TEST_F(Zstd, IsNotUnpackedAnyFurtherOnceTheWorkIsOver) {
  auto source = open(packed(some_lines(60'000)));
  std::atomic<bool> cancel{false};
  const WorkLimit limit(cancel);
  std::string out(100, '\0');
  ASSERT_TRUE(source.read_at(0, out.data(), out.size()).ok());
  cancel = true;
  const auto got = source.read_at(400'000, out.data(), out.size());
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().code, Errc::cancelled);
}

struct Counter final : RecordSink {
  void record(const Record&) override {}
  void problem(ProblemKind, std::uint64_t) override {}
  void unknown(std::string_view) override {}
};

TEST_F(Zstd, IsReadLineByLineInStepsThatGrow) {
  const std::string text = some_lines(3000);
  auto whole = open(packed(text));
  std::string seen;
  Cursor cursor;
  int steps = 0;
  for (bool more = true; more; ++steps) {
    auto source = ZstdSource::open(path_);
    ASSERT_TRUE(source.ok());
    Counter sink;
    const auto step = read_jsonl(*source, path_, cursor, unpacking_limits({1}, cursor), sink,
                                 [&](simdjson::ondemand::object& object, const LineInfo&) {
                                   std::int64_t line = 0;
                                   if (object["line"].get_int64().get(line) != simdjson::SUCCESS)
                                     return false;
                                   seen += "{\"line\":" + std::to_string(line) + "}\n";
                                   return true;
                                 });
    ASSERT_TRUE(step.ok());
    cursor = step->cursor;
    more = step->more;
    const auto resumable = jsonl_resumable(*source, cursor);
    ASSERT_TRUE(resumable.ok());
    EXPECT_TRUE(*resumable);
  }
  EXPECT_EQ(seen, text);
  EXPECT_LT(steps, 100);
}

}  // namespace
}  // namespace yore::transcript
