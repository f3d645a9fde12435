// A value that is given to a name such as password, API_KEY or --token.
#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.hpp"
#include "text/secrets/finders.hpp"
#include "text/secrets/shape.hpp"

namespace yore::text {
namespace {

struct SecretName {
  std::string_view ending;  // of the name, without '_', '-', '.' and in small letters
  std::string_view kind;
  bool typed_by_people;  // a person may have thought it up: less chance in it
};
// The first that fits counts.
constexpr SecretName kSecretNames[] = {
    {"password", "password", true},
    {"passwd", "password", true},
    {"passphrase", "password", true},
    {"passcode", "password", true},
    {"pwd", "password", true},
    {"dbpass", "password", true},
    {"userpass", "password", true},
    {"rootpass", "password", true},
    {"mysqlpass", "password", true},
    {"smtppass", "password", true},
    {"sshpass", "password", true},
    {"adminpass", "password", true},
    {"pgpass", "password", true},
    {"redispass", "password", true},
    {"secret", "secret", false},
    {"secretkeybase", "secret", false},
    {"secretkey", "secret", false},
    {"secretaccesskey", "secret", false},
    {"secretvalue", "secret", false},
    {"token", "token", false},
    {"tokenvalue", "token", false},
    {"tokensecret", "token", false},
    {"apikey", "key", false},
    {"accesskey", "key", false},
    {"privatekey", "key", false},
    {"encryptionkey", "key", false},
    {"signingkey", "key", false},
    {"authkey", "key", false},
    {"accountkey", "key", false},
    {"masterkey", "key", false},
    {"servicekey", "key", false},
    {"sharedkey", "key", false},
    {"storagekey", "key", false},
    {"licensekey", "key", false},
    {"hmackey", "key", false},
    {"jwtkey", "key", false},
    {"aeskey", "key", false},
    {"adminkey", "key", false},
    {"appkey", "key", false},
    {"rolekey", "key", false},
    {"serverkey", "key", false},
    {"clientkey", "key", false},
    {"sessionkey", "key", false},
    {"deploykey", "key", false},
    {"apikeysecret", "secret", false},
    {"credentials", "credentials", false},
    {"credential", "credentials", false},
    {"cred", "credentials", false},
};

bool is_name_byte(char c) {
  return ascii::is_alnum(c) || c == '_' || c == '-' || c == '.';
}

struct NamePlace {
  std::size_t begin = 0;
  std::size_t end = 0;
  const SecretName* row = nullptr;
};

// The name around `word`, if it is one that secrets are given to.
std::optional<NamePlace> name_around(std::string_view text, std::size_t word) {
  constexpr std::size_t kLongestName = 80;
  NamePlace place{word, word};
  while (place.begin > 0 && is_name_byte(text[place.begin - 1]) &&
         word - place.begin < kLongestName) {
    --place.begin;
  }
  while (place.end < text.size() && is_name_byte(text[place.end]) &&
         place.end - word < kLongestName) {
    ++place.end;
  }
  std::string plain;
  for (const char c : text.substr(place.begin, place.end - place.begin)) {
    if (ascii::is_alnum(c)) plain += ascii::to_lower(c);
  }
  while (!plain.empty() && ascii::is_digit(plain.back())) plain.pop_back();
  for (const std::string_view stage : {"prod", "production", "staging", "dev", "live"}) {
    if (plain.ends_with(stage) && plain.size() > stage.size()) {
      plain.resize(plain.size() - stage.size());
    }
  }
  for (const SecretName& row : kSecretNames) {
    if (!plain.ends_with(row.ending)) continue;
    place.row = &row;
    return place;
  }
  // MAPS_KEY=…: names of the environment that end so.
  const std::string_view name = text.substr(place.begin, place.end - place.begin);
  static constexpr SecretName kEnvironmentKey{"_KEY", "key", false};
  constexpr std::string_view kHarmless[] = {"PUBLIC_KEY",  "CACHE_KEY", "PRIMARY_KEY",
                                            "FOREIGN_KEY", "SORT_KEY",  "PARTITION_KEY"};
  const bool harmless = std::ranges::any_of(
      kHarmless, [&](std::string_view ending) { return name.ends_with(ending); });
  const bool small = std::ranges::any_of(name, ascii::is_lower);
  if (!name.ends_with("_KEY") || harmless || small) return std::nullopt;
  place.row = &kEnvironmentKey;
  return place;
}

// A quote, escaped or not; how many bytes it has.
std::size_t quote_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && text[end] == '\\' && end - at < 4) ++end;
  if (end < text.size() && (text[end] == '"' || text[end] == '\'' || text[end] == '`')) {
    return end - at + 1;
  }
  return 0;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  const std::size_t first = at;
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t') && at - first < 16) ++at;
  return at;
}

