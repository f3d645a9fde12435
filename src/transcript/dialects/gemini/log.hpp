// log.hpp — which lines of a log count, found in one pass over it; see replay.hpp.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "transcript/dialects/genai.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/record.hpp"

namespace yore::transcript::gemini {

inline constexpr std::uint32_t kNoList = UINT32_MAX;

// A value in the file: a message, or a line with a list of them.
struct ValueSpan {
  std::uint64_t offset = 0;
  std::uint64_t end = 0;  // where the next value starts, or the file ends
  std::uint64_t line = 0;
};

struct LogMessage {
  std::uint32_t first = 0;             // place: where it stands
  std::uint32_t version = 0;           // place: what it says
  std::uint32_t list_index = kNoList;  // which of the list at `version`
};

struct LogItem {
  enum class Kind : std::uint8_t { message, rewind, title, hash, unknown, problem };
  Kind kind = Kind::message;
  std::uint32_t number = 0;  // message: its index; rewind: the first that is taken back;
                             // title, hash, unknown: index of the text
  ProblemKind problem = ProblemKind::invalid_json;
  std::uint64_t line = 0;
};

// What a log says, in the order in which it says it.
struct Log {
  std::vector<LogItem> items;
  std::vector<LogMessage> messages;
  std::vector<ValueSpan> places;
  std::vector<std::string> texts;
};

class LogScanner final : public RecordSink {
 public:
  Result<Log> scan(const std::string& path);

  void record(const Record&) override {}
  void problem(ProblemKind kind, std::uint64_t line) override;
  void unknown(std::string_view) override {}

 private:
  // As much of a message as tells it from others.
  struct Glimpse {
    std::string_view id;
    std::uint64_t text = 0;            // hash of who said it and what; 0: nothing
    std::vector<std::uint64_t> tools;  // hashes of the ids of calls and results
  };
  struct Value {
    std::string_view first_key;
    bool is_rewind = false;
    bool is_update = false;
    bool is_message = false;
    bool is_list = false;
    std::string_view rewind_to;
    std::string_view title;
    std::string_view hash;
    Glimpse message;
  };

  bool read_value(simdjson::ondemand::object& object, const LineInfo& where);
  bool read_field(std::string_view key, simdjson::ondemand::value field);
  bool read_update(simdjson::ondemand::value update);
  bool read_metadata(std::string_view key, simdjson::ondemand::value field);
  bool read_list(simdjson::ondemand::value list);
  bool read_glimpse_field(std::string_view key, simdjson::ondemand::value field, Glimpse& out);
  void finish_glimpse(Glimpse& out);

  void take(const LineInfo& where);
  void take_message(const LineInfo& where);
  void take_list(const LineInfo& where);
  void take_rewind();
  std::uint32_t add_place(const LineInfo& where);
  void add_message(const Glimpse& glimpse, std::uint32_t place, std::uint32_t list_index);
  void add_text(LogItem::Kind kind, std::string_view text, std::uint64_t line);
  [[nodiscard]] bool is_known(const Glimpse& glimpse, std::uint32_t times) const;
  void settle_problems(std::uint64_t next_line);

  Log log_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_id_;
  struct Occurrences {
    std::uint32_t times = 0;
    std::uint32_t last = 0;
  };
  std::unordered_map<std::uint64_t, Occurrences> by_text_;
  std::unordered_map<std::uint64_t, std::uint32_t> tools_;  // the message that holds it
  std::vector<LogItem> pending_;                            // problems of one line
  std::uint64_t message_line_ = 0;
  bool overflown_ = false;

  Value value_;
  std::vector<Glimpse> list_;
  std::vector<std::string_view> unknown_keys_;
  GenaiParts parts_;
  GenaiPartList content_;
  std::string_view type_;
};

// A key of the document or of the log's metadata that is understood, or of no use here.
bool is_session_key(std::string_view key);

}  // namespace yore::transcript::gemini
