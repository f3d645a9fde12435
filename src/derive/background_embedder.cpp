#include "derive/background_embedder.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "base/priority.hpp"
#include "derive/embedder.hpp"

namespace yore::derive {
namespace {

using Clock = std::chrono::steady_clock;

// Texts embedded in one step; newer texts may go first after it.
constexpr std::size_t kTextsAtOnce = 32;
// Until a step that could not be done is tried again.
constexpr std::chrono::minutes kRetry{1};
constexpr std::chrono::seconds kMargin{5};

}  // namespace

struct BackgroundEmbedder::State {
  config::World world;
  config::Settings settings;
  std::function<Time()> now;
  std::atomic<bool> cancel{false};
  std::mutex mutex;
  std::condition_variable_any changed;
  Clock::time_point next = Clock::time_point::max();     // when there is something to do
  Clock::time_point closing = Clock::time_point::max();  // when the last turn is closed
  std::jthread thread;

  // False: it is time to stop.
  bool wait(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      const Clock::time_point when = std::min(next, closing);
      if (when <= Clock::now()) {
        next = Clock::time_point::max();
        if (closing <= when) closing = Clock::time_point::max();
        return true;
      }
      // Waiting for the end of time overflows in some libraries.
      const auto until = std::min(when, Clock::now() + std::chrono::hours{1});
      changed.wait_until(lock, stop, until, [&] { return std::min(next, closing) < when; });
    }
    return false;
  }

  void at(Clock::time_point when) {
    const std::lock_guard lock(mutex);
    next = std::min(next, when);
  }

  void run(const std::stop_token& stop) {
    run_in_background();
    while (wait(stop)) {
      world.now = now();
      EmbedOptions options;
      options.recent_only = true;
      options.max_texts = kTextsAtOnce;
      const auto done = embed(world, settings, options, {}, cancel);
      // Another process embeds, or something is broken that may be mended.
      if (!done) at(Clock::now() + kRetry);
      if (done && done->waiting > 0) at(Clock::now());
    }
  }
};

BackgroundEmbedder::BackgroundEmbedder(config::World world, config::Settings settings,
                                       std::function<Time()> now)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.world = std::move(world);
  state.settings = std::move(settings);
  state.now = std::move(now);
  if (!state.settings.embedding.enabled) return;
  state.thread = std::jthread([&state](const std::stop_token& stop) { state.run(stop); });
}

BackgroundEmbedder::~BackgroundEmbedder() {
  state_->cancel = true;
  state_->thread.request_stop();
}

void BackgroundEmbedder::look() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->next = Clock::now();
    state_->closing = Clock::now() + kTurnRests + kMargin;
  }
  state_->changed.notify_all();
}

}  // namespace yore::derive
