#include <fmt/format.h>

#include <algorithm>

#include "measure.hpp"

namespace yore::generator {
namespace {

constexpr std::array<std::string_view, kShares> kShareNames = {
    "toolUseResult", "progress", "envelope", "tool_result",    "usage",     "signatures",
    "tool input",    "thinking", "images",   "assistant text", "user text", "other lines"};

struct Quantiles {
  double mean = 0;
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
};

Quantiles quantiles(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&values](double q) {
    const auto index = static_cast<std::size_t>(q * static_cast<double>(values.size()));
    return values[std::min(index, values.size() - 1)];
  };
  double sum = 0;
  for (const double value : values) sum += value;
  return {sum / static_cast<double>(values.size()), at(0.5), at(0.9), at(0.99)};
}

template <typename Items, typename Get>
std::string row(std::string_view name, const Items& items, double unit, Get get) {
  std::vector<double> values;
  for (const auto& item : items) values.push_back(static_cast<double>(get(item)) / unit);
  const Quantiles q = quantiles(std::move(values));
  return fmt::format("{:<26} mean {:8.1f}  p50 {:8.1f}  p90 {:8.1f}  p99 {:8.1f}\n", name, q.mean,
                     q.p50, q.p90, q.p99);
}

}  // namespace

std::string_view share_name(Share share) {
  return kShareNames[static_cast<std::size_t>(share)];
}

std::string format_measure(const Measure& m) {
  const std::uint64_t text = m.conversation_bytes + m.work_bytes;
  std::string out = fmt::format(
      "sessions {}  turns {}  lines {} ({} bad)  raw {:.1f} MB  sub-agents {} ({:.1f} MB)\n",
      m.sessions(), m.turns.size(), m.lines, m.bad_lines, static_cast<double>(m.raw_bytes) / 1e6,
      m.subagent_files, static_cast<double>(m.subagent_bytes) / 1e6);
  out += fmt::format("{:<26} {:.0f}\n", "turns per raw GB", m.per_gb(m.turns.size()));
  out += row("turns per session", m.turns_per_session, 1, [](std::uint32_t n) { return n; });
  out += row("raw KB per turn", m.turns, 1e3, [](const TurnMeasure& t) { return t.raw_bytes; });
  out += row("lines per turn", m.turns, 1, [](const TurnMeasure& t) { return t.lines; });
  out += row("text KB per turn", m.turns, 1e3, [](const TurnMeasure& t) { return t.text_bytes; });
  out +=
      row("text blocks per turn", m.turns, 1, [](const TurnMeasure& t) { return t.text_blocks; });
  for (std::size_t i = 0; i < kShares; ++i) {
    out +=
        fmt::format("share of {:<17} {:5.2f} %\n", kShareNames[i], m.share(static_cast<Share>(i)));
  }
  out += fmt::format("{:<26} {:.0f} MB ({:.0f} MB with 4 KB per tool result)\n", "text per raw GB",
                     m.per_gb(text) / 1e6, m.per_gb(m.capped_text_bytes) / 1e6);
  out += fmt::format(
      "{:<26} {:.1f} %\n", "tool and thinking text",
      text == 0 ? 0.0 : 100.0 * static_cast<double>(m.work_bytes) / static_cast<double>(text));
  out += fmt::format("{:<26} {} in {} tokens (Heaps beta {:.2f})\n", "terms", m.terms, m.tokens,
                     m.heaps_beta);
  out += fmt::format("{:<26} {} of {}; overlapping {}\n", "clock runs backwards",
                     m.backwards_sessions, m.sessions(), m.overlapping_sessions);
  return out;
}

}  // namespace yore::generator
