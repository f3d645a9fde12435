#include "turns/builder_text.hpp"

#include <algorithm>

#include "text/utf8.hpp"
#include "turns/turn_types.hpp"

namespace yore::turns {

std::string_view capped_result(std::string_view text, std::string& storage) {
  if (text.size() <= kResultHeadBytes + kResultTailBytes) return text;
  const std::string_view head = text::prefix_bytes(text, kResultHeadBytes);
  const std::string_view tail = text::suffix_bytes(text, kResultTailBytes);
  const std::size_t missing = text.size() - head.size() - tail.size();
  storage = head;
  storage += "\n[" + std::to_string(missing) + " bytes left out]\n";
  storage += tail;
  return storage;
}

bool says_private(std::string_view text) {
  constexpr std::string_view kPrivate = "yore: private";
  for (std::size_t at = text.find(kPrivate); at != std::string_view::npos;
       at = text.find(kPrivate, at + 1)) {
    const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (text::trim(text.substr(begin, end - begin)) == kPrivate) return true;
  }
  return false;
}

void keep_earliest(Time& known, Time seen) {
  if (seen != kNoTime && (known == kNoTime || seen < known)) known = seen;
}

void keep_latest(Time& known, Time seen) {
  known = std::max(known, seen);
}

void add_growth(transcript::Usage& sum, const transcript::Usage& before,
                const transcript::Usage& now) {
  sum.input_tokens += now.input_tokens - before.input_tokens;
  sum.output_tokens += now.output_tokens - before.output_tokens;
  sum.cache_read_tokens += now.cache_read_tokens - before.cache_read_tokens;
  sum.cache_write_tokens += now.cache_write_tokens - before.cache_write_tokens;
}

void keep_new(std::string& known, std::string_view seen) {
  if (!seen.empty() && known != seen) known = seen;
}

}  // namespace yore::turns
