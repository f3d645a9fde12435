#include "base/trace.hpp"

#include <array>
#include <cstdio>

namespace yore {
namespace {

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 4> kUnits = {"B", "KB", "MB", "GB"};
  std::size_t unit = 0;
  while (bytes >= 10'000 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  return std::to_string(bytes) + ' ' + kUnits.at(unit);
}

}  // namespace

void Trace::tell(const std::string& text) {
  if (const TraceSink sink = sink_.load(std::memory_order_relaxed)) {
    sink("yore trace: " + text + "\n");
  }
}

void Trace::failure(std::string_view what, const Error& error) {
  if (is_on()) tell("failed  " + std::string(what) + ": " + error.message);
}

void TraceStep::begin(std::string_view what, std::string_view subject) {
  text_ = what;
  if (!subject.empty()) text_.append(" ").append(subject);
  started_ = std::chrono::steady_clock::now();
}

void TraceStep::end() const {
  const std::chrono::duration<double, std::milli> spent =
      std::chrono::steady_clock::now() - started_;
  std::array<char, 64> figures{};
  std::snprintf(figures.data(), figures.size(), "%8.1f ms %9s  ", spent.count(),
                bytes_ == 0 ? "" : size_text(bytes_).c_str());
  Trace::tell(figures.data() + text_);
}

}  // namespace yore
