#include "lexical/collector.hpp"

#include <algorithm>

namespace yore::lexical {

bool comes_first(const Catalog& catalog, TurnOrd a, TurnOrd b) {
  const TurnRow& x = catalog.turns()[a];
  const TurnRow& y = catalog.turns()[b];
  if (x.last_time != y.last_time) return x.last_time > y.last_time;
  if (x.session != y.session) {
    return catalog.name(catalog.sessions()[x.session].uid) <
           catalog.name(catalog.sessions()[y.session].uid);
  }
  return x.number < y.number;
}

Collector::Collector(const Catalog& catalog, std::size_t k)
    : catalog_(catalog), k_(k), capacity_(std::max<std::size_t>(4 * k, 64)) {
  buffer_.reserve(capacity_);
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

void Collector::keep_one_of_each_group() {
  std::ranges::sort(buffer_, [this](const Candidate& a, const Candidate& b) {
    const std::uint64_t x = group(a.turn);
    const std::uint64_t y = group(b.turn);
    return x != y ? x < y : better(a, b);
  });
  const auto rest = std::ranges::unique(
      buffer_, {}, [this](const Candidate& candidate) { return group(candidate.turn); });
  buffer_.erase(rest.begin(), rest.end());
}

void Collector::shrink() {
  keep_one_of_each_group();
  if (buffer_.size() >= k_ && k_ > 0) {
    const auto worst = buffer_.begin() + static_cast<std::ptrdiff_t>(k_) - 1;
    std::ranges::nth_element(
        buffer_, worst, [this](const Candidate& a, const Candidate& b) { return better(a, b); });
    threshold_ = worst->score;
    buffer_.resize(k_);
  }
  // Few groups with many documents each must not make every addition sort the buffer again.
  capacity_ = std::max(capacity_, buffer_.size() * 2);
}

std::vector<Candidate> Collector::finish() {
  keep_one_of_each_group();
  std::ranges::sort(buffer_,
                    [this](const Candidate& a, const Candidate& b) { return better(a, b); });
  if (buffer_.size() > k_) buffer_.resize(k_);
  return std::move(buffer_);
}

}  // namespace yore::lexical
