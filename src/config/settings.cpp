#include "config/settings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <utility>

#include "base/ascii.hpp"
#include "base/files/file.hpp"
#include "base/files/mounts.hpp"
#include "base/program.hpp"
#include "base/toml.hpp"
#include "config/user_agents.hpp"
#include "config/whereabouts.hpp"
#include "text/glob.hpp"

namespace yore::config {
namespace {

std::string data_directory(const World& world) {
  const std::string home = home_directory(world.env);
  if (const auto given = world.env("YORE_DATA_DIR")) {
    return absolute_path(expand_home(*given, home));
  }
  if (const auto xdg = world.env("XDG_DATA_HOME")) return path_join(*xdg, "yore");
  return path_join(home, ".local/share/yore");
}

std::string config_directory(const World& world) {
  const std::string home = home_directory(world.env);
  const std::string base = world.env("XDG_CONFIG_HOME").value_or(path_join(home, ".config"));
  return path_join(base, "yore");
}

// An array of strings; anything else is named in the error.
Status read_strings(const toml::node& node, std::string_view key, const std::string& path,
                    std::vector<std::string>& out) {
  const toml::array* array = node.as_array();
  const Error wrong{Errc::invalid_argument,
                    path + ": " + std::string(key) + ": want a list of strings"};
  if (array == nullptr) return wrong;
  for (const toml::node& item : *array) {
    const auto text = item.value<std::string>();
    if (!text) return wrong;
    out.push_back(*text);
  }
  return {};
}

// [embedding] enabled = true, full = false, days = 90
Status read_embedding(const toml::node& node, Settings& settings) {
  const toml::table* table = node.as_table();
  const auto wrong = [&](std::string_view key, std::string_view want) {
    return Error{Errc::invalid_argument, settings.config_path + ": embedding" + std::string(key) +
                                             ": want " + std::string(want)};
  };
  if (table == nullptr) return wrong("", "a table: [embedding]");
  constexpr std::int64_t kMostDays = 36'500;
  for (const auto& [key, value] : *table) {
    const std::string_view name = key.str();
    if (name == "enabled" || name == "full") {
      if (!value.is_boolean()) return wrong("." + std::string(name), "true or false");
      (name == "full" ? settings.embedding.full : settings.embedding.enabled) =
          value.value_or(false);
    } else if (name == "days") {
      const std::int64_t days = value.is_integer() ? value.value_or(std::int64_t{-1}) : -1;
      if (days < 0 || days > kMostDays) return wrong(".days", "a number of days; 0 is all of them");
      settings.embedding.days = static_cast<std::uint32_t>(days);
    } else {
      settings.warnings.push_back(settings.config_path + ": unknown key 'embedding." +
                                  std::string(name) + "'");
    }
  }
  return {};
}

std::optional<MaskMode> mask_mode_named(std::string_view name) {
  constexpr std::pair<std::string_view, MaskMode> kModes[] = {
      {"output", MaskMode::output}, {"index", MaskMode::index}, {"off", MaskMode::off}};
  for (const auto& [known, mode] : kModes) {
    if (known == name) return mode;
  }
  return std::nullopt;
}

// [privacy] keep = "all", mask = "output"
Status read_privacy(const toml::node& node, Settings& settings) {
  const toml::table* table = node.as_table();
  const auto wrong = [&](std::string_view key, std::string_view want) {
    return Error{Errc::invalid_argument, settings.config_path + ": privacy" + std::string(key) +
                                             ": want " + std::string(want)};
  };
  if (table == nullptr) return wrong("", "a table: [privacy]");
  for (const auto& [key, value] : *table) {
    const std::string_view name = key.str();
    if (name == "keep") {
      const std::string keep = value.value_or(std::string());
      if (keep != "all" && keep != "files") return wrong(".keep", "\"all\" or \"files\"");
      settings.keep_deleted = keep == "all";
    } else if (name == "mask") {
      const auto mode = mask_mode_named(value.value_or(std::string()));
      if (!mode) return wrong(".mask", "\"output\", \"index\" or \"off\"");
      settings.mask = *mode;
    } else {
      settings.warnings.push_back(settings.config_path + ": unknown key 'privacy." +
                                  std::string(name) + "'");
    }
  }
  return {};
}

// [archive] auto = true
Status read_archive(const toml::node& node, Settings& settings) {
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    return Error{Errc::invalid_argument,
                 settings.config_path + ": archive: want a table: [archive]"};
  }
  for (const auto& [key, value] : *table) {
    const std::string_view name = key.str();
    if (name != "auto") {
      settings.warnings.push_back(settings.config_path + ": unknown key 'archive." +
                                  std::string(name) + "'");
    } else if (!value.is_boolean()) {
      return Error{Errc::invalid_argument,
                   settings.config_path + ": archive.auto: want true or false"};
    } else {
      settings.archive_auto = value.value_or(false);
    }
  }
  return {};
}

// [prices] "MODEL" = { input = 3.0, output = 15.0, cache_read = 0.3, cache_write = 3.75 }
Status read_prices(const toml::node& node, Settings& settings) {
  constexpr std::pair<std::string_view, double ModelPrice::*> kFields[] = {
      {"input", &ModelPrice::input},
      {"output", &ModelPrice::output},
      {"cache_read", &ModelPrice::cache_read},
      {"cache_write", &ModelPrice::cache_write}};
  const auto wrong = [&](const std::string& key) {
    return Error{Errc::invalid_argument,
                 settings.config_path + ": prices" + key +
                     ": want \"MODEL\" = { input = 3.0, output = 15.0 }, in dollars for a million "
                     "tokens"};
  };
  const toml::table* models = node.as_table();
  if (models == nullptr) return wrong("");
  for (const auto& [name, value] : *models) {
    const std::string model(name.str());
    const toml::table* given = value.as_table();
    if (given == nullptr || model.empty()) return wrong("." + model);
    ModelPrice price;
    price.model = ascii::to_lower(model);
    for (const auto& [key, amount] : *given) {
      const auto* field =
          std::ranges::find(kFields, key.str(), [](auto& each) { return each.first; });
      const double dollars = amount.value_or(-1.0);
      if (field == std::end(kFields) || !(dollars >= 0) || !std::isfinite(dollars)) {
        return wrong("." + model + "." + std::string(key.str()));
      }
      price.*(field->second) = dollars;
    }
    if (!given->contains("input") || !given->contains("output")) return wrong("." + model);
    // As most who sell tokens do it.
    if (!given->contains("cache_read")) price.cache_read = price.input / 10;
    if (!given->contains("cache_write")) price.cache_write = price.input;
    settings.prices.push_back(std::move(price));
  }
  return {};
}

// [project] aliases = { webshop = ["old-shop", "~/src/old-shop"] }
Status read_project(const toml::node& node, const std::string& home, Settings& settings) {
  const toml::table* table = node.as_table();
  const std::string where = settings.config_path + ": project";
  if (table == nullptr) return Error{Errc::invalid_argument, where + ": want a table: [project]"};
  for (const auto& [key, value] : *table) {
    if (key.str() != "aliases") {
      settings.warnings.push_back(settings.config_path + ": unknown key 'project." +
                                  std::string(key.str()) + "'");
      continue;
    }
    const toml::table* aliases = value.as_table();
    if (aliases == nullptr) {
      return Error{Errc::invalid_argument,
                   where + ".aliases: want a table: aliases = { name = [\"old-name\"] }"};
    }
    for (const auto& [name, others] : *aliases) {
      auto& entry = settings.aliases.emplace_back(std::string(name.str()), 0);
      const std::string field = "project.aliases." + entry.first;
      if (Status status = read_strings(others, field, settings.config_path, entry.second);
          !status) {
        return status;
      }
      for (std::string& other : entry.second) other = expand_home(other, home);
    }
  }
  return {};
}

}  // namespace

