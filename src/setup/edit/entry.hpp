// entry.hpp — one entry of a settings file: where it stands and what it says; found, put in and
// taken out by editing the text.
//
// Pure: bytes in, changes of bytes out. Nothing outside the entry (and the keys above it that were
// missing) is touched: comments, order, indentation, line endings, a byte order mark and the end
// of the file stay as they are. What an edit makes is read again before it is given back; when it
// does not say what was there before plus (or minus) the entry, the edit fails and nothing is
// lost. Cost: linear in the text.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "setup/edit/splice.hpp"

namespace yore::setup {

using Json = nlohmann::ordered_json;

enum class Format : std::uint8_t {
  json,
  jsonc,  // JSON with comments and trailing commas
  json5,
  toml,
  yaml,
};

struct Entry {
  Format format = Format::json;
  std::vector<std::string> keys;  // the table it stands in, from the outside: {"mcp", "servers"}
  // That is a list: its items are told apart by their `name`, which is part of the value; or, when
  // there is a mark, by a text somewhere in them that holds it.
  bool listed = false;
  std::string name;
  std::string mark;
  Json value;  // an object of texts, numbers, booleans and lists; of JSON also of objects
};

// Do both stand at one place of a file?
bool is_same_place(const Entry& a, const Entry& b);
// Does a text in this value hold the mark? Pointers to it; null when none does.
const Json* marked_text(const Json& value, std::string_view mark);

// What stands at the entry's place; nullopt when nothing does. corrupt: the text is not valid in
// its format; the message names the line. unsupported: valid, but the entry has no place in it.
Result<std::optional<Json>> find_entry(std::string_view bytes, const Entry& entry);

// Puts it in, behind what is there. REQUIRES: find_entry() finds none.
Result<Splices> insert_entry(std::string_view bytes, const Entry& entry);

// Takes it out whatever it says by now, with up to `parents` keys above it that are empty then.
// not_found when there is none.
Result<Splices> remove_entry(std::string_view bytes, const Entry& entry, std::size_t parents);

// How many of entry.keys are missing: an edit makes them.
Result<std::size_t> missing_parents(std::string_view bytes, const Entry& entry);

// What the file says when the entry is all it holds: the lines to paste.
std::string entry_alone(const Entry& entry);

}  // namespace yore::setup
