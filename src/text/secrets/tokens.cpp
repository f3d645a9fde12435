// Tokens of known looks: those of the table, and four that have parts of their own.
#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "text/secrets/detectors.hpp"
#include "text/secrets/finders.hpp"
#include "text/secrets/shape.hpp"

namespace yore::text {
namespace {

// Letters and digits at the end of an escape, "u003d", begin the run that the token goes on with.
constexpr std::size_t kLongestEscape = 6;

bool is_run_byte(char c) {
  return ascii::is_alnum(c) || c == '_' || c == '-';
}

// How much of a prefix stands before the run: all up to its last byte that no run holds.
std::size_t lead_of(std::string_view prefix) {
  std::size_t lead = prefix.size();
  while (lead > 0 && is_run_byte(prefix[lead - 1])) --lead;
  return lead;
}

std::size_t body_end(std::string_view text, std::size_t at, Alphabet alphabet) {
  while (at < text.size() && belongs(text[at], alphabet)) ++at;
  return at;
}

// The row's token at `begin`, if there is one.
bool add_token(std::string_view text, std::size_t begin, const Detector& row,
               std::vector<Secret>& out) {
  const std::size_t body = begin + row.prefix.size();
  std::size_t end = body_end(text, body, row.body);
  // What ends a sentence is no part of it.
  while (end > body && text[end - 1] == '.') --end;
  if (end - body < row.least || (row.most != 0 && end - body > row.most)) return false;
  const std::string_view token = text.substr(begin, end - begin);
  if (row.check != nullptr && !row.check(token, text.substr(body, end - body))) return false;
  out.push_back({begin, end, row.kind});
  return true;
}

// The rows whose prefix begins with a byte; rows with a lead are in none.
struct RowsByByte {
  std::array<std::vector<const Detector*>, 256> plain;
  std::vector<const Detector*> led;
  RowsByByte() {
    for (const Detector& row : detectors()) {
      if (lead_of(row.prefix) > 0) {
        led.push_back(&row);
      } else {
        plain[static_cast<unsigned char>(row.prefix.front())].push_back(&row);
      }
    }
  }
};
const RowsByByte& rows_by_byte() {
  static const RowsByByte rows;
  return rows;
}

// eyJ… . eyJ… . signature; the signature may be missing.
bool add_jwt(std::string_view text, std::size_t begin, std::vector<Secret>& out) {
  if (!text.substr(begin).starts_with("eyJ")) return false;
  const std::size_t dot = body_end(text, begin, Alphabet::url);
  if (dot + 4 > text.size() || text[dot] != '.') return false;
  std::size_t end = body_end(text, dot + 1, Alphabet::url);
  if (end - dot < 12) return false;
  if (end < text.size() && text[end] == '.') end = body_end(text, end + 1, Alphabet::url);
  if (end + 1 < text.size() && text[end] == '.' && is_run_byte(text[end + 1])) {
    end = body_end(text, end, Alphabet::dotted);  // an encrypted one has five parts
  }
  out.push_back({begin, end, "jwt"});
  return true;
}

// 110201543:AA and 33 more: a bot of Telegram.
void add_telegram(std::string_view text, const TokenRun& run, std::vector<Secret>& out) {
  if (run.end - run.begin != 35 || run.begin < 9 || text[run.begin - 1] != ':') return;
  if (text[run.begin] != 'A') return;
  std::size_t begin = run.begin - 1;
  while (begin > 0 && ascii::is_digit(text[begin - 1])) --begin;
  const std::size_t digits = run.begin - 1 - begin;
  if (digits < 8 || digits > 10) return;
  out.push_back({begin, run.end, "telegram-token"});
}

// 24 . 6 . 27 or more: a bot of Discord. 14 . 64: Airtable, where only the second part is a run.
void add_dotted(std::string_view text, const TokenRun& run, std::vector<Secret>& out) {
  const std::size_t first = run.end - run.begin;
  if (first >= 23 && first <= 28 && run.end < text.size() && text[run.end] == '.') {
    const std::size_t second = body_end(text, run.end + 1, Alphabet::url);
    const bool six = second - run.end - 1 == 6 && second < text.size() && text[second] == '.';
    const std::size_t end = six ? body_end(text, second + 1, Alphabet::url) : second;
    if (six && end - second > 27 && looks_random(text.substr(run.begin, first))) {
      out.push_back({run.begin, end, "discord-token"});
    }
  }
  if (first == 64 && run.begin >= 18 && text[run.begin - 1] == '.') {
    const std::size_t begin = run.begin - 18;
    if (text.substr(begin, 3) == "pat" && body_end(text, begin, Alphabet::alnum) == run.begin - 1) {
      out.push_back({begin, run.end, "airtable-token"});
    }
  }
}

}  // namespace

bool begins_word(std::string_view text, std::size_t at) {
  if (at == 0 || !ascii::is_alnum(text[at - 1])) return true;
  if (at >= 2 && text[at - 2] == '\\') {
    return std::string_view("ntrbfv0").find(text[at - 1]) != std::string_view::npos;
  }
  // \u003d, %3D and the colours of a terminal (ESC [ 0 m).
  if (at >= 6 && text[at - 6] == '\\' && text[at - 5] == 'u') return true;
  if (at >= 3 && text[at - 3] == '%') {
    return ascii::is_hex(text[at - 2]) && ascii::is_hex(text[at - 1]);
  }
  if (text[at - 1] != 'm') return false;
  std::size_t code = at - 1;
  while (code > 0 && (ascii::is_digit(text[code - 1]) || text[code - 1] == ';')) --code;
  return code >= 2 && text[code - 1] == '[' && text[code - 2] == '\x1b';
}

void find_tokens(std::string_view text, const TokenRun& run, std::vector<Secret>& out) {
  const RowsByByte& rows = rows_by_byte();
  for (const Detector* row : rows.led) {
    const std::string_view lead = row->prefix.substr(0, lead_of(row->prefix));
    if (run.begin < lead.size()) continue;
    const std::size_t begin = run.begin - lead.size();
    if (!has_prefix(text.substr(begin), row->prefix) || !begins_word(text, begin)) continue;
    if (add_token(text, begin, *row, out)) return;
  }
  add_telegram(text, run, out);
  add_dotted(text, run, out);
  for (std::size_t at = run.begin; at < run.end; ++at) {
    // Further in, a new word begins behind every '-' and '_'; no token is shorter than this.
    if (run.end - at < kLeastRun && at > run.begin) return;
    if (at > run.begin + kLongestEscape && ascii::is_alnum(text[at - 1])) continue;
    const auto& bucket = rows.plain[static_cast<unsigned char>(text[at])];
    const bool jwt = text[at] == 'e';
    if ((bucket.empty() && !jwt) || !begins_word(text, at)) continue;
    if (jwt && add_jwt(text, at, out)) return;
    for (const Detector* row : bucket) {
      if (!has_prefix(text.substr(at), row->prefix)) continue;
      if (add_token(text, at, *row, out)) return;
    }
  }
}

void find_cut_token(std::string_view text, std::vector<Secret>& out) {
  constexpr std::size_t kFurthest = 200;
  // A prefix that ordinary names have, too, must be followed by something to be cut for.
  constexpr std::size_t kLeastSure = 4;
  constexpr std::size_t kLeastOfShort = 8;
  const std::size_t first = text.size() - std::min(text.size(), kFurthest);
  for (std::size_t at = first; at < text.size(); ++at) {
    if (!begins_word(text, at) || !ascii::is_alnum(text[at])) continue;
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("eyJ") && rest.size() > kLeastOfShort &&
        body_end(text, at, Alphabet::dotted) == text.size()) {
      out.push_back({at, text.size(), "jwt"});
      return;
    }
    for (const Detector& row : detectors()) {
      if (!has_prefix(rest, row.prefix)) continue;
      const std::size_t body = rest.size() - row.prefix.size();
      const bool sure = row.prefix.size() > kLeastSure || row.prefix.ends_with('_');
      if (body < (sure ? 1 : kLeastOfShort)) continue;
      if (body_end(text, at + row.prefix.size(), row.body) != text.size()) continue;
      if (is_placeholder(rest.substr(row.prefix.size())) && body >= kLeastOfShort) continue;
      out.push_back({at, text.size(), row.kind});
      return;
    }
  }
}

}  // namespace yore::text
