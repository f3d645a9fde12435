// What searching promises, whatever happened to the files: the index that followed every change
// answers like one that was built at once, filters hold, newer comes first among equals.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>

#include "derive/keyword_index.hpp"
#include "property/machine.hpp"
#include "search/searcher.hpp"

namespace yore {
namespace {

using machine::Event;
using machine::FakeWorld;
using machine::Machine;

const std::vector<std::string> kQueries = {
    "build fail",
    "linker symbol",
    "\"link line\"",
    "library -forget",
    "+round version",
    "undefined reference",
    "größe",
    "f0",
    "Fixing the build",
    "mak*",
    "why does the build fail round 1 of version 0",
    "project:blog link",
    "tool:bash make",
};

search::Searcher open(const FakeWorld& world) {
  auto searcher = search::Searcher::open(world.world(), world.settings(), {});
  RC_ASSERT(searcher.ok());
  return std::move(*searcher);
}

// Everything an answer says that must not depend on how the index came about.
std::string answer(search::Searcher& searcher, const search::SearchRequest& request) {
  const auto found = searcher.search(request);
  if (!found) return found.error().message;
  std::string text = "more " + std::to_string(static_cast<int>(found->more)) + " hidden " +
                     std::to_string(found->hidden.subagents) + "\n";
  for (const search::Hit& hit : found->hits) {
    text += hit.session.uid + "#" + std::to_string(hit.turn_number) + " " +
            std::to_string(hit.score) + " " + hit.chunk_short + " copies " +
            std::to_string(hit.copies) + " " + hit.snippet.text + "\n";
    for (const std::string& surface : hit.surfaces) text += " " + surface;
    for (const search::Message& message : hit.messages) text += message.content;
  }
  return text;
}

std::string all_answers(const FakeWorld& world) {
  search::Searcher searcher = open(world);
  std::string text;
  for (const std::string& query : kQueries) {
    search::SearchRequest request;
    request.query = query;
    request.limit = 20;
    request.explain = true;
    text += query + ": " + answer(searcher, request) + "\n";
    request.subagents = true;
    request.surfaces = {"tool", "user_prompt"};
    text += query + ": " + answer(searcher, request) + "\n";
  }
  return text;
}

std::string first_difference(const std::string& a, const std::string& b) {
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  if (at == a.size() && a.size() == b.size()) return "";
  const std::size_t from = a.substr(0, at).rfind('\n') + 1;
  return a.substr(from, 300) + "\n--- and ---\n" + b.substr(from, 300);
}

RC_GTEST_PROP(Search, AnswersTheSameFromAnIndexThatIsBuiltAnew, ()) {
  const auto events = *rc::gen::container<std::vector<Event>>(machine::any_event());
  Machine machine;
  for (const Event& event : events) machine.apply(event);
  machine.refresh();
  FakeWorld& world = machine.world();
  const std::string with_spilled_output = all_answers(world);
  std::filesystem::remove_all(derive::keyword_directory(world.data_dir()));
  machine.refresh();
  RC_ASSERT(first_difference(with_spilled_output, all_answers(world)) == "");
}

// Many runs that only wrote the store, then one that takes their changes in, part by part.
RC_GTEST_PROP(Search, AnswersTheSameWhenChangesAreTakenInByParts, ()) {
  auto events = *rc::gen::container<std::vector<Event>>(machine::any_event());
  Machine machine;
  FakeWorld& world = machine.world();
  machine.apply({machine::Deed::append, 0, 0, 0, 1500});
  machine.refresh();
  ingest::IndexOptions store_only;
  store_only.keywords = false;
  for (const Event& event : events) {
    if (event.deed == machine::Deed::index) {
      machine.index(store_only);
    } else {
      machine.apply(event);
    }
  }
  machine.index(store_only);
  {
    auto store = world.store();
    const std::atomic<bool> never{false};
    const auto taken =
        derive::update_keywords(store, world.data_dir(), {}, never, {.passages_at_once = 1});
    RC_ASSERT(taken.ok());
    RC_ASSERT(!taken->rebuilt);
  }
  const std::string with_spilled_output = all_answers(world);
  std::filesystem::remove_all(derive::keyword_directory(world.data_dir()));
  machine.refresh();
  RC_ASSERT(first_difference(with_spilled_output, all_answers(world)) == "");
}

// A session with one turn for each text, an hour apart.
void write_turns(FakeWorld& world, const std::string& directory, const std::string& session,
                 const std::vector<std::string>& texts, Time start) {
  fake::ClaudeLines lines(session, "/home/ann/code/" + directory);
  std::string bytes;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    lines.set_time(start + std::chrono::hours(static_cast<int>(i)));
    bytes += lines.prompt(texts[i]);
    bytes += lines.answer("Noted.");
  }
  world.write(world.session_path("-home-ann-code-" + directory, session), bytes);
}

constexpr Time kStart = from_ms(1'760'000'000'000);

rc::Gen<std::string> any_words() {
  const std::vector<std::string> pieces = {"a", "B",   "c9", "_", "b-c", ".",   "/", "é",  "日本",
                                           "x", "ing", " ",  "#", "(",   "0xf", "ß", "\n", "key"};
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces)),
                      [](const std::vector<std::string>& chosen) {
                        std::string text;
                        for (const std::string& piece : chosen) text += piece;
                        return text;
                      });
}

