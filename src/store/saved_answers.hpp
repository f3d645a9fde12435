// saved_answers.hpp — answers that were kept with --save: a Markdown file each, in keep/saved.
//
//   # NAME
//   <!-- again ["--project","shop","--","nginx 502"] -->
//   - Question: …
//   …
//   <!-- hit 3 00000000deadbeef a2ffd9f7abcd SESSION -->
//   ## …
//   > what was said
//
// The comments are what a program reads; a line of text never begins as one. Texts are masked by
// whoever saves. Nothing of it is rebuilt; what was forgotten is taken out of it.
// Threads and processes: a file is written whole or not at all, and never over another.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "store/tombstones.hpp"

namespace yore::store {

struct SavedHit {
  std::string session;
  std::uint32_t turn = 0;
  std::uint64_t origin = 0;
  std::string chunk;  // 12 hex digits
  std::string text;   // Markdown
  friend bool operator==(const SavedHit&, const SavedHit&) = default;
};

struct SavedAnswer {
  std::string name;
  std::string again;  // how it is asked again, in one line; only who saved it knows
  Time asked = kNoTime;
  std::string head;  // Markdown above the hits: question, filters, date
  std::vector<SavedHit> hits;
  friend bool operator==(const SavedAnswer&, const SavedAnswer&) = default;
};

// What people read: without the comments.
std::string shown_markdown(const SavedAnswer& answer);
std::string encode_saved(const SavedAnswer& answer);
// corrupt: not what encode_saved() makes.
Result<SavedAnswer> decode_saved(std::string_view name, std::string_view text);

// invalid_argument: it cannot be the name of a file.
Status check_saved_name(std::string_view name);

std::string saved_directory(const std::string& data_dir);
// By name. What cannot be read is left out and named in `broken`.
Result<std::vector<SavedAnswer>> saved_answers(const std::string& data_dir,
                                               std::vector<std::string>* broken = nullptr);
// not_found.
Result<SavedAnswer> saved_answer(const std::string& data_dir, std::string_view name);
// invalid_argument: there is one of this name.
Status save_answer(const std::string& data_dir, const SavedAnswer& answer);
// In place of the one of this name.
Status replace_saved(const std::string& data_dir, const SavedAnswer& answer);
Status remove_saved(const std::string& data_dir, std::string_view name);
// Takes out of all of them what was forgotten, and what `also` says was: a turn may have another
// origin now than when it was saved. A damaged file is removed, because nobody can tell what it
// holds; one that cannot be read is an error.
Status forget_saved(const std::string& data_dir, const Tombstones& forgotten,
                    const std::function<bool(const SavedHit&)>& also = {});

}  // namespace yore::store
