#include "support/tiny_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "lexical/write/builder.hpp"

namespace yore::test {

using lexical::Candidate;
using lexical::Family;
using lexical::Leaf;

namespace {

// "s0", "s1", …: in the order of their numbers up to ten sessions.
std::string uid_of(std::uint32_t session) {
  return "s" + std::to_string(session);
}

// How often a document holds each term, stems beside words.
std::map<std::string, std::uint32_t> counts_of(const std::string& text, std::uint32_t& length) {
  text::Analyzer analyzer;
  text::Stemmer stemmer;
  std::map<std::string, std::uint32_t> counts;
  std::vector<std::string> words;
  for (const text::Term& term : analyzer.analyze(text)) {
    ++counts[std::string(term.text)];
    if (term.stemmable) words.emplace_back(term.text);
  }
  length = analyzer.positions();
  for (const std::string& word : words) {
    const std::string stem(stemmer.stem(word));
    if (!stem.empty() && stem != word) ++counts[stem];
  }
  return counts;
}

std::uint32_t count_phrases(const std::string& text, const Leaf& leaf) {
  text::Analyzer analyzer;
  std::map<std::string, std::set<std::uint32_t>> places;
  for (const text::Term& term : analyzer.analyze(text)) {
    places[std::string(term.text)].insert(term.position);
  }
  std::uint32_t count = 0;
  for (const std::uint32_t start : places[leaf.terms.front()]) {
    bool fits = true;
    for (std::size_t i = 0; i < leaf.terms.size(); ++i) {
      fits = fits && places[leaf.terms[i]].contains(start + leaf.offsets[i]);
    }
    count += fits ? 1 : 0;
  }
  return count;
}

}  // namespace

TinyIndex::TinyIndex(const std::string& directory, const lexical::WriterLimits& limits)
    : directory_(directory), limits_(limits) {
  auto writer = lexical::IndexWriter::open(directory, "tiny", limits);
  EXPECT_TRUE(writer.ok()) << (writer.ok() ? "" : writer.error().message);
  writer_ = std::make_unique<lexical::IndexWriter>(std::move(*writer));
}

lexical::Update TinyIndex::next_update() {
  lexical::Update update;
  update.covers.uuid = "tiny";
  update.covers.seq = ++seq_;
  update.covers.nonce = static_cast<std::uint64_t>(seq_) * 7;
  return update;
}

void TinyIndex::set_turns(const std::vector<TinyTurn>& turns) {
  turns_ = turns;
  lexical::Update update = next_update();
  std::uint32_t sessions = 0;
  for (std::uint32_t i = 0; i < turns.size(); ++i) {
    lexical::TurnRow row;
    row.session = turns[i].session;
    row.number = i;
    row.last_time = turns[i].last_time;
    row.origin = turns[i].origin != 0 ? turns[i].origin : 1'000'000 + i;
    row.summary_block = turns[i].summary_block;
    update.rows.turns.emplace_back(i, row);
    sessions = std::max(sessions, turns[i].session + 1);
  }
  for (std::uint32_t i = 0; i < sessions; ++i) {
    lexical::CatalogSession row;
    row.store_id = i;
    update.rows.names.push_back(uid_of(i));
    row.uid = static_cast<lexical::NameId>(update.rows.names.size() - 1);
    update.rows.sessions.emplace_back(i, row);
  }
  ASSERT_TRUE(writer_->publish(update).ok());
}

void TinyIndex::publish(const std::vector<TinyDoc>& docs) {
  std::array<lexical::SegmentBuilder, lexical::kFamilies> builders;
  for (const TinyDoc& doc : docs) {
    lexical::DocInfo info;
    info.key = next_key_++;
    info.turn = doc.turn;
    info.session = turns_[doc.turn].session;
    info.tag = doc.tag;
    info.block = doc.block;
    builders[static_cast<std::size_t>(doc.family)].add(info, doc.text);
    living_.push_back({info.key, doc});
  }
  lexical::Update update = next_update();
  for (std::size_t i = 0; i < builders.size(); ++i) {
    if (builders[i].documents() > 0) update.segments[i] = builders[i].finish();
  }
  ASSERT_TRUE(writer_->publish(update).ok());
}

void TinyIndex::remove(lexical::DocKey key) {
  const auto found = std::ranges::find(living_, key, &Living::key);
  if (found == living_.end()) return;
  lexical::Update update = next_update();
  const bool title = found->doc.family == Family::title;
  (title ? update.removed_titles : update.removed).push_back({key, 1});
  living_.erase(found);
  ASSERT_TRUE(writer_->publish(update).ok());
}

void TinyIndex::fold() {
  ASSERT_TRUE(writer_->fold_if_due(true).ok());
}

void TinyIndex::merge() {
  const auto merged = lexical::IndexWriter::merge(
      directory_, limits_, UINT64_MAX, [](const std::function<Status()>& step) { return step(); });
  ASSERT_TRUE(merged.ok()) << merged.error().message;
}

std::shared_ptr<const lexical::Snapshot> TinyIndex::snapshot() const {
  auto opened = lexical::Snapshot::open(directory_);
  EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
  return opened.ok() ? *opened : nullptr;
}

std::vector<Candidate> obvious_best_turns(const TinyIndex& index, const std::vector<Leaf>& leaves,
                                          const lexical::Selection& selection, std::size_t k) {
  struct Doc {
    const TinyIndex::Living* living;
    std::uint32_t length;
    std::vector<std::uint32_t> counts;  // of each leaf
  };
  std::vector<Doc> docs;
  std::array<double, lexical::kFamilies> documents{};
  std::array<double, lexical::kFamilies> length{};
  std::vector<std::array<double, lexical::kFamilies>> df(leaves.size());
  for (const TinyIndex::Living& living : index.living()) {
    const auto family = static_cast<std::size_t>(living.doc.family);
    Doc doc{&living, 0, {}};
    const auto counts = counts_of(living.doc.text, doc.length);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Leaf& leaf = leaves[i];
      std::uint32_t count = 0;
      if (leaf.kind == Leaf::Kind::phrase) count = count_phrases(living.doc.text, leaf);
      for (const auto& [term, tf] : counts) {
        if (leaf.kind == Leaf::Kind::term && term == leaf.terms.front()) count += tf;
        if (leaf.kind == Leaf::Kind::prefix && term.starts_with(leaf.terms.front())) count += tf;
      }
      doc.counts.push_back(count);
      df[i][family] += count > 0 ? 1 : 0;
    }
    documents[family] += doc.length > 0 ? 1 : 0;
    length[family] += doc.length;
    docs.push_back(doc);
  }

