// generations.cpp — a session of Vibe 3 as the document that vibe.toml describes. Its folder holds
//
//   CURRENT                              {"generation":"0000000000000029", …}
//   generations/<generation>/manifest.json   {"projection_state":{"chunks":["<hash>", …]}, …}
//   chunks/<hash>.json                   a list of entries: messages and what tools did
//
// Each generation names the chunks of everything that was said; what happened since is in a journal
// and comes with the next one.
#include <simdjson.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/files/file.hpp"
#include "transcript/agents/vibe/hooks.hpp"
#include "transcript/input/json_pieces.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/null_sink.hpp"

namespace yore::transcript::vibe {
namespace {

using simdjson::ondemand::object;
using simdjson::ondemand::value;

constexpr std::size_t kMostIndexBytes = 4 << 20;
constexpr std::size_t kMostChunkBytes = 64 << 20;
constexpr std::size_t kMostBytes = 256 << 20;

// Names lead nowhere else: letters and digits.
bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= 128 && std::ranges::all_of(name, ascii::is_alnum);
}

std::string generation_in(const std::string& current) {
  NullSink sink;
  std::string generation;
  read_json_text(current, {}, sink, [&](object& json, const LineInfo&) {
    return each_field(json, [&](std::string_view key, value field) {
      std::string_view text;
      if (key != "generation") return true;
      const bool fine = get_text(field, text);
      if (fine && is_name(text)) generation = text;
      return fine;
    });
  });
  return generation;
}

std::vector<std::string> chunks_in(const std::string& manifest) {
  NullSink sink;
  std::vector<std::string> chunks;
  const auto add = [&](value item) {
    std::string_view name;
    const bool fine = get_text(item, name);
    if (fine && is_name(name)) chunks.emplace_back(name);
    return fine;
  };
  read_json_text(manifest, {}, sink, [&](object& json, const LineInfo&) {
    return each_field(json, [&](std::string_view key, value field) {
      if (key != "projection_state") return true;
      return each_field(field, [&](std::string_view inner, value list) {
        return inner != "chunks" || each_item(list, add);
      });
    });
  });
  return chunks;
}

Result<std::string> document(const std::string& path) {
  const auto current = read_file(path, kMostIndexBytes);
  if (!current) return current.error();
  const std::string folder(path_dirname(path));
  const std::string generation = generation_in(*current);
  if (generation.empty()) return Error{Errc::unsupported, path + ": names no generation"};
  const std::string manifest_path = folder + "/generations/" + generation + "/manifest.json";
  const auto manifest = read_file(manifest_path, kMostIndexBytes);
  // Its owner has gone on, and removed what was there: the next look finds the newer one.
  if (!manifest) return Error{Errc::busy, manifest.error().message};
  std::string whole = "{\"entries\":[";
  for (const std::string& name : chunks_in(*manifest)) {
    const auto chunk = read_file(folder + "/chunks/" + name + ".json", kMostChunkBytes);
    bool closed = chunk.ok() && whole.size() + chunk->size() <= kMostBytes;
    if (closed) {
      closed = each_raw_item(*chunk, [&](std::string_view entry) {
        whole.append(whole.ends_with('[') ? "" : ",").append(entry);
      });
    }
    // A list without its end is told as damaged.
    if (!closed) return whole;
  }
  return whole + "]}";
}

}  // namespace

const Hooks kHooks = {.document = document};

}  // namespace yore::transcript::vibe
