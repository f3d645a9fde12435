#include "store/marks.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/files/file.hpp"
#include "store/keep_file.hpp"
#include "store/rows.hpp"
#include "text/utf8.hpp"

namespace yore::store {
namespace {

constexpr const char* kMarkRows =
    "SELECT kind,text,session,origin,chunk,made,id FROM mark ORDER BY id";

struct StoredMark {
  Mark mark;
  std::int64_t id = 0;
};

Result<std::vector<StoredMark>> stored_marks(Database& database) {
  std::vector<StoredMark> marks;
  const auto there = database.has_column("mark", "kind");
  if (!there) return there.error();
  if (!*there) return marks;  // of a yore that knew none
  auto query = database.prepare(kMarkRows);
  if (!query) return query.error();
  const Status read = for_rows(*query, [&](const Statement& row) {
    const auto kind = static_cast<MarkKind>(row.integer(0));
    if (kind > MarkKind::name) return;
    const MarkSubject on{std::string(row.text(2)), row.unsigned_integer(3),
                         row.unsigned_integer(4)};
    marks.push_back(
        {{kind, std::string(row.text(1)), on, from_ms(row.integer(5))}, row.integer(6)});
  });
  if (!read) return read.error();
  return marks;
}

// Do both stand on the same turn or session?
bool same_subject(const MarkSubject& a, const MarkSubject& b) {
  if (a.is_turn() != b.is_turn()) return false;
  if (!a.is_turn()) return a.session == b.session;
  return (a.origin != 0 && a.origin == b.origin) || a.chunk == b.chunk;
}

bool same_text(const Mark& a, const Mark& b) {
  return text::iequals(a.text, b.text);
}

bool mark_is_forgotten(const MarkSubject& subject, const Tombstones& forgotten) {
  if (subject.origin == 0) return forgotten.has_session(subject.session);
  return forgotten.has_turn(subject.origin);
}

Status insert_mark(Database& database, const Mark& mark) {
  auto put = database.prepare(
      "INSERT INTO mark(kind,text,session,origin,chunk,made) VALUES(?1,?2,?3,?4,?5,?6)");
  if (!put) return put.error();
  put->bind(1, static_cast<int>(mark.kind)).bind(2, mark.text).bind(3, mark.on.session);
  put->bind(4, mark.on.origin).bind(5, mark.on.chunk).bind(6, to_ms(mark.made));
  return put->execute();
}

Status drop_mark(Database& database, std::int64_t id) {
  auto statement = database.prepare("DELETE FROM mark WHERE id=?1");
  if (!statement) return statement.error();
  return statement->bind(1, id).execute();
}

Status blank_session(Database& database, std::int64_t id) {
  auto statement = database.prepare("UPDATE mark SET session='' WHERE id=?1");
  if (!statement) return statement.error();
  return statement->bind(1, id).execute();
}

// Adds it unless it stands there; what a new name takes the place of goes.
Result<bool> put_mark(Database& database, const Mark& mark) {
  const auto stored = stored_marks(database);
  if (!stored) return stored.error();
  for (const StoredMark& each : *stored) {
    if (each.mark.kind != mark.kind || !same_subject(each.mark.on, mark.on)) continue;
    const bool equal =
        mark.kind == MarkKind::name ? each.mark.text == mark.text : same_text(each.mark, mark);
    if (equal) return false;
    if (mark.kind != MarkKind::name) continue;
    if (Status dropped = drop_mark(database, each.id); !dropped) return dropped.error();
  }
  if (Status put = insert_mark(database, mark); !put) return put.error();
  return true;
}

// Runs `change` in one transaction that others wait for. A failure leaves everything as it was: the
// transaction ends with the connection.
template <typename Change>
auto in_keep_transaction(Database& database, const Change& change) -> decltype(change()) {
  if (Status begun = database.run("BEGIN IMMEDIATE"); !begun) return begun.error();
  auto done = change();
  if (!done) return done;
  if (Status committed = database.run("COMMIT"); !committed) return committed.error();
  return done;
}

}  // namespace

void MarksOn::include(const MarksOn& other) {
  starred = starred || other.starred;
  for (const std::string& tag : other.tags) {
    const bool known =
        std::ranges::any_of(tags, [&](const std::string& own) { return text::iequals(own, tag); });
    if (!known) tags.push_back(tag);
  }
  if (name.empty()) name = other.name;
}

void Marked::add(const MarkSubject& subject) {
  if (!subject.is_turn()) {
    sessions.insert(subject.session);
    return;
  }
  if (subject.origin != 0) origins.insert(subject.origin);
  chunks.insert(subject.chunk);
}

void Marked::include(const Marked& other) {
  sessions.insert(other.sessions.begin(), other.sessions.end());
  origins.insert(other.origins.begin(), other.origins.end());
  chunks.insert(other.chunks.begin(), other.chunks.end());
}

Status check_mark(MarkKind kind, std::string_view text) {
  if (kind == MarkKind::star) return {};
  const std::string_view what = kind == MarkKind::tag ? "a tag" : "a name";
  if (text::is_blank(text)) {
    return Error{Errc::invalid_argument, std::string(what) + " needs at least one character"};
  }
  if (text::count_chars(text) > kMostMarkChars) {
    return Error{Errc::invalid_argument, std::string(what) + " has at most " +
                                             std::to_string(kMostMarkChars) + " characters"};
  }
  const bool control =
      std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (control || text::valid_utf8(text) != text) {
    return Error{Errc::invalid_argument, std::string(what) + " is one line of text"};
  }
  const bool several = text.find_first_of(" ,\"") != std::string_view::npos;
  if (kind == MarkKind::tag && several) {
    return Error{Errc::invalid_argument,
                 "a tag is one word without commas and quotes: '" + std::string(text) + "'",
                 "several tags are several words: yore tag ID one two"};
  }
  return {};
}

Result<Marks> Marks::load(const std::string& data_dir) {
  Marks marks;
  if (!is_regular_file(keep_path(data_dir))) return marks;
  auto database = Database::open(keep_path(data_dir), Database::Mode::create);
  if (!database) return database.error();
  auto stored = stored_marks(*database);
  if (!stored) return stored.error();
  for (StoredMark& each : *stored) marks.all_.push_back(std::move(each.mark));
  return marks;
}

namespace {

void put_on(const Mark& mark, MarksOn& on) {
  if (mark.kind == MarkKind::star) on.starred = true;
  if (mark.kind == MarkKind::tag) on.include({false, {mark.text}, ""});
  if (mark.kind == MarkKind::name) on.name = mark.text;
}

}  // namespace

MarksOn Marks::on_session(std::string_view id) const {
  MarksOn on;
  for (const Mark& mark : all_) {
    if (!mark.on.is_turn() && mark.on.session == id) put_on(mark, on);
  }
  return on;
}

MarksOn Marks::on_turn(std::uint64_t origin, std::uint64_t chunk) const {
  MarksOn on;
  const MarkSubject turn{"", origin, chunk};
  for (const Mark& mark : all_) {
    if (mark.on.is_turn() && same_subject(mark.on, turn)) put_on(mark, on);
  }
  return on;
}

Marked Marks::marked(MarkKind kind, std::string_view text) const {
  Marked marked;
  for (const Mark& mark : all_) {
    const bool fits = mark.kind == kind && (text.empty() || text::iequals(mark.text, text));
    if (fits) marked.add(mark.on);
  }
  return marked;
}

Result<bool> Marks::add(const std::string& data_dir, const Mark& mark) {
  if (Status sound = check_mark(mark.kind, mark.text); !sound) return sound.error();
  auto database = open_keep(data_dir);
  if (!database) return database.error();
  return in_keep_transaction(*database, [&]() -> Result<bool> {
    // Inside the transaction: forgetting begins in the same file.
    const auto forgotten = Tombstones::read(*database);
    if (!forgotten) return forgotten.error();
    if (mark_is_forgotten(mark.on, *forgotten)) {
      return Error{Errc::not_found, "it was forgotten, and takes no marks"};
    }
    return put_mark(*database, mark);
  });
}

Result<std::size_t> Marks::remove(const std::string& data_dir, const Mark& mark) {
  if (!is_regular_file(keep_path(data_dir))) return std::size_t{0};
  auto database = open_keep(data_dir);
  if (!database) return database.error();
  return in_keep_transaction(*database, [&]() -> Result<std::size_t> {
    const auto stored = stored_marks(*database);
    if (!stored) return stored.error();
    std::size_t gone = 0;
    for (const StoredMark& each : *stored) {
      if (each.mark.kind != mark.kind || !same_subject(each.mark.on, mark.on)) continue;
      if (!mark.text.empty() && !same_text(each.mark, mark)) continue;
      if (Status dropped = drop_mark(*database, each.id); !dropped) return dropped.error();
      ++gone;
    }
    return gone;
  });
}

Status Marks::forget(const std::string& data_dir, const Tombstones& forgotten,
                     const std::function<bool(const MarkSubject&)>& also) {
  if (!is_regular_file(keep_path(data_dir))) return {};
  auto database = open_keep(data_dir);
  if (!database) return database.error();
  return in_keep_transaction(*database, [&]() -> Status {
    const auto stored = stored_marks(*database);
    if (!stored) return stored.error();
    for (const StoredMark& each : *stored) {
      const MarkSubject& on = each.mark.on;
      const bool goes = mark_is_forgotten(on, forgotten) || also(on);
      Status done;
      if (goes) done = drop_mark(*database, each.id);
      // The turn goes on elsewhere; where it was marked is not to be known any more.
      if (!goes && forgotten.has_session(on.session)) done = blank_session(*database, each.id);
      if (!done) return done;
    }
    return {};
  });
}

Status Marks::adopt(const std::string& data_dir, const std::string& image,
                    const Tombstones& forgotten) {
  auto from = Database::from_image(image);
  if (!from) return from.error();
  const auto theirs = stored_marks(*from);
  if (!theirs) return theirs.error();
  if (theirs->empty()) return {};
  auto database = open_keep(data_dir);
  if (!database) return database.error();
  return in_keep_transaction(*database, [&]() -> Status {
    const auto ours = stored_marks(*database);
    if (!ours) return ours.error();
    for (const StoredMark& each : *theirs) {
      const Mark& mark = each.mark;
      // What comes from a file may be anything; a name that was given here stays.
      if (!check_mark(mark.kind, mark.text) || mark_is_forgotten(mark.on, forgotten)) continue;
      const bool named =
          mark.kind == MarkKind::name && std::ranges::any_of(*ours, [&](const StoredMark& own) {
            return own.mark.kind == MarkKind::name && same_subject(own.mark.on, mark.on);
          });
      if (named) continue;
      if (const auto put = put_mark(*database, mark); !put) return put.error();
    }
    return {};
  });
}

}  // namespace yore::store
