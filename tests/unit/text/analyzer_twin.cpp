#include "unit/text/analyzer_twin.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "text/fold.hpp"
#include "text/utf8.hpp"
#include "unit/text/noise_twin.hpp"

namespace yore::text {
namespace {

struct Letter {
  std::size_t begin = 0;
  std::size_t end = 0;
  CharClass kind = CharClass::separator;
  std::string folded;
};

bool is_alnum(const Letter& letter) {
  return letter.kind == CharClass::digit || letter.kind == CharClass::lower ||
         letter.kind == CharClass::small_s || letter.kind == CharClass::upper;
}

bool is_small(const Letter& letter) {
  return letter.kind == CharClass::lower || letter.kind == CharClass::small_s;
}

enum class ItemKind : std::uint8_t { word, gram, noise };

struct Item {
  ItemKind kind = ItemKind::word;
  std::size_t begin = 0;
  std::size_t end = 0;
  // Of a word: with the underscores around it.
  std::size_t run_begin = 0;
  std::size_t run_end = 0;
  std::vector<Letter> letters;  // of a word, accents left out
  std::string folded;           // of a gram
};

std::vector<Letter> letters_of(std::string_view text) {
  std::vector<Letter> letters;
  for (std::size_t at = 0; at < text.size();) {
    const Char c = decode_at(text, at);
    Letter letter{at, at + c.size_bytes, CharClass::separator, {}};
    if (!c.is_stray()) {
      const FoldedChar folded = fold_char(c.code_point);
      letter.kind = folded.kind;
      letter.folded = folded.text;
    }
    letters.push_back(letter);
    at += c.size_bytes;
  }
  return letters;
}

// ---- parts

// Indexes of letters at which a part begins; underscores are not in any part.
std::vector<std::vector<Letter>> parts_of(const std::vector<Letter>& letters) {
  std::vector<std::vector<Letter>> parts;
  bool open = false;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (letters[i].kind == CharClass::underscore) {
      open = false;
      continue;
    }
    bool begins = !open;
    if (open && letters[i].kind == CharClass::upper) {
      const Letter& before = letters[i - 1];
      const bool small_follows = i + 1 < letters.size() && is_small(letters[i + 1]);
      const bool one_small_follows =
          small_follows && (i + 2 == letters.size() || !is_small(letters[i + 2]));
      const bool plural = one_small_follows && letters[i + 1].kind == CharClass::small_s;
      if (is_small(before)) begins = true;
      if (before.kind == CharClass::digit && small_follows) begins = true;
      if (before.kind == CharClass::upper && small_follows && !plural) begins = true;
    }
    if (begins) parts.emplace_back();
    parts.back().push_back(letters[i]);
    open = true;
  }
  return parts;
}

std::string folded_text(const std::vector<Letter>& letters) {
  std::string text;
  for (const Letter& letter : letters) {
    if (letter.kind != CharClass::underscore) text += letter.folded;
  }
  return text;
}

std::string cut(const std::string& text) {
  return std::string{prefix_bytes(text, kMaxTermBytes)};
}

// ---- the twin itself

class Twin {
 public:
  explicit Twin(std::string_view text) : text_(text) {}

  std::vector<TwinTerm> run() {
    find_items();
    for (std::size_t i = 0; i < items_.size();) {
      std::size_t last = i;
      while (last + 1 < items_.size() && belongs_together(i, last)) ++last;
      write_cluster({items_.begin() + static_cast<std::ptrdiff_t>(i),
                     items_.begin() + static_cast<std::ptrdiff_t>(last + 1)});
      if (items_[i].kind == ItemKind::gram && i + 1 < items_.size() &&
          items_[i + 1].kind == ItemKind::gram && items_[i].end == items_[i + 1].begin) {
        add(items_[i].folded + items_[i + 1].folded, position_ - 1, items_[i].begin,
            items_[i + 1].end, TermKind::pair);
      }
      i = last + 1;
    }
    // At one position: word, part or gram first, then the whole, joined terms, marks.
    constexpr std::array kRank = {0, 0, 1, 2, 3, 0, 1};
    std::stable_sort(terms_.begin(), terms_.end(), [&](const TwinTerm& a, const TwinTerm& b) {
      if (a.position != b.position) return a.position < b.position;
      return kRank.at(static_cast<std::size_t>(a.kind)) <
             kRank.at(static_cast<std::size_t>(b.kind));
    });
    return terms_;
  }

