// keeper_report.hpp — the small file in which a keeper says what it does; read by everybody else.
#pragma once

#include <string>

#include "base/files/file_system.hpp"
#include "service/keeper.hpp"

namespace yore::service {

std::string keeper_lock_path(const std::string& data_dir);
// Only when it differs from what was written last is anything written. REQUIRES: the keeper lock.
void write_keeper_report(const std::string& data_dir, const KeeperReport& report,
                         const FileSystem& files = real_file_system());
// With all that killed keepers have left. REQUIRES: the keeper lock.
void remove_keeper_report(const std::string& data_dir,
                          const FileSystem& files = real_file_system());

}  // namespace yore::service
