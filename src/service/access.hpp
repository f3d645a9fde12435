// access.hpp — the one way to the index for commands, tools and programs: open, refresh, ask, heal.
//
// A question takes a Searcher or Reader that is open already, or opens one; has it look for a newer
// publication; asks. When there is no index, the question may wait for one. When the keyword index
// turns out to be damaged, it is thrown away (all it holds is in the store), built again, and the
// question is put once more. A damaged record store is mended first (ingest/mending.hpp).
//
// Answers and errors come out masked (service/masking.hpp), as the settings want it.
//
// What is opened is kept for the next questions, as long as the database is the same file and the
// scope the same scope. Nothing is opened, and nothing written, before the first question.
//
// Threads: any number may ask at once; each has its own connection meanwhile.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/result.hpp"
#include "config/settings.hpp"
#include "search/reader.hpp"
#include "search/searcher.hpp"
#include "service/freshness.hpp"
#include "service/masking.hpp"
#include "service/pool.hpp"

namespace yore::service {

// How long a question may wait for an index that is not there yet, and what is done meanwhile, now
// and then. By default not at all.
struct Patience {
  std::chrono::steady_clock::time_point until{};
  std::stop_token stop{};
  std::function<void()> meanwhile{};

  // Waits a moment. False: it is time to give up.
  [[nodiscard]] bool pause() const;
};

template <typename Answer>
struct Asked {
  std::optional<Answer> answer;  // nullopt: there is no index to ask
  bool damaged = false;          // a damaged keyword index was found on the way
};

class IndexAccess {
 public:
  struct Options {
    config::Settings settings;
    config::Scope scope;
    std::function<config::World()> world = config::real_world;  // as it is when a question comes
    bool heal = true;  // false: what is damaged stays as it is, and is the error
    // Builds the keyword index that was thrown away; empty: a keeper does (service/keeper.hpp).
    std::function<Status(IndexAccess&)> rebuild = {};
    std::function<void(std::string_view)> log = {};  // what went wrong, for people
    bool reveal = false;                             // secrets are shown, whatever the settings say
  };
  explicit IndexAccess(Options options);

  // Was there ever an index here?
  [[nodiscard]] bool has_index() const;

  // Brings the index up to date, as service/freshness.hpp does. What that has opened answers the
  // next question, and what it counted is the coverage of every answer from now on.
  Result<Freshness> refresh(const FreshnessOptions& options, const ingest::OnProgress& progress,
                            const std::atomic<bool>& cancel);
  // The same for what was brought up to date in another way.
  void set_coverage(const store::FileCoverage& coverage);
  void set_scope(config::Scope scope);

  // Asks by `question`, which is given a search::Searcher or search::Reader and returns a Result.
  // Errors: of opening and of the question.
  template <typename Question>
  auto with_searcher(const Question& question, const Patience& patience = {}) {
    return ask(searchers_, question, patience);
  }
  template <typename Question>
  auto with_reader(const Question& question, const Patience& patience = {}) {
    return ask(readers_, question, patience);
  }
  // Ages are counted from now, unless the request says otherwise.
  Result<Asked<search::SearchAnswer>> search(search::SearchRequest request,
                                             const Patience& patience = {});
  // By an id or a unique prefix of one.
  Result<Asked<search::ReadAnswer>> read(std::string_view session_id, std::uint32_t offset,
                                         std::uint32_t limit, const Patience& patience = {});
  // One to keep, whose answers nobody has masked. not_found: no index yet.
  Result<search::Reader> open_reader();

  [[nodiscard]] const config::Settings& settings() const { return options_.settings; }
  [[nodiscard]] config::World world() const { return options_.world(); }
  [[nodiscard]] const Masker& masker() const { return mask_; }
  void log(std::string_view sentence) const;

 private:
  // What something was opened on: another file under the same name is another database.
  struct Mark {
    std::uint64_t inode = 0;
    std::uint64_t scope = 0;
    friend bool operator==(const Mark&, const Mark&) = default;
  };
  template <typename T>
  using Pool = service::Pool<T, Mark>;

