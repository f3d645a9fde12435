// make_adapter.cpp — a description as an adapter. What is needed at every start (names, roots) is
// there at once; the rest is made when a session is first listed or read.
#include <algorithm>
#include <forward_list>
#include <iterator>
#include <mutex>
#include <utility>

#include "transcript/spec/lazy_agent.hpp"
#include "transcript/stores/session_store.hpp"

namespace yore::transcript {
namespace {

// What the functions of one adapter, and of all copies of it, point at.
class Agent {
 public:
  Agent(const SpecHead& head, const Hooks* hooks, LoadSpec load)
      : head_(head), hooks_(hooks), load_(std::move(load)) {}

  [[nodiscard]] const SpecHead& head() const { return head_; }
  [[nodiscard]] const Hooks* hooks() const { return hooks_; }

  // What all of its stores hold. Of a session that several have, the first one's is read.
  Result<Listing> sessions(const Root& root, const PreviousListing& known) const {
    if (const Status status = load_once(); !status) return status.error();
    const Hooks* hooks = hooks_;
    if (hooks == nullptr || hooks->roots == nullptr) return sessions_below(root, known);
    Listing all;
    for (const HookedRoot& place : hooks->roots(root, known.files)) {
      auto listing = sessions_below({place.path, root.named}, known);
      if (!listing) {
        all.problems.emplace_back(place.path, listing.error().message);
        continue;
      }
      for (SessionRef& session : listing->sessions) {
        if (session.cwd.empty()) session.cwd = session.directory = place.cwd;
      }
      add(*std::move(listing), all);
    }
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

  Result<Listing> sessions_below(const Root& root, const PreviousListing& known) const {
    Listing all;
    const auto named = named_stores(root, known.files);
    for (std::size_t i = 0; i < stores_.size(); ++i) {
      if (!named[i]) continue;
      auto listing = stores_[i]->sessions(root, known);
      if (!listing) return listing.error();
      for (SessionRef& session : listing->sessions) {
        session.rank -= static_cast<int>(i) * kRanksOfAStore;
      }
      add(*std::move(listing), all);
    }
    if (stores_.size() > 1) settle(all);
    return all;
  }

  static void add(Listing from, Listing& to) {
    std::ranges::move(from.sessions, std::back_inserter(to.sessions));
    std::ranges::move(from.containers, std::back_inserter(to.containers));
    std::ranges::move(from.unchanged, std::back_inserter(to.unchanged));
    std::ranges::move(from.problems, std::back_inserter(to.problems));
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
    spec->hooks = hooks_;
    if (Status status = add_store(std::move(*spec)); !status) return status;
    for (AgentSpec& other : others) {
      other.hooks = hooks_;
      if (Status status = add_store(std::move(other)); !status) return status;
    }
    return {};
  }

  Status add_store(AgentSpec spec) const {
    if (hooks_ != nullptr) {
      spec.rows.unpack = hooks_->unpack;
      spec.rows.assemble = hooks_->assemble;
    }
    auto compiled = compile(std::move(spec));
    if (!compiled) return compiled.error();
    compiled_.push_back(std::move(*compiled));
    stores_.push_back(make_store(*compiled_.back()));
    return {};
  }

  SpecHead head_;
  const Hooks* hooks_;
  LoadSpec load_;
  mutable std::once_flag once_;
  mutable Status status_;
  mutable std::vector<std::unique_ptr<const CompiledSpec>> compiled_;
  mutable std::vector<std::unique_ptr<const SessionStore>> stores_;
};

// A description in memory and the views of it that a head consists of.
struct OwnSpec {
  explicit OwnSpec(AgentSpec given) : spec(std::move(given)) {
    for (const RootPlace& place : spec.roots) {
      roots.push_back({place.env, place.base, place.suffix, place.needs});
    }
    resume.assign(spec.resume.begin(), spec.resume.end());
  }
  [[nodiscard]] SpecHead head() const {
    const DirectoryRule& rule = spec.directory;
    return {.name = spec.name,
            .display_name = spec.display_name,
            .speaker = spec.speaker,
            .formats = spec.formats,
            .verified = spec.verified,
            .reading = spec.reading,
            .roots = roots,
            .resume = resume,
            .directory = {rule.before, rule.after, rule.replace, rule.with, rule.drop_first}};
  }

