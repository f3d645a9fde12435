#include "lexical/write/index_writer.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/files/file.hpp"
#include "base/work_limit.hpp"
#include "support/temp_dir.hpp"
#include "unit/lexical/index_model.hpp"

namespace yore::lexical {
namespace {

struct IndexFiles : testing::Test {
  IndexFiles() {
    // Turn 0 of session 0, so that documents have a row.
    rows.sessions.emplace_back(0, CatalogSession{});
    rows.turns.emplace_back(0, TurnRow{});
    model.session_uids = {""};
    model.turns = {{0, ""}};
  }
  [[nodiscard]] std::string path() const { return path_join(directory.path(), "keywords"); }
  IndexWriter open(const WriterLimits& limits = {}) const {
    auto writer = IndexWriter::open(path(), kUuid, limits);
    EXPECT_TRUE(writer.ok());
    return std::move(*writer);
  }
  // Publishes documents of one word each and, the first time, the rows they need.
  Status put(IndexWriter& writer, const std::vector<DocKey>& keys,
             const std::vector<KeyRange>& removed = {}) {
    Update update;
    ModelDocs docs;
    for (const DocKey key : keys) docs[key] = {0, {kWords[key % kWords.size()]}};
    if (!docs.empty()) update.segments[0] = build_segment(docs);
    update.removed = removed;
    update.rows = std::exchange(rows, CatalogChange{});
    update.covers = model.covers;
    update.covers.details_complete = !details_missing;
    ++update.covers.seq;
    Status status = writer.publish(update);
    if (!status) return status;
    model.covers = update.covers;
    model.add(Family::conversation, docs);
    for (const KeyRange& range : removed) model.remove_passages(range);
    return status;
  }
  // What a new process sees.
  [[nodiscard]] std::string difference_on_disk() const {
    const auto snapshot = Snapshot::open(path());
    if (!snapshot) return snapshot.error().message;
    return difference(**snapshot, model);
  }
  [[nodiscard]] std::set<std::string> names() const { return names_in(path()); }
  [[nodiscard]] std::string only(std::string_view ending) const {
    std::string found;
    for (const std::string& name : names()) {
      if (!name.ends_with(ending)) continue;
      EXPECT_EQ(found, "") << "more than one " << ending;
      found = name;
    }
    return path_join(path(), found);
  }

