// beside.hpp — files beside the transcripts that tell about sessions, as `beside` of a description
// names them: titles, directories, parents.
//
// Whatever is wrong with such a file, the session is there all the same. Nothing outside the
// folders that the places of the description lead through is opened: check_spec.hpp sees to that.
#pragma once

#include <string>
#include <unordered_map>

#include "base/files/file_view.hpp"
#include "transcript/adapter.hpp"
#include "transcript/spec/record_reader.hpp"

namespace yore::transcript {

// Lives as long as one listing: each index is read once. One thread.
class BesideFiles {
 public:
  // `compiled` outlives it.
  BesideFiles(const CompiledSpec& compiled, FileView files) : compiled_(compiled), files_(files) {}

  // Adds to the session what the files say of it; what it has stays.
  void complete(SessionRef& session);

 private:
  struct Entry {
    std::string parent;
    std::string title;
    std::string cwd;
    bool subagent = false;
    bool machine = false;
  };
  using Entries =
      std::unordered_map<std::string, Entry>;  // by the session's own id; "": whose it is

  Entries read(const std::string& path, std::size_t rule) const;

  const CompiledSpec& compiled_;
  FileView files_;
  std::unordered_map<std::string, Entries> indexes_;  // by path
};

// What a session's own files say of its begin (model, branch, time), as metadata for the reader.
void tell_beside(const CompiledSpec& compiled, const SessionRef& session, RecordReader& reader);

}  // namespace yore::transcript
