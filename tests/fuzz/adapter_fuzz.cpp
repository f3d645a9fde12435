// Any bytes as one agent's transcript, from the file to rows and back: no crash, and reading in two
// steps gives the state that reading at once gives.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/files/file.hpp"
#include "transcript/adapter.hpp"
#include "turns/session_builder.hpp"

namespace {

using yore::turns::SessionBuilder;

// A file of this process alone, in memory where there is such a place.
std::string scratch_path() {
  const std::string base = yore::is_directory("/dev/shm") ? "/dev/shm" : "/tmp";
  return base + "/yore-fuzz-" + std::to_string(::getpid()) + ".jsonl";
}

std::string read_all(const yore::transcript::Adapter& adapter, const std::string& path,
                     std::uint64_t step_bytes) {
  yore::transcript::SessionRef session;
  session.id = "fuzz";
  session.path = path;
  SessionBuilder builder;
  yore::transcript::Cursor cursor;
  std::string keys;
  std::string state;
  while (true) {
    auto step = adapter.read(session, cursor, {step_bytes}, builder);
    if (!step) return "error";
    cursor = step->cursor;
    yore::turns::Delta delta = builder.take();
    keys += delta.new_keys;
    state = delta.state;
    if (!step->more) return state;
    auto restored = SessionBuilder::restore(state, keys);
    if (!restored) std::abort();
    builder = std::move(*restored);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = scratch_path();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (!yore::write_file_atomically(path, text)) return 0;
  const auto* adapter = yore::transcript::find_adapter(YORE_FUZZ_AGENT);
  if (read_all(*adapter, path, UINT64_MAX) != read_all(*adapter, path, 1)) std::abort();
  return 0;
}
