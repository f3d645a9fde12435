// rows.hpp — rows by number, in place in a mapped file until they change.
//
// Rows lie in blocks; a change copies its block. So opening a table costs nothing, a copy of it a
// pointer a block, and an update what it touches, however many rows there are.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

namespace yore::lexical {

template <typename Row>
class Rows {
 public:
  Rows() = default;
  // `base` must outlive this and its copies.
  explicit Rows(std::span<const Row> base) : size_(base.size()) {
    for (std::size_t at = 0; at < base.size(); at += kBlock) blocks_.push_back(base.data() + at);
    own_.resize(blocks_.size());
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  const Row& operator[](std::size_t at) const { return blocks_[at / kBlock][at % kBlock]; }

  // Replaces a row, or appends one. REQUIRES: at <= size().
  void put(std::size_t at, const Row& row) {
    assert(at <= size_);
    const std::size_t block = at / kBlock;
    if (block == blocks_.size()) {
      own_.push_back(std::make_shared<Block>());
      blocks_.push_back(own_.back()->data());
    } else if (own_[block] == nullptr || own_[block].use_count() > 1) {
      auto copy = std::make_shared<Block>();
      std::copy_n(blocks_[block], std::min(kBlock, size_ - block * kBlock), copy->data());
      own_[block] = std::move(copy);
      blocks_[block] = own_[block]->data();
    }
    (*own_[block])[at % kBlock] = row;
    size_ = std::max(size_, at + 1);
  }

  class Iterator {
   public:
    using value_type = Row;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;
    using pointer = const Row*;
    using reference = const Row&;
    Iterator() = default;
    Iterator(const Rows& rows, std::size_t at) : rows_(&rows), at_(at) {}
    reference operator*() const { return (*rows_)[at_]; }
    pointer operator->() const { return &(*rows_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++at_;
      return before;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Rows* rows_ = nullptr;
    std::size_t at_ = 0;
  };
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, size_}; }

 private:
  static constexpr std::size_t kBlock = 256;
  using Block = std::array<Row, kBlock>;

  std::vector<const Row*> blocks_;
  std::vector<std::shared_ptr<Block>> own_;  // of each block: what blocks_ points to, when copied
  std::size_t size_ = 0;
};

}  // namespace yore::lexical
