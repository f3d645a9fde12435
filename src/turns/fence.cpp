#include "turns/fence.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "text/utf8.hpp"

namespace yore::turns {
namespace {

// As yore writes fences, and as agents write down what hooks told them (Gemini CLI, Qwen Code).
struct FenceForm {
  std::string_view head;
  std::string_view tail;
  std::string_view close;
};
constexpr std::array kForms = {
    FenceForm{"<<yore history ", ">>", kFenceClose},
    FenceForm{"&lt;&lt;yore history ", "&gt;&gt;", "&lt;&lt;end yore history&gt;&gt;"},
};
constexpr std::string_view kOpenHead = kForms[0].head;
constexpr std::size_t kMostDigits = 4;
constexpr auto kNowhere = std::string_view::npos;

struct FenceOpening {
  std::size_t begin = kNowhere;
  std::size_t end = kNowhere;
  std::string_view close = kFenceClose;  // what ends it
};

FenceOpening find_opening_of(const FenceForm& form, std::string_view text, std::size_t from) {
  for (std::size_t at = text.find(form.head, from); at != kNowhere;
       at = text.find(form.head, at + 1)) {
    std::size_t end = at + form.head.size();
    const std::size_t digits = end;
    while (end < text.size() && end - digits < kMostDigits && ascii::is_digit(text[end])) ++end;
    const bool whole = end > digits && text.substr(end).starts_with(form.tail);
    if (whole) return {at, end + form.tail.size(), form.close};
  }
  return {};
}

// The next opening fence of any version and form at or behind `from`.
FenceOpening find_opening(std::string_view text, std::size_t from) {
  FenceOpening first;
  for (const FenceForm& form : kForms) {
    const FenceOpening opening = find_opening_of(form, text, from);
    if (opening.begin < first.begin) first = opening;
  }
  return first;
}

bool is_alone_on_its_line(std::string_view text, const FenceOpening& opening) {
  const std::size_t begin = opening.begin == 0 ? 0 : text.rfind('\n', opening.begin - 1) + 1;
  const std::size_t end = std::min(text.find('\n', opening.end), text.size());
  return text::trim(text.substr(begin, end - begin)) ==
         text.substr(opening.begin, opening.end - opening.begin);
}

}  // namespace

std::string fenced(std::string_view text) {
  std::string out(kFenceOpen);
  out += '\n';
  const std::size_t body = out.size();
  out += text;
  for (const std::string_view mark : {kOpenHead, kFenceClose.substr(0, kFenceClose.size() - 2)}) {
    for (std::size_t at = out.find(mark, body); at != kNowhere; at = out.find(mark, at)) {
      out.insert(at + 1, " ");
    }
  }
  if (!out.ends_with('\n')) out += '\n';
  out += kFenceClose;
  out += '\n';
  return out;
}

Unfenced without_fenced(std::string_view text, Unclosed unclosed, std::string& storage) {
  Unfenced result{text, false};
  std::size_t taken = 0;
  for (FenceOpening opening = find_opening(text, 0); opening.begin != kNowhere;
       opening = find_opening(text, opening.end)) {
    const std::size_t close = text.find(opening.close, opening.end);
    const bool cut = close == kNowhere && unclosed == Unclosed::runs_to_end &&
                     is_alone_on_its_line(text, opening);
    if (close == kNowhere && !cut) break;
    if (!result.had_fence) storage.clear();
    result.had_fence = true;
    storage += text.substr(taken, opening.begin - taken);
    taken = opening.end = cut ? text.size() : close + opening.close.size();
  }
  if (!result.had_fence) return result;
  storage += text.substr(taken);
  result.text = text::is_blank(storage) ? std::string_view{} : std::string_view{storage};
  return result;
}

}  // namespace yore::turns
