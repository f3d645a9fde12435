// spec_head.hpp — what of a description is needed at every start: names, places, resume words.
//
// The compiler reads it from built-in descriptions (constant_head), so that a start parses no TOML;
// the rest is parsed when the agent is needed. A head that cannot be read does not compile. It is
// the TOML that heads are written in, no more: texts in quotes without escapes ('…' for a
// backslash), numbers, lists and tables in braces; keys that are no part of it are passed over. It
// ends with the key `store` or the first [table].
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "transcript/adapter.hpp"
#include "transcript/spec/spec_names.hpp"

namespace yore::transcript {

// DirectoryRule of agent_spec.hpp.
struct DirectoryWords {
  std::string_view before;
  std::string_view after;
  std::string_view replace;
  std::string_view with;
  std::string_view drop_first;
};

// Views of a description, which outlives it.
struct SpecHead {
  std::string_view name;
  std::string_view display_name;
  std::string_view speaker;
  std::string_view formats;
  Verified verified = Verified::unsaid;
  int reading = kFirstReading;
  std::span<const RootRule> roots;
  std::span<const std::string_view> resume;
  DirectoryWords directory;
};

// A head as a constant; head() is a view of it.
struct ConstantHead {
  SpecHead texts;
  std::array<RootRule, 24> roots{};
  std::array<std::string_view, 8> resume{};
  std::size_t root_count = 0;
  std::size_t word_count = 0;

  [[nodiscard]] SpecHead head() const {
    SpecHead whole = texts;
    whole.roots = std::span(roots).first(root_count);
    whole.resume = std::span(resume).first(word_count);
    return whole;
  }
};

// What is thrown is for the compiler to show.
class HeadReader {
  // First: clang wants them before they are used, even in a class.
  template <typename OnItem>
  constexpr void each_item(const OnItem& on_item) {
    each_between('[', ']', on_item);
  }
  template <typename OnField>
  constexpr void each_field(const OnField& on_field) {
    each_between('{', '}', [&] { on_field(take_key()); });
  }
  template <typename OnItem>
  constexpr void each_between(char open, char close, const OnItem& on_item) {
    for (expect(open); !rest_.empty() && rest_.front() != close;) {
      on_item();
      skip_blanks();
      if (!rest_.empty() && rest_.front() == ',') expect(',');
    }
    expect(close);
  }

 public:
  constexpr explicit HeadReader(std::string_view text) : rest_(text) {}

  constexpr ConstantHead read() {
    ConstantHead head;
    for (skip_blanks(); !rest_.empty() && rest_.front() != '['; skip_blanks()) {
      const std::string_view key = take_key();
      if (key == "store") break;
      take_value(key, head);
    }
    SpecHead& texts = head.texts;
    if (texts.name.empty()) throw "a head wants a name";
    if (texts.display_name.empty()) texts.display_name = texts.name;
    if (texts.speaker.empty()) texts.speaker = texts.display_name;
    return head;
  }

 private:
  constexpr void take_value(std::string_view key, ConstantHead& head) {
    SpecHead& texts = head.texts;
    if (key == "name") {
      texts.name = take_text();
    } else if (key == "display_name") {
      texts.display_name = take_text();
    } else if (key == "speaker") {
      texts.speaker = take_text();
    } else if (key == "formats") {
      texts.formats = take_text();
    } else if (key == "verified") {
      texts.verified = take_verified();
    } else if (key == "reading") {
      texts.reading = take_number();
    } else if (key == "resume") {
      each_item([&] { head.resume.at(head.word_count++) = take_text(); });
    } else if (key == "roots") {
      each_item([&] { take_root(head.roots.at(head.root_count++)); });
    } else if (key == "directory_name") {
      take_directory(texts.directory);
    } else {
      skip_value();
    }
  }

  constexpr void take_root(RootRule& root) {
    each_field([&](std::string_view key) {
      std::string_view* const target = key == "env"      ? &root.env
                                       : key == "base"   ? &root.base
                                       : key == "suffix" ? &root.suffix
                                       : key == "needs"  ? &root.needs
                                                         : nullptr;
      if (target == nullptr) throw "a root has another key";
      *target = take_text();
    });
  }

  constexpr void take_directory(DirectoryWords& words) {
    each_field([&](std::string_view key) {
      if (key == "before") return void(words.before = take_text());
      if (key == "after") return void(words.after = take_text());
      if (key == "replace") return void(words.replace = take_text());
      if (key == "with") return void(words.with = take_text());
      if (key == "drop_first") return void(words.drop_first = take_text());
      throw "directory_name has another key";
    });
  }

  constexpr Verified take_verified() {
    const std::string_view name = take_text();
    for (std::size_t i = 0; i < kVerifiedNames.size(); ++i) {
      if (kVerifiedNames[i] == name) return static_cast<Verified>(i);
    }
    throw "verified is real, derived or source";
  }

  constexpr std::string_view take_text() {
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '"' && quote != '\'') throw "a text wants quotes";
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) throw "a text never ends";
    const std::string_view text = rest_.substr(1, end - 1);
    if (quote == '"' && text.find('\\') != std::string_view::npos)
      throw "write '…' for a backslash";
    rest_.remove_prefix(end + 1);
    return text;
  }

  constexpr int take_number() {
    int number = 0;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; rest_.remove_prefix(1)) {
      number = number * 10 + (rest_.front() - '0');
    }
    return number;
  }

  // Up to the value behind '='.
  constexpr std::string_view take_key() {
    const std::size_t end = rest_.find_first_of(" =");
    if (end == std::string_view::npos) throw "a key wants a value";
    const std::string_view key = rest_.substr(0, end);
    rest_.remove_prefix(end);
    skip_blanks();
    expect('=');
    return key;
  }

  constexpr void skip_value() {
    const char first = rest_.empty() ? '\0' : rest_.front();
    if (first == '[') return each_item([this] { skip_value(); });
    if (first == '{') return each_between('{', '}', [this] { take_key_of_any(), skip_value(); });
    if (first == '"' || first == '\'') return void(take_text());
    rest_.remove_prefix(rest_.find_first_of(",]} \n"));
  }
  constexpr void take_key_of_any() {
    if (rest_.front() != '"') return void(take_key());
    take_text();
    skip_blanks();
    expect('=');
  }

  constexpr void expect(char c) {
    if (rest_.empty() || rest_.front() != c) throw "not the TOML that heads are written in";
    rest_.remove_prefix(1);
    skip_blanks();
  }
  constexpr void skip_blanks() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c != ' ' && c != '\n' && c != '#') return;
      const std::size_t line = c == '#' ? rest_.find('\n') : 0;
      rest_.remove_prefix(line == std::string_view::npos ? rest_.size() : line + 1);
    }
  }

  std::string_view rest_;
};

consteval ConstantHead constant_head(std::string_view text) {
  return HeadReader(text).read();
}

}  // namespace yore::transcript
