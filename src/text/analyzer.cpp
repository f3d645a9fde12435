#include "text/analyzer.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "base/ascii.hpp"
#include "text/quick_decode.hpp"
#include "text/term_writer.hpp"
#include "text/utf8.hpp"

namespace yore::text {
namespace {

constexpr std::size_t kMaxJoinedWords = 6;

constexpr bool is_high(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}
constexpr bool is_word_byte(char c) {
  return ascii::is_alnum(c) || c == '_' || is_high(c);
}
constexpr bool is_step(char c) {
  return c == '/' || c == '\\';
}
constexpr bool is_connector(char c) {
  return (c >= '-' && c <= '/') || c == '\\';  // - . / are neighbours
}

}  // namespace

// Reads runs of word bytes, holds back words that may be joined with the next, and grams that may
// be paired with it.
struct Analyzer::State {
  TermWriter out;
  std::vector<Word> cluster;  // neighbours joined by one connector each

  struct Gram {
    Bytes bytes;
    std::string_view text;
  };
  Gram gram;  // may still be composed with the next
  bool has_gram = false;
  Gram last_gram;  // the one written before it

  void analyze(std::string_view text);
  void add_run(Bytes run);
  void add_mixed_run(Bytes run);
  void add_word(const Word& word);
  void add_gram(Bytes bytes, std::string_view text);
  void add_noise(const NoiseSpan& span);
  void finish_gram();
  void finish_cluster();

  [[nodiscard]] bool may_join_next(std::uint32_t end) const {
    const char* after = out.masks().lower().data() + end;  // two bytes behind the text are zero
    return is_connector(after[0]) && is_word_byte(after[1]);
  }
  [[nodiscard]] bool joins_cluster(const Word& word) const;
  [[nodiscard]] bool follows_drive(const Word& word) const;
  [[nodiscard]] bool is_uuid(std::span<const Word> words) const;
  [[nodiscard]] bool is_noise(const Word& word) const;
  void write_words(std::span<const Word> words);
};

void Analyzer::State::analyze(std::string_view text) {
  out.start(text.substr(0, std::numeric_limits<std::uint32_t>::max()));
  last_gram = {};
  const std::span<const std::uint32_t> edges = out.masks().edges();
  auto noise = out.masks().encoded().begin();
  const auto noise_end = out.masks().encoded().end();
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    for (; noise != noise_end && noise->begin < edges[i]; ++noise) add_noise(*noise);
    add_run({edges[i], edges[i + 1]});
  }
  for (; noise != noise_end; ++noise) add_noise(*noise);
  finish_gram();
  finish_cluster();
}

void Analyzer::State::add_run(Bytes run) {
  const std::string_view text = out.text();
  if (run.size() <= ByteMasks::kMaxWindow) {
    // By far the most words: one part, nothing to join.
    const std::uint64_t unusual = out.masks().unusual(run.begin, run.size());
    const bool is_plain = unusual == 0 || (unusual == 1 && ascii::is_letter(text[run.begin]));
    if (is_plain && cluster.empty() && !may_join_next(run.end)) {
      if (has_gram) finish_gram();
      out.plain_word(run);
      return;
    }
    const WordBits bits = out.masks().word_bits(run.begin, run.size());
    if (unusual != (bits.upper | bits.underscore)) {
      add_mixed_run(run);
      return;
    }
  } else if (std::any_of(text.begin() + run.begin, text.begin() + run.end, is_high)) {
    add_mixed_run(run);
    return;
  }
  Bytes word = run;
  while (word.begin < word.end && text[word.begin] == '_') ++word.begin;
  while (word.begin < word.end && text[word.end - 1] == '_') --word.end;
  if (word.begin < word.end) add_word({run, word, true});
}

void Analyzer::State::add_mixed_run(Bytes run) {
  const std::string_view text = out.text();
  Word word;
  bool is_open = false;      // a word, or underscores before one
  bool has_letters = false;  // a word
  const auto close = [&](std::uint32_t at) {
    if (has_letters) {
      word.run.end = at;
      word.is_ascii =
          std::none_of(text.begin() + word.word.begin, text.begin() + word.word.end, is_high);
      add_word(word);
    }
    is_open = has_letters = false;
  };
  for (std::uint32_t at = run.begin; at < run.end;) {
    const Char c = quick_decode_at(text, at);
    const std::uint32_t begin = at;
    at += static_cast<std::uint32_t>(c.size_bytes);
    CharClass kind = CharClass::separator;
    std::string_view folded;
    if (c.code_point < 0x80) {
      kind = c.code_point == U'_' ? CharClass::underscore : CharClass::lower;  // or another letter
    } else if (!c.is_stray()) {
      const FoldCache::Entry& entry = out.fold()(c.code_point);
      kind = entry.kind();
      folded = entry.text();
    }
    switch (kind) {
      case CharClass::separator:
        close(begin);
        break;
      case CharClass::gram:
        close(begin);
        add_gram({begin, at}, folded);
        break;
      case CharClass::transparent:
        if (has_gram && gram.bytes.end == begin) gram.bytes.end = at;
        if (has_letters && word.word.end == begin) word.word.end = at;
        break;
      default:
        if (!is_open) word.run.begin = begin;
        is_open = true;
        if (kind == CharClass::underscore) break;
        if (!has_letters) word.word.begin = begin;
        has_letters = true;
        word.word.end = at;
    }
  }
  close(run.end);
}

