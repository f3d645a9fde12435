// The index comes, goes, grows and breaks while the tools are in use.
#include "mcp/tools/tool_backend.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/files/file.hpp"
#include "base/files/file_lock.hpp"
#include "service/keeper_report.hpp"
#include "unit/mcp/recalled.hpp"

namespace yore::mcp {
namespace {

class Recalling : public Recalled {
 protected:
  void write_parrot() { write("5e55-0001", "blog", 1, {{"the parrot", "It is blue."}}); }
  // As a keeper would say it; it must hold its lock to be believed.
  void keep(const service::KeeperReport& report) {
    ASSERT_TRUE(make_directories(machine.data_dir()).ok());
    auto lock = FileLock::try_acquire(service::keeper_lock_path(machine.data_dir()));
    ASSERT_TRUE(lock.ok());
    keeper_lock_.emplace(std::move(*lock));
    service::write_keeper_report(machine.data_dir(), report);
  }
  std::optional<FileLock> keeper_lock_;
};

TEST_F(Recalling, WithoutAnIndexAnswersAreEmptyAndSayWhy) {
  const std::string why =
      "There is no index yet; it is built while the server runs: ask again in a moment.";
  const Told found = search({{"query", "parrot"}});
  EXPECT_FALSE(found.is_error);
  EXPECT_EQ(found.json["results"], Json::array());
  EXPECT_EQ(found.json["coverage"]["files_known"], 0);
  EXPECT_EQ(found.note(), why);
  EXPECT_EQ(list().json["conversations"], Json::array());
  EXPECT_EQ(list().note(), why);
  EXPECT_EQ(read_turn({{"session_id", "5e55"}, {"turn_number", 0}}).error(),
            "Unknown session_id: 5e55");
  EXPECT_FALSE(is_directory(machine.data_dir()));  // nothing was made by asking
}

TEST_F(Recalling, SaysHowMuchIsIndexedWhileItIsBeingBuilt) {
  write_parrot();
  index();
  service::KeeperReport report;
  report.building = true;
  report.files_known = 2000;
  report.files_indexed = 120;
  report.behind_bytes = 7;
  keep(report);
  const std::string building = "The index is still being built: 120 of 2,000 conversations so far.";
  const Told found = search({{"query", "parrot"}});
  EXPECT_EQ(found.json["total_results"], 1);
  EXPECT_EQ(found.note(), building);
  EXPECT_EQ(found.json["coverage"]["files_known"], 2000);
  EXPECT_EQ(found.json["coverage"]["files_indexed"], 120);
  EXPECT_EQ(found.json["coverage"]["behind_bytes"], 7);
  EXPECT_EQ(list().note(), building);
  // A session that is not known yet may become so.
  EXPECT_EQ(read_turn({{"session_id", "nope"}, {"turn_number", 0}}).json,
            (Json{{"error", "Unknown session_id: nope"}, {"note", building}}));
}

TEST_F(Recalling, SaysThatThereAreNoTranscripts) {
  index();
  keep(service::KeeperReport{});
  EXPECT_EQ(search({{"query", "parrot"}}).note(), "No transcripts were found on this machine.");
  EXPECT_EQ(list().note(), "No transcripts were found on this machine.");
}

TEST_F(Recalling, AnIndexThatComesLaterIsUsed) {
  EXPECT_EQ(search({{"query", "parrot"}}).json["total_results"], 0);
  write_parrot();
  index();
  EXPECT_EQ(search({{"query", "parrot"}}).json["total_results"], 1);
  EXPECT_EQ(list().json["conversations"].size(), 1U);
}

TEST_F(Recalling, AnIndexThatHasJustBegunIsWorthWaitingFor) {
  write_parrot();
  index();
  // Begins anew: what a build leaves to be seen until its first publication.
  const std::string keywords = derive::keyword_directory(machine.data_dir());
  ASSERT_TRUE(lexical::IndexWriter::open(keywords, "of another history").ok());
  search::SearchRequest request;
  request.query = "parrot";
  const auto answer = recall().search(request, {Json::object(), "", {}, {}});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_TRUE(answer->hits.empty());
  EXPECT_TRUE(answer->incomplete);
}

TEST_F(Recalling, WaitsForTheFirstPublication) {
  write_parrot();
  ToolBackend::Options options;
  options.settings = machine.settings();
  options.world = [this] { return machine.world(); };
  options.patience = std::chrono::minutes{1};
  ToolBackend patient(std::move(options));
  search::SearchRequest request;
  request.query = "parrot";
  std::size_t found = 0;
  std::thread asking([&] {
    const auto answer = patient.search(request, {Json::object(), "", {}, {}});
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    found = answer->hits.size();
  });
  index();
  asking.join();
  EXPECT_EQ(found, 1U);
}

TEST_F(Recalling, ACallThatIsStoppedDoesNotWait) {
  ToolBackend::Options options;
  options.settings = machine.settings();
  options.world = [this] { return machine.world(); };
  options.patience = std::chrono::hours{1};
  ToolBackend patient(std::move(options));
  std::stop_source stop;
  std::thread asking([&] {
    search::ListFilter filter;
    const auto listed = patient.list(filter, {Json::object(), "", stop.get_token(), {}});
    EXPECT_TRUE(listed.ok());
  });
  stop.request_stop();
  asking.join();
}

TEST_F(Recalling, WhatGrowsIsFoundByTheNextQuestion) {
  write_parrot();
  index();
  EXPECT_EQ(search({{"query", "okapi"}}).json["total_results"], 0);
  write("5e55-0002", "blog", 2, {{"the okapi", "It has stripes."}});
  index();
  EXPECT_EQ(search({{"query", "okapi"}}).json["total_results"], 1);
  EXPECT_EQ(list().json["conversations"].size(), 2U);
}

TEST_F(Recalling, SourcesThatAreRegisteredLaterAreInScope) {
  write_parrot();
  index();
  fake::ClaudeLines lines("7ea3-0001", "/x");
  machine.write(machine.in_home("team/-x/7ea3-0001.jsonl"),
                lines.prompt("the team's parrot") + lines.answer("green"));
  config::Scope scope;
  scope.pattern = "nothing";
  scope.sources = {"claude-code:" + machine.in_home("team")};
  recall(scope);
  EXPECT_EQ(search({{"query", "parrot"}}).json["total_results"], 0);
  EXPECT_EQ(list().json["conversations"].size(), 0U);
  ingest::IndexOptions options;
  options.scope = scope;
  machine.index(options);
  EXPECT_EQ(search({{"query", "parrot"}}).ids("results"), (Texts{"7ea3-0001"}));
  EXPECT_EQ(list().ids("conversations"), (Texts{"7ea3-0001"}));
}

TEST_F(Recalling, ADataDirectoryThatIsMadeAnewIsOpenedAnew) {
  write_parrot();
  index();
  EXPECT_EQ(search({{"query", "parrot"}}).json["total_results"], 1);
  EXPECT_EQ(list().json["conversations"].size(), 1U);
  std::filesystem::remove_all(machine.data_dir());
  write("5e55-0002", "blog", 2, {{"the okapi", "It has stripes."}});
  index();
  EXPECT_EQ(search({{"query", "okapi"}}).json["total_results"], 1);
  EXPECT_EQ(list().json["conversations"].size(), 2U);
}

TEST_F(Recalling, ADamagedKeywordIndexIsGivenUpAndBuiltAgain) {
  write_parrot();
  index();
  const std::string directory = derive::keyword_directory(machine.data_dir());
  for (const auto& file : std::filesystem::directory_iterator(directory)) {
    std::ofstream(file.path(), std::ios::trunc) << "no index at all";
  }
  const Told told = search({{"query", "parrot"}});
  EXPECT_TRUE(told.is_error);  // it cannot wait for the new one here
  EXPECT_FALSE(logged.empty());
  EXPECT_EQ(told.text.find(machine.home()), std::string::npos);  // no paths in answers
  const Told rebuilt = search({{"query", "parrot"}});
  EXPECT_FALSE(rebuilt.is_error);
  EXPECT_EQ(rebuilt.json["total_results"], 0);
  index();
  EXPECT_EQ(search({{"query", "parrot"}}).json["total_results"], 1);
}

TEST_F(Recalling, ADamagedDatabaseIsAnErrorWithoutDetails) {
  write_parrot();
  index();
  const std::string database = store::Store::database_path(machine.data_dir());
  for (const char* const ending : {"-wal", "-shm"}) std::filesystem::remove(database + ending);
  std::ofstream(database, std::ios::trunc) << std::string(9000, 'x');
  const Told told = list();
  EXPECT_EQ(told.error(), "The index cannot be read; `yore doctor` in a terminal tells why.");
  ASSERT_FALSE(logged.empty());
  EXPECT_NE(logged.front().find(machine.home()), std::string::npos) << logged.front();
}

TEST_F(Recalling, NowIsTheTimeOfTheCall) {
  write_parrot();
  index();
  Time now = machine.world().now;
  ToolBackend::Options options;
  options.settings = machine.settings();
  options.world = [&] {
    config::World world = machine.world();
    world.now = now;
    return world;
  };
  ToolBackend living(std::move(options));
  search::SearchRequest request;
  request.query = "parrot";
  const ToolCall call{Json::object(), "", {}, {}};
  const double young = living.search(request, call)->hits.at(0).score;
  now += std::chrono::hours{24 * 400};
  EXPECT_LT(living.search(request, call)->hits.at(0).score, young);
}

}  // namespace
}  // namespace yore::mcp