 private:
  void find_items() {
    const auto spans = encoded_in(text_);
    std::size_t span = 0;
    std::vector<Letter> open;
    for (const Letter& letter : letters_of(text_)) {
      while (span < spans.size() && spans[span].second <= letter.begin) ++span;
      const bool in_noise = span < spans.size() && spans[span].first <= letter.begin;
      if (in_noise || letter.kind == CharClass::separator || letter.kind == CharClass::gram) {
        close_word(open);
      }
      if (in_noise) {
        if (letter.begin == spans[span].first) {
          items_.push_back({ItemKind::noise, spans[span].first, spans[span].second, 0, 0, {}, {}});
        }
      } else if (letter.kind == CharClass::gram) {
        add_gram(letter);
      } else if (letter.kind == CharClass::transparent && open.empty()) {
        const bool follows_gram = !items_.empty() && items_.back().kind == ItemKind::gram &&
                                  items_.back().end == letter.begin;
        if (follows_gram) items_.back().end = letter.end;
      } else if (letter.kind != CharClass::separator) {
        open.push_back(letter);
      }
    }
    close_word(open);
  }

  void close_word(std::vector<Letter>& open) {
    const auto first = std::find_if(open.begin(), open.end(), is_alnum);
    if (first != open.end()) {
      auto last = std::find_if(open.rbegin(), open.rend(), is_alnum).base() - 1;
      while (last + 1 != open.end() && (last + 1)->kind == CharClass::transparent) ++last;
      Item word{ItemKind::word,  first->begin, last->end, open.front().begin,
                open.back().end, {},           {}};
      std::copy_if(first, last + 1, std::back_inserter(word.letters),
                   [](const Letter& letter) { return letter.kind != CharClass::transparent; });
      items_.push_back(word);
    }
    open.clear();
  }

  void add_gram(const Letter& letter) {
    if (!items_.empty() && items_.back().kind == ItemKind::gram &&
        items_.back().end == letter.begin) {
      const char32_t both = compose_grams(decode_at(items_.back().folded, 0).code_point,
                                          decode_at(letter.folded, 0).code_point);
      if (both != 0) {
        items_.back().end = letter.end;
        items_.back().folded = fold_char(both).text;
        return;
      }
    }
    items_.push_back({ItemKind::gram, letter.begin, letter.end, 0, 0, {}, letter.folded});
  }

  std::string bytes(const Item& item) const {
    return text_.substr(item.begin, item.end - item.begin);
  }

  // Whether item `last` of the cluster that begins at `first` is joined with the next.
  bool belongs_together(std::size_t first, std::size_t last) const {
    const Item& left = items_[last];
    const Item& right = items_[last + 1];
    if (left.kind != ItemKind::word || right.kind != ItemKind::word) return false;
    if (left.run_end + 1 != right.run_begin) return false;
    const char sign = text_[left.run_end];
    if (sign != '\\') return sign == '.' || sign == '-' || sign == '/';
    // A backslash is a step behind a drive, C:\ ; elsewhere it is an escape.
    const std::string before = text_.substr(0, items_[first].run_begin);
    if (before.size() < 3 || !before.ends_with(":\\")) return false;
    const std::string drive = before.substr(0, before.size() - 2);
    const std::string letter = drive.substr(drive.size() - 1);
    const std::string neighbour = drive.size() < 2 ? " " : drive.substr(drive.size() - 2, 1);
    const bool stands_alone = !has_any(neighbour, kLetters + kDigits + "_") &&
                              static_cast<unsigned char>(neighbour[0]) < 0x80;
    return has_any(letter, kLetters) && stands_alone;
  }

