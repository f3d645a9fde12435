// conversation.hpp — a conversation as blocks that can be drawn: on a terminal (terminal_text.hpp),
// as Markdown (markdown_text.hpp), as HTML (html.hpp). Made once, whoever draws.
//
// Texts are as they were said, masked by whoever read them (service/masking.hpp); each drawer makes
// them safe for where they go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "turns/turn_reader.hpp"

namespace yore::render {

enum class View : std::uint8_t {
  focused,  // prompts and conclusions; of the rest, how much it was
  all,      // everything, in its order
};

struct Block {
  enum class Kind : std::uint8_t {
    prompt,    // as it was typed
    answer,    // Markdown
    thinking,  // likewise
    tool,      // one call, with what it printed and changed
    output,    // printed by tools whose call is not known
    note,      // what nobody typed: a summary after a compaction, a result from the background
    digest,    // focused: "14 tool calls: Bash ×8, Edit ×6"
  };
  Kind kind = Kind::prompt;
  std::string text;         // of a tool: what it printed
  std::string name;         // tool: "Bash"
  std::string detail;       // tool: its most telling field, on one line: "git status"
  std::string diff;         // tool: what an edit took away ("-…") and wrote ("+…")
  bool conclusion = false;  // answer: the last word of its turn
};

struct Turn {
  turns::TurnNumber number = 0;
  Time time = kNoTime;
  // "abandoned", "superseded", then the marks that people gave it.
  std::vector<std::string> marks;
  std::uint32_t masked = 0;  // secrets that are not shown
  std::vector<Block> blocks;
};

// What stands above a conversation: its title, then what is known of it, a name and a value each.
struct Heading {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;
  std::string assistant;  // how the assistant is called: "Claude"
};

struct Conversation {
  Heading heading;
  std::vector<Turn> turns;
};

// `turn` with its parts (turns::Detail::parts) or without: then an answer is one block, and a call
// has no output.
Turn make_turn(const turns::WholeTurn& turn, View view);

// "Bash" and "git status" of the rendering of a call, {"tool":"Bash","command":"git status"}.
struct CallLine {
  std::string name;
  std::string detail;
};
CallLine call_line(const std::string& rendering);

// What an edit changed, line by line: what both begin and end with stands once, and only the
// nearest few lines of it.
std::string edit_diff(std::string_view removed, std::string_view added);

// How many lines a text has; an empty one none.
std::size_t count_lines(std::string_view text);
// "1 line", "1,234 lines"
std::string plural(std::size_t number, std::string_view noun);

}  // namespace yore::render