  template <typename T, typename Question>
  auto ask(Pool<T>& pool, const Question& question, const Patience& patience) {
    auto asked = ask_unmasked(pool, question, patience);
    if (!asked) {
      Error error = asked.error();
      mask_(error);
      asked = std::move(error);
    } else if (asked->answer) {
      mask_(*asked->answer);
    }
    return asked;
  }
  template <typename T, typename Question>
  auto ask_unmasked(Pool<T>& pool, const Question& question, const Patience& patience);
  template <typename T>
  Result<T> take_or_open(Pool<T>& pool, const Mark& mark);
  [[nodiscard]] Mark mark();
  void tell_places(search::SearchAnswer& answer) const;
  // What refresh() has left open, if it is of this database.
  derive::WarmHandles take_warm(std::uint64_t inode);
  // Called when an answer is "corrupt"; `healings` is how many there had been when what answered
  // was opened. `derived`: what is derived from the store may be what is damaged.
  Status heal(const Error& damage, std::uint64_t healings, bool derived);

  const Options options_;
  const Masker mask_;
  std::shared_mutex healing_;
  std::atomic<std::uint64_t> healings_{0};
  std::mutex mutex_;  // of what follows, down to the pools, which have their own
  config::Scope scope_;
  std::uint64_t scope_number_ = 0;
  std::optional<store::FileCoverage> coverage_;
  derive::WarmHandles warm_;
  std::uint64_t warm_inode_ = 0;
  Pool<search::Searcher> searchers_;
  Pool<search::Reader> readers_;
};

template <typename T>
Result<T> IndexAccess::take_or_open(Pool<T>& pool, const Mark& mark) {
  std::optional<T> one = pool.take(mark);
  if (!one) {
    config::Scope scope;
    {
      const std::lock_guard guard(mutex_);
      scope = scope_;
    }
    derive::WarmHandles warm = take_warm(mark.inode);
    auto opened = [&] {
      if constexpr (std::is_same_v<T, search::Searcher>) {
        return T::open(world(), settings(), scope, std::move(warm));
      } else {
        return T::open(world(), settings(), scope, std::move(warm.store));
      }
    }();
    if (!opened) return opened.error();
    one = std::move(*opened);
  }
  if (Status status = one->refresh(); !status) return status.error();
  return std::move(*one);
}

template <typename T, typename Question>
auto IndexAccess::ask_unmasked(Pool<T>& pool, const Question& question, const Patience& patience) {
  using Answer = std::decay_t<decltype(*question(std::declval<T&>()))>;
  using Outcome = Result<Asked<Answer>>;
  // Damage that a reader finds is in the record store.
  constexpr bool kDerived = std::is_same_v<T, search::Searcher>;
  bool damaged = false;
  while (true) {
    // While one heals, the others would find damage, nothing, or the first part of it.
    std::shared_lock calm(healing_, std::defer_lock);
    calm.lock();
    const Mark made_for = mark();
    const std::uint64_t healings = healings_;
    auto one = take_or_open(pool, made_for);
    Error error;
    if (one) {
      auto answer = question(*one);
      if (answer || answer.error().code != Errc::corrupt) {
        pool.give(made_for, std::move(*one));
        if (!answer) return Outcome(answer.error());
        return Outcome(Asked<Answer>{std::move(*answer), damaged});
      }
      error = answer.error();
    } else {
      error = one.error();
    }
    calm.unlock();
    const bool mendable = options_.heal && error.code == Errc::corrupt;
    if (mendable) {
      if (damaged && options_.rebuild) return Outcome(error);  // building it again did not help
      damaged = true;
      if (Status healed = heal(error, healings, kDerived); !healed) return Outcome(healed.error());
      if (options_.rebuild) continue;
    } else if (error.code != Errc::not_found && error.code != Errc::busy) {
      return Outcome(error);
    }
    if (patience.meanwhile) patience.meanwhile();
    if (patience.pause()) continue;
    if (error.code != Errc::not_found) return Outcome(error);
    return Outcome(Asked<Answer>{std::nullopt, damaged});
  }
}

}  // namespace yore::service
