#include "render/code.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "base/ascii.hpp"
#include "text/display.hpp"

namespace yore::render {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 76> kBraceWords = {
    "abstract", "as",         "async",  "auto",      "await",    "bool",      "break",   "case",
    "catch",    "char",       "class",  "const",     "continue", "defer",     "default", "delete",
    "do",       "double",     "else",   "enum",      "export",   "extends",   "false",   "final",
    "float",    "fn",         "for",    "from",      "func",     "function",  "go",      "if",
    "impl",     "implements", "import", "in",        "int",      "interface", "let",     "long",
    "match",    "mod",        "mut",    "namespace", "new",      "nil",       "null",    "package",
    "private",  "protected",  "public", "pub",       "range",    "return",    "self",    "static",
    "string",   "struct",     "super",  "switch",    "template", "this",      "throw",   "trait",
    "true",     "try",        "type",   "undefined", "unsigned", "use",       "using",   "val",
    "var",      "void",       "where",  "while"};
constexpr std::array<std::string_view, 48> kHashWords = {
    "and",   "as",       "assert",   "async",  "await",  "begin", "break",  "case",
    "class", "continue", "def",      "del",    "do",     "done",  "elif",   "else",
    "end",   "esac",     "except",   "export", "false",  "False", "fi",     "finally",
    "for",   "from",     "function", "if",     "import", "in",    "is",     "lambda",
    "local", "None",     "not",      "or",     "pass",   "raise", "return", "self",
    "then",  "true",     "True",     "try",    "while",  "with",  "yield",  "nil"};
constexpr std::array<std::string_view, 44> kDashWords = {
    "and",    "as",    "by",   "create",   "delete", "desc",    "distinct", "else",   "end",
    "exists", "false", "from", "function", "group",  "having",  "if",       "in",     "index",
    "insert", "into",  "is",   "join",     "key",    "left",    "like",     "limit",  "local",
    "not",    "null",  "on",   "or",       "order",  "primary", "return",   "select", "set",
    "table",  "then",  "true", "update",   "values", "when",    "where",    "while"};
constexpr std::array<std::string_view, 3> kDataWords = {"true", "false", "null"};

struct Family {
  std::string_view line_comment;
  std::string_view open_comment;
  std::string_view close_comment;
  std::string_view quotes;
  Words words;
  bool any_case = false;  // of words
};

constexpr Family kBraces = {"//", "/*", "*/", "\"'`", kBraceWords};
constexpr Family kHash = {"#", "", "", "\"'", kHashWords};
constexpr Family kDash = {"--", "/*", "*/", "'\"", kDashWords, true};
constexpr Family kData = {"", "", "", "\"", kDataWords};
constexpr Family kMarkup = {"", "<!--", "-->", "\"", {}};
constexpr Family kSheet = {"", "/*", "*/", "\"'", {}};

struct Language {
  std::string_view name;  // behind a fence, or the ending of a file
  const Family* family;
};

constexpr std::array kLanguages = {
    Language{"bash", &kHash},         Language{"c", &kBraces},
    Language{"c++", &kBraces},        Language{"cc", &kBraces},
    Language{"cmake", &kHash},        Language{"console", &kHash},
    Language{"cpp", &kBraces},        Language{"cs", &kBraces},
    Language{"csharp", &kBraces},     Language{"css", &kSheet},
    Language{"dart", &kBraces},       Language{"dockerfile", &kHash},
    Language{"elixir", &kHash},       Language{"fish", &kHash},
    Language{"go", &kBraces},         Language{"golang", &kBraces},
    Language{"h", &kBraces},          Language{"hpp", &kBraces},
    Language{"html", &kMarkup},       Language{"ini", &kHash},
    Language{"java", &kBraces},       Language{"javascript", &kBraces},
    Language{"js", &kBraces},         Language{"json", &kData},
    Language{"json5", &kBraces},      Language{"jsonc", &kBraces},
    Language{"jsonl", &kData},        Language{"jsx", &kBraces},
    Language{"kotlin", &kBraces},     Language{"kt", &kBraces},
    Language{"lua", &kDash},          Language{"makefile", &kHash},
    Language{"mjs", &kBraces},        Language{"perl", &kHash},
    Language{"php", &kBraces},        Language{"proto", &kBraces},
    Language{"py", &kHash},           Language{"python", &kHash},
    Language{"rb", &kHash},           Language{"rs", &kBraces},
    Language{"ruby", &kHash},         Language{"rust", &kBraces},
    Language{"scala", &kBraces},      Language{"scss", &kSheet},
    Language{"sh", &kHash},           Language{"shell", &kHash},
    Language{"sql", &kDash},          Language{"svg", &kMarkup},
    Language{"swift", &kBraces},      Language{"toml", &kHash},
    Language{"ts", &kBraces},         Language{"tsx", &kBraces},
    Language{"typescript", &kBraces}, Language{"vue", &kMarkup},
    Language{"xml", &kMarkup},        Language{"yaml", &kHash},
    Language{"yml", &kHash},          Language{"zig", &kBraces},
    Language{"zsh", &kHash},
};

bool is_word(char c) {
  return ascii::is_alnum(c) || c == '_' || c == '$';
}

class Lexer {
 public:
  Lexer(const Family& family, std::string_view text) : family_(family), text_(text) {}

