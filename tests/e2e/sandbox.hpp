// sandbox.hpp — a machine for one end-to-end test: a home folder of its own, an environment that
// names nothing else, and the real program run in it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "support/claude_lines.hpp"
#include "support/temp_dir.hpp"

namespace yore::e2e {

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

struct Ran {
  std::string out;
  std::string err;  // empty on a terminal, where both streams are one
  int code = -1;    // 128 + signal when killed by one

  // Of standard output; fails the test when it is not JSON.
  [[nodiscard]] nlohmann::json json() const;
};

class Sandbox {
 public:
  Sandbox();

  [[nodiscard]] std::string home() const { return dir_.path() + "/home"; }
  [[nodiscard]] std::string data_dir() const { return dir_.path() + "/data"; }
  [[nodiscard]] std::string in_home(const std::string& name) const { return home() + "/" + name; }

  void set_env(const std::string& name, const std::string& value) { env_[name] = value; }
  // Parents are made. Returns the path.
  std::string write(const std::string& path, std::string_view bytes) const;
  // ~/.claude/projects/-home-ann-code-<project>/<id>.jsonl
  std::string write_session(const std::string& project, const std::string& id,
                            std::string_view lines) const;

  // `input` is the file that it reads as standard input.
  [[nodiscard]] Ran run(const std::vector<std::string>& args,
                        const std::string& input = "/dev/null") const;
  // Standard output is a pipe that nobody reads.
  [[nodiscard]] Ran run_into_closed_pipe(const std::vector<std::string>& args) const;
  // With pipes at its standard input and output; goes on until its end is waited for.
  struct Started {
    int pid = -1;
    int in = -1;   // write here
    int out = -1;  // read here
  };
  [[nodiscard]] Started start(const std::vector<std::string>& args) const;
  [[nodiscard]] Ran run_on_terminal(const std::vector<std::string>& args,
                                    unsigned short columns) const;

 private:
  [[noreturn]] void become_yore(const std::vector<std::string>& args) const;

  fake::TempDir dir_;
  std::map<std::string, std::string> env_;
};

// A session of `turns` turns about `topic`: prompt, command, answer each.
std::string conversation(const std::string& id, const std::string& topic, int turns,
                         const std::string& cwd = "/home/ann/code/blog");

// Ids that differ from their first character on.
inline constexpr const char* kFirst = "1a2b3c4d-0000-4000-8000-000000000001";
inline constexpr const char* kSecond = "2b3c4d5e-0000-4000-8000-000000000002";

}  // namespace yore::e2e
