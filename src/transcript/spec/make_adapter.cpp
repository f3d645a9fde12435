// make_adapter.cpp — a description as an adapter. What is needed at every start (names, roots) is
// there at once; the rest is made when a session is first listed or read.
#include <algorithm>
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

  // An error when the description turns out to be no good.
  Result<const SessionStore*> store() const {
    std::call_once(once_, [this] { load(); });
    if (!status_) return status_.error();
    return store_.get();
  }

 private:
  void load() const {
    auto spec = load_();
    if (!spec) {
      status_ = spec.error();
      return;
    }
    spec->hooks = hooks_;
    auto compiled = compile(std::move(*spec));
    if (!compiled) {
      status_ = compiled.error();
      return;
    }
    compiled_ = std::move(*compiled);
    store_ = make_store(*compiled_);
  }

  SpecHead head_;
  const Hooks* hooks_;
  LoadSpec load_;
  mutable std::once_flag once_;
  mutable Status status_;
  mutable std::unique_ptr<const CompiledSpec> compiled_;
  mutable std::unique_ptr<const SessionStore> store_;
};

// A description in memory and the views of it that a head consists of.
struct OwnSpec {
  explicit OwnSpec(AgentSpec given) : spec(std::move(given)) {
    for (const RootPlace& place : spec.roots) {
      roots.push_back({place.env, place.base, place.suffix});
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
      const auto store = agent->store();
      if (!store) return store.error();
      return (*store)->sessions(root, known);
    };
  }
  adapter.resumable = [agent](const SessionRef& session, const Cursor& cursor) -> Result<bool> {
    const auto store = agent->store();
    if (!store) return store.error();
    return (*store)->resumable(session, cursor);
  };
  adapter.read = [agent](const SessionRef& session, const Cursor& cursor, const ReadLimits& limits,
                         RecordSink& sink) -> Result<ReadStep> {
    const auto store = agent->store();
    if (!store) return store.error();
    return (*store)->read(session, cursor, limits, sink);
  };
  if (hooks != nullptr && hooks->resume != nullptr) {
    adapter.resume = hooks->resume;
  } else if (!agent->head().resume.empty()) {
    adapter.resume = [agent](std::string_view id) { return resume_words(agent->head(), id); };
  }
  if (hooks != nullptr && hooks->directory_name != nullptr) {
    adapter.directory_name = hooks->directory_name;
  } else if (!agent->head().directory.replace.empty()) {
    adapter.directory_name = [agent](std::string_view cwd) {
      return directory_name(agent->head().directory, cwd);
    };
  }
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
  adapter.name = head.name;
  adapter.display_name = head.display_name;
  adapter.speaker = head.speaker;
  adapter.roots = head.roots;
  adapter.formats = head.formats;
  adapter.verified = head.verified;
  adapter.reading = head.reading;
  adapter.owner = agent;
  add_functions(agent.get(), adapter);
  return adapter;
}

}  // namespace yore::transcript
