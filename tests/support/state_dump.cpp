#include "support/state_dump.hpp"

#include <map>
#include <set>
#include <stdexcept>
#include <vector>

#include "base/hash.hpp"

namespace yore::fake {
namespace {

template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

std::string number(std::int64_t value) {
  return std::to_string(value);
}
std::string number(std::uint64_t value) {
  return std::to_string(value);
}

// Newlines would make the text ambiguous.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "'";
}

class Dump {
 public:
  explicit Dump(store::Store& store) : store_(store) {}

  std::string all() {
    std::map<std::string, store::SessionRow> sessions;
    const Status read = store_.each_session([&](store::SessionRow&& row) {
      std::string uid = row.uid;
      sessions.emplace(std::move(uid), std::move(row));
      return true;
    });
    if (!read) throw std::runtime_error(read.error().message);
    for (const auto& [uid, row] : sessions) add_session(row);
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += text + "\n"; }

  void add_session(const store::SessionRow& row) {
    line("session " + row.uid + " " + row.agent + " " + row.path + row.row);
    for (const std::string& copy : row.other_files) line("  copy " + copy);
    line("  missing " + number(std::int64_t{row.missing_since != kNoTime}) + " kind " +
         number(static_cast<std::int64_t>(row.kind)) + " parent " + row.parent + " directory " +
         row.directory + " machine " + number(std::int64_t{row.automated}));
    line("  bytes " + number(row.bytes_read) + " of " + number(row.stamp.size_bytes));
    line("  turns " + number(std::uint64_t{row.facts.turn_count}));
    // A session that lost its last turn is still called what it was called.
    if (row.facts.turn_count > 0) {
      line("  title " + row.title_kind + " " + in_quotes(row.title) + " project " +
           in_quotes(row.project) + " at " + row.project_path);
      add_facts(row.facts);
    }
    const std::string id = number(static_cast<std::int64_t>(row.id));
    add_rows("keys", "SELECT keys FROM record_keys WHERE session=" + id + " ORDER BY part", true);
    add_rows("leaf",
             "SELECT leaf||' '||text FROM leaf_title WHERE session=" + id + " ORDER BY ordinal");
    add_rows("problem", "SELECT kind||' '||count||' '||lines FROM problem WHERE session=" + id +
                            " ORDER BY kind");
    add_rows("unknown",
             "SELECT what||' '||count FROM unknown WHERE session=" + id + " ORDER BY what");
    add_rows("broken", "SELECT broken FROM session WHERE id=" + id);
    add_turns(row.id);
  }

  void add_facts(const turns::SessionFacts& facts) {
    line("  from " + format_iso8601(facts.first_time) + " to " + format_iso8601(facts.last_time) +
         " records " + number(facts.records));
    std::string texts = "  facts";
    for (const std::string* text :
         {&facts.first_cwd, &facts.cwd, &facts.branch, &facts.model, &facts.version, &facts.slug,
          &facts.custom_title, &facts.name_title, &facts.ai_title, &facts.index_title,
          &facts.compaction_title, &facts.first_prompt}) {
      texts += ' ';
      texts += in_quotes(*text);
    }
    line(texts + " tokens " + number(facts.usage.input_tokens) + " " +
         number(facts.usage.output_tokens));
  }

  // One line a row, or the hash of all rows together: how keys are cut into parts says nothing.
  void add_rows(const std::string& name, const std::string& sql, bool as_hash = false) {
    auto query = must(store_.database().prepare(sql));
    std::string joined;
    while (must(query.step())) {
      if (as_hash) {
        joined += query.text(0);
      } else {
        line("  " + name + " " + in_quotes(query.text(0)));
      }
    }
    if (as_hash) line("  " + name + " " + number(hash64(joined)));
  }

  void add_turns(store::SessionId id) {
    std::map<std::pair<turns::TurnNumber, turns::Surface>, std::vector<std::string>> passages;
    for (const auto& [pid, passage] : must(store_.passages_of(id, 0, UINT32_MAX))) {
      passages[{passage.turn, passage.surface}].push_back(number(std::uint64_t{passage.block}) +
                                                          " " + in_quotes(passage.text));
    }
    for (const turns::Turn& turn : must(store_.turns_of(id))) {
      line("  turn " + number(std::uint64_t{turn.number}) + (turn.abandoned ? " abandoned" : "") +
           (turn.automated ? " machine" : "") + (turn.has_tool ? " tool" : "") + " " +
           format_iso8601(turn.first_time) + " " + format_iso8601(turn.last_time) + " at " +
           number(turn.offset) + ":" + number(turn.line) + " blocks " +
           number(std::uint64_t{turn.assistant_blocks}) + " " + number(turn.origin) + " " +
           number(turn.content) + " " + turn.model + " " + turn.branch +
           (turn.usage ? " tokens " + number(turn.usage->input_tokens) + " " +
                             number(turn.usage->output_tokens)
                       : ""));
    }
    for (const auto& [where, texts] : passages) {
      for (const std::string& text : texts) {
        line("  passage " + number(std::uint64_t{where.first}) + " " +
             std::string(turns::surface_name(where.second)) + " " + text);
      }
    }
  }

  store::Store& store_;
  std::string out_;
};

}  // namespace

std::string dump_state(store::Store& store) {
  return Dump(store).all();
}

std::string feed_problem(store::Store& store) {
  std::set<std::int64_t> present;
  std::set<std::int64_t> ever;
  std::int64_t seq = 0;
  while (true) {
    const auto changes = must(store.changes_after(seq, 100));
    if (changes.empty()) break;
    for (const store::Change& change : changes) {
      if (change.seq <= seq) return "change numbers do not grow at " + number(change.seq);
      seq = change.seq;
      const bool adds = change.op == store::ChangeOp::add_passages;
      const bool removes = change.op == store::ChangeOp::remove_passages;
      for (std::int64_t i = 0; (adds || removes) && i < change.count; ++i) {
        const std::int64_t id = change.subject + i;
        if (adds && !ever.insert(id).second) return "passage added twice: " + number(id);
        if (adds) present.insert(id);
        if (removes && present.erase(id) == 0) return "removed but not there: " + number(id);
      }
    }
  }
  std::set<std::int64_t> stored;
  auto packs = must(store.database().prepare("SELECT first,count,data FROM pack"));
  while (must(packs.step())) {
    for (std::int64_t i = 0; i < packs.integer(1); ++i) stored.insert(packs.integer(0) + i);
  }
  if (stored != present) {
    return "the feed leads to " + number(std::uint64_t{present.size()}) + " passages, there are " +
           number(std::uint64_t{stored.size()});
  }
  return "";
}

}  // namespace yore::fake
