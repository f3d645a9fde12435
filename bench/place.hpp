// place.hpp — a machine for one benchmark: a home, transcripts and an index of its own.
//
//   <base>/claude/projects/…   transcripts, as Claude Code keeps them
//   <base>/index               yore's data directory
//   <base>/home                empty
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "config/settings.hpp"

namespace yore::bench {

class Place {
 public:
  // `keep` empty: a folder in /tmp that goes with the object. Else that folder, and it stays.
  explicit Place(const std::string& keep);
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place();

  [[nodiscard]] const std::string& base() const { return base_; }
  [[nodiscard]] std::string projects() const { return base_ + "/claude/projects"; }
  [[nodiscard]] std::string data_dir() const { return base_ + "/index"; }
  // Where Claude Code would keep this session of this working directory.
  [[nodiscard]] std::string session_path(std::string_view cwd, std::string_view session) const;

  [[nodiscard]] config::World world(Time now) const;
  [[nodiscard]] config::Settings settings() const;
  // NAME=value, for processes.
  [[nodiscard]] std::vector<std::string> environment() const;

 private:
  std::string base_;
  bool stays_;
};

void remove_tree(const std::string& path);
std::uint64_t tree_bytes(const std::string& path);

// A benchmark has nobody to report a failure to.
[[noreturn]] void give_up(const Error& error);
template <typename T>
T must(Result<T> result) {
  if (!result) give_up(result.error());
  return std::move(result).value();
}
inline void must(const Status& status) {
  if (!status) give_up(status.error());
}

// Reads what is new into the store; returns the number of sessions known. Then the keyword index,
// whatever it takes.
std::uint64_t read_transcripts(const Place& place, Time now);
void update_index(const Place& place, Time now);

}  // namespace yore::bench
