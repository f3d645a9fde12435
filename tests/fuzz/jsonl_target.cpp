// Any bytes as a file: no crash, and the same records and problems whether it is read at once or in
// two pieces, the second appended later.
#include <simdjson.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/target.hpp"
#include "transcript/input/json_repair.hpp"
#include "transcript/input/json_scan.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/spec/tool_render.hpp"

namespace yore::fuzz {
namespace {

using namespace yore::transcript;

// A file in memory that has a path.
class MemoryFile {
 public:
  MemoryFile() : fd_(::memfd_create("fuzz", 0)), path_("/proc/self/fd/" + std::to_string(fd_)) {
    if (fd_ < 0) std::abort();
  }
  void write(std::string_view bytes) const {
    if (::ftruncate(fd_, 0) != 0) std::abort();
    if (::pwrite(fd_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
      std::abort();
    }
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  int fd_;
  std::string path_;
};

struct Sink : RecordSink {
  std::vector<std::pair<std::uint64_t, std::string>> seen;
  std::vector<std::pair<ProblemKind, std::uint64_t>> problems;
  Cursor cursor;
  ToolInput input;

  void record(const Record&) override {}
  void problem(ProblemKind kind, std::uint64_t line) override { problems.emplace_back(kind, line); }
  void unknown(std::string_view) override {}

  void read(const MemoryFile& file) {
    const OnObject handler = [this](simdjson::ondemand::object& object, const LineInfo& where) {
      std::string text;
      for (auto field : object) {
        std::string_view key;
        simdjson::ondemand::value value;
        if (field.error() || field.unescaped_key().get(key)) return false;
        if (field.value().get(value)) return false;
        // Some values are left for the parser to skip.
        if (key == "skip") continue;
        if (!input.read(value)) return false;
        text.append(key).append(input.search_text()).append(input.get({"a", "cmd", "command"}));
      }
      seen.emplace_back(where.offset, std::move(text));
      return true;
    };
    const auto step = read_jsonl(file.path(), cursor, {}, *this, handler);
    if (!step) std::abort();
    cursor = step->cursor;
  }
};

}  // namespace

void jsonl(std::string_view bytes) {
  if (bytes.empty()) return;
  static const MemoryFile file;
  const std::string_view text = bytes.substr(1);
  const std::size_t split = text.size() * static_cast<unsigned char>(bytes[0]) / 255;

  Sink whole;
  file.write(text);
  whole.read(file);

  Sink pieces;
  file.write(text.substr(0, split));
  pieces.read(file);
  file.write(text);
  check(jsonl_resumable(file.path(), pieces.cursor).value_or(false));
  pieces.read(file);
  check(pieces.seen == whole.seen && pieces.problems == whole.problems);
  check(pieces.cursor == whole.cursor);

  const Repair repair = repair_json(text);
  check(simdjson::validate_utf8(repair.text.data(), repair.text.size()));
  check(repair.changed() == (repair.text != text));
  const std::string closed = close_json(repair.text);
  check(close_json(closed) == closed);

  Sink memory;
  read_json_text(text, {0, 1}, memory,
                 [](simdjson::ondemand::object&, const LineInfo&) { return true; });
}

}  // namespace yore::fuzz