void Analyzer::State::add_gram(Bytes bytes, std::string_view text) {
  finish_cluster();
  if (has_gram && gram.bytes.end == bytes.begin) {
    const char32_t both =
        compose_grams(decode_at(gram.text, 0).code_point, decode_at(text, 0).code_point);
    if (both != 0) {
      gram.bytes.end = bytes.end;
      gram.text = out.fold()(both).text();
      return;
    }
  }
  finish_gram();
  gram = {bytes, text};
  has_gram = true;
}

void Analyzer::State::finish_gram() {
  if (!has_gram) return;
  if (last_gram.bytes.end == gram.bytes.begin && !last_gram.text.empty()) {
    out.pair({last_gram.bytes.begin, gram.bytes.end}, last_gram.text, gram.text);
  }
  out.gram(gram.bytes, gram.text);
  last_gram = gram;
  has_gram = false;
}

void Analyzer::State::add_noise(const NoiseSpan& span) {
  finish_gram();
  finish_cluster();
  out.noise({static_cast<std::uint32_t>(span.begin), static_cast<std::uint32_t>(span.end)});
}

void Analyzer::State::add_word(const Word& word) {
  finish_gram();
  if (!cluster.empty()) {
    if (joins_cluster(word)) {
      cluster.push_back(word);
      return;
    }
    finish_cluster();
  }
  if (may_join_next(word.run.end)) {
    cluster.push_back(word);
  } else {
    out.word(word);
  }
}

bool Analyzer::State::joins_cluster(const Word& word) const {
  const std::uint32_t end = cluster.back().run.end;
  if (word.run.begin != end + 1) return false;
  const char connector = out.text()[end];
  // Elsewhere a backslash is an escape far more often than a step: "one\ntwo".
  if (connector == '\\') return follows_drive(cluster.front());
  return is_connector(connector);
}

bool Analyzer::State::follows_drive(const Word& word) const {
  const std::string_view before = out.text().substr(0, word.run.begin);
  if (!before.ends_with(":\\") || before.size() < 3) return false;
  return ascii::is_letter(before[before.size() - 3]) &&
         (before.size() == 3 || !is_word_byte(before[before.size() - 4]));
}

bool Analyzer::State::is_uuid(std::span<const Word> words) const {
  constexpr std::size_t kUuidWords = 5;
  if (words.size() < kUuidWords || words[0].word.size() != 8) return false;
  const std::uint32_t begin = words[0].word.begin;
  return words[kUuidWords - 1].word.end == begin + kUuidBytes &&
         starts_with_uuid(out.text().substr(begin));
}

bool Analyzer::State::is_noise(const Word& word) const {
  return has_hex_noise(out.text().substr(word.word.begin, word.word.size()));
}

// Noise takes no part in joined terms: it separates like a space.
void Analyzer::State::finish_cluster() {
  const std::span<const Word> words{cluster};
  std::size_t begin = 0;
  for (std::size_t i = 0; i < words.size();) {
    if (is_uuid(words.subspan(i))) {
      write_words(words.subspan(begin, i - begin));
      out.noise({words[i].word.begin, words[i + 4].word.end});
      i = begin = i + 5;
    } else if (is_noise(words[i])) {
      write_words(words.subspan(begin, i - begin));
      out.word(words[i]);
      begin = ++i;
    } else {
      ++i;
    }
  }
  write_words(words.subspan(begin));
  cluster.clear();
}

void Analyzer::State::write_words(std::span<const Word> words) {
  const auto ends_step = [&](std::size_t i) {
    return i + 1 == words.size() || is_step(out.text()[words[i].run.end]);
  };
  // Where the last two steps begin; with one step both are 0.
  std::size_t path = 0;
  std::size_t last_step = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (!ends_step(i)) continue;
    path = last_step;
    last_step = i + 1;
  }
  std::array<Bytes, 2> joins;
  for (std::size_t i = 0; i < words.size();) {
    std::size_t count = 0;
    const auto join_to = [&](std::size_t last) {
      if (last == i || last - i >= kMaxJoinedWords) return;
      joins[count++] = {words[i].word.begin, words[last].word.end};
    };
    std::size_t last = i;
    while (!ends_step(last)) ++last;
    join_to(last);
    if (last_step > 0 && i == path) join_to(words.size() - 1);
    out.word(words[i], Joins{joins}.first(count));
    for (++i; i <= last; ++i) out.word(words[i]);
  }
}

Analyzer::Analyzer() : state_(std::make_unique<State>()) {}
Analyzer::~Analyzer() = default;
Analyzer::Analyzer(Analyzer&&) noexcept = default;
Analyzer& Analyzer::operator=(Analyzer&&) noexcept = default;

const std::vector<Term>& Analyzer::analyze(std::string_view text) {
  state_->analyze(text);
  return state_->out.finish();
}

std::uint32_t Analyzer::positions() const {
  return state_->out.positions();
}

}  // namespace yore::text
