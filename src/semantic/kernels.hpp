// kernels.hpp — the loops in which the encoder spends its time, in one form per kind of processor.
//
// All forms that can multiply and add with one rounding give the same bits: every x86-64 form but
// the plain one. That one rounds twice, so that here and there a value falls on another byte; the
// vectors of a text then differ by about as much as bytes differ from floating point (cosine above
// 0.99). Sums of products of bytes are exact in every form. A row's result depends on nothing but
// the row, and attention on nothing but its own text.
//
// Threads: functions of their arguments.
#pragma once

#include <cstddef>
#include <cstdint>

#include "semantic/layers.hpp"

namespace yore::semantic {

// Rows of activations as bytes: value = (byte - zero) * scale, with a scale and a zero per row.
struct ByteRows {
  std::uint8_t* bytes = nullptr;
  float* scales = nullptr;
  std::int32_t* zeros = nullptr;
};

enum class Activation : std::uint8_t { none, gelu };

// What attend() works in.
struct AttentionRoom {
  static constexpr std::size_t kRows = 12;   // of scores at a time
  static constexpr std::size_t kRound = 32;  // tokens are filled up to a multiple
  float* keys = nullptr;                     // kHeadSize × tokens
  float* values = nullptr;                   // tokens × kHeadSize
  float* scores = nullptr;                   // kRows × tokens
};

// REQUIRES for all: rows begin at multiples of 64 bytes; widths are multiples of 64.
struct Kernels {
  const char* name = nullptr;
  void (*quantise)(const float* rows, std::size_t count, std::size_t width, ByteRows out) = nullptr;
  // out[row][output] = activation(in[row] × matrix + bias). REQUIRES: matrix.packed
  void (*linear)(ByteRows in, std::size_t count, const Linear& matrix, Activation activation,
                 float* out) = nullptr;
  // rows = norm(rows + add); kHidden wide.
  void (*add_norm)(const float* add, std::size_t count, const Norm& norm, float* rows) = nullptr;
  // One text: qkv has rows of query, key and value, 3 × kHidden; context rows of kHidden.
  void (*attend)(const float* qkv, std::size_t tokens, AttentionRoom room,
                 float* context) = nullptr;
};

// Runs everywhere.
const Kernels& plain_kernels();
// nullptr when this program or this processor lacks them.
const Kernels* avx2_kernels();
const Kernels* avxvnni_kernels();
const Kernels* avx512_kernels();
// The fastest of those that run here.
const Kernels& best_kernels();

}  // namespace yore::semantic
