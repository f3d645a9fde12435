#include "generator/text_maker.hpp"

#include "generator/json_text.hpp"

namespace yore::generator {
namespace {

constexpr std::string_view kBreak = "\\n";
constexpr Spread kLongPrompt = {150, 200, 560, 3000, 10'000, 16'000};

}  // namespace

void TextMaker::begin_session(bool east_asian) {
  const auto index = [this](std::size_t size) {
    return rng_.below(static_cast<std::uint32_t>(size));
  };
  topic_ = topics()[index(topics().size())];
  east_asian_topic_ = east_asian_topics()[index(east_asian_topics().size())];
  east_asian_ = east_asian;
  files_ = {};
  for (std::uint32_t& identifier : focus_) identifier = vocabulary_.known_identifier(rng_);
}

std::string_view TextMaker::any(std::span<const std::string_view> patterns) {
  return patterns[rng_.below(static_cast<std::uint32_t>(patterns.size()))];
}

void TextMaker::identifier(std::string& out) {
  if (rng_.chance(300)) return vocabulary_.name(rng_.pick(focus_), out);
  vocabulary_.identifier(rng_, out);
}

void TextMaker::fill(std::string_view placeholder, std::string& out) {
  // By first letter: this is the inner loop of everything.
  switch (placeholder[0]) {
    case 'w':
      return vocabulary_.word(rng_, out);
    case 'i':
      return identifier(out);
    case 'n':
      return append_number(out, rng_.below(rng_.chance(700) ? 40 : 900));
    case 'a':
      out += topic_.area;
      return;
    case 's':
      out += topic_.symptom;
      return;
    case 'c':
      out += topic_.cause;
      return;
    default:
      break;
  }
  if (placeholder == "fix") {
    out += topic_.fix;
    return;
  }
  if (files_.empty()) return vocabulary_.word(rng_, out);
  out += files_[rng_.below(static_cast<std::uint32_t>(files_.size()))];
}

void TextMaker::expand(std::string_view pattern, std::string& out) {
  // A brace that opens no lower-case name is a brace of the code.
  while (true) {
    const std::size_t open = pattern.find('{');
    if (open == std::string_view::npos) break;
    const std::size_t close = pattern.find_first_not_of("abcdefghijklmnopqrstuvwxyz", open + 1);
    if (close == open + 1 || close == std::string_view::npos || pattern[close] != '}') {
      out += pattern.substr(0, open + 1);
      pattern.remove_prefix(open + 1);
      continue;
    }
    out += pattern.substr(0, open);
    fill(pattern.substr(open + 1, close - open - 1), out);
    pattern.remove_prefix(close + 1);
  }
  out += pattern;
}

void TextMaker::prompt(std::string& out, bool first) {
  if (east_asian_ && (first || rng_.chance(500))) return expand(east_asian_topic_.prompt, out);
  const std::size_t start = out.size();
  expand(any(first || rng_.chance(250) ? prompt_patterns() : follow_up_patterns()), out);
  if (out[start] >= 'a' && out[start] <= 'z' && first) {
    out[start] = static_cast<char>(out[start] - 'a' + 'A');
  }
  if (!rng_.chance(first ? 600 : 370)) return;
  out += kBreak;
  const std::size_t bytes = sample(kLongPrompt, rng_);
  if (rng_.chance(350)) {
    ((out += "```") += kBreak);
    log(out, bytes);
    out += "```";
  } else {
    prose(out, bytes);
  }
}

void TextMaker::thought(std::string& out, std::size_t bytes) {
  const std::size_t start = out.size();
  expand(any(thought_patterns()), out);
  while (out.size() - start < bytes) {
    out += rng_.chance(200) ? kBreak : " ";
    expand(any(rng_.chance(500) ? thought_patterns() : sentence_patterns()), out);
  }
}

void TextMaker::step(std::string& out) {
  expand(any(step_patterns()), out);
}

void TextMaker::conclusion(std::string& out, std::size_t bytes) {
  const std::size_t start = out.size();
  expand(east_asian_ ? east_asian_topic_.answer : any(conclusion_patterns()), out);
  const std::size_t written = out.size() - start;
  if (written >= bytes) return;
  (out += kBreak) += kBreak;
  prose(out, bytes - written);
}

void TextMaker::command(std::string& out) {
  expand(any(command_patterns()), out);
}

void TextMaker::prose(std::string& out, std::size_t bytes) {
  const std::size_t start = out.size();
  do {
    expand(any(sentence_patterns()), out);
    out += rng_.chance(300) ? kBreak : " ";
  } while (out.size() - start < bytes);
}

void TextMaker::title(std::string& out) {
  out += east_asian_ ? east_asian_topic_.title : topic_.title;
}

void TextMaker::code(std::string& out, std::size_t bytes) {
  const std::size_t start = out.size();
  do {
    code_line(out);
    out += kBreak;
  } while (out.size() - start < bytes);
}

void TextMaker::log(std::string& out, std::size_t bytes) {
  const std::size_t start = out.size();
  do {
    expand(any(log_patterns()), out);
    out += kBreak;
  } while (out.size() - start < bytes);
}

}  // namespace yore::generator
