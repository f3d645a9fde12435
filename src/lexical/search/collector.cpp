#include "lexical/search/collector.hpp"

#include <algorithm>

namespace yore::lexical {

bool comes_first(const Catalog& catalog, TurnOrd a, TurnOrd b) {
  const TurnRow& x = catalog.turns()[a];
  const TurnRow& y = catalog.turns()[b];
  const std::uint32_t x_kept = catalog.sessions()[x.session].flags & kSessionKept;
  const std::uint32_t y_kept = catalog.sessions()[y.session].flags & kSessionKept;
  if (x_kept != y_kept) return x_kept == 0;
  if (x.last_time != y.last_time) return x.last_time > y.last_time;
  if (x.session != y.session) {
    return catalog.name(catalog.sessions()[x.session].uid) <
           catalog.name(catalog.sessions()[y.session].uid);
  }
  return x.number < y.number;
}

Collector::Collector(const Catalog& catalog, std::size_t k)
    : catalog_(catalog), k_(k), capacity_(k + std::max<std::size_t>(k / 2, 16)) {
  buffer_.reserve(capacity_);
  std::size_t slots = 1;
  while (slots < 2 * capacity_) slots *= 2;
  slots_.resize(slots);
}

bool Collector::better(const Candidate& a, const Candidate& b) const {
  if (a.score != b.score) return a.score > b.score;
  if (a.turn != b.turn) return comes_first(catalog_, a.turn, b.turn);
  if (a.family != b.family) return a.family < b.family;
  return a.key < b.key;
}

std::uint64_t Collector::group(TurnOrd turn) const {
  const std::uint64_t origin = catalog_.turns()[turn].origin;
  return origin != 0 ? origin : turn;  // no origin: a group of its own (hashes are not that small)
}

std::uint32_t& Collector::slot_of(std::uint64_t wanted) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = (wanted * 0x9E3779B97F4A7C15ULL >> 32) & mask;
  while (slots_[at] != 0 && group(buffer_[slots_[at] - 1].turn) != wanted) at = (at + 1) & mask;
  return slots_[at];
}

void Collector::add(const Candidate& candidate) {
  std::uint32_t& slot = slot_of(group(candidate.turn));
  if (slot != 0) {
    Candidate& known = buffer_[slot - 1];
    if (better(candidate, known)) known = candidate;
    return;
  }
  buffer_.push_back(candidate);
  slot = static_cast<std::uint32_t>(buffer_.size());
  if (buffer_.size() >= capacity_) shrink();
}

void Collector::shrink() {
  if (k_ == 0) return buffer_.clear();
  const auto worst = buffer_.begin() + static_cast<std::ptrdiff_t>(k_) - 1;
  std::ranges::nth_element(buffer_, worst,
                           [this](const Candidate& a, const Candidate& b) { return better(a, b); });
  threshold_ = worst->score;
  buffer_.resize(k_);
  std::ranges::fill(slots_, 0);
  for (std::uint32_t i = 0; i < buffer_.size(); ++i) slot_of(group(buffer_[i].turn)) = i + 1;
}

std::vector<Candidate> Collector::finish() {
  std::ranges::sort(buffer_,
                    [this](const Candidate& a, const Candidate& b) { return better(a, b); });
  if (buffer_.size() > k_) buffer_.resize(k_);
  return std::move(buffer_);
}

}  // namespace yore::lexical
