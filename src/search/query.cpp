#include "search/query.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "search/vocabulary.hpp"
#include "text/suggest.hpp"
#include "text/utf8.hpp"

namespace yore::search {
namespace {

using Kind = QueryPart::Kind;
using Mark = QueryPart::Mark;

struct Field {
  std::string_view name;
  std::vector<std::string> ParsedQuery::*values;
};
constexpr std::array<Field, kFieldNames.size()> kFields = {{
    {kFieldNames[0], &ParsedQuery::projects},
    {kFieldNames[1], &ParsedQuery::agents},
    {kFieldNames[2], &ParsedQuery::branches},
    {kFieldNames[3], &ParsedQuery::models},
    {kFieldNames[4], &ParsedQuery::files},
    {kFieldNames[5], &ParsedQuery::tools},
    {kFieldNames[6], &ParsedQuery::sessions},
    {kFieldNames[7], &ParsedQuery::tags},
}};
struct State {
  std::string_view name;  // "has:tool"
  bool ParsedQuery::*flag;
};
constexpr std::array<State, kStateNames.size()> kStates = {{
    {kStateNames[0], &ParsedQuery::has_tool},
    {kStateNames[1], &ParsedQuery::starred},
    {kStateNames[2], &ParsedQuery::superseded},
}};
constexpr std::string_view field_of(std::string_view state) {
  return state.substr(0, state.find(':'));
}
bool is_state_field(std::string_view name) {
  return std::ranges::any_of(kStates,
                             [&](const State& state) { return field_of(state.name) == name; });
}

// Words this short are too often a word of their own ("node:", "line:") to be a slip.
constexpr std::size_t kShortestSlip = 4;
constexpr std::size_t kLongName = 6;
constexpr std::size_t kLongestName = 32;

using ascii::is_digit;
using ascii::is_letter;

// Also every byte outside ASCII: letters of other scripts.
constexpr bool is_word_byte(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

// Bytes of the white space at `at`, 0 when there is none. The wide space of CJK keyboards and the
// one that does not break separate words too.
std::size_t space_at(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (ascii::is_space(c)) return 1;
  if (text.substr(at).starts_with("\u3000")) return 3;
  return text.substr(at).starts_with("\u00a0") ? 2 : 0;
}

// The field that was probably meant; "" when the word is more likely itself.
std::string_view field_meant(std::string_view name) {
  if (name.size() < kShortestSlip || name.size() > kLongestName) return "";
  const std::string lower = ascii::to_lower(name);
  const std::size_t allowed = name.size() < kLongName ? 1 : 2;
  std::string_view best;
  std::size_t best_distance = allowed + 1;
  for (const Field& field : kFields) {
    const std::size_t distance = text::edit_distance(lower, field.name);
    if (distance < best_distance) {
      best = field.name;
      best_distance = distance;
    }
  }
  return best;
}

// Does it read as a command line, in which "-race" is a flag and no wish? One that has --long
// flags, -name=value, or what stands between commands; -x too, when it begins with a command's name
// and uses nothing of this language.
bool is_command_line(std::string_view text) {
  const bool plain = !text.empty() && is_letter(text.front()) &&
                     text.find('"') == std::string_view::npos &&
                     text.find(" +") == std::string_view::npos;
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size() && space_at(text, end) == 0) ++end;
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), std::max<std::size_t>(1, end)));
    if (word == "|" || word == "||" || word == "&&" || word == ">") return true;
    if (word.size() < 2 || word[0] != '-') continue;
    const bool is_long = word.size() > 2 && word[1] == '-' && is_letter(word[2]);
    const bool is_short = plain && word.size() == 2 && is_letter(word[1]);
    const bool has_value = is_letter(word[1]) && word.find('=') != std::string_view::npos;
    if (is_long || is_short || has_value) return true;
  }
  return false;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), is_command_(is_command_line(text)) {}

  ParsedQuery parse() {
    while (at_ < text_.size()) {
      if (const std::size_t space = space_at(text_, at_); space > 0) {
        at_ += space;
        continue;
      }
      const Mark mark = take_mark();
      if (take_phrase(mark) || take_field(mark)) continue;
      take_word(mark);
    }
    return std::move(query_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  [[nodiscard]] std::size_t end_of_word(std::size_t at) const {
    while (at < text_.size() && space_at(text_, at) == 0) ++at;
    return at;
  }

  // "+" or "-" counts before what can be searched. "--flag", "->", "+=" and negative numbers are
  // text; "+404" is not a number but a wish.
  Mark take_mark() {
    const char mark = peek();
    if (mark != '+' && mark != '-') return Mark::none;
    const char next = peek(1);
    const bool searchable = is_word_byte(next) || next == '"' || next == '#' || next == '@' ||
                            next == '.' || next == '/' || next == '$';
    // The first byte of a wide space looks like that of a word.
    if (!searchable || space_at(text_, at_ + 1) > 0) return Mark::none;
    if (mark == '-' && is_command_) return Mark::none;
    if (is_digit(next)) {
      const std::string_view word = text_.substr(at_ + 1, end_of_word(at_) - at_ - 1);
      if (mark == '-' || !std::ranges::all_of(word, is_digit)) return Mark::none;
    }
    ++at_;
    return mark == '+' ? Mark::required : Mark::excluded;
  }

  // REQUIRES: a quote at at_. Its text; an unclosed one ends with the query.
  std::string_view take_quoted() {
    const std::size_t begin = at_ + 1;
    const std::size_t end = std::min(text_.find('"', begin), text_.size());
    at_ = std::min(end + 1, text_.size());
    return text::trim(text_.substr(begin, end - begin));
  }

  bool take_phrase(Mark mark) {
    if (peek() != '"') return false;
    // A quote that nobody closes and that stands apart is punctuation of a pasted message.
    const bool apart = at_ + 1 < text_.size() && space_at(text_, at_ + 1) > 0;
    if (apart && text_.find('"', at_ + 1) == std::string_view::npos) return false;
    const std::string_view phrase = take_quoted();
    if (!phrase.empty()) query_.parts.push_back({Kind::phrase, mark, std::string(phrase)});
    return true;
  }

  bool take_field(Mark mark) {
    std::size_t colon = at_;
    while (colon < text_.size() && is_letter(text_[colon])) ++colon;
    if (colon == at_ || colon + 1 >= text_.size() || text_[colon] != ':') return false;
    const char first = text_[colon + 1];
    if (first == ':' || first == '/' || first == '\\' || space_at(text_, colon + 1) > 0) {
      return false;
    }
    const std::string_view name = text_.substr(at_, colon - at_);
    const auto field = std::ranges::find(kFields, name, &Field::name);
    if (field == kFields.end() && !is_state_field(name)) {
      if (const std::string_view meant = field_meant(name); !meant.empty()) {
        hint("no field \"" + std::string(name) + ":\", did you mean \"" + std::string(meant) +
             ":\"?");
      }
      return false;
    }
    if (mark == Mark::excluded) {
      hint("a field cannot be excluded: \"-" + std::string(name) + ":\" was searched as text");
      return false;
    }
    return take_value(name, field, colon + 1);
  }

  bool take_value(std::string_view name, const Field* field, std::size_t value_at) {
    const std::size_t name_at = at_;
    at_ = value_at;
    std::string_view value;
    if (peek() == '"') {
      value = take_quoted();
    } else {
      at_ = end_of_word(at_);
      value = text_.substr(value_at, at_ - value_at);
    }
    if (field != kFields.end()) {
      if (!value.empty()) (query_.*(field->values)).emplace_back(value);
      return true;
    }
    std::string known;
    for (const State& state : kStates) {
      if (field_of(state.name) != name) continue;
      if (text::iequals(value, state.name.substr(name.size() + 1))) {
        query_.*state.flag = true;
        return true;
      }
      known += (known.empty() ? "\"" : " and \"") + std::string(state.name) + '"';
    }
    // "is:" stands in much that is pasted.
    if (name == field_of(kStateNames[0])) hint("\"has:\" knows only " + known);
    at_ = name_at;
    return false;
  }

  void take_word(Mark mark) {
    const std::size_t end = end_of_word(at_);
    std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    Kind kind = Kind::words;
    if (word.size() > 1 && word.find('*') == word.size() - 1 &&
        is_word_byte(word[word.size() - 2])) {
      kind = Kind::prefix;
      word.remove_suffix(1);
    }
    const bool joins = kind == Kind::words && mark == Mark::none && !query_.parts.empty() &&
                       query_.parts.back().kind == Kind::words &&
                       query_.parts.back().mark == Mark::none;
    if (joins) {
      query_.parts.back().text.append(" ").append(word);
    } else {
      query_.parts.push_back({kind, mark, std::string(word)});
    }
  }

  void hint(std::string sentence) {
    if (std::ranges::find(query_.hints, sentence) == query_.hints.end()) {
      query_.hints.push_back(std::move(sentence));
    }
  }

  std::string_view text_;
  bool is_command_;
  std::size_t at_ = 0;
  ParsedQuery query_;
};

}  // namespace

ParsedQuery parse_query(std::string_view text) {
  return Parser(text).parse();
}

bool has_no_words(const ParsedQuery& query) {
  return std::ranges::all_of(query.parts,
                             [](const QueryPart& part) { return part.mark == Mark::excluded; });
}

}  // namespace yore::search
