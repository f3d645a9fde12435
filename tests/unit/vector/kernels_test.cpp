// The fast loop against the obvious one, on whatever this processor has.
#include "vector/kernels.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "unit/vector/vector_model.hpp"

namespace yore::vector {
namespace {

TEST(VectorKernels, EveryFormGivesTheSameBits) {
  std::mt19937 random(3);
  for (std::size_t count = 0; count < 23; ++count) {
    std::vector<std::int8_t> rows(count * kDimensions);
    std::vector<float> scales(count);
    for (auto& value : rows) value = static_cast<std::int8_t>(random());
    for (auto& scale : scales) scale = static_cast<float>(random() % 1000) / 77'777.0F;
    const Query query(vector_of(count));
    std::vector<float> fast(count), plain(count);
    score_rows(query, rows.data(), scales.data(), count, fast.data());
    score_rows_plain(query, rows.data(), scales.data(), count, plain.data());
    for (std::size_t row = 0; row < count; ++row) {
      std::int64_t dot = 0;
      for (std::size_t i = 0; i < kDimensions; ++i) {
        dot += std::int64_t{rows[row * kDimensions + i]} * query.values()[i];
      }
      EXPECT_EQ(fast[row], static_cast<float>(dot) * scales[row] * query.scale());
      EXPECT_EQ(plain[row], fast[row]);
    }
  }
}

TEST(VectorKernels, TheLargestSumIsExact) {
  Floats ones;
  ones.fill(1.0F);
  const Query query(ones);
  EXPECT_EQ(query.values()[0], kMaxInQuery);
  for (const int worst : {-128, 127}) {
    const std::vector<std::int8_t> row(kDimensions, static_cast<std::int8_t>(worst));
    const float scale = 1;
    float fast = 0, plain = 0;
    score_rows(query, row.data(), &scale, 1, &fast);
    score_rows_plain(query, row.data(), &scale, 1, &plain);
    const std::int64_t dot = std::int64_t{kDimensions} * worst * kMaxInQuery;
    EXPECT_EQ(fast, static_cast<float>(dot) * query.scale());
    EXPECT_EQ(plain, fast);
  }
}

TEST(VectorKernels, BytesAreTheNearestOnes) {
  for (TextHash text = 0; text < 200; ++text) {
    const Floats floats = vector_of(text);
    std::array<std::int8_t, kDimensions> bytes;
    const float scale = quantise(floats.data(), bytes.data());
    float largest = 0;
    for (std::size_t i = 0; i < kDimensions; ++i) {
      largest = std::max(largest, std::abs(floats[i]));
      EXPECT_NEAR(bytes[i] * scale, floats[i], scale * 0.5001F);
    }
    EXPECT_EQ(scale, largest / 127);
  }
}

TEST(VectorKernels, CosinesAreThoseOfFloatsToAThousandth) {
  for (TextHash text = 0; text < 200; ++text) {
    const Floats a = vector_of(text), b = vector_of(text + 1);
    Floats mixed;
    double length = 0, dot = 0;
    for (std::size_t i = 0; i < kDimensions; ++i) {
      mixed[i] = a[i] + b[i];
      length += static_cast<double>(mixed[i]) * static_cast<double>(mixed[i]);
    }
    for (std::size_t i = 0; i < kDimensions; ++i) {
      mixed[i] = static_cast<float>(mixed[i] / std::sqrt(length));
      dot += static_cast<double>(mixed[i]) * static_cast<double>(a[i]);
    }
    EXPECT_NEAR(obvious_cosine(Query(mixed), text), dot, 1e-3);
  }
}

TEST(VectorKernels, AVectorOfNothingIsLikeNothing) {
  const Floats zeros{};
  std::array<std::int8_t, kDimensions> bytes;
  bytes.fill(3);
  EXPECT_EQ(quantise(zeros.data(), bytes.data()), 0);
  EXPECT_EQ(bytes[0], 0);
  Floats tiny{};
  tiny[5] = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(quantise(tiny.data(), bytes.data()), 0);
  EXPECT_EQ(obvious_cosine(Query(zeros), 1), 0);
  Floats bad = vector_of(1);
  bad[383] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(obvious_cosine(Query(bad), 1), 0);
  bad[383] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(obvious_cosine(Query(bad), 1), 0);
}

}  // namespace
}  // namespace yore::vector
