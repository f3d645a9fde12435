#include "transcript/input/json_list.hpp"

#include <string>
#include <vector>

#include "base/work_limit.hpp"

namespace yore::transcript {
namespace {

constexpr std::size_t kListChunkBytes = 256 << 10;

// Where the bytes so far have led to.
class ListScan {
 public:
  explicit ListScan(const std::function<void(const ListItem&)>& on_item) : on_item_(on_item) {}

  // False: nothing that follows can matter.
  bool feed(std::string_view bytes, std::uint64_t offset) {
    std::size_t kept_from = 0;  // of the object that is open
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const char c = bytes[i];
      if (in_string_) {
        if (escaped_) {
          escaped_ = false;
        } else if (c == '\\') {
          escaped_ = true;
        } else if (c == '"') {
          in_string_ = false;
        }
        continue;
      }
      switch (c) {
        case '"':
          if (depth_ == 0) return false;
          in_string_ = true;
          break;
        case '{':
        case '[':
          if (depth_ == 0 && c == '{') return false;
          if (depth_ == 1 && c == '{') {
            start_ = offset + i;
            kept_from = i;
            inside_ = true;
          }
          ++depth_;
          break;
        case '}':
        case ']':
          if (depth_ == 0) return false;
          --depth_;
          if (depth_ == 1 && inside_) {
            if (c == ']') return false;  // brackets that do not match: no telling what follows
            keep(bytes.substr(kept_from, i + 1 - kept_from));
            finish(offset + i + 1);
          }
          if (depth_ == 0) {
            closed_ = true;
            return false;
          }
          break;
        default:
          if (depth_ == 0 && !is_ignored(c)) return false;
      }
    }
    if (inside_) keep(bytes.substr(kept_from));
    return true;
  }

  [[nodiscard]] bool closed() const { return closed_; }

 private:
  // White space, and the mark of UTF-8 that some editors put in front.
  static bool is_ignored(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\xef' || c == '\xbb' ||
           c == '\xbf';
  }

  void keep(std::string_view bytes) {
    if (text_.size() <= kMaxRecordBytes) text_ += bytes;
  }

  void finish(std::uint64_t end) {
    const bool whole = end - start_ <= kMaxRecordBytes;
    on_item_({start_, end - start_, whole ? std::string_view(text_) : std::string_view{}});
    inside_ = false;
    text_.clear();
  }

  const std::function<void(const ListItem&)>& on_item_;
  std::string text_;
  std::uint64_t start_ = 0;
  std::uint64_t depth_ = 0;
  bool inside_ = false;
  bool in_string_ = false;
  bool escaped_ = false;
  bool closed_ = false;
};

}  // namespace

Result<bool> each_list_object(ByteSource& source,
                              const std::function<void(const ListItem& item)>& on_item) {
  ListScan scan(on_item);
  std::vector<char> chunk(kListChunkBytes);
  std::uint64_t offset = 0;
  while (true) {
    if (const Status go = WorkLimit::check("looked through", "an export"); !go) return go.error();
    const auto got = source.read_at(offset, chunk.data(), chunk.size());
    if (!got) return got.error();
    if (*got == 0 || !scan.feed({chunk.data(), *got}, offset)) return scan.closed();
    offset += *got;
  }
}

}  // namespace yore::transcript
