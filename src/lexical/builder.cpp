#include "lexical/builder.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/hash.hpp"
#include "lexical/postings.hpp"
#include "lexical/segment_format.hpp"
#include "lexical/term_pool.hpp"

namespace yore::lexical {
namespace {

constexpr std::uint32_t kMaxLength = 65535;

std::uint16_t saturated(std::uint32_t value) {
  return static_cast<std::uint16_t>(std::min(value, kMaxLength));
}

}  // namespace

struct SegmentBuilder::State {
  TermPool terms;
  SegmentAssembler assembler;
  text::Analyzer analyzer;
  text::Stemmer stemmer;

  // The term of the word's stem; the word's own when there is no other.
  TermId stem_of(TermId id) {
    if (terms[id].stem != kNoTerm) return terms[id].stem;
    const std::string_view stem = stemmer.stem(terms.text(id));
    const TermId found = stem.empty() ? id : terms.find_or_add(stem);
    terms[id].stem = found;
    return found;
  }
};

SegmentBuilder::SegmentBuilder() : state_(std::make_unique<State>()) {}
SegmentBuilder::~SegmentBuilder() = default;
SegmentBuilder::SegmentBuilder(SegmentBuilder&&) noexcept = default;
SegmentBuilder& SegmentBuilder::operator=(SegmentBuilder&&) noexcept = default;

void SegmentBuilder::add(const DocInfo& info, std::string_view text) {
  State& state = *state_;
  const Doc doc = state.assembler.documents();
  for (const text::Term& term : state.analyzer.analyze(text)) {
    const TermId id = state.terms.find_or_add(term.text);
    state.terms.add(id, doc, term.position, false);
    if (!term.stemmable) continue;
    const TermId stem = state.stem_of(id);
    if (stem != id) state.terms.add(stem, doc, term.position, true);
  }
  const bool has_vector = family_of(info.tag) != Family::detail;
  state.assembler.add_document(info.key, info.turn, info.session, info.tag, saturated(info.block),
                               saturated(state.analyzer.positions()),
                               has_vector ? hash64(text) : 0);
}

void SegmentBuilder::add_markers(const DocInfo& info, const std::vector<std::string>& terms) {
  State& state = *state_;
  const Doc doc = state.assembler.documents();
  for (const std::string& term : terms) {
    const TermId id = state.terms.find_or_add(term);
    const bool again = state.terms[id].used && state.terms[id].last_doc == doc;
    if (!again) state.terms.add(id, doc, 0, false);
  }
  state.assembler.add_document(info.key, info.turn, info.session, info.tag, saturated(info.block),
                               0, 0);
}

std::uint32_t SegmentBuilder::documents() const {
  return state_->assembler.documents();
}

std::size_t SegmentBuilder::memory() const {
  return state_->terms.memory() + std::size_t{documents()} * 16;
}

std::string SegmentBuilder::finish() {
  State& state = *state_;
  std::vector<TermId> order(state.terms.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](TermId id) { return state.terms.text(id); });
  TermPostings list;
  for (const TermId id : order) {
    if (!state.terms[id].used) continue;  // a stem that was looked up and is its own word only
    list.clear();
    state.terms.each(id, [&](Doc doc, std::uint32_t position, bool by_stem) {
      if (list.docs.empty() || list.docs.back() != doc) {
        list.docs.push_back(doc);
        list.tfs.push_back(0);
        list.exact.push_back(0);
      }
      ++list.tfs.back();
      if (by_stem) return;
      ++list.exact.back();
      list.positions.push_back(position);
    });
    state.assembler.add_term(state.terms.text(id), list);
  }
  std::string bytes = state.assembler.finish();
  *this = SegmentBuilder();
  return bytes;
}

std::string marker_term(Marker kind, std::string_view value) {
  // Cut from the front: of a long path the end tells more.
  constexpr std::size_t kMaxMarkerBytes = 250;
  std::string folded = text::fold(value);
  if (folded.size() > kMaxMarkerBytes) folded.erase(0, folded.size() - kMaxMarkerBytes);
  return static_cast<char>(kind) + folded;
}

}  // namespace yore::lexical
