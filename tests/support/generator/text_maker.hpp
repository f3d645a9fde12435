// text_maker.hpp — prose, code and logs about one session's topic, escaped for JSON.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "generator/phrases.hpp"
#include "generator/random.hpp"
#include "generator/vocabulary.hpp"

namespace yore::generator {

class TextMaker {
 public:
  TextMaker(Rng& rng, Vocabulary& vocabulary) : rng_(rng), vocabulary_(vocabulary) {}

  // A new topic and a handful of identifiers that will come up again and again.
  void begin_session(bool east_asian);
  // {file} stands for one of these from now on; they outlive the session.
  void use_files(std::span<const std::string> files) { files_ = files; }

  void prompt(std::string& out, bool first);
  void thought(std::string& out, std::size_t bytes);
  void step(std::string& out);
  void conclusion(std::string& out, std::size_t bytes);
  void command(std::string& out);
  void prose(std::string& out, std::size_t bytes);
  void title(std::string& out);

  // Whole lines, ended by an escaped line break, until at least `bytes` are written.
  void code(std::string& out, std::size_t bytes);
  void log(std::string& out, std::size_t bytes);
  void code_line(std::string& out) { expand(any(code_patterns()), out); }

  void word(std::string& out) { vocabulary_.word(rng_, out); }
  void identifier(std::string& out);

 private:
  std::string_view any(std::span<const std::string_view> patterns);
  void expand(std::string_view pattern, std::string& out);
  void fill(std::string_view placeholder, std::string& out);

  Rng& rng_;
  Vocabulary& vocabulary_;
  Topic topic_;
  EastAsianTopic east_asian_topic_;
  bool east_asian_ = false;
  std::array<std::uint32_t, 12> focus_{};
  std::span<const std::string> files_;
};

}  // namespace yore::generator
