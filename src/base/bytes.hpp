// bytes.hpp — little-endian and varint encoding of small state; every read is checked.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/varint.hpp"

namespace yore {

class ByteWriter {
 public:
  void varint(std::uint64_t value) { put_varint(bytes_, value); }
  // 8 bytes: for hashes, which varints only make longer.
  void u64(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) {
      bytes_.push_back(static_cast<char>(value >> shift));
    }
  }
  void text(std::string_view value) {
    varint(value.size());
    bytes_.append(value);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// After the first read past the end every value is 0 or "" and ok() is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    return fail();
  }
  std::uint64_t u64() {
    if (rest_.size() < 8) return fail();
    std::uint64_t value = 0;
    for (int i = 7; i >= 0; --i) {
      value = value << 8 | static_cast<unsigned char>(rest_[static_cast<std::size_t>(i)]);
    }
    rest_.remove_prefix(8);
    return value;
  }
  std::string_view text() {
    const std::uint64_t size = varint();
    if (size > rest_.size()) {
      fail();
      return {};
    }
    const std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
  }
  // A count of items that take at least one byte each: bounded by what is left.
  std::uint64_t count() {
    const std::uint64_t value = varint();
    return value <= rest_.size() ? value : fail();
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return ok_ && rest_.empty(); }

 private:
  std::uint64_t fail() {
    ok_ = false;
    rest_ = {};
    return 0;
  }
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace yore
