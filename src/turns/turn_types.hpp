// turn_types.hpp — turns, surfaces and passages: what `turns` makes of records and `store` keeps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "transcript/record.hpp"

namespace yore::turns {

using TurnNumber = std::uint32_t;

// Sides of a turn. Values are stored: never renumber.
// assistant_summary is no surface of its own here: it is the part of assistant_text whose block
// number is Turn::assistant_blocks - 1, so it moves without rewriting a passage.
enum class Surface : std::uint8_t {
  user_prompt = 0,
  assistant_text = 1,
  tool = 2,  // names, commands, paths, capped results, notes
  thinking = 3,
  calls = 4,  // compact renderings, one JSON object a line: read back, never searched
  own = 5,    // what yore itself printed into the conversation: read back, never searched
  note = 6,   // what was written down to be remembered: memory files, saved recalls
  // 7 is what the keyword index calls a title.
  synopsis = 8,  // a summary of the turn that somebody had made
};
inline constexpr int kSurfaces = 9;
std::string_view surface_name(Surface surface);

// A piece of one surface of one turn. The pieces of one block, in stored order, are its text byte
// for byte; blocks of a surface are put in order by number and joined with a newline.
struct Passage {
  TurnNumber turn = 0;
  Surface surface = Surface::user_prompt;
  std::uint32_t block = 0;  // of user_prompt and assistant_text: counted within the turn, from 0
  std::string text;
};

// What is known of one turn. A row changes while the turn grows; its number never does.
struct Turn {
  TurnNumber number = 0;
  bool abandoned = false;  // on a branch left behind by a rewind
  bool automated = false;  // nobody typed its prompt
  bool scripted = false;   // a program passed its prompt on
  bool has_tool = false;
  bool forgotten = false;     // on purpose: its number is all that is left of it
  Time first_time = kNoTime;  // of the prompt
  Time last_time = kNoTime;   // latest activity
  std::uint64_t offset = 0;   // of its first record in the source
  std::uint64_t line = 0;
  std::uint32_t assistant_blocks = 0;  // 0: no answer; else the last of them is the conclusion
  // Lineage. Copies of a turn (fork, resume, hand-off) have the same origin; copies that also went
  // on alike have the same content.
  std::uint64_t origin = 0;   // hash of the first record's key and text
  std::uint64_t content = 0;  // hash of everything said and called, and of the first time
  std::string model;          // last seen within the turn
  std::string branch;
  // Tokens of its answers; none: not counted when it was read, which is not the same as zero.
  std::optional<transcript::Usage> usage;
  // The number people name it by (chunk_id.hpp) where that is not the one of its session and
  // number: the turn took the place of another, or was moved; 0: it is. The builder gives none.
  std::uint64_t chunk = 0;
  friend bool operator==(const Turn&, const Turn&) = default;
};

// A `summary` record and the record it belongs to.
struct LeafTitle {
  std::uint64_t leaf = 0;  // hash of the record key
  std::string text;
  bool early = false;  // it came before the first turn
  friend bool operator==(const LeafTitle&, const LeafTitle&) = default;
};

// What is known of a session from its records.
struct SessionFacts {
  Time first_time = kNoTime;  // smallest and largest seen: clocks run backwards in real files
  Time last_time = kNoTime;
  std::string first_cwd;
  std::string cwd;  // last seen; likewise branch, model, version
  std::string branch;
  std::string model;
  std::string version;
  std::string slug;
  std::string custom_title;
  std::string name_title;
  std::string ai_title;
  std::string index_title;
  std::string compaction_title;
  std::string first_prompt;  // first 200 characters; a machine's only until a person's comes
  bool first_prompt_typed = false;
  std::uint64_t records = 0;
  std::uint32_t turn_count = 0;
  std::uint32_t automated_turns = 0;  // all turns automated: so is the session
  transcript::Usage usage;
  friend bool operator==(const SessionFacts&, const SessionFacts&) = default;
};

// One tool result is kept up to this many bytes: head and tail, with a line between that says how
// much is missing.
inline constexpr std::size_t kResultHeadBytes = 3072;
inline constexpr std::size_t kResultTailBytes = 1024;
// Thinking and assistant text are kept whole.

}  // namespace yore::turns
