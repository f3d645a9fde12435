// marker_words.hpp — words to be forgotten, and what is left of them in files, plain or compressed.
#pragma once

#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace yore::fake {

// Words that stand nowhere else.
inline std::string marker(int i) {
  std::string word = "zqx";
  for (int n = i + 1; n > 0; n /= 26) word += static_cast<char>('a' + n % 26);
  return word + "qz";
}

// Every file below the folder, whole and with whatever is compressed in it.
inline std::vector<std::string> all_bytes(const std::string& folder) {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    for (std::size_t at = bytes.find("\x28\xB5\x2F\xFD"); at != std::string::npos;
         at = bytes.find("\x28\xB5\x2F\xFD", at + 1)) {
      const std::string_view rest = std::string_view(bytes).substr(at);
      const std::size_t size = ZSTD_findFrameCompressedSize(rest.data(), rest.size());
      const auto plain = ZSTD_getFrameContentSize(rest.data(), rest.size());
      if (ZSTD_isError(size) != 0 || plain > (64U << 20)) continue;
      std::string out(plain, '\0');
      if (ZSTD_isError(ZSTD_decompress(out.data(), out.size(), rest.data(), size)) == 0) {
        all.push_back(std::move(out));
      }
    }
    all.push_back(std::move(bytes));
  }
  return all;
}

// How many of the first `count` markers stand in any file below the folder.
inline int markers_left(const std::string& folder, int count) {
  const auto everything = all_bytes(folder);
  int left = 0;
  for (int i = 0; i < count; ++i) {
    const std::string word = marker(i);
    left += std::ranges::any_of(everything, [&](const std::string& bytes) {
      return bytes.find(word) != std::string::npos;
    });
  }
  return left;
}

}  // namespace yore::fake