  std::vector<CodeSpan> run() {
    while (at_ < text_.size()) {
      if (!take_comment() && !take_string() && !take_word()) ++at_;
    }
    return std::move(spans_);
  }

 private:
  [[nodiscard]] bool stands(std::string_view mark) const {
    return !mark.empty() && text_.substr(at_).starts_with(mark);
  }
  void add(std::size_t end, CodeKind kind) {
    spans_.push_back({at_, end, kind});
    at_ = end;
  }

  bool take_comment() {
    // "a#b" and "https://" are none.
    const bool fresh = at_ == 0 || ascii::is_space(text_[at_ - 1]);
    const bool word_mark = family_.line_comment == "#";
    const bool in_url = at_ > 0 && text_[at_ - 1] == ':';
    if (stands(family_.line_comment) && !in_url && (fresh || !word_mark)) {
      add(std::min(text_.find('\n', at_), text_.size()), CodeKind::comment);
      return true;
    }
    if (!stands(family_.open_comment)) return false;
    const std::size_t close = text_.find(family_.close_comment, at_ + family_.open_comment.size());
    const bool open = close == std::string_view::npos;
    add(open ? text_.size() : close + family_.close_comment.size(), CodeKind::comment);
    return true;
  }

  // To its end on the same line; what has none is an apostrophe.
  bool take_string() {
    const char quote = text_[at_];
    if (family_.quotes.find(quote) == std::string_view::npos) return false;
    const bool in_word = at_ > 0 && is_word(text_[at_ - 1]);
    if (quote == '\'' && in_word) return false;
    for (std::size_t end = at_ + 1; end < text_.size(); ++end) {
      if (text_[end] == '\\') {
        ++end;
      } else if (text_[end] == quote) {
        add(end + 1, CodeKind::string);
        return true;
      } else if (text_[end] == '\n' && quote != '`') {
        break;
      } else if (end - at_ > kLongestString) {
        break;
      }
    }
    return false;
  }

  bool take_word() {
    if (!is_word(text_[at_])) return false;
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    const std::string low = family_.any_case ? ascii::to_lower(word) : std::string(word);
    if (ascii::is_digit(word.front())) {
      add(end, CodeKind::number);
    } else if (std::ranges::find(family_.words, low) != family_.words.end()) {
      add(end, CodeKind::keyword);
    } else {
      at_ = end;
    }
    return true;
  }

  static constexpr std::size_t kLongestString = 2000;

  const Family& family_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<CodeSpan> spans_;
};

std::vector<CodeSpan> diff_spans(std::string_view text) {
  std::vector<CodeSpan> spans;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const bool head = line.starts_with("+++") || line.starts_with("---") || line.starts_with("***");
    if (line.starts_with("@@") || line.starts_with("diff ") || head) {
      spans.push_back({begin, end, CodeKind::place});
    } else if (line.starts_with('+')) {
      spans.push_back({begin, end, CodeKind::added});
    } else if (line.starts_with('-')) {
      spans.push_back({begin, end, CodeKind::removed});
    }
    begin = end + 1;
  }
  return spans;
}

const Language* language_named(std::string_view name) {
  const auto* const found = std::ranges::find(kLanguages, name, &Language::name);
  return found == kLanguages.end() ? nullptr : found;
}

}  // namespace

std::vector<CodeSpan> code_spans(std::string_view language, std::string_view text) {
  const std::string name = ascii::to_lower(language);
  if (name == "diff" || name == "patch") return diff_spans(text);
  const Language* known = language_named(name);
  return known == nullptr ? std::vector<CodeSpan>{} : Lexer(*known->family, text).run();
}

std::string changed_lines(std::string_view diff) {
  std::size_t added = 0;
  std::size_t removed = 0;
  for (std::size_t at = 0; at < diff.size();) {
    if (diff[at] == '+') ++added;
    if (diff[at] == '-') ++removed;
    at = std::min(diff.find('\n', at), diff.size() - 1) + 1;
  }
  return "+" + text::with_commas(added) + " \u2212" + text::with_commas(removed);
}

std::string_view language_of_path(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || path.find('/', dot) != std::string_view::npos) return {};
  const Language* known = language_named(ascii::to_lower(path.substr(dot + 1)));
  return known == nullptr ? std::string_view{} : known->name;
}

}  // namespace yore::render
