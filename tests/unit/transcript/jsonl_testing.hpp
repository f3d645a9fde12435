// jsonl_testing.hpp — what the tests of the JSONL reader share: a file to write to, a sink that
// keeps what it hears, and a handler that reads every byte of an object.
#pragma once

#include <simdjson.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transcript/input/jsonl.hpp"

namespace yore::transcript::jsonl_testing {

// A file in a directory of its own, removed at the end.
class TempFile {
 public:
  TempFile() {
    std::string directory = (std::filesystem::temp_directory_path() / "yore-XXXXXX").string();
    if (::mkdtemp(directory.data()) == nullptr) std::abort();
    directory_ = directory;
    path_ = directory + "/session.jsonl";
    write("");
  }
  explicit TempFile(std::string_view bytes) : TempFile() { write(bytes); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  ~TempFile() { std::filesystem::remove_all(directory_); }

  void write(std::string_view bytes) const { put(bytes, std::ios::trunc); }
  void append(std::string_view bytes) const { put(bytes, std::ios::app); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& directory() const { return directory_; }

 private:
  void put(std::string_view bytes, std::ios::openmode mode) const {
    std::ofstream out(path_, std::ios::binary | mode);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  std::string directory_;
  std::string path_;
};

struct Seen {
  std::uint64_t offset = 0;
  std::uint64_t line = 0;
  std::string text;
  friend bool operator==(const Seen&, const Seen&) = default;
};

using Problem = std::pair<ProblemKind, std::uint64_t>;

// The value with all strings unescaped, as text that shows every difference. False: malformed, or
// nested deeper than 40.
inline bool write_out(simdjson::ondemand::value value, std::string& out, int depth = 0) {
  namespace ondemand = simdjson::ondemand;
  ondemand::json_type type{};
  if (depth > 40 || value.type().get(type)) return false;
  if (type == ondemand::json_type::string) {
    std::string_view text;
    if (value.get_string().get(text)) return false;
    out.append("'").append(text).append("'");
    return true;
  }
  if (type == ondemand::json_type::array) {
    ondemand::array array;
    if (value.get_array().get(array)) return false;
    out += '[';
    for (auto element : array) {
      ondemand::value child;
      if (element.get(child) || !write_out(child, out, depth + 1)) return false;
      out += ',';
    }
    out += ']';
    return true;
  }
  if (type == ondemand::json_type::object) {
    ondemand::object object;
    if (value.get_object().get(object)) return false;
    out += '{';
    for (auto field : object) {
      std::string_view key;
      ondemand::value child;
      if (field.error() || field.unescaped_key().get(key) || field.value().get(child)) return false;
      out.append(key).append("=");
      if (!write_out(child, out, depth + 1)) return false;
      out += ',';
    }
    out += '}';
    return true;
  }
  if (type == ondemand::json_type::number) {
    double number = 0;
    if (value.get_double().get(number)) return false;
    out += std::to_string(number);
    return true;
  }
  if (type == ondemand::json_type::boolean) {
    bool truth = false;
    if (value.get_bool().get(truth)) return false;
    out += truth ? "true" : "false";
    return true;
  }
  bool null = false;
  if (value.is_null().get(null) || !null) return false;
  out += "null";
  return true;
}

inline bool write_out(simdjson::ondemand::object& object, std::string& out) {
  for (auto field : object) {
    std::string_view key;
    simdjson::ondemand::value child;
    if (field.error() || field.unescaped_key().get(key) || field.value().get(child)) return false;
    out.append(key).append("=");
    if (!write_out(child, out, 1)) return false;
    out += ',';
  }
  return true;
}

// What one or more calls delivered.
struct Reading : RecordSink {
  std::vector<Seen> seen;
  std::vector<Problem> problems;
  Cursor cursor;
  bool more = false;
  std::uint64_t bytes_read = 0;

  void record(const Record&) override {}
  void problem(ProblemKind kind, std::uint64_t line) override { problems.emplace_back(kind, line); }
  void unknown(std::string_view) override {}

  OnObject handler() {
    return [this](simdjson::ondemand::object& object, const LineInfo& where) {
      std::string text;
      if (!write_out(object, text)) return false;
      seen.push_back({where.offset, where.line, std::move(text)});
      return true;
    };
  }

  // One call from where the last one stopped.
  bool step(const std::string& path, const ReadLimits& limits = {}) {
    auto result = read_jsonl(path, cursor, limits, *this, handler());
    if (!result) return false;
    cursor = result->cursor;
    more = result->more;
    bytes_read += result->bytes_read;
    return true;
  }
  // Calls until there is no more.
  bool read_on(const std::string& path, const ReadLimits& limits = {}) {
    do {
      if (!step(path, limits)) return false;
    } while (more);
    return true;
  }

  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const Seen& one : seen) all.push_back(one.text);
    return all;
  }
};

inline Reading read_bytes(std::string_view bytes) {
  const TempFile file{bytes};
  Reading reading;
  if (!reading.read_on(file.path())) reading.problems.emplace_back(ProblemKind::unreadable, 0);
  return reading;
}

}  // namespace yore::transcript::jsonl_testing
