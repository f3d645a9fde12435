// embedder.hpp — gives texts their vectors: newest first, each text once, whenever there is time.
//
// What is still to do is found by comparing what the keyword index holds with the vectors that are
// there, so there is no queue to keep: a kill costs the few texts of one round, and vectors that
// were deleted are simply made again. Conversations with people come before those of sub-agents and
// machines. Prompts and titles are taken at once; the conclusion of a turn when the turn is closed:
// another one follows, or it has rested.
//
// One process embeds at a time (embed.lock); it never takes the writer lock. Searches go on
// meanwhile, and see what was finished.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "base/time.hpp"
#include "config/settings.hpp"

namespace yore::lexical {
class Snapshot;
}

namespace yore::derive {

// A turn that rests so long is closed.
inline constexpr std::chrono::minutes kTurnRests{5};

// Where vectors lie; the number is the format's version.
std::string vector_directory(const std::string& data_dir);

struct EmbedOptions {
  std::optional<Time> since;         // only turns active at or after; nullopt: all there are
  bool recent_only = false;          // only those of embedding_window()
  std::size_t max_texts = SIZE_MAX;  // of one call
  unsigned threads = 1;
};

struct EmbedReport {
  std::uint64_t embedded = 0;  // texts, by this call
  std::uint64_t waiting = 0;   // texts left of those that were wanted
  bool cancelled = false;
};

// Texts done so far, of how many.
using OnEmbedded = std::function<void(std::uint64_t done, std::uint64_t total)>;

// not_found: nothing is indexed yet; unsupported: there is no model that could be used, with one
// sentence that says why; busy: another process embeds.
Result<EmbedReport> embed(const config::World& world, const config::Settings& settings,
                          const EmbedOptions& options, const OnEmbedded& progress,
                          const std::atomic<bool>& cancel);

// How far it is: documents that carry meaning, and those of them that have a vector.
struct EmbedCounts {
  std::uint64_t documents = 0;
  std::uint64_t embedded = 0;
  std::uint64_t recent = 0;  // documents within the window of the settings
  std::uint64_t recent_embedded = 0;
  std::uint64_t bytes = 0;  // of vectors on disk
};
// Zero everywhere: there is no index.
Result<EmbedCounts> count_embedded(const config::World& world, const config::Settings& settings);
// The same for a keyword index that is open already.
Result<EmbedCounts> count_embedded(const config::World& world, const config::Settings& settings,
                                   const lexical::Snapshot& snapshot);

// Keeps what is sound of damaged vectors; embed() makes the rest again. busy: as above.
Status mend_vectors(const config::World& world, const config::Settings& settings);

// Throws away every vector whose text is not in the keyword index any more; all of them when there
// is no model to tell whose they are. busy: another process embeds, and goes on doing so.
Status drop_unused_vectors(const config::World& world, const config::Settings& settings);

// The oldest activity that is embedded without being asked for: so many days back as the settings
// say, counted from now, or from the newest activity where all of it is older than that.
// nullopt: everything.
std::optional<Time> embedding_window(const config::World& world, const config::Settings& settings,
                                     const lexical::Snapshot& snapshot);

}  // namespace yore::derive
