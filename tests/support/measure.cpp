#include "measure.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "base/time.hpp"
#include "term_counter.hpp"

namespace yore::generator {
namespace {

namespace json = simdjson::ondemand;

constexpr std::size_t kWindowBytes = 4 << 20;
constexpr std::uint64_t kResultCapBytes = 4096;
constexpr std::array<std::string_view, 11> kInjected = {"<command-",
                                                        "<local-command",
                                                        "Caveat:",
                                                        "<bash-",
                                                        "<task-notification",
                                                        "[Request interrupted",
                                                        "<ide_",
                                                        "This session is being",
                                                        "<system-reminder",
                                                        "Stop hook",
                                                        "<teammate"};

bool is_injected(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \n\t");
  if (start == std::string_view::npos) return false;
  text.remove_prefix(start);
  return std::any_of(kInjected.begin(), kInjected.end(),
                     [text](std::string_view prefix) { return text.starts_with(prefix); });
}

// The raw bytes of a value. Consumes it.
std::string_view raw(json::value value) {
  switch (value.type()) {
    case json::json_type::object:
      return value.get_object().value().raw_json().value();
    case json::json_type::array:
      return value.get_array().value().raw_json().value();
    default:
      break;
  }
  std::string_view token = value.raw_json_token();
  while (!token.empty() && (token.back() == ' ' || token.back() == '\n')) token.remove_suffix(1);
  return token;
}

struct Span {
  std::int64_t first_ms = 0;
  std::int64_t last_ms = 0;
};

// What one line holds, gathered before anything is counted.
struct Line {
  std::array<std::uint64_t, kShares> bytes{};
  std::string type;
  std::int64_t time_ms = 0;
  bool meta = false;
  bool typed = false;           // holds text that a person typed
  std::uint64_t user_text = 0;  // raw, before it is known whether it was typed
  std::uint64_t conversation = 0;
  std::uint64_t work = 0;
  std::uint64_t capped = 0;
  std::uint32_t text_blocks = 0;
};

class Measurer {
 public:
  Status walk(const std::string& directory, std::string_view parent);
  Measure finish();

 private:
  Status file(const std::string& path);
  void line(simdjson::padded_string_view text, std::size_t raw_bytes);
  void record(json::object object);
  void message(json::object object);
  void block(json::object object);
  void result_content(json::value content);
  void input_strings(json::value value);
  void said(json::value text);
  std::uint64_t work_text(std::string_view text);
  void take_user_text(std::string_view raw_text, std::string_view text);

  std::uint64_t& bytes(Share share) { return line_.bytes[static_cast<std::size_t>(share)]; }

