#include "transcript/input/json_scan.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/ascii.hpp"
#include "transcript/input/json_chars.hpp"
#include "transcript/input/json_repair.hpp"

namespace yore::transcript {
namespace {

constexpr std::size_t kMaxClosedDepth = 1024;

using ascii::is_digit;

// Walks over one value and remembers where it could be cut. Lenient about what is inside strings,
// unless `strict`.
class Scanner {
 public:
  enum class Stop : std::uint8_t { complete, cut, invalid, too_deep };

  Scanner(std::string_view text, std::size_t max_depth, bool strict)
      : text_(text), max_depth_(max_depth), strict_(strict) {}

  Stop run() {
    while (true) {
      skip_space();
      if (at_ == text_.size()) return Stop::cut;
      if (const auto stop = step()) return *stop;
    }
  }

  void skip_space() {
    while (at_ < text_.size() && is_json_space(text_[at_])) ++at_;
  }

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] std::string_view scanned() const { return text_.substr(0, at_); }

  // After Stop::cut or Stop::invalid: the scanned text, made a value.
  [[nodiscard]] std::string closed() const {
    std::string out;
    if (cut_string_) {
      out = text_.substr(0, *cut_string_);
      out += '"';
    } else {
      out = text_.substr(0, safe_end_);
    }
    out.append(open_.rbegin(), open_.rend());
    return out;
  }

 private:
  enum class Want : std::uint8_t {
    value,
    value_or_close,
    key,
    key_or_close,
    colon,
    comma_or_close
  };
  using Verdict = std::optional<Stop>;  // nullopt: go on

  Verdict step() {
    const char c = text_[at_];
    switch (want_) {
      case Want::comma_or_close:
        if (c == open_.back()) return close();
        if (c != ',') return Stop::invalid;
        want_ = open_.back() == '}' ? Want::key : Want::value;
        ++at_;
        return std::nullopt;
      case Want::colon:
        if (c != ':') return Stop::invalid;
        want_ = Want::value;
        ++at_;
        return std::nullopt;
      case Want::key_or_close:
        if (c == '}') return close();
        [[fallthrough]];
      case Want::key:
        if (c != '"') return Stop::invalid;
        want_ = Want::colon;
        return string();
      case Want::value_or_close:
        if (c == ']') return close();
        [[fallthrough]];
      case Want::value:
        return value(c);
    }
    return Stop::invalid;
  }

  Verdict value(char c) {
    if (c == '{' || c == '[') return open(c);
    if (c != '"') return is_digit(c) || c == '-' ? number() : literal();
    if (const auto stop = string()) {
      if (*stop == Stop::cut) cut_string_ = whole_chars(at_);
      return stop;
    }
    return finished();
  }

  Verdict open(char c) {
    if (open_.size() == max_depth_) return Stop::too_deep;
    open_ += c == '{' ? '}' : ']';
    want_ = c == '{' ? Want::key_or_close : Want::value_or_close;
    safe_end_ = ++at_;
    return std::nullopt;
  }

  Verdict close() {
    open_.pop_back();
    ++at_;
    return finished();
  }

  // Behind a complete value everything that is open can be closed. `open_` is then what it will be
  // at the next such place or earlier: between two of them nothing is opened or closed.
  Verdict finished() {
    safe_end_ = at_;
    want_ = Want::comma_or_close;
    if (open_.empty()) return Stop::complete;
    return std::nullopt;
  }

