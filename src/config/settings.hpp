// settings.hpp — where things are and what the user wants: environment, config.toml, flags.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/files/file_system.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "config/roots.hpp"
#include "store/store.hpp"

namespace yore::config {

// Everything the engine takes from the world; made once in main(), by hand in tests.
struct World {
  GetEnv env;
  Time now = kNoTime;
  std::chrono::seconds local_offset{0};
  std::string program;                       // path of the executable; "" when it is not known
  std::function<std::string()> mounts = {};  // the disks, as /proc/self/mountinfo has them
  std::string drives;  // where Windows' disks are mounted ("/mnt"); "" when there is no Windows
  const FileSystem* files = &real_file_system();  // where state is written
};
World real_world();

// What is searchable by meaning; the table [embedding] of the settings.
struct EmbeddingSettings {
  bool enabled = true;
  bool full = false;        // every answer, not only conclusions
  std::uint32_t days = 90;  // how far back without being asked; 0: everything
};

// Where secrets are masked: in answers; there and in what is stored; nowhere.
enum class MaskMode : std::uint8_t { output, index, off };

// What a million tokens cost, in US dollars.
struct ModelPrice {
  std::string model;  // the beginning of its name, in small letters
  double input = 0;
  double output = 0;
  double cache_read = 0;
  double cache_write = 0;
  friend bool operator==(const ModelPrice&, const ModelPrice&) = default;
};

struct Settings {
  std::string data_dir;
  std::string config_path;           // whether or not it exists
  std::string agents_dir;            // of descriptions of one's own; likewise
  std::vector<std::string> sources;  // FORMAT:PATH
  std::vector<std::string> exclude;  // globs over paths and projects
  EmbeddingSettings embedding;
  // [privacy] keep = "all": what was seen stays when its agent deletes or rewrites it; "files": it
  // goes with the file.
  bool keep_deleted = true;
  MaskMode mask = MaskMode::output;  // [privacy] mask = "output"
  // [archive] auto = true: whoever keeps the index fresh keeps originals before their agent deletes
  // them.
  bool archive_auto = false;
  // [prices] "claude-opus-4" = { input = 15, output = 75 }: instead of, and beside, those that yore
  // knows (service/prices.hpp).
  std::vector<ModelPrice> prices;
  // [project] aliases: a project's name, and what else it was called: names and paths, as globs.
  std::vector<std::pair<std::string, std::vector<std::string>>> aliases;
  // Those of the program, then those described in agents_dir.
  transcript::Agents agents = transcript::built_in_agents();
  std::vector<std::string> warnings;  // unknown keys, descriptions that are no good
};
// A missing file is fine; a broken one is an error that names the line.
Result<Settings> load_settings(const World& world);

using SessionSet = std::unordered_set<store::SessionId>;

// What answers may come from. Scopes only narrow answers, never what is indexed.
struct Scope {
  std::optional<std::string> pattern;  // glob over directory names of Claude Code projects
  std::vector<std::string> sources;    // FORMAT:PATH, as given with flags
  // Restricts it to these; null: no restriction. Shared because every thread that answers holds it.
  std::shared_ptr<const SessionSet> sessions = nullptr;
};

// Is `path` or `project` excluded by the settings? What has no path was handed over by a program
// (ingest/program_source.hpp), which leaves out itself what it wants left out.
bool is_excluded(const Settings& settings, std::string_view path, std::string_view project);

}  // namespace yore::config
