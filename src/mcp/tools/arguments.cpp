#include "mcp/tools/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <variant>

#include "text/secrets/secrets.hpp"
#include "text/suggest.hpp"
#include "text/utf8.hpp"

namespace yore::mcp {
namespace {

constexpr std::size_t kShownChars = 60;

std::string joined(std::span<const std::string_view> words, std::string_view last_link) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? last_link : std::string_view(", ");
    out += words[i];
  }
  return out;
}

std::optional<std::int64_t> whole_number(const Json& value) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number_float()) {
    constexpr double kExact = 9007199254740992.0;  // 2^53
    const double number = value.get<double>();
    if (std::abs(number) > kExact || number != std::floor(number)) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (!value.is_string()) return std::nullopt;
  const std::string_view digits = text::trim(value.get_ref<const std::string&>());
  std::int64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, problem] = std::from_chars(digits.data(), end, number);
  if (problem != std::errc{} || stop != end) return std::nullopt;
  return number;
}

std::string range_text(Range range) {
  return "a whole number from " + std::to_string(range.least) + " to " + std::to_string(range.most);
}

}  // namespace

std::string shown(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  if (value.is_string()) {
    // Masked before it is cut.
    const std::string whole = text::masked(value.get_ref<const std::string&>());
    const std::string_view start = text::first_chars(whole, kShownChars);
    return json_text(start.size() == whole.size() ? whole : std::string(start) + "…");
  }
  return json_text(value);
}

Arguments::Arguments(const Json& object, std::initializer_list<std::string_view> known)
    : object_(object) {
  for (const auto& [name, value] : object_.items()) {
    if (std::ranges::find(known, std::string_view(name)) != known.end()) continue;
    const std::vector<std::string_view> names(known);
    std::string sentence = "Unknown argument " + shown(name) + "; ";
    const std::string_view meant = text::closest(name, names);
    if (!meant.empty()) sentence.append("did you mean ").append(meant).append("? ");
    sentence += (meant.empty() ? "known are " : "Known are ") + joined(names, " and ") + ".";
    refuse(std::move(sentence));
  }
}

const Json* Arguments::given(std::string_view name) const {
  return member(object_, name);
}

const Json* Arguments::required(std::string_view name) {
  const Json* const value = given(name);
  if (value == nullptr) refuse(std::string(name) + " is required.");
  return value;
}

void Arguments::refuse(std::string sentence) {
  if (!error_) error_ = std::move(sentence);
}

void Arguments::refuse_value(std::string_view name, std::string_view wanted, const Json& value) {
  refuse(std::string(name).append(" must be ").append(wanted) + ", not " + shown(value) + ".");
}

std::string Arguments::checked_text(std::string_view name, const Json& value,
                                    std::size_t max_chars) {
  // A number for a text is a word that looks like one.
  if (value.is_number()) return json_text(value);
  if (!value.is_string()) {
    refuse_value(name, "a text", value);
    return "";
  }
  const auto& whole = value.get_ref<const std::string&>();
  const std::size_t chars = text::count_chars(whole);
  if (chars <= max_chars) return whole;
  refuse(std::string(name) + " must have at most " + std::to_string(max_chars) +
         " characters, not " + std::to_string(chars) + ".");
  return "";
}

std::string Arguments::required_text(std::string_view name, std::size_t max_chars) {
  const Json* const value = required(name);
  if (value == nullptr) return "";
  std::string text = checked_text(name, *value, max_chars);
  if (text::is_blank(text)) refuse(std::string(name) + " must not be empty.");
  return text;
}

std::optional<std::string> Arguments::text(std::string_view name, std::size_t max_chars) {
  const Json* const value = given(name);
  if (value == nullptr) return std::nullopt;
  std::string text = checked_text(name, *value, max_chars);
  if (text::is_blank(text)) return std::nullopt;
  return text;
}

std::optional<std::int64_t> Arguments::optional_integer(std::string_view name, Range range) {
  const Json* const value = given(name);
  if (value == nullptr) return std::nullopt;
  const auto number = whole_number(*value);
  if (number && *number >= range.least && *number <= range.most) return number;
  refuse_value(name, range_text(range), *value);
  return std::nullopt;
}

std::int64_t Arguments::required_integer(std::string_view name, Range range) {
  if (required(name) == nullptr) return range.least;
  return integer(name, range, range.least);
}

std::int64_t Arguments::integer(std::string_view name, Range range, std::int64_t fallback) {
  return optional_integer(name, range).value_or(fallback);
}

Arguments::AtMost Arguments::at_most(std::string_view name, Range range, std::int64_t fallback) {
  const Json* const value = given(name);
  const auto number = value == nullptr ? std::nullopt : whole_number(*value);
  const bool reduced = number && *number > range.most;
  return {reduced ? range.most : integer(name, range, fallback), reduced};
}

bool Arguments::flag(std::string_view name, bool fallback) {
  const Json* const value = given(name);
  if (value == nullptr) return fallback;
  if (value->is_boolean()) return value->get<bool>();
  if (value->is_string()) {
    const std::string_view word = text::trim(value->get_ref<const std::string&>());
    if (text::iequals(word, "true")) return true;
    if (text::iequals(word, "false")) return false;
  }
  refuse_value(name, "true or false", *value);
  return fallback;
}

std::vector<std::string> Arguments::texts(std::string_view name) {
  const Json* const value = given(name);
  if (value == nullptr) return {};
  // A list that was turned into a text once too often.
  std::variant<Json, JsonFault> unwrapped = JsonFault::not_json;
  if (value->is_string() && text::trim(value->get_ref<const std::string&>()).starts_with('[')) {
    unwrapped = parse_json(value->get_ref<const std::string&>());
  }
  const Json* const list = std::get_if<Json>(&unwrapped) ? std::get_if<Json>(&unwrapped) : value;
  std::vector<std::string> out;
  const auto add = [&](const Json& item) {
    if (!item.is_string() && !item.is_number()) {
      return refuse_value(name, "a text or a list of texts", item);
    }
    std::string text = checked_text(name, item, kMaxTextChars);
    if (!text::is_blank(text)) out.push_back(std::move(text));
  };
  if (list->is_array()) {
    std::for_each(list->begin(), list->end(), add);
  } else {
    add(*list);
  }
  return out;
}

std::string Arguments::checked_choice(std::string_view name, std::string_view word,
                                      std::span<const std::string_view> choices) {
  word = text::trim(word);
  const auto found =
      std::ranges::find_if(choices, [&](auto choice) { return text::iequals(choice, word); });
  if (found != choices.end()) return std::string(*found);
  std::string sentence = std::string(name) + " must be ";
  sentence += joined(choices, " or ") + ", not " + shown(word) + ".";
  const std::string_view meant = text::closest(word, choices);
  if (!meant.empty()) sentence.append(" Did you mean ").append(meant).append("?");
  refuse(std::move(sentence));
  return "";
}

std::optional<std::string> Arguments::choice(std::string_view name,
                                             std::span<const std::string_view> choices) {
  const auto word = text(name);
  if (!word) return std::nullopt;
  return checked_choice(name, *word, choices);
}

std::vector<std::string> Arguments::choices(std::string_view name,
                                            std::span<const std::string_view> choices) {
  std::vector<std::string> out;
  for (const std::string& item : texts(name)) {
    std::string_view rest = item;
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      if (text::is_blank(word)) continue;
      std::string known = checked_choice(name, word, choices);
      if (!known.empty() && std::ranges::find(out, known) == out.end()) {
        out.push_back(std::move(known));
      }
    }
  }
  return out;
}

}  // namespace yore::mcp
