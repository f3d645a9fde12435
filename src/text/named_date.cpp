#include "text/named_date.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

namespace yore::text {
namespace {

using std::chrono::day;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};
constexpr std::array<std::string_view, 16> kBefore = {
    "in",    "on",   "of",   "during", "since", "until", "by",   "before",
    "after", "from", "last", "early",  "late",  "mid",   "till", "the"};
constexpr std::size_t kShortMonth = 3;

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

struct Word {
  std::string text;    // in lower case
  char before = '\0';  // what stands between it and the word before, when that is one character
};

std::vector<Word> words_of(std::string_view question) {
  std::vector<Word> words;
  std::size_t end = 0;
  for (std::size_t at = 0; at < question.size();) {
    if (!is_letter_or_digit(question[at])) {
      ++at;
      continue;
    }
    Word& word = words.emplace_back();
    word.before = at == end + 1 ? question[end] : '\0';
    for (; at < question.size() && is_letter_or_digit(question[at]); ++at) {
      const char c = question[at];
      word.text.push_back(static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c));
    }
    end = at;
  }
  return words;
}

std::optional<unsigned> number(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<day> day_of(std::string_view text) {
  for (const std::string_view ending : {"st", "nd", "rd", "th"}) {
    if (text.size() > ending.size() && text.ends_with(ending)) {
      text.remove_suffix(ending.size());
      break;
    }
  }
  const auto value = text.size() <= 2 ? number(text) : std::nullopt;
  if (!value || *value < 1 || *value > 31) return std::nullopt;
  return day{*value};
}

std::optional<year> year_of(std::string_view text) {
  const auto value = text.size() == 4 ? number(text) : std::nullopt;
  if (!value || *value < 1970 || *value > 2199) return std::nullopt;
  return year{static_cast<int>(*value)};
}

// "june", "jun" and "sept".
std::optional<month> month_of(std::string_view text) {
  for (unsigned i = 0; i < kMonths.size(); ++i) {
    const bool shortened = text.size() == kShortMonth || text == "sept";
    if (text == kMonths[i] || (shortened && kMonths[i].starts_with(text))) return month{i + 1};
  }
  return std::nullopt;
}

bool is_also_a_word(std::string_view text) {
  return text == "may" || text == "march" || text == "mar";
}

bool exists(const NamedDate& date) {
  if (!date.day) return true;
  // Without a year any leap year will do.
  return year_month_day{date.year.value_or(year{2000}), date.month, *date.day}.ok();
}

class Finder {
 public:
  Finder(const std::vector<Word>& words, sys_days today) : words_(words), today_(today) {}

  std::optional<NamedDate> find() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      take_numbers(i);
      take_month(i);
      const std::string& word = words_[i].text;
      if (word == "today") take(of(today_));
      if (word == "yesterday") take(of(today_ - std::chrono::days{1}));
    }
    return best_;
  }

 private:
  static NamedDate of(sys_days when) {
    const year_month_day date{when};
    return {date.year(), date.month(), date.day()};
  }

  [[nodiscard]] std::string_view word(std::size_t at) const {
    return at < words_.size() ? std::string_view(words_[at].text) : std::string_view{};
  }

  // 2026-03-04, 2026/03/04
  void take_numbers(std::size_t at) {
    if (at + 2 >= words_.size()) return;
    const char between = words_[at + 1].before;
    if ((between != '-' && between != '/') || words_[at + 2].before != between) return;
    const auto which = year_of(word(at));
    const auto months = number(word(at + 1));
    const auto days = day_of(word(at + 2));
    if (!which || !months || *months < 1 || *months > 12 || !days) return;
    take({*which, month{*months}, *days});
  }

  void take_month(std::size_t at) {
    const auto which = month_of(word(at));
    if (!which) return;
    NamedDate date{std::nullopt, *which, std::nullopt};
    std::size_t first = at;  // word of the date
    std::size_t next = at + 1;
    if (const auto behind = day_of(word(next))) {  // June 3
      date.day = behind;
      ++next;
    } else if (at > 0) {  // 3 June, 3rd of June
      first = word(at - 1) == "of" && at > 1 ? at - 2 : at - 1;
      date.day = day_of(word(first));
      if (!date.day) first = at;
    }
    date.year = year_of(word(next));
    const bool announced =
        first > 0 && std::ranges::find(kBefore, word(first - 1)) != kBefore.end();
    const bool full_name = word(at).size() > kShortMonth || word(at) == "may";
    if (!date.day && !date.year && (!announced || !full_name)) return;
    if (!date.year && is_also_a_word(word(at)) && !announced) return;
    take(date);
  }

  void take(const NamedDate& date) {
    const auto parts = [](const NamedDate& each) {
      return (each.day ? 1 : 0) + (each.year ? 1 : 0);
    };
    if (exists(date) && (!best_ || parts(date) > parts(*best_))) best_ = date;
  }

  const std::vector<Word>& words_;
  sys_days today_;
  std::optional<NamedDate> best_;
};

}  // namespace

std::int64_t NamedDate::days_from(sys_days when) const {
  const auto from_year = [&](std::chrono::year which) -> std::int64_t {
    const auto last = std::chrono::year_month_day_last{which, std::chrono::month_day_last{month}};
    // The 29th of February of other years is their 28th.
    const sys_days begin{which / month / (day ? std::min(*day, last.day()) : std::chrono::day{1})};
    const sys_days end = day ? begin : sys_days{last};
    if (when < begin) return (begin - when).count();
    return when > end ? (when - end).count() : 0;
  };
  if (year) return from_year(*year);
  const auto own = year_month_day{when}.year();
  return std::min({from_year(own - std::chrono::years{1}), from_year(own),
                   from_year(own + std::chrono::years{1})});
}

std::optional<NamedDate> find_named_date(std::string_view question, sys_days today) {
  const std::vector<Word> words = words_of(question);
  return Finder(words, today).find();
}

}  // namespace yore::text
