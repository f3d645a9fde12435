#include "service/stats_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "service/prices.hpp"
#include "text/utf8.hpp"

namespace yore::service {
namespace {

using std::chrono::sys_days;

constexpr int kWeeks = 53;
constexpr int kCell = 13;  // with its gap
constexpr int kLeft = 44;
constexpr int kPictureWidth = kLeft + kWeeks * kCell + 16;
constexpr std::size_t kBars = 8;
constexpr std::size_t kTableRows = 20;
constexpr std::array<std::string_view, 7> kWeekdays = {"Mon", "Tue", "Wed", "Thu",
                                                       "Fri", "Sat", "Sun"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

constexpr std::string_view kColours = R"(
svg{--ink:#24292f;--dim:#57606a;--s0:#ebedf0;--s1:#b6d8c5;--s2:#6fb695;--s3:#2f8f66;--s4:#0f5c3c;
--paper:#fff;background:var(--paper)}
@media(prefers-color-scheme:dark){svg{--ink:#e6edf3;--dim:#9198a1;--s0:#21262d;--s1:#14432d;
--s2:#1f6e49;--s3:#35a06d;--s4:#7fe0b2;--paper:#0d1117}}
text{font:12px system-ui,sans-serif;fill:var(--ink)}.d{fill:var(--dim)}.h{font-weight:600;font-size:14px}
.s0{fill:var(--s0)}.s1{fill:var(--s1)}.s2{fill:var(--s2)}.s3{fill:var(--s3)}.s4{fill:var(--s4)}
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text::valid_utf8(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (static_cast<unsigned char>(c) >= 0x20) {  // XML knows no control characters
      out += c;
    }
  }
  return out;
}

std::string named(std::string_view name) {
  constexpr std::size_t kShown = 28;
  if (name.empty()) return "(not known)";
  const std::string_view shown = text::first_chars(name, kShown);
  return escaped(shown) + (shown.size() < name.size() ? "…" : "");
}

// Pieces of a picture, one below the other.
class Picture {
 public:
  void heading(std::string_view text) {
    y_ += 30;
    out_ += fmt::format("<text class=\"h\" x=\"8\" y=\"{}\">{}</text>\n", y_, escaped(text));
    y_ += 12;
  }
  void label(int x, int y, std::string_view text, std::string_view anchor = "start") {
    out_ += fmt::format("<text class=\"d\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x, y,
                        anchor, text);
  }
  void cell(int x, int y, int shade, std::string_view title) {
    out_ += fmt::format(
        "<rect class=\"s{}\" x=\"{}\" y=\"{}\" width=\"11\" height=\"11\" rx=\"2\">"
        "<title>{}</title></rect>\n",
        shade, x, y, escaped(title));
  }
  void bar(int x, int y, int width, int height, std::string_view title) {
    out_ += fmt::format(
        "<rect class=\"s3\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"1\">"
        "<title>{}</title></rect>\n",
        x, y, width, height, escaped(title));
  }
  void text(int x, int y, std::string_view safe) {
    out_ += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", x, y, safe);
  }
  [[nodiscard]] int y() const { return y_; }
  void down(int by) { y_ += by; }
  [[nodiscard]] std::string finish() const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\" aria-label=\"Activity, as yore has seen it\">\n"
        "<style>{2}</style>\n{3}</svg>\n",
        kPictureWidth, y_ + 16, kColours, out_);
  }

 private:
  std::string out_;
  int y_ = 0;
};

void draw_year(Picture& picture, const YearOfDays& year) {
  picture.heading("Turns of the last year, by day");
  picture.down(14);
  int last_month = 0;
  for (std::size_t i = 0; i < year.turns.size(); ++i) {
    const sys_days day = year.first + std::chrono::days{i};
    const int x = kLeft + static_cast<int>(i / 7) * kCell;
    const int y = picture.y() + static_cast<int>(i % 7) * kCell;
    picture.cell(x, y, shade_of(year.turns[i], year.most),
                 day_name(day) + ": " + short_count(year.turns[i]));
    const auto month =
        static_cast<int>(static_cast<unsigned>(std::chrono::year_month_day(day).month()));
    const std::chrono::year_month_day later(day + std::chrono::days{14});
    if (i % 7 == 0 && month != last_month) {
      // No room for the name of a month of which only the end is there.
      if (static_cast<int>(static_cast<unsigned>(later.month())) == month) {
        picture.label(x, picture.y() - 4, kMonths.at(static_cast<std::size_t>(month) - 1));
      }
      last_month = month;
    }
  }
  for (const int row : {0, 2, 4}) {
    picture.label(kLeft - 6, picture.y() + row * kCell + 10,
                  kWeekdays.at(static_cast<std::size_t>(row)), "end");
  }
  picture.down(7 * kCell);
}

void draw_weeks(Picture& picture, const YearOfDays& year) {
  constexpr int kHeight = 60;
  picture.heading("By week");
  std::vector<std::uint64_t> weeks(kWeeks);
  for (std::size_t i = 0; i < year.turns.size(); ++i) weeks[i / 7] += year.turns[i];
  const std::uint64_t most = std::max<std::uint64_t>(1, *std::ranges::max_element(weeks));
  for (std::size_t i = 0; i < weeks.size(); ++i) {
    const int height = static_cast<int>((weeks[i] * kHeight + most - 1) / most);
    if (height == 0) continue;
    picture.bar(kLeft + static_cast<int>(i) * kCell, picture.y() + kHeight - height, 11, height,
                day_name(year.first + std::chrono::days{7 * i}) + ": " + short_count(weeks[i]));
  }
  picture.label(kLeft - 6, picture.y() + 10, short_count(most), "end");
  picture.down(kHeight);
}

void draw_hours(Picture& picture, const Stats& stats) {
  constexpr int kWide = 2 * kCell;
  picture.heading("By hour of the week");
  std::uint64_t most = 0;
  for (const auto& day : stats.hours) most = std::max(most, *std::ranges::max_element(day));
  for (std::size_t day = 0; day < 7; ++day) {
    const int y = picture.y() + static_cast<int>(day) * kCell;
    picture.label(kLeft - 6, y + 10, kWeekdays.at(day), "end");
    for (std::size_t hour = 0; hour < 24; ++hour) {
      const std::uint64_t count = stats.hours.at(day).at(hour);
      picture.cell(kLeft + static_cast<int>(hour) * kWide, y, shade_of(count, most),
                   fmt::format("{} {:02}:00: {}", kWeekdays.at(day), hour, short_count(count)));
    }
  }
  picture.down(7 * kCell + 12);
  for (const int hour : {0, 6, 12, 18, 23}) {
    picture.label(kLeft + hour * kWide, picture.y(), fmt::format("{}", hour));
  }
}

void draw_bars(Picture& picture, std::string_view heading, const std::vector<StatsRow>& rows) {
  if (rows.empty()) return;
  constexpr int kNames = 210;
  constexpr int kLongest = 300;
  picture.heading(heading);
  const std::uint64_t most = std::max<std::uint64_t>(1, rows.front().figures.turns);
  for (std::size_t i = 0; i < std::min(rows.size(), kBars); ++i) {
    const Figures& figures = rows[i].figures;
    const int y = picture.y() + static_cast<int>(i) * 20;
    const int width = static_cast<int>(std::max<std::uint64_t>(2, figures.turns * kLongest / most));
    picture.text(8, y + 11, named(rows[i].name));
    picture.bar(kNames, y, width, 13, rows[i].name);
    const std::string tokens =
        figures.counted == 0 ? "" : ", " + short_count(figures.all_tokens()) + " tokens";
    picture.label(kNames + width + 6, y + 11, short_count(figures.turns) + " turns" + tokens);
  }
  picture.down(static_cast<int>(std::min(rows.size(), kBars)) * 20);
}

std::string tokens_text(const Figures& figures) {
  return figures.counted == 0 ? "unknown" : short_count(figures.all_tokens());
}

std::string table_of(std::string_view heading, std::string_view column,
                     const std::vector<StatsRow>& rows) {
  if (rows.empty()) return {};
  std::string out = fmt::format(
      "<h2>{}</h2>\n<div "
      "class=\"wide\"><table><thead><tr><th>{}</th><th>Sessions</th><th>Turns</th><th>Prompts</th>"
      "<th>Tokens</th><th>Cost</th></tr></thead><tbody>\n",
      heading, column);
  for (std::size_t i = 0; i < std::min(rows.size(), kTableRows); ++i) {
    const Figures& figures = rows[i].figures;
    out +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                    rows[i].name.empty() ? "(not known)" : escaped(rows[i].name), figures.sessions,
                    figures.turns, figures.prompts, tokens_text(figures), cost_text(figures));
  }
  out += "</tbody></table></div>\n";
  if (rows.size() > kTableRows)
    out += fmt::format("<p>and {} more</p>\n", rows.size() - kTableRows);
  return out;
}

std::vector<StatsRow> named_rows(const std::vector<DayRow>& rows) {
  std::vector<StatsRow> out;
  for (const DayRow& row : rows) out.insert(out.begin(), {day_name(row.first), row.figures});
  return out;
}

std::string tools_table(const Stats& stats) {
  if (stats.tools.empty()) return {};
  std::string out =
      "<h2>Tools</h2>\n<div "
      "class=\"wide\"><table><thead><tr><th>Tool</th><th>Turns</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(stats.tools.size(), kTableRows); ++i) {
    out += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", escaped(stats.tools[i].name),
                       stats.tools[i].turns);
  }
  return out + "</tbody></table></div>\n";
}

