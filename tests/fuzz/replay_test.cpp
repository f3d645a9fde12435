// Every fuzz target over the inputs that are kept, those its encoder makes, and simple damage to
// both: what was found once stays fixed, and a target that does not compile or run is noticed
// without a fuzzer.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "fuzz/target.hpp"

namespace yore::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> inputs_of(const Target& target) {
  std::vector<std::string> inputs{""};
  if (target.seeds != nullptr) {
    for (std::string& seed : target.seeds()) inputs.push_back(std::move(seed));
  }
  const fs::path kept = fs::path(YORE_SOURCE_DIR "/tests/fuzz/corpus") / target.name;
  if (!fs::is_directory(kept)) return inputs;
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(kept)) paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  for (const std::string& path : paths) inputs.push_back(read_whole(path));
  return inputs;
}

class FuzzReplay : public testing::TestWithParam<Target> {};

TEST_P(FuzzReplay, HoldsOverKeptInputsAndTheirDamage) {
  constexpr std::size_t kPlaces = 16;
  const Target& target = GetParam();
  const std::vector<std::string> inputs = inputs_of(target);
  EXPECT_GE(inputs.size(), 2U) << "keep an input in tests/fuzz/corpus, or make a seed";
  for (const std::string& input : inputs) {
    target.run(input);
    const std::size_t step = std::max<std::size_t>(1, input.size() / kPlaces);
    for (std::size_t at = 0; at < input.size(); at += step) {
      target.run(std::string_view(input).substr(0, at));
      for (const int flip : {0x01, 0x80, 0xFF}) {
        std::string damaged = input;
        damaged[at] = static_cast<char>(damaged[at] ^ flip);
        target.run(damaged);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzReplay, testing::ValuesIn(all_targets()),
                         [](const testing::TestParamInfo<Target>& each) {
                           return std::string(each.param.name);
                         });

}  // namespace
}  // namespace yore::fuzz
