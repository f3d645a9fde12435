#include "lexical/write/merge.hpp"

#include <algorithm>
#include <vector>

#include "base/work_limit.hpp"
#include "lexical/format/postings.hpp"
#include "lexical/format/segment_format.hpp"

namespace yore::lexical {
namespace {

constexpr Doc kDead = UINT32_MAX;

// One input while it is walked term by term.
struct Source {
  const Segment* segment = nullptr;
  std::vector<Doc> renumbered;  // new number of each document, or kDead
  std::size_t next = 0;         // entry
  [[nodiscard]] bool at_end() const { return next == segment->entries().size(); }
  [[nodiscard]] std::string_view text() const { return segment->text(segment->entries()[next]); }
};

std::vector<SessionOrd> sessions_of(const Segment& segment) {
  std::vector<SessionOrd> sessions(segment.documents());
  for (const SessionRun& run : segment.session_runs()) {
    std::fill_n(sessions.begin() + run.first, run.count, run.session);
  }
  return sessions;
}

void take_documents(const MergeInput& input, Source& source, SegmentAssembler& out) {
  const Segment& segment = *input.segment;
  const std::vector<SessionOrd> sessions = sessions_of(segment);
  source.renumbered.assign(segment.documents(), kDead);
  for (Doc doc = 0; doc < segment.documents(); ++doc) {
    if (input.dead != nullptr && input.dead->has(doc)) continue;
    source.renumbered[doc] = out.documents();
    out.add_document(segment.keys()[doc], segment.turns()[doc], sessions[doc], segment.tags()[doc],
                     segment.blocks()[doc], segment.lengths()[doc],
                     segment.text_hashes().empty() ? 0 : segment.text_hashes()[doc]);
  }
}

// Appends the living postings of the source's next term. Positions are copied as they lie.
void take_list(Source& source, TermPostings& list) {
  PostingList postings(*source.segment, source.segment->entries()[source.next]);
  for (std::uint32_t i = 0; i < postings.blocks(); ++i) {
    const PostingList::Block block = postings.decode(i);
    postings.each_positions([&](std::uint32_t k, std::uint32_t exact, std::string_view bytes) {
      const Doc doc = source.renumbered[block.docs[k]];
      if (doc == kDead) return;
      const std::uint32_t begin = list.position_bytes();
      list.reserve(1, bytes.size());
      std::ranges::copy(bytes, list.positions.begin() + begin);
      list.docs[list.count] = doc;
      list.tfs[list.count] = block.tfs[k];
      list.exact[list.count] = exact;
      list.ends[list.count] = begin + static_cast<std::uint32_t>(bytes.size());
      ++list.count;
    });
  }
  ++source.next;
}

}  // namespace

Result<std::string> merge_segments(std::span<const MergeInput> inputs) {
  SegmentAssembler out;
  std::vector<Source> sources(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (Status status = inputs[i].segment->check_all(); !status) return status.error();
    sources[i].segment = inputs[i].segment;
    take_documents(inputs[i], sources[i], out);
  }
  TermPostings list;
  while (true) {
    if (const Status go = WorkLimit::check("merged", "the keyword index"); !go) return go.error();
    const Source* first = nullptr;  // with the smallest term
    for (const Source& source : sources) {
      if (!source.at_end() && (first == nullptr || source.text() < first->text())) first = &source;
    }
    if (first == nullptr) break;
    const std::string_view term = first->text();
    list.clear();
    for (Source& source : sources) {
      if (!source.at_end() && source.text() == term) take_list(source, list);
    }
    if (list.count > 0) out.add_term(term, list);
  }
  return out.finish();
}

}  // namespace yore::lexical
