// One program for all targets: YORE_FUZZ_TARGET names the one to run. YORE_FUZZ_TARGET=list prints
// their names; with YORE_FUZZ_SEEDS=DIRECTORY the inputs that encoders make are first written
// there.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "fuzz/target.hpp"

namespace {

using yore::fuzz::Target;

const Target* chosen = nullptr;

void write_seeds(const Target& target, const std::string& directory) {
  if (target.seeds == nullptr) return;
  int number = 0;
  for (const std::string& seed : target.seeds()) {
    std::ofstream out(directory + "/seed-" + std::to_string(number++), std::ios::binary);
    out << seed;
    yore::fuzz::check(out.flush().good());
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  static const std::vector<Target> all = yore::fuzz::all_targets();
  const char* named = std::getenv("YORE_FUZZ_TARGET");
  const std::string_view name = named != nullptr ? named : "list";
  for (const Target& target : all) {
    if (name == "list")
      std::printf("%.*s\n", static_cast<int>(target.name.size()), target.name.data());
    if (name == target.name) chosen = &target;
  }
  if (name == "list") std::exit(0);
  if (chosen == nullptr) {
    std::fprintf(stderr, "YORE_FUZZ_TARGET: no such target; \"list\" names them\n");
    std::exit(2);
  }
  if (const char* directory = std::getenv("YORE_FUZZ_SEEDS")) write_seeds(*chosen, directory);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
