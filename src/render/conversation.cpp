#include "render/conversation.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "text/display.hpp"
#include "text/utf8.hpp"

namespace yore::render {
namespace {

using turns::TurnPart;
using Json = nlohmann::ordered_json;

// Lines around a change that say where it is.
constexpr std::size_t kContextLines = 2;

std::string value_text(const std::string& key, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (key == "chars" && value.is_number_unsigned()) {
    return "(" + plural(value.get<std::size_t>(), "char") + ")";
  }
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Block block_of(Block::Kind kind, std::string_view text) {
  Block block;
  block.kind = kind;
  block.text = text;
  return block;
}

Block tool_of(const std::string& rendering) {
  Block block;
  block.kind = Block::Kind::tool;
  CallLine line = call_line(rendering);
  block.name = std::move(line.name);
  block.detail = std::move(line.detail);
  return block;
}

// A patch is its own diff.
std::string diff_of(const TurnPart& call) {
  if (!call.removed.empty() || !call.added.empty()) return edit_diff(call.removed, call.added);
  const std::size_t patch = call.text.find("*** Begin Patch");
  return patch == std::string::npos ? "" : call.text.substr(patch);
}

class TurnMaker {
 public:
  explicit TurnMaker(const turns::WholeTurn& whole) : whole_(whole) {}

  std::vector<Block> all() {
    add_prompt();
    if (whole_.parts.empty()) {
      for (const std::string& call : whole_.tools_used) blocks_.push_back(tool_of(call));
      add(Block::Kind::answer, whole_.assistant_text);
    }
    for (const TurnPart& part : whole_.parts) add_part(part);
    const auto last = std::find_if(blocks_.rbegin(), blocks_.rend(), [](const Block& block) {
      return block.kind == Block::Kind::answer;
    });
    if (last != blocks_.rend()) last->conclusion = true;
    return std::move(blocks_);
  }

  std::vector<Block> focused() {
    add_prompt();
    if (std::string calls = digest(); !calls.empty()) add(Block::Kind::digest, calls);
    const auto last =
        std::find_if(whole_.parts.rbegin(), whole_.parts.rend(), [](const TurnPart& part) {
          return part.kind == TurnPart::Kind::text && !text::is_blank(part.text);
        });
    add(Block::Kind::answer, last == whole_.parts.rend() ? whole_.assistant_text : last->text);
    if (!blocks_.empty() && blocks_.back().kind == Block::Kind::answer) {
      blocks_.back().conclusion = true;
    }
    return std::move(blocks_);
  }

 private:
  void add(Block::Kind kind, std::string_view text) {
    if (!text::is_blank(text)) blocks_.push_back(block_of(kind, text));
  }
  void add_prompt() { add(Block::Kind::prompt, whole_.user_text); }

  void add_part(const TurnPart& part) {
    switch (part.kind) {
      case TurnPart::Kind::text:
        return add(Block::Kind::answer, part.text);
      case TurnPart::Kind::thinking:
        return add(Block::Kind::thinking, part.text);
      case TurnPart::Kind::note:
        return add(Block::Kind::note, part.text);
      case TurnPart::Kind::call:
        if (!part.tool_id.empty()) calls_[part.tool_id] = blocks_.size();
        blocks_.push_back(tool_of(part.rendering));
        blocks_.back().diff = diff_of(part);
        return;
      case TurnPart::Kind::result:
        return add_result(part);
    }
  }

  // To the call it belongs to; without ids, to the call right before it.
  void add_result(const TurnPart& result) {
    const auto call = calls_.find(result.tool_id);
    if (!result.tool_id.empty() && call != calls_.end()) {
      std::string& text = blocks_[call->second].text;
      if (!text.empty()) text += '\n';
      text += result.text;
      return;
    }
    const bool follows = result.tool_id.empty() && result.in_order && !blocks_.empty() &&
                         blocks_.back().kind == Block::Kind::tool && blocks_.back().text.empty();
    if (follows) {
      blocks_.back().text = result.text;
    } else {
      add(Block::Kind::output, result.text);
    }
  }

  // "14 tool calls: Bash ×8, Edit ×6", the most used first.
  std::string digest() const {
    std::vector<std::pair<std::string, std::size_t>> uses;
    std::unordered_map<std::string, std::size_t> known;
    for (const std::string& rendering : whole_.tools_used) {
      const std::string name = call_line(rendering).name;
      const auto [place, is_new] = known.emplace(name, uses.size());
      if (is_new) uses.emplace_back(name, 0);
      ++uses[place->second].second;
    }
    if (uses.empty()) return "";
    std::ranges::stable_sort(uses, std::greater{}, &std::pair<std::string, std::size_t>::second);
    std::string out = plural(whole_.tools_used.size(), "tool call") + ":";
    constexpr std::size_t kNamed = 6;
    for (std::size_t i = 0; i < std::min(uses.size(), kNamed); ++i) {
      out += (i == 0 ? " " : ", ") + uses[i].first;
      if (uses[i].second > 1) out += " \u00d7" + std::to_string(uses[i].second);
    }
    if (uses.size() > kNamed) out += ", \u2026";
    return out;
  }

  const turns::WholeTurn& whole_;
  std::vector<Block> blocks_;
  std::unordered_map<std::string, std::size_t> calls_;  // by id
};

}  // namespace

CallLine call_line(const std::string& rendering) {
  const Json json = Json::parse(rendering, nullptr, false);
  if (!json.is_object()) return {text::one_line(rendering), ""};
  CallLine line;
  for (const auto& [key, value] : json.items()) {
    std::string part = text::one_line(value_text(key, value));
    if (part.empty()) continue;
    if (key == "tool" && line.name.empty()) {
      line.name = std::move(part);
      continue;
    }
    if (!line.detail.empty()) line.detail += ' ';
    line.detail += part;
  }
  return line;
}

std::string edit_diff(std::string_view removed, std::string_view added) {
  const std::vector<std::string_view> before = lines_of(removed);
  const std::vector<std::string_view> after = lines_of(added);
  const std::size_t least = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < least && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < least - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }
  std::string out;
  const auto put = [&out](char mark, std::string_view line) {
    out += mark;
    out += line;
    out += '\n';
  };
  for (std::size_t i = head - std::min(head, kContextLines); i < head; ++i) put(' ', before[i]);
  for (std::size_t i = head; i < before.size() - tail; ++i) put('-', before[i]);
  for (std::size_t i = head; i < after.size() - tail; ++i) put('+', after[i]);
  for (std::size_t i = 0; i < std::min(tail, kContextLines); ++i) {
    put(' ', after[after.size() - tail + i]);
  }
  if (!out.empty()) out.pop_back();
  return out;
}

std::size_t count_lines(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  if (text.empty()) return 0;
  return static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
}

std::string plural(std::size_t number, std::string_view noun) {
  std::string out = text::with_commas(number) + " " + std::string(noun);
  if (number != 1) out += 's';
  return out;
}

Turn make_turn(const turns::WholeTurn& whole, View view) {
  Turn turn;
  turn.number = whole.number;
  turn.time = whole.time;
  turn.masked = whole.masked;
  if (whole.abandoned) turn.marks.emplace_back("abandoned");
  if (whole.superseded) turn.marks.emplace_back("superseded");
  TurnMaker maker(whole);
  turn.blocks = view == View::all ? maker.all() : maker.focused();
  return turn;
}

}  // namespace yore::render
