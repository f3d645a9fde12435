// replay.hpp — step by step reading of formats that only make sense as a whole: a JSON document, a
// log in which later lines replace earlier ones.
//
// The adapter reads such a file from its start each time and tells a ReplaySink everything it has
// to say of it, in an order that growth of the file only adds to. The sink hands on what was not
// handed on before. The cursor says how much that was, and its hash; 17 bytes, little-endian:
//   u8  'R'
//   u64 count   calls of the sink: records, problems, unknown things
//   u64 hash    of all of them, in order
// Whatever changed among them (a message replaced by another, a problem gone) makes the cursor
// unfit, and the file is to be read again. So reading in any steps gives what reading once gives.
//
// Cost: a step parses the file up to where it ends; memory O(1).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "transcript/adapter.hpp"
#include "transcript/record.hpp"

namespace yore::transcript {

class ReplaySink final : public RecordSink {
 public:
  // Hands on to `next` what comes after `from`. `next` must outlive it.
  ReplaySink(RecordSink& next, const Cursor& from, const ReadLimits& limits);
  // Hands on nothing: for asking fits().
  explicit ReplaySink(const Cursor& from);

  void record(const Record& record) override;
  void problem(ProblemKind kind, std::uint64_t line) override;
  void unknown(std::string_view what) override;

  // After each message: the raw bytes it was made of.
  void consumed(std::uint64_t bytes);
  // Ask between two messages: nothing more is wanted for now.
  [[nodiscard]] bool full() const;
  // So much was heard as the cursor speaks of, and it was the same.
  [[nodiscard]] bool fits() const { return state_ == State::passing; }

  // `more`: the adapter stopped because the sink was full. An error when the file has changed under
  // the reading; nothing was handed on then.
  [[nodiscard]] Result<ReadStep> step(const std::string& path, bool more) const;

 private:
  enum class State : std::uint8_t { comparing, passing, unfit };

  // True: hand it on.
  bool hear();
  void compare();
  void put(std::string_view text);
  void put(std::uint64_t value);
  void put_blocks(const Record& record);

  RecordSink* next_ = nullptr;
  State state_ = State::comparing;
  std::uint64_t wanted_count_ = 0;
  std::uint64_t wanted_hash_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t hash_ = 0;
  std::uint64_t max_bytes_ = UINT64_MAX;
  std::uint64_t bytes_ = 0;
  bool handed_on_ = false;
  std::string call_;  // the call that is being heard, as bytes to hash
};

}  // namespace yore::transcript
