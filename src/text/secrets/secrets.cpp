#include "text/secrets/secrets.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "text/secrets/finders.hpp"

namespace yore::text {
namespace {

// Which finder looks at a starter word.
void look_behind_word(std::string_view text, std::size_t at, TextEnd end,
                      std::vector<Secret>& out) {
  switch (ascii::to_lower(text[at])) {
    case ':':
      return find_url_credentials(text, at, end, out);
    case 'b':
      return find_authorization(text, at, end, out);
    case 'k':
      find_key_block(text, at, out);
      return find_assignment(text, at, end, out);
    default:
      return find_assignment(text, at, end, out);
  }
}

// How much a kind says: where two overlap, that of the table wins over that of a name.
bool says_more(const Secret& a, const Secret& b) {
  constexpr std::string_view kByName[] = {"password", "secret", "token", "key", "credentials"};
  const auto by_name = [&](const Secret& secret) {
    return std::ranges::find(kByName, secret.kind) != std::end(kByName);
  };
  return !by_name(a) && by_name(b);
}

// Sorts them and joins those that overlap or touch.
void join(std::vector<Secret>& secrets) {
  std::ranges::sort(secrets, [](const Secret& a, const Secret& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < secrets.size(); ++i) {
    if (kept > 0 && secrets[i].begin <= secrets[kept - 1].end) {
      Secret& last = secrets[kept - 1];
      if (says_more(secrets[i], last)) last.kind = secrets[i].kind;
      last.end = std::max(last.end, secrets[i].end);
    } else {
      secrets[kept++] = secrets[i];
    }
  }
  secrets.resize(kept);
}

}  // namespace

std::vector<Secret> find_secrets(std::string_view text, TextEnd end) {
  std::vector<Secret> secrets;
  // Kept between calls: answers have many small texts.
  thread_local Starters starters;
  find_starters(text, starters);
  for (const TokenRun& run : starters.runs) find_tokens(text, run, secrets);
  for (const std::size_t word : starters.words) look_behind_word(text, word, end, secrets);
  if (end == TextEnd::perhaps_cut) find_cut_token(text, secrets);
  if (secrets.size() > 1) join(secrets);
  return secrets;
}

std::string mask_of(std::string_view kind) {
  return std::string("[masked:").append(kind).append("]");
}

std::size_t mask_secrets(std::string& text, TextEnd end) {
  const std::vector<Secret> secrets = find_secrets(text, end);
  if (secrets.empty()) return 0;
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  for (const Secret& secret : secrets) {
    out.append(text, at, secret.begin - at).append(mask_of(secret.kind));
    at = secret.end;
  }
  out.append(text, at);
  text = std::move(out);
  return secrets.size();
}

std::string masked(std::string_view text, TextEnd end) {
  std::string out(text);
  mask_secrets(out, end);
  return out;
}

}  // namespace yore::text
