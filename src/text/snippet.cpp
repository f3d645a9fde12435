#include "text/snippet.hpp"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <tuple>
#include <unordered_map>

#include "text/ellipsis.hpp"
#include "text/utf8.hpp"

namespace yore::text {
namespace {

// How far an edge may move to the end of a word; scripts without spaces are cut where they are.
constexpr std::size_t kSnapChars = 24;

// One term of the text that matched. Words with one stem are the same word.
struct Match {
  Span span;
  std::uint32_t word = 0;
};

class Matcher {
 public:
  Matcher(const MatchTerms& wanted, Stemmer& stemmer) : wanted_(wanted), stemmer_(stemmer) {
    for (const std::string& term : wanted.terms) firsts_.set(first_of(term));
  }

  // In order of begin.
  std::vector<Match> matches(const std::vector<Term>& terms) {
    std::vector<Match> found;
    for (const Term& term : terms) {
      if (!find(term)) continue;
      const auto next = static_cast<std::uint32_t>(words_.size());
      const std::uint32_t word = words_.try_emplace(word_, next).first->second;
      found.push_back({{term.begin, term.end}, word});
    }
    std::ranges::stable_sort(found, {}, [](const Match& match) { return match.span.begin; });
    return found;
  }

  [[nodiscard]] std::size_t words() const { return words_.size(); }

 private:
  static std::size_t first_of(std::string_view text) {
    return text.empty() ? 0 : static_cast<unsigned char>(text.front());
  }

  // Is it wanted, or its stem? Leaves the word's name in word_.
  bool find_word(const Term& term) {
    // A stem keeps the first letter of its word: most words need not be stemmed.
    if (!firsts_.test(first_of(term.text))) return false;
    word_.assign(term.text);
    const bool exact = wanted_.terms.contains(word_);
    if (!term.stemmable) return exact;
    word_.assign(stemmer_.stem(term.text));
    return exact || wanted_.terms.contains(word_);
  }

  bool find(const Term& term) {
    if (find_word(term)) return true;
    const auto prefix = std::ranges::find_if(wanted_.prefixes, [&](const std::string& start) {
      return !start.empty() && term.text.starts_with(start);
    });
    if (prefix == wanted_.prefixes.end()) return false;
    word_ = *prefix + '*';
    return true;
  }

  const MatchTerms& wanted_;
  Stemmer& stemmer_;
  std::bitset<256> firsts_;  // bytes that wanted terms begin with
  std::string word_;
  std::unordered_map<std::string, std::uint32_t> words_;
};

// Matches that overlap, as one.
struct Group {
  Span span;
  std::vector<std::uint32_t> words;
};

std::vector<Group> group(const std::vector<Match>& matches) {
  std::vector<Group> groups;
  for (const Match& match : matches) {
    if (groups.empty() || match.span.begin >= groups.back().span.end) {
      groups.push_back({match.span, {}});
    }
    Group& last = groups.back();
    last.span.end = std::max(last.span.end, match.span.end);
    last.words.push_back(match.word);
  }
  return groups;
}

// Where each character begins, and the end: positions in characters and in bytes.
class Ruler {
 public:
  explicit Ruler(std::string_view text) {
    starts_.reserve(text.size() + 1);
    for (std::size_t at = 0; at < text.size(); at += decode_at(text, at).size_bytes) {
      starts_.push_back(at);
    }
    starts_.push_back(text.size());
  }
  [[nodiscard]] std::size_t chars() const { return starts_.size() - 1; }
  [[nodiscard]] std::size_t byte_of(std::size_t index) const { return starts_[index]; }
  // Index of the first character that begins at or after `byte`.
  [[nodiscard]] std::size_t char_of(std::size_t byte) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(starts_, byte) - starts_.begin());
  }

 private:
  std::vector<std::size_t> starts_;
};

// In characters.
struct Window {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};

