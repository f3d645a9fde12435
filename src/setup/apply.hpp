// apply.hpp — carries a plan out.
//
// The ledger says what is going to be written before any of it is; whenever the process is killed,
// the next setup or undo ends where an undisturbed one does. One process at a time (SetupLock).
#pragma once

#include "setup/plan.hpp"

namespace yore::setup {

// Held from reading the ledger to the end of the work. Leaves nothing behind.
class SetupLock {
 public:
  // busy: another setup runs. Makes the data directory.
  static Result<SetupLock> acquire(const std::string& data_dir);
  SetupLock(SetupLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  SetupLock& operator=(SetupLock&&) = delete;
  SetupLock(const SetupLock&) = delete;
  SetupLock& operator=(const SetupLock&) = delete;
  ~SetupLock();

 private:
  explicit SetupLock(int fd) : fd_(fd) {}
  int fd_;
};

// Steps that fail become `refused` with the reason; the others go on. The Status is that of the
// ledger: when it cannot be written, nothing else is.
Status apply_setup(const config::World& world, const std::string& data_dir, Ledger ledger,
                   Plan& plan);
Status apply_undo(const config::World& world, const std::string& data_dir, Ledger ledger,
                  Plan& plan);

}  // namespace yore::setup
