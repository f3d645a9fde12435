// vocabulary.hpp — words and identifiers, with the growth of a real vocabulary.
//
// Common words come from a fixed list by Zipf's law. Identifiers come from an endless list in which
// number i always has the same name; how much of it is in use grows with the square root of the
// tokens written (Heaps' law), and small numbers are used far more often than large ones.
// Memory does not grow with the output.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "generator/random.hpp"

namespace yore::generator {

class Vocabulary {
 public:
  explicit Vocabulary(std::uint64_t seed);

  void word(Rng& rng, std::string& out);
  void identifier(Rng& rng, std::string& out);
  // An identifier already in use, to be named again with name().
  std::uint32_t known_identifier(Rng& rng) const;
  void name(std::uint32_t identifier, std::string& out) const;

  static std::string_view common_word(std::uint32_t rank);
  static std::uint32_t common_words();

 private:
  std::uint64_t seed_;
  std::uint64_t tokens_ = 0;
  std::uint32_t in_use_ = 64;
  std::array<std::uint16_t, 4096> by_weight_{};
};

}  // namespace yore::generator
