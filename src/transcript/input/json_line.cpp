#include "transcript/input/json_line.hpp"

#include <algorithm>
#include <bit>

#include "transcript/input/json_chars.hpp"
#include "transcript/input/json_repair.hpp"
#include "transcript/input/json_scan.hpp"

namespace yore::transcript {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::SIMDJSON_PADDING;

constexpr std::size_t kMinParserBytes = 64 << 10;
constexpr std::string_view kBom = "\xEF\xBB\xBF";

std::string_view without_trailing_blanks(std::string_view text) {
  while (!text.empty() && is_json_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

void LineReader::read_line(std::string_view line, const LineInfo& where, bool continued) {
  begin(where);
  const std::string_view text = without_trailing_blanks(line);
  const std::size_t start = value_start(text);
  if (start == text.size()) return;
  if (text[start] != '{') return read_values(text, start, continued, false);
  const std::size_t size = run(text.substr(start), start);
  if (size == text.size() - start) return;  // as good as always
  if (size == std::string_view::npos) return read_values(text, start, continued, true);
  read_values(text, start + size, true, false);
}

std::size_t LineReader::read_tail(std::string_view text, const LineInfo& where) {
  begin(where);
  std::size_t consumed = 0;
  for (std::size_t at = value_start(text); at < text.size() && text[at] == '{';
       at = skip_json_space(text, consumed)) {
    const std::size_t size = json_extent(text.substr(at));
    if (size == std::string_view::npos) break;
    const std::string_view value = text.substr(at, size);
    if (!is_valid_json(value) || run(value, at) != size) break;
    consumed = at + size;
  }
  return consumed;
}

void LineReader::read_oversized(std::string_view head, const LineInfo& where) {
  begin(where);
  report(ProblemKind::oversized);
  muted_ = true;
  std::size_t at = value_start(head);
  while (at < head.size() && head[at] == '{') {
    const std::size_t size = json_extent(head.substr(at));
    if (size == std::string_view::npos) {
      const Padded closed{close_json(head.substr(at))};
      if (!closed.view().empty()) read_value(closed.view(), at, false);
      return;
    }
    read_value(head.substr(at, size), at, false);
    at = skip_json_space(head, at + size);
  }
}

void LineReader::begin(const LineInfo& where) {
  where_ = where;
  reported_ = 0;
  muted_ = false;
}

void LineReader::report(ProblemKind kind) {
  const unsigned bit = 1U << static_cast<unsigned>(kind);
  if (muted_ || (reported_ & bit) != 0) return;
  reported_ |= bit;
  sink_.problem(kind, where_.line);
}

std::size_t LineReader::value_start(std::string_view text) const {
  const bool bom = where_.offset == 0 && text.substr(0, kBom.size()) == kBom;
  return skip_json_space(text, bom ? kBom.size() : 0);
}

// Runs the handler over the object at the start of `text`, which stands at `at` in its line.
// Returns the object's size, or std::string_view::npos when it was not read.
std::size_t LineReader::run(std::string_view text, std::size_t at) {
  if (parser_.capacity() < text.size()) {
    // In powers of two, so that slowly growing lines do not allocate each time.
    const std::size_t capacity = std::bit_ceil(std::max(text.size(), kMinParserBytes));
    if (parser_.allocate(capacity) != simdjson::SUCCESS) return std::string_view::npos;
  }
  ondemand::document document;
  ondemand::object object;
  if (parser_.iterate(text.data(), text.size(), text.size() + SIMDJSON_PADDING).get(document)) {
    return std::string_view::npos;
  }
  if (document.get_object().get(object)) return std::string_view::npos;
  // A row's position is its number, the same for all that is in it.
  const std::uint64_t offset = where_.line == 0 ? where_.offset : where_.offset + at;
  if (!on_object_(object, LineInfo{offset, where_.line})) return std::string_view::npos;
  return finish(document, object, text);
}

// The size of an object of which the handler has read as much as it wanted.
std::size_t LineReader::finish(ondemand::document& document, ondemand::object& object,
                               std::string_view text) {
  // No key holds a raw newline: the search skips all fields that are left.
  const auto error = object.find_field("\n").error();
  const char* next = nullptr;
  if (error == simdjson::NO_SUCH_FIELD && document.is_alive()) {
    if (document.current_location().get(next)) return text.size();
    if (next > text.data() && next < text.data() + text.size()) {
      return static_cast<std::size_t>(next - text.data());
    }
  }
  // Broken behind the part that the handler wanted: the record stays, the rest of it is counted.
  report(ProblemKind::invalid_json);
  return text.size();
}

// All values of a line from `at` on. `after_value`: there was one before. `tried`: the parser or
// the handler has already refused the text as a whole.
void LineReader::read_values(std::string_view text, std::size_t at, bool after_value, bool tried) {
  while (at < text.size()) {
    std::size_t open = std::min(text.find('{', at), text.size());
    // Only the last of several in a row can start a value: a newline may have become a bracket.
    while (open + 1 < text.size() && text[open + 1] == '{') ++open;
    if (!pass_gap(text, at, open, after_value) || open == text.size()) return;
    const std::size_t size = json_extent(text.substr(open));
    if (size == std::string_view::npos) return report(ProblemKind::invalid_json);
    read_value(text.substr(open, size), open, tried && size == text.size() - at);
    at = open + size;
    after_value = true;
    tried = false;
  }
}

// Looks at what stands between two values, or around them. False: the rest of the line is lost.
bool LineReader::pass_gap(std::string_view text, std::size_t begin, std::size_t end,
                          bool after_value) {
  const std::string_view gap = text.substr(begin, end - begin);
  if (std::all_of(gap.begin(), gap.end(), is_json_space)) return true;
  if (std::all_of(gap.begin(), gap.end(),
                  [](char c) { return is_json_space(c) || is_control(c); })) {
    report(ProblemKind::control_bytes);  // a crash left zeros, the values around them are whole
    return true;
  }
  if (!after_value) {
    report(is_valid_json(text) ? ProblemKind::wrong_type : ProblemKind::invalid_json);
    return false;
  }
  report(ProblemKind::invalid_json);
  // A damaged newline is a byte or two. More, with a quote in it, is the inside of a damaged
  // object, and what it holds must not pass for records.
  return gap.size() <= 2 || gap.find('"') == std::string_view::npos;
}

void LineReader::read_value(std::string_view text, std::size_t at, bool tried) {
  if (!tried) {
    const std::size_t size = run(text, at);
    if (size == text.size()) return;
    if (size != std::string_view::npos) return report(ProblemKind::invalid_json);
  }
  const Repair repair = repair_json(text);
  if (!repair.changed()) {
    return report(is_valid_json(text) ? ProblemKind::wrong_type : ProblemKind::invalid_json);
  }
  const Padded repaired{repair.text};
  if (run(repaired.view(), at) == std::string_view::npos) {
    return report(is_valid_json(repair.text) ? ProblemKind::wrong_type : ProblemKind::invalid_json);
  }
  if (repair.bad_utf8) report(ProblemKind::invalid_utf8);
  if (repair.lone_surrogate) report(ProblemKind::lone_surrogate);
  if (repair.control_bytes) report(ProblemKind::control_bytes);
}

}  // namespace yore::transcript
