// make_adapter.cpp — a description as an adapter. What is needed at every start (names, roots) is
// there at once; the rest is made when a session is first listed or read.
#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "transcript/spec/lazy_agent.hpp"
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {
namespace {

// Shared by the functions of one adapter, and by all copies of it.
class Agent {
 public:
  Agent(AgentSpec head, LoadSpec load) : head_(std::move(head)), load_(std::move(load)) {
    for (const RootPlace& place : head_.roots) {
      roots_.push_back({place.env, place.base, place.suffix, place.needs});
    }
  }

  [[nodiscard]] const AgentSpec& head() const { return head_; }
  [[nodiscard]] std::span<const RootRule> roots() const { return roots_; }

  // What all of its stores hold. Of a session that several have, the first one's is read.
  Result<Listing> sessions(const Root& root, const PreviousListing& known) const {
    if (const Status status = load_once(); !status) return status.error();
    Listing all;
    const auto named = named_stores(root, known.files);
    for (std::size_t i = 0; i < stores_.size(); ++i) {
      if (!named[i]) continue;
      auto listing = stores_[i]->sessions(root, known);
      if (!listing) return listing.error();
      for (SessionRef& session : listing->sessions) {
        session.rank -= static_cast<int>(i) * kRanksOfAStore;
      }
      add(std::move(listing->sessions), all.sessions);
      add(std::move(listing->containers), all.containers);
      add(std::move(listing->unchanged), all.unchanged);
      add(std::move(listing->problems), all.problems);
    }
    if (stores_.size() > 1) settle(all);
    return all;
  }

  // An error when the description turns out to be no good.
  Result<const SessionStore*> store_of(const SessionRef& session) const {
    if (const Status status = load_once(); !status) return status.error();
    const auto found =
        std::ranges::find_if(stores_, [&](const auto& store) { return store->owns(session); });
    return (found == stores_.end() ? stores_.front() : *found).get();
  }

 private:
  static constexpr int kRanksOfAStore = 10'000;  // more than a place can have

  template <typename Item>
  static void add(std::vector<Item> from, std::vector<Item>& to) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  }

  // A database that one of the stores could read is not broken because it has no tables of another;
  // one that was busy for a store is to be opened again.
  static void settle(Listing& all) {
    std::erase_if(all.containers, [&](const Container& container) {
      return std::ranges::find(all.unchanged, container.path) != all.unchanged.end();
    });
    std::erase_if(all.problems, [&](const auto& problem) {
      return std::ranges::find(all.containers, problem.first, &Container::path) !=
             all.containers.end();
    });
  }

  // A folder is looked through by all of them, a file by those that have files of its name; by the
  // first when there are none.
  std::vector<bool> named_stores(const Root& root, const FileView& files) const {
    std::vector<bool> named(stores_.size(), true);
    if (stores_.size() == 1 || !files.is_regular_file(root.path)) return named;
    for (std::size_t i = 0; i < stores_.size(); ++i) named[i] = stores_[i]->has_name(root.path);
    if (std::ranges::find(named, true) == named.end()) named.front() = true;
    return named;
  }

  Status load_once() const {
    std::call_once(once_, [this] { status_ = load(); });
    return status_;
  }

  Status load() const {
    auto spec = load_();
    if (!spec) return spec.error();
    std::vector<AgentSpec> others = std::move(spec->also);
    spec->also.clear();
    const Hooks* hooks = spec->hooks;
    if (Status status = add_store(std::move(*spec)); !status) return status;
    for (AgentSpec& other : others) {
      other.hooks = hooks;
      if (Status status = add_store(std::move(other)); !status) return status;
    }
    return {};
  }

  Status add_store(AgentSpec spec) const {
    auto compiled = compile(std::move(spec));
    if (!compiled) return compiled.error();
    compiled_.push_back(std::move(*compiled));
    stores_.push_back(make_store(*compiled_.back()));
    return {};
  }

  AgentSpec head_;
  LoadSpec load_;
  std::vector<RootRule> roots_;  // views of head_
  mutable std::once_flag once_;
  mutable Status status_;
  mutable std::vector<std::unique_ptr<const CompiledSpec>> compiled_;
  mutable std::vector<std::unique_ptr<const SessionStore>> stores_;
};

std::vector<std::string> resume_words(const AgentSpec& spec, std::string_view id) {
  const Hooks* hooks = spec.hooks;
  if (hooks != nullptr && hooks->resume != nullptr) return hooks->resume(id);
  if (!is_safe_id(id)) return {};
  std::vector<std::string> words = spec.resume;
  for (std::string& word : words) {
    const std::size_t at = word.find(kIdWord);
    if (at != std::string::npos) word.replace(at, kIdWord.size(), id);
  }
  return words;
}

std::string directory_name(const DirectoryRule& rule, std::string_view cwd) {
  const bool drops = !cwd.empty() && rule.drop_first.find(cwd.front()) != std::string::npos;
  if (drops) cwd.remove_prefix(1);
  std::string name = rule.before;
  for (const char c : cwd) {
    if (rule.replace.find(c) == std::string::npos) {
      name += c;
    } else {
      name += rule.with;
    }
  }
  return name + rule.after;
}

}  // namespace

Adapter make_adapter(AgentSpec spec) {
  auto kept = std::make_shared<const AgentSpec>(spec);
  return make_adapter(std::move(spec), [kept]() -> Result<AgentSpec> { return *kept; });
}

Adapter make_adapter(AgentSpec head, LoadSpec load) {
  const auto agent = std::make_shared<const Agent>(std::move(head), std::move(load));
  const AgentSpec& spec = agent->head();
  const Hooks* hooks = spec.hooks;
  Adapter adapter;
  adapter.name = spec.name;
  adapter.display_name = spec.display_name;
  adapter.speaker = spec.speaker;
  adapter.roots = agent->roots();
  adapter.formats = spec.formats;
  adapter.reading = spec.reading;
  adapter.owner = agent;
  adapter.sessions = [agent](const Root& root, const PreviousListing& known) -> Result<Listing> {
    const Hooks* hooked = agent->head().hooks;
    if (hooked != nullptr && hooked->sessions != nullptr) return hooked->sessions(root, known);
    return agent->sessions(root, known);
  };
  adapter.resumable = [agent](const SessionRef& session, const Cursor& cursor) -> Result<bool> {
    const auto store = agent->store_of(session);
    if (!store) return store.error();
    return (*store)->resumable(session, cursor);
  };
  adapter.read = [agent](const SessionRef& session, const Cursor& cursor, const ReadLimits& limits,
                         RecordSink& sink) -> Result<ReadStep> {
    const auto store = agent->store_of(session);
    if (!store) return store.error();
    return (*store)->read(session, cursor, limits, sink);
  };
  const bool resumes = !spec.resume.empty() || (hooks != nullptr && hooks->resume != nullptr);
  if (resumes) {
    adapter.resume = [agent](std::string_view id) { return resume_words(agent->head(), id); };
  }
  if (hooks != nullptr && hooks->directory_name != nullptr) {
    adapter.directory_name = hooks->directory_name;
  } else if (!spec.directory.replace.empty()) {
    adapter.directory_name = [agent](std::string_view cwd) {
      return directory_name(agent->head().directory, cwd);
    };
  }
  return adapter;
}

}  // namespace yore::transcript
