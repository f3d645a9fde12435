#include "setup/apply.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/files/file.hpp"
#include "base/posix.hpp"
#include "store/tombstones.hpp"

namespace yore::setup {
namespace {

void sweep(const Ledger& ledger, const FileSystem& files) {
  for (const Row& row : ledger.rows) {
    const auto file = read_user_file(row.path, files);
    remove_leftover(file ? file->target : row.path, files);
  }
}

void put_row(Ledger& ledger, const Row& row) {
  if (Row* old = ledger.find(row.path)) {
    *old = row;
  } else {
    ledger.rows.push_back(row);
  }
}

void drop_row(Ledger& ledger, const std::string& path) {
  std::erase_if(ledger.rows, [&](const Row& row) { return row.path == path; });
}

bool writes_file(const Step& step) {
  return step.deed == Deed::create || step.deed == Deed::change;
}

void fail_step(Step& step, const Error& error) {
  step.deed = Deed::refused;
  step.why = error.message;
  for (const Held& held : step.row.entries) step.paste += entry_alone(held.entry);
}

// Those that were made and hold nothing now; the inner ones first.
void remove_folders(Ledger& ledger) {
  for (auto it = ledger.folders.rbegin(); it != ledger.folders.rend(); ++it) {
    ::rmdir(it->c_str());
  }
  std::erase_if(ledger.folders, [&](const std::string& folder) {
    const std::string inside = folder + "/";
    return std::ranges::none_of(ledger.rows,
                                [&](const Row& row) { return row.path.starts_with(inside); });
  });
}

}  // namespace

Result<SetupLock> SetupLock::acquire(const std::string& data_dir) {
  const std::string keep = store::keep_directory(data_dir);
  if (Status made = make_directories(keep); !made) return made.error();
  const int fd = open_retrying(keep, O_RDONLY | O_DIRECTORY);
  if (fd < 0) return system_error(errno, "open", keep);
  SetupLock lock(fd);
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    return Error{Errc::busy, "another yore setup is at work", "wait for it"};
  }
  return lock;
}

SetupLock::~SetupLock() {
  if (fd_ >= 0) ::close(fd_);
}

Status apply_setup(const config::World& world, const std::string& data_dir, Ledger ledger,
                   Plan& plan) {
  const FileSystem& files = *world.files;
  const Ledger old = ledger;
  sweep(old, files);
  for (const Step& step : plan.steps) {
    if (step.deed != Deed::refused && !step.row.changes.empty()) put_row(ledger, step.row);
  }
  for (const std::string& folder : plan.folders) {
    if (std::ranges::find(ledger.folders, folder) == ledger.folders.end()) {
      ledger.folders.push_back(folder);
    }
  }
  if (plan.writes()) {
    if (Status saved = save_ledger(data_dir, ledger, files); !saved) return saved;
  }
  for (Step& step : plan.steps) {
    if (!writes_file(step)) continue;
    Status done;
    if (step.deed == Deed::create) {
      done = make_directories(std::string(path_dirname(step.path)));
    }
    if (done) done = write_user_file(step.was, step.after, files);
    if (done) {
      Change last = step.row.changes.back();
      step.row.changes = {std::move(last)};
      put_row(ledger, step.row);
      continue;
    }
    fail_step(step, done.error());
    drop_row(ledger, step.path);
    if (const Row* row = old.find(step.path)) put_row(ledger, *row);
  }
  remove_folders(ledger);
  return save_ledger(data_dir, ledger, files);
}

Status apply_undo(const config::World& world, const std::string& data_dir, Ledger ledger,
                  Plan& plan) {
  const FileSystem& files = *world.files;
  sweep(ledger, files);
  for (Step& step : plan.steps) {
    Status done;
    if (step.deed == Deed::change) done = write_user_file(step.was, step.after, files);
    if (step.deed == Deed::remove) done = remove_user_file(step.was, files);
    if (!done) {
      step.deed = Deed::refused;
      step.why = done.error().message;
    }
    if (step.deed == Deed::refused) continue;
    drop_row(ledger, step.path);
    if (!step.row.changes.empty()) put_row(ledger, step.row);
  }
  remove_folders(ledger);
  if (Status saved = save_ledger(data_dir, ledger, files); !saved) return saved;
  // Nothing is left behind where nothing else was kept.
  ::rmdir(store::keep_directory(data_dir).c_str());
  ::rmdir(data_dir.c_str());
  return {};
}

}  // namespace yore::setup
