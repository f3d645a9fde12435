#include "fuzz/target.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/temp_dir.hpp"

namespace yore::fuzz {

std::vector<Target> all_targets() {
  std::vector<Target> all;
  for (const auto table :
       {text_targets(), agent_targets(), index_targets(), store_targets(), mcp_targets()}) {
    all.insert(all.end(), table.begin(), table.end());
  }
  return all;
}

const std::string& scratch_directory() {
  static const fake::TempDir directory;
  return directory.path();
}

std::string write_scratch(const std::string& name, std::string_view bytes) {
  const std::filesystem::path path = std::filesystem::path(scratch_directory()) / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  check(out.flush().good());
  return path.string();
}

std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  check(in.good());
  return {std::istreambuf_iterator<char>(in), {}};
}

Aligned::Aligned(std::string_view bytes)
    : words_(std::malloc(bytes.size() + 1)), size_(bytes.size()) {
  check(words_ != nullptr);
  if (!bytes.empty()) std::memcpy(words_.get(), bytes.data(), bytes.size());
}

}  // namespace yore::fuzz
