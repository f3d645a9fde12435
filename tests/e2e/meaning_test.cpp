// Search by meaning on the real program, with the real model.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/time.hpp"
#include "e2e/search_box.hpp"

namespace yore::e2e {
namespace {

namespace fs = std::filesystem;

class Meaning : public SearchBox {
 protected:
  Meaning() { write("kitten", kFirst, "My kitten refuses to eat its food", "Warm the meal."); }

  void write(const std::string& project, const std::string& id, const std::string& prompt,
             const std::string& answer, std::chrono::hours ago = std::chrono::hours{30}) {
    fake::ClaudeLines lines(id, "/home/ann/code/" + project);
    const auto now =
        std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    lines.set_time(now - ago);
    box_.write_session(project, id, lines.prompt(prompt) + lines.answer(answer));
  }
  [[nodiscard]] nlohmann::json embedding() const {
    return box_.run({"status", "--json"}).json()["embedding"];
  }
};

TEST_F(Meaning, IndexMakesRecentConversationsSearchableByMeaning) {
  write("proxy", kSecond, "The proxy answers 502", "Keepalive was too long.",
        std::chrono::hours{24 * 200});
  const Ran first = box_.run({"index"});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(has(first.out, "2 passages made searchable by meaning\n")) << first.out;
  EXPECT_TRUE(has(first.out, "2 passages older than 90 days left")) << first.out;
  EXPECT_EQ(embedding()["passages_embedded"], 2);
  EXPECT_EQ(embedding()["passages"], 4);
  EXPECT_TRUE(has(box_.run({"status"}).out, "2 of 4 passages by meaning"))
      << box_.run({"status"}).out;
  EXPECT_TRUE(has(box_.run({"index", "--all"}).out, "2 passages made searchable by meaning\n"));
  EXPECT_EQ(box_.run({"index"}).out, "2 sessions: 2 unchanged\n");
}

TEST_F(Meaning, CanBeLeftOut) {
  EXPECT_FALSE(has(box_.run({"index", "--no-embed"}).out, "meaning"));
  EXPECT_EQ(embedding()["passages_embedded"], 0);
  const Ran ran = box_.run({"search", "kitten", "--mode", "semantic"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "Nothing can be searched by meaning yet")) << ran.err;
  box_.write(box_.in_home(".config/yore/config.toml"), "[embedding]\nenabled = false\n");
  EXPECT_FALSE(has(box_.run({"index"}).out, "meaning"));
  EXPECT_EQ(embedding()["enabled"], false);
}

TEST_F(Meaning, TheClosestIsShownUnderANoteWhenNothingIsRelevant) {
  ASSERT_EQ(box_.run({"index"}).code, 0);
  const Ran ran = box_.run({"search", "which telescope did the observatory order"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "Nothing clearly relevant was found; these come closest.\n")) << ran.err;
  EXPECT_TRUE(has(ran.out, "My kitten refuses")) << ran.out;
  EXPECT_FALSE(has(ran.out, "Found ")) << ran.out;
  const auto json = box_.run({"search", "which telescope was ordered", "--json"}).json();
  EXPECT_EQ(json["mode"], "hybrid");
  EXPECT_EQ(json["total_results"], 0);
  EXPECT_EQ(json["results"].size(), 0U);
  ASSERT_EQ(json["closest"].size(), 1U);
  EXPECT_EQ(json["closest"][0]["session_id"], kFirst);
  EXPECT_TRUE(has(json["note"].get<std::string>(), "Nothing clearly relevant"));
  EXPECT_EQ(json["coverage"]["passages_embedded"], 2);
}

TEST_F(Meaning, AMissingOrDamagedModelCostsOneSentence) {
  ASSERT_EQ(box_.run({"index"}).code, 0);
  box_.set_env("YORE_MODEL", box_.in_home("absent.yoremodel"));
  const Ran absent = box_.run({"search", "kitten"});
  EXPECT_EQ(absent.code, 0);
  EXPECT_TRUE(has(absent.out, "Found 1 result")) << absent.out;
  EXPECT_TRUE(has(absent.err, "Searched by words only: ")) << absent.err;
  EXPECT_EQ(box_.run({"index"}).code, 0);

  box_.write(box_.in_home("broken.yoremodel"), "this is no model");
  box_.set_env("YORE_MODEL", box_.in_home("broken.yoremodel"));
  EXPECT_EQ(box_.run({"search", "kitten"}).code, 0);
  const Ran doctor = box_.run({"doctor"});
  EXPECT_TRUE(has(doctor.out, "model")) << doctor.out;
  EXPECT_TRUE(has(doctor.out, "broken.yoremodel")) << doctor.out;
}

TEST_F(Meaning, TheDoctorFindsDamagedVectorsAndMendsThem) {
  ASSERT_EQ(box_.run({"index"}).code, 0);
  EXPECT_TRUE(has(box_.run({"doctor"}).out, "2 texts have intact vectors"));
  for (const auto& entry : fs::directory_iterator(box_.data_dir() + "/vectors-1")) {
    EXPECT_EQ(fs::status(entry.path()).permissions() & fs::perms::all,
              fs::perms::owner_read | fs::perms::owner_write);
    if (entry.path().extension() != ".vec") continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-40, std::ios::end);
    file << "damage";
  }
  EXPECT_TRUE(has(box_.run({"doctor"}).out, "damaged")) << box_.run({"doctor"}).out;
  const Ran fixed = box_.run({"doctor", "--fix"});
  EXPECT_EQ(box_.run({"index"}).code, 0);
  EXPECT_FALSE(has(box_.run({"doctor"}).out, "damaged")) << fixed.out;
  EXPECT_EQ(embedding()["passages_embedded"], 2);
}

TEST_F(Meaning, AKilledIndexGoesOnWhereItWas) {
  for (int i = 0; i < 150; ++i) {
    const std::string number = std::to_string(1000 + i);
    write("many", "aaaaaaaa-0000-4000-8000-00000000" + number,
          "Question " + number + " about the harbour", "Answer " + number + " from the pier.");
  }
  int rounds = 0;
  while (embedding()["recent_embedded"] != 302 && ++rounds < 20) {
    const Sandbox::Started started = box_.start({"index"});
    // Killed at another moment each time; the last ones run to their end.
    ::usleep(static_cast<useconds_t>(rounds) * 150'000);
    ::kill(started.pid, rounds < 6 ? SIGKILL : SIGCONT);
    int status = 0;
    ::waitpid(started.pid, &status, 0);
    ::close(started.in);
    ::close(started.out);
  }
  EXPECT_EQ(embedding()["recent_embedded"], 302);
  EXPECT_TRUE(has(box_.run({"doctor"}).out, "302 texts have intact vectors"));
}

}  // namespace
}  // namespace yore::e2e
