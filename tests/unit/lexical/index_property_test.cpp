// Whatever is published, removed, folded, merged and reopened in whatever order: the files hold
// what a plain map says.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "lexical/write/index_writer.hpp"
#include "support/temp_dir.hpp"
#include "unit/lexical/index_model.hpp"

namespace yore::lexical {
namespace {

class Machine {
 public:
  Machine() {
    limits_.fold_frames = *rc::gen::inRange<std::uint32_t>(1, 5);
    limits_.tier_width = *rc::gen::inRange<std::uint32_t>(2, 4);
    limits_.max_merge_bytes = *rc::gen::element<std::uint64_t>(3'000, 1U << 20);
    limits_.max_dead = *rc::gen::element(0.1, 0.5, 1.0);
    limits_.max_dead_documents = *rc::gen::element<std::uint32_t>(1, 3, 100);
    reopen();
    reader_ = writer_->snapshot();
  }

  void step() {
    switch (*rc::gen::weightedElement<int>({{9, 0}, {2, 1}, {5, 2}, {5, 3}, {1, 4}, {1, 5}})) {
      case 0:
        publish();
        break;
      case 1:
        bulk();
        break;
      case 2:
        require(writer_->fold_if_due(*rc::gen::arbitrary<bool>()));
        break;
      case 3:
        merge();
        break;
      case 4:
        reopen();
        break;
      default:
        if (*rc::gen::inRange(0, 4) == 0) reset();
    }
    check();
  }

 private:
  static void require(const Status& status) { RC_ASSERT(status.ok()); }

  void reopen() {
    writer_.reset();
    auto writer = IndexWriter::open(directory_.path(), kUuid, limits_);
    RC_ASSERT(writer.ok());
    writer_ = std::make_unique<IndexWriter>(std::move(*writer));
  }

  void reset() {
    require(writer_->reset());
    model_ = IndexModel{};
  }

  // The same for a reader that comes new, for one that was there before, and for the writer.
  void check() {
    RC_ASSERT(difference(*writer_->snapshot(), model_).empty() || merged_behind_);
    const auto fresh = Snapshot::open(directory_.path());
    RC_ASSERT(fresh.ok());
    RC_ASSERT(difference(**fresh, model_) == "");
    if (*rc::gen::arbitrary<bool>()) {
      auto next = Snapshot::open(directory_.path(), reader_);
      RC_ASSERT(next.ok());
      RC_ASSERT(difference(**next, model_) == "");
      reader_ = std::move(*next);
    }
  }

  // Some rows replaced, some new, and the model told of them.
  CatalogChange any_rows() {
    static const std::vector<std::string> kNames = {"", "main", "feature/x", "fix"};
    CatalogChange rows;
    const auto name = [&](const std::string& text) {
      rows.names.push_back(text);
      return static_cast<NameId>(rows.names.size() - 1);
    };
    const bool first = model_.turns.empty();
    for (int i = *rc::gen::inRange(0, 3) + (first ? 1 : 0); i > 0; --i) {
      const auto ord = *rc::gen::inRange<SessionOrd>(0, sessions() + 1);
      if (ord == sessions()) model_.session_uids.emplace_back();
      model_.session_uids[ord] = "uid-" + std::to_string(*rc::gen::inRange(0, 100));
      CatalogSession row;
      row.uid = name(model_.session_uids[ord]);
      rows.sessions.emplace_back(ord, row);
    }
    for (int i = *rc::gen::inRange(0, 3) + (first ? 1 : 0); i > 0; --i) {
      const auto ord = *rc::gen::inRange<TurnOrd>(0, turns() + 1);
      if (ord == turns()) model_.turns.emplace_back();
      model_.turns[ord] = {*rc::gen::inRange<SessionOrd>(0, sessions()),
                           *rc::gen::elementOf(kNames)};
      TurnRow row;
      row.session = model_.turns[ord].first;
      row.branch = name(model_.turns[ord].second);
      rows.turns.emplace_back(ord, row);
    }
    return rows;
  }

  // Keys from `next_key_` on, with gaps.
  ModelDocs any_documents() {
    ModelDocs docs;
    for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
      next_key_ += *rc::gen::inRange<DocKey>(1, 4);
      ModelDoc& doc = docs[next_key_];
      doc.turn = *rc::gen::inRange<TurnOrd>(0, turns());
      doc.words = *rc::gen::resize(
          4, rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kWords)));
    }
    return docs;
  }

