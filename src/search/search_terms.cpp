#include "search/search_terms.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/ascii.hpp"

namespace yore::search {
namespace {

using lexical::Leaf;
using text::Term;
using text::TermKind;

// A short git hash as people paste it: letters and digits of 7 to 11 hexadecimal characters. In the
// index stand longer pieces of the same hash.
bool is_short_hash(std::string_view word) {
  if (word.size() < 7 || word.size() > 11) return false;
  return std::ranges::all_of(word, ascii::is_lower_hex) &&
         std::ranges::any_of(word, ascii::is_digit) && !std::ranges::all_of(word, ascii::is_digit);
}

// What people ask with when all they know is the day; beside stop words, sorted.
constexpr std::array<std::string_view, 39> kAskingWords = {
    "anything",      "around",   "ask",       "asked",   "chat",    "chats",    "conversation",
    "conversations", "discuss",  "discussed", "done",    "earlier", "early",    "everything",
    "find",          "happen",   "happened",  "history", "late",    "list",     "mid",
    "recall",        "remember", "said",      "say",     "session", "sessions", "show",
    "since",         "stuff",    "summarize", "summary", "talk",    "talked",   "things",
    "till",          "work",     "worked",    "working"};
static_assert(std::is_sorted(kAskingWords.begin(), kAskingWords.end()));

bool is_asking_word(std::string_view folded) {
  return text::is_stop_word(folded) ||
         std::binary_search(kAskingWords.begin(), kAskingWords.end(), folded);
}

class TermMaker {
 public:
  TermMaker(text::Analyzer& analyzer, text::Stemmer& stemmer, const FormBoosts& boosts,
            const std::optional<QueryDate>& date)
      : analyzer_(analyzer), stemmer_(stemmer), boosts_(boosts), date_(date) {}

  SearchTerms make(const ParsedQuery& query) {
    if (date_ && date_->when.said) date_part_ = &query.parts[date_->part];
    bool meaningful = false;
    for (const QueryPart& part : query.parts) {
      meaningful = meaningful || (part.mark != QueryPart::Mark::excluded && says_something(part));
    }
    terms_.only_stop_words = !meaningful;
    terms_.only_date = says_only_when(query);
    for (const QueryPart& part : query.parts) add(part, meaningful);
    return std::move(terms_);
  }

 private:
  bool says_something(const QueryPart& part) {
    if (part.kind != QueryPart::Kind::words) return !analyzer_.analyze(part.text).empty();
    const std::vector<Term>& found = analyzer_.analyze(part.text);
    return std::ranges::any_of(found,
                               [](const Term& term) { return !text::is_stop_word(term.text); });
  }

  [[nodiscard]] bool is_of_date(const QueryPart& part, const Term& term) const {
    return date_part_ == &part && date_->when.begin <= term.begin && term.end <= date_->when.end;
  }

  bool says_only_when(const ParsedQuery& query) {
    if (date_part_ == nullptr) return false;
    return std::ranges::all_of(query.parts, [&](const QueryPart& part) {
      if (part.kind != QueryPart::Kind::words || part.mark != QueryPart::Mark::none) return false;
      return std::ranges::all_of(analyzer_.analyze(part.text), [&](const Term& term) {
        return is_of_date(part, term) || is_asking_word(term.text);
      });
    });
  }

  void add(const QueryPart& part, bool drop_stop_words) {
    std::vector<Leaf> leaves;
    switch (part.kind) {
      case QueryPart::Kind::words:
        leaves = words(part, drop_stop_words);
        break;
      case QueryPart::Kind::phrase:
        leaves = phrase(part.text);
        break;
      case QueryPart::Kind::prefix:
        leaves = prefix(part.text);
        break;
    }
    if (leaves.empty()) return;
    if (part.mark == QueryPart::Mark::excluded) {
      terms_.excluded.push_back(must_hold(std::move(leaves)));
      return;
    }
    for (const Leaf& leaf : leaves) note_match(leaf);
    if (part.mark == QueryPart::Mark::required) terms_.required.push_back(must_hold(leaves));
    for (Leaf& leaf : leaves) add_scored(std::move(leaf));
  }

  // Only the stem of a word (or the word, when it has none) is required: "runs" satisfies
  // "+running" too.
  static std::vector<Leaf> must_hold(std::vector<Leaf> leaves) {
    const bool has_whole =
        std::ranges::any_of(leaves, [](const Leaf& leaf) { return leaf.boost >= 1; });
    if (has_whole) std::erase_if(leaves, [](const Leaf& leaf) { return leaf.boost < 1; });
    return leaves;
  }

  void add_scored(Leaf leaf) {
    for (Leaf& known : terms_.scored) {
      if (known.kind == leaf.kind && known.terms == leaf.terms) {
        known.boost = std::max(known.boost, leaf.boost);
        return;
      }
    }
    terms_.scored.push_back(std::move(leaf));
  }

  void note_match(const Leaf& leaf) {
    if (leaf.kind == Leaf::Kind::prefix) {
      terms_.matched.prefixes.push_back(leaf.terms.front());
    } else {
      terms_.matched.terms.insert(leaf.terms.begin(), leaf.terms.end());
    }
  }

