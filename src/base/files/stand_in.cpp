#include "base/files/stand_in.hpp"

#include <utility>

namespace yore {
namespace {

thread_local const StandIn* current_stand_in = nullptr;
thread_local OpenedFiles* current_record = nullptr;

}  // namespace

StandIn::StandIn(Files files) : files_(std::move(files)), outer_(current_stand_in) {
  current_stand_in = this;
}

StandIn::~StandIn() {
  current_stand_in = outer_;
}

const StandIn* StandIn::current() {
  return current_stand_in;
}

std::shared_ptr<const FileBytes> StandIn::find(const std::string& path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : found->second;
}

bool StandIn::has_directory(const std::string& path) const {
  const std::string below = path.ends_with('/') ? path : path + '/';
  const auto first = files_.lower_bound(below);
  return first != files_.end() && first->first.starts_with(below);
}

OpenedFiles::OpenedFiles() : outer_(current_record) {
  current_record = this;
}

OpenedFiles::~OpenedFiles() {
  current_record = outer_;
}

void OpenedFiles::note(const std::string& path) {
  if (current_record != nullptr) current_record->paths_.insert(path);
}

}  // namespace yore
