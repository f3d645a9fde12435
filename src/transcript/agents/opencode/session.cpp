#include "transcript/agents/opencode/session.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/hash.hpp"
#include "transcript/agents/opencode/records.hpp"

namespace yore::transcript::opencode {
namespace {

constexpr std::string_view kCursorTag = "opencode ";
// Whether a message is settled is known from those after it, so this many messages at the end of a
// page are left for the next page.
constexpr std::size_t kLookAhead = 16;

struct Position {
  std::uint64_t messages = 0;    // settled
  std::uint64_t parts = 0;       // of the last of them
  std::uint64_t info = 0;        // see info_hash()
  std::uint64_t open_parts = 0;  // read of the message behind them, which is not settled
  std::string place;             // of the last settled message
  std::string open_place;        // of the message behind it, if any of it was read
};

Cursor encode(const Position& at) {
  Cursor cursor(kCursorTag);
  for (const auto number :
       {at.messages, at.parts, at.info, at.open_parts, std::uint64_t{at.place.size()}}) {
    cursor += std::to_string(number) + ' ';
  }
  return cursor + at.place + at.open_place;
}

bool take_number(std::string_view& text, std::uint64_t& out) {
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (ec != std::errc{} || end == text.data() + text.size() || *end != ' ') return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return true;
}

std::optional<Position> decode(std::string_view text) {
  if (!text.starts_with(kCursorTag)) return std::nullopt;
  text.remove_prefix(kCursorTag.size());
  Position at;
  std::uint64_t size = 0;
  for (std::uint64_t* number : {&at.messages, &at.parts, &at.info, &at.open_parts, &size}) {
    if (!take_number(text, *number)) return std::nullopt;
  }
  if (size > text.size()) return std::nullopt;
  at.place = text.substr(0, size);
  at.open_place = text.substr(size);
  return at;
}

// Hash of everything the session's own row says about its records.
std::uint64_t info_hash(const SessionInfo& info) {
  std::uint64_t hash = 0;
  for (const std::string* text :
       {&info.version, &info.directory, &info.reverted_message, &info.reverted_part}) {
    hash = hash64(*text, hash);
  }
  return hash;
}

class Walk {
 public:
  Walk(MessageStore& store, SessionInfo info, Position at, const ReadLimits& limits,
       RecordSink& sink)
      : store_(store),
        info_(std::move(info)),
        at_(std::move(at)),
        limits_(limits),
        sink_(sink),
        parts_(info_, sink) {
    at_.info = info_hash(info_);
    at_.open_place.clear();
    at_.open_parts = 0;
  }

  Result<ReadStep> run() {
    while (!done_) {
      const auto page = store_.messages_after(at_.place);
      if (!page) return page.error();
      if (page->items.empty() || page->items.front().place == at_.place) break;
      if (const auto read = read_page(*page); !read.ok()) return read.error();
    }
    step_.cursor = encode(at_);
    return step_;
  }

 private:
  Status read_page(const Page& page) {
    heads_.clear();
    findings_.clear();
    findings_.resize(page.items.size());
    for (std::size_t i = 0; i < page.items.size(); ++i) {
      heads_.push_back(read_head(page.items[i], at_.messages + i, findings_[i]));
    }
    const std::size_t size = page.items.size();
    const std::size_t end = page.last ? size : size - std::min(kLookAhead, size - 1);
    for (std::size_t i = 0; i < end && !done_; ++i) {
      if (step_.bytes_read > 0 && step_.bytes_read >= limits_.max_bytes) {
        step_.more = true;
        done_ = true;
        return {};
      }
      if (const auto read = read_message(page, i); !read.ok()) return read;
    }
    done_ = done_ || page.last;
    return {};
  }

  [[nodiscard]] bool is_settled(const Page& page, std::size_t i) const {
    const MessageHead& head = heads_[i];
    const bool followed = i + 1 < heads_.size() || !page.last;
    const bool whole_row = !page.items[i].type.empty();
    if (head.type.empty()) return followed || !store_.may_be_torn();
    if (head.type == "user") return followed || whole_row;
    if (head.type == "shell") return followed || head.completed;
    if (head.type == "compaction") return followed || head.has_words;
    if (head.type != "assistant" || head.completed || !page.last) return true;
    return std::any_of(heads_.begin() + static_cast<std::ptrdiff_t>(i) + 1, heads_.end(),
                       [](const MessageHead& later) { return later.type == "assistant"; });
  }

  Status read_message(const Page& page, std::size_t i) {
    const Item& message = page.items[i];
    const bool reverted = !message.id.empty() && message.id == info_.reverted_message;
    if (reverted && info_.reverted_part.empty()) {
      done_ = true;
      return {};
    }
    const bool settled = !reverted && is_settled(page, i);
    parts_.begin(message, heads_[i], at_.messages, settled);
    std::uint64_t count = 0;
    if (heads_[i].type.empty()) {
      // Nobody can tell whose words its parts are.
      const auto parts = store_.part_count(message.place);
      if (!parts) return parts.error();
      count = *parts;
    } else if (message.type.empty()) {
      if (const auto read = read_parts(message, count); !read.ok()) return read;
    } else {
      parts_.add_row();
    }
    step_.bytes_read += message.json.size() + 1;
    if (!settled) {
      at_.open_place = message.place;
      at_.open_parts = count;
      done_ = true;
      return {};
    }
    parts_.finish(findings_[i]);
    ++at_.messages;
    at_.parts = count;
    at_.place = message.place;
    return {};
  }

  Status read_parts(const Item& message, std::uint64_t& count) {
    std::string place;
    while (true) {
      const auto page = store_.parts_after(message.id, place);
      if (!page) return page.error();
      for (std::size_t i = 0; i < page->items.size(); ++i) {
        const Item& part = page->items[i];
        const bool hidden = message.id == info_.reverted_message && part.id >= info_.reverted_part;
        if (hidden) return {};
        const bool followed = i + 1 < page->items.size() || !page->last;
        step_.bytes_read += part.json.size() + 1;
        ++count;
        if (!parts_.add_part(part, followed)) return {};
      }
      if (page->last || page->items.empty() || page->items.back().place == place) return {};
      place = page->items.back().place;
    }
  }

  MessageStore& store_;
  SessionInfo info_;
  Position at_;
  const ReadLimits& limits_;
  RecordSink& sink_;
  PartReader parts_;
  ReadStep step_;
  bool done_ = false;
  std::vector<MessageHead> heads_;
  std::vector<Findings> findings_;
};

}  // namespace

Result<bool> session_resumable(MessageStore& store, const Cursor& cursor) {
  const auto at = decode(cursor);
  if (!at) return false;
  const auto info = store.info();
  if (!info) return info.error();
  if (info_hash(*info) != at->info) return false;
  if (at->messages > 0) {
    const auto count = store.count_until(at->place);
    if (!count) return count.error();
    if (*count != at->messages) return false;
    const auto parts = store.part_count(at->place);
    if (!parts) return parts.error();
    if (*parts != at->parts) return false;
  }
  if (at->open_place.empty()) return true;
  const auto count = store.count_until(at->open_place);
  if (!count) return count.error();
  if (*count != at->messages + 1) return false;
  const auto parts = store.part_count(at->open_place);
  if (!parts) return parts.error();
  return *parts >= at->open_parts;
}

Result<ReadStep> read_session(MessageStore& store, const Cursor& cursor, const ReadLimits& limits,
                              RecordSink& sink) {
  auto info = store.info();
  if (!info) return info.error();
  return Walk(store, *std::move(info), decode(cursor).value_or(Position{}), limits, sink).run();
}

}  // namespace yore::transcript::opencode