// Where the value begins; nullopt: nothing is given to the name.
std::optional<std::size_t> value_begin(std::string_view text, const NamePlace& name) {
  std::size_t at = name.end;
  const std::size_t quoted = quote_at(text, at);
  at += quoted;
  if (quoted > 0 && at < text.size() && text[at] == ']') ++at;
  const bool flag = name.begin < name.end && text.substr(name.begin).starts_with("--");
  const bool tag = name.begin > 0 && text[name.begin - 1] == '<';
  const std::size_t sign = skip_blanks(text, at);
  const std::string_view rest = text.substr(sign);
  for (const std::string_view given : {":=", "=>", "==", "=", ":", "%3D", "\\u003d"}) {
    if (rest.starts_with(given)) return skip_blanks(text, sign + given.size());
  }
  if (tag && rest.starts_with('>')) return sign + 1;
  if (quoted > 0 && rest.starts_with(',')) {
    const std::size_t value = skip_blanks(text, sign + 1);
    if (quote_at(text, value) > 0) return value;
  }
  if (flag && sign > at) return sign;
  return std::nullopt;
}

struct Value {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool quoted = false;
};

Value value_at(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestValue = 1024;
  constexpr std::string_view kEnds = ",;)]}\"'`<>\\&|";
  Value value;
  const std::size_t quote = quote_at(text, at);
  value.quoted = quote > 0;
  value.begin = at + quote;
  value.end = value.begin;
  const char closing = value.quoted ? text[value.begin - 1] : '\0';
  while (value.end < text.size() && value.end - value.begin < kLongestValue) {
    const char c = text[value.end];
    if (c == '\n' || c == '\r' || (value.quoted ? c == closing || c == '\\' : ascii::is_space(c)))
      break;
    if (!value.quoted && kEnds.find(c) != std::string_view::npos) break;
    ++value.end;
  }
  return value;
}

bool is_secret_value(const SecretName& name, std::string_view value) {
  if (value.size() < 8 || is_placeholder(value) || is_reference(value)) return false;
  if (value.find(' ') != std::string_view::npos || value.starts_with("[masked:")) return false;
  const bool digits = std::ranges::any_of(value, ascii::is_digit);
  const bool letters = std::ranges::any_of(value, ascii::is_letter);
  if (!letters) return false;
  if (name.typed_by_people) {
    const bool signs = std::ranges::any_of(value, [](char c) {
      return std::string_view("!@#$%^&*?+=~").find(c) != std::string_view::npos;
    });
    const std::string lower = ascii::to_lower(value);
    const bool of_code = lower.find("pass") != std::string::npos && !signs;
    return (digits || signs || looks_random(value)) && !of_code;
  }
  if (is_uuid(value)) return name.kind != "token";
  return value.size() >= 12 && looks_random(value, 10);
}

}  // namespace

void find_assignment(std::string_view text, std::size_t word, TextEnd text_end,
                     std::vector<Secret>& out) {
  const auto name = name_around(text, word);
  if (!name) return;
  auto begin = value_begin(text, *name);
  if (!begin) return;
  Value value = value_at(text, *begin);
  // token: string = "…": the type comes first.
  const std::size_t after = skip_blanks(text, value.end);
  const bool typed =
      !value.quoted && after < text.size() && text[after] == '=' &&
      std::ranges::all_of(text.substr(value.begin, value.end - value.begin), ascii::is_letter);
  if (typed) value = value_at(text, skip_blanks(text, after + 1));
  const std::string_view shown = text.substr(value.begin, value.end - value.begin);
  const bool cut = text_end == TextEnd::perhaps_cut && value.end == text.size() &&
                   shown.size() >= 3 && !is_reference(shown) && !is_placeholder(shown) &&
                   std::ranges::any_of(shown, ascii::is_digit);
  if (!cut && !is_secret_value(*name->row, shown)) return;
  out.push_back({value.begin, value.end, name->row->kind});
}

}  // namespace yore::text
