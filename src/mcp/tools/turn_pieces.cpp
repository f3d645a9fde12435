#include "mcp/tools/turn_pieces.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "mcp/tools/answers.hpp"
#include "text/utf8.hpp"

namespace yore::mcp {
namespace {

constexpr std::array<const char*, 2> kTexts = {"user_text", "assistant_text"};
constexpr const char* kTools = "tools_used";
// The longest JSON text; above kMostTurnChars, to leave room for the escapes of ordinary text.
constexpr std::size_t kMostJsonChars = 46'000;
// What "truncated" itself takes, with all three fields in it.
constexpr std::size_t kTruncatedChars = 250;

// Characters that a character takes in a JSON text, counted as JavaScript does.
std::size_t width_of(char32_t c) {
  switch (c) {
    case '"':
    case '\\':
    case '\b':
    case '\f':
    case '\n':
    case '\r':
    case '\t':
      return 2;
    default:
      if (c < 0x20) return 6;
      return c > 0xFFFF ? 2 : 1;
  }
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const text::Char c = text::decode_at(text, at);
    width += width_of(c.code_point);
    at += c.size_bytes;
  }
  return width;
}

// The room that is left, taken up piece by piece.
struct Room {
  std::size_t skip = 0;   // characters that are passed over first
  std::size_t chars = 0;  // of the turn
  std::size_t width = 0;  // of the JSON text
  bool full = false;      // something did not fit: nothing behind it is shown either

  struct Slice {
    std::string_view text;
    std::size_t passed = 0;  // characters before it
    std::size_t shown = 0;
    std::size_t total = 0;
  };
  Slice take(std::string_view text) {
    Slice part;
    part.total = text::count_chars(text);
    part.passed = std::min(skip, part.total);
    skip -= part.passed;
    text.remove_prefix(text::first_chars(text, part.passed).size());
    std::size_t size = 0;
    while (size < text.size() && !full) {
      const text::Char c = text::decode_at(text, size);
      const std::size_t needed = width_of(c.code_point);
      full = chars == 0 || width < needed;
      if (full) break;
      --chars;
      width -= needed;
      size += c.size_bytes;
      ++part.shown;
    }
    part.text = text.substr(0, size);
    return part;
  }
  // Is an entry of `size` characters shown? One that the offset falls into is, from its start.
  bool take_entry(std::size_t size, bool must) {
    if (skip >= size) {
      skip -= size;
      return false;
    }
    skip = 0;
    full = full || (!must && (size > chars || size > width));
    if (full) return false;
    chars -= std::min(size, chars);
    width -= std::min(size, width);
    return true;
  }
};

const std::string& text_of(const Json& turn, const char* field) {
  return turn.at(field).get_ref<const std::string&>();
}

}  // namespace

TurnPiece piece_of(const Json& whole, std::size_t offset, std::size_t max_chars,
                   std::size_t max_json) {
  TurnPiece piece;
  piece.json = whole;
  Room room{offset, max_chars, max_json == 0 ? kMostJsonChars : max_json};
  std::size_t end = 0;  // where the piece ends; 0: nothing is shown yet
  for (const char* const field : kTexts) {
    const Room::Slice part = room.take(text_of(whole, field));
    piece.json[field] = std::string(part.text);
    if (part.shown < part.total) add_truncated(piece.json, field, part.shown, part.total);
    if (part.shown > 0) end = piece.total + part.passed + part.shown;
    piece.total += part.total;
  }
  const Json& tools = whole.at(kTools);
  Json shown = Json::array();
  for (const Json& tool : tools) {
    const std::size_t size = json_chars(tool);
    if (room.take_entry(size, /*must=*/end == 0)) {
      shown.push_back(tool);
      end = piece.total + size;
    }
    piece.total += size;
  }
  if (shown.size() < tools.size()) {
    add_truncated(piece.json, kTools, shown.size(), tools.size());
  }
  piece.json[kTools] = std::move(shown);
  if (room.full) piece.next = end;
  return piece;
}

Json fitted(const Json& whole, std::size_t budget) {
  const std::size_t size = json_chars(whole);
  if (size <= budget) return whole;
  const Json& tools = whole.at(kTools);
  struct Need {
    std::size_t needed;
    std::size_t given = 0;
  };
  std::array<Need, 3> needs = {{{width_of(text_of(whole, kTexts[0]))},
                                {width_of(text_of(whole, kTexts[1]))},
                                {json_chars(tools)}}};
  std::size_t around = size + kTruncatedChars;
  for (const Need& need : needs) around -= std::min(around, need.needed);
  // The smallest first: what it leaves of its share is for the others.
  std::array<Need*, 3> order = {&needs[0], &needs[1], &needs[2]};
  std::ranges::sort(order, {}, [](const Need* need) { return need->needed; });
  std::size_t left = budget - std::min(budget, around);
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i]->given = std::min(order[i]->needed, left / (order.size() - i));
    left -= order[i]->given;
  }

  Json json = whole;
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    Room room{0, SIZE_MAX, needs[i].given};
    const Room::Slice part = room.take(text_of(whole, kTexts[i]));
    if (part.shown == part.total) continue;
    json[kTexts[i]] = std::string(part.text);
    add_truncated(json, kTexts[i], part.shown, part.total);
  }
  if (needs[2].given < needs[2].needed) {
    Json shown = Json::array();
    Room room{0, SIZE_MAX, needs[2].given};
    for (const Json& tool : tools) {
      if (room.take_entry(json_chars(tool) + 1, false)) shown.push_back(tool);
    }
    add_truncated(json, kTools, shown.size(), tools.size());
    json[kTools] = std::move(shown);
  }
  return json;
}

}  // namespace yore::mcp
