// Every call to the system that the writer makes goes wrong once. Whatever it is, every vector that
// is found is the right one, and in the end all are there.
#include <gtest/gtest.h>

#include <set>

#include "support/every_fault.hpp"
#include "support/temp_dir.hpp"
#include "unit/vector/vector_model.hpp"

namespace yore::vector {
namespace {

constexpr TextHash kTexts = 8;

WriterLimits small_limits() {
  WriterLimits limits;
  limits.fold_blocks = 3;
  return limits;
}

// One text after the other, then all in one file without the first.
class Scenario {
 public:
  // Appends what is missing; the first failure ends it.
  Status run(const FileSystem& files) {
    auto writer = VectorWriter::open(directory_.path(), kModel, small_limits(), files);
    if (!writer) return writer.error();
    for (TextHash text = 1; text <= kTexts; ++text) {
      if (Status status = append(*writer, {text}); !status) return status;
      appended_.insert(text);
    }
    return writer->compact([](TextHash text) { return text != 1; });
  }

  Status run_again(const FileSystem& files, bool /*may_be_damaged*/) { return run(files); }

  // What somebody who reads now finds: right vectors, and all that were promised.
  [[nodiscard]] testing::AssertionResult reader_is_safe(bool may_be_damaged) const {
    const auto set = VectorSet::open(directory_.path(), kModel);
    if (!set) {
      const Errc code = set.error().code;
      const bool fine = (code == Errc::not_found && appended_.empty()) ||
                        (code == Errc::corrupt && may_be_damaged);
      return fine ? testing::AssertionSuccess()
                  : testing::AssertionFailure() << set.error().message;
    }
    if (may_be_damaged && !(*set)->verify().ok()) return testing::AssertionSuccess();
    std::set<TextHash> found;
    for (Row row = 0; row < (*set)->rows(); ++row) found.insert((*set)->text(row));
    const std::string wrong = difference(**set, found);
    if (!wrong.empty()) return testing::AssertionFailure() << wrong;
    if (!std::ranges::all_of(found, [](TextHash text) { return text >= 1 && text <= kTexts; })) {
      return testing::AssertionFailure() << "a text that nobody gave";
    }
    for (const TextHash text : appended_) {
      const bool dropped = text == 1 && appended_.size() == kTexts;
      if (!may_be_damaged && !dropped && !found.contains(text)) {
        return testing::AssertionFailure() << "text " << text << " is gone";
      }
    }
    return testing::AssertionSuccess();
  }

  void expect_like_a_clean_build() const {
    std::set<TextHash> expected;
    for (TextHash text = 2; text <= kTexts; ++text) expected.insert(text);
    ASSERT_TRUE(VectorWriter::open(directory_.path(), kModel, small_limits()).ok());
    const auto set = VectorSet::open(directory_.path(), kModel);
    ASSERT_TRUE(set.ok()) << set.error().message;
    EXPECT_EQ(difference(**set, expected), "");
    EXPECT_TRUE((*set)->verify().ok());
    EXPECT_EQ(names_in(directory_.path()).size(), 2U) << "the manifest and one file";
  }

 private:
  fake::TempDir directory_;
  std::set<TextHash> appended_;
};

class VectorWriteFault : public testing::TestWithParam<fake::Fault> {};

TEST_P(VectorWriteFault, AtAnyCallLeavesRightVectorsAndHeals) {
  fake::check_every_call<Scenario>(GetParam(), 50);
}

INSTANTIATE_TEST_SUITE_P(EveryKind, VectorWriteFault, testing::ValuesIn(fake::kFaults));

}  // namespace
}  // namespace yore::vector
