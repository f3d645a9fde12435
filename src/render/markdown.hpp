// markdown.hpp — Markdown as a walk through its elements, whoever draws them. What is said in a
// transcript is anybody's words:
//   - HTML is text, never markup;
//   - a link leads to http, https or mailto or nowhere (`url` is empty), and always shows its
//   target;
//     a picture is a link, nothing is fetched;
//   - what could control or disguise is gone before (text/display.hpp), also where an entity spells
//   it;
//   - containers nest up to kMaxDepth, deeper ones are flat.
//
// Cost: linear in the text, whatever it is. It is parsed in pieces of about kPieceBytes, cut
// between paragraphs where that is possible; a piece that would unfold to far more than it is (a
// table of empty cells) is shown as it was written. Memory: one piece at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace yore::render {

enum class Element : std::uint8_t {
  paragraph,
  heading,
  quote,
  list,
  item,
  code_block,
  rule,
  table,
  row,
  cell,
  // Inside of lines.
  strong,
  emphasis,
  strike,
  code,
  link,
};

// Of the element that is entered; views live during the call.
struct Attributes {
  unsigned level = 0;         // heading: 1 to 6
  bool numbered = false;      // list
  unsigned start = 1;         // its first number
  bool tight = true;          // list: no empty lines between items
  bool task = false;          // item: with a box
  bool done = false;          // that is ticked
  bool header = false;        // cell
  bool right = false;         // cell: aligned
  std::size_t columns = 0;    // table
  std::string_view language;  // code_block: first word behind its fence
  std::string_view url;       // link: where it may lead
  std::string_view target;    // link: what was written, safe to show
};

class MarkdownSink {
 public:
  virtual ~MarkdownSink() = default;
  virtual void enter(Element element, const Attributes& attributes) = 0;
  virtual void leave(Element element) = 0;
  // Plain text, safe to show; within code_block it may hold newlines.
  virtual void text(std::string_view text) = 0;
  virtual void line_break() = 0;
};

inline constexpr std::size_t kPieceBytes = 32 << 10;
inline constexpr std::size_t kMaxDepth = 12;

// Every enter() has its leave().
void walk_markdown(std::string_view text, MarkdownSink& sink);

// May it be followed? http:, https: and mailto: only.
bool is_safe_url(std::string_view url);

}  // namespace yore::render
