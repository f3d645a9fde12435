// secrets.hpp — keys, tokens, passwords and private keys in a text, and the text without them.
// Pure.
//
// What is looked for: tokens of known looks (detectors.hpp), private key blocks, credentials in
// URLs and in Authorization headers, and random values that are given to a name such as API_KEY or
// password. What must not be taken for one: hashes, ids, encoded files, names, stand-ins.
//
// Ordinary text costs one quick look (starters.hpp). Masked text has no secrets: masking twice is
// masking once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace yore::text {

struct Secret {
  std::size_t begin = 0;  // bytes
  std::size_t end = 0;
  std::string_view kind;  // a constant
  friend bool operator==(const Secret&, const Secret&) = default;
};

// A text that was cut may end in the middle of a secret. What then looks like the beginning of one
// is taken for it.
enum class TextEnd : bool { whole, perhaps_cut };

// In order, none touching another.
std::vector<Secret> find_secrets(std::string_view text, TextEnd end = TextEnd::whole);

// Puts "[masked:KIND]" in the place of each secret; how many there were. A text without secrets is
// left untouched.
std::size_t mask_secrets(std::string& text, TextEnd end = TextEnd::whole);
std::string masked(std::string_view text, TextEnd end = TextEnd::whole);
// "[masked:KIND]"
std::string mask_of(std::string_view kind);

}  // namespace yore::text
