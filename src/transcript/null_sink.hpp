// null_sink.hpp — for reading a file's head or a list, where only the handler's own finds count.
#pragma once

#include "transcript/record.hpp"

namespace yore::transcript {

struct NullSink final : RecordSink {
  void record(const Record&) override {}
  void problem(ProblemKind, std::uint64_t) override {}
  void unknown(std::string_view) override {}
};

}  // namespace yore::transcript
