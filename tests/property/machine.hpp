// machine.hpp — a machine whose transcripts grow, shrink, move and vanish at random, for properties
// of what is made of them.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "service/freshness.hpp"
#include "support/claude_lines.hpp"
#include "support/fake_world.hpp"
#include "support/state_dump.hpp"

namespace yore::machine {

using fake::ClaudeLines;
using fake::FakeWorld;

constexpr std::array kDirectories = {"-home-ann-code-blog", "-home-ann-code-shop", "-srv-tools"};
constexpr std::array kSessions = {"aaaa1111", "bbbb2222", "aaaa1111/subagents/agent-c3"};
constexpr int kVersions = 2;

// All a session will ever say, in one of its versions: every sort of line that a reader must cope
// with when the file ends somewhere inside it.
inline std::string script_of(std::string_view session, int version) {
  ClaudeLines lines(std::string(path_basename(session)) + "v" + std::to_string(version));
  std::string text;
  for (int round = 0; round < 3; ++round) {
    const std::string n = std::to_string(round) + " of version " + std::to_string(version);
    const std::string before = lines.last_key();
    text += lines.prompt("Why does the build fail? Round " + n);
    text += lines.thinking("The linker cannot find a symbol, zum Beispiel größe " + n);
    text += lines.tool_call("Bash", {{"command", "make -j2 round" + n}});
    text += lines.tool_result("undefined reference to `f" + n + "'\n" + std::string(700, 'e'));
    text += lines.queued("also look at the tests " + n);
    text += lines.answer("A library is missing from the link line " + n);
    text += "{\"type\":\"user\",\"message\": broken here\n";
    text += lines.of_type("hologram");
    if (round > 0) lines.go_back_to(before);
    text += lines.prompt("Forget that. Why does the link step fail? " + n);
    text += lines.answer("Another try " + n);
    text +=
        "{\"type\":\"user\",\"message\":{\"content\":\"\xFF bytes\"},\"uuid\":\"u" + n + "\"}\n";
    // A title for the other session, which may or may not hold that record.
    text += ClaudeLines::summary("Build trouble " + n, "bbbb2222v0-" + std::to_string(round));
    if (round == 1) text += lines.ai_title("Fixing the build " + n);
  }
  return text;
}

enum class Deed : std::uint8_t { append, truncate, rewrite, rename, copy, remove, index };

struct Event {
  Deed deed = Deed::append;
  std::size_t session = 0;
  std::size_t directory = 0;
  std::size_t other_directory = 0;
  std::uint32_t amount = 0;
};

inline std::ostream& operator<<(std::ostream& out, const Event& event) {
  constexpr std::array kNames = {"append", "truncate", "rewrite", "rename",
                                 "copy",   "remove",   "index"};
  return out << kNames[static_cast<std::size_t>(event.deed)] << " session " << event.session
             << " in " << event.directory << " other " << event.other_directory << " amount "
             << event.amount;
}

// The files of a machine, and what they were when they were last indexed.
class Machine {
 public:
  void apply(const Event& event) {
    const std::string session = kSessions[event.session];
    const std::string path = world_.session_path(kDirectories[event.directory], session);
    const std::string other = world_.session_path(kDirectories[event.other_directory], session);
    const bool exists = is_regular_file(path);
    switch (event.deed) {
      case Deed::append:
        return world_.append(path, next_bytes(event.session, event.amount));
      case Deed::truncate:
        if (exists) world_.truncate(path, event.amount % (stat_file(path)->size_bytes + 1));
        return;
      case Deed::rewrite:
        position_[event.session] = 0;
        version_[event.session] = (version_[event.session] + 1) % kVersions;
        world_.write(path, next_bytes(event.session, event.amount));
        return;
      case Deed::rename:
        if (exists && path != other) world_.rename(path, other);
        return;
      case Deed::copy:
        if (exists && path != other) world_.copy(path, other);
        return;
      case Deed::remove:
        if (exists) world_.remove(path);
        return;
      case Deed::index:
        ingest::IndexOptions options;
        options.threads = 1 + static_cast<int>(event.amount % 2);
        // As a search does it, or as `yore index` does.
        return event.amount % 3 == 0 ? index(options) : refresh();
    }
  }

