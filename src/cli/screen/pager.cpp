#include "cli/screen/pager.hpp"

#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <string>

#include "text/utf8.hpp"

namespace yore::cli {
namespace {

// Colours as they are, nothing wiped at the end, no waiting for what fits; a reader's own settings
// win.
constexpr std::string_view kSettings = "LESS=\"${LESS-FRX}\" LV=\"${LV--c}\"; export LESS LV; ";
constexpr std::string_view kAnyPager =
    "if command -v less >/dev/null 2>&1; then exec less; "
    "elif command -v more >/dev/null 2>&1; then exec more; else exit 127; fi";

// Ctrl-C goes to everybody at the terminal; the pager knows what to do with it.
class InterruptsIgnored {
 public:
  InterruptsIgnored() : before_(std::signal(SIGINT, SIG_IGN)) {}
  InterruptsIgnored(const InterruptsIgnored&) = delete;
  InterruptsIgnored& operator=(const InterruptsIgnored&) = delete;
  ~InterruptsIgnored() { std::signal(SIGINT, before_); }

 private:
  void (*before_)(int);
};

}  // namespace

bool show_in_pager(std::string_view text, const config::GetEnv& env) {
  const auto wanted = env("PAGER");
  const std::string_view pager = wanted ? text::trim(*wanted) : std::string_view{};
  if (wanted && (pager.empty() || pager == "cat")) return false;
  std::string command(kSettings);
  command += wanted ? pager : kAnyPager;
  std::fflush(stdout);
  FILE* pipe = ::popen(command.c_str(), "w");
  if (pipe == nullptr) return false;
  const InterruptsIgnored ignored;  // by the child it was started without
  std::fwrite(text.data(), 1, text.size(), pipe);
  const int status = ::pclose(pipe);
  constexpr int kNoSuchCommand = 127;
  return !(WIFEXITED(status) && WEXITSTATUS(status) == kNoSuchCommand);
}

}  // namespace yore::cli
