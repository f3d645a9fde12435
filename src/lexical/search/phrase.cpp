#include "lexical/search/phrase.hpp"

#include <algorithm>
#include <set>

#include "lexical/format/postings.hpp"
#include "lexical/search/search.hpp"

namespace yore::lexical {
namespace {

// A list with a place in it.
struct Cursor {
  PostingList list;
  std::uint32_t block = 0;
  std::uint32_t index = 0;
  std::vector<std::uint32_t> positions;

  // Moves to the document; false when the list does not hold it.
  bool seek(Doc doc) {
    block = list.block_at(block, doc);
    if (block == list.blocks()) return false;
    const PostingList::Block docs = list.decode(block);
    const Doc* const found = std::lower_bound(docs.docs, docs.docs + docs.size, doc);
    index = static_cast<std::uint32_t>(found - docs.docs);
    return *found == doc;
  }
};

// Places where all terms stand as they should.
std::uint32_t count_phrases(std::vector<Cursor>& cursors, std::span<const std::uint32_t> offsets) {
  for (Cursor& cursor : cursors) cursor.list.exact_positions(cursor.index, cursor.positions);
  std::uint32_t count = 0;
  for (const std::uint32_t start : cursors.front().positions) {
    const bool fits = std::ranges::all_of(cursors, [&](const Cursor& cursor) {
      const auto which = static_cast<std::size_t>(&cursor - cursors.data());
      return std::ranges::binary_search(cursor.positions, start + offsets[which]);
    });
    if (fits) ++count;
  }
  return count;
}

bool is_text(std::string_view term) {
  return !term.empty() && static_cast<unsigned char>(term[0]) >= 0x20;
}

}  // namespace

Result<MadeList> find_phrase(const Segment& segment, std::span<const std::string> terms,
                             std::span<const std::uint32_t> offsets) {
  MadeList made;
  std::vector<Cursor> cursors;
  cursors.reserve(terms.size());
  std::size_t rarest = 0;
  for (const std::string& term : terms) {
    auto entry = segment.find(term);
    if (!entry) return entry.error();
    if (*entry == nullptr) return made;
    Status status = segment.check_list(**entry);
    if (status) status = segment.check_positions(**entry);
    if (!status) return status.error();
    cursors.push_back({PostingList(segment, **entry), 0, 0, {}});
    if (cursors.back().list.size() < cursors[rarest].list.size()) rarest = cursors.size() - 1;
  }
  // The rarest list is walked through a cursor of its own: seeking moves the others.
  const auto rarest_entry = segment.find(terms[rarest]);
  if (!rarest_entry) return rarest_entry.error();
  PostingList walk(segment, **rarest_entry);
  for (std::uint32_t i = 0; i < walk.blocks(); ++i) {
    const PostingList::Block block = walk.decode(i);
    for (std::uint32_t n = 0; n < block.size; ++n) {
      const Doc doc = block.docs[n];
      if (!std::ranges::all_of(cursors, [doc](Cursor& cursor) { return cursor.seek(doc); }))
        continue;
      if (const std::uint32_t count = count_phrases(cursors, offsets); count > 0) {
        made.docs.push_back(doc);
        made.tfs.push_back(count);
      }
    }
  }
  return made;
}

Result<std::vector<std::string>> expand_prefix(const Snapshot& snapshot, std::string_view prefix) {
  std::set<std::string_view> words;
  for (int family = 0; family < kFamilies; ++family) {
    for (const LiveSegment& live : snapshot.segments(static_cast<Family>(family))) {
      const auto entries = live.segment.find_prefix(prefix);
      if (!entries) return entries.error();
      std::size_t taken = 0;
      for (const TermEntry& entry : *entries) {
        const std::string_view word = live.segment.text(entry);
        if (!is_text(word)) continue;
        words.insert(word);
        if (++taken == kMaxExpansions) break;
      }
      while (words.size() > kMaxExpansions) words.erase(std::prev(words.end()));
    }
  }
  return std::vector<std::string>(words.begin(), words.end());
}

Result<MadeList> find_any(const Segment& segment, std::span<const std::string> words) {
  std::vector<std::pair<Doc, std::uint32_t>> found;
  for (const std::string& word : words) {
    const auto entry = segment.find(word);
    if (!entry) return entry.error();
    if (*entry == nullptr) continue;
    if (Status status = segment.check_list(**entry); !status) return status.error();
    PostingList list(segment, **entry);
    for (std::uint32_t i = 0; i < list.blocks(); ++i) {
      const PostingList::Block block = list.decode(i);
      for (std::uint32_t n = 0; n < block.size; ++n)
        found.emplace_back(block.docs[n], block.tfs[n]);
    }
  }
  std::ranges::sort(found);
  MadeList made;
  for (const auto& [doc, tf] : found) {
    if (made.docs.empty() || made.docs.back() != doc) {
      made.docs.push_back(doc);
      made.tfs.push_back(0);
    }
    made.tfs.back() += tf;
  }
  return made;
}

}  // namespace yore::lexical