constexpr std::string_view kPageStyle = R"(
:root{color-scheme:light dark;--ink:#24292f;--dim:#57606a;--line:#d0d7de;--paper:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--dim:#9198a1;--line:#30363d;--paper:#0d1117}}
body{margin:0 auto;max-width:60rem;padding:1.5rem;font:16px/1.5 system-ui,sans-serif;
color:var(--ink);background:var(--paper)}
svg{max-width:100%;height:auto}h2{margin:2rem 0 .5rem;font-size:1.1rem}
dl{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;margin:1rem 0}dt{color:var(--dim)}
dd{margin:0;font-size:1.5rem;font-weight:600}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:right;
font-variant-numeric:tabular-nums}th:first-child,td:first-child{text-align:left;min-width:7rem;
overflow-wrap:anywhere}
th{color:var(--dim);font-weight:500}td{white-space:nowrap}td:first-child{white-space:normal}p{color:var(--dim)}.wide{overflow-x:auto}
)";

}  // namespace

YearOfDays year_of_days(const Stats& stats, sys_days today) {
  YearOfDays year;
  const sys_days monday = today - (std::chrono::weekday(today) - std::chrono::Monday);
  year.first = monday - std::chrono::days{7 * (kWeeks - 1)};
  year.turns.resize(static_cast<std::size_t>((today - year.first).count()) + 1);
  for (const DayRow& row : stats.days) {
    const auto at = (row.first - year.first).count();
    if (at < 0 || at >= static_cast<std::int64_t>(year.turns.size())) continue;
    year.turns[static_cast<std::size_t>(at)] = row.figures.turns;
    year.most = std::max(year.most, row.figures.turns);
  }
  return year;
}