  fake::TempDir directory;
  IndexModel model;
  bool details_missing = false;  // in what is put from now on
  CatalogChange rows;
};

TEST_F(IndexFiles, AreAnEmptyIndexAtFirst) {
  EXPECT_EQ(Snapshot::open(path()).error().code, Errc::not_found);
  const IndexWriter writer = open();
  EXPECT_EQ(writer.covers(), (StoreState{kUuid, 0, 0, false}));
  const auto snapshot = Snapshot::open(path());
  ASSERT_TRUE(snapshot.ok());
  EXPECT_EQ(difference(**snapshot, IndexModel{}), "");
}

TEST_F(IndexFiles, ArePrivate) {
  IndexWriter writer = open();
  ASSERT_TRUE(put(writer, {1, 2}).ok());
  ASSERT_TRUE(writer.fold_if_due(true).ok());
  ASSERT_TRUE(put(writer, {3}).ok());
  struct stat info {};
  ASSERT_EQ(::stat(path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
  for (const std::string& name : names()) {
    ASSERT_EQ(::stat(path_join(path(), name).c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600U) << name;
  }
}

TEST_F(IndexFiles, AnUpdateIsOneFrameAndAFoldMakesSegments) {
  IndexWriter writer = open();
  ASSERT_TRUE(put(writer, {1, 2, 3}).ok());
  ASSERT_TRUE(put(writer, {5}, {{2, 1}}).ok());
  EXPECT_EQ(names(), (std::set<std::string>{"0001.log", "manifest", "merge.lock"}));
  EXPECT_EQ(difference_on_disk(), "");
  ASSERT_TRUE(writer.fold_if_due().ok());
  EXPECT_EQ(names().count("0001.log"), 1U) << "two frames are not many";
  ASSERT_TRUE(writer.fold_if_due(true).ok());
  EXPECT_EQ(names(), (std::set<std::string>{"0002.seg", "0003.cat", "manifest", "merge.lock"}));
  EXPECT_EQ(difference_on_disk(), "");
  EXPECT_EQ(writer.snapshot()->segments(Family::conversation).front().segment.documents(), 3U)
      << "the dead one is left behind";
}

TEST_F(IndexFiles, AreFoldedWhenTheLogHasManyFramesOrBytes) {
  WriterLimits limits;
  limits.fold_frames = 3;
  IndexWriter writer = open(limits);
  for (DocKey key = 1; key <= 3; ++key) {
    EXPECT_EQ(writer.snapshot()->segments(Family::conversation).size(), key - 1);
    ASSERT_TRUE(put(writer, {key}).ok());
    ASSERT_TRUE(writer.fold_if_due().ok());
  }
  EXPECT_EQ(writer.snapshot()->segments(Family::conversation).size(), 1U);
  limits.fold_frames = 1000;
  limits.fold_bytes = 1;
  writer = open(limits);
  ASSERT_TRUE(put(writer, {4}).ok());
  ASSERT_TRUE(writer.fold_if_due().ok());
  EXPECT_EQ(writer.snapshot()->segments(Family::conversation).size(), 2U);
  EXPECT_EQ(difference_on_disk(), "");
}

TEST_F(IndexFiles, ANewCoverageAloneTouchesNoLog) {
  IndexWriter writer = open();
  Update update;
  update.covers = {kUuid, 12, 99, false};
  ASSERT_TRUE(writer.publish(update).ok());
  EXPECT_EQ(writer.covers(), update.covers);
  EXPECT_EQ(names(), (std::set<std::string>{"manifest", "merge.lock"}));
}

TEST_F(IndexFiles, RefuseUpdatesThatCannotFollow) {
  IndexWriter writer = open();
  ASSERT_TRUE(put(writer, {5, 6}).ok());
  for (const bool folded : {false, true}) {
    ASSERT_TRUE(writer.fold_if_due(folded).ok());
    EXPECT_EQ(put(writer, {6}).error().code, Errc::invalid_argument);
    Update update;
    update.rows.turns.emplace_back(7, TurnRow{});
    EXPECT_EQ(writer.publish(update).error().code, Errc::invalid_argument);
    update.rows.turns.clear();
    update.segments[0] = build_segment({{7, {1, {}}}});
    EXPECT_EQ(writer.publish(update).error().code, Errc::invalid_argument) << "no turn 1";
    for (const ModelDocs& docs : {ModelDocs{{1, {}}, {5, {}}}, ModelDocs{{7, {1, {}}}}}) {
      IndexWriter::Bulk bulk;
      bulk.segments.emplace_back(Family::conversation, build_segment(docs));
      EXPECT_EQ(writer.publish_bulk(std::move(bulk)).error().code, Errc::invalid_argument);
    }
    const auto is_segment = [](const std::string& name) { return name.ends_with(".seg"); };
    const auto left = names();
    EXPECT_EQ(std::ranges::count_if(left, is_segment), folded ? 1 : 0) << "of what failed";
    EXPECT_EQ(difference_on_disk(), "");
  }
}

TEST_F(IndexFiles, BulkSegmentsMayLieBetweenOthers) {
  IndexWriter writer = open();
  ASSERT_TRUE(put(writer, {10, 20}).ok());
  IndexWriter::Bulk bulk;
  bulk.covers = model.covers;
  const ModelDocs low = {{3, {0, {"bax"}}}, {4, {0, {"fop", "bax"}}}};
  const ModelDocs high = {{30, {0, {}}}};
  bulk.segments.emplace_back(Family::conversation, build_segment(high));
  bulk.segments.emplace_back(Family::conversation, build_segment(low));
  bulk.segments.emplace_back(Family::detail, build_segment(low));
  bulk.segments.emplace_back(Family::title, build_segment({}));
  ASSERT_TRUE(writer.publish_bulk(std::move(bulk)).ok());
  model.add(Family::conversation, low);
  model.add(Family::conversation, high);
  model.add(Family::detail, low);
  EXPECT_EQ(difference_on_disk(), "");
}

TEST_F(IndexFiles, ARemovalOutlivesAFoldWhileDetailsAreMissing) {
  IndexWriter writer = open();
  ASSERT_TRUE(put(writer, {10}).ok());
  details_missing = true;
  ASSERT_TRUE(put(writer, {}, {{3, 2}}).ok());
  ASSERT_TRUE(writer.fold_if_due(true).ok());
  IndexWriter::Bulk bulk;
  bulk.covers = model.covers;
  bulk.segments.emplace_back(Family::detail, build_segment({{2, {0, {"bax"}}}, {4, {0, {"bax"}}}}));
  ASSERT_TRUE(writer.publish_bulk(std::move(bulk)).ok());
  model.add(Family::detail, {{2, {0, {"bax"}}}});
  EXPECT_EQ(difference_on_disk(), "");
}

TEST_F(IndexFiles, ATornTailIsIgnoredAndItsLogNotUsedAnyMore) {
  IndexWriter writer = open();
  ASSERT_TRUE(put(writer, {1}).ok());
  const std::string log = only(".log");
  const auto size = stat_file(log)->size_bytes;
  const std::string before = *read_file(log);
  ASSERT_TRUE(*append_if_size(log, size, "half a fra"));
  EXPECT_EQ(difference_on_disk(), "");
  for (const bool reopened : {false, true}) {
    if (reopened) writer = open();
    const auto reader = Snapshot::open(path());
    ASSERT_TRUE(put(writer, {reopened ? 3U : 2U}).ok());
    EXPECT_EQ(difference_on_disk(), "");
    ASSERT_TRUE(*append_if_size(only(".log"), stat_file(only(".log"))->size_bytes, "x"));
    EXPECT_TRUE((*reader)->verify().ok()) << "an old snapshot goes on";
  }
  EXPECT_NE(only(".log"), log);
}

TEST_F(IndexFiles, LeftoversAreRemovedAndTheirNumbersNotUsedAgain) {
  {
    IndexWriter writer = open();
    ASSERT_TRUE(put(writer, {1}).ok());
  }
  for (const std::string name :
       {"0099.seg", "0098.cat", "0097.log", "manifest.tmp-1-2", "merge.tmp", "notes.txt"}) {
    ASSERT_TRUE(write_new_file(path_join(path(), name), "left over").ok());
  }
  IndexWriter writer = open();
  EXPECT_EQ(names(), (std::set<std::string>{"0001.log", "manifest", "merge.lock", "notes.txt"}));
  ASSERT_TRUE(writer.fold_if_due(true).ok());
  EXPECT_EQ(path_basename(only(".seg")), "0100.seg");
  EXPECT_EQ(difference_on_disk(), "");
}

TEST_F(IndexFiles, AWriterGoesAroundWhatAnotherLeft) {
  IndexWriter writer = open();
  ASSERT_TRUE(put(writer, {1}).ok());
  // Killed after its first file, while ours stayed open.
  ASSERT_TRUE(write_new_file(path_join(path(), "0002.seg"), "left over").ok());
  ASSERT_TRUE(writer.fold_if_due(true).ok());
  EXPECT_EQ(difference_on_disk(), "");
  EXPECT_EQ(path_basename(only(".seg")), "0003.seg");
}

TEST_F(IndexFiles, AnIndexOfAnotherDatabaseIsStartedAnew) {
  std::uint64_t generation = 0;
  {
    IndexWriter writer = open();
    ASSERT_TRUE(put(writer, {1}).ok());
    generation = writer.snapshot()->generation();
  }
  const auto other = IndexWriter::open(path(), "another uuid");
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(other->covers(), (StoreState{"another uuid", 0, 0, false}));
  EXPECT_TRUE(other->snapshot()->catalog().turns().empty());
  EXPECT_GT(other->snapshot()->generation(), generation);
}

TEST_F(IndexFiles, AResetIsEmptyAndOldSnapshotsGoOn) {
  IndexWriter writer = open();
  ASSERT_TRUE(put(writer, {1, 2}).ok());
  ASSERT_TRUE(writer.fold_if_due(true).ok());
  const auto old = writer.snapshot();
  const auto files = names();
  ASSERT_TRUE(writer.reset().ok());
  EXPECT_FALSE(is_current(path(), old->generation()));
  EXPECT_EQ(difference(**Snapshot::open(path()), IndexModel{}), "");
  EXPECT_EQ(difference(**Snapshot::open(path(), old), IndexModel{}), "");
  EXPECT_EQ(difference(*old, model), "") << "it has its files mapped";
  Update update;
  update.segments[0] = build_segment({{1, {}}});
  update.rows.sessions.emplace_back(0, CatalogSession{});
  update.rows.turns.emplace_back(0, TurnRow{});
  ASSERT_TRUE(writer.publish(update).ok()) << "keys and rows begin anew too";
  for (const std::string& name : names()) {
    EXPECT_FALSE(name.starts_with("0") && files.contains(name)) << name;
  }
}

TEST_F(IndexFiles, ASnapshotIsTheSameObjectWhileNothingNewIsPublished) {
  IndexWriter writer = open();
  ASSERT_TRUE(put(writer, {1}).ok());
  const auto first = Snapshot::open(path());
  ASSERT_TRUE(first.ok());
  EXPECT_TRUE(is_current(path(), (*first)->generation()));
  EXPECT_EQ(Snapshot::open(path(), *first)->get(), first->get());
  ASSERT_TRUE(put(writer, {2}).ok());
  EXPECT_FALSE(is_current(path(), (*first)->generation()));
  const auto second = Snapshot::open(path(), *first);
  EXPECT_NE(second->get(), first->get());
  EXPECT_EQ(difference(**second, model), "");
}

TEST_F(IndexFiles, AMergeMakesOneSegmentOfNeighbours) {
  WriterLimits limits;
  limits.tier_width = 3;
  IndexWriter writer = open(limits);
  for (DocKey key = 1; key <= 3; ++key) {
    EXPECT_FALSE(*IndexWriter::merge(path(), limits, UINT64_MAX, at_once));
    ASSERT_TRUE(put(writer, {key * 10, key * 10 + 1}).ok());
    ASSERT_TRUE(writer.fold_if_due(true).ok());
  }
  EXPECT_FALSE(*IndexWriter::merge(path(), limits, 100, at_once)) << "too much for now";
  {
    const std::atomic<bool> cancel{true};
    const WorkLimit limit(cancel);
    const auto stopped = IndexWriter::merge(path(), limits, UINT64_MAX, at_once);
    ASSERT_FALSE(stopped.ok());
    EXPECT_EQ(stopped.error().code, Errc::cancelled);
    EXPECT_EQ(difference_on_disk(), "");
  }
  EXPECT_TRUE(*IndexWriter::merge(path(), limits, UINT64_MAX, at_once));
  EXPECT_FALSE(*IndexWriter::merge(path(), limits, UINT64_MAX, at_once));
  EXPECT_EQ(difference_on_disk(), "");
  EXPECT_EQ((*Snapshot::open(path()))->segments(Family::conversation).size(), 1U);
  EXPECT_NE(only(".seg"), "");
  // The writer did not hear of it.
  ASSERT_TRUE(put(writer, {40}, {{11, 10}}).ok());
  EXPECT_EQ(difference_on_disk(), "");
}

TEST_F(IndexFiles, WhatDiesDuringAMergeStaysDead) {
  WriterLimits limits;
  limits.tier_width = 2;
  IndexWriter writer = open(limits);
  for (DocKey key = 1; key <= 2; ++key) {
    ASSERT_TRUE(put(writer, {key * 10, key * 10 + 1}).ok());
    ASSERT_TRUE(writer.fold_if_due(true).ok());
  }
  const auto merged = IndexWriter::merge(path(), limits, UINT64_MAX, [&](const auto& step) {
    EXPECT_TRUE(put(writer, {30}, {{10, 1}}).ok());
    EXPECT_TRUE(writer.fold_if_due(true).ok());
    EXPECT_TRUE(put(writer, {40}, {{21, 1}, {30, 1}}).ok());
    return step();
  });
  EXPECT_TRUE(*merged);
  EXPECT_EQ(difference_on_disk(), "");
  ASSERT_TRUE(writer.fold_if_due(true).ok());
  EXPECT_EQ(difference_on_disk(), "");
}

TEST_F(IndexFiles, AMergeOfWhatIsGoneIsThrownAway) {
  WriterLimits limits;
  limits.tier_width = 2;
  IndexWriter writer = open(limits);
  for (DocKey key = 1; key <= 2; ++key) {
    ASSERT_TRUE(put(writer, {key}).ok());
    ASSERT_TRUE(writer.fold_if_due(true).ok());
  }
  const auto merged = IndexWriter::merge(path(), limits, UINT64_MAX, [&](const auto& step) {
    EXPECT_TRUE(writer.reset().ok());
    return step();
  });
  EXPECT_FALSE(*merged);
  EXPECT_EQ(difference(**Snapshot::open(path()), IndexModel{}), "");
  EXPECT_EQ(names(), (std::set<std::string>{"manifest", "merge.lock"}));
}

TEST_F(IndexFiles, AMergeThatCannotPublishLeavesNothing) {
  WriterLimits limits;
  limits.tier_width = 2;
  IndexWriter writer = open(limits);
  for (DocKey key = 1; key <= 2; ++key) {
    ASSERT_TRUE(put(writer, {key}).ok());
    ASSERT_TRUE(writer.fold_if_due(true).ok());
  }
  const auto files = names();
  const auto merged = IndexWriter::merge(path(), limits, UINT64_MAX, [](const auto&) {
    return Status(Error{Errc::busy, "somebody else writes"});
  });
  EXPECT_EQ(merged.error().code, Errc::busy);
  EXPECT_EQ(names(), files);
  EXPECT_EQ(difference_on_disk(), "");
}

TEST_F(IndexFiles, OnlyOneMergeRunsAtATime) {
  WriterLimits limits;
  limits.tier_width = 2;
  IndexWriter writer = open(limits);
  for (DocKey key = 1; key <= 2; ++key) {
    ASSERT_TRUE(put(writer, {key}).ok());
    ASSERT_TRUE(writer.fold_if_due(true).ok());
  }
  const auto merged = IndexWriter::merge(path(), limits, UINT64_MAX, [&](const auto& step) {
    EXPECT_FALSE(*IndexWriter::merge(path(), limits, UINT64_MAX, at_once));
    writer = open(limits);  // and a writer that opens now leaves its output alone
    return step();
  });
  EXPECT_TRUE(*merged);
  EXPECT_EQ(difference_on_disk(), "");
}

TEST_F(IndexFiles, SegmentsThatDieAreRewrittenOrDropped) {
  WriterLimits limits;
  IndexWriter writer = open(limits);
  ASSERT_TRUE(put(writer, {1, 2, 3, 4}).ok());
  ASSERT_TRUE(writer.fold_if_due(true).ok());
  ASSERT_TRUE(put(writer, {}, {{2, 2}}).ok());
  EXPECT_TRUE(*IndexWriter::merge(path(), limits, UINT64_MAX, at_once));
  EXPECT_FALSE(*IndexWriter::merge(path(), limits, UINT64_MAX, at_once));
  EXPECT_EQ(difference_on_disk(), "");
  ASSERT_TRUE(put(writer, {}, {{1, 9}}).ok());
  EXPECT_TRUE(*IndexWriter::merge(path(), limits, UINT64_MAX, at_once));
  EXPECT_EQ(difference_on_disk(), "");
  EXPECT_EQ(only(".seg"), path_join(path(), ""));
}

}  // namespace
}  // namespace yore::lexical