  Measure measure_;
  TermCounter terms_;
  json::parser parser_;
  Line line_;
  bool in_session_ = false;
  std::uint32_t session_turns_ = 0;
  bool backwards_ = false;
  std::int64_t last_ms_ = 0;
  Span span_;
  std::vector<Span> spans_;
};

Status Measurer::walk(const std::string& directory, std::string_view parent) {
  Result<std::vector<DirEntry>> entries = list_directory(directory);
  if (!entries) return entries.error();
  const std::string_view name = path_basename(directory);
  for (const DirEntry& entry : *entries) {
    const std::string path = path_join(directory, entry.name);
    if (entry.type == FileType::directory) {
      if (Status ok = walk(path, name); !ok.ok()) return ok;
      continue;
    }
    if (!path.ends_with(".jsonl")) continue;
    if (name == "subagents") {
      Result<FileStamp> stamp = stat_file(path);
      if (!stamp) return stamp.error();
      ++measure_.subagent_files;
      measure_.subagent_bytes += stamp->size_bytes;
    } else if (parent == "projects") {
      if (Status ok = file(path); !ok.ok()) return ok;
    }
  }
  return {};
}

Status Measurer::file(const std::string& path) {
  Result<InputFile> input = InputFile::open(path);
  if (!input) return input.error();
  session_turns_ = 0;
  in_session_ = backwards_ = false;
  last_ms_ = 0;
  span_ = {};
  std::string window;
  std::uint64_t offset = 0;
  while (true) {
    const std::size_t kept = window.size();
    window.resize(kept + kWindowBytes);
    const Result<std::size_t> got = input->read_at(offset, window.data() + kept, kWindowBytes);
    if (!got) return got.error();
    window.resize(kept + *got);
    offset += *got;
    window.reserve(window.size() + simdjson::SIMDJSON_PADDING);
    std::size_t start = 0;
    while (true) {
      const std::size_t end = window.find('\n', start);
      if (end == std::string::npos) break;
      const std::size_t capacity = window.capacity() - start;
      line(simdjson::padded_string_view(window.data() + start, end - start, capacity),
           end + 1 - start);
      start = end + 1;
    }
    window.erase(0, start);
    if (*got != 0) continue;
    // A last line without its line break.
    if (!window.empty())
      line(simdjson::padded_string_view(window.data(), window.size(), window.capacity()),
           window.size());
    break;
  }
  measure_.turns_per_session.push_back(session_turns_);
  if (backwards_) ++measure_.backwards_sessions;
  spans_.push_back(span_);
  return {};
}

void Measurer::line(simdjson::padded_string_view text, std::size_t raw_bytes) {
  measure_.raw_bytes += raw_bytes;
  ++measure_.lines;
  line_ = {};
  try {
    json::document document = parser_.iterate(text);
    record(document.get_object());
  } catch (const simdjson::simdjson_error&) {
    ++measure_.bad_lines;
    line_ = {};
  }
  const bool conversation = line_.type == "user" || line_.type == "assistant";
  bytes(line_.typed ? Share::user_text : Share::other) += line_.user_text;
  std::uint64_t accounted = 0;
  for (const std::uint64_t part : line_.bytes) accounted += part;
  if (line_.type == "progress") {
    bytes(Share::progress) = raw_bytes;
  } else {
    bytes(conversation ? Share::envelope : Share::other) += raw_bytes - accounted;
  }
  for (std::size_t i = 0; i < kShares; ++i) measure_.share_bytes[i] += line_.bytes[i];
  measure_.conversation_bytes += line_.conversation;
  measure_.work_bytes += line_.work;
  measure_.capped_text_bytes += line_.conversation + line_.capped;

  if (line_.time_ms != 0) {
    if (line_.time_ms + 1000 < last_ms_) backwards_ = true;
    last_ms_ = line_.time_ms;
    if (span_.first_ms == 0 || line_.time_ms < span_.first_ms) span_.first_ms = line_.time_ms;
    span_.last_ms = std::max(span_.last_ms, line_.time_ms);
  }
  if (line_.typed) {
    ++session_turns_;
    in_session_ = true;
    measure_.turns.emplace_back();
  }
  if (!in_session_) return;
  TurnMeasure& turn = measure_.turns.back();
  turn.raw_bytes += raw_bytes;
  turn.text_bytes += line_.conversation + line_.work;
  ++turn.lines;
  turn.text_blocks += line_.text_blocks;
}

void Measurer::record(json::object object) {
  // Type and meta first: what a text is depends on them, and they may stand behind it.
  line_.type = std::string_view(object["type"].get_string());
  if (line_.type == "progress") {
    const auto time = parse_iso8601(object["timestamp"].get_string().value());
    if (time) line_.time_ms = to_ms(*time);
    return;
  }
  object.reset();
  for (auto field : object) {
    const std::string_view key = field.unescaped_key();
    if (key == "isMeta" || key == "isCompactSummary") {
      bool flag = false;
      if (field.value().get(flag) == simdjson::SUCCESS && flag) line_.meta = true;
    } else if (key == "timestamp") {
      std::string_view text;
      if (field.value().get(text) != simdjson::SUCCESS) continue;
      if (const auto time = parse_iso8601(text)) line_.time_ms = to_ms(*time);
    }
  }
  if (line_.type != "user" && line_.type != "assistant") return;
  object.reset();
  for (auto field : object) {
    const std::string_view key = field.unescaped_key();
    if (key == "toolUseResult") bytes(Share::structured_result) += raw(field.value()).size();
    if (key == "message") message(field.value().get_object());
  }
}

void Measurer::message(json::object object) {
  for (auto field : object) {
    const std::string_view key = field.unescaped_key();
    json::value value = field.value();
    if (key == "usage") {
      bytes(Share::usage) += raw(value).size();
    } else if (key == "content" && value.type() == json::json_type::string) {
      said(value);
    } else if (key == "content" && value.type() == json::json_type::array) {
      for (auto element : value.get_array()) {
        json::value item = element.value();
        if (item.type() == json::json_type::object) block(item.get_object());
      }
    }
  }
}

void Measurer::said(json::value text) {
  std::string_view token = text.raw_json_token();
  while (!token.empty() && token.back() != '"') token.remove_suffix(1);
  const std::string_view words = text.get_string();
  if (line_.type == "assistant") {
    bytes(Share::assistant_text) += token.size();
    line_.conversation += words.size();
    ++line_.text_blocks;
    terms_.add(words);
    return;
  }
  take_user_text(token, words);
}

void Measurer::take_user_text(std::string_view raw_text, std::string_view text) {
  line_.user_text += raw_text.size();
  if (line_.meta || is_injected(text)) return;
  line_.typed = true;
  line_.conversation += text.size();
  terms_.add(text);
}

std::uint64_t Measurer::work_text(std::string_view text) {
  terms_.add(text);
  line_.work += text.size();
  return text.size();
}

void Measurer::block(json::object object) {
  const std::string type(std::string_view(object["type"].get_string()));
  object.reset();
  for (auto field : object) {
    const std::string_view key = field.unescaped_key();
    json::value value = field.value();
    if (type == "text" && key == "text") {
      said(value);
    } else if (type == "thinking" && key == "thinking") {
      bytes(Share::thinking) += raw(value).size();
      line_.capped += work_text(value.get_string());
    } else if (type == "thinking" && key == "signature") {
      bytes(Share::signature) += raw(value).size();
    } else if (type == "tool_use" && key == "input" && value.type() == json::json_type::object) {
      json::object input = value.get_object();
      bytes(Share::tool_input) += input.raw_json().value().size();
      input.reset();
      for (auto member : input) input_strings(member.value());
    } else if (type == "tool_result" && key == "content") {
      result_content(value);
    } else if (type == "image" && key == "source") {
      bytes(Share::image) += raw(value).size();
    }
  }
}

void Measurer::input_strings(json::value value) {
  if (value.type() == json::json_type::string) {
    line_.capped += work_text(value.get_string());
  } else if (value.type() == json::json_type::array) {
    for (auto element : value.get_array()) input_strings(element.value());
  } else if (value.type() == json::json_type::object) {
    for (auto member : value.get_object()) input_strings(member.value());
  }
}

void Measurer::result_content(json::value content) {
  std::uint64_t text_bytes = 0;
  if (content.type() == json::json_type::string) {
    bytes(Share::tool_result) += raw(content).size();
    text_bytes = work_text(content.get_string());
  } else if (content.type() == json::json_type::array) {
    json::array items = content.get_array();
    bytes(Share::tool_result) += items.raw_json().value().size();
    items.reset();
    for (auto element : items) {
      json::value item = element.value();
      if (item.type() != json::json_type::object) continue;
      for (auto field : item.get_object()) {
        const std::string_view key = field.unescaped_key();
        json::value value = field.value();
        if (key == "text") text_bytes += work_text(value.get_string());
        if (key != "source") continue;
        const std::uint64_t image = raw(value).size();
        bytes(Share::image) += image;
        bytes(Share::tool_result) -= image;
      }
    }
  }
  line_.capped += std::min(text_bytes, kResultCapBytes);
}

Measure Measurer::finish() {
  // Sorted by start, a session overlaps another when the latest end before it, or the next start
  // after it, lies inside.
  std::sort(spans_.begin(), spans_.end(),
            [](const Span& a, const Span& b) { return a.first_ms < b.first_ms; });
  std::int64_t latest_end = 0;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    const bool before = i > 0 && latest_end > spans_[i].first_ms;
    const bool after = i + 1 < spans_.size() && spans_[i + 1].first_ms < spans_[i].last_ms;
    if (before || after) ++measure_.overlapping_sessions;
    latest_end = std::max(latest_end, spans_[i].last_ms);
  }
  measure_.tokens = terms_.tokens();
  measure_.terms = terms_.terms();
  measure_.heaps_beta = terms_.heaps_beta();
  return std::move(measure_);
}

}  // namespace

double Measure::share(Share kind) const {
  if (raw_bytes == 0) return 0;
  return 100.0 * static_cast<double>(share_bytes[static_cast<std::size_t>(kind)]) /
         static_cast<double>(raw_bytes);
}

double Measure::per_gb(std::uint64_t count) const {
  return raw_bytes == 0 ? 0 : static_cast<double>(count) * 1e9 / static_cast<double>(raw_bytes);
}

Result<Measure> measure_directory(const std::string& directory) {
  const auto measurer = std::make_unique<Measurer>();
  if (Status walked = measurer->walk(directory, ""); !walked.ok()) return walked.error();
  return measurer->finish();
}

}  // namespace yore::generator
