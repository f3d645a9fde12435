// spill.hpp — tool outputs that were too large for the transcript.
//
// Claude Code writes such an output to <project>/<session>/tool-results and leaves a stand-in with
// the path and the first 2 KB. A transcript is a stranger's text: only files inside that folder are
// ever opened, whatever the stand-in says and wherever links in the project's folder lead.
#pragma once

#include <string>
#include <string_view>

#include "transcript/adapter.hpp"

namespace yore::transcript::claude_code {

class SpilledOutputs {
 public:
  explicit SpilledOutputs(const SessionRef& session);

  // The path named in a stand-in; "" for an ordinary output.
  static std::string_view named_in(std::string_view output);
  // Reads the head of the file that `named` stands for into `text`. False: not to be had.
  bool read(std::string_view named, std::string& text) const;

 private:
  std::string folder_;  // "" when the session has none
};

}  // namespace yore::transcript::claude_code
