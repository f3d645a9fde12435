// query.hpp — what people type into a search: words, phrases, marks and fields. Pure.
//
//   bare words       ORed and ranked; whatever punctuation a pasted question or error brings along
//   "a phrase"       these words next to each other, in this order
//   +word  -word     the turn must (must not) hold it; also +"a phrase"
//   word*            every word that begins so
//   field:value      project: agent: branch: model: file: tool: session: tag: has:tool is:starred
//                    is:superseded; the value may be quoted
//
// In what reads as a command line ("go test -race --count 2", "dig -x 1 | head") "-race" is text.
//
// Nothing is a syntax error: an unclosed quote ends with the text, a lone mark is punctuation, and
// an unknown field is text with a hint. What only looks like a field is text without one:
// "std::sort", "http://x", "12:30", "error: no such file", "C:\x".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace yore::search {

struct QueryPart {
  enum class Kind : std::uint8_t { words, phrase, prefix };
  enum class Mark : std::uint8_t { none, required, excluded };
  Kind kind = Kind::words;
  Mark mark = Mark::none;
  std::string text;  // raw, without quotes, marks and the star of a prefix
  friend bool operator==(const QueryPart&, const QueryPart&) = default;
};

struct ParsedQuery {
  std::vector<QueryPart> parts;  // neighbouring bare words are one part
  std::vector<std::string> projects;
  std::vector<std::string> agents;
  std::vector<std::string> branches;
  std::vector<std::string> models;
  std::vector<std::string> files;
  std::vector<std::string> tools;
  std::vector<std::string> sessions;
  std::vector<std::string> tags;
  bool has_tool = false;
  bool starred = false;
  bool superseded = false;
  std::vector<std::string> hints;  // sentences: "no field \"projct:\", did you mean \"project:\"?"
  friend bool operator==(const ParsedQuery&, const ParsedQuery&) = default;
};

ParsedQuery parse_query(std::string_view text);

// Does it look for nothing that is said, but name what it has to be of?
bool has_no_words(const ParsedQuery& query);

}  // namespace yore::search
