// json_line.hpp — gives the JSON objects of one line to a handler, whatever the line holds.
//
// The good case is one parse in place. Everything else (several values, junk, damaged bytes) is
// found by scanning for the values, each of which is then parsed, and repaired if need be, on its
// own: linear in the line's length, however many values it has.
//
// Texts passed in have SIMDJSON_PADDING readable bytes behind them; see Padded.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "transcript/input/jsonl.hpp"
#include "transcript/record.hpp"

namespace yore::transcript {

// A copy that the parser may read past the end of.
class Padded {
 public:
  explicit Padded(std::string_view text) : bytes_(text), size_(text.size()) {
    bytes_.append(simdjson::SIMDJSON_PADDING, ' ');
  }
  [[nodiscard]] std::string_view view() const { return std::string_view{bytes_}.substr(0, size_); }

 private:
  std::string bytes_;
  std::size_t size_;
};

class LineReader {
 public:
  // All three must outlive the reader.
  LineReader(simdjson::ondemand::parser& parser, RecordSink& sink, const OnObject& on_object)
      : parser_(parser), sink_(sink), on_object_(on_object) {}

  // A line without its newline. `continued`: values of this line were read by an earlier call.
  void read_line(std::string_view line, const LineInfo& where, bool continued);

  // The values of a line that may not be complete, as far as they are beyond doubt; nothing is
  // counted. Returns the bytes consumed: up to the end of the last value that was read.
  std::size_t read_tail(std::string_view text, const LineInfo& where);

  // The head of a line that is too long. Best effort: nothing but its length is counted.
  void read_oversized(std::string_view head, const LineInfo& where);

 private:
  void begin(const LineInfo& where);
  void report(ProblemKind kind);
  [[nodiscard]] std::size_t value_start(std::string_view text) const;
  std::size_t run(std::string_view text, std::size_t at);
  std::size_t finish(simdjson::ondemand::document& document, simdjson::ondemand::object& object,
                     std::string_view text);
  void read_values(std::string_view text, std::size_t at, bool after_value, bool tried);
  bool pass_gap(std::string_view text, std::size_t begin, std::size_t end, bool after_value);
  void read_value(std::string_view text, std::size_t at, bool tried);

  simdjson::ondemand::parser& parser_;
  RecordSink& sink_;
  const OnObject& on_object_;
  LineInfo where_;
  unsigned reported_ = 0;  // problems of this line, a bit for each kind
  bool muted_ = false;
};

}  // namespace yore::transcript
