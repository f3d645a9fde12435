// OpenCode edits its messages in place while it works. Whatever happens and whenever we look, what
// was read in steps must in the end be what reading once gives, from the database and from the
// tree of files alike.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "base/sqlite.hpp"
#include "cases/store_double.hpp"
#include "transcript/registry.hpp"

namespace yore {
namespace {

constexpr const char* kSchema =
    "PRAGMA synchronous=OFF; PRAGMA journal_mode=WAL;"
    "CREATE TABLE session(id text PRIMARY KEY, directory text, title text, version text,"
    " parent_id text, revert text, time_updated integer);"
    "CREATE TABLE message(id text PRIMARY KEY, session_id text, time_created integer,"
    " time_updated integer, data text);"
    "CREATE TABLE part(id text PRIMARY KEY, message_id text, session_id text,"
    " time_updated integer, data text);"
    "INSERT INTO session VALUES('ses_1', '/w', 'Title', '1', NULL, NULL, 1)";

// Where the agent writes.
class Medium {
 public:
  virtual ~Medium() = default;
  virtual void put_message(const std::string& id, int time, const std::string& json) = 0;
  virtual void put_part(const std::string& id, const std::string& message,
                        const std::string& json) = 0;
  virtual void remove_message(const std::string& id) = 0;
  virtual void set_revert(const std::string& json) = 0;
};

class DatabaseMedium final : public Medium {
 public:
  explicit DatabaseMedium(const std::string& folder)
      : database_(*Database::open(path_join(folder, "opencode.db"), Database::Mode::create)) {
    run(kSchema);
  }
  void put_message(const std::string& id, int time, const std::string& json) override {
    run("INSERT INTO message VALUES('" + id + "', 'ses_1', " + std::to_string(time) + ", " +
        tick() + ", '" + json + "') ON CONFLICT(id) DO UPDATE SET data = excluded.data, " +
        "time_updated = excluded.time_updated");
  }
  void put_part(const std::string& id, const std::string& message,
                const std::string& json) override {
    run("INSERT INTO part VALUES('" + id + "', '" + message + "', 'ses_1', " + tick() + ", '" +
        json + "') ON CONFLICT(id) DO UPDATE SET data = excluded.data, " +
        "time_updated = excluded.time_updated");
  }
  void remove_message(const std::string& id) override {
    run("DELETE FROM part WHERE message_id = '" + id + "'; DELETE FROM message WHERE id = '" + id +
        "'");
  }
  void set_revert(const std::string& json) override {
    run("UPDATE session SET time_updated = " + tick() +
        ", revert = " + (json.empty() ? "NULL" : "'" + json + "'"));
  }

 private:
  void run(const std::string& sql) {
    const auto status = database_.run(sql);
    RC_ASSERT(status.ok());
  }
  std::string tick() { return std::to_string(++clock_); }

  Database database_;
  int clock_ = 0;
};

class TreeMedium final : public Medium {
 public:
  explicit TreeMedium(const std::string& folder) : storage_(path_join(folder, "storage")) {
    RC_ASSERT(make_directories(path_join(storage_, "message/ses_1")).ok());
    set_revert("");
  }
  void put_message(const std::string& id, int, const std::string& json) override {
    write("message/ses_1/" + id + ".json", json);
  }
  void put_part(const std::string& id, const std::string& message,
                const std::string& json) override {
    write("part/" + message + "/" + id + ".json", json);
  }
  void remove_message(const std::string& id) override {
    std::filesystem::remove(path_join(storage_, "message/ses_1/" + id + ".json"));
    std::filesystem::remove_all(path_join(storage_, "part/" + id));
  }
  void set_revert(const std::string& json) override {
    const std::string mark = json.empty() ? "" : ",\"revert\":" + json;
    write("session/p/ses_1.json",
          R"({"id":"ses_1","directory":"/w","title":"T","version":"1")" + mark + "}");
  }

 private:
  void write(const std::string& name, const std::string& json) const {
    const std::string path = path_join(storage_, name);
    RC_ASSERT(make_directories(std::string(path_dirname(path))).ok());
    RC_ASSERT(replace_file(path, json).ok());
  }

  std::string storage_;
};

// An agent that does, step by step, what OpenCode does.
class Agent {
 public:
  explicit Agent(Medium& medium) : medium_(medium) {}

  [[nodiscard]] bool is_working() const { return !running_.empty(); }

  void act() {
    switch (*rc::gen::inRange(0, 12)) {
      case 0:
      case 1:
        return ask();
      case 2:
        return revert();
      case 3:
        return unrevert();
      default:
        return running_.empty() ? begin_answer() : work();
    }
  }

 private:
  struct Part {
    std::string id;
    std::string text;
    int stage = 0;  // of a tool: pending, running, done
    bool tool = false;
    bool open = true;
  };

  std::string next(const char* prefix) {
    std::string number = std::to_string(1000 + ++count_);
    return prefix + number;
  }

  void clean_up() {
    if (reverted_.empty()) return;
    while (!messages_.empty() && messages_.back() >= reverted_) {
      medium_.remove_message(messages_.back());
      messages_.pop_back();
    }
    unrevert();
  }

  void ask() {
    if (running_.empty()) clean_up();
    const std::string id = next("msg_");
    messages_.push_back(id);
    ++time_;
    medium_.put_message(id, time_,
                        R"({"role":"user","time":{"created":)" + std::to_string(time_) + "}}");
    const bool injected = *rc::gen::inRange(0, 5) == 0;
    medium_.put_part(next("prt_"), id,
                     R"({"type":"text","text":"question )" + id + "\"" +
                         (injected ? R"(,"synthetic":true})" : "}"));
    if (*rc::gen::inRange(0, 3) == 0) {
      medium_.put_part(next("prt_"), id, R"({"type":"text","text":"and more"})");
    }
  }

