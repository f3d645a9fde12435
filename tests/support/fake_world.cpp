#include "support/fake_world.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/files/file.hpp"

namespace yore::fake {

namespace fs = std::filesystem;

namespace {

// 2026-03-01T12:00:00Z
constexpr Time kNow = from_ms(1'772'366'400'000);

void write_stream(const std::string& path, std::string_view bytes, std::ios::openmode mode) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream out(path, std::ios::binary | mode);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  ASSERT_TRUE(out.flush().good()) << path;
}

}  // namespace

FakeWorld::FakeWorld(TempDir::Size size) : home_(size) {
  env_["HOME"] = home_.path();
}

std::string FakeWorld::in_home(std::string_view name) const {
  return path_join(home(), name);
}

std::string FakeWorld::session_path(std::string_view directory, std::string_view session) const {
  const std::string folder = path_join(in_home(".claude/projects"), directory);
  return path_join(folder, std::string(session) + ".jsonl");
}

std::string FakeWorld::data_dir() const {
  return settings().data_dir;
}

void FakeWorld::set_config(std::string_view toml) {
  write(settings().config_path, toml);
}

std::string FakeWorld::write(const std::string& path, std::string_view bytes) {
  const bool is_new = !fs::exists(path);
  write_stream(path, bytes, std::ios::trunc);
  tick(path);
  if (is_new) tick_folders(path);
  return path;
}

void FakeWorld::append(const std::string& path, std::string_view bytes) {
  const bool is_new = !fs::exists(path);
  write_stream(path, bytes, std::ios::app);
  tick(path);
  if (is_new) tick_folders(path);
}

void FakeWorld::truncate(const std::string& path, std::uint64_t size) {
  fs::resize_file(path, size);
  tick(path);
}

void FakeWorld::rename(const std::string& from, const std::string& to) {
  fs::create_directories(fs::path(to).parent_path());
  fs::rename(from, to);
  tick_folders(from);
  tick_folders(to);
}

void FakeWorld::copy(const std::string& from, const std::string& to) {
  fs::create_directories(fs::path(to).parent_path());
  fs::copy_file(from, to, fs::copy_options::overwrite_existing);
  tick(to);
  tick_folders(to);
}

void FakeWorld::remove(const std::string& path) {
  fs::remove_all(path);
  tick_folders(path);
}

void FakeWorld::set_time(const std::string& path, Time time) {
  const std::int64_t ms = to_ms(time);
  const timespec stamp{ms / 1000, (ms % 1000) * 1'000'000};
  const timespec times[2] = {stamp, stamp};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0) << path;
}

void FakeWorld::tick(const std::string& path) {
  set_time(path, kNow - std::chrono::hours{24} + std::chrono::milliseconds{++ticks_});
}

void FakeWorld::tick_folders(const std::string& path) {
  for (fs::path folder = fs::path(path).parent_path(); folder.string().size() > home().size();
       folder = folder.parent_path()) {
    if (fs::exists(folder)) tick(folder.string());
  }
}

std::string FakeWorld::mount_line(std::string_view point, std::string_view type) {
  return "36 35 98:0 / " + std::string(point) + " rw,noatime shared:1 - " + std::string(type) +
         " source rw\n";
}

config::World FakeWorld::world() const {
  config::World world;
  world.env = [env = env_](std::string_view name) -> std::optional<std::string> {
    const auto found = env.find(name);
    if (found == env.end() || found->second.empty()) return std::nullopt;
    return found->second;
  };
  world.now = kNow;
  world.mounts = [mounts = mounts_] { return mounts; };
  world.drives = drives_;
  return world;
}

config::Settings FakeWorld::settings() const {
  auto settings = config::load_settings(world());
  EXPECT_TRUE(settings.ok()) << settings.error().message;
  return settings.ok() ? *settings : config::Settings{};
}

Result<ingest::IndexReport> FakeWorld::try_index(const ingest::IndexOptions& options) const {
  const std::atomic<bool> cancel{false};
  return ingest::run_index(world(), settings(), options, nullptr, cancel);
}

ingest::IndexReport FakeWorld::index(const ingest::IndexOptions& options) const {
  auto report = try_index(options);
  EXPECT_TRUE(report.ok()) << report.error().message;
  return report.ok() ? std::move(*report) : ingest::IndexReport{};
}

store::Store FakeWorld::store() const {
  auto store = store::Store::open_existing(data_dir());
  if (!store) throw std::runtime_error(store.error().message);
  return std::move(*store);
}

search::Reader FakeWorld::reader(const config::Scope& scope) const {
  auto reader = search::Reader::open(world(), settings(), scope);
  if (!reader) throw std::runtime_error(reader.error().message);
  return std::move(*reader);
}

store::SessionRow FakeWorld::session(std::string_view uid) const {
  auto row = store().session_by_uid(uid);
  EXPECT_TRUE(row.ok() && row->has_value()) << uid;
  return row.ok() && row->has_value() ? **row : store::SessionRow{};
}

}  // namespace yore::fake
