#include "lexical/write/token_log.hpp"

#include <cassert>

namespace yore::lexical {

void TokenLog::add(std::span<const TermId> ids, std::span<const text::Term> terms) {
  const std::size_t at = tokens_.size();
  tokens_.resize(at + ids.size());
  std::uint32_t* const out = tokens_.data() + at;
  std::uint32_t next = 0;  // position
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool is_new = terms[i].position == next;
    assert(is_new || (next > 0 && terms[i].position == next - 1));
    out[i] = ids[i] | (is_new ? kNewPlace : 0) | (terms[i].stemmable ? kStemmable : 0);
    next += is_new ? 1 : 0;
  }
  place_ += next;
  ends_.push_back(place_);
}

void TokenLog::add_at_start(std::span<const TermId> ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) tokens_.push_back(ids[i] | (i == 0 ? kNewPlace : 0));
  place_ += ids.empty() ? 0 : 1;
  ends_.push_back(place_);
}

void TokenLog::close(std::size_t terms) {
  counts_.assign(terms, 0);
  stemmable_.assign(terms, 0);
  for (const std::uint32_t token : tokens_) {
    ++counts_[token & kIdBits];
    stemmable_[token & kIdBits] += token >> kStemmableBit & 1U;
  }
}

void TokenLog::group(std::span<const TermId> stems, std::span<const TermId> order) {
  counts_.resize(stems.size());
  for (TermId id = 0; id < stemmable_.size(); ++id) {
    if (stems[id] != id) counts_[stems[id]] += stemmable_[id];
  }
  ranges_.resize(stems.size());
  std::uint32_t total = 0;
  for (const TermId id : order) {
    ranges_[id] = {total, total};
    total += counts_[id];
  }
  places_.resize(total);
  std::uint32_t place = UINT32_MAX;
  for (const std::uint32_t token : tokens_) {
    const TermId id = token & kIdBits;
    place += token >> kNewPlaceBit;
    places_[ranges_[id].end++] = place << 1;
    if ((token & kStemmable) == 0) continue;
    if (const TermId stem = stems[id]; stem != id) places_[ranges_[stem].end++] = place << 1 | 1;
  }
  tokens_ = {};
  counts_ = {};
  stemmable_ = {};

  leaps_.resize((place_ >> kLeapBits) + 1);
  Doc doc = 0;
  for (std::size_t i = 0; i < leaps_.size(); ++i) {
    while (doc < ends_.size() && ends_[doc] <= i << kLeapBits) ++doc;
    leaps_[i] = doc;
  }
}

}  // namespace yore::lexical
