#include "lexical/format/catalog.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lexical/format/catalog_file.hpp"

namespace yore::lexical {
namespace {

// Aligned as mapped bytes are, whatever std::string does with short ones.
class Bytes {
 public:
  explicit Bytes(std::string_view text) : words_(text.size() / 8 + 1), size_(text.size()) {
    std::copy(text.begin(), text.end(), reinterpret_cast<char*>(words_.data()));
  }
  [[nodiscard]] std::string_view view() const {
    return {reinterpret_cast<const char*>(words_.data()), size_};
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_;
};

std::string any_name() {
  static const std::vector<std::string> kNames = {"", "main", "/home/a", "opus", "b-2", "Ärger"};
  return *rc::gen::weightedOneOf<std::string>(
      {{4, rc::gen::elementOf(kNames)}, {1, rc::gen::arbitrary<std::string>()}});
}

TurnRow any_turn(std::uint32_t sessions, NameId branch, NameId model) {
  TurnRow row;
  row.session = *rc::gen::inRange<std::uint32_t>(0, sessions);
  row.number = *rc::gen::inRange<std::uint32_t>(0, 9);
  row.last_time = *rc::gen::arbitrary<std::int64_t>();
  row.origin = *rc::gen::arbitrary<std::uint64_t>();
  row.branch = branch;
  row.model = model;
  return row;
}

// Everything a catalog says, with names spelled out: the numbers of names may differ.
std::vector<std::string> spelled(const Catalog& catalog) {
  std::vector<std::string> lines;
  const auto name = [&](NameId id) { return "<" + std::string(catalog.name(id)) + ">"; };
  for (CatalogSession row : catalog.sessions()) {
    std::string line = "session";
    for (NameId* id : {&row.uid, &row.agent, &row.project, &row.project_path, &row.directory,
                       &row.cwd, &row.parent}) {
      line += name(*id);
      *id = 0;
    }
    line.append(reinterpret_cast<const char*>(&row), sizeof row);
    lines.push_back(line);
  }
  for (TurnRow row : catalog.turns()) {
    std::string line = "turn" + name(row.branch) + name(row.model);
    row.branch = row.model = 0;
    line.append(reinterpret_cast<const char*>(&row), sizeof row);
    lines.push_back(line);
  }
  return lines;
}

// A change that fits `catalog`: some rows replaced, some new.
CatalogChange any_change(const Catalog& catalog) {
  CatalogChange change;
  const auto name = [&] {
    change.names.push_back(any_name());
    return static_cast<NameId>(change.names.size() - 1);
  };
  auto sessions = static_cast<std::uint32_t>(catalog.sessions().size());
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    CatalogSession row;
    row.store_id = *rc::gen::arbitrary<std::int64_t>();
    row.uid = name();
    row.agent = name();
    row.cwd = name();
    row.parent = name();
    const auto ord = *rc::gen::inRange<SessionOrd>(0, sessions + 1);
    change.sessions.emplace_back(ord, row);
    if (ord == sessions) ++sessions;
  }
  auto turns = static_cast<std::uint32_t>(catalog.turns().size());
  for (int i = sessions == 0 ? 0 : *rc::gen::inRange(0, 4); i > 0; --i) {
    const auto ord = *rc::gen::inRange<TurnOrd>(0, turns + 1);
    change.turns.emplace_back(ord, any_turn(sessions, name(), name()));
    if (ord == turns) ++turns;
  }
  return change;
}

Catalog any_catalog() {
  Catalog catalog;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) any_change(catalog).apply_to(catalog);
  return catalog;
}

RC_GTEST_PROP(Catalog, SaysTheSameAfterEncodingAndDecoding, ()) {
  const Catalog catalog = any_catalog();
  const Bytes bytes(catalog.encode());
  const auto decoded = Catalog::decode(bytes.view());
  RC_ASSERT(decoded.ok());
  RC_ASSERT(spelled(*decoded) == spelled(catalog));
}

RC_GTEST_PROP(Catalog, TakesChangesAlikeWhetherDecodedOrNot, ()) {
  Catalog catalog = any_catalog();
  const Bytes bytes(catalog.encode());
  auto decoded = Catalog::decode(bytes.view());
  RC_ASSERT(decoded.ok());
  for (int i = 0; i < 3; ++i) {
    const CatalogChange change = any_change(catalog);
    const Bytes coded(change.encode());
    const auto read_back = CatalogChange::decode(coded.view());
    RC_ASSERT(read_back.ok());
    RC_ASSERT(read_back->fits(*decoded));
    change.apply_to(catalog);
    read_back->apply_to(*decoded);
  }
  RC_ASSERT(spelled(*decoded) == spelled(catalog));
}

RC_GTEST_PROP(Catalog, GivesEachNameOneNumber, ()) {
  Catalog catalog = any_catalog();
  const Bytes bytes(catalog.encode());
  auto decoded = Catalog::decode(bytes.view());
  RC_ASSERT(decoded.ok());
  const auto before = decoded->names();
  for (NameId id = 0; id < before; ++id) RC_ASSERT(decoded->intern(decoded->name(id)) == id);
  RC_ASSERT(decoded->names() == before);
  const NameId added = decoded->intern("something nobody said");
  RC_ASSERT(added == before);
  RC_ASSERT(decoded->intern("something nobody said") == added);
  RC_ASSERT(!decoded->find_name("something else").has_value());
}

TEST(Catalog, LeavesOutNamesNobodyUses) {
  Catalog catalog;
  CatalogSession row;
  row.uid = catalog.intern("used");
  const NameId old = catalog.intern("old title");
  catalog.put_session(0, row);
  const Bytes bytes(catalog.encode());
  const auto decoded = Catalog::decode(bytes.view());
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(catalog.name(old), "old title");
  EXPECT_FALSE(decoded->find_name("old title").has_value());
  EXPECT_EQ(decoded->names(), 2U);
}

TEST(Catalog, ACopyStaysWhenTheOriginalGoesOn) {
  Catalog catalog;
  CatalogSession row;
  row.uid = catalog.intern("a name that is too long to lie inside of a string object");
  catalog.put_session(0, row);
  const Catalog copy = catalog;
  catalog.intern("another");
  catalog.put_session(0, CatalogSession{});
  catalog = Catalog{};
  EXPECT_EQ(copy.name(copy.sessions()[0].uid),
            "a name that is too long to lie inside of a string object");
}

TEST(Catalog, RefusesChangesThatLeaveGapsOrNameWhatIsNotThere) {
  const Catalog empty;
  CatalogChange change;
  EXPECT_TRUE(change.fits(empty));
  change.turns.emplace_back(0, TurnRow{});
  EXPECT_FALSE(change.fits(empty)) << "session 0 is not there";
  change.sessions.emplace_back(0, CatalogSession{});
  EXPECT_TRUE(change.fits(empty));
  change.turns.emplace_back(2, TurnRow{});
  EXPECT_FALSE(change.fits(empty)) << "turn 1 is not there";
  change.turns.pop_back();
  change.sessions[0].second.cwd = 1;
  EXPECT_FALSE(change.fits(empty)) << "name 1 is not there";
}

// The hash is in the file around it; without it damage must still never be read out of bounds.
RC_GTEST_PROP(Catalog, DamagedBytesAreAnErrorOrStillWellFormed, ()) {
  std::string text = any_catalog().encode();
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text[at] = static_cast<char>(text[at] ^ *rc::gen::inRange(1, 256));
  const Bytes bytes(text);
  auto decoded = Catalog::decode(bytes.view());
  if (!decoded) return;
  decoded->intern("main");
  spelled(*decoded);
}

RC_GTEST_PROP(CatalogChange, DamagedBytesAreAnErrorOrStillWellFormed, ()) {
  std::string text = any_change(any_catalog()).encode();
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text[at] = static_cast<char>(text[at] ^ *rc::gen::inRange(1, 256));
  const Bytes bytes(text);
  const auto decoded = CatalogChange::decode(bytes.view());
  Catalog catalog;
  if (decoded && decoded->fits(catalog)) decoded->apply_to(catalog);
  spelled(catalog);
}

RC_GTEST_PROP(CatalogFile, HoldsRowsAndDeadKeys, ()) {
  const Catalog catalog = any_catalog();
  const DeadKeys dead{{{3, 4}, {100, 1}}, {{7, 7}}};
  const Bytes bytes(encode_catalog_file(11, 12, catalog, dead));
  const auto file = decode_catalog_file(11, 12, bytes.view());
  RC_ASSERT(file.ok());
  RC_ASSERT(spelled(file->catalog) == spelled(catalog));
  RC_ASSERT(file->dead.passages == dead.passages);
  RC_ASSERT(file->dead.titles == dead.titles);
  RC_ASSERT(!decode_catalog_file(11, 13, bytes.view()).ok());
  RC_ASSERT(!decode_catalog_file(10, 12, bytes.view()).ok());
}

RC_GTEST_PROP(CatalogFile, FindsEveryFlippedAndEveryMissingByte, ()) {
  const std::string whole = encode_catalog_file(1, 2, any_catalog(), {{{5, 1}}, {}});
  const auto at = *rc::gen::inRange<std::size_t>(0, whole.size());
  std::string text = whole;
  text[at] = static_cast<char>(text[at] ^ *rc::gen::inRange(1, 256));
  RC_ASSERT(decode_catalog_file(1, 2, Bytes(text).view()).error().code == Errc::corrupt);
  const Bytes shorter(whole.substr(0, at));
  RC_ASSERT(decode_catalog_file(1, 2, shorter.view()).error().code == Errc::corrupt);
}

}  // namespace
}  // namespace yore::lexical
