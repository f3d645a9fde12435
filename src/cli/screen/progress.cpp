#include "cli/screen/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/screen/format.hpp"
#include "text/utf8.hpp"

namespace yore::cli {
namespace {

constexpr std::chrono::milliseconds kRedraw{100};
constexpr std::chrono::milliseconds kQuietPipe{1000};  // off a terminal short runs say nothing
constexpr std::size_t kNarrow = 40;
constexpr std::size_t kLeastBar = 8;
constexpr std::size_t kMostBar = 30;
constexpr double kSettled = 0.5;  // seconds until speed and time left mean something

std::string bar(unsigned hundredths, std::size_t width) {
  const std::size_t filled = width * hundredths / 100;
  std::string text;
  for (std::size_t i = 0; i < width; ++i) text += i < filled ? "█" : "░";
  return text;
}

std::string time_left(std::uint64_t done, std::uint64_t total, double seconds) {
  if (seconds < kSettled || done == 0) return "";
  const std::uint64_t rest = total - std::min(done, total);
  const double left = seconds * static_cast<double>(rest) / static_cast<double>(done);
  return duration(std::max(1.0, left)) + " left";
}

// Everything is read; what is new goes into the keyword index, or gets its vector.
bool is_inverting(const ingest::IndexProgress& progress) {
  return progress.passages_total > 0;
}

}  // namespace

unsigned percent(const ingest::IndexProgress& progress) {
  if (is_inverting(progress)) {
    const std::uint64_t done = std::min(progress.passages_done, progress.passages_total);
    return static_cast<unsigned>(done * 100 / progress.passages_total);
  }
  const bool by_bytes = progress.bytes_total > 0;
  const std::uint64_t total = by_bytes ? progress.bytes_total : progress.sessions_total;
  const std::uint64_t done = by_bytes ? progress.bytes_done : progress.sessions_done;
  if (total == 0) return 0;
  if (done >= total) return 100;
  return static_cast<unsigned>(static_cast<double>(done) / static_cast<double>(total) * 100);
}

std::string progress_line(const ingest::IndexProgress& progress, double seconds,
                          std::size_t columns) {
  const unsigned hundredths = percent(progress);
  const std::string head = fmt::format("{:3}%", hundredths);
  const bool inverting = is_inverting(progress);
  const std::string counts =
      inverting
          ? fmt::format("{}/{}", count(progress.passages_done), count(progress.passages_total))
          : fmt::format("{}/{}", count(progress.sessions_done), count(progress.sessions_total));
  if (columns < kNarrow) {
    const std::string line = head + " " + counts;
    return std::string(text::prefix_columns(line, columns));
  }
  const bool settled = seconds >= kSettled && !inverting;
  const std::string speed = settled ? rate(progress.bytes_done, seconds) : "";
  std::string left;
  if (!inverting) left = time_left(progress.bytes_done, progress.bytes_total, seconds);
  if (progress.embedding)
    left = time_left(progress.passages_done, progress.passages_total, seconds);
  const std::string_view what = progress.embedding ? " passages embedded" : " passages indexed";
  std::string tail = "  " + counts + std::string(inverting ? what : " sessions");
  for (const std::string& part : {speed, left}) {
    if (part.empty()) continue;
    const std::size_t width = text::display_width(head + tail) + part.size() + 3;
    if (width <= columns) tail += " · " + part;
  }
  const std::size_t taken = text::display_width(head + tail) + 1;
  if (taken + kLeastBar > columns) return std::string(text::prefix_columns(head + tail, columns));
  return head + " " + bar(hundredths, std::min(columns - taken, kMostBar)) + tail;
}

ProgressMeter::ProgressMeter(Write write, Screen screen, std::chrono::milliseconds delay)
    : write_(std::move(write)), screen_(screen), delay_(delay), start_(Clock::now()) {
  if (!screen_.is_terminal) delay_ = std::max(delay_, kQuietPipe);
}

void ProgressMeter::update(const ingest::IndexProgress& progress, Clock::time_point now) {
  const bool nothing_to_do = progress.sessions_total == 0 && !is_inverting(progress);
  if (finished_ || nothing_to_do || now - start_ < delay_) return;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  if (screen_.is_terminal) {
    if (drawn_ && now - last_draw_ < kRedraw) return;
    last_draw_ = now;
    draw(progress, seconds);
    return;
  }
  const unsigned now_percent = percent(progress);
  const bool inverting = is_inverting(progress);
  if (inverting && !was_inverting_) last_percent_ = 0;
  was_inverting_ = inverting;
  if (now_percent < last_percent_ + 10) return;
  last_percent_ = now_percent / 10 * 10;
  if (inverting) {
    write_(fmt::format("yore: {}% {}, {} of {} passages\n", now_percent,
                       progress.embedding ? "embedded" : "indexed", count(progress.passages_done),
                       count(progress.passages_total)));
    return;
  }
  write_(fmt::format("yore: {}% read, {} of {} sessions\n", now_percent,
                     count(progress.sessions_done), count(progress.sessions_total)));
}

void ProgressMeter::draw(const ingest::IndexProgress& progress, double seconds) {
  // One column stays free: writing the last one makes some terminals wrap.
  const std::size_t columns = screen_.columns > 1 ? screen_.columns - 1 : 1;
  write_(fmt::format("\r{}\x1b[K", progress_line(progress, seconds, columns)));
  drawn_ = true;
}

void ProgressMeter::finish() {
  if (drawn_ && !finished_) write_("\r\x1b[K");
  finished_ = true;
}

}  // namespace yore::cli
