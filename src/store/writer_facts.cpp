// What one step of reading says about its session as a whole.
#include <algorithm>
#include <map>

#include "store/writer.hpp"

namespace yore::store {
namespace {

// How many line numbers of one kind of problem are kept.
constexpr std::size_t kLinesKept = 20;

}  // namespace

Status Writer::put_facts(SessionId session, const SessionStep& step) {
  auto put = statement(
      "UPDATE session SET first_time=?2,last_time=?3,turn_count=?4,records=?5,first_cwd=?6,cwd=?7,"
      "branch=?8,model=?9,version=?10,slug=?11,custom_title=?12,name_title=?13,ai_title=?14,"
      "index_title=?15,compaction_title=?16,first_prompt=?17,input_tokens=?18,output_tokens=?19,"
      "cache_read_tokens=?20,cache_write_tokens=?21,bytes_read=bytes_read+?22,"
      "automated=(ref_automated OR ?23) WHERE id=?1");
  if (!put) return put.error();
  const turns::SessionFacts& facts = step.facts;
  (*put)->bind(1, number(session)).bind(2, to_ms(facts.first_time)).bind(3, to_ms(facts.last_time));
  (*put)->bind(4, facts.turn_count).bind(5, facts.records).bind(6, facts.first_cwd);
  (*put)->bind(7, facts.cwd).bind(8, facts.branch).bind(9, facts.model).bind(10, facts.version);
  (*put)->bind(11, facts.slug).bind(12, facts.custom_title).bind(13, facts.name_title);
  (*put)->bind(14, facts.ai_title).bind(15, facts.index_title).bind(16, facts.compaction_title);
  (*put)->bind(17, facts.first_prompt).bind(18, facts.usage.input_tokens);
  (*put)->bind(19, facts.usage.output_tokens).bind(20, facts.usage.cache_read_tokens);
  (*put)->bind(21, facts.usage.cache_write_tokens).bind(22, step.bytes_read);
  const bool machine = facts.turn_count > 0 && facts.automated_turns == facts.turn_count;
  (*put)->bind(23, machine ? 1 : 0);
  if (Status status = (*put)->execute(); !status) return status;
  if (!step.repository.empty() && !facts.first_cwd.empty()) {
    auto note = statement("INSERT OR REPLACE INTO meta VALUES('repository:'||?1,?2)");
    if (!note) return note.error();
    if (Status s = (*note)->bind(1, facts.first_cwd).bind(2, step.repository).execute(); !s)
      return s;
  }
  // Read in part: whatever the stamp says, there is more.
  if (!step.last) return set_broken(session, true);
  return put_stamp(session, step.stamp);
}

Status Writer::put_stamp(SessionId session, const FileStamp& stamp) {
  auto put = statement("UPDATE session SET size=?2,mtime=?3,inode=?4,broken=0 WHERE id=?1");
  if (!put) return put.error();
  (*put)->bind(1, number(session)).bind(2, stamp.size_bytes);
  return (*put)->bind(3, stamp.mtime_ns).bind(4, stamp.inode).execute();
}

Status Writer::leave_off(SessionId session, const FileStamp& stamp) {
  SessionStep nothing;
  nothing.problems.push_back({transcript::ProblemKind::unreadable, 0});
  if (Status status = put_problems(session, nothing); !status) return status;
  return put_stamp(session, stamp);
}

Status Writer::put_problems(SessionId session, const SessionStep& step) {
  struct Tally {
    std::uint64_t count = 0;
    std::vector<std::uint64_t> lines;
  };
  std::map<transcript::ProblemKind, Tally> tallies;
  for (const auto& problem : step.problems) {
    Tally& tally = tallies[problem.kind];
    ++tally.count;
    if (tally.lines.size() < kLinesKept) tally.lines.push_back(problem.line);
  }
  for (const auto& [kind, tally] : tallies) {
    // Line numbers are kept up to kLinesKept over all steps: count them by their commas.
    auto find = statement("SELECT lines FROM problem WHERE session=?1 AND kind=?2");
    if (!find) return find.error();
    const auto row = (*find)->bind(1, number(session)).bind(2, static_cast<int>(kind)).step();
    if (!row) return row.error();
    std::string lines(*row ? (*find)->text(0) : std::string_view{});
    (*find)->reset();
    auto kept = lines.empty() ? 0 : 1 + static_cast<std::size_t>(std::ranges::count(lines, ','));
    for (const std::uint64_t line : tally.lines) {
      if (kept++ >= kLinesKept) break;
      if (!lines.empty()) lines += ", ";
      lines += std::to_string(line);
    }
    auto put = statement(
        "INSERT INTO problem VALUES(?1,?2,?3,?4) "
        "ON CONFLICT(session,kind) DO UPDATE SET count=count+?3,lines=?4");
    if (!put) return put.error();
    (*put)->bind(1, number(session)).bind(2, static_cast<int>(kind)).bind(3, tally.count);
    if (Status status = (*put)->bind(4, lines).execute(); !status) return status;
  }
  for (const auto& [what, count] : step.unknown) {
    auto put = statement(
        "INSERT INTO unknown VALUES(?1,?2,?3) "
        "ON CONFLICT(session,what) DO UPDATE SET count=count+?3");
    if (!put) return put.error();
    (*put)->bind(1, number(session)).bind(2, what).bind(3, count);
    if (Status status = (*put)->execute(); !status) return status;
  }
  return {};
}

Result<std::vector<Time>> Writer::prompt_times(std::string_view directory) {
  auto find = statement(
      "SELECT t.first_time FROM session s JOIN turn t ON t.session=s.id WHERE s.directory=?1 AND "
      "s.standing IN (0,1,2) AND t.first_time<>0");
  if (!find) return find.error();
  (*find)->bind(1, directory);
  std::vector<Time> times;
  while (true) {
    const auto row = (*find)->step();
    if (!row) return row.error();
    if (!*row) break;
    times.push_back(from_ms((*find)->integer(0)));
  }
  (*find)->reset();
  return times;
}

}  // namespace yore::store
