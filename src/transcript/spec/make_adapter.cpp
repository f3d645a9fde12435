// make_adapter.cpp — a description as an adapter. What is needed at every start (names, roots) is
// there at once; the rest is made when a session is first listed or read.
#include <algorithm>
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
      roots_.push_back({place.env, place.base, place.suffix});
    }
  }

  [[nodiscard]] const AgentSpec& head() const { return head_; }
  [[nodiscard]] std::span<const RootRule> roots() const { return roots_; }

  // Null and an error when the description turns out to be no good.
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
    auto compiled = compile(std::move(*spec));
    if (!compiled) {
      status_ = compiled.error();
      return;
    }
    compiled_ = std::move(*compiled);
    store_ = make_store(*compiled_);
  }

  AgentSpec head_;
  LoadSpec load_;
  std::vector<RootRule> roots_;  // views of head_
  mutable std::once_flag once_;
  mutable Status status_;
  mutable std::unique_ptr<const CompiledSpec> compiled_;
  mutable std::unique_ptr<const SessionStore> store_;
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
  adapter.verified = spec.verified;
  adapter.reading = spec.reading;
  adapter.owner = agent;
  adapter.sessions = [agent](const Root& root, const PreviousListing& known) -> Result<Listing> {
    const Hooks* hooked = agent->head().hooks;
    if (hooked != nullptr && hooked->sessions != nullptr) return hooked->sessions(root, known);
    const auto store = agent->store();
    if (!store) return store.error();
    return (*store)->sessions(root, known);
  };
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
