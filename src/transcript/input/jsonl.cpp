#include "transcript/input/jsonl.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "base/work_limit.hpp"
#include "transcript/input/json_line.hpp"
#include "transcript/input/json_scan.hpp"

namespace yore::transcript {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::SIMDJSON_PADDING;

constexpr std::size_t kWindowBytes = 1 << 20;
constexpr std::size_t kHashedBytes = 4096;
// Room for the longest line, its newline, and the bytes before it that the cursor hashes.
constexpr std::size_t kMaxWindowBytes = kMaxRecordBytes + (64 << 10);
// What a thread keeps between two files; larger buffers are given back.
constexpr std::size_t kMaxIdleBytes = 4 << 20;

// --- the cursor --------------------------------------------------------------------------------

struct Position {
  std::uint64_t offset = 0;
  std::uint64_t lines = 0;
  std::uint64_t head_hash = 0;
  std::uint64_t tail_hash = 0;
  std::uint32_t head_bytes = 0;
};
constexpr std::size_t kCursorBytes = 4 * 8 + 4;

std::size_t hashed_bytes(std::uint64_t offset) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(kHashedBytes, offset));
}

void append_le(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFF);
}

std::uint64_t load_le(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = (value << 8) | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

Cursor encode(const Position& position) {
  Cursor cursor;
  cursor.reserve(kCursorBytes);
  append_le(cursor, position.offset, 8);
  append_le(cursor, position.lines, 8);
  append_le(cursor, position.head_hash, 8);
  append_le(cursor, position.tail_hash, 8);
  append_le(cursor, position.head_bytes, 4);
  return cursor;
}

std::optional<Position> decode(std::string_view cursor) {
  if (cursor.empty()) return Position{};
  if (cursor.size() != kCursorBytes) return std::nullopt;
  const Position position{load_le(cursor.substr(0, 8)), load_le(cursor.substr(8, 8)),
                          load_le(cursor.substr(16, 8)), load_le(cursor.substr(24, 8)),
                          static_cast<std::uint32_t>(load_le(cursor.substr(32, 4)))};
  if (position.head_bytes != hashed_bytes(position.offset)) return std::nullopt;
  if (position.lines > position.offset) return std::nullopt;
  return position;
}

// --- buffers -----------------------------------------------------------------------------------

// What reading needs and is too expensive to allocate for each file.
struct Workspace {
  ondemand::parser parser;
  std::unique_ptr<char[]> window;  // window_bytes and SIMDJSON_PADDING
  std::size_t window_bytes = 0;
};

// Lends a thread's workspace. A handler that reads another text meanwhile gets another workspace.
class Lease {
 public:
  Lease() {
    if (idle().empty()) {
      workspace_ = std::make_unique<Workspace>();
    } else {
      workspace_ = std::move(idle().back());
      idle().pop_back();
    }
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    if (workspace_->parser.capacity() > kMaxIdleBytes) workspace_->parser = ondemand::parser{};
    if (workspace_->window_bytes > kMaxIdleBytes) {
      workspace_->window.reset();
      workspace_->window_bytes = 0;
    }
    idle().push_back(std::move(workspace_));
  }
  [[nodiscard]] Workspace& get() const { return *workspace_; }

 private:
  static std::vector<std::unique_ptr<Workspace>>& idle() {
    thread_local std::vector<std::unique_ptr<Workspace>> workspaces;
    return workspaces;
  }
  std::unique_ptr<Workspace> workspace_;
};

// --- where bytes come from ----------------------------------------------------------------------

class FileSource final : public ByteSource {
 public:
  static Result<FileSource> open(const std::string& path) {
    auto file = InputFile::open(path);
    if (!file) return file.error();
    return FileSource(*std::move(file));
  }
  Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override {
    return file_.read_at(offset, out, size);
  }
  std::uint64_t next_data(std::uint64_t offset) override { return file_.next_data(offset); }

 private:
  explicit FileSource(InputFile file) : file_(std::move(file)) {}
  InputFile file_;
};

// --- the window --------------------------------------------------------------------------------

// A piece of the file in memory. What was consumed last stays in it, up to kHashedBytes, so that a
// cursor describes the bytes that were read and not what the file holds by then.
class Window {
 public:
  Window(ByteSource& source, Workspace& workspace, const Position& start)
      : source_(source), workspace_(workspace), start_(start), lines_(start.lines) {
    if (workspace_.window_bytes == 0) allocate(kWindowBytes);
    begin_ = scanned_ = hashed_bytes(start.offset);
    base_ = start.offset - begin_;
  }

  // Reads on. False at the end of the file. Keeps what is not consumed.
  Result<bool> fill() {
    if (end_ == workspace_.window_bytes) make_room();
    const std::size_t room = workspace_.window_bytes - end_;
    const auto got = source_.read_at(base_ + end_, workspace_.window.get() + end_, room);
    if (!got) return got.error();
    end_ += *got;
    std::memset(workspace_.window.get() + end_, 0, SIMDJSON_PADDING);
    return *got > 0;
  }

  // The next line's size without its newline, or std::string_view::npos when the window holds no
  // newline.
  std::size_t find_line() {
    const char* const data = workspace_.window.get();
    const void* const newline = std::memchr(data + scanned_, '\n', end_ - scanned_);
    scanned_ = end_;
    if (newline == nullptr) return std::string_view::npos;
    return static_cast<std::size_t>(static_cast<const char*>(newline) - data) - begin_;
  }

  // Whether the file goes on behind the window.
  bool can_fill() {
    const auto filled = fill();
    return !filled || *filled;
  }

  // Goes over what the file has no bytes for: zeros, and so no line end.
  // REQUIRES: everything is consumed, and more than the head of the file was read.
  void skip_hole() {
    const std::uint64_t data = source_.next_data(offset());
    if (data < offset() + kHashedBytes) return;
    if (base_ == 0) head_hash_ = hash64({workspace_.window.get(), kHashedBytes});
    std::memset(workspace_.window.get(), 0, kHashedBytes);
    base_ = data - kHashedBytes;
    begin_ = scanned_ = end_ = kHashedBytes;
  }

  void consume(std::size_t bytes) { begin_ = scanned_ = begin_ + bytes; }
  void consume_line(std::size_t size) {
    consume(size + 1);
    ++lines_;
  }

  // False when the file ends before the place where reading should start.
  [[nodiscard]] bool reaches_start() const { return end_ >= begin_; }
  [[nodiscard]] std::string_view unread() const {
    return {workspace_.window.get() + begin_, end_ - begin_};
  }
  [[nodiscard]] std::uint64_t offset() const { return base_ + begin_; }
  [[nodiscard]] LineInfo where() const { return {offset(), lines_ + 1}; }
  [[nodiscard]] bool inside_line() const {
    return begin_ > 0 && workspace_.window[begin_ - 1] != '\n';
  }

  [[nodiscard]] Position position() const {
    const std::size_t hashed = hashed_bytes(offset());
    const std::string_view data{workspace_.window.get(), end_};
    Position now{offset(), lines_, 0, hash64(data.substr(begin_ - hashed, hashed)), 0};
    now.head_bytes = static_cast<std::uint32_t>(hashed);
    if (start_.head_bytes == kHashedBytes) {
      now.head_hash = start_.head_hash;
    } else {
      now.head_hash = base_ == 0 ? hash64(data.substr(0, hashed)) : head_hash_;
    }
    return now;
  }

 private:
  void allocate(std::size_t bytes) {
    std::unique_ptr<char[]> larger{new char[bytes + SIMDJSON_PADDING]};
    if (end_ > 0) std::memcpy(larger.get(), workspace_.window.get(), end_);
    workspace_.window = std::move(larger);
    workspace_.window_bytes = bytes;
  }

  void make_room() {
    char* const data = workspace_.window.get();
    // The window leaves the start of the file for good, and is far longer than what is hashed.
    if (base_ == 0) head_hash_ = hash64({data, kHashedBytes});
    const std::size_t dropped = begin_ - std::min(begin_, kHashedBytes);
    std::memmove(data, data + dropped, end_ - dropped);
    base_ += dropped;
    begin_ -= dropped;
    scanned_ -= dropped;
    end_ -= dropped;
    if (end_ <= workspace_.window_bytes / 2) return;
    allocate(std::min(workspace_.window_bytes * 2, kMaxWindowBytes));
  }

  ByteSource& source_;
  Workspace& workspace_;
  Position start_;
  std::uint64_t base_ = 0;   // offset of the window's first byte
  std::size_t begin_ = 0;    // consumed up to here
  std::size_t scanned_ = 0;  // no newline between begin_ and here
  std::size_t end_ = 0;      // filled up to here
  std::uint64_t lines_ = 0;
  std::uint64_t head_hash_ = 0;
};

// --- reading -----------------------------------------------------------------------------------

// Skips a line that is too long and reads its head. False when the file ends before the line does.
Result<bool> skip_oversized(Window& window, LineReader& reader, std::size_t size) {
  const LineInfo where = window.where();
  const Padded head{window.unread().substr(0, kOversizedHeadBytes)};
  while (size == std::string_view::npos) {
    window.consume(window.unread().size());
    window.skip_hole();
    const auto filled = window.fill();
    if (!filled) return filled.error();
    if (!*filled) return false;
    size = window.find_line();
  }
  window.consume_line(size);
  reader.read_oversized(head.view(), where);
  return true;
}

// Reads lines until the file or the limit ends. `done` follows what is consumed.
Result<bool> read_lines(Window& window, LineReader& reader, std::uint64_t max_bytes,
                        Position& done) {
  const std::uint64_t start = done.offset;
  bool continued = window.inside_line();
  while (window.offset() == start || window.offset() - start < max_bytes) {
    const std::size_t size = window.find_line();
    if (size != std::string_view::npos && size <= kMaxRecordBytes) {
      reader.read_line(window.unread().substr(0, size), window.where(), continued);
      window.consume_line(size);
      continued = false;
      continue;
    }
    done = window.position();
    if (size != std::string_view::npos || window.unread().size() > kMaxRecordBytes) {
      const auto skipped = skip_oversized(window, reader, size);
      if (!skipped || !*skipped) return skipped;
      continued = false;
      continue;
    }
    const auto filled = window.fill();
    if (!filled) return filled;
    if (*filled) continue;
    window.consume(reader.read_tail(window.unread(), window.where()));
    done = window.position();
    return false;
  }
  done = window.position();
  return true;
}

// One value that starts in the first line and ends in a later one, as people and tools format it.
bool spans_lines(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || text[start] != '{') return false;
  const std::size_t newline = text.find('\n', start);
  if (newline == std::string_view::npos) return false;
  if (json_extent(text.substr(start, newline - start)) != std::string_view::npos) return false;
  const std::size_t size = json_extent(text.substr(start));
  return size != std::string_view::npos && is_valid_json(text.substr(start, size));
}

}  // namespace

