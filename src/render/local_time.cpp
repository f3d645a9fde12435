#include "render/local_time.hpp"

#include <array>
#include <ctime>

namespace yore::render {

std::string local_time(Time time) {
  if (time == kNoTime) return "";
  const auto seconds = static_cast<std::time_t>(
      std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count());
  std::tm fields{};
  if (::localtime_r(&seconds, &fields) == nullptr) return "";
  std::array<char, 64> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &fields);
  return {text.data(), size};
}

}  // namespace yore::render
