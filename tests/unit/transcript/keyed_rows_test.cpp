#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "base/sqlite.hpp"
#include "support/temp_dir.hpp"
#include "transcript/spec/spec_toml.hpp"

namespace yore::transcript {
namespace {

constexpr std::string_view kDrawer = R"(
name = "drawer"
store = "keyed_rows"
places = [{ pattern = "state.db" }]
keyed = { table = "kv", key = "key", value = "value", session = "chat:{id}", messages = "bubble:{id}:{any}", order = "headers", order_key = "id" }
fields = { who = "role", text = "text" }
records = [{ when = { role = "me" }, as = "prompt" }, { as = "assistant" }]
)";

class Heard final : public RecordSink {
 public:
  void record(const Record& record) override {
    for (const Block& block : record.blocks) texts.emplace_back(block.text);
    if (on_record) on_record();
  }
  void problem(ProblemKind kind, std::uint64_t) override { texts.emplace_back(problem_name(kind)); }
  void unknown(std::string_view) override {}

  std::vector<std::string> texts;
  std::function<void()> on_record;
};

class KeyedRows : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto spec = parse_agent(kDrawer, "drawer.toml");
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    adapter_ = make_adapter(std::move(*spec));
    auto database = Database::open(path_join(folder_.path(), "state.db"), Database::Mode::create);
    ASSERT_TRUE(database.ok());
    owner_.emplace(std::move(*database));
    run(std::string("PRAGMA synchronous=OFF; PRAGMA journal_mode=") + GetParam());
    run("PRAGMA busy_timeout=0; CREATE TABLE kv(key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
    for (const char* chat : {"one", "two"}) {
      put(std::string("bubble:") + chat + ":a", R"({"who":"me","text":"ask"})");
      put(std::string("bubble:") + chat + ":b", R"({"who":"it","text":"answer"})");
      put(std::string("chat:") + chat, R"({"headers":[{"id":"a"},{"id":"b"}]})");
    }
  }

  // The owner waits for nobody: it fails when anything is locked.
  void run(const std::string& sql) {
    const Status status = owner_->run(sql);
    ASSERT_TRUE(status.ok()) << status.error().message;
  }
  void put(const std::string& key, const std::string& value) {
    run("INSERT INTO kv VALUES('" + key + "','" + value + "')");
  }
  [[nodiscard]] std::map<std::string, SessionRef> list() const {
    std::map<std::string, SessionRef> sessions;
    const auto listing = adapter_.sessions({folder_.path(), false}, {});
    EXPECT_TRUE(listing.ok());
    if (!listing) return sessions;
    EXPECT_TRUE(listing->problems.empty());
    for (const SessionRef& session : listing->sessions) sessions.emplace(session.row, session);
    return sessions;
  }

  fake::TempDir folder_;
  Adapter adapter_;
  std::optional<Database> owner_;
};

TEST_P(KeyedRows, TellsWhichSessionChanged) {
  const auto before = list();
  ASSERT_EQ(before.size(), 2U);
  // Written anew, in its place and of the same length.
  put("bubble:one:b", R"({"who":"it","text":"ANSWER"})");
  const auto edited = list();
  EXPECT_NE(edited.at("one").stamp, before.at("one").stamp);
  EXPECT_EQ(edited.at("two").stamp, before.at("two").stamp);
  run("DELETE FROM kv WHERE key='bubble:two:a'");
  const auto removed = list();
  EXPECT_EQ(removed.at("one").stamp, edited.at("one").stamp);
  EXPECT_NE(removed.at("two").stamp, edited.at("two").stamp);
}

TEST_P(KeyedRows, GoesOnWhereItWasWhenRowsAreOnlyRenumbered) {
  const SessionRef before = list().at("one");
  Heard heard;
  const auto step = adapter_.read(before, {}, {}, heard);
  ASSERT_TRUE(step.ok());
  run("DELETE FROM kv WHERE key LIKE 'chat:two%'");
  run("VACUUM");
  const auto resumable = adapter_.resumable(list().at("one"), step->cursor);
  ASSERT_TRUE(resumable.ok());
  EXPECT_TRUE(*resumable);
}

TEST_P(KeyedRows, ReadsWhileTheOwnerIsInTheMiddleOfATransaction) {
  run("BEGIN IMMEDIATE");
  put("bubble:one:a", R"({"who":"me","text":"not yet"})");
  Heard heard;
  const auto during = list();
  ASSERT_EQ(during.size(), 2U);
  ASSERT_TRUE(adapter_.read(during.at("one"), {}, {}, heard).ok());
  EXPECT_EQ(heard.texts, (std::vector<std::string>{"ask", "answer"}));
  run("COMMIT");
}

TEST_P(KeyedRows, LeavesTheOwnerFreeToWriteWhileItIsRead) {
  int written = 0;
  Heard heard;
  heard.on_record = [&] {
    run("BEGIN IMMEDIATE");
    put("other:" + std::to_string(++written), "x");
    run("COMMIT");
  };
  ASSERT_TRUE(adapter_.read(list().at("one"), {}, {}, heard).ok());
  EXPECT_EQ(heard.texts, (std::vector<std::string>{"ask", "answer"}));
  EXPECT_GE(written, 2);
}

INSTANTIATE_TEST_SUITE_P(Journals, KeyedRows, testing::Values("WAL", "DELETE"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace yore::transcript
