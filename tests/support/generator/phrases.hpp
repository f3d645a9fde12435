// phrases.hpp — what people ask coding agents about, and what comes out of it.
//
// Patterns hold placeholders that TextMaker fills: {area} {symptom} {cause} {fix} of the session's
// topic, {id} an identifier, {word} a common word, {file} a path, {n} a small number.
#pragma once

#include <span>
#include <string_view>

namespace yore::generator {

struct Topic {
  std::string_view area;     // "the login flow"
  std::string_view symptom;  // "users are logged out after a minute"
  std::string_view cause;    // "the refresh token was compared with local time"
  std::string_view fix;      // "comparing both in UTC"
  std::string_view title;    // "Fix early logout"
};

// The same in Chinese or Japanese; the whole text, no patterns but {id} and {file}.
struct EastAsianTopic {
  std::string_view prompt;
  std::string_view answer;
  std::string_view title;
};

std::span<const Topic> topics();
std::span<const EastAsianTopic> east_asian_topics();

std::span<const std::string_view> prompt_patterns();      // first prompt of a session
std::span<const std::string_view> follow_up_patterns();   // later ones, mostly short
std::span<const std::string_view> step_patterns();        // "Let me look at …"
std::span<const std::string_view> conclusion_patterns();  // "I fixed … by …"
std::span<const std::string_view> thought_patterns();
std::span<const std::string_view> sentence_patterns();  // filler prose
std::span<const std::string_view> code_patterns();      // one line each
std::span<const std::string_view> log_patterns();       // one line each
std::span<const std::string_view> command_patterns();   // shell commands

}  // namespace yore::generator
