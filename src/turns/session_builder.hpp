// session_builder.hpp — records of one session in, rows for the store out.
//
// Feed records in order, call take() at any moment: the Delta holds what is new since the last
// take(). Sealed passages never change again; open ones (the last tool and thinking passage, queued
// prompts that may still be withdrawn) are given whole each time and replace the open ones before.
// What stands between yore's own fences is left out, wherever it was said (fence.hpp).
// Splitting the input differently gives the same passages in the end, in the same order.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "transcript/record.hpp"
#include "turns/turn_types.hpp"

namespace yore::turns {

struct Delta {
  std::vector<Turn> turns;            // new or grown, by number
  std::vector<Time> times_before;     // for each of them the last time seen before it began
  std::vector<TurnNumber> abandoned;  // older turns, by number
  std::vector<Passage> sealed;
  std::vector<Passage> open;
  SessionFacts facts;                  // whole, as of now
  std::vector<LeafTitle> leaf_titles;  // new
  std::string new_keys;                // 8 bytes each
  std::string state;                   // for restore()
};

class SessionBuilder final : public transcript::RecordSink {
 public:
  SessionBuilder();
  ~SessionBuilder() override;
  SessionBuilder(SessionBuilder&&) noexcept;
  SessionBuilder& operator=(SessionBuilder&&) noexcept;

  static Result<SessionBuilder> restore(std::string_view state, std::string_view all_keys);

  // Turns of these origins leave nothing but their number. Ask for it before the first record.
  using IsForgotten = std::function<bool(std::uint64_t origin)>;
  void leave_out(IsForgotten is_forgotten);
  // Puts masks in the place of secrets (text/secrets/secrets.hpp). What turns are known by, their
  // origin and content, is made of the text as it was. Ask for it before the first record.
  void mask_secrets();
  // A person typed "yore: private" on a line of its own.
  [[nodiscard]] bool is_private() const;
  // It begins with a prompt that is nothing but what yore made (fence.hpp).
  [[nodiscard]] bool is_own() const;

  void record(const transcript::Record& record) override;
  void problem(transcript::ProblemKind kind, std::uint64_t line) override;
  void unknown(std::string_view what) override;

  // Bytes of text waiting in the next Delta: callers flush when it grows large.
  [[nodiscard]] std::size_t pending_bytes() const;
  Delta take();

  struct Problem {
    transcript::ProblemKind kind;
    std::uint64_t line;
  };
  // Since the last call.
  std::vector<Problem> take_problems();
  std::vector<std::pair<std::string, std::uint64_t>> take_unknown();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace yore::turns
