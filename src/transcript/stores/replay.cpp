#include "transcript/stores/replay.hpp"

#include "base/bytes.hpp"
#include "base/hash.hpp"

namespace yore::transcript {
namespace {

constexpr char kTag = 'R';
constexpr std::size_t kCursorBytes = 17;

}  // namespace

ReplaySink::ReplaySink(const Cursor& from) {
  if (!from.empty()) {
    const bool good = from.size() == kCursorBytes && from.front() == kTag;
    ByteReader reader(std::string_view(from).substr(good ? 1 : from.size()));
    wanted_count_ = reader.u64();
    wanted_hash_ = reader.u64();
    if (!good) state_ = State::unfit;
  }
  compare();
}

ReplaySink::ReplaySink(RecordSink& next, const Cursor& from, const ReadLimits& limits)
    : ReplaySink(from) {
  next_ = &next;
  max_bytes_ = limits.max_bytes;
}

void ReplaySink::record(const Record& record) {
  put(static_cast<std::uint64_t>(record.kind));
  for (const std::string_view text :
       {record.key, record.parent_key, record.message_id, record.cwd, record.branch, record.model,
        record.version, record.slug, record.title, record.leaf}) {
    put(text);
  }
  for (const std::uint64_t value :
       {std::uint64_t{record.structural}, std::uint64_t{record.sidechain},
        std::uint64_t{record.automated}, std::uint64_t{record.scripted},
        static_cast<std::uint64_t>(record.title_kind),
        static_cast<std::uint64_t>(to_ms(record.time)), record.usage.input_tokens,
        record.usage.output_tokens, record.usage.cache_read_tokens, record.usage.cache_write_tokens,
        record.offset, record.line}) {
    put(value);
  }
  put_blocks(record);
  if (hear()) next_->record(record);
}

void ReplaySink::put_blocks(const Record& record) {
  for (const Block& block : record.blocks) {
    put(static_cast<std::uint64_t>(block.kind));
    for (const std::string_view text :
         {block.text, block.tool_id, block.tool_name, block.rendering, block.file}) {
      put(text);
    }
  }
}

void ReplaySink::problem(ProblemKind kind, std::uint64_t line) {
  put("problem");
  put(static_cast<std::uint64_t>(kind));
  put(line);
  if (hear()) next_->problem(kind, line);
}

void ReplaySink::unknown(std::string_view what) {
  put("unknown");
  put(what);
  if (hear()) next_->unknown(what);
}

bool ReplaySink::hear() {
  const bool pass = state_ == State::passing;
  if (state_ != State::unfit) {
    hash_ = hash64(call_, hash_);
    ++count_;
  }
  call_.clear();
  compare();
  if (!pass || next_ == nullptr) return false;
  handed_on_ = true;
  return true;
}

void ReplaySink::compare() {
  if (state_ != State::comparing || count_ < wanted_count_) return;
  state_ = hash_ == wanted_hash_ ? State::passing : State::unfit;
}

void ReplaySink::put(std::string_view text) {
  put(std::uint64_t{text.size()});
  call_ += text;
}

void ReplaySink::put(std::uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8) call_.push_back(static_cast<char>(value >> shift));
}

void ReplaySink::consumed(std::uint64_t bytes) {
  if (handed_on_) bytes_ += bytes;
}

bool ReplaySink::full() const {
  if (state_ == State::unfit) return true;
  if (state_ == State::comparing) return false;
  return next_ == nullptr || (handed_on_ && bytes_ >= max_bytes_);
}

Result<ReadStep> ReplaySink::step(const std::string& path, bool more) const {
  if (!fits()) return Error{Errc::busy, path + ": changed while it was read"};
  ByteWriter cursor;
  cursor.u64(count_);
  cursor.u64(hash_);
  return ReadStep{kTag + cursor.take(), bytes_, more};
}

}  // namespace yore::transcript
