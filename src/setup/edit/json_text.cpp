#include "setup/edit/json_text.hpp"

#include <cstdlib>

#include "setup/edit/layout.hpp"
#include "text/utf8.hpp"

namespace yore::setup {
namespace {

constexpr std::size_t kMostNested = 500;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

class JsonParser {
 public:
  JsonParser(std::string_view text, Format format) : text_(text), format_(format) {}

  Result<JsonNode> run() {
    at_ = mark_bytes(text_);
    JsonNode root;
    if (!skip_remarks()) return error();
    root.begin = root.end = at_;
    if (at_ == text_.size()) return root;
    if (!read_value(root, 0) || !skip_remarks()) return error();
    if (at_ < text_.size()) return fail("more follows behind the value"), error();
    return root;
  }

  // Reads the text in quotes that begins here.
  bool read_string(std::string* out);
  void move_to(std::size_t at) { at_ = at; }
  [[nodiscard]] std::size_t at() const { return at_; }
  bool skip_remarks();

 private:
  bool fail(std::string_view what) {
    if (problem_.empty()) {
      problem_ = "line " + std::to_string(line_number(text_, at_)) + ": " + std::string(what);
    }
    return false;
  }
  [[nodiscard]] Error error() const { return {Errc::corrupt, problem_}; }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] bool is_json5() const { return format_ == Format::json5; }

  bool read_value(JsonNode& node, std::size_t depth);
  bool read_object(JsonNode& node, std::size_t depth);
  bool read_array(JsonNode& node, std::size_t depth);
  bool read_key(std::string& key);
  bool read_number();
  bool read_word();
  bool read_escape(std::string* out);
  bool read_code_unit(std::uint32_t& unit);

  std::string_view text_;
  Format format_;
  std::size_t at_ = 0;
  std::string problem_;
};

bool JsonParser::skip_remarks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at_;
    } else if (is_json5() && (c == '\v' || c == '\f')) {
      ++at_;
    } else if (is_json5() && text_.substr(at_, 2) == "\xC2\xA0") {
      at_ += 2;
    } else if (c == '/' && format_ != Format::json && peek(1) == '/') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == '/' && format_ != Format::json && peek(1) == '*') {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) return fail("a comment has no end");
      at_ = end + 2;
    } else {
      break;
    }
  }
  return true;
}

bool JsonParser::read_code_unit(std::uint32_t& unit) {
  unit = 0;
  for (int i = 0; i < 4; ++i) {
    if (!is_hex(peek())) return fail("\\u wants four hex digits");
    const char c = text_[at_++];
    unit = unit * 16 + static_cast<std::uint32_t>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return true;
}

bool JsonParser::read_escape(std::string* out) {
  const char c = peek();
  constexpr std::string_view kEscapes = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  if (const std::size_t found = kEscapes.find(c); at_ < text_.size() && found < kEscapes.size()) {
    ++at_;
    if (out != nullptr) *out += kMeant[found];
    return true;
  }
  if (c == 'u') {
    ++at_;
    std::uint32_t code = 0;
    if (!read_code_unit(code)) return false;
    if (code >= 0xD800 && code < 0xDC00 && peek() == '\\' && peek(1) == 'u') {
      const std::size_t back = at_;
      at_ += 2;
      std::uint32_t low = 0;
      if (!read_code_unit(low)) return false;
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      } else {
        at_ = back;
      }
    }
    const bool is_half = code >= 0xD800 && code < 0xE000;
    if (out != nullptr) append_utf8(*out, is_half ? 0xFFFD : code);
    return true;
  }
  if (!is_json5() || at_ >= text_.size()) return fail("an unknown escape");
  if (c == '\r' && peek(1) == '\n') ++at_;
  const text::Char whole = text::decode_at(text_, at_);
  if (out != nullptr && c != '\n' && c != '\r') out->append(text_.substr(at_, whole.size_bytes));
  at_ += whole.size_bytes;
  return true;
}

bool JsonParser::read_string(std::string* out) {
  const char quote = text_[at_++];
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == quote) return ++at_, true;
    if (c == '\\') {
      ++at_;
      if (!read_escape(out)) return false;
      continue;
    }
    if (c == '\n' || (static_cast<unsigned char>(c) < 0x20 && !is_json5())) {
      return fail("a text is not closed");
    }
    if (out != nullptr) *out += c;
    ++at_;
  }
  return fail("a text is not closed");
}

bool JsonParser::read_number() {
  if (is_json5() && (peek() == '+' || peek() == '-')) {
    ++at_;
    if (peek() == 'I' || peek() == 'N') return read_word();
  } else {
    take('-');
  }
  if (is_json5() && peek() == '0' && (peek(1) | 0x20) == 'x') {
    at_ += 2;
    if (!is_hex(peek())) return fail("not a number");
    while (is_hex(peek())) ++at_;
    return true;
  }
  const std::size_t first = at_;
  while (is_digit(peek())) ++at_;
  const std::size_t whole = at_ - first;
  if (whole > 1 && text_[first] == '0') return fail("a number begins with 0");
  if (whole == 0 && !(is_json5() && peek() == '.')) return fail("not a value");
  if (take('.')) {
    const std::size_t fraction = at_;
    while (is_digit(peek())) ++at_;
    if (at_ == fraction && !(is_json5() && whole > 0)) return fail("not a number");
  }
  if ((peek() | 0x20) == 'e') {
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    if (!is_digit(peek())) return fail("not a number");
    while (is_digit(peek())) ++at_;
  }
  return true;
}

