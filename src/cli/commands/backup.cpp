// yore backup: what cannot be rebuilt, in one file, and back.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/screen/format.hpp"
#include "cli/screen/json_text.hpp"
#include "service/backup.hpp"
#include "text/display.hpp"

namespace yore::cli {
namespace {

struct BackupFlags {
  std::string file;
  bool restore = false;
};

service::Json backup_json(const service::BackupReport& report, const std::string& path) {
  return {{"file", path},
          {"bytes", report.bytes},
          {"originals", report.originals},
          {"sessions", report.sessions},
          {"editions", report.editions},
          {"there_already", report.there_already}};
}

int run_backup(Context& context, const BackupFlags& flags) {
  const std::string path = absolute_path(expand_home(flags.file, context.home()));
  const InterruptGuard guard;
  const auto done = flags.restore ? service::restore_backup(context.world, context.settings, path,
                                                            InterruptGuard::asked())
                                  : service::write_backup(context.world, context.settings, path);
  if (!done) return context.fail(done.error());
  if (context.globals.json) {
    print_json(context, backup_json(*done, path));
  } else if (flags.restore) {
    context.print(fmt::format("Restored {} and {}; {} there already. {} in the archive.\n",
                              plural(done->sessions, "session"), plural(done->editions, "edition"),
                              count(done->there_already), plural(done->originals, "original")));
  } else {
    context.print(fmt::format("{}: {}, {} of the archive with it.\n",
                              text::one_line(shown_path(path, context.home())), size(done->bytes),
                              plural(done->originals, "original")));
  }
  return kFound;
}

}  // namespace

Action declare_backup(Options& options) {
  const auto flags = std::make_shared<BackupFlags>();  // shared with the action that outlives us
  options.argument("FILE", flags->file, "the backup; one that is there is replaced");
  options.flag("--restore", flags->restore, "add what is in it to the data directory");
  return [flags](Context& context) { return run_backup(context, *flags); };
}

}  // namespace yore::cli
