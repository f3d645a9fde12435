// source.hpp — transcripts from elsewhere: a store of conversations that yore knows nothing about.
//
// A program that has one writes a TranscriptSource and gives it to a Corpus (yore.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "yore/result.hpp"

namespace yore {

using TimePoint = std::chrono::system_clock::time_point;  // counted in milliseconds

// A tool that the assistant used.
struct SourceTool {
  std::string name;
  std::string input;  // what of its input is worth finding: a command, a pattern, new text
  std::string file;   // the path it worked on, if any
  std::string output;
};

// What a model has read and written, as its agent counts it.
struct Tokens {
  std::uint64_t input = 0;  // without what came out of a cache
  std::uint64_t output = 0;
  std::uint64_t cache_read = 0;
  std::uint64_t cache_write = 0;
  friend bool operator==(const Tokens&, const Tokens&) = default;
};

// One message of the user and what the assistant made of it.
struct SourceTurn {
  std::string user_prompt;
  std::vector<std::string> assistant_text;  // in order; the last piece is the conclusion
  std::string thinking;
  std::vector<SourceTool> tools;
  std::optional<TimePoint> time;  // without one, the turn has no age: `since` leaves it out
  std::string model;
  std::string branch;
  std::optional<Tokens> tokens = std::nullopt;  // none: not known, which is not zero
};

// What a source says of a conversation without reading it.
struct SourceSession {
  std::string id;  // unique within the source
  std::string project;
  std::string project_path;  // where the work was done, if that is known
  std::string title;         // "": the first prompt serves
  std::string agent = "library";
  // Anything that differs when the content does: a length, a time, a hash. While it is what it was,
  // the session is not read again. "": it is read at every refresh.
  std::string version;
};

// A store of conversations that yore knows nothing about. Both functions are called by refresh(),
// in its thread, one at a time. The corpus follows the source: a session that is no longer listed
// is removed. A session that has only gone on costs what is new of it.
class TranscriptSource {
 public:
  virtual ~TranscriptSource() = default;
  virtual Result<std::vector<SourceSession>> sessions() = 0;
  // All turns of a session, in order.
  virtual Result<std::vector<SourceTurn>> read(const std::string& id) = 0;
};

}  // namespace yore
