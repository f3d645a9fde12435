#include "place.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/files/file.hpp"
#include "ingest/indexer.hpp"
#include "service/freshness.hpp"
#include "transcript/agents/claude_code/paths.hpp"

namespace yore::bench {

Place::Place(const std::string& keep) : stays_(!keep.empty()) {
  static std::atomic<int> count{0};
  base_ = stays_ ? absolute_path(keep) : fmt::format("/tmp/yore-bench-{}-{}", ::getpid(), ++count);
  must(make_directories(projects()));
  must(make_directories(base_ + "/home"));
}

Place::~Place() {
  if (!stays_) remove_tree(base_);
}

std::string Place::session_path(std::string_view cwd, std::string_view session) const {
  return fmt::format("{}/{}/{}.jsonl", projects(), transcript::claude_code::directory_name(cwd),
                     session);
}

config::World Place::world(Time now) const {
  config::World world;
  world.now = now;
  world.env = [base = base_](std::string_view name) -> std::optional<std::string> {
    if (name == "HOME") return base + "/home";
    if (name == "CLAUDE_CONFIG_DIR") return base + "/claude";
    if (name == "YORE_DATA_DIR") return base + "/index";
    return std::nullopt;
  };
  return world;
}

config::Settings Place::settings() const {
  config::Settings settings;
  settings.data_dir = data_dir();
  return settings;
}

std::vector<std::string> Place::environment() const {
  return {"HOME=" + base_ + "/home", "CLAUDE_CONFIG_DIR=" + base_ + "/claude",
          "YORE_DATA_DIR=" + data_dir(), "PATH=/usr/bin:/bin"};
}

void remove_tree(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  if (error) fmt::print(stderr, "cannot remove {}: {}\n", path, error.message());
}

std::uint64_t tree_bytes(const std::string& path) {
  std::error_code error;
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path, error)) {
    if (entry.is_regular_file(error)) bytes += entry.file_size(error);
  }
  return bytes;
}

void give_up(const Error& error) {
  fmt::print(stderr, "{}\n", error.message);
  std::exit(1);
}

std::uint64_t read_transcripts(const Place& place, Time now) {
  const std::atomic<bool> cancel{false};
  ingest::IndexOptions options;
  options.keywords = false;
  return must(ingest::run_index(place.world(now), place.settings(), options, {}, cancel))
      .sessions_known;
}

void update_index(const Place& place, Time now) {
  const std::atomic<bool> cancel{false};
  service::FreshnessOptions options;
  options.unlimited = true;
  const auto fresh =
      must(service::bring_up_to_date(place.world(now), place.settings(), {}, options, {}, cancel));
  for (const std::string& note : fresh.notes) fmt::print(stderr, "{}\n", note);
}

}  // namespace yore::bench
