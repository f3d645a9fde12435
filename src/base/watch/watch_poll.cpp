#include <algorithm>
#include <ctime>
#include <utility>

#include "base/watch/watch_parts.hpp"

namespace yore {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

// Some file systems in user space never change the time of a directory.
constexpr seconds kTrustNamesFor{30};
// A round takes at most this part of the processor: the pause grows with the cost.
constexpr int kPauseToCost = 20;

nanoseconds processor_time() {
  struct timespec time {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return seconds{time.tv_sec} + nanoseconds{time.tv_nsec};
}

// False also when nobody can tell just now: a server that does not answer has deleted nothing.
bool is_gone(const ObservedPath& look) {
  if (look.there) return look.type != FileType::directory;
  const auto again = stat_file(look.path);
  return !again && again.error().code == Errc::not_found;
}

void report(FileType type, const std::string& path, Collected* changes) {
  if (changes == nullptr) return;
  (type == FileType::directory ? changes->directories : changes->files).insert(path);
}

std::string in_words(milliseconds time) {
  if (time < seconds{1}) return std::to_string(time.count()) + " ms";
  return std::to_string(std::chrono::round<seconds>(time).count()) + " s";
}

}  // namespace

Status Poller::add(const std::string& directory, const std::string& why) {
  if (is_gone(look_at(directory))) {
    remove(directory);
    return Error{Errc::not_found, "cannot watch " + directory + ": there is no such directory"};
  }
  if (directories_.empty()) {
    in_round_ = false;
    next_round_ = Clock::now() + pause_;
  }
  const auto [at, is_new] = directories_.try_emplace(directory);
  if (is_new) {
    compare(look_at(directory), at->second, nullptr);
  } else if (--whys_[at->second.why] == 0) {
    whys_.erase(at->second.why);
  }
  at->second.why = why;
  ++whys_[why];
  return {};
}

void Poller::remove(const std::string& directory) {
  const auto at = directories_.find(directory);
  if (at == directories_.end()) return;
  if (--whys_[at->second.why] == 0) whys_.erase(at->second.why);
  directories_.erase(at);
}

bool Poller::has(const std::string& directory) const {
  return directories_.contains(directory);
}

std::string Poller::reason() const {
  std::string text;
  for (const auto& [why, count] : whys_) {
    if (!text.empty()) text += ", ";
    text += why;
  }
  if (text.empty()) return text;
  text += directories_.size() == 1 ? "; 1 folder is"
                                   : "; " + std::to_string(directories_.size()) + " folders are";
  return text + " looked at every " + in_words(pause_);
}

Poller::Clock::time_point Poller::due() const {
  if (directories_.empty()) return Clock::time_point::max();
  return in_round_ ? Clock::time_point::min() : next_round_;
}

bool Poller::step(Collected& changes) {
  const nanoseconds before = processor_time();
  if (!in_round_) {
    last_looked_at_.clear();
    round_cost_ = {};
  }
  bool different = false;
  if (const auto next = directories_.upper_bound(last_looked_at_); next != directories_.end()) {
    last_looked_at_ = next->first;
    different = look(last_looked_at_, changes);
  }
  in_round_ = directories_.upper_bound(last_looked_at_) != directories_.end();
  round_cost_ += processor_time() - before;
  if (!in_round_) {
    pause_ = std::max(interval_, std::chrono::ceil<milliseconds>(kPauseToCost * round_cost_));
    next_round_ = Clock::now() + pause_;
  }
  return different;
}

bool Poller::look(const std::string& directory, Collected& changes) {
  const auto at = directories_.find(directory);
  if (at == directories_.end()) return false;
  const ObservedPath now = look_at(directory);
  if (!is_gone(now)) return compare(now, at->second, &changes);
  changes.directories.insert(directory);
  remove(directory);
  return true;
}

// Without `changes` it only takes in what is there.
bool Poller::compare(const ObservedPath& look, Directory& known, Collected* changes) {
  if (!look.there) return false;  // not to be reached now
  const std::string& path = look.path;
  const auto now = Clock::now();
  if (look.stamp != known.stamp) {
    known.stamp = look.stamp;
    known.stamp_seen = now;
    known.settled = false;
  }
  bool different = false;
  for (auto& [name, entry] : known.entries) {
    const std::string entry_path = path_join(path, name);
    const Entry before = entry;
    entry = look_at_entry(entry_path, before);
    if (entry == before) continue;
    if (before.there) report(before.type, entry_path, changes);
    if (entry.there) report(entry.type, entry_path, changes);
    different = true;
  }
  // The listing comes after the look at the directory: what it misses changes the stamp.
  if (known.settled && now - known.listed < kTrustNamesFor) return different;
  return update_names(path, known, now, changes) || different;
}

bool Poller::update_names(const std::string& path, Directory& known, Clock::time_point now,
                          Collected* changes) {
  const auto listed = list_directory(path);
  if (!listed) return false;  // unreadable for now: all of it is new when it can be read
  known.listed = now;
  known.settled = now - known.stamp_seen > coarsest_tick_;

  std::map<std::string, Entry> entries;
  bool different = false;
  for (const DirEntry& item : *listed) {
    if (auto same = known.entries.extract(item.name)) {
      entries.insert(entries.end(), std::move(same));
      continue;
    }
    const std::string entry_path = path_join(path, item.name);
    const Entry entry = look_at_entry(entry_path, {});
    report(entry.type, entry_path, changes);
    entries.emplace_hint(entries.end(), item.name, entry);
    different = true;
  }
  for (const auto& [name, entry] : known.entries) {
    report(entry.type, path_join(path, name), changes);
    different = true;
  }
  known.entries = std::move(entries);
  return different;
}

// One that is not there (deleted, or a link to nothing) stays what it was.
Poller::Entry Poller::look_at_entry(const std::string& path, const Entry& before) {
  const ObservedPath look = look_at(path);
  if (!look.there) return {before.type, false, {}};
  if (look.type == FileType::directory) return {look.type, true, {0, 0, look.stamp.inode}};
  return {look.type, true, look.stamp};
}

}  // namespace yore