  static Leaf leaf_of(std::string_view term, float boost) {
    Leaf leaf;
    leaf.terms.emplace_back(term);
    leaf.boost = boost;
    return leaf;
  }

  std::vector<Leaf> words(const QueryPart& part, bool drop_stop_words) {
    std::vector<Leaf> leaves;
    const std::vector<Term>& found = analyzer_.analyze(part.text);
    for (const Term& term : found) {
      const bool word = term.kind == TermKind::word || term.kind == TermKind::part;
      if (word && drop_stop_words && text::is_stop_word(term.text)) continue;
      if (term.kind == TermKind::gram && has_pair(found, term)) continue;
      float base = term.kind == TermKind::part || is_joined(found, term) ? boosts_.part : 1.0F;
      if (is_of_date(part, term)) base = boosts_.date;
      if (!word) {
        leaves.push_back(leaf_of(term.text, boosts_.whole));
        continue;
      }
      const std::string_view stem = term.stemmable ? stemmer_.stem(term.text) : std::string_view{};
      if (!stem.empty() && stem != term.text) {
        leaves.push_back(leaf_of(stem, base));
        leaves.push_back(leaf_of(term.text, base * boosts_.exact));
      } else {
        leaves.push_back(leaf_of(term.text, base));
      }
      if (is_short_hash(term.text)) {
        Leaf longer = leaf_of(term.text, base);
        longer.kind = Leaf::Kind::prefix;
        leaves.back() = std::move(longer);
      }
    }
    return leaves;
  }

  // A character of a script without spaces counts by its pairs, unless it stands alone.
  static bool has_pair(const std::vector<Term>& terms, const Term& gram) {
    return std::ranges::any_of(terms, [&](const Term& other) {
      return other.kind == TermKind::pair &&
             (other.position == gram.position || other.position + 1 == gram.position);
    });
  }

  // Part of http.cc or net/http.cc, which are asked for as well.
  static bool is_joined(const std::vector<Term>& terms, const Term& word) {
    return std::ranges::any_of(terms, [&](const Term& other) {
      return (other.kind == TermKind::joined || other.kind == TermKind::mark) &&
             other.begin <= word.begin && word.end <= other.end;
    });
  }

  std::vector<Leaf> phrase(std::string_view text) {
    Leaf leaf;
    leaf.kind = Leaf::Kind::phrase;
    for (const Term& term : analyzer_.analyze(text)) {
      const bool counts =
          term.kind == TermKind::word || term.kind == TermKind::part || term.kind == TermKind::gram;
      if (!counts) continue;
      leaf.terms.emplace_back(term.text);
      leaf.offsets.push_back(term.position);
    }
    if (leaf.terms.empty()) return {};
    const std::uint32_t first = leaf.offsets.front();
    for (std::uint32_t& offset : leaf.offsets) offset -= first;
    // One word in quotes: this very form, not its stem.
    return {std::move(leaf)};
  }

  std::vector<Leaf> prefix(std::string_view text) {
    std::vector<Leaf> leaves;
    const std::vector<Term>& found = analyzer_.analyze(text);
    if (found.empty()) return leaves;
    // "src/net/ht*": the last word is open, those before are words.
    const auto last = std::ranges::max_element(found, {}, [](const Term& term) {
      return term.kind == TermKind::word || term.kind == TermKind::part ||
                     term.kind == TermKind::gram
                 ? static_cast<std::int64_t>(term.position)
                 : std::int64_t{-1};
    });
    Leaf open = leaf_of(last->text, 1.0F);
    open.kind = Leaf::Kind::prefix;
    const std::uint32_t end = last->position;
    for (const Term& term : found) {
      const bool word = term.kind == TermKind::word || term.kind == TermKind::part;
      if (word && term.position < end) leaves.push_back(leaf_of(term.text, 1.0F));
    }
    leaves.push_back(std::move(open));
    return leaves;
  }

  text::Analyzer& analyzer_;
  text::Stemmer& stemmer_;
  const FormBoosts& boosts_;
  const std::optional<QueryDate>& date_;
  const QueryPart* date_part_ = nullptr;  // where it is said; null: nowhere
  SearchTerms terms_;
};

}  // namespace

std::optional<QueryDate> find_date(const ParsedQuery& query, std::chrono::sys_days today) {
  for (std::size_t i = 0; i < query.parts.size(); ++i) {
    const QueryPart& part = query.parts[i];
    if (part.kind != QueryPart::Kind::words || part.mark != QueryPart::Mark::none) continue;
    if (const auto when = text::find_named_date(part.text, today)) return QueryDate{*when, i};
  }
  return std::nullopt;
}

SearchTerms make_terms(const ParsedQuery& query, text::Analyzer& analyzer, text::Stemmer& stemmer,
                       const FormBoosts& boosts, const std::optional<QueryDate>& date) {
  return TermMaker(analyzer, stemmer, boosts, date).make(query);
}

}  // namespace yore::search
