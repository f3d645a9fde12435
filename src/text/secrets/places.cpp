// Secrets that are known by where they stand: key blocks, URLs, Authorization headers.
#include <algorithm>

#include "base/ascii.hpp"
#include "text/secrets/detectors.hpp"
#include "text/secrets/finders.hpp"
#include "text/secrets/shape.hpp"

namespace yore::text {
namespace {

// Bytes of the lines between the first and the last of a block, headers and escaped ends too.
bool is_block_byte(char c) {
  return belongs(c, Alphabet::base64) || ascii::is_space(c) || c == '\\' || c == ':' || c == ',' ||
         c == '"' || c == '\'' || c == '.' || c == '>' || c == '|';
}

constexpr std::string_view kDashes = "-----";

// Ends a URL's authority, or shows that there is none.
bool ends_authority(char c) {
  return ascii::is_space(c) ||
         std::string_view("/?#\"'`<>()[]{},;|\\").find(c) != std::string_view::npos;
}

bool is_url_stand_in(std::string_view password) {
  return password.empty() || password.front() == '$' || password.front() == '%' ||
         password.front() == '<' || password.front() == '*' ||
         (password.size() >= 4 && is_placeholder(password)) || password == "pw" ||
         ascii::to_lower(password) == "xxx" || password == "...";
}

struct WebHook {
  std::string_view host_and_path;
  std::string_view kind;
};
constexpr WebHook kWebHooks[] = {{"hooks.slack.com/services/", "slack-webhook"},
                                 {"hooks.slack.com/workflows/", "slack-webhook"},
                                 {"discord.com/api/webhooks/", "discord-webhook"},
                                 {"discordapp.com/api/webhooks/", "discord-webhook"}};

void find_web_hook(std::string_view text, std::size_t at, std::vector<Secret>& out) {
  for (const WebHook& hook : kWebHooks) {
    if (!text.substr(at).starts_with(hook.host_and_path)) continue;
    const std::size_t begin = at + hook.host_and_path.size();
    std::size_t end = begin;
    while (end < text.size() && belongs(text[end], Alphabet::base64)) ++end;
    const std::string_view path = text.substr(begin, end - begin);
    if (path.size() >= 16 && !is_placeholder(path) && distinct_bytes(path) > 8) {
      out.push_back({begin, end, hook.kind});
    }
  }
}

}  // namespace

void find_key_block(std::string_view text, std::size_t word, std::vector<Secret>& out) {
  constexpr std::string_view kPrivate = "PRIVATE ";
  if (word < kPrivate.size() || text.substr(word - kPrivate.size(), kPrivate.size()) != kPrivate) {
    return;
  }
  std::size_t line_end = word + 3;
  constexpr std::string_view kBlock = " BLOCK";
  if (text.substr(line_end).starts_with(kBlock)) line_end += kBlock.size();
  if (!text.substr(line_end).starts_with(kDashes)) return;
  line_end += kDashes.size();
  // "-----BEGIN RSA PRIVATE KEY-----"
  constexpr std::size_t kLongestLabel = 40;
  const std::size_t from = word - std::min(word, kLongestLabel);
  const std::string_view label = text.substr(from, word - from);
  const std::size_t dashes = label.rfind(kDashes);
  if (dashes == std::string_view::npos) return;
  const std::size_t line = from + dashes;
  const std::string_view verb = text.substr(line + kDashes.size(), 5);
  if (verb.starts_with("END ")) {
    // Its first line is elsewhere, or was found already.
    std::size_t begin = line;
    while (begin > 0 && is_block_byte(text[begin - 1]) && text[begin - 1] != '-') --begin;
    if (line - begin >= 32 && looks_random(text.substr(begin, line - begin), 24)) {
      out.push_back({begin, line_end, "private-key"});
    }
    return;
  }
  if (verb != "BEGIN") return;
  std::size_t end = line_end;
  while (end < text.size() && is_block_byte(text[end]) && !text.substr(end).starts_with(kDashes)) {
    ++end;
  }
  const std::string_view body = text.substr(line_end, end - line_end);
  if (text.substr(end).starts_with("-----END")) {
    const std::size_t close = text.find(kDashes, end + kDashes.size());
    if (close != std::string_view::npos && close - end < 2 * kLongestLabel) {
      end = close + kDashes.size();
    }
  }
  if (body.size() < 32 || !looks_random(body, 20)) return;  // a mention, or "...": no key
  while (end > line_end && ascii::is_space(text[end - 1])) --end;
  out.push_back({line, end, "private-key"});
}

void find_url_credentials(std::string_view text, std::size_t colon, TextEnd text_end,
                          std::vector<Secret>& out) {
  const std::size_t begin = colon + 3;
  if (colon == 0 || !ascii::is_alnum(text[colon - 1])) return;
  find_web_hook(text, begin, out);
  std::size_t end = begin;
  while (end < text.size() && !ends_authority(text[end])) ++end;
  const std::string_view authority = text.substr(begin, end - begin);
  const std::size_t at = authority.rfind('@');
  const std::size_t split = authority.find(':');
  if (at == std::string_view::npos) {
    const bool cut = text_end == TextEnd::perhaps_cut && end == text.size();
    if (!cut || split == std::string_view::npos || split + 1 == authority.size()) return;
    const std::string_view rest = authority.substr(split + 1);
    if (std::ranges::all_of(rest, ascii::is_digit) && rest.size() <= 5) return;  // a port
    out.push_back({begin + split + 1, end, "url-password"});
    return;
  }
  if (split == std::string_view::npos || split > at) {
    // A token alone.
    if (at >= 16 && looks_random(authority.substr(0, at))) {
      out.push_back({begin, begin + at, "url-token"});
    }
    return;
  }
  const std::string_view password = authority.substr(split + 1, at - split - 1);
  if (is_url_stand_in(password)) return;
  // "https://TOKEN:x-oauth-basic@…": the name is the secret.
  const std::string_view user = authority.substr(0, split);
  if (user.size() >= 20 && looks_random(user)) out.push_back({begin, begin + split, "url-token"});
  out.push_back({begin + split + 1, begin + at, "url-password"});
}

void find_authorization(std::string_view text, std::size_t word, TextEnd text_end,
                        std::vector<Secret>& out) {
  if (!begins_word(text, word)) return;
  const bool basic = ascii::to_lower(text[word + 1]) == 'a';
  const std::size_t begin = word + (basic ? 6 : 7);
  if (begin >= text.size() || text[begin - 1] != ' ') return;
  std::size_t end = begin;
  while (end < text.size() && (belongs(text[end], Alphabet::base64) || text[end] == '.' ||
                               text[end] == '~' || text[end] == ':')) {
    ++end;
  }
  while (end > begin && (text[end - 1] == '.' || text[end - 1] == ':')) --end;
  const std::string_view token = text.substr(begin, end - begin);
  if (is_placeholder(token) || token.size() < 4) return;
  const bool cut = text_end == TextEnd::perhaps_cut && end == text.size();
  if (basic) {
    const std::size_t from = word - std::min<std::size_t>(word, 24);
    const std::string before = ascii::to_lower(text.substr(from, word - from));
    if (before.find("authorization") == std::string::npos) return;
    const bool coded = token.size() >= 8 && token.find('.') == std::string_view::npos;
    if (coded || cut) out.push_back({begin, end, "basic-auth"});
    return;
  }
  const bool digits = std::ranges::any_of(token, ascii::is_digit);
  const bool random =
      token.size() >= 12 && (looks_random(token, 8) || (token.size() >= 24 && digits));
  if (random || (cut && digits)) out.push_back({begin, end, "bearer-token"});
}

}  // namespace yore::text
