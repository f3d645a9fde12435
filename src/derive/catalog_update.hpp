// catalog_update.hpp — rows of the record store as rows of the keyword index's catalog.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lexical/format/catalog.hpp"
#include "store/store.hpp"
#include "turns/turn_types.hpp"

namespace yore::derive {

// Collects what changes in some sessions. Rows that exist keep their numbers.
class CatalogUpdate {
 public:
  // For a catalog that is being built from nothing.
  CatalogUpdate();
  // Only these sessions will be touched.
  CatalogUpdate(const lexical::Catalog& base, const std::vector<store::SessionId>& touched);

  lexical::SessionOrd put_session(const store::SessionRow& session);
  // REQUIRES: the session was put before.
  lexical::TurnOrd put_turn(lexical::SessionOrd session, std::string_view uid,
                            const turns::Turn& turn);
  // The session and all its turns match nothing any more.
  void drop_session(store::SessionId session);
  // Turns with this number or a larger one do not exist any more.
  void drop_turns_from(lexical::SessionOrd session, turns::TurnNumber number);
  // No other turns exist any more.
  void drop_turns_but(lexical::SessionOrd session, const std::vector<turns::Turn>& left);

  // Does it count in the statistics of the collection? REQUIRES: it was put.
  [[nodiscard]] bool counts(lexical::SessionOrd session) const;
  // Null: there is none.
  [[nodiscard]] const lexical::SessionOrd* find(store::SessionId session) const;
  // The row of a turn, which must exist.
  [[nodiscard]] lexical::TurnOrd turn(lexical::SessionOrd session, turns::TurnNumber number) const;
  [[nodiscard]] bool has_turn(lexical::SessionOrd session, turns::TurnNumber number) const;

  // The title that is indexed: its hash and its document. Kept when the session is put again.
  [[nodiscard]] std::uint64_t title_hash(lexical::SessionOrd session) const;
  [[nodiscard]] lexical::DocKey title_key(lexical::SessionOrd session) const;
  void set_title(lexical::SessionOrd session, std::uint64_t hash, lexical::DocKey key);
  lexical::DocKey next_title_key() { return next_title_key_++; }

  lexical::CatalogChange take();

 private:
  struct Session {
    lexical::CatalogSession row;          // names index change_.names
    std::vector<lexical::TurnOrd> turns;  // by number; kNone where there is none
    bool changed = false;
  };
  static constexpr lexical::TurnOrd kNone = UINT32_MAX;
  lexical::NameId name(std::string_view text);
  void put_row(lexical::TurnOrd ord, const lexical::TurnRow& row);
  void drop_turn(std::vector<lexical::TurnOrd>& turns, std::size_t number);

  lexical::CatalogChange change_;
  std::unordered_map<std::string, lexical::NameId> names_;
  std::unordered_map<std::int64_t, lexical::SessionOrd> by_store_id_;
  std::unordered_map<lexical::SessionOrd, Session> sessions_;
  std::unordered_map<lexical::TurnOrd, lexical::TurnRow> old_turns_;  // of touched sessions
  lexical::SessionOrd next_session_ = 0;
  lexical::TurnOrd next_turn_ = 0;
  lexical::DocKey next_title_key_ = 1;
};

}  // namespace yore::derive
