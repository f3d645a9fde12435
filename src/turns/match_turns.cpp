#include "turns/match_turns.hpp"

#include <unordered_map>
#include <utility>

#include "base/hash.hpp"

namespace yore::turns {
namespace {

using Candidates = std::unordered_multimap<std::uint64_t, std::size_t>;

// In order, each text begins one of the later ones.
bool begin_all(const std::vector<std::string>& later, const std::vector<std::string>& earlier) {
  std::size_t at = 0;
  for (const std::string& text : earlier) {
    while (at < later.size() && !later[at].starts_with(text)) ++at;
    if (at++ == later.size()) return false;
  }
  return true;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all.append(all.empty() ? "" : "\n").append(text);
  return all;
}

// Or one is the beginning of the other as a whole: agents put blocks together when they write anew.
bool says_all(const std::vector<std::string>& later, const std::vector<std::string>& earlier) {
  return begin_all(later, earlier) || joined(later).starts_with(joined(earlier));
}

// The words a turn begins with. A prompt may have been queued first and joined later, so it is only
// the first that counts.
std::uint64_t first_words(const SaidTurn& said) {
  if (!said.prompts.empty()) return hash64(said.prompts.front(), 1);
  return said.answers.empty() ? 0 : hash64(said.answers.front(), 2);
}

class Matching {
 public:
  Matching(const TurnReading& earlier, const TurnReading& later)
      : earlier_(earlier),
        later_(later),
        matches_(earlier.turns.size()),
        taken_(later.turns.size(), false) {}

  std::vector<std::optional<std::size_t>> run() {
    match_equal();
    if (!all_matched()) {
      said_earlier_.resize(earlier_.turns.size());
      said_later_.resize(later_.turns.size());
      match_by([this](std::size_t i) { return earlier_.turns[i].origin; },
               [this](std::size_t i) { return later_.turns[i].origin; });
    }
    if (!all_matched()) {
      match_by([this](std::size_t i) { return first_words(said_earlier(i)); },
               [this](std::size_t i) { return first_words(said_later(i)); });
    }
    return std::move(matches_);
  }

 private:
  [[nodiscard]] bool all_matched() const {
    for (const auto& match : matches_) {
      if (!match) return false;
    }
    return true;
  }

  void take(std::size_t earlier, std::size_t later) {
    matches_[earlier] = later;
    taken_[later] = true;
  }

  // The same hash of everything said, and not by chance: the prompt is the same too.
  void match_equal() {
    Candidates by_content;
    for (std::size_t i = later_.turns.size(); i-- > 0;) {
      by_content.emplace(later_.turns[i].content, i);
    }
    for (std::size_t i = 0; i < earlier_.turns.size(); ++i) {
      const Turn& turn = earlier_.turns[i];
      const auto [first, last] = by_content.equal_range(turn.content);
      std::optional<std::size_t> best;
      for (auto it = first; it != last; ++it) {
        const bool same = !taken_[it->second] && later_.turns[it->second].origin == turn.origin;
        if (same && (!best || it->second < *best)) best = it->second;
      }
      if (best) take(i, *best);
    }
  }

  // Among those with the same key, the first that says all of it.
  template <typename EarlierKey, typename LaterKey>
  void match_by(EarlierKey earlier_key, LaterKey later_key) {
    Candidates by_key;
    for (std::size_t i = 0; i < later_.turns.size(); ++i) {
      if (!taken_[i]) by_key.emplace(later_key(i), i);
    }
    for (std::size_t i = 0; i < earlier_.turns.size(); ++i) {
      if (matches_[i]) continue;
      const auto [first, last] = by_key.equal_range(earlier_key(i));
      std::optional<std::size_t> best;
      for (auto it = first; it != last; ++it) {
        const std::size_t index = it->second;
        if (taken_[index] || (best && index > *best)) continue;
        if (says_all_of(said_later(index), said_earlier(i))) best = index;
      }
      if (best) take(i, *best);
    }
  }

  const SaidTurn& said_earlier(std::size_t i) { return asked(said_earlier_, earlier_, i); }
  const SaidTurn& said_later(std::size_t i) { return asked(said_later_, later_, i); }
  static const SaidTurn& asked(std::vector<std::optional<SaidTurn>>& known,
                               const TurnReading& reading, std::size_t i) {
    if (!known[i]) known[i] = reading.said(i);
    return *known[i];
  }

  const TurnReading& earlier_;
  const TurnReading& later_;
  std::vector<std::optional<std::size_t>> matches_;
  std::vector<bool> taken_;
  std::vector<std::optional<SaidTurn>> said_earlier_;
  std::vector<std::optional<SaidTurn>> said_later_;
};

}  // namespace

bool says_all_of(const SaidTurn& later, const SaidTurn& earlier) {
  return says_all(later.prompts, earlier.prompts) && says_all(later.answers, earlier.answers);
}

std::vector<std::optional<std::size_t>> match_turns(const TurnReading& earlier,
                                                    const TurnReading& later) {
  return Matching(earlier, later).run();
}

}  // namespace yore::turns
