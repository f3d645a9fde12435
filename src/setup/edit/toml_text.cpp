#include "setup/edit/toml_text.hpp"

#include "setup/edit/json_text.hpp"
#include "setup/edit/layout.hpp"

namespace yore::setup {
namespace {

class TomlSplitter {
 public:
  explicit TomlSplitter(std::string_view text) : text_(text), at_(mark_bytes(text)) {}

  std::vector<TomlStatement> run() {
    while (at_ < text_.size()) {
      skip_blanks();
      const char c = peek();
      if (c == '#') {
        at_ = next_line(text_, at_);
      } else if (c == '\r' || c == '\n') {
        ++at_;
      } else if (c == '[') {
        read_header();
      } else if (at_ < text_.size()) {
        read_pair();
      }
    }
    return std::move(statements_);
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }

  // Behind the text that begins here with a quote.
  void skip_text() {
    const char quote = peek();
    const std::string three(3, quote);
    if (text_.substr(at_, 3) == three) {
      at_ += 3;
      while (at_ < text_.size() && text_.substr(at_, 3) != three) {
        at_ += quote == '"' && peek() == '\\' ? 2 : 1;
      }
      at_ += 3;
      while (peek() == quote) ++at_;  // up to two quotes may stand before the closing three
    } else {
      ++at_;
      while (at_ < text_.size() && peek() != quote && peek() != '\n') {
        at_ += quote == '"' && peek() == '\\' ? 2 : 1;
      }
      ++at_;
    }
    if (at_ > text_.size()) at_ = text_.size();
  }

  // "a"."b".c up to `stop`, which is not taken.
  std::vector<std::string> read_keys(char stop) {
    std::vector<std::string> keys;
    while (at_ < text_.size() && peek() != stop && peek() != '\n') {
      const std::size_t from = at_;
      if (peek() == '"' || peek() == '\'') {
        skip_text();
        const std::string_view raw = text_.substr(from, at_ - from);
        if (raw.size() < 2) continue;
        if (raw.front() == '\'') {
          keys.emplace_back(raw.substr(1, raw.size() - 2));
        } else {
          JsonNode node;
          node.kind = JsonNode::Kind::string;
          node.begin = from;
          node.end = at_;
          keys.push_back(to_value(text_, node).get<std::string>());
        }
      } else if (peek() == '.' || peek() == ' ' || peek() == '\t') {
        ++at_;
      } else {
        while (at_ < text_.size() && std::string_view(". \t\n=]").find(peek()) == kNone) ++at_;
        if (at_ == from) ++at_;
        keys.emplace_back(text_.substr(from, at_ - from));
      }
    }
    return keys;
  }

  void read_header() {
    TomlStatement header;
    header.begin = line_begin(text_, at_);
    const bool is_item = text_.substr(at_, 2) == "[[";
    header.kind = is_item ? TomlStatement::Kind::list_item : TomlStatement::Kind::table;
    at_ += is_item ? 2 : 1;
    header.path = read_keys(']');
    at_ = next_line(text_, at_);
    header.end = at_;
    header.table = ++tables_;
    table_ = header.path;
    statements_.push_back(std::move(header));
  }

  void read_pair() {
    TomlStatement pair;
    pair.begin = line_begin(text_, at_);
    pair.table = tables_;
    pair.path = table_;
    for (std::string& key : read_keys('=')) pair.path.push_back(std::move(key));
    if (peek() == '=') ++at_;
    skip_blanks();
    const std::size_t from = at_;
    std::size_t depth = 0;
    while (at_ < text_.size() && (depth > 0 || (peek() != '\n' && peek() != '#'))) {
      const char c = peek();
      if (c == '"' || c == '\'') {
        skip_text();
      } else if (c == '#') {
        at_ = next_line(text_, at_);
      } else {
        if (c == '[' || c == '{') ++depth;
        if ((c == ']' || c == '}') && depth > 0) --depth;
        ++at_;
      }
    }
    pair.value = text_.substr(from, at_ - from);
    at_ = next_line(text_, at_);
    pair.end = at_;
    statements_.push_back(std::move(pair));
  }

  static constexpr std::size_t kNone = std::string_view::npos;
  std::string_view text_;
  std::size_t at_;
  std::size_t tables_ = 0;
  std::vector<std::string> table_;
  std::vector<TomlStatement> statements_;
};

}  // namespace

std::vector<TomlStatement> toml_statements(std::string_view text) {
  return TomlSplitter(text).run();
}

}  // namespace yore::setup