  // Leaves at_ behind the closing quote; when cut, before an escape that is not whole.
  Verdict string() {
    for (++at_; at_ < text_.size();) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return std::nullopt;
      }
      if (strict_ && is_control(c)) return Stop::invalid;
      if (c != '\\') {
        ++at_;
        continue;
      }
      const std::string_view rest = text_.substr(at_, kUnicodeEscapeBytes);
      if (is_cut_escape(rest)) return Stop::cut;
      if (strict_ && !is_escape(rest)) return Stop::invalid;
      // Not always six for a \u: what follows a damaged one may hold the closing quote.
      at_ += unicode_escape(rest) ? kUnicodeEscapeBytes : 2;
    }
    return Stop::cut;
  }

  // The first bytes of an escape, at the end of the text.
  static bool is_cut_escape(std::string_view text) {
    if (text.size() < 2) return true;
    return text[1] == 'u' && text.size() < kUnicodeEscapeBytes &&
           text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
  }

  static bool is_escape(std::string_view text) {
    if (text[1] == 'u') return unicode_escape(text).has_value();
    return std::string_view{"\"\\/bfnrt"}.find(text[1]) != std::string_view::npos;
  }

  std::size_t digits() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return at_ - start;
  }

  bool skip(std::string_view any_of) {
    if (at_ == text_.size() || any_of.find(text_[at_]) == std::string_view::npos) return false;
    ++at_;
    return true;
  }

  Verdict number() {
    skip("-");
    const bool leading_zero = at_ < text_.size() && text_[at_] == '0';
    const std::size_t whole = digits();
    bool ok = whole > 0 && (whole == 1 || !leading_zero);
    if (ok && skip(".")) ok = digits() > 0;
    if (ok && skip("eE")) {
      skip("+-");
      ok = digits() > 0;
    }
    // More digits may have stood behind the cut: half a number is worse than none.
    if (at_ == text_.size() && !open_.empty()) return Stop::cut;
    if (!ok) return Stop::invalid;
    return finished();
  }

  Verdict literal() {
    for (const std::string_view word : {"true", "false", "null"}) {
      const std::string_view rest = text_.substr(at_, word.size());
      if (rest.empty() || word.substr(0, rest.size()) != rest) continue;
      if (rest.size() < word.size()) return Stop::cut;
      at_ += word.size();
      return finished();
    }
    return Stop::invalid;
  }

  // `end`, or less when the character before it is not whole.
  [[nodiscard]] std::size_t whole_chars(std::size_t end) const {
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, end); ++back) {
      const auto byte = static_cast<unsigned char>(text_[end - back]);
      if (byte < 0x80) return end;
      if (byte >= 0xC0) {
        return first_utf8_char(text_.substr(end - back, back)).valid ? end : end - back;
      }
    }
    return end;
  }

  std::string_view text_;
  std::size_t max_depth_;
  bool strict_;
  std::size_t at_ = 0;
  Want want_ = Want::value;
  std::string open_;  // the brackets that close what is open, outermost first
  std::size_t safe_end_ = 0;
  std::optional<std::size_t> cut_string_;  // the text ended inside a string that is a value
};

}  // namespace

std::string close_json(std::string_view head) {
  Scanner scanner{head, kMaxClosedDepth, false};
  switch (scanner.run()) {
    case Scanner::Stop::complete:
      return std::string{scanner.scanned()};
    case Scanner::Stop::too_deep:
      return {};
    case Scanner::Stop::cut:
    case Scanner::Stop::invalid:
      break;
  }
  return scanner.closed();
}

bool is_valid_json(std::string_view text) {
  Scanner scanner{text, SIZE_MAX, true};
  if (scanner.run() != Scanner::Stop::complete) return false;
  scanner.skip_space();
  return scanner.at_end();
}

// Most of a transcript stands inside strings: from quote to quote, not byte by byte.
std::size_t json_string_extent(std::string_view text) {
  std::size_t begin = 1;
  while (true) {
    const std::size_t quote = text.find('"', begin);
    if (quote == std::string_view::npos) return quote;
    std::size_t first_slash = quote;
    while (first_slash > begin && text[first_slash - 1] == '\\') --first_slash;
    if ((quote - first_slash) % 2 == 0) return quote + 1;
    begin = quote + 1;
  }
}

std::size_t json_extent(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (depth <= 1) return at + 1;
        --depth;
        break;
      case '"': {
        const std::size_t size = json_string_extent(text.substr(at));
        if (size == std::string_view::npos) return size;
        at += size - 1;
        break;
      }
      default:
        break;
    }
  }
  return std::string_view::npos;
}

}  // namespace yore::transcript
