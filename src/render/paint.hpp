// paint.hpp — the few styles that text on a terminal has, and links in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace yore::render {

enum class Paint : std::uint8_t {
  plain,
  bold,
  dim,
  cyan,
  green,
  yellow,
  red,
  bold_cyan,
  bold_yellow,
  italic,
  underline,
  strike,
  magenta,
  blue,
};

// Wraps text in escape codes when colour is on. The text itself must already be safe.
class Style {
 public:
  explicit Style(bool on = false, bool links = false) : on_(on), links_(on && links) {}
  [[nodiscard]] std::string operator()(Paint paint, std::string_view text) const;
  // `text`, leading to `url` (OSC 8) where the terminal can. REQUIRES: `url` holds no control
  // characters and no spaces.
  [[nodiscard]] std::string link(std::string_view url, std::string_view text) const;
  [[nodiscard]] bool on() const { return on_; }
  [[nodiscard]] bool links() const { return links_; }

 private:
  bool on_;
  bool links_;
};

// "file:///home/ann/a%20b": for link(); "" for what is no absolute path.
std::string file_url(std::string_view path);

}  // namespace yore::render
