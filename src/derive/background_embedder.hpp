// background_embedder.hpp — gives new texts their vectors in the background of a server, in a
// thread that leaves the processor to others.
//
// Works in small steps, newest texts first, as derive/embedder.hpp has it. After a change it looks
// at once, and once more when the last turn may be taken for closed; with nothing to do it sleeps
// and costs nothing.
#pragma once

#include <functional>
#include <memory>

#include "config/settings.hpp"

namespace yore::derive {

class BackgroundEmbedder {
 public:
  // `now` gives the time of the world; called from the thread.
  BackgroundEmbedder(config::World world, config::Settings settings, std::function<Time()> now);
  // Stops soon; what was published stays.
  ~BackgroundEmbedder();
  BackgroundEmbedder(const BackgroundEmbedder&) = delete;
  BackgroundEmbedder& operator=(const BackgroundEmbedder&) = delete;

  // There may be something to do. Any thread.
  void look();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace yore::derive
