#include "transcript/spec/typed_text.hpp"

#include <optional>
#include <string>

#include "text/utf8.hpp"

namespace yore::transcript {
namespace {

bool is_tag(std::string_view mark) {
  return mark.size() > 2 && mark.front() == '<' && mark.back() == '>';
}

// Where the block that `text` begins with is closed: behind "</tag>". npos: never.
std::size_t end_of_block(std::string_view text, std::string_view mark) {
  const std::string close = "</" + std::string(mark.substr(1));
  const std::size_t found = text.find(close, mark.size());
  return found == std::string_view::npos ? found : found + close.size();
}

bool decides(TypedAction action) {
  return action != TypedAction::strip && action != TypedAction::unwrap &&
         action != TypedAction::cut;
}

// "begin*end": a text that begins so, up to the last such end.
struct Range {
  std::string_view inside;
  std::string_view behind;
};

std::optional<Range> find_range(std::string_view text, std::string_view mark) {
  const std::size_t star = mark.find('*');
  if (star == std::string_view::npos || star == 0 || star + 1 == mark.size()) return std::nullopt;
  const std::string_view end = mark.substr(star + 1);
  if (!text.starts_with(mark.substr(0, star))) return std::nullopt;
  const std::size_t found = text.rfind(end);
  if (found == std::string_view::npos || found < star) return std::nullopt;
  return Range{text.substr(star, found - star), text.substr(found + end.size())};
}

// Without the ranges it begins with and what was added behind it. These come before all decisions:
// a text that begins with one may be dropped when nothing was typed behind it.
std::string_view without_frame(std::string_view text, std::span<const TypedRule> rules) {
  for (const TypedRule& rule : rules) {
    if (rule.action == TypedAction::cut) {
      text = text::trim(text.substr(0, text.find(rule.mark)));
      continue;
    }
    if (decides(rule.action)) continue;
    const auto range = find_range(text, rule.mark);
    if (!range) continue;
    text = text::trim(rule.action == TypedAction::strip ? range->behind : range->inside);
  }
  return text;
}

// Is the text, by its begin, one of these? A tag has to hold all of it.
bool is_named(std::string_view text, const TypedRule& rule) {
  if (!decides(rule.action) || !text.starts_with(rule.mark)) return false;
  return !is_tag(rule.mark) || end_of_block(text, rule.mark) == text.size();
}

const TypedRule* decision(std::string_view text, std::span<const TypedRule> rules) {
  for (const TypedRule& rule : rules) {
    if (is_named(text, rule)) return &rule;
  }
  return nullptr;
}

// Without the block or line it begins with; the same text when there is none.
std::string_view stripped(std::string_view text, std::span<const TypedRule> rules) {
  for (const TypedRule& rule : rules) {
    if (rule.action != TypedAction::strip || !text.starts_with(rule.mark)) continue;
    const std::size_t end = is_tag(rule.mark) ? end_of_block(text, rule.mark) : rule.mark.size();
    if (end != std::string_view::npos) return text::trim(text.substr(end));
  }
  return text;
}

std::string_view unwrapped(std::string_view text, std::span<const TypedRule> rules) {
  for (const TypedRule& rule : rules) {
    if (rule.action != TypedAction::unwrap || !text.starts_with(rule.mark)) continue;
    if (!is_tag(rule.mark)) return text::trim(text.substr(rule.mark.size()));
    const std::size_t end = end_of_block(text, rule.mark);
    if (end == std::string_view::npos) continue;
    const std::size_t close_bytes = rule.mark.size() + 1;
    return text::trim(text.substr(rule.mark.size(), end - rule.mark.size() - close_bytes));
  }
  return text;
}

}  // namespace

TypedText typed_text(std::string_view text, std::span<const TypedRule> rules) {
  if (rules.empty()) return {text};
  const std::string_view all = text::trim(text);
  const std::string_view whole = without_frame(all, rules);
  const TypedRule* before = decision(whole, rules);
  std::string_view rest = whole;
  for (std::string_view next = stripped(rest, rules); next.size() < rest.size();
       next = stripped(rest, rules)) {
    rest = next;
  }
  rest = unwrapped(rest, rules);
  const TypedRule* rule = before != nullptr ? before : decision(rest, rules);
  // Nothing was taken off: the text is what it was, blanks and all.
  const std::string_view words = rest.size() == all.size() ? text : rest;
  return {words, rule == nullptr ? TypedAction::strip : rule->action};
}

}  // namespace yore::transcript
