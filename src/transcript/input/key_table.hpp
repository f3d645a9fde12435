// key_table.hpp — finds a row of a constant table by its name in one or two comparisons.
//
// Adapters look up every key of every record: hundreds of millions in a large history, where a
// binary search over sixty names shows in the profile. Built at compile time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace yore::transcript {

// Row has a member `name`; names are distinct. REQUIRES: the rows outlive the table.
template <typename Row, std::size_t size>
class KeyTable {
  static_assert(size < 128, "slots hold one byte and stay half empty");

 public:
  constexpr explicit KeyTable(const std::array<Row, size>& rows) : rows_(&rows) {
    for (std::size_t i = 0; i < size; ++i) {
      std::size_t slot = slot_of(rows[i].name);
      while (slots_[slot] != 0) slot = (slot + 1) % kSlots;
      slots_[slot] = static_cast<std::uint8_t>(i + 1);
    }
  }

  // Null: not in the table.
  [[nodiscard]] constexpr const Row* find(std::string_view name) const {
    for (std::size_t slot = slot_of(name); slots_[slot] != 0; slot = (slot + 1) % kSlots) {
      const Row& row = (*rows_)[slots_[slot] - 1U];
      if (row.name == name) return &row;
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t kSlots = 256;

  // Length and three letters tell names of JSON keys well apart.
  static constexpr std::size_t slot_of(std::string_view name) {
    if (name.empty()) return 0;
    const auto letter = [name](std::size_t at) { return static_cast<unsigned char>(name[at]); };
    return (name.size() * 5U + letter(0) * 7U + letter(name.size() / 2) * 31U +
            letter(name.size() - 1) * 57U) %
           kSlots;
  }

  const std::array<Row, size>* rows_;
  std::array<std::uint8_t, kSlots> slots_{};
};

}  // namespace yore::transcript
