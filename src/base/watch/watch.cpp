#include "base/watch/watch.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <climits>
#include <mutex>
#include <optional>
#include <utility>

#include "base/files/file.hpp"
#include "base/posix.hpp"
#include "base/watch/watch_parts.hpp"

namespace yore {
namespace {

using Clock = Poller::Clock;
using std::chrono::milliseconds;

constexpr int kMostDebounces = 4;  // for one batch
constexpr std::chrono::hours kLongestWait{24 * 365};
constexpr std::chrono::minutes kLongestDebounce{10};

int as_timeout(Clock::time_point until) {
  if (until == Clock::time_point::max()) return -1;
  const auto now = Clock::now();
  if (until <= now) return 0;
  const auto left = std::chrono::ceil<milliseconds>(until - now).count();
  return static_cast<int>(std::min<decltype(left)>(left, INT_MAX));
}

// A pipe that makes poll() return.
class WakePipe {
 public:
  WakePipe(int read_end, int write_end) : read_end_(read_end), write_end_(write_end) {}

  static std::optional<std::array<int, 2>> open() {
    std::array<int, 2> ends{};
#ifdef __linux__
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return std::nullopt;
#else
    if (::pipe(ends.data()) != 0) return std::nullopt;
    for (const int end : ends) {
      ::fcntl(end, F_SETFD, FD_CLOEXEC);
      ::fcntl(end, F_SETFL, O_NONBLOCK);
    }
#endif
    return ends;
  }
  void ring() const noexcept {
    const int before = errno;  // signal handlers must leave it alone
    [[maybe_unused]] const auto written = ::write(write_end_.get(), "w", 1);  // full: rung already
    errno = before;
  }
  [[nodiscard]] bool take() const {
    std::array<char, 256> rings;
    bool rung = false;
    while (restarted([&] { return ::read(read_end_.get(), rings.data(), rings.size()); }) > 0) {
      rung = true;
    }
    return rung;
  }
  [[nodiscard]] int fd() const {
    return read_end_.get();
  }

 private:
  Descriptor read_end_;
  Descriptor write_end_;
};

}  // namespace

class Watcher::Work {
 public:
  Work(const WatchOptions& options, std::array<int, 2> pipe);

  Status watch(const std::string& directory);
  void forget(const std::string& directory);
  Result<Changes> wait(milliseconds longest, milliseconds debounce);
  void wake() const noexcept { pipe_.ring(); }
  [[nodiscard]] WatchState describe() const;

 private:
  [[nodiscard]] Status sleep_until(Clock::time_point until, bool listen) const;
  bool collect(Collected& changes);
  void update_state();

  WatchOptions options_;
  WakePipe pipe_;
  Poller poller_;
  std::unique_ptr<Notifier> notifier_;
  std::string why_all_is_polled_;
  Collected pending_;  // found outside of wait()

