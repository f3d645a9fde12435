#include "lexical/format/catalog.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "base/hash.hpp"
#include "base/layout.hpp"

// Both layouts (see docs/format.md): counts, arrays of rows, then names as the offset of each one's
// end in the text that closes it all. Name 0 is "".

namespace yore::lexical {
namespace {

Error damaged_catalog(std::string_view what) {
  return {Errc::corrupt, "the catalog of the keyword index is damaged (" + std::string(what) + ")"};
}

struct CatalogHeader {
  std::uint64_t turns = 0;
  std::uint64_t sessions = 0;
  std::uint64_t names = 0;
  std::uint64_t slots = 0;  // a power of two
  std::uint64_t text_bytes = 0;
};

struct ChangeHeader {
  std::uint64_t turns = 0;
  std::uint64_t sessions = 0;
  std::uint64_t names = 0;
  std::uint64_t text_bytes = 0;
};

constexpr std::array kTurnNames = {&TurnRow::branch, &TurnRow::model};
constexpr std::array kSessionNames = {&CatalogSession::uid,       &CatalogSession::agent,
                                      &CatalogSession::project,   &CatalogSession::project_path,
                                      &CatalogSession::directory, &CatalogSession::cwd,
                                      &CatalogSession::parent};

// The row with every name given its new number.
template <typename Row, typename Members, typename Renumber>
Row renamed(Row row, const Members& members, Renumber renumber) {
  for (const auto member : members) row.*member = renumber(row.*member);
  return row;
}

bool lives(const CatalogSession& row) {
  return (row.flags & (kSessionGone | kSessionKept)) == 0;
}

template <typename Row, typename Members>
bool names_exist(const Row& row, const Members& members, std::uint64_t names) {
  return std::ranges::all_of(members, [&](auto member) { return row.*member < names; });
}

// Collects the names that rows use, in order of their first use.
class NameCollector {
 public:
  explicit NameCollector(const Catalog& catalog) : catalog_(catalog), numbers_(catalog.names()) {}

  NameId operator()(NameId old) {
    if (catalog_.name(old).empty()) return 0;
    if (numbers_[old] == 0) {
      text_ += catalog_.name(old);
      ends_.push_back(static_cast<std::uint32_t>(text_.size()));
      numbers_[old] = static_cast<NameId>(ends_.size() - 1);
    }
    return numbers_[old];
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<std::uint32_t>& ends() const { return ends_; }

  // At most half full.
  [[nodiscard]] std::vector<NameId> slots() const {
    std::vector<NameId> slots(std::bit_ceil(ends_.size() * 2), 0);
    for (NameId id = 1; id < ends_.size(); ++id) {
      const auto name = std::string_view(text_).substr(ends_[id - 1], ends_[id] - ends_[id - 1]);
      std::size_t at = hash64(name) & (slots.size() - 1);
      while (slots[at] != 0) at = (at + 1) & (slots.size() - 1);
      slots[at] = id;
    }
    return slots;
  }

 private:
  const Catalog& catalog_;
  std::vector<NameId> numbers_;
  std::string text_;
  std::vector<std::uint32_t> ends_{0};
};

template <typename T>
std::span<const T> view(const std::vector<T>& items) {
  return items;
}

}  // namespace

std::optional<PackedNames> PackedNames::of(std::span<const std::uint32_t> ends,
                                           std::string_view text) {
  const bool fits = !ends.empty() && ends.front() == 0 && ends.back() == text.size() &&
                    std::ranges::is_sorted(ends);
  if (!fits) return std::nullopt;
  PackedNames names;
  names.ends_ = ends;
  names.text_ = text;
  return names;
}

std::optional<NameId> Catalog::find_name(std::string_view text) const {
  if (text.empty()) return 0;
  if (!slots_.empty()) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash64(text) & mask;
    // Half of the slots are free, so this ends; the count is for bytes nobody wrote.
    for (std::size_t tries = 0; tries <= mask && slots_[at] != 0; ++tries) {
      if (slots_[at] < names_.size() && names_[slots_[at]] == text) return slots_[at];
      at = (at + 1) & mask;
    }
  }
  const auto found = added_.find(text);
  if (found == added_.end()) return std::nullopt;
  return found->second;
}

NameId Catalog::intern(std::string_view text) {
  if (const auto known = find_name(text)) return *known;
  const auto id = static_cast<NameId>(names());
  owned_.push_back(std::make_shared<const std::string>(text));
  added_.emplace(*owned_.back(), id);
  return id;
}

void Catalog::put_turn(TurnOrd ord, const TurnRow& row) {
  turns_.put(ord, row);
  briefs_.put(ord, TurnBrief::of(row));
}

void Catalog::put_session(SessionOrd ord, const CatalogSession& row) {
  if (ord < sessions_.size() && lives(sessions_[ord])) --living_sessions_;
  if (lives(row)) ++living_sessions_;
  sessions_.put(ord, row);
}

std::string Catalog::encode() const {
  NameCollector names(*this);
  const auto renumber = [&](NameId id) { return names(id); };
  std::vector<TurnRow> turns;
  std::vector<TurnBrief> briefs;
  std::vector<CatalogSession> sessions;
  turns.reserve(turns_.size());
  briefs.reserve(turns_.size());
  sessions.reserve(sessions_.size());
  for (const CatalogSession& row : sessions_)
    sessions.push_back(renamed(row, kSessionNames, renumber));
  for (const TurnRow& row : turns_) turns.push_back(renamed(row, kTurnNames, renumber));
  for (const TurnRow& row : turns_) briefs.push_back(TurnBrief::of(row));
  const std::vector<NameId> slots = names.slots();

  std::string out;
  LayoutWriter writer(out);
  writer.value(CatalogHeader{turns.size(), sessions.size(), names.ends().size(), slots.size(),
                             names.text().size()});
  writer.array(view(turns));
  writer.array(view(briefs));
  writer.array(view(sessions));
  writer.array(view(names.ends()));
  writer.array(view(slots));
  writer.bytes(names.text());
  return out;
}

Result<Catalog> Catalog::decode(std::string_view bytes) {
  LayoutReader reader(bytes);
  const auto header = reader.value<CatalogHeader>();
  const auto turns = reader.array<TurnRow>(header.turns);
  const auto briefs = reader.array<TurnBrief>(header.turns);
  const auto sessions = reader.array<CatalogSession>(header.sessions);
  const auto ends = reader.array<std::uint32_t>(header.names);
  const auto slots = reader.array<NameId>(header.slots);
  const auto text = reader.bytes(header.text_bytes);
  if (!reader.at_end()) return damaged_catalog("size");
  if (!std::has_single_bit(slots.size())) return damaged_catalog("slots");

  const auto names = PackedNames::of(ends, text);
  if (!names) return damaged_catalog("names");
  for (const CatalogSession& row : sessions) {
    if (!names_exist(row, kSessionNames, ends.size())) return damaged_catalog("session");
  }
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const TurnRow& row = turns[i];
    if (row.session >= sessions.size() || !names_exist(row, kTurnNames, ends.size()) ||
        briefs[i] != TurnBrief::of(row)) {
      return damaged_catalog("turn");
    }
  }
  Catalog catalog;
  catalog.turns_ = Rows<TurnRow>(turns);
  catalog.briefs_ = Rows<TurnBrief>(briefs);
  catalog.sessions_ = Rows<CatalogSession>(sessions);
  catalog.living_sessions_ = static_cast<std::size_t>(std::ranges::count_if(sessions, lives));
  catalog.names_ = *names;
  catalog.slots_ = slots;
  return catalog;
}