// The run of groups within `room` characters that has the most different words, then the most
// groups, then comes first. A group that is too long on its own is cut.
Window best_run(const std::vector<Group>& groups, const Ruler& ruler, std::size_t words,
                std::size_t room) {
  std::vector<std::size_t> seen(words, 0);
  std::size_t different = 0;
  std::tuple<std::size_t, std::size_t> best{0, 0};
  Window chosen;
  std::size_t next = 0;
  for (std::size_t first = 0; first < groups.size(); ++first) {
    const std::size_t begin = ruler.char_of(groups[first].span.begin);
    while (next < groups.size() &&
           (next == first || ruler.char_of(groups[next].span.end) <= begin + room)) {
      for (const std::uint32_t word : groups[next].words) different += seen[word]++ == 0 ? 1 : 0;
      ++next;
    }
    if (const std::tuple score{different, next - first}; score > best) {
      best = score;
      chosen = {begin, std::min(ruler.char_of(groups[next - 1].span.end), begin + room)};
    }
    for (const std::uint32_t word : groups[first].words) different -= --seen[word] == 0 ? 1 : 0;
  }
  return chosen;
}

class Cutter {
 public:
  Cutter(std::string_view text, const Ruler& ruler) : text_(text), ruler_(ruler) {}

  // Grows the run to `room` characters, a third of the new ones before it, and ends at words.
  [[nodiscard]] Window around(const Window& run, std::size_t room) const {
    const std::size_t spare = room - std::min(room, run.size());
    const std::size_t behind = ruler_.chars() - run.end;
    const std::size_t before =
        std::min(run.begin, std::max(spare / 3, spare - std::min(spare, behind)));
    Window window{run.begin - before, run.end + std::min(behind, spare - before)};
    if (window.begin > 0) {
      std::size_t at = window.begin;
      while (at < run.begin && at - window.begin < kSnapChars && !is_space(at - 1)) ++at;
      if (at <= run.begin && is_space(at - 1)) window.begin = at;
    }
    if (window.end < ruler_.chars()) {
      std::size_t at = window.end;
      while (at > run.end && window.end - at < kSnapChars && !is_space(at)) --at;
      if (is_space(at)) window.end = at;
    }
    while (window.begin < run.begin && is_space(window.begin)) ++window.begin;
    while (window.end > run.end && is_space(window.end - 1)) --window.end;
    return window;
  }

 private:
  [[nodiscard]] bool is_space(std::size_t index) const {
    const char c = text_[ruler_.byte_of(index)];
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  std::string_view text_;
  const Ruler& ruler_;
};

std::vector<Span> spans_of(const std::vector<Group>& groups) {
  std::vector<Span> spans;
  spans.reserve(groups.size());
  for (const Group& each : groups) spans.push_back(each.span);
  return spans;
}

}  // namespace

std::vector<Span> find_matches(std::string_view text, const MatchTerms& wanted, Analyzer& analyzer,
                               Stemmer& stemmer) {
  if (wanted.terms.empty() && wanted.prefixes.empty()) return {};
  return spans_of(group(Matcher(wanted, stemmer).matches(analyzer.analyze(text))));
}

Snippet make_snippet(std::string_view text, const MatchTerms& wanted, std::size_t max_chars,
                     Analyzer& analyzer, Stemmer& stemmer) {
  text = trim(text);
  if (text.empty() || max_chars == 0) return {};
  Matcher matcher(wanted, stemmer);
  const std::vector<Group> groups = group(matcher.matches(analyzer.analyze(text)));
  const Ruler ruler(text);
  if (ruler.chars() <= max_chars) return {std::string(text), spans_of(groups)};

  // Both ends may need an ellipsis; where there is room for only one, the beginning is shown.
  const bool tiny = max_chars <= 2;
  const std::size_t room = max_chars - (tiny ? 1 : 2);
  const Window run = tiny ? Window{} : best_run(groups, ruler, matcher.words(), room);
  const Window window = Cutter(text, ruler).around(run, room);
  const Span kept{ruler.byte_of(window.begin), ruler.byte_of(window.end)};

  Snippet snippet;
  if (window.begin > 0) snippet.text += kEllipsis;
  const std::size_t shift = snippet.text.size();
  snippet.text += text.substr(kept.begin, kept.end - kept.begin);
  if (window.end < ruler.chars()) snippet.text += kEllipsis;
  for (const Group& each : groups) {
    const bool chosen = each.span.begin == ruler.byte_of(run.begin) && run.size() > 0;
    if (each.span.begin < kept.begin || (each.span.end > kept.end && !chosen)) continue;
    snippet.spans.push_back({each.span.begin - kept.begin + shift,
                             std::min(each.span.end, kept.end) - kept.begin + shift});
  }
  return snippet;
}

}  // namespace yore::text