  mutable std::mutex mutex_;  // protects what follows
  WatchState state_;
};

Watcher::Work::Work(const WatchOptions& options, std::array<int, 2> pipe)
    : options_(options), pipe_(pipe[0], pipe[1]), poller_(options.poll_interval) {
  if (options.force_polling) {
    why_all_is_polled_ = "polling is asked for";
    return;
  }
  auto notifier = make_notifier(options.most_watches);
  if (notifier) {
    notifier_ = std::move(*notifier);
  } else {
    why_all_is_polled_ = notifier.error().message;
  }
}

Status Watcher::Work::watch(const std::string& directory) {
  const std::string path = absolute_path(directory);
  std::string why = why_all_is_polled_;
  if (notifier_) {
    if (Status added = notifier_->add(path); !added) {
      if (added.error().code == Errc::not_found) {
        forget(path);
        return added;
      }
      why = added.error().message;
    } else {
      std::string kind{deaf_file_system(path)};
      if (kind.empty()) kind = options_.assumed_file_system;
      if (!kind.empty()) why = "the file system (" + kind + ") does not tell of every change";
    }
  }
  Status answer;
  if (!why.empty()) {
    answer = poller_.add(path, why);
  } else if (poller_.has(path)) {  // there was no watch left when it was added, now there is
    poller_.look(path, pending_);
    poller_.remove(path);
  }
  update_state();
  return answer;
}

void Watcher::Work::forget(const std::string& directory) {
  const std::string path = absolute_path(directory);
  if (notifier_) notifier_->remove(path);
  poller_.remove(path);
  update_state();
}

Result<Changes> Watcher::Work::wait(milliseconds longest, milliseconds debounce) {
  const auto begin = Clock::now();
  const auto give_up = longest < milliseconds{0}
                           ? Clock::time_point::max()
                           : begin + std::min<Clock::duration>(longest, kLongestWait);
  // While collecting, the kernel keeps the events and is asked a few times: being woken for each
  // line somebody writes would cost more than the lines.
  debounce = std::clamp<milliseconds>(debounce, milliseconds{0}, kLongestDebounce);
  const milliseconds slice = std::clamp(debounce / 4, milliseconds{1}, milliseconds{25});
  Collected found = std::exchange(pending_, {});
  bool any = !found.files.empty() || !found.directories.empty();
  auto first = begin;  // these two only count when there is any
  auto last = begin;
  const auto end = [&] {
    return any ? std::min(last + debounce, first + kMostDebounces * debounce) : give_up;
  };

  while (true) {
    auto next = std::min(end(), poller_.due());
    if (any) next = std::min<Clock::time_point>(next, Clock::now() + slice);
    if (const Status slept = sleep_until(next, !any); !slept) {
      pending_ = std::move(found);
      return slept.error();
    }
    const bool woken = pipe_.take();
    const bool more = collect(found);
    const auto now = Clock::now();
    if (more) {
      last = now;
      if (!any) first = now;
      any = true;
    }
    if (!woken && now < end()) continue;
    update_state();
    return Changes{{found.files.begin(), found.files.end()},
                   {found.directories.begin(), found.directories.end()},
                   found.overflow,
                   woken};
  }
}

// Until wake() at the latest; when listening, until there is something to collect.
Status Watcher::Work::sleep_until(Clock::time_point until, bool listen) const {
  std::array<pollfd, 2> sources = {pollfd{pipe_.fd(), POLLIN, 0}, pollfd{-1, POLLIN, 0}};
  if (listen && notifier_) sources[1].fd = notifier_->fd();
  if (::poll(sources.data(), sources.size(), as_timeout(until)) >= 0) return {};
  if (errno == EINTR || errno == EAGAIN) return {};
  return system_error(errno, "wait for", "changes of files");
}

bool Watcher::Work::collect(Collected& changes) {
  const bool told = notifier_ && notifier_->read(changes);
  // One directory at a time: the file system may be slow, and wake() must not wait for all of it.
  const bool seen = poller_.due() <= Clock::now() && poller_.step(changes);
  return told || seen;
}

void Watcher::Work::update_state() {
  WatchState state{notifier_ ? notifier_->size() : 0, poller_.size(), poller_.reason()};
  const std::lock_guard lock{mutex_};
  state_ = std::move(state);
}

WatchState Watcher::Work::describe() const {
  const std::lock_guard lock{mutex_};
  return state_;
}

Result<Watcher> Watcher::start(const WatchOptions& options) {
  const auto pipe = WakePipe::open();
  if (!pipe) return system_error(errno, "open", "a pipe");
  return Watcher{std::make_unique<Work>(options, *pipe)};
}

Watcher::Watcher(std::unique_ptr<Work> work) : work_(std::move(work)) {}
Watcher::Watcher(Watcher&& other) noexcept = default;
Watcher& Watcher::operator=(Watcher&& other) noexcept = default;
Watcher::~Watcher() = default;

Status Watcher::watch(const std::string& directory) {
  return work_->watch(directory);
}

void Watcher::forget(const std::string& directory) {
  work_->forget(directory);
}

Result<Changes> Watcher::wait(milliseconds longest, milliseconds debounce) {
  return work_->wait(longest, debounce);
}

void Watcher::wake() const noexcept {
  work_->wake();
}

WatchState Watcher::describe() const {
  return work_->describe();
}

}  // namespace yore