// PT1: what was indexed is found by its own text.
RC_GTEST_PROP(Search, FindsWhatWasIndexedByItsOwnText, ()) {
  const std::string text = *any_words() + " needle";
  FakeWorld world;
  write_turns(world, "blog", "aaaa1111", {"Something else entirely", text, "And another"}, kStart);
  world.index();
  search::Searcher searcher = open(world);
  search::SearchRequest request;
  request.query = text;
  request.limit = 10;
  const auto found = searcher.search(request);
  RC_ASSERT(found.ok());
  const bool there =
      std::ranges::any_of(found->hits, [](const search::Hit& hit) { return hit.turn_number == 1; });
  RC_ASSERT(there);
}

// PT2: no hit outside of the filters.
RC_GTEST_PROP(Search, NeverLeavesItsFilters, ()) {
  FakeWorld world;
  const std::vector<std::string> projects = {"blog", "shop", "tools"};
  for (std::size_t i = 0; i < projects.size(); ++i) {
    std::vector<std::string> texts(*rc::gen::inRange<std::size_t>(1, 5));
    for (std::string& text : texts) text = *rc::gen::element<std::string>("fix the cache", "cache");
    const auto days = *rc::gen::inRange(0, 60);
    write_turns(world, projects[i], "session" + std::to_string(i), texts,
                kStart + std::chrono::hours(24 * days));
  }
  world.index();
  search::Searcher searcher = open(world);
  search::SearchRequest request;
  request.query = "cache";
  request.limit = 50;
  request.per_session = 0;
  request.projects = {*rc::gen::elementOf(projects)};
  request.since = kStart + std::chrono::hours(24 * *rc::gen::inRange(0, 60));
  request.until = *request.since + std::chrono::hours(24 * *rc::gen::inRange(1, 30));
  const auto found = searcher.search(request);
  RC_ASSERT(found.ok());
  std::size_t wanted = 0;
  auto store = world.store();
  for (std::size_t i = 0; i < projects.size(); ++i) {
    if (projects[i] != request.projects.front()) continue;
    const auto row = world.session("session" + std::to_string(i));
    const auto turns = store.turns_of(row.id);
    for (const turns::Turn& turn : *turns) {
      wanted += turn.last_time >= *request.since && turn.last_time < *request.until ? 1 : 0;
    }
  }
  RC_ASSERT(found->hits.size() == wanted);
  for (const search::Hit& hit : found->hits) {
    RC_ASSERT(hit.session.project == request.projects.front());
  }
}

// PT3: the same text, said later, never scores less; and age never lifts what matches less.
RC_GTEST_PROP(Search, PrefersTheNewerOfEquals, ()) {
  FakeWorld world;
  const auto hours = *rc::gen::inRange(1, 5000);
  write_turns(world, "blog", "older", {"How do we rotate the signing keys?"}, kStart);
  write_turns(world, "blog", "newer", {"How do we rotate the signing keys?"},
              kStart + std::chrono::hours(hours));
  write_turns(world, "blog", "newest", {"Which keys open the office door in the old building?"},
              kStart + std::chrono::hours(hours + 10));
  world.index();
  search::Searcher searcher = open(world);
  search::SearchRequest request;
  request.query = "rotate the signing keys";
  const auto found = searcher.search(request);
  RC_ASSERT(found.ok());
  RC_ASSERT(found->hits.size() == 3U);
  RC_ASSERT(found->hits[0].session.uid == "newer");
  RC_ASSERT(found->hits[1].session.uid == "older");
  RC_ASSERT(found->hits[0].score >= found->hits[1].score);
  RC_ASSERT(found->hits[2].session.uid == "newest");
}

// PT4, INV-3: asked again, answered the same.
RC_GTEST_PROP(Search, IsDeterministic, ()) {
  Machine machine;
  for (const Event& event : *rc::gen::container<std::vector<Event>>(machine::any_event())) {
    machine.apply(event);
  }
  machine.refresh();
  const std::string first = all_answers(machine.world());
  RC_ASSERT(all_answers(machine.world()) == first);
}

// PT5: long messages are cut into passages; each leads back to its turn, which is whole.
RC_GTEST_PROP(Search, GivesBackLongMessagesWhole, ()) {
  std::string text;
  const auto sentences = *rc::gen::inRange(1, 200);
  for (int i = 0; i < sentences; ++i) {
    text += "Sentence number " + std::to_string(i) + " is about topic" + std::to_string(i) + ". ";
  }
  text.pop_back();
  FakeWorld world;
  write_turns(world, "blog", "aaaa1111", {"short", text}, kStart);
  world.index();
  search::Searcher searcher = open(world);
  search::SearchRequest request;
  request.query = "topic" + std::to_string(*rc::gen::inRange(0, sentences));
  const auto found = searcher.search(request);
  RC_ASSERT(found.ok());
  RC_ASSERT(!found->hits.empty());
  RC_ASSERT(found->hits[0].turn_number == 1U);
  RC_ASSERT(found->hits[0].messages[0].content == text);
  RC_ASSERT(found->hits[0].snippet.text.find(request.query) != std::string::npos);
}

// INV-1, INV-2: after indexing, every session with a turn is found, and its file is there.
RC_GTEST_PROP(Search, ReachesEverySession, ()) {
  FakeWorld world;
  const auto count = *rc::gen::inRange<std::size_t>(1, 30);
  for (std::size_t i = 0; i < count; ++i) {
    write_turns(world, i % 2 == 0 ? "blog" : "shop", "session" + std::to_string(i),
                {"common word number" + std::to_string(i)}, kStart);
  }
  world.index();
  search::Searcher searcher = open(world);
  search::SearchRequest request;
  request.query = "common";
  request.limit = 100;
  const auto found = searcher.search(request);
  RC_ASSERT(found.ok());
  RC_ASSERT(found->hits.size() == count);
  for (const search::Hit& hit : found->hits) RC_ASSERT(is_regular_file(hit.session.path));
}

}  // namespace
}  // namespace yore
