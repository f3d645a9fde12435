// Every form of the kernels against the plain one, and that one against the obvious sums.
#include "semantic/kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "unit/semantic/semantic_rows.hpp"

namespace yore::semantic {
namespace {

// Memory for rows, at a multiple of 64 bytes.
template <typename T>
class Rows {
 public:
  explicit Rows(std::size_t size) : room_(size + 64 / sizeof(T)) {}
  T* data() {
    void* at = room_.data();
    std::size_t space = room_.size() * sizeof(T);
    return static_cast<T*>(std::align(64, 1, at, space));
  }
  T& operator[](std::size_t i) { return data()[i]; }

 private:
  std::vector<T> room_;
};

class KernelsTest : public ::testing::Test {
 protected:
  void fill(Rows<float>& rows, std::size_t size, float spread) {
    std::normal_distribution<float> normal(0.1F, spread);
    for (std::size_t i = 0; i < size; ++i) rows[i] = normal(random_);
  }
  std::size_t below(std::size_t end) { return random_() % end; }

  std::mt19937 random_{11};
};

// Bytes with scales and zeros of their own.
struct Quantised {
  Quantised(std::size_t count, std::size_t width)
      : bytes(count * width), scales(count), zeros(count) {}
  ByteRows view() { return {bytes.data(), scales.data(), zeros.data()}; }
  Rows<std::uint8_t> bytes;
  Rows<float> scales;
  Rows<std::int32_t> zeros;
};

TEST_F(KernelsTest, BytesStandForTheirRowAndAreTheSameInEveryForm) {
  constexpr std::size_t kCount = 5;
  Rows<float> rows(kCount * kInner);
  fill(rows, kCount * kInner, 2.0F);
  for (std::size_t i = 0; i < kInner; ++i) rows[i] = 0;                           // all alike
  for (std::size_t i = kInner; i < 2 * kInner; ++i) rows[i] = std::abs(rows[i]);  // one side
  for (std::size_t i = 2 * kInner; i < 3 * kInner; ++i) rows[i] = -std::abs(rows[i]);
  Quantised plain(kCount, kInner);
  plain_kernels().quantise(rows.data(), kCount, kInner, plain.view());
  for (std::size_t i = 0; i < kCount * kInner; ++i) {
    const std::size_t r = i / kInner;
    const auto byte = static_cast<float>(plain.bytes[i] - plain.zeros[r]);
    ASSERT_NEAR(byte * plain.scales[r], rows[i], 1.01F * plain.scales[r]);
  }
  for (const Kernels* form : kernels_here()) {
    Quantised fast(kCount, kInner);
    form->quantise(rows.data(), kCount, kInner, fast.view());
    for (std::size_t i = 0; i < kCount * kInner; ++i) ASSERT_EQ(fast.bytes[i], plain.bytes[i]);
    for (std::size_t r = 0; r < kCount; ++r) {
      EXPECT_EQ(fast.zeros[r], plain.zeros[r]) << form->name;
      EXPECT_EQ(fast.scales[r], plain.scales[r]) << form->name;
    }
  }
}

// With scales of 1, no bias and zero 0 the outputs are the sums themselves: whole numbers that a
// float holds exactly. Extremes included: that is where narrow sums would overflow.
TEST_F(KernelsTest, SumsOfProductsAreExactInEveryForm) {
  for (const std::size_t inputs : {kHidden, kInner}) {
    constexpr std::size_t kOutputs = 96;
    std::vector<std::int8_t> packed(inputs * kOutputs);
    std::vector<float> scales(kOutputs, 1.0F), biases(kOutputs, 0.0F);
    std::vector<std::int32_t> sums(kOutputs);
    for (std::size_t i = 0; i < packed.size(); ++i) {
      packed[i] = static_cast<std::int8_t>(below(127)) - 63;
      // Blocks of columns with four products that just fit 16 bits, just do not, and mostly do.
      const std::size_t block = i / (inputs * kPackColumns);
      if (block == 1) packed[i] = i % 7 == 0 ? -63 : 63;
      if (block == 2) packed[i] = i % 128 < 64 ? 32 : -32;
      if (block == 3) packed[i] = 32;
      if (block == 4) packed[i] = i % 2 == 0 ? 33 : i / 64 % 2 == 0 ? 31 : 32;  // 129 in all
      if (block == 5) packed[i] = i % 1000 == 0 ? -63 : packed[i] / 4;
    }
    const auto weight = [&](std::size_t k, std::size_t n) {
      return std::int32_t{packed[(n / kPackColumns * inputs / kPackDepth + k / kPackDepth) *
                                     kPackColumns * kPackDepth +
                                 n % kPackColumns * kPackDepth + k % kPackDepth]};
    };
    Linear matrix;
    matrix.inputs = inputs;
    matrix.outputs = kOutputs;
    matrix.packed = packed.data();
    matrix.scales = scales.data();
    matrix.biases = biases.data();
    matrix.sums = sums.data();
    for (std::size_t count = 1; count <= 19; ++count) {
      Quantised in(count, inputs);
      for (std::size_t i = 0; i < count * inputs; ++i) {
        in.bytes[i] = i < inputs ? 255 : static_cast<std::uint8_t>(below(256));
      }
      for (std::size_t r = 0; r < count; ++r) in.scales[r] = 1;
      for (const Kernels* form : kernels_here()) {
        Rows<float> out(count * kOutputs);
        form->linear(in.view(), count, matrix, Activation::none, out.data());
        for (std::size_t r = 0; r<count; r += count> 4 ? 5 : 1) {
          for (std::size_t n = 0; n < kOutputs; ++n) {
            std::int32_t obvious = 0;
            for (std::size_t k = 0; k < inputs; ++k) {
              obvious += in.bytes[r * inputs + k] * weight(k, n);
            }
            ASSERT_EQ(out[r * kOutputs + n], static_cast<float>(obvious)) << form->name;
          }
        }
      }
    }
  }
}

TEST_F(KernelsTest, OutputsHaveScaleZeroBiasAndGelu) {
  const auto model = open_model();
  const Linear& matrix = model->layer(2).expand;
  constexpr std::size_t kCount = 7;
  Rows<float> rows(kCount * kHidden);
  fill(rows, kCount * kHidden, 1.0F);
  Quantised in(kCount, kHidden);
  plain_kernels().quantise(rows.data(), kCount, kHidden, in.view());
  for (const Kernels* form : kernels_here()) {
    Rows<float> straight(kCount * kInner), bent(kCount * kInner);
    form->linear(in.view(), kCount, matrix, Activation::none, straight.data());
    form->linear(in.view(), kCount, matrix, Activation::gelu, bent.data());
    for (std::size_t i = 0; i < kCount * kInner; ++i) {
      const std::size_t r = i / kInner;
      const std::size_t n = i % kInner;
      double obvious = 0;
      for (std::size_t k = 0; k < kHidden; ++k) {
        const std::int32_t weight =
            matrix.packed[(n / kPackColumns * kHidden / kPackDepth + k / kPackDepth) *
                              kPackColumns * kPackDepth +
                          n % kPackColumns * kPackDepth + k % kPackDepth];
        obvious += (in.bytes[r * kHidden + k] - in.zeros[r]) * weight;
      }
      obvious =
          obvious * double{in.scales[r]} * double{matrix.scales[n]} + double{matrix.biases[n]};
      ASSERT_NEAR(straight[i], obvious, 1e-4) << form->name;
      const double gelu = 0.5 * obvious * (1 + std::erf(obvious / std::sqrt(2.0)));
      ASSERT_NEAR(bent[i], gelu, 2e-4) << form->name;
    }
  }
}

TEST_F(KernelsTest, NormsHaveTheMeanAndSpreadOfTheirRow) {
  const auto model = open_model();
  const Norm& norm = model->layer(0).after_inner;
  constexpr std::size_t kCount = 3;
  Rows<float> rows(kCount * kHidden), add(kCount * kHidden);
  fill(rows, kCount * kHidden, 3.0F);
  fill(add, kCount * kHidden, 1.0F);
  for (const Kernels* form : kernels_here()) {
    Rows<float> out(kCount * kHidden);
    std::copy_n(rows.data(), kCount * kHidden, out.data());
    form->add_norm(add.data(), kCount, norm, out.data());
    for (std::size_t r = 0; r < kCount; ++r) {
      double mean = 0;
      double squares = 0;
      const auto value = [&](std::size_t i) {
        return double{rows[r * kHidden + i]} + double{add[r * kHidden + i]};
      };
      for (std::size_t i = 0; i < kHidden; ++i) mean += value(i) / kHidden;
      for (std::size_t i = 0; i < kHidden; ++i) squares += std::pow(value(i) - mean, 2) / kHidden;
      for (std::size_t i = 0; i < kHidden; ++i) {
        const double obvious =
            (value(i) - mean) / std::sqrt(squares) * double{norm.gain[i]} + double{norm.shift[i]};
        ASSERT_NEAR(out[r * kHidden + i], obvious, 1e-4) << form->name;
      }
    }
  }
}

TEST_F(KernelsTest, AttentionIsTheWeightedMeanOfTheValues) {
  constexpr std::size_t kStride = 3 * kHidden;
  for (const std::size_t tokens : {1, 2, 7, 8, 31, 32, 33, 70}) {
    Rows<float> qkv(tokens * kStride);
    fill(qkv, tokens * kStride, 1.5F);
    std::vector<double> obvious(tokens * kHidden);
    for (std::size_t head = 0; head < kHeads; ++head) {
      for (std::size_t i = 0; i < tokens; ++i) {
        std::vector<double> weights(tokens);
        double total = 0;
        for (std::size_t j = 0; j < tokens; ++j) {
          double score = 0;
          for (std::size_t d = 0; d < kHeadSize; ++d) {
            score += double{qkv[i * kStride + head * kHeadSize + d]} *
                     double{qkv[j * kStride + kHidden + head * kHeadSize + d]};
          }
          total += weights[j] = std::exp(score / std::sqrt(double{kHeadSize}));
        }
        for (std::size_t j = 0; j < tokens; ++j) {
          for (std::size_t d = 0; d < kHeadSize; ++d) {
            const std::size_t column = head * kHeadSize + d;
            obvious[i * kHidden + column] +=
                weights[j] / total * double{qkv[j * kStride + 2 * kHidden + column]};
          }
        }
      }
    }
    for (const Kernels* form : kernels_here()) {
      Rows<float> keys(kPositions * kHeadSize), values(kPositions * kHeadSize);
      Rows<float> scores(kPositions * AttentionRoom::kRows), context(tokens * kHidden);
      form->attend(qkv.data(), tokens, {keys.data(), values.data(), scores.data()}, context.data());
      for (std::size_t i = 0; i < obvious.size(); ++i) {
        ASSERT_NEAR(context[i], obvious[i], 1e-4) << form->name << ", " << tokens << " tokens";
      }
    }
  }
}

}  // namespace
}  // namespace yore::semantic
