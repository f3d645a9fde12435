#include "service/masked_hits.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "service/masking.hpp"
#include "text/secrets/secrets.hpp"

namespace yore::service {
namespace {

// "\n[1234 bytes left out]\n" in the result of a tool: where it begins, else npos.
std::size_t gap_in(std::string_view passage) {
  constexpr std::string_view kGapEnd = " bytes left out]\n";
  const std::size_t end = passage.find(kGapEnd);
  if (end == std::string_view::npos) return end;
  std::size_t begin = end;
  while (begin > 0 && ascii::is_digit(passage[begin - 1])) --begin;
  const bool gap = begin >= 2 && passage[begin - 1] == '[' && passage[begin - 2] == '\n';
  return gap ? begin - 2 : std::string_view::npos;
}

// What was left out may begin in the middle of a secret, and end in the middle of the same.
std::vector<text::Secret> secrets_of_passage(std::string_view passage) {
  const std::size_t gap = gap_in(passage);
  if (gap == std::string_view::npos) return text::find_secrets(passage);
  auto secrets = text::find_secrets(passage.substr(0, gap), text::TextEnd::perhaps_cut);
  const std::size_t tail = passage.find('\n', gap + 1) + 1;
  if (!secrets.empty() && secrets.back().end == gap) {
    std::size_t end = tail;
    while (end < passage.size() && !ascii::is_space(passage[end])) ++end;
    if (end > tail) secrets.push_back({tail, end, secrets.back().kind});
  }
  for (text::Secret secret : text::find_secrets(passage.substr(tail))) {
    secret.begin += tail;
    secret.end += tail;
    if (secrets.empty() || secret.begin >= secrets.back().end) secrets.push_back(secret);
  }
  return secrets;
}

}  // namespace

void HitMasker::operator()(search::Hit& hit) {
  const std::size_t names = mask_(hit.session) + [&] {
    std::size_t count = 0;
    for (std::string& word : hit.resume) count += mask_(word);
    return count;
  }();
  for (std::optional<search::Beside>* beside : {&hit.before, &hit.after}) {
    if (*beside) text::mask_secrets((*beside)->text, text::TextEnd::perhaps_cut);
  }
  hit.masked = static_cast<std::uint32_t>(names + mask_messages(hit));
  hit.masked_in_snippet = static_cast<std::uint32_t>(names + mask_snippet(hit));
  hit.found = {};
  mask_(hit.marks);
  mask_explanation(hit);
}

std::size_t HitMasker::mask_messages(search::Hit& hit) const {
  std::size_t count = 0;
  for (search::Message& message : hit.messages) {
    const bool concluded = message.is_hit && message.role != "user" && hit.conclusion_begin > 0;
    if (!concluded) {
      count += text::mask_secrets(message.content);
      continue;
    }
    count += mask_.answer(message.content, hit.conclusion_begin);
  }
  return count;
}

std::size_t HitMasker::mask_snippet(search::Hit& hit) {
  const search::FoundPassage& found = hit.found;
  const std::string whole = found.before + found.text + found.after;
  const std::size_t begin = found.before.size();
  const std::size_t end = begin + found.text.size();
  std::string masked;
  std::size_t at = begin;
  std::size_t count = 0;
  for (const text::Secret& secret : secrets_of_passage(whole)) {
    if (secret.end <= begin || secret.begin >= end) continue;
    masked.append(whole, at, std::max(secret.begin, at) - at).append(text::mask_of(secret.kind));
    at = std::min(secret.end, end);
    ++count;
  }
  if (count == 0) return text::mask_secrets(hit.snippet.text);
  masked.append(whole, at, end - at);
  hit.snippet = text::make_snippet(masked, matched_, search::kSnippetLength, analyzer_, stemmer_);
  return count;
}

// "term ghp_…": words of the question, as the index knows them.
void HitMasker::mask_explanation(search::Hit& hit) const {
  constexpr std::string_view kTerm = "term ";
  for (search::ScorePart& part : hit.explain) {
    mask_(part.name);
    mask_(part.detail);
    if (asked_.empty() || !part.name.starts_with(kTerm)) continue;
    const std::string term = part.name.substr(kTerm.size());
    const bool of_secret = std::ranges::any_of(
        asked_, [&](const std::string& secret) { return secret.find(term) != std::string::npos; });
    if (of_secret) part.name = std::string(kTerm) + text::mask_of("term");
  }
}

}  // namespace yore::service
