#include "lexical/write/builder.hpp"

#include <algorithm>
#include <vector>

#include "base/hash.hpp"
#include "base/varint.hpp"
#include "lexical/format/postings.hpp"
#include "lexical/format/segment_format.hpp"
#include "lexical/write/term_table.hpp"
#include "lexical/write/token_log.hpp"

namespace yore::lexical {
namespace {

constexpr std::uint32_t kMaxLength = 65535;

std::uint16_t saturated(std::uint32_t value) {
  return static_cast<std::uint16_t>(std::min(value, kMaxLength));
}

void take_list(const TokenLog& tokens, TermId id, TermPostings& list) {
  list.clear();
  const std::size_t most = tokens.count(id);
  list.reserve(most, most * kMaxVarint);
  char* out = list.positions.data();
  std::uint32_t before = 0;
  std::size_t at = 0;
  tokens.each(id, [&](Doc doc, std::uint32_t position, bool by_stem) {
    if (at == 0 || list.docs[at - 1] != doc) {
      if (at > 0) list.ends[at - 1] = static_cast<std::uint32_t>(out - list.positions.data());
      list.docs[at] = doc;
      list.tfs[at] = 0;
      list.exact[at] = 0;
      before = 0;
      ++at;
    }
    ++list.tfs[at - 1];
    if (by_stem) return;
    ++list.exact[at - 1];
    out = put_varint(out, position - before);
    before = position;
  });
  list.ends[at - 1] = static_cast<std::uint32_t>(out - list.positions.data());
  list.count = at;
}

}  // namespace

struct SegmentBuilder::State {
  TermTable terms;
  TokenLog tokens;
  SegmentAssembler assembler;
  text::Analyzer analyzer;
  text::Stemmer stemmer;

  // The term of each word's stem; the word's own when there is no other.
  std::vector<TermId> stems();
};

std::vector<TermId> SegmentBuilder::State::stems() {
  std::vector<TermId> stems(terms.size());
  for (TermId id = 0; id < stems.size(); ++id) {
    const std::string_view stem =
        tokens.is_stemmable(id) ? stemmer.stem(terms.text(id)) : std::string_view{};
    stems[id] = stem.empty() ? id : terms.find_or_add(stem);
  }
  for (auto id = static_cast<TermId>(stems.size()); id < terms.size(); ++id) stems.push_back(id);
  return stems;
}

SegmentBuilder::SegmentBuilder() = default;
SegmentBuilder::~SegmentBuilder() = default;
SegmentBuilder::SegmentBuilder(SegmentBuilder&&) noexcept = default;
SegmentBuilder& SegmentBuilder::operator=(SegmentBuilder&&) noexcept = default;

// Made with the first document: most updates have none for two of three families.
SegmentBuilder::State& SegmentBuilder::begun() {
  if (state_ == nullptr) state_ = std::make_unique<State>();
  return *state_;
}

void SegmentBuilder::add(const DocInfo& info, std::string_view text) {
  State& state = begun();
  const std::vector<text::Term>& terms = state.analyzer.analyze(text);
  state.tokens.add(state.terms.find_or_add(terms), terms);
  const bool has_vector = family_of(info.tag) != Family::detail;
  state.assembler.add_document(info.key, info.turn, info.session, info.tag, saturated(info.block),
                               saturated(state.analyzer.positions()),
                               has_vector ? hash64(text) : 0);
}

void SegmentBuilder::add_markers(const DocInfo& info, const std::vector<std::string>& terms) {
  State& state = begun();
  std::vector<TermId> ids;
  ids.reserve(terms.size());
  for (const std::string& term : terms) ids.push_back(state.terms.find_or_add(term));
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  state.tokens.add_at_start(ids);
  state.assembler.add_document(info.key, info.turn, info.session, info.tag, saturated(info.block),
                               0, 0);
}

std::uint32_t SegmentBuilder::documents() const {
  return state_ == nullptr ? 0 : state_->assembler.documents();
}

std::size_t SegmentBuilder::memory() const {
  if (state_ == nullptr) return 0;
  return state_->terms.memory() + state_->tokens.memory() + std::size_t{documents()} * 16;
}

std::string SegmentBuilder::finish() {
  State& state = begun();
  state.tokens.close(state.terms.size());
  const std::vector<TermId> stems = state.stems();
  const std::vector<TermId> order = state.terms.sorted();
  state.tokens.group(stems, order);
  TermPostings list;
  for (const TermId id : order) {
    // None: a stem that was looked up and is its own word only.
    if (state.tokens.count(id) == 0) continue;
    take_list(state.tokens, id, list);
    state.assembler.add_term(state.terms.text(id), list);
  }
  state.tokens = {};
  std::string bytes = state.assembler.finish();
  state_.reset();
  return bytes;
}

}  // namespace yore::lexical
