// project.hpp — a working directory with source files that sessions read, search and edit.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generator/random.hpp"
#include "generator/text_maker.hpp"

namespace yore::generator {

struct SourceFile {
  std::string content;                     // escaped
  std::vector<std::uint32_t> line_starts;  // offsets into content, one past the end at the back

  [[nodiscard]] std::uint32_t lines() const {
    return static_cast<std::uint32_t>(line_starts.size() - 1);
  }
  // Lines [first, first + count), each with its escaped line break.
  [[nodiscard]] std::string_view slice(std::uint32_t first, std::uint32_t count) const {
    const std::uint32_t from = line_starts[first];
    return std::string_view(content).substr(from, line_starts[first + count] - from);
  }
  // Without the line break.
  [[nodiscard]] std::string_view line(std::uint32_t number) const {
    std::string_view text = slice(number, 1);
    text.remove_suffix(2);
    return text;
  }
};

class Project {
 public:
  // `number` makes the name unique; every twelfth project lives on Windows.
  Project(Rng& rng, Draws& draws, std::uint32_t number);

  // Writes some files anew, so that a project changes from session to session.
  // `size_permille` shrinks the files of small corpora.
  void refresh(Rng& rng, TextMaker& text, std::uint32_t size_permille);

  [[nodiscard]] const std::string& cwd() const { return cwd_; }              // escaped
  [[nodiscard]] const std::string& directory() const { return directory_; }  // encoded
  [[nodiscard]] const std::string& branch() const { return branch_; }
  [[nodiscard]] std::span<const std::string> paths() const { return paths_; }  // relative
  [[nodiscard]] const SourceFile& file(std::size_t index) const { return files_[index]; }
  [[nodiscard]] std::size_t file_count() const { return files_.size(); }
  // Escaped.
  [[nodiscard]] std::string absolute(std::size_t index) const {
    return cwd_ + separator_ + paths_[index];
  }

 private:
  std::string cwd_;
  std::string separator_;
  std::string directory_;
  std::string branch_;
  std::vector<std::string> paths_;
  std::vector<SourceFile> files_;
  std::uint32_t length_permille_;
};

}  // namespace yore::generator
