// layout.hpp — structures and arrays of numbers as bytes, and back; every read is checked.
//
// What is mapped is used in place, so the bytes on disk are those in memory: little-endian, each
// array at a multiple of 8 from the start.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace yore {

static_assert(std::endian::native == std::endian::little, "files are read in place");

inline std::size_t padded(std::size_t size) {
  return (size + 7) & ~std::size_t{7};
}

template <typename T>
std::string_view raw_bytes(const T& value) {
  static_assert(std::has_unique_object_representations_v<T>, "no byte may be undefined");
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// REQUIRES: `out` begins at a multiple of 8 in its file.
class LayoutWriter {
 public:
  explicit LayoutWriter(std::string& out) : out_(out) {}
  template <typename T>
  void value(const T& item) {
    bytes(raw_bytes(item));
  }
  template <typename T>
  void array(std::span<const T> items) {
    static_assert(std::has_unique_object_representations_v<T>, "no byte may be undefined");
    bytes({reinterpret_cast<const char*>(items.data()), items.size_bytes()});
  }
  void bytes(std::string_view text) {
    out_ += text;
    out_.resize(padded(out_.size()));
  }

 private:
  std::string& out_;
};

// After the first read past the end every answer is empty and ok() is false.
class LayoutReader {
 public:
  explicit LayoutReader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  T value() {
    T item{};
    const std::string_view from = bytes(sizeof item);
    if (from.size() == sizeof item) std::memcpy(&item, from.data(), sizeof item);
    return item;
  }
  // In place. REQUIRES: the bytes begin at an address divisible by 8.
  template <typename T>
  std::span<const T> array(std::uint64_t count) {
    if (count > rest_.size() / sizeof(T)) return fail(), std::span<const T>{};
    const std::string_view from = bytes(count * sizeof(T));
    return {reinterpret_cast<const T*>(from.data()), from.size() / sizeof(T)};
  }
  // A copy, wherever the bytes lie.
  template <typename T>
  std::vector<T> values(std::uint64_t count) {
    if (count > rest_.size() / sizeof(T)) return fail(), std::vector<T>{};
    std::vector<T> items(count);
    const std::string_view from = bytes(count * sizeof(T));
    if (count > 0) std::memcpy(items.data(), from.data(), from.size());
    return items;
  }
  std::string_view bytes(std::uint64_t size) {
    if (size > rest_.size() || padded(size) > rest_.size()) return fail(), std::string_view{};
    const std::string_view from = rest_.substr(0, size);
    rest_.remove_prefix(padded(size));
    return from;
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return ok_ && rest_.empty(); }

 private:
  void fail() {
    ok_ = false;
    rest_ = {};
  }
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace yore