int shade_of(std::uint64_t count, std::uint64_t most) {
  if (count == 0 || most == 0) return 0;
  return static_cast<int>(std::min<std::uint64_t>(4, 1 + (count - 1) * 4 / most));
}

std::string short_count(std::uint64_t number) {
  constexpr std::pair<double, std::string_view> kUnits[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  if (number < 1000) return std::to_string(number);
  const auto value = static_cast<double>(number);
  for (const auto& [size, name] : kUnits) {
    // What would be rounded up to a thousand of one unit is one of the next.
    if (value >= size * 0.99995) return fmt::format("{:.1f}{}", value / size, name);
  }
  return std::to_string(number);
}

std::string cost_text(const Figures& figures) {
  if (figures.priced == 0) return figures.turns == 0 ? "" : "unknown";
  const std::string cost = fmt::format("${:.2f}", figures.cost);
  return figures.priced < figures.turns ? cost + " + unknown" : cost;
}

std::string stats_svg(const Stats& stats, sys_days today) {
  Picture picture;
  const YearOfDays year = year_of_days(stats, today);
  draw_year(picture, year);
  draw_weeks(picture, year);
  draw_hours(picture, stats);
  draw_bars(picture, "Agents", stats.agents);
  draw_bars(picture, "Projects", stats.projects);
  draw_bars(picture, "Models", stats.models);
  return picture.finish();
}

std::string stats_html(const Stats& stats, sys_days today) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<title>yore stats</title>\n<style>{}</style></head>\n<body>\n"
      "<h1>What was said, as of {}</h1>\n<dl>",
      kPageStyle, day_name(today));
  const std::pair<std::string_view, std::string> tiles[] = {
      {"Sessions", short_count(stats.all.sessions)},
      {"Turns", short_count(stats.all.turns)},
      {"Prompts typed", short_count(stats.all.prompts)},
      {"Tokens", tokens_text(stats.all)},
      {"Cost", cost_text(stats.all)}};
  for (const auto& [name, value] : tiles) {
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, value);
  }
  out += fmt::format(
      "</dl>\n<p>Tokens are known of {} of {} turns, cost of {}, at list prices up to {} or those "
      "of "
      "the settings. Copies of a turn count once.</p>\n<div class=\"wide\">",
      stats.all.counted, stats.all.turns, stats.all.priced, kPricesAsOf);
  out += stats_svg(stats, today) + "</div>\n";
  out += table_of("Projects", "Project", stats.projects) +
         table_of("Models", "Model", stats.models) + table_of("Agents", "Agent", stats.agents) +
         tools_table(stats) + table_of("Months", "From", named_rows(stats.months)) +
         table_of("Weeks", "From", named_rows(stats.weeks));
  return out + "</body></html>\n";
}

}  // namespace yore::service
