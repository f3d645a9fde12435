#include "transcript/dialects/gemini/log.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "text/utf8.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/unknown_names.hpp"

namespace yore::transcript::gemini {
namespace {

namespace ondemand = simdjson::ondemand;

// A file of more values is no conversation; the rest of it is not read.
constexpr std::uint32_t kMaxPlaces = 4'000'000;
constexpr std::size_t kMaxListed = 1'000'000;
constexpr std::size_t kTitleBytes = 2000;

constexpr std::array<std::string_view, 12> kSessionKeys = {
    "activeExtensionName", "directories", "kind",        "lastUpdated",
    "memoryScratchpad",    "messages",    "projectHash", "sessionId",
    "startTime",           "summary",     "$set",        "$patch"};

// False: malformed JSON.
bool is_string(ondemand::value field, bool& out) {
  ondemand::json_type type{};
  if (!get_type(field, type)) return false;
  out = type == ondemand::json_type::string;
  return true;
}

}  // namespace

bool is_session_key(std::string_view key) {
  return std::ranges::find(kSessionKeys, key) != kSessionKeys.end();
}

Result<Log> LogScanner::scan(const std::string& path) {
  const auto stamp = stat_file(path);
  if (!stamp) return stamp.error();
  const auto step =
      read_jsonl(path, {}, {}, *this, [this](ondemand::object& object, const LineInfo& where) {
        return read_value(object, where);
      });
  if (!step) return step.error();
  if (step->more) return Error{Errc::io, path + ": could not be read to its end"};
  settle_problems(UINT64_MAX);
  if (!log_.places.empty() && log_.places.back().end == 0) {
    log_.places.back().end = std::max(stamp->size_bytes, step->bytes_read);
  }
  return std::move(log_);
}

// --- one value ---------------------------------------------------------------------------------

bool LogScanner::read_value(ondemand::object& object, const LineInfo& where) {
  value_ = {};
  list_.clear();
  unknown_keys_.clear();
  parts_.clear();
  content_.clear();
  type_ = {};
  const bool fine = each_field(object, [&](std::string_view key, ondemand::value field) {
    if (value_.first_key.empty()) value_.first_key = key;
    return read_field(key, field);
  });
  if (!fine) return false;
  finish_glimpse(value_.message);
  take(where);
  return true;
}

bool LogScanner::read_field(std::string_view key, ondemand::value field) {
  if (key == "$rewindTo") {
    if (!is_string(field, value_.is_rewind)) return false;
    return get_text(field, value_.rewind_to);
  }
  if (key == "$patch") value_.is_update = true;
  if (key == "$set") return read_update(field);
  if (key == "sessionId") value_.is_update = true;
  if (key == "id" && !is_string(field, value_.is_message)) return false;
  if (!read_glimpse_field(key, field, value_.message)) return false;
  return read_metadata(key, field);
}

bool LogScanner::read_update(ondemand::value update) {
  value_.is_update = true;
  return each_field(update, [&](std::string_view key, ondemand::value field) {
    return read_metadata(key, field);
  });
}

bool LogScanner::read_metadata(std::string_view key, ondemand::value field) {
  if (key == "summary") return get_text(field, value_.title);
  if (key == "projectHash") return get_text(field, value_.hash);
  if (key == "messages") return read_list(field);
  const bool room = unknown_keys_.size() < kMaxUnknown;
  if (room && !is_session_key(key)) unknown_keys_.push_back(key);
  return true;
}

bool LogScanner::read_list(ondemand::value list) {
  ondemand::json_type type{};
  if (!get_type(list, type)) return false;
  if (type != ondemand::json_type::array) return true;
  value_.is_list = true;
  return each_item(list, [&](ondemand::value item) {
    Glimpse glimpse;
    content_.clear();
    type_ = {};
    const bool fine = each_field(item, [&](std::string_view key, ondemand::value field) {
      return read_glimpse_field(key, field, glimpse);
    });
    finish_glimpse(glimpse);
    if (list_.size() < kMaxListed) list_.push_back(std::move(glimpse));
    return fine;
  });
}

bool LogScanner::read_glimpse_field(std::string_view key, ondemand::value field, Glimpse& out) {
  if (key == "id") return get_text(field, out.id);
  if (key == "type") return get_text(field, type_);
  if (key == "content") return parts_.read(field, content_);
  if (key != "toolCalls") return true;
  ondemand::json_type type{};
  if (!get_type(field, type)) return false;
  if (type != ondemand::json_type::array) return true;
  return each_item(field, [&](ondemand::value call) {
    std::string_view id;
    const bool fine = each_field(call, [&](std::string_view name, ondemand::value inner) {
      return name != "id" || get_text(inner, id);
    });
    if (!id.empty()) out.tools.push_back(hash64(id));
    return fine;
  });
}

// The same words come as one string and as parts of any size: only their sequence counts.
void LogScanner::finish_glimpse(Glimpse& out) {
  std::string words;
  for (const GenaiPart& part : content_) {
    if (part.kind == GenaiKind::text) words += part.text;
    const bool tool = part.kind == GenaiKind::call || part.kind == GenaiKind::response;
    if (tool && !part.id.empty()) out.tools.push_back(hash64(part.id));
  }
  const std::string_view said = text::trim(words);
  if (!said.empty()) out.text = hash64(said, hash64(type_));
}

// --- what it means -----------------------------------------------------------------------------

void LogScanner::take(const LineInfo& where) {
  settle_problems(where.line);
  if (!log_.places.empty() && log_.places.back().end == 0) log_.places.back().end = where.offset;
  if (value_.is_rewind) return take_rewind();
  if (value_.is_message) return take_message(where);
  if (!value_.is_update && !value_.is_list) {
    return add_text(LogItem::Kind::unknown, unknown_name("line ", value_.first_key), where.line);
  }
  for (const std::string_view key : unknown_keys_) {
    add_text(LogItem::Kind::unknown, unknown_name("session.", key), where.line);
  }
  if (!value_.hash.empty()) add_text(LogItem::Kind::hash, value_.hash, where.line);
  if (!value_.title.empty()) {
    add_text(LogItem::Kind::title, text::prefix_bytes(value_.title, kTitleBytes), where.line);
  }
  if (value_.is_list) take_list(where);
}

void LogScanner::take_message(const LineInfo& where) {
  const std::uint32_t place = add_place(where);
  if (place == kMaxPlaces) return;
  const auto known = by_id_.find(hash64(value_.message.id));
  if (known == by_id_.end()) return add_message(value_.message, place, kNoList);
  LogMessage& message = log_.messages[known->second];
  message.version = place;
  message.list_index = kNoList;
  for (const std::uint64_t tool : value_.message.tools) tools_.emplace(tool, known->second);
}

// Messages that the model is to have before it. Those under a new id may still be old ones.
void LogScanner::take_list(const LineInfo& where) {
  const std::uint32_t place = add_place(where);
  if (place == kMaxPlaces) return;
  std::unordered_map<std::uint64_t, std::uint32_t> times;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const Glimpse& glimpse = list_[i];
    if (glimpse.id.empty()) continue;
    const std::uint32_t time = glimpse.text == 0 ? 0 : ++times[glimpse.text];
    const std::uint64_t id = hash64(glimpse.id);
    if (by_id_.contains(id)) continue;
    if (!is_known(glimpse, time)) {
      add_message(glimpse, place, static_cast<std::uint32_t>(i));
      continue;
    }
    by_id_.emplace(
        id, glimpse.text != 0 ? by_text_.at(glimpse.text).last : tools_.at(glimpse.tools.front()));
  }
}

