// What happens to answers when the derived files are damaged or gone: nothing.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "e2e/search_box.hpp"

namespace yore::e2e {
namespace {

namespace fs = std::filesystem;

class SearchFaults : public SearchBox {
 protected:
  void SetUp() override {
    write_three();
    ASSERT_EQ(box_.run({"index", "--no-embed"}).code, 0);
    wanted_ = answer();
    ASSERT_TRUE(has(wanted_, "expired"));
  }
  // What is found, without what differs from run to run.
  std::string answer() {
    const auto ran = box_.run({"--json", "search", "why is the cart empty", "-n", "10"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    auto json = ran.json();
    json.erase("search_time_ms");
    return json.dump(1);
  }
  [[nodiscard]] std::vector<fs::path> derived() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(box_.data_dir())) {
      const std::string name = entry.path().filename().string();
      const bool ours = name.starts_with("yore.db") || name == "writer.lock";
      if (entry.is_regular_file() && !ours) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
  }

  std::string wanted_;
};

TEST_F(SearchFaults, AnyDerivedFileMayBeDeleted) {
  for (const fs::path& file : derived()) {
    fs::remove(file);
    EXPECT_EQ(answer(), wanted_) << file;
  }
  fs::remove_all(box_.data_dir() + "/keyword-4");
  EXPECT_EQ(answer(), wanted_);
}

TEST_F(SearchFaults, AnyDerivedFileMayBeDamaged) {
  std::size_t damaged = 0;
  // What is built again has new names: look anew each time.
  for (std::size_t i = 0; i < derived().size(); ++i) {
    const fs::path file = derived()[i];
    if (fs::file_size(file) == 0) continue;
    std::ifstream in(file, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    for (std::size_t at = bytes.size() / 7; at < bytes.size(); at += bytes.size() / 3 + 1) {
      bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    }
    // Under a new name first: published bytes are mapped by others and never change in place.
    const fs::path other = file.string() + ".damaged";
    std::ofstream(other, std::ios::binary) << bytes;
    fs::rename(other, file);
    ++damaged;
    EXPECT_EQ(answer(), wanted_) << file;
  }
  EXPECT_GE(damaged, 4U);
}

TEST_F(SearchFaults, TheDoctorFindsDamageAndMendsIt) {
  for (const fs::path& file : derived()) {
    if (file.extension() != ".seg") continue;
    fs::resize_file(file, fs::file_size(file) / 2);
  }
  const auto sick = box_.run({"doctor"});
  EXPECT_TRUE(has(sick.out, "keyword index is damaged")) << sick.out;
  EXPECT_TRUE(has(box_.run({"doctor", "--fix"}).out, "keyword index"));
  EXPECT_EQ(answer(), wanted_);
  EXPECT_FALSE(has(box_.run({"doctor"}).out, "damaged"));
}

}  // namespace
}  // namespace yore::e2e
