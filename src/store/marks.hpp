// marks.hpp — what people put on sessions and turns: a star, tags, a name.
//
// Kept in keep/keep.db and nowhere else. A mark on a turn is keyed by the turn's origin, which
// copies of it share in every fork, and by its chunk id, which follows it through rewrites of its
// session (editions.cpp): where either fits, it stands. A mark on a session is keyed by its id.
//
// Each change is one transaction by itself (keep_file.hpp); it needs no writer lock, so nobody
// waits for an index to star something. What was forgotten takes no mark.
// Threads: a Marks is a value.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "store/tombstones.hpp"

namespace yore::store {

// Values are stored: never renumber.
enum class MarkKind : std::uint8_t { star = 0, tag = 1, name = 2 };

// What a mark is on: a turn, or with neither number a whole session.
struct MarkSubject {
  std::string session;       // id, never that of an edition
  std::uint64_t origin = 0;  // of the turn; 0: it has none
  std::uint64_t chunk = 0;   // of the turn, 48 bits
  [[nodiscard]] bool is_turn() const { return chunk != 0; }
  friend bool operator==(const MarkSubject&, const MarkSubject&) = default;
};

struct Mark {
  MarkKind kind = MarkKind::star;
  std::string text;  // of a tag or a name
  MarkSubject on;
  Time made = kNoTime;
};

// Everything that stands on one subject.
struct MarksOn {
  bool starred = false;
  std::vector<std::string> tags;  // in the order in which they were put on
  std::string name;
  [[nodiscard]] bool empty() const { return !starred && tags.empty() && name.empty(); }
  // Adds those of another subject; a name only where there is none.
  void include(const MarksOn& other);
  friend bool operator==(const MarksOn&, const MarksOn&) = default;
};

// The subjects that carry a mark.
struct Marked {
  std::set<std::string, std::less<>> sessions;
  std::unordered_set<std::uint64_t> origins;
  std::unordered_set<std::uint64_t> chunks;
  void add(const MarkSubject& subject);
  [[nodiscard]] bool has_turn(std::uint64_t origin, std::uint64_t chunk) const {
    return (origin != 0 && origins.contains(origin)) || chunks.contains(chunk);
  }
  [[nodiscard]] bool has_session(std::string_view id) const { return sessions.contains(id); }
  void include(const Marked& other);
};

// One word for a tag, one line for a name: invalid_argument says what is wrong with it.
inline constexpr std::size_t kMostMarkChars = 100;
Status check_mark(MarkKind kind, std::string_view text);

class Marks {
 public:
  // None where nothing was ever marked; costs a look at a file.
  static Result<Marks> load(const std::string& data_dir);

  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] const std::vector<Mark>& all() const { return all_; }  // oldest first
  [[nodiscard]] MarksOn on_session(std::string_view id) const;
  [[nodiscard]] MarksOn on_turn(std::uint64_t origin, std::uint64_t chunk) const;
  // Subjects with a mark of this kind and, unless `text` is empty, of this text, ignoring case.
  [[nodiscard]] Marked marked(MarkKind kind, std::string_view text = {}) const;

  // False: it stands there already. A name takes the place of another. not_found: the subject was
  // forgotten on purpose.
  static Result<bool> add(const std::string& data_dir, const Mark& mark);
  // How many went; an empty text: all of this kind.
  static Result<std::size_t> remove(const std::string& data_dir, const Mark& mark);
  // Removes those of what was forgotten; `also`: and what that says of a subject.
  static Status forget(const std::string& data_dir, const Tombstones& forgotten,
                       const std::function<bool(const MarkSubject&)>& also);
  // Takes in those of another keep.db, but of what was forgotten here.
  static Status adopt(const std::string& data_dir, const std::string& image,
                      const Tombstones& forgotten);

 private:
  std::vector<Mark> all_;
};

}  // namespace yore::store
