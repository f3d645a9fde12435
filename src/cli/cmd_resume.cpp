// yore resume: print, or run, the command by which the agent itself goes on with a session.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/file.hpp"
#include "cli/commands.hpp"
#include "cli/format.hpp"
#include "cli/json_text.hpp"
#include "cli/refresh.hpp"

namespace yore::cli {
namespace {

struct ResumeFlags {
  std::string session;
  bool exec = false;
};

// Agents look for a session from the folder it was begun in, not from where it wandered.
std::string start_folder(const store::SessionRow& session) {
  for (const std::string* folder :
       {&session.facts.first_cwd, &session.facts.cwd, &session.ref_cwd}) {
    if (!folder->empty()) return *folder;
  }
  return "";
}

// Returns only when the command could not be run.
Error replace_process(const std::vector<std::string>& command, const std::string& folder) {
  if (!folder.empty() && ::chdir(folder.c_str()) != 0) {
    return {Errc::io, folder + ": " + std::strerror(errno)};
  }
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  // An ignored signal stays ignored in the new program, which does not expect that.
  ::signal(SIGPIPE, SIG_DFL);
  ::execvp(argv.front(), argv.data());
  return {Errc::io, "cannot run " + command.front() + ": " + std::strerror(errno),
          "is the agent installed and in PATH?"};
}

std::string command_line(const std::vector<std::string>& command, const std::string& folder) {
  std::string line;
  if (!folder.empty()) line = "cd " + shell_quote(folder) + " &&";
  for (const std::string& word : command) {
    if (!line.empty()) line += ' ';
    line += shell_quote(word);
  }
  return line + "\n";
}

int run_resume(Context& context, const ResumeFlags& flags) {
  auto fresh = open_fresh(context);
  if (!fresh) return context.fail(fresh.error());
  const auto session = fresh->reader.find_session(flags.session);
  if (!session) return context.fail(session.error());
  const auto command = engine::resume_command(*session);
  if (!command) return context.fail(command.error());

  const std::string folder = start_folder(*session);
  // A path of another system ("C:x") must not be taken for one relative to here.
  const bool there = folder.starts_with("/") && is_directory(folder);
  if (!folder.empty() && !there) {
    context.note("yore: the session's folder does not exist here: " + folder);
  }
  if (flags.exec) return context.fail(replace_process(*command, there ? folder : ""));
  if (context.globals.json) {
    print_json(context,
               engine::Json{{"session_id", session->uid}, {"command", *command}, {"cwd", folder}});
  } else {
    context.print(command_line(*command, there ? folder : ""));
  }
  return kFound;
}

}  // namespace

Action declare_resume(Options& options) {
  const auto flags = std::make_shared<ResumeFlags>();  // shared with the action that outlives us
  options.argument("SESSION", flags->session, "id of a session, or the start of one");
  options.flag("--exec", flags->exec, "run the command in the session's folder");
  return [flags](Context& context) { return run_resume(context, *flags); };
}

}  // namespace yore::cli