bool JsonParser::read_word() {
  const std::size_t first = at_;
  while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
  const std::string_view word = text_.substr(first, at_ - first);
  if (word == "true" || word == "false" || word == "null") return true;
  if (is_json5() && (word == "Infinity" || word == "NaN")) return true;
  at_ = first;
  return fail("not a value");
}

bool JsonParser::read_key(std::string& key) {
  const char c = peek();
  if (c == '"' || (is_json5() && c == '\'')) return read_string(&key);
  if (!is_json5()) return fail("a key in quotes is missing");
  const std::size_t first = at_;
  while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
  if (at_ == first || is_digit(text_[first])) return fail("a key is missing");
  key = text_.substr(first, at_ - first);
  return true;
}

bool JsonParser::read_object(JsonNode& node, std::size_t depth) {
  ++at_;
  while (true) {
    if (!skip_remarks()) return false;
    if (take('}')) return true;
    JsonMember member;
    member.begin = at_;
    if (!read_key(member.key) || !skip_remarks()) return false;
    if (!take(':')) return fail("a colon is missing");
    if (!skip_remarks() || !read_value(member.value, depth + 1) || !skip_remarks()) return false;
    const std::size_t behind = at_;
    const bool goes_on = take(',');
    if (goes_on) member.comma = behind;
    if (depth < kDepthKept) node.members.push_back(std::move(member));
    if (!goes_on) return take('}') || fail("a comma or } is missing");
    if (!skip_remarks()) return false;
    if (format_ == Format::json && peek() == '}') return fail("a comma is too many");
  }
}

bool JsonParser::read_array(JsonNode& node, std::size_t depth) {
  ++at_;
  while (true) {
    if (!skip_remarks()) return false;
    if (take(']')) return true;
    JsonMember item;
    item.begin = at_;
    if (!read_value(item.value, depth + 1) || !skip_remarks()) return false;
    if (peek() == ',') item.comma = at_;
    if (depth < kDepthKept) node.members.push_back(std::move(item));
    if (!take(',')) return take(']') || fail("a comma or ] is missing");
    if (!skip_remarks()) return false;
    if (format_ == Format::json && peek() == ']') return fail("a comma is too many");
  }
}

bool JsonParser::read_value(JsonNode& node, std::size_t depth) {
  if (depth > kMostNested) return fail("nested too deeply");
  node.begin = at_;
  const char c = peek();
  bool good = false;
  if (c == '{') {
    node.kind = JsonNode::Kind::object;
    good = read_object(node, depth);
  } else if (c == '[') {
    node.kind = JsonNode::Kind::array;
    good = read_array(node, depth);
  } else if (c == '"' || (is_json5() && c == '\'')) {
    node.kind = JsonNode::Kind::string;
    good = read_string(nullptr);
  } else if (is_digit(c) || c == '-' || (is_json5() && (c == '+' || c == '.'))) {
    node.kind = JsonNode::Kind::number;
    good = read_number();
  } else {
    node.kind = JsonNode::Kind::word;
    good = read_word();
  }
  node.end = at_;
  return good;
}

}  // namespace

Result<JsonNode> parse_json_text(std::string_view text, Format format) {
  if (Status checked = check_text(text); !checked) return checked.error();
  return JsonParser(text, format).run();
}

Json to_value(std::string_view text, const JsonNode& node) {
  const std::string_view raw = text.substr(node.begin, node.end - node.begin);
  switch (node.kind) {
    case JsonNode::Kind::object: {
      Json object = Json::object();
      for (const JsonMember& member : node.members)
        object[member.key] = to_value(text, member.value);
      return object;
    }
    case JsonNode::Kind::array: {
      Json list = Json::array();
      for (const JsonMember& item : node.members) list.push_back(to_value(text, item.value));
      return list;
    }
    case JsonNode::Kind::string: {
      std::string value;
      JsonParser parser(text, Format::json5);  // it was checked already
      parser.move_to(node.begin);
      parser.read_string(&value);
      return value;
    }
    default: {
      const Json value = Json::parse(raw, nullptr, false);
      return value.is_discarded() ? Json(raw) : value;
    }
  }
}

std::size_t skip_remarks_on_line(std::string_view text, std::size_t at, Format format) {
  const std::size_t stop = line_stop(text, at);
  JsonParser parser(text.substr(0, stop), format);
  parser.move_to(at);
  // A comment that goes on below this line ends nowhere on it.
  return parser.skip_remarks() ? parser.at() : at;
}

}  // namespace yore::setup
