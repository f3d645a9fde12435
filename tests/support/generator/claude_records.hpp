// claude_records.hpp — the lines of a Claude Code transcript: envelopes, chains of parents, time.
//
// Two generations of the format are written. "Modern" files carry attachments, entrypoint and
// repeated titles; older ones carry progress lines, file snapshots and a slug.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "generator/random.hpp"

namespace yore::generator {

// A transcript file in the making. Lines gather in `out` until the owner takes them away.
struct Chain {
  std::string prefix;  // of each envelope, after parentUuid
  std::string suffix;  // of each envelope, after timestamp
  std::string parent;  // uuid of the last record; "" at the root
  std::string out;
  std::uint32_t lines = 0;
};

// Time of a session. Each record moves it on; some are stamped earlier than the one before.
struct Clock {
  std::int64_t now_ms = 0;
  std::int64_t step_back_ms = 0;  // for the next record only
};

struct EnvelopeFacts {
  std::string_view session_id;
  std::string_view cwd;  // escaped
  std::string_view branch;
  std::string_view version;
  std::string_view slug;
  std::string_view agent_id;  // "" in a main session
  bool modern = false;
};
Chain make_chain(const EnvelopeFacts& facts);

class RecordWriter {
 public:
  RecordWriter(Rng& rng, Clock& clock, bool modern) : rng_(rng), clock_(clock), modern_(modern) {}

  // A record with uuid and parent: `body` is its own fields, `more` those after the timestamp.
  // Returns the uuid.
  const std::string& chained(Chain& chain, std::string_view body, std::string_view more = {});
  // A line without uuid.
  void bare(Chain& chain, std::string_view object);

  // Opens an assistant message; the blocks that follow share its id.
  void begin_message(std::string_view model);
  // The body of one line of that message, holding one content block.
  void assistant_body(std::string& body, std::string_view block, std::string_view stop_reason);

  void append_time(std::string& out) const;
  [[nodiscard]] std::string_view request_id() const { return request_id_; }
  [[nodiscard]] std::string_view message_id() const { return message_id_; }

 private:
  void append_usage(std::string& out);

  Rng& rng_;
  Clock& clock_;
  bool modern_;
  std::string_view model_;
  std::string message_id_;
  std::string request_id_;
  std::uint32_t cached_tokens_ = 12'000;
};

}  // namespace yore::generator