World real_world() {
  World world;
  world.env = [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
  world.now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const std::time_t seconds = to_ms(world.now) / 1000;
  std::tm local{};
  if (::localtime_r(&seconds, &local) != nullptr) {
    world.local_offset = std::chrono::seconds{local.tm_gmtoff};
  }
  world.program = executable_path();
  world.mounts = read_mountinfo;
  world.drives = windows_drives(world.env);
  return world;
}

Result<Settings> load_settings(const World& world) {
  Settings settings;
  settings.data_dir = data_directory(world);
  settings.config_path = path_join(config_directory(world), "config.toml");
  settings.agents_dir = path_join(config_directory(world), "agents");
  settings.agents = with_user_agents(settings.agents, settings.agents_dir, settings.warnings);
  if (!is_regular_file(settings.config_path)) return settings;
  const auto text = read_file(settings.config_path, 1 << 20);
  if (!text) return text.error();
  const toml::parse_result parsed = toml::parse(std::string_view(*text));
  if (parsed.failed()) {
    const toml::parse_error& error = parsed.error();
    return Error{Errc::invalid_argument, settings.config_path + ": line " +
                                             std::to_string(error.source().begin.line) + ": " +
                                             std::string(error.description())};
  }
  for (const auto& [key, node] : parsed.table()) {
    const std::string_view name = key.str();
    Status status;
    if (name == "sources") {
      status = read_strings(node, name, settings.config_path, settings.sources);
    } else if (name == "exclude") {
      status = read_strings(node, name, settings.config_path, settings.exclude);
    } else if (name == "embedding") {
      status = read_embedding(node, settings);
    } else if (name == "privacy") {
      status = read_privacy(node, settings);
    } else if (name == "project") {
      status = read_project(node, home_directory(world.env), settings);
    } else if (name == "archive") {
      status = read_archive(node, settings);
    } else if (name == "prices") {
      status = read_prices(node, settings);
    } else {
      settings.warnings.push_back(settings.config_path + ": unknown key '" + std::string(name) +
                                  "'");
    }
    if (!status) return status.error();
  }
  for (const std::string& source : settings.sources) {
    if (const auto root = parse_source(source, *settings.agents, world.env); !root) {
      return Error{root.error().code, settings.config_path + ": " + root.error().message,
                   root.error().hint};
    }
  }
  return settings;
}

bool is_excluded(const Settings& settings, std::string_view path, std::string_view project) {
  if (path.empty()) return false;
  for (const std::string& pattern : settings.exclude) {
    if (text::glob_match(pattern, path)) return true;
    if (!project.empty() && text::glob_match(pattern, project)) return true;
    // A folder excludes what is in it.
    if (text::glob_match(pattern + "/*", path)) return true;
  }
  return false;
}

}  // namespace yore::config