std::string CatalogChange::encode() const {
  std::vector<std::uint32_t> ends;
  std::string text;
  for (const std::string& name : names) {
    text += name;
    ends.push_back(static_cast<std::uint32_t>(text.size()));
  }
  std::string out;
  LayoutWriter writer(out);
  writer.value(ChangeHeader{turns.size(), sessions.size(), names.size(), text.size()});
  const auto write_rows = [&](const auto& rows) {
    std::vector<std::uint32_t> ords;
    ords.reserve(rows.size());
    for (const auto& [ord, row] : rows) ords.push_back(ord);
    writer.array(view(ords));
    for (const auto& [ord, row] : rows) writer.value(row);
  };
  write_rows(turns);
  write_rows(sessions);
  writer.array(view(ends));
  writer.bytes(text);
  return out;
}

Result<CatalogChange> CatalogChange::decode(std::string_view bytes) {
  LayoutReader reader(bytes);
  const auto header = reader.value<ChangeHeader>();
  const auto turn_ords = reader.array<TurnOrd>(header.turns);
  const auto turns = reader.array<TurnRow>(header.turns);
  const auto session_ords = reader.array<SessionOrd>(header.sessions);
  const auto sessions = reader.array<CatalogSession>(header.sessions);
  const auto ends = reader.array<std::uint32_t>(header.names);
  const auto text = reader.bytes(header.text_bytes);
  if (!reader.at_end()) return damaged_catalog("size of a change");

  const auto names = PackedNames::of(ends, text);
  if (!names) return damaged_catalog("names of a change");
  CatalogChange change;
  for (NameId id = 1; id < names->size(); ++id) change.names.emplace_back((*names)[id]);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (!names_exist(turns[i], kTurnNames, names->size())) return damaged_catalog("changed turn");
    change.turns.emplace_back(turn_ords[i], turns[i]);
  }
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    if (!names_exist(sessions[i], kSessionNames, names->size()))
      return damaged_catalog("changed session");
    change.sessions.emplace_back(session_ords[i], sessions[i]);
  }
  return change;
}

bool CatalogChange::fits(const Catalog& catalog) const {
  if (names.empty() || !names.front().empty()) return false;
  std::size_t session_count = catalog.sessions().size();
  for (const auto& [ord, row] : sessions) {
    if (ord > session_count || !names_exist(row, kSessionNames, names.size())) return false;
    if (ord == session_count) ++session_count;
  }
  std::size_t turn_count = catalog.turns().size();
  for (const auto& [ord, row] : turns) {
    if (ord > turn_count || row.session >= session_count) return false;
    if (!names_exist(row, kTurnNames, names.size())) return false;
    if (ord == turn_count) ++turn_count;
  }
  return true;
}

void CatalogChange::apply_to(Catalog& catalog) const {
  std::vector<NameId> ids;
  ids.reserve(names.size());
  for (const std::string& name : names) ids.push_back(catalog.intern(name));
  const auto renumber = [&](NameId id) { return ids[id]; };
  for (const auto& [ord, row] : sessions) {
    catalog.put_session(ord, renamed(row, kSessionNames, renumber));
  }
  for (const auto& [ord, row] : turns) catalog.put_turn(ord, renamed(row, kTurnNames, renumber));
}

}  // namespace yore::lexical