Result<bool> jsonl_resumable(const std::string& path, const Cursor& cursor) {
  auto file = FileSource::open(path);
  if (!file) return file.error();
  return jsonl_resumable(*file, cursor);
}

Result<bool> jsonl_resumable(ByteSource& source, const Cursor& cursor) {
  const auto position = decode(cursor);
  if (!position) return false;
  std::array<char, kHashedBytes> bytes{};
  const std::size_t size = position->head_bytes;
  const auto still_there = [&](std::uint64_t offset, std::uint64_t hash) -> Result<bool> {
    const auto got = source.read_at(offset, bytes.data(), size);
    if (!got) return got.error();
    return *got == size && (size == 0 || hash64({bytes.data(), size}) == hash);
  };
  const auto head = still_there(0, position->head_hash);
  if (!head || !*head) return head;
  return still_there(position->offset - size, position->tail_hash);
}

Result<ReadStep> read_jsonl(const std::string& path, const Cursor& cursor, const ReadLimits& limits,
                            RecordSink& sink, const OnObject& on_object) {
  auto file = FileSource::open(path);
  if (!file) return file.error();
  return read_jsonl(*file, path, cursor, limits, sink, on_object);
}

Result<ReadStep> read_jsonl(ByteSource& source, std::string_view name, const Cursor& cursor,
                            const ReadLimits& limits, RecordSink& sink, const OnObject& on_object) {
  const auto start = decode(cursor);
  if (!start) {
    return Error{Errc::invalid_argument,
                 std::string(name) + ": the cursor is not one of this reader"};
  }
  const Lease lease;
  Window window{source, lease.get(), *start};
  const auto filled = window.fill();
  if (!filled) return filled.error();
  if (!window.reaches_start()) return ReadStep{cursor, 0, false};  // it shrank

  LineReader reader{lease.get().parser, sink, on_object};
  Position done = *start;
  const auto limited = read_lines(window, reader, limits.max_bytes, done);
  const std::uint64_t consumed = done.offset - start->offset;
  if (!limited && consumed == 0) return limited.error();
  if (consumed == 0) return ReadStep{cursor, 0, false};
  const bool more = !limited || (*limited && (!window.unread().empty() || window.can_fill()));
  return ReadStep{encode(done), consumed, more};
}

void read_json_text(std::string_view text, const LineInfo& where, RecordSink& sink,
                    const OnObject& on_object) {
  const Lease lease;
  LineReader reader{lease.get().parser, sink, on_object};
  const bool one_value = spans_lines(text);
  LineInfo at = where;
  while (!text.empty() && !WorkLimit::is_over()) {
    const std::size_t size = one_value ? text.size() : std::min(text.find('\n'), text.size());
    if (size > kMaxRecordBytes) {
      reader.read_oversized(Padded{text.substr(0, kOversizedHeadBytes)}.view(), at);
    } else if (text.size() - size < SIMDJSON_PADDING) {
      reader.read_line(Padded{text.substr(0, size)}.view(), at, false);
    } else {
      reader.read_line(text.substr(0, size), at, false);
    }
    const std::size_t consumed = std::min(size + 1, text.size());
    text.remove_prefix(consumed);
    if (where.line == 0) continue;
    at.offset += consumed;
    ++at.line;
  }
}

}  // namespace yore::transcript
