// temp_dir.hpp — a directory of its own for one test, removed with all it holds.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace yore::fake {

class TempDir {
 public:
  // In memory where there is room for small files: what a test waits for is the disk.
  enum class Size { small, large };
  explicit TempDir(Size size = Size::small) {
    std::error_code ignored;
    std::filesystem::path base = std::filesystem::temp_directory_path();
    const auto memory = std::filesystem::space("/dev/shm", ignored);
    if (size == Size::small && !ignored && memory.available > (32U << 20)) base = "/dev/shm";
    std::string name = (base / "yore-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = std::filesystem::canonical(name).string();
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace yore::fake
