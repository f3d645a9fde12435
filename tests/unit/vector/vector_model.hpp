// vector_model.hpp — what a set of vectors must say, the slow and obvious way.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "vector/kernels.hpp"
#include "vector/vector_set.hpp"
#include "vector/vector_writer.hpp"

namespace yore::vector {

using Floats = std::array<float, kDimensions>;
using Texts = std::vector<TextHash>;
inline constexpr std::uint64_t kModel = 0xFEDC'BA98'7654'3210;

// A vector of length 1 that follows from the text alone, as from an encoder.
inline Floats vector_of(TextHash text) {
  std::mt19937_64 random(text);
  Floats floats;
  double length = 0;
  for (float& value : floats) {
    value = static_cast<float>(static_cast<std::int64_t>(random() >> 40) - (1 << 23));
    length += static_cast<double>(value) * static_cast<double>(value);
  }
  for (float& value : floats) value = static_cast<float>(value / std::sqrt(length));
  return floats;
}

inline std::vector<float> vectors_of(const Texts& texts) {
  std::vector<float> all;
  for (const TextHash text : texts) {
    const Floats one = vector_of(text);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

inline Status append(VectorWriter& writer, const Texts& texts) {
  return writer.append(texts, vectors_of(texts));
}

inline float obvious_cosine(const Query& query, TextHash text) {
  std::array<std::int8_t, kDimensions> bytes;
  const float scale = quantise(vector_of(text).data(), bytes.data());
  std::int64_t dot = 0;
  for (std::size_t i = 0; i < kDimensions; ++i) {
    dot += std::int64_t{bytes[i]} * query.values()[i];
  }
  return static_cast<float>(dot) * scale * query.scale();
}

// "": the set has exactly these texts, each with its vector, found by name and by scanning.
inline std::string difference(const VectorSet& set, const std::set<TextHash>& expected) {
  if (set.rows() != expected.size()) {
    return std::to_string(set.rows()) + " rows, not " + std::to_string(expected.size());
  }
  Texts texts(expected.begin(), expected.end());
  for (const TextHash text : expected) {
    if (!expected.contains(text + 1)) texts.push_back(text + 1);
  }
  std::vector<Row> rows(texts.size(), 7);
  set.find(texts, rows);
  const Query query(vector_of(texts.empty() ? 1 : texts.front() ^ 5));
  std::vector<float> cosines(set.rows());
  set.scan(query, cosines);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string name = "text " + std::to_string(texts[i]);
    if (!expected.contains(texts[i])) {
      if (rows[i] != kNoRow) return name + " should have no row";
      continue;
    }
    if (rows[i] >= set.rows()) return name + " has no row";
    if (set.text(rows[i]) != texts[i]) return name + " is in the row of another";
    if (cosines[rows[i]] != obvious_cosine(query, texts[i])) return name + ": other vector";
    if (cosines[rows[i]] != set.cosine(query, rows[i])) return name + ": other cosine";
  }
  return "";
}

inline std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> names;
  const auto entries = list_directory(directory);
  for (const DirEntry& entry : entries.value()) names.push_back(entry.name);
  return names;
}

}  // namespace yore::vector
