#include "transcript/agents/codex/head.hpp"

#include <simdjson.h>

#include <array>

#include "transcript/automated.hpp"
#include "transcript/input/json_scan.hpp"
#include "transcript/input/json_values.hpp"
#include "transcript/input/jsonl.hpp"
#include "transcript/input/zstd_source.hpp"
#include "transcript/null_sink.hpp"

namespace yore::transcript::codex {
namespace {

namespace ondemand = simdjson::ondemand;

// The instructions, which are long, stand behind what is wanted.
constexpr std::array<std::size_t, 2> kHeadBytes = {4 << 10, 256 << 10};
// Damaged lines before the one that counts.
constexpr int kMaxLines = 4;

struct Found {
  std::string_view type;
  std::string_view id;
  std::string_view cwd;
  std::string_view parent;
  std::string_view source;
  std::string_view thread_source;
  bool subagent = false;
  bool has_source = false;
};

// "cli", "exec", …, {"subagent":"review"}, {"subagent":{"thread_spawn":{"parent_thread_id":…}}}
bool read_source(ondemand::value json, Found& found) {
  found.has_source = true;
  if (!get_text(json, found.source)) return false;
  return each_field(json, [&](std::string_view key, ondemand::value inner) {
    if (key != "subagent") return true;
    found.subagent = true;
    return each_field(inner, [&](std::string_view kind, ondemand::value spawn) {
      if (kind != "thread_spawn") return true;
      return each_field(spawn, [&](std::string_view name, ondemand::value value) {
        return name != "parent_thread_id" || get_text(value, found.parent);
      });
    });
  });
}

bool read_meta_field(std::string_view key, ondemand::value json, Found& found) {
  if (key == "id") return get_text(json, found.id);
  if (key == "session_id" && found.id.empty()) return get_text(json, found.id);
  if (key == "cwd") return get_text(json, found.cwd);
  if (key == "source") return read_source(json, found);
  if (key == "thread_source") return get_text(json, found.thread_source);
  if (key == "parent_thread_id") {
    std::string_view parent;
    if (!get_text(json, parent)) return false;
    if (found.parent.empty()) found.parent = parent;
  }
  return true;
}

// The payload of session_meta, `session` of the oldest files, or the line itself.
bool read_line(ondemand::object& object, Found& found) {
  return each_field(object, [&](std::string_view key, ondemand::value json) {
    if (key == "type") return get_text(json, found.type);
    if (key != "payload" && key != "session") return read_meta_field(key, json, found);
    return each_field(json, [&](std::string_view name, ondemand::value value) {
      return read_meta_field(name, value, found);
    });
  });
}

std::string first_bytes(const std::string& path, std::size_t size, const FileView& files) {
  if (!path.ends_with(".zst")) {
    auto bytes = files.read_file(path, size);
    return bytes ? *std::move(bytes) : std::string{};
  }
  auto source = ZstdSource::open(path);
  if (!source) return {};
  std::string bytes(size, '\0');
  const auto got = source->read_at(0, bytes.data(), size);
  bytes.resize(got ? *got : 0);
  return bytes;
}

// Old rollouts name the working directory only in the first message, as an element of its own.
std::string find_cwd(std::string_view text) {
  constexpr std::string_view kOpen = "<cwd>";
  const std::size_t start = text.find(kOpen);
  if (start == std::string_view::npos) return {};
  const std::string_view cwd = text.substr(start + kOpen.size());
  const std::size_t end = cwd.find_first_of("<\\\"\n");
  return end == std::string_view::npos || cwd[end] != '<' ? std::string{}
                                                          : std::string(cwd.substr(0, end));
}

// True when the text held everything there is to know.
bool read_text(std::string_view text, bool whole_file, Head& head) {
  NullSink sink;
  for (int i = 0; i < kMaxLines && !text.empty(); ++i) {
    const std::size_t newline = whole_file ? std::string_view::npos : text.find('\n');
    const std::string line = close_json(text.substr(0, newline));
    Found found;
    const auto on_object = [&](ondemand::object& object, const LineInfo&) {
      found = {};
      if (!read_line(object, found)) return false;
      if (!found.type.empty() && found.type != "session_meta") return true;
      head.id = found.id;
      head.cwd = found.cwd;
      head.subagent = found.subagent;
      head.parent = found.subagent ? found.parent : std::string_view{};
      head.automated = names_automation(found.source) || names_automation(found.thread_source);
      return true;
    };
    read_json_text(line, {0, 0}, sink, on_object);
    const bool cut = newline == std::string_view::npos;
    if (!head.id.empty()) return !cut || found.has_source;
    if (cut) return false;
    text.remove_prefix(newline + 1);
  }
  return !text.empty();
}

}  // namespace

Head read_head(const std::string& path, const FileView& files) {
  Head head;
  for (const std::size_t size : kHeadBytes) {
    const std::string bytes = first_bytes(path, size, files);
    head = {};
    const bool all = read_text(bytes, path.ends_with(".json"), head) && !head.cwd.empty();
    if (!all && head.cwd.empty()) head.cwd = find_cwd(bytes);
    if (all || bytes.size() < size) break;
  }
  return head;
}

}  // namespace yore::transcript::codex