  std::vector<KeyRange> any_removals() {
    std::vector<KeyRange> ranges;
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
      ranges.push_back({*rc::gen::inRange<DocKey>(0, next_key_ + 2),
                        *rc::gen::weightedElement<std::uint32_t>(
                            {{20, 1}, {9, 3}, {4, 12}, {2, 0}, {1, UINT32_MAX}})});
    }
    return ranges;
  }

  StoreState next_covers() {
    model_.covers.details_complete = true;
    model_.covers.seq += *rc::gen::inRange(0, 5);
    model_.covers.nonce = *rc::gen::arbitrary<std::uint64_t>();
    return model_.covers;
  }

  void publish() {
    Update update;
    update.rows = any_rows();
    for (std::size_t i = 0; i < kFamilies; ++i) {
      const ModelDocs docs = any_documents();
      if (docs.empty() && *rc::gen::arbitrary<bool>()) continue;  // else: one without documents
      update.segments[i] = build_segment(docs);
      model_.add(static_cast<Family>(i), docs);
    }
    // Of what was there before and of what comes with it.
    update.removed = any_removals();
    update.removed_titles = any_removals();
    for (const KeyRange& range : update.removed) model_.remove_passages(range);
    for (const KeyRange& range : update.removed_titles) model_.remove(Family::title, range);
    update.covers = next_covers();
    require(writer_->publish(update));
    merged_behind_ = false;
    // No key is ever used again, and a removal beyond the last key is of one that never comes.
    if (!update.removed.empty() || !update.removed_titles.empty()) next_key_ += 13;
    const auto endless = [](const KeyRange& range) { return range.count == UINT32_MAX; };
    if (std::ranges::any_of(update.removed, endless) ||
        std::ranges::any_of(update.removed_titles, endless)) {
      require(writer_->fold_if_due(true));
    }
  }

  void bulk() {
    IndexWriter::Bulk bulk;
    bulk.rows = any_rows();
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
      const auto family = static_cast<Family>(*rc::gen::inRange(0, kFamilies));
      const ModelDocs docs = any_documents();
      bulk.segments.emplace_back(family, build_segment(docs));
      model_.add(family, docs);
    }
    std::reverse(bulk.segments.begin(), bulk.segments.end());
    bulk.covers = next_covers();
    require(writer_->publish_bulk(std::move(bulk)));
    merged_behind_ = false;
  }

  void merge() {
    const bool busy = *rc::gen::arbitrary<bool>();
    const auto merged =
        IndexWriter::merge(directory_.path(), limits_, UINT64_MAX, [&](const auto& step) {
          if (busy) publish();
          if (busy && *rc::gen::arbitrary<bool>()) require(writer_->fold_if_due(true));
          return step();
        });
    RC_ASSERT(merged.ok());
    if (*merged) merged_behind_ = true;
  }

  [[nodiscard]] std::uint32_t sessions() const {
    return static_cast<std::uint32_t>(model_.session_uids.size());
  }
  [[nodiscard]] std::uint32_t turns() const {
    return static_cast<std::uint32_t>(model_.turns.size());
  }

  fake::TempDir directory_;
  WriterLimits limits_;
  std::unique_ptr<IndexWriter> writer_;
  std::shared_ptr<const Snapshot> reader_;
  IndexModel model_;
  DocKey next_key_ = 0;
  bool merged_behind_ = false;  // the writer hears of it with its next step
};

RC_GTEST_PROP(Index, HoldsWhatAPlainMapSays, ()) {
  Machine machine;
  const int steps = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(1, 50));
  for (int i = 0; i < steps; ++i) machine.step();
}

}  // namespace
}  // namespace yore::lexical
