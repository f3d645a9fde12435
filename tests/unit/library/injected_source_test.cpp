#include "library/injected_source.hpp"

#include <gtest/gtest.h>

#include "support/memory_source.hpp"
#include "turns/turn_reader.hpp"

namespace yore::library {
namespace {

using fake::MemorySource;
using fake::turn;

// What the engine would read of one session.
std::vector<turns::WholeTurn> told(MemorySource& source, const std::string& id) {
  const ingest::ProgramSource intake = intake_of(source);
  const auto sessions = intake.sessions();
  EXPECT_TRUE(sessions.ok());
  for (const ingest::HandedSession& session : *sessions) {
    if (session.ref.id != id) continue;
    const auto tell = intake.read(session);
    EXPECT_TRUE(tell.ok());
    turns::TurnReader reader(0, 100);
    (*tell)(reader);
    return reader.take();
  }
  return {};
}

TEST(InjectedSource, KeepsTurnsApartAlsoWithoutPrompts) {
  MemorySource source;
  source.add("s", "p",
             {turn("", {"one"}), turn("", {"two"}), turn("", {}), turn("ask", {"three"})});
  const auto turns = told(source, "s");
  ASSERT_EQ(turns.size(), 4U);
  EXPECT_EQ(turns[0].assistant_text, "one");
  EXPECT_EQ(turns[1].assistant_text, "two");
  EXPECT_EQ(turns[2].assistant_text, "");
  EXPECT_EQ(turns[3].user_text, "ask");
}

TEST(InjectedSource, EqualTurnsAreAllThere) {
  MemorySource source;
  source.add("s", "p", {turn("go on", {"done", "done"}), turn("go on", {"done"})});
  const auto turns = told(source, "s");
  ASSERT_EQ(turns.size(), 2U);
  EXPECT_EQ(turns[0].assistant_text, "done\ndone");
  EXPECT_EQ(turns[1].user_text, "go on");
}

TEST(InjectedSource, ToolsAreRenderedAsCompactObjects) {
  MemorySource source;
  SourceTurn busy = turn("ask", {"done"});
  busy.tools = {{"Read", "", "/src/a.cpp", "int x;"}, {"Bash", "echo \"hi\"", "", ""}};
  source.add("s", "p", {busy});
  const auto turns = told(source, "s");
  ASSERT_EQ(turns.size(), 1U);
  EXPECT_EQ(turns[0].tools_used,
            (std::vector<std::string>{R"({"tool":"Read","file":"/src/a.cpp"})",
                                      R"({"tool":"Bash","input":"echo \"hi\""})"}));
}

TEST(InjectedSource, BytesThatAreNoTextBecomeReplacementCharacters) {
  MemorySource source;
  source.add("s", "p\xFF", {turn("a\xC3z", {"\xED\xA0\x80", "fine é"})});
  const auto turns = told(source, "s");
  ASSERT_EQ(turns.size(), 1U);
  EXPECT_EQ(turns[0].user_text, "a\uFFFDz");
  EXPECT_EQ(turns[0].assistant_text, "\uFFFD\uFFFD\uFFFD\nfine é");
  EXPECT_EQ(intake_of(source).sessions()->front().ref.project, "p\uFFFD");
}

TEST(InjectedSource, AnIdThatIsNoTextIsRefused) {
  MemorySource source;
  source.add("s\xFF", "p", {});
  EXPECT_EQ(intake_of(source).sessions().error().code, Errc::invalid_argument);
}

TEST(InjectedSource, AVersionIsAStampAndNoneIsNone) {
  MemorySource source;
  SourceSession& session = source.add("s", "p", {});
  const auto stamp = [&] { return intake_of(source).sessions()->front().ref.stamp; };
  session.version = "a";
  const FileStamp a = stamp();
  EXPECT_EQ(stamp(), a);
  session.version = "b";
  EXPECT_NE(stamp(), a);
  EXPECT_FALSE(intake_of(source).sessions()->front().always_read);
  session.version = "";
  EXPECT_TRUE(intake_of(source).sessions()->front().always_read);
}

}  // namespace
}  // namespace yore::library
