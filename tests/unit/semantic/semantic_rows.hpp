// semantic_rows.hpp — the rows of tests/data/semantic, the model of the source tree, and how alike
// two vectors are.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "semantic/encoder.hpp"

namespace yore::semantic {

inline const std::string kModelPath =
    std::string(YORE_SOURCE_DIR) + "/models/" + std::string(kModelName);

inline std::shared_ptr<const ModelFile> open_model(const std::string& path = kModelPath) {
  auto model = ModelFile::open(path);
  if (!model) {
    ADD_FAILURE() << model.error().message;
    std::abort();
  }
  return std::make_shared<const ModelFile>(std::move(*model));
}

inline std::vector<nlohmann::json> rows_of(const std::string& path) {
  std::vector<nlohmann::json> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) rows.push_back(nlohmann::json::parse(line));
  return rows;
}
inline std::vector<nlohmann::json> own_rows(const std::string& name) {
  auto rows = rows_of(std::string(YORE_SOURCE_DIR) + "/tests/data/semantic/" + name);
  EXPECT_GT(rows.size(), 30U) << name;
  return rows;
}

// Of vectors of length 1.
inline double cosine(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
  return sum;
}

// All that run here, the plain ones first.
inline std::vector<const Kernels*> kernels_here() {
  std::vector<const Kernels*> here = {&plain_kernels()};
  for (const Kernels* form : {avx2_kernels(), avxvnni_kernels(), avx512_kernels()}) {
    if (form != nullptr) here.push_back(form);
  }
  return here;
}

}  // namespace yore::semantic