  void write_cluster(std::vector<Item> items) {
    std::vector<Item> words;
    const auto flush = [&] {
      write_joined(words);
      words.clear();
    };
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i].kind == ItemKind::word && i + 4 < items.size()) {
        Item all = items[i];
        all.end = items[i + 4].end;
        if (is_uuid(bytes(all))) {
          flush();
          write_noise(all);
          i += 4;
          continue;
        }
      }
      if (items[i].kind == ItemKind::noise) {
        flush();
        write_noise(items[i]);
      } else if (items[i].kind == ItemKind::gram) {
        flush();
        add(items[i].folded, position_++, items[i].begin, items[i].end, TermKind::gram);
      } else if (holds_hash(bytes(items[i]))) {
        flush();
        write_pieces(items[i]);
      } else {
        words.push_back(items[i]);
      }
    }
    flush();
  }

  void write_noise(const Item& item) {
    std::string text = bytes(item);
    std::erase_if(text, [](char c) { return c == '+' || c == '/' || c == '-' || c == '_'; });
    add(fold(text.substr(0, 12)), position_++, item.begin, item.end, TermKind::word);
  }

  void write_pieces(const Item& item) {
    for (const auto& [begin, end] : pieces_of(bytes(item))) {
      Item piece{ItemKind::word, item.begin + begin, item.begin + end, 0, 0, {}, {}};
      std::copy_if(item.letters.begin(), item.letters.end(), std::back_inserter(piece.letters),
                   [&](const Letter& l) { return l.begin >= piece.begin && l.end <= piece.end; });
      if (is_hash(bytes(piece))) {
        write_noise(piece);
      } else if (!piece.letters.empty()) {
        write_word(piece);
      }
    }
  }

  void write_joined(const std::vector<Item>& words) {
    std::vector<std::vector<Item>> steps;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool new_step =
          i == 0 || text_[words[i].run_begin - 1] == '/' || text_[words[i].run_begin - 1] == '\\';
      if (new_step) steps.emplace_back();
      steps.back().push_back(words[i]);
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      join(steps[i]);
      if (i + 2 == steps.size()) {
        std::vector<Item> both = steps[i];
        both.insert(both.end(), steps[i + 1].begin(), steps[i + 1].end());
        join(both);
      }
      for (const Item& word : steps[i]) write_word(word);
    }
  }

  // At the position of the next word.
  void join(const std::vector<Item>& words) {
    if (words.size() < 2 || words.size() > 6) return;
    const std::size_t begin = words.front().begin;
    const std::size_t end = words.back().end;
    std::string text = fold(text_.substr(begin, end - begin));
    std::replace(text.begin(), text.end(), '\\', '/');
    add(text, position_, begin, end, TermKind::joined);
  }

  void write_word(const Item& word) {
    const auto parts = parts_of(word.letters);
    std::size_t letters = 0;
    for (const auto& part : parts) letters += part.size();
    const bool split = parts.size() > 1 && parts.size() <= 16 && letters >= 2 * parts.size();
    if (!split) {
      const std::string text = folded_text(word.letters);
      add(text, position_, word.begin, word.end, TermKind::word);
      write_marks(word);
      ++position_;
      return;
    }
    add(folded_text(word.letters), position_, word.begin, word.end, TermKind::whole);
    for (const auto& part : parts) {
      // Up to the next letter or underscore: accents belong to the letter before them.
      std::size_t end = word.end;
      for (const Letter& letter : word.letters) {
        if (letter.begin > part.back().begin) {
          end = letter.begin;
          break;
        }
      }
      add(folded_text(part), position_++, part.front().begin, end, TermKind::part);
    }
  }

  void write_marks(const Item& word) {
    const std::string inside = bytes(word);
    if (has_only(inside, kDigits) && word.begin > 0 && text_[word.begin - 1] == '#') {
      add("#" + inside, position_, word.begin - 1, word.end, TermKind::mark);
    }
    const bool is_letter = inside.size() == 1 && has_only(inside, kLetters);
    for (const std::string signs : {"++", "#"}) {
      const std::size_t end = word.end + signs.size();
      if (!is_letter || text_.substr(word.end, signs.size()) != signs) continue;
      if (has_any(text_.substr(end, 1), kLetters + kDigits + "_")) continue;
      add(fold(inside) + signs, position_, word.begin, end, TermKind::mark);
    }
  }

  void add(const std::string& text, std::uint32_t position, std::size_t begin, std::size_t end,
           TermKind kind) {
    // What is left of a hash was not letters only.
    const bool had_digits = has_any(text_.substr(begin, end - begin), kDigits);
    const bool is_english = has_only(text, kSmallLetters) && text.size() >= 3 && text.size() <= 32;
    const bool stemmable =
        is_english && (kind == TermKind::part || (kind == TermKind::word && !had_digits));
    terms_.push_back({cut(text), position, static_cast<std::uint32_t>(begin),
                      static_cast<std::uint32_t>(end), kind, stemmable});
  }

  std::string text_;
  std::vector<Item> items_;
  std::vector<TwinTerm> terms_;
  std::uint32_t position_ = 0;
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const TwinTerm& term) {
  constexpr std::array kNames = {"word", "part", "whole", "joined", "mark", "gram", "pair"};
  return out << term.position << ' ' << kNames.at(static_cast<std::size_t>(term.kind)) << " \""
             << term.text << "\" " << term.begin << '-' << term.end
             << (term.stemmable ? " stemmable" : "");
}

std::vector<TwinTerm> analyze_slowly(std::string_view text) {
  return Twin{text}.run();
}

}  // namespace yore::text
