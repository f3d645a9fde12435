#include "base/time.hpp"

#include <cstddef>
#include <ctime>

#include "base/ascii.hpp"

namespace yore {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::minutes;

constexpr Time kFirstTime = std::chrono::sys_days{std::chrono::year{1970} / 1 / 1};
constexpr Time kEndTime = std::chrono::sys_days{std::chrono::year{10000} / 1 / 1};

using ascii::is_digit;

// Walks over the text from the left; a step that does not fit leaves the position alone.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return pos_ == text_.size(); }

  bool skip(char wanted) {
    if (at_end() || text_[pos_] != wanted) return false;
    ++pos_;
    return true;
  }

  bool skip_any_of(std::string_view wanted) {
    if (at_end() || wanted.find(text_[pos_]) == std::string_view::npos) return false;
    ++pos_;
    return true;
  }

  // Exactly `width` digits, or -1.
  int number(std::size_t width) {
    if (text_.size() - pos_ < width) return -1;
    int value = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const char c = text_[pos_ + i];
      if (!is_digit(c)) return -1;
      value = value * 10 + (c - '0');
    }
    pos_ += width;
    return value;
  }

  // The digits after the decimal point as milliseconds, finer ones cut off; -1 without a digit.
  int fraction_ms() {
    if (at_end() || !is_digit(text_[pos_])) return -1;
    int value = 0;
    int weight = 100;
    for (; !at_end() && is_digit(text_[pos_]); ++pos_) {
      value += (text_[pos_] - '0') * weight;
      weight /= 10;
    }
    return value;
  }

 private:
  std::string_view text_;
  std::size_t pos_ = 0;
};

std::optional<std::chrono::sys_days> parse_date(Cursor& cursor) {
  const int year = cursor.number(4);
  if (year < 1970 || !cursor.skip('-')) return std::nullopt;
  const int month = cursor.number(2);
  if (month < 0 || !cursor.skip('-')) return std::nullopt;
  const int day = cursor.number(2);
  if (day < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days{date};
}

// "08:19", "08:19:22", "08:19:22.658"
std::optional<milliseconds> parse_clock(Cursor& cursor) {
  const int hour = cursor.number(2);
  if (hour < 0 || hour > 23 || !cursor.skip(':')) return std::nullopt;
  const int minute = cursor.number(2);
  if (minute < 0 || minute > 59) return std::nullopt;
  int second = 0;
  int ms = 0;
  if (cursor.skip(':')) {
    second = cursor.number(2);
    if (second < 0 || second > 59) return std::nullopt;
    if (cursor.skip_any_of(".,")) ms = cursor.fraction_ms();
    if (ms < 0) return std::nullopt;
  }
  return milliseconds{((hour * 60 + minute) * 60 + second) * 1000 + ms};
}

// What local time is ahead of UTC: "Z", "+02:00", "-0800", nothing.
std::optional<minutes> parse_zone(Cursor& cursor) {
  if (cursor.at_end() || cursor.skip_any_of("Zz")) return minutes{0};
  const bool negative = cursor.skip('-');
  if (!negative && !cursor.skip('+')) return std::nullopt;
  const int hour = cursor.number(2);
  if (hour < 0 || hour > 23) return std::nullopt;
  cursor.skip(':');
  const int minute = cursor.number(2);
  if (minute < 0 || minute > 59) return std::nullopt;
  const minutes offset{hour * 60 + minute};
  return negative ? -offset : offset;
}

// Writes `value` with leading zeros so that its last digit is text[last].
void put_number(std::string& text, std::size_t last, std::size_t width, unsigned value) {
  for (std::size_t i = 0; i < width; ++i, value /= 10) {
    text[last - i] = static_cast<char>('0' + value % 10);
  }
}

std::string count_ago(std::uint64_t count, std::string_view unit) {
  std::string text = std::to_string(count);
  text += ' ';
  text += unit;
  text += count == 1 ? " ago" : "s ago";
  return text;
}

}  // namespace

std::optional<Time> parse_iso8601(std::string_view text) {
  Cursor cursor{text};
  const auto date = parse_date(cursor);
  if (!date) return std::nullopt;
  if (cursor.at_end()) return *date;
  if (!cursor.skip_any_of("Tt ")) return std::nullopt;
  const auto clock = parse_clock(cursor);
  if (!clock) return std::nullopt;
  const auto zone = parse_zone(cursor);
  if (!zone || !cursor.at_end()) return std::nullopt;
  const Time time = *date + *clock - *zone;
  if (time < kFirstTime || time >= kEndTime) return std::nullopt;  // the zone can push it out
  return time;
}

std::optional<Time> parse_local_iso8601(std::string_view text) {
  constexpr std::size_t kDateBytes = 10;
  const auto time = parse_iso8601(text);
  const std::size_t zone = text.find_first_of("Zz+-", kDateBytes);
  if (!time || zone != std::string_view::npos) return time;
  const auto whole = std::chrono::floor<std::chrono::seconds>(*time);
  const std::time_t shown = whole.time_since_epoch().count();
  std::tm fields{};
  if (::gmtime_r(&shown, &fields) == nullptr) return time;
  fields.tm_isdst = -1;
  const std::time_t meant = std::mktime(&fields);
  return meant <= 0 ? time : from_ms(meant * 1000 + (*time - whole).count());
}

std::string format_iso8601(Time time) {
  if (time <= kNoTime || time >= kEndTime) return {};
  const auto midnight = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date{midnight};
  const auto ms = static_cast<unsigned>((time - midnight).count());
  std::string text = "0000-00-00T00:00:00.000Z";
  put_number(text, 3, 4, static_cast<unsigned>(static_cast<int>(date.year())));
  put_number(text, 6, 2, static_cast<unsigned>(date.month()));
  put_number(text, 9, 2, static_cast<unsigned>(date.day()));
  put_number(text, 12, 2, ms / 3'600'000);
  put_number(text, 15, 2, ms / 60'000 % 60);
  put_number(text, 18, 2, ms / 1000 % 60);
  put_number(text, 22, 3, ms % 1000);
  return text;
}

std::string format_age(Time then, Time now) {
  if (then == kNoTime) return {};
  if (then >= now) return "just now";
  // Unsigned, because times out of transcripts may lie anywhere and their distance overflow.
  const std::uint64_t age_ms =
      static_cast<std::uint64_t>(to_ms(now)) - static_cast<std::uint64_t>(to_ms(then));
  const std::uint64_t minute_count = age_ms / 60'000;
  const std::uint64_t hour_count = minute_count / 60;
  const std::uint64_t day_count = hour_count / 24;
  if (minute_count == 0) return "just now";
  if (hour_count == 0) return count_ago(minute_count, "minute");
  if (day_count == 0) return count_ago(hour_count, "hour");
  if (day_count < 14) return count_ago(day_count, "day");
  if (day_count < 60) return count_ago(day_count / 7, "week");
  if (day_count < 365) return count_ago(day_count / 30, "month");
  return count_ago(day_count / 365, "year");
}

}  // namespace yore