// `times`: so often its words have come in the list so far. A person may well say "go on" twice.
bool LogScanner::is_known(const Glimpse& glimpse, std::uint32_t times) const {
  if (glimpse.text == 0 && glimpse.tools.empty()) return false;
  const auto known_tool = [this](std::uint64_t tool) { return tools_.contains(tool); };
  if (!std::ranges::all_of(glimpse.tools, known_tool)) return false;
  if (glimpse.text == 0) return true;
  const auto said = by_text_.find(glimpse.text);
  return said != by_text_.end() && times <= said->second.times;
}

void LogScanner::take_rewind() {
  const auto known = by_id_.find(hash64(value_.rewind_to));
  LogItem item;
  item.kind = LogItem::Kind::rewind;
  item.number = known == by_id_.end() ? 0 : known->second;
  log_.items.push_back(item);
}

// kMaxPlaces: there is no room for it.
std::uint32_t LogScanner::add_place(const LineInfo& where) {
  if (log_.places.size() == kMaxPlaces) {
    if (!std::exchange(overflown_, true)) problem(ProblemKind::oversized, where.line);
    return kMaxPlaces;
  }
  message_line_ = where.line;
  log_.places.push_back({where.offset, 0, where.line});
  return static_cast<std::uint32_t>(log_.places.size() - 1);
}

void LogScanner::add_message(const Glimpse& glimpse, std::uint32_t place,
                             std::uint32_t list_index) {
  const auto number = static_cast<std::uint32_t>(log_.messages.size());
  log_.messages.push_back({place, place, list_index});
  LogItem item;
  item.number = number;
  log_.items.push_back(item);
  by_id_.emplace(hash64(glimpse.id), number);
  for (const std::uint64_t tool : glimpse.tools) tools_.emplace(tool, number);
  if (glimpse.text == 0) return;
  Occurrences& said = by_text_[glimpse.text];
  ++said.times;
  said.last = number;
}

void LogScanner::add_text(LogItem::Kind kind, std::string_view text, std::uint64_t line) {
  LogItem item;
  item.kind = kind;
  item.number = static_cast<std::uint32_t>(log_.texts.size());
  item.line = line;
  log_.items.push_back(item);
  log_.texts.emplace_back(text);
}

// --- problems ----------------------------------------------------------------------------------

void LogScanner::problem(ProblemKind kind, std::uint64_t line) {
  settle_problems(line);
  LogItem item;
  item.kind = LogItem::Kind::problem;
  item.problem = kind;
  item.line = line;
  pending_.push_back(item);
}

// What is wrong with a message is told when it is read for good.
void LogScanner::settle_problems(std::uint64_t next_line) {
  if (pending_.empty() || pending_.front().line == next_line) return;
  if (pending_.front().line != message_line_) {
    log_.items.insert(log_.items.end(), pending_.begin(), pending_.end());
  }
  pending_.clear();
}

}  // namespace yore::transcript::gemini
