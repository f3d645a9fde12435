#include "mcp/tools/answers.hpp"

#include "mcp/tools/tool_backend.hpp"
#include "text/utf8.hpp"

namespace yore::mcp {
namespace {

constexpr std::size_t kCandidatesShown = 10;

// The hint has one candidate a line: its id, two spaces, its title. Titles are left out: they are
// quotes, and a sentence of ours is no place for quotes.
std::string ambiguous_sentence(const Error& error) {
  std::string ids;
  std::size_t count = 0;
  std::string_view rest = error.hint;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (++count > kCandidatesShown) continue;
    ids += (ids.empty() ? "" : ", ") + std::string(line.substr(0, line.find("  ")));
  }
  if (count > kCandidatesShown) ids += " and " + with_commas(count - kCandidatesShown) + " more";
  return error.message + ": " + ids + ". Give more of the id.";
}

}  // namespace

std::size_t json_chars(const Json& json) {
  std::size_t count = 0;
  for (const char c : json_text(json)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool begins = (byte & 0xC0) != 0x80;
    count += (begins ? 1U : 0U) + (byte >= 0xF0 ? 1U : 0U);
  }
  return count;
}

void add_notes(Json& answer, const std::vector<std::string>& sentences) {
  constexpr std::string_view kMore = " (There is more to say than fits here.)";
  std::string note = answer.value("note", "");
  for (const std::string& sentence : sentences) {
    if (!note.empty()) note += ' ';
    note += sentence;
  }
  if (note.empty()) return;
  // Only a query that is full of odd marks gets here; each of them has a remark of its own.
  const std::size_t room = kNoteChars / 2;
  if (text::count_chars(note) > room) {
    note = std::string(text::first_chars(note, room)).append("…").append(kMore);
  }
  answer["note"] = std::move(note);
}

void add_truncated(Json& json, std::string_view field, std::size_t shown, std::size_t total) {
  json["truncated"][std::string(field)] = {{"shown", shown}, {"total", total}};
}

void cut_text(Json& json, std::string_view field, std::size_t max_chars) {
  Json& value = json[std::string(field)];
  if (!value.is_string()) return;
  const auto& whole = value.get_ref<const std::string&>();
  const std::string_view shown = text::first_chars(whole, max_chars);
  if (shown.size() == whole.size()) return;
  const std::size_t total = text::count_chars(whole);
  value = std::string(shown);
  add_truncated(json, field, max_chars, total);
}

std::size_t how_many_fit(const Json& pieces, std::size_t budget) {
  std::size_t used = 0;
  std::size_t count = 0;
  for (const Json& piece : pieces) {
    used += json_chars(piece) + 1;  // and a comma
    if (used > budget && count > 0) break;
    ++count;
  }
  return count;
}

ToolAnswer failed(const Error& error, const ToolBackend& recall) {
  switch (error.code) {
    case Errc::not_found: {
      Json body = {{"error", error.message}};
      const std::string building = recall.building();
      if (!building.empty()) add_notes(body, {building});
      return {json_text(body), true};
    }
    case Errc::ambiguous:
      return tool_error(ambiguous_sentence(error));
    case Errc::invalid_argument:
      return tool_error(error.message + (error.hint.empty() ? "." : ": " + error.hint + "."));
    case Errc::busy:
      return tool_error("The index is busy: try again in a moment.");
    case Errc::cancelled:
      return tool_error("Cancelled.");
    case Errc::corrupt:
    case Errc::io:
    case Errc::unsupported:
      break;
  }
  recall.log(error.message);
  return tool_error("The index cannot be read; `yore doctor` in a terminal tells why.");
}

}  // namespace yore::mcp
