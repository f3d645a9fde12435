#include "lexical/format/rows.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace yore::lexical {
namespace {

std::vector<int> all(const Rows<int>& rows) {
  return {rows.begin(), rows.end()};
}

// Against plain vectors: any changes to a table and to copies made on the way.
RC_GTEST_PROP(RowsProperty, AreWhatAVectorHolds, ()) {
  const auto base = *rc::gen::container<std::vector<int>>(
      static_cast<std::size_t>(*rc::gen::inRange(0, 700)), rc::gen::arbitrary<int>());
  std::vector<Rows<int>> tables = {Rows<int>(base)};
  std::vector<std::vector<int>> models = {base};
  const int steps = *rc::gen::inRange(0, 60);
  for (int step = 0; step < steps; ++step) {
    const auto which =
        static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(tables.size())));
    if (*rc::gen::inRange(0, 6) == 0) {
      tables.push_back(tables[which]);
      models.push_back(models[which]);
      continue;
    }
    std::vector<int>& model = models[which];
    const auto at =
        static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(model.size()) + 1));
    if (at == model.size()) model.push_back(0);
    tables[which].put(at, model[at] = step);
  }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    RC_ASSERT(tables[i].size() == models[i].size());
    RC_ASSERT(all(tables[i]) == models[i]);
  }
}

TEST(Rows, StayInPlaceUntilTheyChange) {
  const std::vector<int> base(600, 7);
  Rows<int> rows{base};
  rows.put(300, 8);
  EXPECT_EQ(&rows[255], &base[255]);
  EXPECT_EQ(&rows[512], &base[512]);
  EXPECT_NE(&rows[299], &base[299]);  // in the block of what changed
  EXPECT_EQ(rows[299], 7);
  EXPECT_EQ(rows[300], 8);
  EXPECT_EQ(base[300], 7);
}

TEST(Rows, GrowFromNothing) {
  Rows<int> rows;
  EXPECT_TRUE(rows.empty());
  for (int i = 0; i < 1000; ++i) rows.put(static_cast<std::size_t>(i), i);
  EXPECT_EQ(rows.size(), 1000U);
  EXPECT_EQ(rows[999], 999);
}

}  // namespace
}  // namespace yore::lexical
