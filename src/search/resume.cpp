#include "search/resume.hpp"

#include "base/files/file.hpp"
#include "text/shell.hpp"

namespace yore::search {

std::string start_folder(const store::SessionRow& session) {
  for (const std::string* folder :
       {&session.facts.first_cwd, &session.facts.cwd, &session.ref_cwd}) {
    if (!folder->empty()) return *folder;
  }
  return "";
}

bool is_here(const std::string& folder) {
  return folder.starts_with("/") && is_directory(folder);
}

std::string resume_line(const store::SessionRow& session, const std::vector<std::string>& command) {
  if (command.empty()) return "";
  const std::string folder = start_folder(session);
  return text::shell_line(command, is_here(folder) ? folder : "");
}

}  // namespace yore::search
