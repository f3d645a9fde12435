// reading_time.hpp — how much processor time transcripts may take to be read.
//
// What agents write is read at tens of megabytes a second; a source that takes hundred times as
// long is broken or was made to take long. It is given up, in words, and everything else is read.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>

#include "transcript/adapter.hpp"

namespace yore::transcript {

struct ReadingTime {
  std::chrono::milliseconds listing{60'000};     // one source, to see what is there
  std::chrono::milliseconds session{20'000};     // one session, and
  std::chrono::milliseconds container{60'000};   // all sessions of one database together, and
  std::chrono::milliseconds per_megabyte{1000};  // to both, for each MB that the file has on disk
};

// Shares it out. Any thread may call it.
class TimeBudget {
 public:
  explicit TimeBudget(const ReadingTime& time) : time_(time) {}

  // For a reading of this session; 0: its database has had its time, the session is left for
  // another run.
  std::chrono::nanoseconds for_session(const SessionRef& ref);
  void spend(const SessionRef& ref, std::chrono::nanoseconds used);

  // Databases with sessions that were left, and how many.
  [[nodiscard]] std::map<std::string, std::size_t> left() const;

 private:
  struct Container {
    std::chrono::nanoseconds time{0};
    std::size_t left = 0;
  };
  [[nodiscard]] std::chrono::nanoseconds for_bytes_of(const std::string& path) const;

  const ReadingTime time_;
  mutable std::mutex mutex_;
  std::map<std::string, Container> containers_;  // by path
};

// Sentences for those that were given up. `used` is what it took until then.
std::string too_long_to_list(const ReadingTime& time);
std::string too_long_to_read(std::chrono::nanoseconds used);
std::string left_for_another_run(std::size_t sessions);

}  // namespace yore::transcript
