// user_file.hpp — a settings file of somebody else's, read and written with care.
//
// Links are followed and stay links; owner and mode stay. Written beside the file and renamed over
// it, under one fixed name (kBeside), so that what a kill leaves is found and removed later.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/files/file_system.hpp"
#include "base/result.hpp"

namespace yore::setup {

inline constexpr std::string_view kBeside = ".yore-tmp";

struct UserFile {
  std::string path;    // as the agent names it
  std::string target;  // where links lead; the path itself when nothing is there
  bool there = false;
  std::string bytes;
  std::string hash;  // of bytes; "" when nothing is there
  mode_t mode = 0600;
  uid_t owner = 0;
  gid_t group = 0;
  bool has_other_names = false;  // hard links
};

std::string hash_of(std::string_view bytes);

// A file that is not there is none that is an error. Error: a link that leads nowhere, no regular
// file, larger than any settings are, or it may not be read.
Result<UserFile> read_user_file(const std::string& path, const FileSystem& files);

// Why it may not be written, or made; a failure leaves it alone. Nothing is touched.
Status may_write(const UserFile& file);

// busy: it is not as it was when `was` was read. Folders must be there.
Status write_user_file(const UserFile& was, std::string_view bytes, const FileSystem& files);
Status remove_user_file(const UserFile& was, const FileSystem& files);
// What a kill left beside the file.
void remove_leftover(const std::string& path, const FileSystem& files);

// Private, synced; what was there is replaced.
Status put_private_file(const std::string& path, std::string_view bytes, const FileSystem& files);

}  // namespace yore::setup
