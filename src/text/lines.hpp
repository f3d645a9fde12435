// lines.hpp — texts joined by newlines.
#pragma once

#include <string>
#include <string_view>

namespace yore::text {

// Puts a newline between what is there and what comes; an empty text adds nothing.
inline void append_line(std::string& out, std::string_view text) {
  if (text.empty()) return;
  if (!out.empty()) out += '\n';
  out += text;
}

// Texts below each other, without the empty ones. A single one is not copied.
class JoinedLines {
 public:
  // `storage` holds the texts once there are several; what it held is gone then.
  explicit JoinedLines(std::string& storage) : storage_(storage) {}

  void add(std::string_view text) {
    if (text.empty()) return;
    if (joined_.empty()) {
      joined_ = text;
      return;
    }
    if (!several_) storage_ = joined_;
    several_ = true;
    joined_ = storage_.append("\n").append(text);
  }
  // Valid as long as the texts and the storage.
  [[nodiscard]] std::string_view text() const { return joined_; }

 private:
  std::string& storage_;
  std::string_view joined_;
  bool several_ = false;
};

}  // namespace yore::text
