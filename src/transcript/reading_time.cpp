#include "transcript/reading_time.hpp"

#include <cstdint>

#include "base/files/file.hpp"

namespace yore::transcript {
namespace {

using std::chrono::nanoseconds;

std::string seconds_of(nanoseconds time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) +
         " s of processor time";
}

}  // namespace

nanoseconds TimeBudget::for_bytes_of(const std::string& path) const {
  // A database's newest rows are in its log.
  const std::uint64_t bytes = disk_bytes(path) + disk_bytes(path + "-wal");
  return nanoseconds{time_.per_megabyte} * static_cast<std::int64_t>(bytes >> 20U);
}

nanoseconds TimeBudget::for_session(const SessionRef& ref) {
  const nanoseconds extra = for_bytes_of(ref.path);
  const nanoseconds own = time_.session + extra;
  if (ref.row.empty()) return own;
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = containers_.try_emplace(ref.path);
  Container& container = found->second;
  if (is_new) container.time = time_.container + extra;
  if (container.time > nanoseconds{0}) return own;
  ++container.left;
  return nanoseconds{0};
}

void TimeBudget::spend(const SessionRef& ref, nanoseconds used) {
  if (ref.row.empty()) return;
  const std::lock_guard lock(mutex_);
  containers_[ref.path].time -= used;
}

std::map<std::string, std::size_t> TimeBudget::left() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, std::size_t> left;
  for (const auto& [path, container] : containers_) {
    if (container.left > 0) left.emplace(path, container.left);
  }
  return left;
}

std::string too_long_to_list(const ReadingTime& time) {
  return "looking through it takes more than " + seconds_of(time.listing) + ", it is left out";
}

std::string too_long_to_read(nanoseconds used) {
  return "reading it takes too long for its size (" + seconds_of(used) +
         "), the rest of it is left out until it changes";
}

std::string left_for_another_run(std::size_t sessions) {
  return "reading it takes too long for its size, " + std::to_string(sessions) +
         " of its sessions are left for another run";
}

}  // namespace yore::transcript
