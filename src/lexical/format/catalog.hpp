// catalog.hpp — what filters, ties and groups need to know of every turn and session, in memory.
//
// Rows change (a turn grows, a session gets a title); documents do not. So documents name a row,
// and the rows live here: a base file, used in place, and the changes in the frames of the log,
// applied in order. Row numbers are given once and stay until the index is built anew; answers
// never depend on them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "lexical/format/rows.hpp"
#include "lexical/format/types.hpp"

namespace yore::lexical {

using NameId = std::uint32_t;  // of a string kept once; 0 is ""

struct TurnRow {
  SessionOrd session = 0;
  std::uint32_t number = 0;
  std::int64_t last_time = 0;  // ms; latest activity
  std::uint64_t origin = 0;    // equal: copies of one turn
  std::uint64_t chunk = 0;     // the 48 bits people name it by
  NameId branch = 0;
  NameId model = 0;
  std::uint16_t summary_block = 0xFFFF;  // block that holds the conclusion; 0xFFFF: none
  std::uint8_t flags = 0;
  std::uint8_t reserved = 0;
  std::uint32_t reserved2 = 0;
  friend bool operator==(const TurnRow&, const TurnRow&) = default;
};
static_assert(sizeof(TurnRow) == 48);
inline constexpr std::uint8_t kTurnGone = 1;  // removed: matches nothing
inline constexpr std::uint8_t kTurnAbandoned = 2;
inline constexpr std::uint8_t kTurnAutomated = 4;
inline constexpr std::uint8_t kTurnHasTool = 8;
inline constexpr std::uint8_t kTurnScripted = 16;

struct CatalogSession {
  std::int64_t store_id = 0;
  std::int64_t last_time = 0;
  std::uint64_t title_hash = 0;  // of the title that is indexed; 0: none
  DocKey title_key = 0;          // the last document that was its title; 0: never had one
  std::uint32_t root = 0;
  NameId uid = 0;
  NameId agent = 0;
  NameId project = 0;
  NameId project_path = 0;
  NameId directory = 0;
  NameId cwd = 0;
  NameId parent = 0;
  std::uint32_t flags = 0;
  friend bool operator==(const CatalogSession&, const CatalogSession&) = default;
};
static_assert(sizeof(CatalogSession) == 64);
inline constexpr std::uint32_t kSessionGone = 1;
inline constexpr std::uint32_t kSessionSubagent = 2;
inline constexpr std::uint32_t kSessionAutomated = 4;
inline constexpr std::uint32_t kSessionMissing = 8;
inline constexpr std::uint32_t kSessionSuperseded = 16;  // turns that stand nowhere any more
inline constexpr std::uint32_t kSessionKept = 32;        // counts in no statistic

// What scoring asks of a turn, for one posting after the other: small, so that all of them stay in
// the processor's cache.
struct TurnBrief {
  SessionOrd session = 0;
  std::uint16_t summary_block = 0xFFFF;
  std::uint16_t reserved = 0;
  static TurnBrief of(const TurnRow& row) { return {row.session, row.summary_block, 0}; }
  friend bool operator==(const TurnBrief&, const TurnBrief&) = default;
};
static_assert(sizeof(TurnBrief) == 8);

// Strings one behind the other, each known by where it ends. The first one is "".
class PackedNames {
 public:
  PackedNames() = default;
  // nullopt: the ends do not fit the text, or name 0 is not "".
  static std::optional<PackedNames> of(std::span<const std::uint32_t> ends, std::string_view text);
  std::string_view operator[](NameId id) const {
    return id == 0 ? std::string_view{} : text_.substr(ends_[id - 1], ends_[id] - ends_[id - 1]);
  }
  [[nodiscard]] std::size_t size() const { return std::max<std::size_t>(ends_.size(), 1); }

 private:
  std::span<const std::uint32_t> ends_;
  std::string_view text_;
};

class Catalog {
 public:
  [[nodiscard]] const Rows<TurnRow>& turns() const { return turns_; }
  [[nodiscard]] const TurnBrief& brief(TurnOrd turn) const { return briefs_[turn]; }
  [[nodiscard]] const Rows<CatalogSession>& sessions() const { return sessions_; }
  // That count: neither removed nor kept beside the collection.
  [[nodiscard]] std::size_t living_sessions() const { return living_sessions_; }
  [[nodiscard]] std::string_view name(NameId id) const {
    return id < names_.size() ? names_[id] : std::string_view(*owned_[id - names_.size()]);
  }
  [[nodiscard]] std::size_t names() const { return names_.size() + owned_.size(); }

  // Changing: by the writer, and by readers that apply frames.
  NameId intern(std::string_view text);
  // Its number, when it has one.
  [[nodiscard]] std::optional<NameId> find_name(std::string_view text) const;
  // Rows are appended, or replaced when the number exists. REQUIRES: ord <= size.
  void put_turn(TurnOrd ord, const TurnRow& row);
  void put_session(SessionOrd ord, const CatalogSession& row);

  // The whole catalog as bytes, and back. Names nobody uses any more are left out.
  [[nodiscard]] std::string encode() const;
  // `bytes` must outlive the catalog and its copies, which point into it, and begin at an address
  // divisible by 8.
  static Result<Catalog> decode(std::string_view bytes);

 private:
  Rows<TurnRow> turns_;
  Rows<TurnBrief> briefs_;
  Rows<CatalogSession> sessions_;
  std::size_t living_sessions_ = 0;
  PackedNames names_;
  // Numbers of packed names by hash, in place: a reader that applies a frame or two need not put
  // all names into a map.
  std::span<const NameId> slots_;
  // Names that came by intern(). Shared, because copies of the catalog point to them too.
  std::vector<std::shared_ptr<const std::string>> owned_;
  std::unordered_map<std::string_view, NameId> added_;
};

// The rows an update changes, with the names they use spelled out, so that they can be applied to a
// catalog that gives other numbers to names.
struct CatalogChange {
  std::vector<std::pair<TurnOrd, TurnRow>> turns;               // NameIds index `names`
  std::vector<std::pair<SessionOrd, CatalogSession>> sessions;  // likewise
  std::vector<std::string> names{""};
  [[nodiscard]] std::string encode() const;
  // `bytes` begin at an address divisible by 8. corrupt: not what encode() makes.
  static Result<CatalogChange> decode(std::string_view bytes);
  // Are all rows new ones in order or replacements, and all sessions there that turns name?
  [[nodiscard]] bool fits(const Catalog& catalog) const;
  // REQUIRES: fits(catalog).
  void apply_to(Catalog& catalog) const;
  [[nodiscard]] bool empty() const { return turns.empty() && sessions.empty(); }
};

}  // namespace yore::lexical
