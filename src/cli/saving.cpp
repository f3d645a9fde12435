#include "cli/saving.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/screen/format.hpp"
#include "service/json.hpp"
#include "text/display.hpp"
#include "text/shell.hpp"
#include "text/utf8.hpp"

namespace yore::cli {
namespace {

constexpr std::size_t kMessageChars = 4000;

std::string quoted(std::string_view who, std::string_view said) {
  const std::string_view shown = text::first_chars(said, kMessageChars);
  std::string lines = text::for_terminal(shown);
  if (shown.size() < said.size()) {
    lines +=
        fmt::format("\n[{} more characters]", text::count_chars(said) - text::count_chars(shown));
  }
  std::string out = fmt::format("> **{}:**\n> ", who);
  for (const char c : text::trim(lines)) {
    out += c;
    if (c == '\n') out += "> ";
  }
  return out + "\n";
}

std::string markdown_of(const Context& context, const service::Masker& mask,
                        const search::Hit& hit) {
  const std::string title = text::one_line(mask.text(hit.session.title));
  std::string out =
      fmt::format("## {}. {}{}{}\n\n", hit.rank, text::one_line(mask.text(hit.session.project)),
                  title.empty() ? "" : " · ", title);
  out +=
      fmt::format("`yore chunk {}` · {} · turn {} of {}\n", hit.chunk_id, local_time(hit.timestamp),
                  hit.turn_number, text::one_line(mask.text(hit.session.uid)));
  for (const search::Message& said : hit.messages) {
    if (!said.is_hit) continue;
    const bool person = said.role == "user";
    const std::string who = person ? "You" : context.speaker(hit.session.agent);
    out += "\n" + quoted(who, mask.text(said.content));
  }
  return out;
}

}  // namespace

store::SavedAnswer saved_from(const Context& context, const std::string& name,
                              const SearchFlags& flags, const search::SearchAnswer& answer) {
  const service::Masker mask(context.settings);
  std::vector<std::string> words = words_of(flags);
  mask(words);
  const std::string question = mask.text(flags.query);
  store::SavedAnswer saved;
  saved.name = name;
  saved.asked = context.world.now;
  const std::string shown = text::one_line(question);
  saved.head = fmt::format("- Question: {}\n", shown.empty() ? "(filters alone)" : shown);
  if (!words.empty()) saved.head += "- Filters: `" + text::shell_line(words, "") + "`\n";
  saved.head +=
      fmt::format("- Asked: {}\n- Found: {}\n", local_time(saved.asked), answer.hits.size());
  words.emplace_back("--");
  words.push_back(question);
  saved.again = service::Json(words).dump(-1, ' ', false, service::Json::error_handler_t::replace);
  // Nothing in it ends the comment that it stands in.
  for (std::size_t at = 0; (at = saved.again.find('>', at)) != std::string::npos; at += 6) {
    saved.again.replace(at, 1, "\\u003e");
  }
  for (const search::Hit& hit : answer.hits) {
    saved.hits.push_back({hit.session.uid, hit.turn_number, hit.origin, hit.chunk_id,
                          markdown_of(context, mask, hit)});
  }
  return saved;
}

Result<SearchFlags> question_of(const store::SavedAnswer& saved) {
  const service::Json json = service::Json::parse(saved.again, nullptr, false);
  std::vector<std::string> words;
  for (const service::Json& word : json.is_array() ? json : service::Json::array()) {
    if (word.is_string()) words.push_back(word.get<std::string>());
  }
  if (words.size() < 2 || words[words.size() - 2] != "--") {
    return Error{Errc::corrupt,
                 "the saved answer '" + saved.name + "' does not say what was asked"};
  }
  std::string question = std::move(words.back());
  words.resize(words.size() - 2);
  SearchFlags flags = flags_of(words);
  flags.query = std::move(question);
  return flags;
}

}  // namespace yore::cli
