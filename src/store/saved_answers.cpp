#include "store/saved_answers.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

#include "base/files/file.hpp"
#include "text/utf8.hpp"

namespace yore::store {
namespace {

constexpr std::string_view kSuffix = ".md";
constexpr std::string_view kAgain = "<!-- again ";
constexpr std::string_view kAsked = "<!-- asked ";
constexpr std::string_view kHit = "<!-- hit ";
constexpr std::string_view kEnd = " -->";
constexpr std::size_t kLongestNameBytes = 120;
constexpr std::size_t kMostBytes = std::size_t{16} << 20U;

std::string saved_path(const std::string& data_dir, std::string_view name) {
  return path_join(saved_directory(data_dir), std::string(name) + std::string(kSuffix));
}

std::string_view first_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

// What stands in a comment of this kind, if the line is one.
std::optional<std::string_view> comment_of(std::string_view line, std::string_view begin) {
  if (!line.starts_with(begin) || !line.ends_with(kEnd)) return std::nullopt;
  if (line.size() < begin.size() + kEnd.size()) return std::nullopt;
  return line.substr(begin.size(), line.size() - begin.size() - kEnd.size());
}

// No line of it looks like a comment of ours, and it ends with a newline.
std::string harmless(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view line = first_line(text);
    if (line.starts_with("<!--")) out += ' ';
    out.append(line).append("\n");
  }
  return out;
}

std::string one_word(std::string_view text) {
  std::string word(text);
  for (char& c : word) {
    if (static_cast<unsigned char>(c) < 0x20) c = '?';
  }
  return word;
}

std::string hex16(std::uint64_t number) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(number));
  return digits;
}

template <typename Number>
bool take_number(std::string_view& text, int base, Number& out) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  const auto used = static_cast<std::size_t>(end - text.data());
  if (failed != std::errc{} || used >= text.size() || text[used] != ' ') return false;
  text.remove_prefix(used + 1);
  return true;
}

// "3 00000000deadbeef a2ffd9f7abcd SESSION"
std::optional<SavedHit> hit_of(std::string_view words) {
  SavedHit hit;
  if (!take_number(words, 10, hit.turn) || !take_number(words, 16, hit.origin)) return std::nullopt;
  const std::size_t space = words.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  hit.chunk = words.substr(0, space);
  hit.session = words.substr(space + 1);
  return hit;
}

Status put_saved(const std::string& data_dir, const SavedAnswer& answer, bool replace) {
  if (Status fit = check_saved_name(answer.name); !fit) return fit;
  if (Status made = make_directories(saved_directory(data_dir)); !made) return made;
  const std::string path = saved_path(data_dir, answer.name);
  if (replace) return write_file_atomically(path, encode_saved(answer));
  if (!is_regular_file(path)) return write_new_file(path, encode_saved(answer));
  return Error{Errc::invalid_argument, "there is a saved answer '" + answer.name + "' already",
               "take another name, or: yore saved " + answer.name + " --remove"};
}

Status leave_out(const std::string& data_dir, SavedAnswer& answer, const Tombstones& forgotten,
                 const std::function<bool(const SavedHit&)>& also) {
  const std::size_t gone = std::erase_if(answer.hits, [&](const SavedHit& hit) {
    return forgotten.has_session(hit.session) || forgotten.has_turn(hit.origin) ||
           (also && also(hit));
  });
  if (gone == 0) return {};
  return write_file_atomically(saved_path(data_dir, answer.name), encode_saved(answer));
}

// What was forgotten since the question was asked is in no file.
Status drop_forgotten(const std::string& data_dir, SavedAnswer answer) {
  const auto forgotten = Tombstones::load(data_dir);
  if (!forgotten) return forgotten.error();
  return forgotten->empty() ? Status{} : leave_out(data_dir, answer, *forgotten, {});
}

}  // namespace

std::string saved_directory(const std::string& data_dir) {
  return path_join(keep_directory(data_dir), "saved");
}

std::string shown_markdown(const SavedAnswer& answer) {
  std::string out = "# " + answer.name + "\n\n" + answer.head;
  for (const SavedHit& hit : answer.hits) out += "\n" + hit.text;
  return out;
}

std::string encode_saved(const SavedAnswer& answer) {
  std::string out = "# " + one_word(answer.name) + "\n\n";
  out.append(kAgain).append(one_word(answer.again)).append(kEnd).append("\n");
  out.append(kAsked).append(std::to_string(to_ms(answer.asked))).append(kEnd).append("\n");
  out += harmless(answer.head);
  for (const SavedHit& hit : answer.hits) {
    out.append("\n").append(kHit).append(std::to_string(hit.turn)).append(" ");
    out.append(hex16(hit.origin)).append(" ").append(one_word(hit.chunk)).append(" ");
    out.append(one_word(hit.session)).append(kEnd).append("\n").append(harmless(hit.text));
  }
  return out;
}

