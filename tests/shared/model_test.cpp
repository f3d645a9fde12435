// The encoder against vectors that others made with the same model, when they lie beside the
// checkout. Nothing of them is part of the project: without them these tests are skipped by name.
//
// Embedded was the field `content`, cut after 512 pieces with no [SEP] behind the cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/files/file.hpp"
#include "support/reference_encoder.hpp"
#include "unit/semantic/semantic_rows.hpp"

namespace yore::semantic {
namespace {

const std::string kFolder = std::string(YORE_SOURCE_DIR) + "/../shared/model";

struct KnownVector {
  Tokens tokens;
  std::vector<float> vector;
};

// Every `step`-th of them.
std::vector<KnownVector> known_vectors(const ModelFile& model, std::size_t step) {
  const std::string bytes = read_file(kFolder + "/embeddings.bin").value_or("");
  const auto rows = rows_of(kFolder + "/records.jsonl");
  EXPECT_EQ(bytes.size(), rows.size() * kDimensions * sizeof(float));
  WordPieces pieces(model);
  std::vector<KnownVector> known;
  for (std::size_t i = 0; i < rows.size(); i += step) {
    KnownVector row;
    const auto text = rows[i]["content"].get<std::string>();
    pieces.read(text, kPositions + 1, row.tokens);
    row.tokens.resize(std::min(row.tokens.size(), kPositions));
    row.vector.resize(kDimensions);
    std::memcpy(row.vector.data(), bytes.data() + i * kDimensions * sizeof(float),
                kDimensions * sizeof(float));
    known.push_back(std::move(row));
  }
  return known;
}

void expect_mean(const std::vector<double>& cosines, double least) {
  double sum = 0;
  for (const double value : cosines) sum += value;
  const double mean = sum / static_cast<double>(cosines.size());
  std::printf("%zu vectors: mean cosine %.6f, least %.6f\n", cosines.size(), mean,
              *std::ranges::min_element(cosines));
  EXPECT_GE(mean, least);
}

// All of those that are compared take a minute under the sanitizers.
std::size_t step() {
  return std::getenv("YORE_DEEP") == nullptr ? 200 : 20;
}

TEST(KnownVectors, BytesComeClose) {
  if (!is_directory(kFolder)) GTEST_SKIP() << kFolder << " is not here";
  const auto model = open_model();
  auto encoder = Encoder::open(model);
  ASSERT_TRUE(encoder.ok());
  std::vector<double> cosines;
  for (const KnownVector& row : known_vectors(*model, step())) {
    std::vector<float> out(kDimensions);
    encoder->encode_tokens(std::span(&row.tokens, 1), out);
    cosines.push_back(cosine(out, row.vector));
  }
  expect_mean(cosines, 0.99);
}

// $YORE_FP32_MODEL: what tools/convert_model.py --fp32 wrote.
TEST(KnownVectors, FloatingPointIsTheSame) {
  if (!is_directory(kFolder)) GTEST_SKIP() << kFolder << " is not here";
  const char* path = std::getenv("YORE_FP32_MODEL");
  if (path == nullptr) GTEST_SKIP() << "YORE_FP32_MODEL names no file";
  const auto model = open_model(path);
  const fake::ReferenceEncoder reference(*model);
  std::vector<double> cosines;
  for (const KnownVector& row : known_vectors(*model, 40)) {
    cosines.push_back(cosine(reference.vector_of(row.tokens), row.vector));
  }
  expect_mean(cosines, 0.999);
  EXPECT_EQ(Encoder::open(model).error().code, Errc::unsupported);
}

}  // namespace
}  // namespace yore::semantic
