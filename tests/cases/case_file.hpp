// case_file.hpp — the parts of one .case file (see README.md in this folder).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yore::cases {

struct FilePart {
  std::string name;  // relative to the folder the files are laid down in
  std::string body;  // placeholders not yet replaced
  bool append = false;
  bool sql = false;  // the body is run on the database of that name
};

struct CaseFile {
  std::string head;  // everything up to and with the line "== expect"
  std::vector<FilePart> parts;
  std::string expected;
};

CaseFile parse_case(std::string_view text);

// Replaces {{root}}, {{hex:c328}} and {{repeat:1000:[}}.
std::string expand_placeholders(std::string_view body, std::string_view root);

}  // namespace yore::cases