  void begin_answer() {
    if (!reverted_.empty()) return;
    running_ = next("msg_");
    messages_.push_back(running_);
    parts_.clear();
    created_ = ++time_;
    summary_ = *rc::gen::inRange(0, 8) == 0;
    put_answer(false);
  }

  void put_answer(bool completed) {
    medium_.put_message(
        running_, created_,
        R"({"role":"assistant","modelID":"m","time":{"created":)" + std::to_string(created_) +
            (completed ? ",\"completed\":" + std::to_string(++time_) : "") + "}" +
            (summary_ ? R"(,"summary":true)" : "") + R"(,"tokens":{"input":3,"output":)" +
            std::to_string(parts_.size()) + "}}");
  }

  void put_part(const Part& part) {
    std::string json;
    if (part.tool) {
      static constexpr const char* kStates[] = {
          R"("pending","input":{})", R"("running","input":{"command":"make"})",
          R"("completed","input":{"command":"make"},"output":"built")"};
      json = R"({"type":"tool","tool":"bash","callID":"call)" + part.id +
             R"(","state":{"status":)" + kStates[part.stage] + "}}";
    } else {
      json = R"({"type":"text","text":")" + part.text + R"(","time":{"start":5)" +
             (part.open ? "" : ",\"end\":6") + "}}";
    }
    medium_.put_part(part.id, running_, json);
  }

  void work() {
    const int choice = *rc::gen::inRange(0, 8);
    if (choice == 0) return complete();
    if (choice < 4 || parts_.empty()) {
      if (!parts_.empty() && !parts_.back().tool && parts_.back().open) close(parts_.back());
      Part& part = parts_.emplace_back();
      part.id = next("prt_");
      part.tool = choice == 1;
      part.text = part.tool ? "" : *rc::gen::element<std::string>("", "words ", "words\\n");
      return put_part(part);
    }
    Part& part = parts_[*rc::gen::inRange<std::size_t>(0, parts_.size())];
    if (part.tool && part.stage < 2) {
      ++part.stage;
      return put_part(part);
    }
    Part& last = parts_.back();
    if (last.tool || !last.open) return;
    last.text += *rc::gen::element<std::string>("more", " of it\\n", " ");
    if (choice == 7) return close(last);
    put_part(last);
  }

  void close(Part& part) {
    const auto end = part.text.find_last_not_of(' ');
    part.text.resize(end == std::string::npos ? 0 : end + 1);
    part.open = false;
    put_part(part);
  }

  void complete() {
    for (Part& part : parts_) {
      part.stage = 2;
      part.open = false;
      put_part(part);
    }
    put_answer(true);
    running_.clear();
  }

  void revert() {
    if (messages_.empty() || !running_.empty()) return;
    reverted_ = messages_[*rc::gen::inRange<std::size_t>(0, messages_.size())];
    medium_.set_revert(R"({"messageID":")" + reverted_ + "\"}");
  }

  void unrevert() {
    reverted_.clear();
    medium_.set_revert("");
  }

  Medium& medium_;
  std::vector<std::string> messages_;
  std::vector<Part> parts_;
  std::string running_;
  std::string reverted_;
  bool summary_ = false;
  int created_ = 0;
  int time_ = 1'700'000'000;
  int count_ = 0;
};

void check(Medium& medium, const std::string& folder) {
  const transcript::Adapter& adapter = *transcript::built_in_agents()->find("opencode");
  const transcript::ReadLimits limits{*rc::gen::element<std::uint64_t>(1, 300, UINT64_MAX)};
  cases::StoreDouble in_steps(adapter, folder, limits);
  Agent agent(medium);
  const int actions = *rc::gen::inRange(0, 60);
  for (int i = 0; i < actions; ++i) {
    agent.act();
    if (*rc::gen::inRange(0, 3) != 0) continue;
    in_steps.refresh();
  }
  in_steps.refresh();
  RC_ASSERT(in_steps.dump_all() == cases::read_everything(adapter, folder, {}));
}

// Nobody reads a session whose stamp is what it was.
RC_GTEST_PROP(OpenCode, GivesAnotherStampToASessionThatHasChanged, ()) {
  const cases::TemporaryFolder folder;
  DatabaseMedium medium(folder.path());
  Agent agent(medium);
  const transcript::Adapter& adapter = *transcript::built_in_agents()->find("opencode");
  FileStamp before;
  std::string dump_before;
  const int actions = *rc::gen::inRange(0, 60);
  for (int i = 0; i < actions; ++i) {
    agent.act();
    if (agent.is_working()) continue;
    const auto listing = adapter.sessions({folder.path(), false}, {});
    RC_ASSERT(listing.ok() && listing->sessions.size() == 1);
    const FileStamp stamp = listing->sessions.front().stamp;
    std::string dump = cases::read_everything(adapter, folder.path(), {});
    if (stamp == before) RC_ASSERT(dump == dump_before);
    before = stamp;
    dump_before = std::move(dump);
  }
}

RC_GTEST_PROP(OpenCode, IsReadInStepsFromTheDatabaseAsItIsReadAtOnce, ()) {
  const cases::TemporaryFolder folder;
  DatabaseMedium medium(folder.path());
  check(medium, folder.path());
}

RC_GTEST_PROP(OpenCode, IsReadInStepsFromTheTreeAsItIsReadAtOnce, ()) {
  const cases::TemporaryFolder folder;
  TreeMedium medium(folder.path());
  check(medium, folder.path());
}

}  // namespace
}  // namespace yore
