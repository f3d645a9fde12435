// case_runner.cpp — one test per .case file below this folder.
//
// Each case is read three ways, and all three must give the same dump:
//   in the steps of the file   every `== append` is an append to a file that was read before
//   at once                    the finished files, from nothing
//   record by record           the reader stops after each line, and the builder is put away and
//                              restored in between, as when a program ends
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "case_file.hpp"
#include "store_double.hpp"
#include "transcript/registry.hpp"
#include "transcript/spec/spec_toml.hpp"

namespace yore::cases {
namespace {

namespace fs = std::filesystem;
using transcript::Adapter;

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

class CaseTest : public testing::Test {
 public:
  CaseTest(fs::path path, std::string agent) : path_(std::move(path)), agent_(std::move(agent)) {}

  void TestBody() override {
    const Adapter* adapter = transcript::built_in_agents()->find(agent_);
    Adapter described;
    if (const fs::path spec = path_.parent_path() / "agent.toml"; fs::exists(spec)) {
      auto parsed = transcript::parse_agent(slurp(spec), spec.string());
      ASSERT_TRUE(parsed.ok()) << parsed.error().message;
      described = transcript::make_adapter(std::move(*parsed));
      adapter = &described;
    }
    ASSERT_NE(adapter, nullptr) << "no adapter called " << agent_;
    const CaseFile test = parse_case(slurp(path_));
    const TemporaryFolder folder;

    StoreDouble store(*adapter, folder.path(), {});
    bool laid_down = false;
    for (const FilePart& part : test.parts) {
      if (part.append && !laid_down) {
        store.refresh();
        laid_down = true;
      }
      folder.write(part);
      if (laid_down) store.refresh();
    }
    if (!laid_down) store.refresh();
    const std::string actual = store.dump_all();

    EXPECT_EQ(actual, read_everything(*adapter, folder.path(), {})) << "in steps, and at once";
    EXPECT_EQ(actual, read_everything(*adapter, folder.path(), {.max_bytes = 1}))
        << "in steps, and record by record";
    const char* const update = std::getenv("YORE_UPDATE_CASES");
    if (update != nullptr && *update != '\0') {
      std::ofstream(path_, std::ios::binary | std::ios::trunc) << test.head << actual;
      return;
    }
    EXPECT_EQ(test.expected, actual) << path_.string();
  }

 private:
  fs::path path_;
  std::string agent_;
};

// "two-values_on one.line" -> "two_values_on_one_line"
std::string test_name(const fs::path& path) {
  std::string name = path.stem().string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

void register_cases(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".case") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  for (const fs::path& path : paths) {
    const std::string agent = path.parent_path().filename().string();
    testing::RegisterTest(("Cases/" + agent).c_str(), test_name(path).c_str(), nullptr, nullptr,
                          path.c_str(), 1,
                          [=]() -> testing::Test* { return new CaseTest(path, agent); });
  }
}

}  // namespace
}  // namespace yore::cases

int main(int argc, char** argv) {
  ::setenv("TZ", "UTC", 1);  // some agents write the time of the machine they run on
  yore::cases::register_cases(YORE_SOURCE_DIR "/tests/cases");
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
