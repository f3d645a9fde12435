#include "transcript/dialects/gemini/replay.hpp"

#include <simdjson.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "text/utf8.hpp"
#include "transcript/dialects/gemini/log.hpp"
#include "transcript/dialects/gemini/records.hpp"
#include "transcript/input/json_pieces.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/unknown_names.hpp"

namespace yore::transcript::gemini {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kLogSuffix = ".jsonl";
constexpr std::size_t kMaxFactBytes = 64 << 10;

// A newline between two fields would pass for the end of a line.
std::string on_one_line(std::string_view json) {
  std::string line(json);
  for (std::size_t at = line.find('\n'); at != std::string::npos; at = line.find('\n', at + 1)) {
    line[at] = ' ';
  }
  return line;
}

// The message whose JSON text this is.
void read_message(std::string_view json, const LineInfo& where, ReplaySink& sink,
                  MessageReader& reader) {
  const std::string line = on_one_line(json);
  read_json_text(line, where, sink, [&](ondemand::object& object, const LineInfo& at) {
    return reader.read(object, at);
  });
}

// --- documents ---------------------------------------------------------------------------------

// The strings of a document that are no messages.
struct Facts {
  std::string title;
  std::string hash;
};

Facts read_facts(std::string_view summary, std::string_view hash, ReplaySink& sink) {
  Facts facts;
  std::string json = "{\"a\":";
  json.append(summary.empty() ? "null" : summary).append(",\"b\":");
  json.append(hash.empty() ? "null" : hash).append("}");
  read_json_text(on_one_line(json), {0, 1}, sink, [&](ondemand::object& object, const LineInfo&) {
    std::string_view title;
    std::string_view digits;
    const bool fine = each_field(object, [&](std::string_view key, ondemand::value field) {
      return get_text(field, key == "a" ? title : digits);
    });
    facts = {std::string(title), std::string(digits)};
    return fine;
  });
  return facts;
}

class Document {
 public:
  Document(std::string_view text, ReplaySink& sink) : text_(text), sink_(sink), reader_(sink) {}

  bool deliver() {
    if (text::is_blank(text_)) return false;
    std::string_view messages;
    std::string_view summary;
    std::string_view hash;
    const bool whole = each_raw_field(text_, [&](std::string_view key, std::string_view value) {
      if (key == "messages") messages = value;
      if (key == "summary" && value.size() <= kMaxFactBytes) summary = value;
      if (key == "projectHash" && value.size() <= kMaxFactBytes) hash = value;
      if (is_session_key(key)) return;
      sink_.unknown(unknown_name("session.", key));
    });
    const Facts facts = read_facts(summary, hash, sink_);
    reader_.set_project_hash(facts.hash);
    if (!facts.title.empty()) reader_.deliver_title(facts.title, {0, 1});
    if (whole && messages.empty()) sink_.problem(ProblemKind::unknown_schema, 1);
    const bool listed = each_raw_item(messages, [&](std::string_view item) { deliver_item(item); });
    if (stopped_ || (whole && (listed || messages.empty()))) return stopped_;
    sink_.problem(whole ? ProblemKind::wrong_type : ProblemKind::invalid_json, line_);
    return stopped_;
  }

 private:
  void deliver_item(std::string_view item) {
    stopped_ = stopped_ || sink_.full();
    if (stopped_) return;
    const auto offset = static_cast<std::size_t>(item.data() - text_.data());
    line_ += static_cast<std::uint64_t>(
        std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                   text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
    counted_ = offset;
    reader_.begin(number_++);
    read_message(item, {offset, line_}, sink_, reader_);
    sink_.consumed(item.size());
  }

  std::string_view text_;
  ReplaySink& sink_;
  MessageReader reader_;
  std::uint32_t number_ = 0;
  std::size_t counted_ = 0;  // newlines up to here are in line_
  std::uint64_t line_ = 1;
  bool stopped_ = false;
};

// --- logs --------------------------------------------------------------------------------------

class LogPlayer {
 public:
  LogPlayer(const Log& log, const InputFile& file, ReplaySink& sink)
      : log_(log), file_(file), sink_(sink), reader_(sink) {}

