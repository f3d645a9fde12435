// index_model.hpp — what a keyword index should hold, kept in plain maps, and the comparison.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "lexical/format/postings.hpp"
#include "lexical/format/snapshot.hpp"
#include "lexical/write/builder.hpp"
#include "lexical/write/index_writer.hpp"

namespace yore::lexical {

inline const std::string kUuid = "00112233445566778899aabbccddeeff";

// Words that are their own stem.
inline const std::vector<std::string> kWords = {"bax", "fop", "gim", "lut", "nor", "rok", "zum"};

struct ModelDoc {
  TurnOrd turn = 0;
  std::vector<std::string> words;  // none: a document without text
  friend bool operator==(const ModelDoc&, const ModelDoc&) = default;
};
using ModelDocs = std::map<DocKey, ModelDoc>;

// One family's documents as a segment.
inline std::string build_segment(const ModelDocs& docs) {
  SegmentBuilder builder;
  for (const auto& [key, doc] : docs) {
    std::string text;
    for (const std::string& word : doc.words) text += word + " ";
    DocInfo info;
    info.key = key;
    info.turn = doc.turn;
    builder.add(info, text);
  }
  return builder.finish();
}

struct IndexModel {
  std::array<ModelDocs, kFamilies> docs;
  std::vector<std::string> session_uids;
  std::vector<std::pair<SessionOrd, std::string>> turns;  // session, branch
  StoreState covers{kUuid, 0, 0, false};

  void add(Family family, const ModelDocs& added) {
    docs[static_cast<std::size_t>(family)].insert(added.begin(), added.end());
  }
  void remove(Family family, const KeyRange& range) {
    if (range.count == 0) return;
    ModelDocs& all = docs[static_cast<std::size_t>(family)];
    all.erase(all.lower_bound(range.first), all.upper_bound(range.last()));
  }
  void remove_passages(const KeyRange& range) {
    for (const Family family :
         {Family::conversation, Family::detail, Family::kept_conversation, Family::kept_detail}) {
      remove(family, range);
    }
  }
};

// The living documents of one family, as the lists of the segments tell them.
inline ModelDocs documents_in(const Snapshot& snapshot, Family family) {
  ModelDocs found;
  for (const LiveSegment& live : snapshot.segments(family)) {
    const Segment& segment = live.segment;
    for (Doc doc = 0; doc < segment.documents(); ++doc) {
      if (!live.dead.has(doc)) found[segment.keys()[doc]].turn = segment.turns()[doc];
    }
    for (const std::string& word : kWords) {
      const auto result = segment.find(word);
      EXPECT_TRUE(result.ok());
      const TermEntry* const entry = *result;
      if (entry == nullptr) continue;
      EXPECT_TRUE(segment.check_list(*entry).ok());
      PostingList list(segment, *entry);
      for (std::uint32_t b = 0; b < list.blocks(); ++b) {
        const PostingList::Block block = list.decode(b);
        for (std::uint32_t i = 0; i < block.size; ++i) {
          if (live.dead.has(block.docs[i])) continue;
          auto& words = found[segment.keys()[block.docs[i]]].words;
          words.insert(words.end(), block.tfs[i], word);
        }
      }
    }
  }
  return found;
}

// Says what differs; "" when nothing does.
inline std::string difference(const Snapshot& snapshot, const IndexModel& model) {
  if (!(snapshot.covers() == model.covers)) return "covers";
  for (std::size_t i = 0; i < kFamilies; ++i) {
    const auto family = static_cast<Family>(i);
    ModelDocs expected = model.docs[i];
    FamilyStats stats;
    for (auto& [key, doc] : expected) {
      std::sort(doc.words.begin(), doc.words.end());
      stats.length += doc.words.size();
      if (!doc.words.empty()) ++stats.documents;
    }
    if (documents_in(snapshot, family) != expected) return "documents of " + std::to_string(i);
    if (snapshot.stats(family).documents != stats.documents) return "count of " + std::to_string(i);
    if (snapshot.stats(family).length != stats.length) return "length of " + std::to_string(i);
    DocKey before = 0;
    for (const LiveSegment& live : snapshot.segments(family)) {
      if (live.segment.keys().front() <= before) return "order of " + std::to_string(i);
      before = live.segment.keys().back();
    }
  }
  const Catalog& catalog = snapshot.catalog();
  if (catalog.sessions().size() != model.session_uids.size()) return "number of sessions";
  if (catalog.turns().size() != model.turns.size()) return "number of turns";
  for (std::size_t i = 0; i < model.session_uids.size(); ++i) {
    if (catalog.name(catalog.sessions()[i].uid) != model.session_uids[i]) return "session";
  }
  for (std::size_t i = 0; i < model.turns.size(); ++i) {
    const TurnRow& row = catalog.turns()[i];
    if (row.session != model.turns[i].first) return "session of a turn";
    if (catalog.name(row.branch) != model.turns[i].second) return "branch of a turn";
  }
  if (!snapshot.verify().ok()) return "verify";
  return "";
}

inline std::set<std::string> names_in(const std::string& directory) {
  std::set<std::string> names;
  const auto entries = list_directory(directory);
  EXPECT_TRUE(entries.ok());
  for (const DirEntry& entry : *entries) names.insert(entry.name);
  return names;
}

// For merges in tests that hold no lock.
inline Status at_once(const std::function<Status()>& step) {
  return step();
}

}  // namespace yore::lexical
