// builder.hpp — inverts documents in memory and lays them down as a segment.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "lexical/format/types.hpp"
#include "text/analyzer.hpp"

namespace yore::lexical {

struct DocInfo {
  DocKey key = 0;
  TurnOrd turn = 0;
  SessionOrd session = 0;
  std::uint8_t tag = 0;
  std::uint32_t block = 0;  // of the text within its turn; saturates at 65535
};

class SegmentBuilder {
 public:
  SegmentBuilder();
  ~SegmentBuilder();
  SegmentBuilder(SegmentBuilder&&) noexcept;
  SegmentBuilder& operator=(SegmentBuilder&&) noexcept;

  // REQUIRES: keys ascend.
  void add(const DocInfo& info, std::string_view text);
  // A document that holds exactly these terms, each once at position 0, and has length 0: found by
  // filters, never counted as text. Terms as made by marker_term() (format/marker.hpp).
  void add_markers(const DocInfo& info, const std::vector<std::string>& terms);

  [[nodiscard]] std::uint32_t documents() const;
  // Bytes in memory: flush when there are enough.
  [[nodiscard]] std::size_t memory() const;
  // The segment; the builder is empty afterwards.
  std::string finish();

 private:
  struct State;
  State& begun();
  std::unique_ptr<State> state_;
};

}  // namespace yore::lexical