  Result<bool> deliver() {
    for (const LogItem& item : log_.items) {
      if (sink_.full()) return true;
      if (const Status played = play(item); !played.ok()) return played.error();
    }
    return false;
  }

 private:
  Status play(const LogItem& item) {
    switch (item.kind) {
      case LogItem::Kind::message:
        return play_message(item.number);
      case LogItem::Kind::rewind:
        reader_.rewind(item.number);
        break;
      case LogItem::Kind::title:
        reader_.deliver_title(log_.texts[item.number], {0, item.line});
        break;
      case LogItem::Kind::hash:
        reader_.set_project_hash(log_.texts[item.number]);
        break;
      case LogItem::Kind::unknown:
        sink_.unknown(log_.texts[item.number]);
        break;
      case LogItem::Kind::problem:
        sink_.problem(item.problem, item.line);
        break;
    }
    return {};
  }

  Status play_message(std::uint32_t number) {
    const LogMessage& message = log_.messages[number];
    const ValueSpan& first = log_.places[message.first];
    if (const Status loaded = load(message.version); !loaded.ok()) return loaded.error();
    LineInfo where{first.offset, first.line};
    std::string_view json = value_;
    if (message.list_index != kNoList) {
      if (list_.empty()) split_list();
      if (message.list_index >= list_.size()) return {};
      json = list_[message.list_index];
      where.offset += static_cast<std::uint64_t>(json.data() - value_.data());
    }
    reader_.begin(number);
    read_message(json, where, sink_, reader_);
    sink_.consumed(json.size());
    return {};
  }

  // One more byte than a record may have is enough to see that it is too long.
  Status load(std::uint32_t place) {
    if (place == loaded_) return {};
    const auto& [offset, end, line] = log_.places[place];
    const std::uint64_t size = end < offset ? 0 : std::min(end - offset, kMaxRecordBytes + 1);
    value_.resize(size);
    const auto got = file_.read_at(offset, value_.data(), size);
    if (!got) return got.error();
    value_.resize(std::min<std::size_t>(*got, value_.find('\n')));
    loaded_ = place;
    list_.clear();
    return {};
  }

  void split_list() {
    const auto split = [this](std::string_view key, std::string_view value) {
      if (key != "messages") return;
      list_.clear();
      each_raw_item(value, [this](std::string_view item) { list_.push_back(item); });
    };
    each_raw_field(value_, [&](std::string_view key, std::string_view value) {
      split(key, value);
      if (key == "$set") each_raw_field(value, split);
    });
  }

  const Log& log_;
  const InputFile& file_;
  ReplaySink& sink_;
  MessageReader reader_;
  std::uint32_t loaded_ = UINT32_MAX;
  std::string value_;
  std::vector<std::string_view> list_;
};

Result<bool> replay_log(const std::string& path, ReplaySink& sink) {
  const auto log = LogScanner().scan(path);
  if (!log) return log.error();
  const auto file = InputFile::open(path);
  if (!file) return file.error();
  return LogPlayer(*log, *file, sink).deliver();
}

Result<bool> replay_document(const std::string& path, ReplaySink& sink) {
  const auto text = read_file(path, kMaxDocumentBytes);
  if (!text) return text.error();
  const bool more = Document(*text, sink).deliver();
  if (!more && text->size() == kMaxDocumentBytes) sink.problem(ProblemKind::oversized, 1);
  return more;
}

}  // namespace

Result<bool> replay(const std::string& path, ReplaySink& sink) {
  return path.ends_with(kLogSuffix) ? replay_log(path, sink) : replay_document(path, sink);
}

Result<bool> is_resumable(const std::string& path, const Cursor& cursor) {
  ReplaySink sink(cursor);
  const auto played = replay(path, sink);
  if (!played) return played.error();
  return sink.fits();
}

Result<ReadStep> read(const std::string& path, const Cursor& cursor, const ReadLimits& limits,
                      RecordSink& sink) {
  ReplaySink replayed(sink, cursor, limits);
  const auto more = replay(path, replayed);
  if (!more) return more.error();
  return replayed.step(path, *more);
}

}  // namespace yore::transcript::gemini
