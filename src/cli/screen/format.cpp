#include "cli/screen/format.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <ctime>

#include "text/display.hpp"

namespace yore::cli {

std::string count(std::uint64_t number) {
  return text::with_commas(number);
}

std::string plural(std::uint64_t number, std::string_view noun) {
  std::string text = count(number) + " ";
  text += noun;
  if (number != 1) text += "s";
  return text;
}

std::string size(std::uint64_t bytes) {
  constexpr std::array kUnits = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 1000) return std::to_string(bytes) + " B";
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  // 999.95 would be printed as "1000.0".
  while (value >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string rate(std::uint64_t bytes, double seconds) {
  if (!(seconds > 0) || bytes == 0) return "";
  const double per_second = static_cast<double>(bytes) / seconds;
  if (!(per_second < 1e18)) return "";
  return size(static_cast<std::uint64_t>(per_second)) + "/s";
}

std::string duration(double seconds) {
  if (!(seconds >= 0)) return "";
  if (seconds < 0.0095) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 0.95) return fmt::format("{:.2f} s", seconds);
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  if (seconds > 1e9) return "very long";
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string short_age(Time then, Time now) {
  if (then == kNoTime) return "";
  const std::int64_t minutes = (to_ms(now) - to_ms(then)) / 60'000;
  if (minutes < 1) return "now";
  if (minutes < 60) return fmt::format("{}min", minutes);
  const std::int64_t hours = minutes / 60;
  if (hours < 24) return fmt::format("{}h", hours);
  const std::int64_t days = hours / 24;
  if (days < 14) return fmt::format("{}d", days);
  if (days < 60) return fmt::format("{}w", days / 7);
  if (days < 730) return fmt::format("{}mo", days / 30);
  return fmt::format("{}y", days / 365);
}

std::string shown_path(std::string_view path, std::string_view home) {
  if (home.size() > 1 && path.starts_with(home)) {
    const std::string_view rest = path.substr(home.size());
    if (rest.empty() || rest.front() == '/') return text::one_line(fmt::format("~{}", rest));
  }
  return text::one_line(path);
}

}  // namespace yore::cli