  AgentSpec spec;
  std::vector<RootRule> roots;
  std::vector<std::string_view> resume;
};

std::vector<std::string> resume_words(const SpecHead& head, std::string_view id) {
  if (!is_safe_id(id)) return {};
  std::vector<std::string> words(head.resume.begin(), head.resume.end());
  for (std::string& word : words) {
    const std::size_t at = word.find(kIdWord);
    if (at != std::string::npos) word.replace(at, kIdWord.size(), id);
  }
  return words;
}

std::string directory_name(const DirectoryWords& rule, std::string_view cwd) {
  const bool drops = !cwd.empty() && rule.drop_first.find(cwd.front()) != std::string_view::npos;
  if (drops) cwd.remove_prefix(1);
  std::string name(rule.before);
  for (const char c : cwd) {
    if (rule.replace.find(c) == std::string_view::npos) {
      name += c;
    } else {
      name += rule.with;
    }
  }
  return name.append(rule.after);
}

// The functions hold a plain pointer, which needs no memory of its own: the adapter's owner keeps
// the agent.
void add_functions(const Agent* agent, Adapter& adapter) {
  const Hooks* hooks = agent->hooks();
  if (hooks != nullptr && hooks->sessions != nullptr) {
    adapter.sessions = hooks->sessions;
  } else {
    adapter.sessions = [agent](const Root& root, const PreviousListing& known) -> Result<Listing> {
      return agent->sessions(root, known);
    };
  }
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
  adapter.rows = [agent](const SessionRef& session) -> Result<std::vector<OwnRows>> {
    const auto store = agent->store_of(session);
    if (!store) return store.error();
    return (*store)->rows_of(session);
  };
  if (hooks != nullptr && hooks->resume != nullptr) adapter.resume = hooks->resume;
  if (hooks != nullptr && hooks->directory_name != nullptr) {
    adapter.directory_name = hooks->directory_name;
  }
}

// Names, places, and the functions that need no more than a head. REQUIRES: it outlives the
// adapter.
void add_head(const SpecHead* head, Adapter& adapter) {
  adapter.name = head->name;
  adapter.display_name = head->display_name;
  adapter.speaker = head->speaker;
  adapter.roots = head->roots;
  adapter.formats = head->formats;
  adapter.verified = head->verified;
  adapter.reading = head->reading;
  if (!head->resume.empty()) {
    adapter.resume = [head](std::string_view id) { return resume_words(*head, id); };
  }
  if (!head->directory.replace.empty()) {
    adapter.directory_name = [head](std::string_view cwd) {
      return directory_name(head->directory, cwd);
    };
  }
}

// "codex:1" of codex is "traex:1" of traex.
std::string renamed_id(const std::string& id, std::string_view from, std::string_view to) {
  if (id.empty()) return id;
  const bool prefixed = id.size() > from.size() && id.starts_with(from) && id[from.size()] == ':';
  return std::string(to) + ":" + (prefixed ? id.substr(from.size() + 1) : id);
}

Result<Listing> list_renamed(const Adapter& other, std::string_view name, const Root& root,
                             const PreviousListing& known) {
  std::forward_list<SessionRef> before;  // as `other` had listed them
  PreviousListing as_other = known;
  as_other.session = [&](std::string_view, const std::string& path,
                         const FileStamp& stamp) -> const SessionRef* {
    const SessionRef* session = known.session(name, path, stamp);
    if (session == nullptr) return nullptr;
    SessionRef& renamed = before.emplace_front(*session);
    renamed.id = renamed_id(session->id, name, other.name);
    renamed.parent_id = renamed_id(session->parent_id, name, other.name);
    return &renamed;
  };
  auto listing = other.sessions(root, as_other);
  if (!listing) return listing;
  for (SessionRef& session : listing->sessions) {
    session.id = renamed_id(session.id, other.name, name);
    session.parent_id = renamed_id(session.parent_id, other.name, name);
    if (session.project == other.name) session.project = name;
  }
  return listing;
}

}  // namespace

Adapter make_adapter(AgentSpec spec) {
  const Hooks* hooks = spec.hooks;
  const auto own = std::make_shared<const OwnSpec>(std::move(spec));
  return make_adapter(own->head(), hooks, [own]() -> Result<AgentSpec> { return own->spec; });
}

Adapter make_adapter(const SpecHead& head, const Hooks* hooks, LoadSpec load) {
  const auto agent = std::make_shared<const Agent>(head, hooks, std::move(load));
  Adapter adapter;
  adapter.owner = agent;
  add_head(&agent->head(), adapter);
  add_functions(agent.get(), adapter);
  return adapter;
}

Adapter make_renamed(const Adapter& other, AgentSpec spec) {
  const auto own = std::make_shared<const OwnSpec>(std::move(spec));
  return make_renamed(other, own->head(), own);
}

Adapter make_renamed(const Adapter& other, const SpecHead& head, std::shared_ptr<const void> keep) {
  struct Renamed {
    Adapter other;
    SpecHead head;
    std::shared_ptr<const void> keep;
  };
  const auto held = std::make_shared<const Renamed>(Renamed{other, head, std::move(keep)});
  Adapter adapter = other;
  adapter.resume = nullptr;
  adapter.owner = held;
  add_head(&held->head, adapter);
  adapter.sessions = [raw = held.get()](const Root& root, const PreviousListing& known) {
    return list_renamed(raw->other, raw->head.name, root, known);
  };
  return adapter;
}

}  // namespace yore::transcript
