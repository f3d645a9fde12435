#include "store/store.hpp"

#include <algorithm>

#include "base/files/file.hpp"
#include "store/exchange.hpp"
#include "store/rows.hpp"
#include "store/schema.hpp"
#include "text/utf8.hpp"

namespace yore::store {
namespace {

constexpr const char* kSessionColumns =
    "id,uid,agent,root,path,row,copies,size,mtime,inode,missing,kind,automated,parent,directory,"
    "fixed_project,ref_cwd,ref_title,resume_key,project,project_path,title,title_kind,first_time,"
    "last_time,turn_count,records,first_cwd,cwd,branch,model,version,slug,custom_title,name_title,"
    "ai_title,index_title,compaction_title,first_prompt,input_tokens,output_tokens,"
    "cache_read_tokens,cache_write_tokens,bytes_read,excluded,reading,host,standing,base,editions,"
    "superseded,settled";

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

// From first_time on; `column` is left behind them.
turns::SessionFacts facts_at(const Statement& row, int& column) {
  const auto text = [&] { return std::string(row.text(column++)); };
  const auto number = [&] { return row.integer(column++); };
  const auto count = [&] { return row.unsigned_integer(column++); };
  turns::SessionFacts facts;
  facts.first_time = from_ms(number());
  facts.last_time = from_ms(number());
  facts.turn_count = static_cast<std::uint32_t>(number());
  facts.records = count();
  for (std::string* field :
       {&facts.first_cwd, &facts.cwd, &facts.branch, &facts.model, &facts.version, &facts.slug,
        &facts.custom_title, &facts.name_title, &facts.ai_title, &facts.index_title,
        &facts.compaction_title, &facts.first_prompt}) {
    *field = text();
  }
  facts.usage.input_tokens = count();
  facts.usage.output_tokens = count();
  facts.usage.cache_read_tokens = count();
  facts.usage.cache_write_tokens = count();
  return facts;
}

// Columns in the order of kSessionColumns.
SessionRow session_row(const Statement& row) {
  int column = 0;
  const auto text = [&] { return std::string(row.text(column++)); };
  const auto number = [&] { return row.integer(column++); };
  const auto count = [&] { return row.unsigned_integer(column++); };
  SessionRow session;
  session.id = SessionId{number()};
  session.uid = text();
  session.agent = text();
  session.root = RootId{number()};
  session.path = text();
  session.row = text();
  session.other_files = split_lines(text());
  session.stamp.size_bytes = count();
  session.stamp.mtime_ns = number();
  session.stamp.inode = count();
  session.missing_since = from_ms(number());
  session.kind = static_cast<transcript::SessionKind>(number());
  session.automated = number() != 0;
  session.parent = text();
  session.directory = text();
  session.fixed_project = text();
  session.ref_cwd = text();
  session.ref_title = text();
  session.resume_key = text();
  session.project = text();
  session.project_path = text();
  session.title = text();
  session.title_kind = text();
  session.facts = facts_at(row, column);
  session.bytes_read = count();
  session.excluded = number() != 0;
  session.reading = static_cast<int>(number());
  session.host = text();
  session.standing = static_cast<Standing>(number());
  session.base = SessionId{number()};
  session.editions = static_cast<std::uint32_t>(number());
  session.superseded = static_cast<std::uint32_t>(number());
  session.settled = static_cast<turns::TurnNumber>(number());
  return session;
}

FileStamp stamp_at(const Statement& row, int column) {
  return {row.unsigned_integer(column), row.integer(column + 1), row.unsigned_integer(column + 2)};
}

// SQLite would remove the log of a database without a byte, and with it what can still be saved.
bool has_only_its_log(const std::string& path) {
  const auto stamp = stat_file(path);
  if (!stamp || stamp->size_bytes > 0) return false;
  const auto log = stat_file(path + "-wal");
  return log && log->size_bytes > 0;
}

}  // namespace

std::string Store::database_path(const std::string& data_dir) {
  return path_join(data_dir, "yore.db");
}

Result<Store> Store::open(const std::string& data_dir) {
  if (Status made = make_directories(data_dir); !made) return made.error();
  // SQLite gives its side files the mode of the database.
  const std::string path = database_path(data_dir);
  if (Status done = finish_exchange(path); !done) return done.error();
  if (has_only_its_log(path)) return Error{Errc::corrupt, path + " is an empty file"};
  if (Status made = make_private_file(path); !made) return made.error();
  auto database = Database::open(path, Database::Mode::create);
  if (!database) return database.error();
  return prepare(std::move(*database));
}

Result<Store> Store::open_existing(const std::string& data_dir) {
  const std::string path = database_path(data_dir);
  const Error none{Errc::not_found, path + ": no index yet"};
  if (!is_regular_file(path)) return none;
  if (has_only_its_log(path)) return Error{Errc::corrupt, path + " is an empty file"};
  auto database = Database::open(path, Database::Mode::create);
  if (!database) return database.error();
  // Without tables it is one that its first writer is about to fill. It is left alone: SQLite does
  // not wait for others when it turns a new file into one with a write-ahead log.
  const auto version = database->number("PRAGMA user_version");
  if (!version) return Error{version.error().code, path + ": " + version.error().message};
  if (*version == 0) return none;
  return prepare(std::move(*database));
}

Result<Store> Store::prepare(Database database) {
  Status ready = database.run(
      "PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
      "PRAGMA cache_size=-8000; PRAGMA temp_store=MEMORY; PRAGMA mmap_size=268435456;");
  if (ready) ready = prepare_schema(database);
  if (!ready) return ready.error();
  return Store(std::move(database));
}

Result<Statement*> Store::statement(const char* sql) {
  for (const auto& [known, prepared] : statements_) {
    if (known != sql) continue;
    prepared->reset();
    return prepared.get();
  }
  auto prepared = database_.prepare(sql);
  if (!prepared) return prepared.error();
  statements_.emplace_back(sql, std::make_unique<Statement>(std::move(*prepared)));
  return statements_.back().second.get();
}

Result<std::vector<RootRow>> Store::roots() {
  auto query = database_.prepare("SELECT id,agent,path,named FROM root ORDER BY id");
  if (!query) return query.error();
  std::vector<RootRow> rows;
  const Status status = for_rows(*query, [&](const Statement& row) {
    rows.push_back({RootId{row.integer(0)}, std::string(row.text(1)), std::string(row.text(2)),
                    row.integer(3) != 0});
  });
  if (!status) return status.error();
  return rows;
}

Result<std::vector<KnownSession>> Store::known_sessions() {
  auto query = database_.prepare(
      "SELECT id,agent,root,copies,ref_hash,missing,broken,excluded,project,"
      "uid,parent,kind,path,row,directory,fixed_project,ref_title,ref_cwd,resume_key,"
      "ref_automated,size,mtime,inode,reading,standing FROM session WHERE base=0");
  if (!query) return query.error();
  std::vector<KnownSession> rows;
  const Status status = for_rows(*query, [&](const Statement& row) {
    KnownSession known{SessionId{row.integer(0)},
                       std::string(row.text(1)),
                       RootId{row.integer(2)},
                       {},
                       std::string(row.text(3)),
                       row.unsigned_integer(4),
                       row.integer(5) != 0,
                       row.integer(6) != 0,
                       static_cast<Excluded>(row.integer(7)),
                       std::string(row.text(8))};
    transcript::SessionRef& ref = known.ref;
    ref.id = row.text(9);
    ref.parent_id = row.text(10);
    ref.kind = static_cast<transcript::SessionKind>(row.integer(11));
    ref.path = row.text(12);
    ref.row = row.text(13);
    ref.directory = row.text(14);
    ref.project = row.text(15);
    ref.title = row.text(16);
    ref.cwd = row.text(17);
    ref.resume_key = row.text(18);
    ref.automated = row.integer(19) != 0;
    ref.stamp = stamp_at(row, 20);
    ref.reading = static_cast<int>(row.integer(23));
    ref.content = content_of(static_cast<Standing>(row.integer(24)));
    rows.push_back(std::move(known));
  });
  if (!status) return status.error();
  return rows;
}

Result<std::vector<std::pair<std::string, FileStamp>>> Store::containers() {
  auto query = database_.prepare("SELECT path,size,mtime,inode FROM container");
  if (!query) return query.error();
  std::vector<std::pair<std::string, FileStamp>> rows;
  const Status status = for_rows(
      *query, [&](const Statement& row) { rows.emplace_back(row.text(0), stamp_at(row, 1)); });
  if (!status) return status.error();
  return rows;
}

Status Store::each_session(const std::function<bool(SessionRow&&)>& visit) {
  return each_session_where("excluded=0 AND base=0", visit);
}

Status Store::each_searchable(const std::function<bool(SessionRow&&)>& visit) {
  return each_session_where(
      "excluded=0 AND standing<>" + std::to_string(static_cast<int>(Standing::unsettled)), visit);
}

Status Store::each_session_where(const std::string& condition,
                                 const std::function<bool(SessionRow&&)>& visit) {
  auto query = database_.prepare("SELECT " + std::string(kSessionColumns) + " FROM session WHERE " +
                                 condition + " ORDER BY last_time DESC, uid");
  if (!query) return query.error();
  while (true) {
    const auto row = query->step();
    if (!row) return row.error();
    if (!*row || !visit(session_row(*query))) return {};
  }
}

Result<std::optional<SessionRow>> Store::session(SessionId id) {
  static const std::string kSql =
      "SELECT " + std::string(kSessionColumns) + " FROM session WHERE id=?1";
  const auto query = statement(kSql.c_str());
  if (!query) return query.error();
  const auto row = (*query)->bind(1, static_cast<std::int64_t>(id)).step();
  if (!row) return row.error();
  std::optional<SessionRow> found;
  if (*row) found = session_row(**query);
  (*query)->reset();
  return found;
}

Result<std::optional<SessionRow>> Store::session_by_uid(std::string_view uid) {
  auto query = database_.prepare("SELECT " + std::string(kSessionColumns) +
                                 " FROM session WHERE uid=?1 AND excluded=0");
  if (!query) return query.error();
  const auto row = query->bind(1, uid).step();
  if (!row) return row.error();
  if (!*row) return std::optional<SessionRow>{};
  return std::optional<SessionRow>{session_row(*query)};
}

Result<std::vector<std::string>> Store::all_uids() {
  auto query = database_.prepare("SELECT uid FROM session ORDER BY uid");
  if (!query) return query.error();
  std::vector<std::string> uids;
  const Status status =
      for_rows(*query, [&](const Statement& row) { uids.emplace_back(row.text(0)); });
  if (!status) return status.error();
  return uids;
}

Result<std::vector<SessionRow>> Store::sessions_by_prefix(std::string_view prefix, int limit) {
  auto query = database_.prepare(
      "SELECT " + std::string(kSessionColumns) +
      " FROM session WHERE excluded=0 AND (base=0 OR instr(?3,'~')>0) AND (uid GLOB ?1 OR uid GLOB "
      "'*:' || ?1 OR"
      " uid GLOB '*/' || ?1 OR uid GLOB '*/agent-' || ?1) ORDER BY last_time DESC, uid LIMIT ?2");
  if (!query) return query.error();
  std::string pattern;
  std::string_view rest = prefix;
  for (auto slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    pattern += glob_prefix(rest.substr(0, slash)) + "/";
    rest.remove_prefix(slash + 1);
  }
  pattern += glob_prefix(rest);
  query->bind(1, pattern).bind(2, limit).bind(3, prefix);
  std::vector<SessionRow> rows;
  const Status status =
      for_rows(*query, [&](const Statement& row) { rows.push_back(session_row(row)); });
  if (!status) return status.error();
  return rows;
}

Result<std::vector<SessionRow>> Store::sessions_at(std::string_view path) {
  auto query =
      database_.prepare("SELECT " + std::string(kSessionColumns) +
                        " FROM session WHERE path=?1 AND excluded=0 AND base=0 ORDER BY uid");
  if (!query) return query.error();
  query->bind(1, path);
  std::vector<SessionRow> rows;
  const Status status =
      for_rows(*query, [&](const Statement& row) { rows.push_back(session_row(row)); });
  if (!status) return status.error();
  return rows;
}

Result<std::vector<SessionRow>> Store::editions_of(SessionId session) {
  auto query = database_.prepare("SELECT " + std::string(kSessionColumns) +
                                 " FROM session WHERE base=?1 AND standing=1 ORDER BY id");
  if (!query) return query.error();
  query->bind(1, number(session));
  std::vector<SessionRow> rows;
  const Status status =
      for_rows(*query, [&](const Statement& row) { rows.push_back(session_row(row)); });
  if (!status) return status.error();
  return rows;
}

Result<std::string> Store::uuid() {
  auto query = database_.prepare("SELECT value FROM meta WHERE key='uuid'");
  if (!query) return query.error();
  const auto row = query->step();
  if (!row) return row.error();
  return std::string(*row ? query->text(0) : std::string_view{});
}

Standing standing_of(transcript::SessionContent content) {
  switch (content) {
    case transcript::SessionContent::prompts:
      return Standing::prompts;
    case transcript::SessionContent::note:
      return Standing::note;
    case transcript::SessionContent::conversation:
      break;
  }
  return Standing::conversation;
}

transcript::SessionContent content_of(Standing standing) {
  if (standing == Standing::prompts) return transcript::SessionContent::prompts;
  return standing == Standing::note ? transcript::SessionContent::note
                                    : transcript::SessionContent::conversation;
}

transcript::SessionRef session_ref(const SessionRow& session) {
  transcript::SessionRef ref;
  ref.id = session.uid;
  ref.parent_id = session.parent;
  ref.kind = session.kind;
  ref.content = content_of(session.standing);
  ref.path = session.path;
  ref.row = session.row;
  ref.directory = session.directory;
  ref.project = session.fixed_project;
  ref.title = session.ref_title;
  ref.cwd = session.ref_cwd;
  ref.resume_key = session.resume_key;
  ref.automated = session.automated;
  ref.stamp = session.stamp;
  ref.reading = session.reading;
  return ref;
}

}  // namespace yore::store