  const auto idf = [&](std::size_t leaf, std::size_t family) {
    return static_cast<float>(
        std::log(1.0 + (documents[family] - df[leaf][family] + 0.5) / (df[leaf][family] + 0.5)));
  };
  std::map<std::uint64_t, Candidate> best;  // by group
  const auto order = [&](const Candidate& a, const Candidate& b) {
    const TinyTurn& x = index.turns()[a.turn];
    const TinyTurn& y = index.turns()[b.turn];
    if (a.score != b.score) return a.score > b.score;
    if (a.turn != b.turn) {
      if (x.last_time != y.last_time) return x.last_time > y.last_time;
      if (x.session != y.session) return uid_of(x.session) < uid_of(y.session);
      return a.turn < b.turn;
    }
    return a.family != b.family ? a.family < b.family : a.key < b.key;
  };
  for (const Doc& doc : docs) {
    const TinyDoc& what = doc.living->doc;
    const auto family = static_cast<std::size_t>(what.family);
    const TinyTurn& turn = index.turns()[what.turn];
    std::uint32_t weight = selection.weights[what.tag];
    if (what.tag == lexical::kAnswerTag && what.block != turn.summary_block) {
      weight = selection.earlier_answer_weight;
    }
    if (selection.allowed != nullptr && !selection.allowed->has(what.turn)) weight = 0;
    const float average =
        documents[family] == 0 ? 1 : static_cast<float>(length[family] / documents[family]);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (doc.counts[i] == 0) continue;
      float value = idf(i, family);
      if (family == 1 && df[i][0] > 0) value = std::min(idf(i, 0), value);
      value = value * leaves[i].boost * lexical::kScoreOne;
      const float k1 = lexical::kK1 * (1 - lexical::kB) +
                       lexical::kK1 * lexical::kB / average * static_cast<float>(doc.length);
      const auto tf = static_cast<float>(doc.counts[i]);
      sum += std::max(1, static_cast<std::int32_t>(value * (tf / (tf + k1))));
    }
    if (sum == 0 || weight == 0) continue;
    const auto score = std::max<std::int64_t>(1, sum * weight / lexical::kWeightOne);
    const Candidate candidate{
        static_cast<std::int32_t>(score), what.family, 0, 0, what.turn, doc.living->key};
    const std::uint64_t group = turn.origin != 0 ? turn.origin : 1'000'000 + what.turn;
    const auto [slot, is_new] = best.emplace(group, candidate);
    if (!is_new && order(candidate, slot->second)) slot->second = candidate;
  }
  std::vector<Candidate> all;
  for (const auto& [group, candidate] : best) all.push_back(candidate);
  std::ranges::sort(all, order);
  if (all.size() > k) all.resize(k);
  return all;
}

}  // namespace yore::test
