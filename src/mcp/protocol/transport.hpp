// transport.hpp — lines in, lines out: all that the server knows of the world outside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace yore::mcp {

struct Line {
  enum class Kind : std::uint8_t {
    whole,     // ended by a newline
    half,      // the input ended before the newline
    oversize,  // longer than the limit; its text was thrown away
  };
  Kind kind = Kind::whole;
  std::string text;             // without the end of line
  std::size_t limit_bytes = 0;  // oversize: the most a line may have
};

class Transport {
 public:
  virtual ~Transport() = default;

  // The next line that is not empty; waits for it. nullopt: the input ended, close() was called or
  // the peer is gone. One thread at a time.
  virtual std::optional<Line> next() = 0;
  // Sends `line` and a newline; lines of several threads do not mix. False: the peer is gone.
  // REQUIRES: `line` holds no newline.
  virtual bool send(std::string_view line) = 0;
  // Ends a waiting next() and all later ones. Any thread.
  virtual void close() = 0;

 protected:
  Transport() = default;
  Transport(const Transport&) = default;
  Transport& operator=(const Transport&) = default;
};

}  // namespace yore::mcp