Result<SavedAnswer> decode_saved(std::string_view name, std::string_view text) {
  const Error damaged{Errc::corrupt, "the saved answer '" + std::string(name) + "' is damaged"};
  SavedAnswer answer;
  answer.name = name;
  bool has_again = false;
  while (!text.empty()) {
    const std::string_view line = first_line(text);
    if (const auto words = comment_of(line, kHit)) {
      auto hit = hit_of(*words);
      if (!hit) return damaged;
      // The empty line before a hit parts it from the one above.
      std::string& above = answer.hits.empty() ? answer.head : answer.hits.back().text;
      if (above.ends_with("\n\n") || above == "\n") above.pop_back();
      answer.hits.push_back(std::move(*hit));
    } else if (const auto again = comment_of(line, kAgain)) {
      answer.again = *again;
      has_again = true;
    } else if (const auto asked = comment_of(line, kAsked)) {
      std::int64_t ms = 0;
      std::from_chars(asked->data(), asked->data() + asked->size(), ms);
      answer.asked = from_ms(ms);
    } else if (has_again) {
      std::string& part = answer.hits.empty() ? answer.head : answer.hits.back().text;
      part.append(line).append("\n");
    }
  }
  if (!has_again) return damaged;
  return answer;
}

Status check_saved_name(std::string_view name) {
  const bool plain = std::ranges::all_of(name, [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != '/' && c != '\\' && c != 0x7F;
  });
  if (text::is_blank(name)) return Error{Errc::invalid_argument, "a saved answer needs a name"};
  if (!plain || name.starts_with('.') || name.starts_with('-') || text::valid_utf8(name) != name) {
    return Error{Errc::invalid_argument,
                 "'" + text::valid_utf8(name) + "' cannot be the name of a saved answer",
                 "letters, digits and spaces; not . or - at the beginning, no slashes"};
  }
  if (name.size() > kLongestNameBytes) {
    return Error{Errc::invalid_argument, "the name of a saved answer has at most " +
                                             std::to_string(kLongestNameBytes) + " bytes"};
  }
  return {};
}

Result<std::vector<SavedAnswer>> saved_answers(const std::string& data_dir,
                                               std::vector<std::string>* broken) {
  std::vector<SavedAnswer> all;
  const auto entries = list_directory(saved_directory(data_dir));
  if (!entries && entries.error().code == Errc::not_found) return all;
  if (!entries) return entries.error();
  for (const DirEntry& entry : *entries) {
    if (entry.type != FileType::regular || !entry.name.ends_with(kSuffix)) continue;
    const std::string name = entry.name.substr(0, entry.name.size() - kSuffix.size());
    if (!check_saved_name(name)) continue;  // the first half of one that is being written
    auto answer = saved_answer(data_dir, name);
    if (answer) {
      all.push_back(std::move(*answer));
    } else if (broken != nullptr) {
      broken->push_back(name);
    }
  }
  return all;
}

Result<SavedAnswer> saved_answer(const std::string& data_dir, std::string_view name) {
  if (Status fit = check_saved_name(name); !fit) return fit.error();
  const std::string path = saved_path(data_dir, name);
  if (!is_regular_file(path)) {
    return Error{Errc::not_found, "there is no saved answer '" + std::string(name) + "'",
                 "yore saved lists them"};
  }
  const auto text = read_file(path, kMostBytes);
  if (!text) return text.error();
  return decode_saved(name, *text);
}

Status save_answer(const std::string& data_dir, const SavedAnswer& answer) {
  if (Status put = put_saved(data_dir, answer, false); !put) return put;
  return drop_forgotten(data_dir, answer);
}

Status replace_saved(const std::string& data_dir, const SavedAnswer& answer) {
  if (Status put = put_saved(data_dir, answer, true); !put) return put;
  return drop_forgotten(data_dir, answer);
}

Status remove_saved(const std::string& data_dir, std::string_view name) {
  const auto there = saved_answer(data_dir, name);
  if (!there && there.error().code != Errc::corrupt) return there.error();
  return remove_file(saved_path(data_dir, name));
}

Status forget_saved(const std::string& data_dir, const Tombstones& forgotten,
                    const std::function<bool(const SavedHit&)>& also) {
  std::vector<std::string> broken;
  auto all = saved_answers(data_dir, &broken);
  if (!all) return all.error();
  for (SavedAnswer& answer : *all) {
    if (Status done = leave_out(data_dir, answer, forgotten, also); !done) return done;
  }
  for (const std::string& name : broken) {
    const auto answer = saved_answer(data_dir, name);
    if (answer || answer.error().code == Errc::not_found) continue;
    if (answer.error().code != Errc::corrupt) return answer.error();
    if (Status removed = remove_file(saved_path(data_dir, name)); !removed) return removed;
  }
  return {};
}

}  // namespace yore::store
