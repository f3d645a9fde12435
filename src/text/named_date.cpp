#include "text/named_date.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "text/when.hpp"

namespace yore::text {
namespace {

using std::chrono::day;
using std::chrono::days;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};
constexpr std::array<std::string_view, 7> kWeekdays = {"sunday",   "monday", "tuesday", "wednesday",
                                                       "thursday", "friday", "saturday"};
constexpr std::array<std::string_view, 16> kBefore = {
    "in",    "on",   "of",   "during", "since", "until", "by",   "before",
    "after", "from", "last", "early",  "late",  "mid",   "till", "the"};
constexpr std::array<std::string_view, 11> kNumbers = {
    "a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};
constexpr std::size_t kShortMonth = 3;
constexpr year kAnyYear{2000};
// A date of every year is as vague as some of them.
constexpr std::int64_t kYearsOfHistory = 10;

struct DateWord {
  std::string text;    // in lower case
  char before = '\0';  // what stands between it and the word before, when that is one character
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<DateWord> words_of(std::string_view question) {
  std::vector<DateWord> words;
  std::size_t end = 0;
  for (std::size_t at = 0; at < question.size();) {
    if (!ascii::is_alnum(question[at])) {
      ++at;
      continue;
    }
    DateWord& word = words.emplace_back();
    word.before = at == end + 1 ? question[end] : '\0';
    word.begin = at;
    for (; at < question.size() && ascii::is_alnum(question[at]); ++at) {
      word.text.push_back(ascii::to_lower(question[at]));
    }
    word.end = end = at;
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

// "3", "three", "a few", "a couple".
std::optional<int> count_of(std::string_view text) {
  const auto found = std::ranges::find(kNumbers, text);
  if (found != kNumbers.end()) return std::max(1, static_cast<int>(found - kNumbers.begin()));
  if (text == "couple") return 2;
  if (text == "few") return 3;
  const auto value = text.size() <= 3 ? number(text) : std::nullopt;
  return value && *value > 0 ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

// A question that names hours means today.
const TimeUnit* unit_of(std::string_view text) {
  const TimeUnit* unit = find_time_unit(text, false);
  return unit != nullptr && unit->length >= days{1} ? unit : nullptr;
}

days days_in(const TimeUnit& unit) {
  return std::chrono::duration_cast<days>(unit.length);
}

bool is_also_a_word(std::string_view text) {
  return text == "may" || text == "march" || text == "mar";
}

struct Days {
  sys_days first;
  sys_days last;
};

Days month_around(std::chrono::year_month which) {
  return {sys_days{which / 1}, sys_days{which / std::chrono::last}};
}

// The week (from Monday), month or year that `when` lies in.
Days period_around(sys_days when, const TimeUnit& unit) {
  const year_month_day date{when};
  if (unit.name == "week") {
    const sys_days monday = when - (std::chrono::weekday{when} - std::chrono::Monday);
    return {monday, monday + days{6}};
  }
  if (unit.name == "month") return month_around(date.year() / date.month());
  if (unit.name == "year") return {sys_days{date.year() / 1 / 1}, sys_days{date.year() / 12 / 31}};
  return {when, when};
}

// The same day in another year; the 29th of February of most years is their 28th.
sys_days in_year(sys_days when, year which) {
  const year_month_day date{when};
  const year_month_day same{which, date.month(), date.day()};
  return same.ok() ? sys_days{same} : sys_days{which / date.month() / std::chrono::last};
}

std::int64_t days_between(sys_days when, sys_days first, sys_days last) {
  if (when < first) return (first - when).count();
  return when > last ? (when - last).count() : 0;
}

class Finder {
 public:
  Finder(const std::vector<DateWord>& words, sys_days today) : words_(words), today_(today) {}

  std::optional<NamedDate> find() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      take_numbers(i);
      take_month(i);
      take_day_by_name(i);
      take_weekday(i);
      take_period(i);
      take_ago(i);
    }
    return best_;
  }

 private:
  [[nodiscard]] std::string_view word(std::size_t at) const {
    return at < words_.size() ? std::string_view(words_[at].text) : std::string_view{};
  }
  [[nodiscard]] bool is_announced(std::size_t at) const {
    return at > 0 && std::ranges::find(kBefore, word(at - 1)) != kBefore.end();
  }

  // 2026-03-04, 2026/03/04
  void take_numbers(std::size_t at) {
    if (at + 2 >= words_.size()) return;
    const char between = words_[at + 1].before;
    if ((between != '-' && between != '/') || words_[at + 2].before != between) return;
    const auto which = year_of(word(at));
    const auto months = number(word(at + 1));
    const auto when = day_of(word(at + 2));
    if (!which || !months || *months < 1 || *months > 12 || !when) return;
    const year_month_day date{*which, month{*months}, *when};
    if (date.ok()) take({date, date}, at, 3, is_announced(at));
  }

  void take_month(std::size_t at) {
    const auto which = month_of(word(at));
    if (!which) return;
    std::size_t first = at;  // word of the date
    std::size_t end = at + 1;
    auto when = day_of(word(end));  // June 3
    if (when) {
      ++end;
    } else if (at > 0) {  // 3 June, 3rd of June
      first = word(at - 1) == "of" && at > 1 ? at - 2 : at - 1;
      when = day_of(word(first));
      if (!when) first = at;
    }
    const auto in = year_of(word(end));
    if (in) ++end;
    const bool announced = is_announced(first);
    const bool full_name = word(at).size() > kShortMonth || word(at) == "may";
    if (!when && !in && (!announced || !full_name)) return;
    if (!in && is_also_a_word(word(at)) && !announced) return;
    const auto around = in.value_or(kAnyYear) / *which;
    Days all = month_around(around);
    if (when) {
      const year_month_day date = around / *when;
      if (!date.ok()) return;
      all = {date, date};
    }
    take(all, first, end - first, true, !in);
  }

  void take_day_by_name(std::size_t at) {
    const std::string_view what = word(at);
    if (what == "today") take({today_, today_}, at, 1);
    if (what == "yesterday") take({today_ - days{1}, today_ - days{1}}, at, 1);
    if (what == "this" && (word(at + 1) == "morning" || word(at + 1) == "afternoon")) {
      take({today_, today_}, at, 2);
    }
    if (what == "last" && word(at + 1) == "night") take({today_ - days{1}, today_}, at, 2);
  }

  // on Monday, last Friday: the last one there was.
  void take_weekday(std::size_t at) {
    const auto found = std::ranges::find(kWeekdays, word(at));
    if (found == kWeekdays.end()) return;
    if (!is_announced(at) && (at == 0 || word(at - 1) != "this")) return;
    const std::chrono::weekday which{static_cast<unsigned>(found - kWeekdays.begin())};
    days ago = std::chrono::weekday{today_} - which;
    if (ago.count() == 0 && word(at - 1) == "last") ago = days{7};
    const std::size_t first = word(at - 1) == "last" || word(at - 1) == "this" ? at - 1 : at;
    take({today_ - ago, today_ - ago}, first, at + 1 - first);
  }

  // this week, last month; the past week, the last three days
  void take_period(std::size_t at) {
    const std::string_view which = word(at);
    if (which != "this" && which != "last" && which != "past" && which != "previous") return;
    std::size_t next = at + 1;
    const auto count = count_of(word(next));
    if (count) ++next;
    const TimeUnit* unit = unit_of(word(next));
    if (unit == nullptr) return;
    const std::size_t size = next + 1 - at;
    if (count || which == "past") {
      if (which != "this") take({today_ - days_in(*unit) * count.value_or(1), today_}, at, size);
      return;
    }
    if (days_in(*unit) == days{1}) return;  // "this day", "last day" of something
    const Days now = period_around(today_, *unit);
    take(which == "this" ? now : period_around(now.first - days{1}, *unit), at, size);
  }

  // three days ago, a couple of weeks ago
  void take_ago(std::size_t at) {
    const auto count = count_of(word(at));
    if (!count) return;
    const std::size_t next = word(at + 1) == "of" ? at + 2 : at + 1;
    const TimeUnit* unit = unit_of(word(next));
    if (unit == nullptr || word(next + 1) != "ago") return;
    const sys_days about = today_ - days_in(*unit) * *count;
    take({about - unit->slack, about + unit->slack}, at, next + 2 - at);
  }

  void take(Days all, std::size_t word_at, std::size_t words, bool said = true,
            bool every_year = false) {
    NamedDate date{
        all.first, all.last, every_year, words_[word_at].begin, words_[word_at + words - 1].end,
        said};
    if (word_at > 0 && word(word_at - 1) == "since") open_end(date);
    if (!best_ || vagueness(date) < vagueness(*best_)) best_ = date;
  }

  // since June, since last week
  void open_end(NamedDate& date) const {
    if (date.every_year) {
      const year now = year_month_day{today_}.year();
      const sys_days this_year = in_year(date.first, now);
      date.first =
          this_year <= today_ ? this_year : in_year(date.first, now - std::chrono::years{1});
      date.every_year = false;
      date.last = date.first;
    }
    date.last = std::max(date.last, today_);
  }

  static std::int64_t vagueness(const NamedDate& date) {
    return ((date.last - date.first).count() + 1) * (date.every_year ? kYearsOfHistory : 1);
  }

  const std::vector<DateWord>& words_;
  sys_days today_;
  std::optional<NamedDate> best_;
};

}  // namespace

std::int64_t NamedDate::days_from(sys_days when) const {
  if (!every_year) return days_between(when, first, last);
  const year own = year_month_day{when}.year();
  std::int64_t least = INT64_MAX;
  for (const int away : {-1, 0, 1}) {
    const year which = own + std::chrono::years{away};
    least = std::min(least, days_between(when, in_year(first, which), in_year(last, which)));
  }
  return least;
}

std::optional<NamedDate> find_named_date(std::string_view question, sys_days today) {
  const std::vector<DateWord> words = words_of(question);
  return Finder(words, today).find();
}

}  // namespace yore::text
