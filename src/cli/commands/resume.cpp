// yore resume: print, or run, the command by which the agent itself goes on with a session.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/open_index.hpp"
#include "cli/screen/json_text.hpp"
#include "search/resume.hpp"
#include "text/display.hpp"

namespace yore::cli {
namespace {

struct ResumeFlags {
  std::string session;
  bool exec = false;
  bool yes = false;
};

// The words come from a file in the settings folder that anybody may have written: a person looks
// at them first.
Status confirm(const Context& context, const store::SessionRow& session,
               const std::vector<std::string>& command) {
  const std::string line = text::one_line(context.mask.text(search::resume_line(session, command)));
  context.program.err("The agent '" + session.agent + "' is described in " +
                      context.settings.agents_dir + " and wants to run:\n  " + line +
                      "\nRun it? [y/N] ");
  const auto answer = context.program.typed_line();
  if (!answer) context.program.err("\n");
  if (answer && (*answer == "y" || *answer == "Y" || *answer == "yes")) return {};
  return Error{Errc::invalid_argument, "not run: the command of an agent of your own wants a yes",
               answer ? "" : "without a terminal: --yes"};
}

// Returns only when the command could not be run.
Error replace_process(const std::vector<std::string>& command, const std::string& folder) {
  if (!folder.empty() && ::chdir(folder.c_str()) != 0) {
    return {Errc::io, folder + ": " + std::strerror(errno)};
  }
  std::vector<char*> argv;
  argv.reserve(command.size() + 1);
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  // An ignored signal stays ignored in the new program, which does not expect that.
  ::signal(SIGPIPE, SIG_DFL);
  ::execvp(argv.front(), argv.data());
  return {Errc::io, "cannot run " + command.front() + ": " + std::strerror(errno),
          "is the agent installed and in PATH?"};
}

int run_resume(Context& context, const ResumeFlags& flags) {
  auto fresh = open_fresh(context);
  if (!fresh) return context.fail(fresh.error());
  const auto session = fresh->reader.find_session(flags.session);
  if (!session) return context.fail(session.error());
  const auto command = search::resume_command(*session, *context.settings.agents);
  if (!command) return context.fail(command.error());

  const std::string folder = search::start_folder(*session);
  const bool there = search::is_here(folder);
  if (!folder.empty() && !there) {
    context.note("yore: the session's folder does not exist here: " + folder);
  }
  if (flags.exec) {
    const transcript::Adapter* agent = context.settings.agents->find(session->agent);
    const bool asks = agent != nullptr && agent->from_user && !flags.yes;
    if (asks) {
      if (Status agreed = confirm(context, *session, *command); !agreed) {
        return context.fail(agreed.error());
      }
    }
    return context.fail(replace_process(*command, there ? folder : ""));
  }
  if (context.globals.json) {
    print_json(context,
               service::Json{{"session_id", session->uid}, {"command", *command}, {"cwd", folder}});
  } else {
    context.print(search::resume_line(*session, *command) + "\n");  // masked as a whole
  }
  return kFound;
}

}  // namespace

Action declare_resume(Options& options) {
  const auto flags = std::make_shared<ResumeFlags>();  // shared with the action that outlives us
  options.argument("SESSION", flags->session, "id of a session, or the start of one");
  options.flag("--exec", flags->exec, "run the command in the session's folder");
  options.flag("--yes", flags->yes, "with --exec: do not ask before an agent of your own is run");
  return [flags](Context& context) { return run_resume(context, *flags); };
}

}  // namespace yore::cli
