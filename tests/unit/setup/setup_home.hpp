// setup_home.hpp — a home in which all agents are installed, with files of the user's own in every
// look that files have.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "base/files/file.hpp"
#include "setup/apply.hpp"
#include "setup/wiring.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temp_dir.hpp"

namespace yore::setup {

namespace fs = std::filesystem;

// What a file looks like: each of these stands at every path once.
enum class Look { absent, plain, comments, crlf, odd_indent, one_line, empty };
inline constexpr std::array kLooks = {Look::absent,     Look::plain,    Look::comments, Look::crlf,
                                      Look::odd_indent, Look::one_line, Look::empty};

inline std::string json_sample(Look look, bool comments) {
  switch (look) {
    case Look::comments:
      return comments
                 ? "// mine\n{\n  \"a\": 1, // one\n  /* two */ \"b\": [1, 2] // last\n}\n// end"
                 : "{\n\n  \"a\": 1\n}\n\n\n";
    case Look::crlf:
      return "{\r\n  \"theme\": \"dark\",\r\n  \"n\": 1.50\r\n}\r\n";
    case Look::odd_indent:
      return "\t{\n\t   \"a\":{\n   \"b\":null}\n ,  \"c\" : \"\\u00e9 \xC3\xA9\"\n\t}";
    case Look::one_line:
      return R"({"a":1,"mcpServers":{"x":{"command":"x"}},"mcp":{},"servers":{}})";
    default:
      return "{\n  \"a\": true\n}\n";
  }
}

inline std::string toml_sample(Look look) {
  switch (look) {
    case Look::comments:
      return "# mine\nmodel = \"x\" # why\n\n[a.b]\nc = [\n  1, # one\n]\n# end";
    case Look::crlf:
      return "model = \"x\"\r\n\r\n[t]\r\na = 1\r\n";
    case Look::odd_indent:
      return "   a =    1\n\t[t]\n      b='''\n[x]\n'''\n";
    case Look::one_line:
      return "a = {b = 1}";
    default:
      return "model = \"x\"\n";
  }
}

inline std::string yaml_sample(Look look) {
  switch (look) {
    case Look::comments:
      return "# mine\na: 1 # why\nb:\n  # inside\n  c: \"x\"\n# end";
    case Look::crlf:
      return "a: 1\r\nb:\r\n  c: 2\r\n";
    case Look::odd_indent:
      return "a:\n        b: 1\n        c: |\n            text\n";
    case Look::one_line:
      return "{a: 1}";
    default:
      return "name: mine\na: 1\n";
  }
}

inline std::string sample(Format format, Look look) {
  if (look == Look::empty) return "";
  if (format == Format::toml) return toml_sample(look);
  if (format == Format::yaml) return yaml_sample(look);
  return json_sample(look, format != Format::json);
}

class SetupHome : public testing::Test {
 protected:
  SetupHome() { make_home(); }

  // With nothing in it but the program.
  void make_home() {
    fs::remove_all(home());
    program_ = place("bin/yore", "#!/bin/sh\n");
    ::chmod(program_.c_str(), 0755);
  }

  [[nodiscard]] std::string home() const { return dir_.path() + "/my home"; }
  [[nodiscard]] std::string data() const { return dir_.path() + "/data"; }
  std::string place(const std::string& below, std::string_view bytes) const {
    return put(home() + "/" + below, bytes);
  }
  static std::string put(const std::string& path, std::string_view bytes) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  [[nodiscard]] config::World world(const FileSystem& files = real_file_system()) const {
    config::World world;
    world.env = [home = home()](std::string_view name) -> std::optional<std::string> {
      if (name == "HOME") return home;
      return std::nullopt;
    };
    world.program = program_;
    world.files = &files;
    return world;
  }
  [[nodiscard]] GetEnv env() const { return world().env; }

  // All agents are installed, with such files.
  void fill(Look look) const {
    for (const Agent& agent : agents()) {
      const std::string path = resolve(agent.file, env());
      if (look != Look::absent) {
        put(path, sample(agent.format, look));
      } else if (const std::string store = resolve(agent.found_by, env()); store != path) {
        fs::create_directories(store);
      }
    }
  }
  // Every file, folder and link below the home: what it holds, and its mode.
  [[nodiscard]] std::map<std::string, std::string> picture() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(home())) {
      std::string what = "folder";
      if (entry.is_symlink()) {
        what = "-> " + fs::read_symlink(entry.path()).string();
      } else if (entry.is_regular_file()) {
        what = std::to_string(static_cast<unsigned>(entry.status().permissions())) + ":" +
               *read_file(entry.path().string());
      }
      all[entry.path().string()] = what;
    }
    return all;
  }
  Plan set_up(const SetupRequest& request = {},
              const FileSystem& files = real_file_system()) const {
    return run(request, files, plan_setup, apply_setup);
  }
  Plan undo(const SetupRequest& request = {}, const FileSystem& files = real_file_system()) const {
    return run(request, files, plan_undo, apply_undo);
  }
  template <typename Planning, typename Applying>
  Plan run(const SetupRequest& request, const FileSystem& files, Planning planning,
           Applying applying) const {
    const auto ledger = load_ledger(data(), files);
    if (!ledger) return {};
    auto plan = planning(world(files), *ledger, request);
    EXPECT_TRUE(plan) << plan.error().message;
    if (!plan) return {};
    status_ = applying(world(files), data(), *ledger, *plan);
    return std::move(*plan);
  }
  static std::string deeds(const Plan& plan, Deed deed) {
    std::string out;
    for (const Step& step : plan.steps) {
      if (step.deed == deed) out += step.path + ": " + step.why + "\n";
    }
    return out;
  }

  fake::TempDir dir_;
  std::string program_;
  mutable Status status_;
};

}  // namespace yore::setup
