// stepped_world.hpp — a small machine whose index is written in steps, each of which can be done
// again from the same beginning: once as it should be, and then with faults.
//
//   first build → append → append, found by a search → rewrite → fold → merge → embed
//
// Threads: one.
#pragma once

#include <string>
#include <vector>

#include "base/files/file_system.hpp"
#include "search/searcher.hpp"
#include "support/fake_world.hpp"

namespace yore::fake {

class SteppedWorld {
 public:
  // What a step said of itself.
  struct Outcome {
    Status status;
    bool is_whole = false;  // it claims that all is there
  };

  SteppedWorld();

  static std::size_t steps();
  static const char* name(std::size_t step);

  // Does what belongs before the step: the transcripts change. Afterwards restart() leads here.
  void prepare(std::size_t step);
  // The state of the data directory after prepare().
  void restart() const;
  Outcome run(std::size_t step, const FileSystem& files);

  // What a search would find, what the store says and whether the derived files are sound; the same
  // text for the same memory. Heals nothing.
  std::string observe() const;
  // Asks as a search does, healing what it finds damaged. "": all is well.
  std::string ask() const;
  // Gives up what is damaged, as `yore doctor --fix` does. True: there was something.
  bool mend() const;
  // Files left over from writing that nobody will ever read.
  std::vector<std::string> leftovers() const;

 private:
  Outcome index(const FileSystem& files, bool keywords) const;
  Outcome refresh(const FileSystem& files) const;
  Outcome fold(const FileSystem& files) const;
  Outcome merge(const FileSystem& files) const;
  Outcome embed(const FileSystem& files) const;
  config::World world_with(const FileSystem& files) const;
  bool has_vectors() const;
  static search::SearchRequest asking(const std::string& query, bool by_meaning);
  std::string saved() const { return machine_.in_home("saved"); }

  FakeWorld machine_;
  const config::Settings settings_;  // reading them again for every case takes most of the time
};

}  // namespace yore::fake