  void index(const ingest::IndexOptions& options = {}) {
    RC_ASSERT(world_.try_index(options).ok());
    note_indexed();
  }

  // As a search brings things up to date: looks at what it knows first.
  void refresh() {
    const std::atomic<bool> never{false};
    service::FreshnessOptions options;
    options.unlimited = true;
    RC_ASSERT(
        service::bring_up_to_date(world_.world(), world_.settings(), {}, options, {}, never).ok());
    note_indexed();
  }

  // As a store that was never updated but made in one go: first over everything that is there or
  // was there when it was last seen, then once more without what is gone.
  std::string clean_state() {
    world_.set_env("YORE_DATA_DIR", world_.in_home("clean"));
    std::vector<std::string> gone;
    for (const auto& [session, places] : indexed_) {
      if (!places_of(session).empty()) continue;
      for (const auto& [path, bytes] : places) {
        world_.write(path, bytes);
        gone.push_back(path);
      }
    }
    world_.index();
    for (const std::string& path : gone) world_.remove(path);
    if (!gone.empty()) world_.index();
    auto store = world_.store();
    return fake::dump_state(store);
  }

  std::string state() {
    auto store = world_.store();
    return fake::dump_state(store);
  }
  std::string feed_problem() {
    auto store = world_.store();
    return fake::feed_problem(store);
  }

  FakeWorld& world() { return world_; }

 private:
  void note_indexed() {
    for (const auto& session : kSessions) {
      std::map<std::string, std::string> places = places_of(session);
      if (!places.empty()) indexed_[session] = std::move(places);
    }
  }

  std::string next_bytes(std::size_t session, std::size_t amount) {
    const std::string& script = scripts_[session][static_cast<std::size_t>(version_[session])];
    const std::size_t from = std::min(position_[session], script.size());
    const std::size_t size = std::min(amount, script.size() - from);
    position_[session] = from + size;
    return script.substr(from, size);
  }

  std::map<std::string, std::string> places_of(std::string_view session) const {
    std::map<std::string, std::string> places;
    for (const char* directory : kDirectories) {
      const std::string path = world_.session_path(directory, session);
      if (is_regular_file(path)) places[path] = *read_file(path);
    }
    return places;
  }

  static const std::vector<std::string>& scripts_of(std::size_t session) {
    static const auto all = [] {
      std::array<std::vector<std::string>, kSessions.size()> made;
      for (std::size_t i = 0; i < made.size(); ++i) {
        for (int v = 0; v < kVersions; ++v) made[i].push_back(script_of(kSessions[i], v));
      }
      return made;
    }();
    return all[session];
  }

  FakeWorld world_;
  std::array<const std::vector<std::string>, kSessions.size()> scripts_ = {
      scripts_of(0), scripts_of(1), scripts_of(2)};
  std::array<int, kSessions.size()> version_{};
  std::array<std::size_t, kSessions.size()> position_{};
  std::map<std::string, std::map<std::string, std::string>> indexed_;
};

inline rc::Gen<Event> any_event() {
  const auto deeds = rc::gen::weightedElement<Deed>({{6, Deed::append},
                                                     {2, Deed::truncate},
                                                     {1, Deed::rewrite},
                                                     {2, Deed::rename},
                                                     {2, Deed::copy},
                                                     {2, Deed::remove},
                                                     {6, Deed::index}});
  return rc::gen::build<Event>(
      rc::gen::set(&Event::deed, deeds),
      rc::gen::set(&Event::session, rc::gen::inRange<std::size_t>(0, kSessions.size())),
      rc::gen::set(&Event::directory, rc::gen::inRange<std::size_t>(0, kDirectories.size())),
      rc::gen::set(&Event::other_directory, rc::gen::inRange<std::size_t>(0, kDirectories.size())),
      rc::gen::set(&Event::amount, rc::gen::inRange<std::uint32_t>(0, 6000)));
}

}  // namespace yore::machine
