// Whatever is appended, compacted and reopened in whatever order: the files hold what a plain set
// says.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <set>
#include <utility>

#include "support/temp_dir.hpp"
#include "unit/vector/vector_model.hpp"

namespace yore::vector {
namespace {

class Machine {
 public:
  Machine() {
    limits_.fold_blocks = *rc::gen::inRange<std::uint64_t>(1, 7);
    limits_.fold_bytes = *rc::gen::element<std::uint64_t>(2'000, 20'000, 1U << 20);
    limits_.max_merge_bytes = *rc::gen::element<std::uint64_t>(0, 10'000, 1U << 20);
    // Names that lie together, and names all over.
    spread_ = *rc::gen::element<TextHash>(1, 0x9E37'79B9'7F4A'7C15);
    reopen();
    reader_ = writer_->set();
  }

  void step() {
    switch (*rc::gen::weightedElement<int>({{9, 0}, {2, 1}, {1, 2}})) {
      case 0:
        add();
        break;
      case 1:
        compact();
        break;
      default:
        reopen();
    }
    check();
  }

 private:
  void reopen() {
    writer_.reset();
    auto writer = VectorWriter::open(directory_.path(), kModel, limits_);
    RC_ASSERT(writer.ok());
    writer_ = std::make_unique<VectorWriter>(std::move(*writer));
  }

  void add() {
    Texts texts;
    const auto count = *rc::gen::inRange(0, 12);
    for (int i = 0; i < count; ++i) texts.push_back(*rc::gen::inRange(0, 60) * spread_);
    RC_ASSERT(append(*writer_, texts).ok());
    expected_.insert(texts.begin(), texts.end());
  }

  void compact() {
    const auto some = *rc::gen::inRange<TextHash>(1, 5);
    const auto keep = [&](TextHash text) { return text % 5 != some; };
    RC_ASSERT(writer_->compact(keep).ok());
    std::erase_if(expected_, [&](TextHash text) { return !keep(text); });
  }

  // The same for a reader that comes new, for one that was there before, and for the writer.
  void check() {
    RC_ASSERT(difference(*writer_->set(), expected_) == "");
    const auto fresh = VectorSet::open(directory_.path(), kModel);
    RC_ASSERT(fresh.ok());
    RC_ASSERT(difference(**fresh, expected_) == "");
    RC_ASSERT((*fresh)->verify().ok());
    if (*rc::gen::arbitrary<bool>()) {
      auto next = VectorSet::open(directory_.path(), kModel, reader_);
      RC_ASSERT(next.ok());
      RC_ASSERT(difference(**next, expected_) == "");
      reader_ = std::move(*next);
    }
  }

  fake::TempDir directory_;
  WriterLimits limits_;
  TextHash spread_ = 1;
  std::unique_ptr<VectorWriter> writer_;
  std::shared_ptr<const VectorSet> reader_;
  std::set<TextHash> expected_;
};

RC_GTEST_PROP(VectorHistory, EndsWithWhatAPlainSetHolds, ()) {
  Machine machine;
  const int steps = *rc::gen::inRange(1, 25);
  for (int i = 0; i < steps; ++i) machine.step();
}

}  // namespace
}  // namespace yore::vector
