// spec_names.hpp — how the choices of a description are written, each list in the order of its
// enum.
#pragma once

#include <array>
#include <string_view>

#include "transcript/spec/agent_spec.hpp"

namespace yore::transcript {

inline constexpr std::array<std::string_view, 3> kVerifiedNames = {"source", "derived", "real"};
inline constexpr std::array<std::string_view, 8> kStoreNames = {
    "lines", "document", "tree", "rows", "keyed_rows", "sections", "blobs", "exports"};
inline constexpr std::array<std::string_view, 8> kDialectNames = {
    "anthropic", "openai", "genai", "pi", "typed_parts", "acp", "vscode", "tagged"};
inline constexpr std::array<std::string_view, 2> kKindNames = {"main", "subagent"};
inline constexpr std::array<std::string_view, 7> kTitleNames = {
    "none", "custom", "name", "summary", "ai", "index", "compaction"};
inline constexpr std::array<std::string_view, 12> kRecordNames = {
    "meta",        "prompt", "joined_prompt", "queued_prompt", "command", "assistant",
    "tool_output", "note",   "shell",         "exchange",      "unknown", "malformed"};
inline constexpr std::array<std::string_view, 7> kTypedNames = {
    "strip", "unwrap", "cut", "drop", "note", "machine", "command"};
inline constexpr std::array<std::string_view, kSlots> kSlotNames = {"type",
                                                                    "subtype",
                                                                    "event",
                                                                    "role",
                                                                    "origin",
                                                                    "origin_name",
                                                                    "status",
                                                                    "error",
                                                                    "key",
                                                                    "parent_key",
                                                                    "message_id",
                                                                    "cwd",
                                                                    "branch",
                                                                    "repository",
                                                                    "model",
                                                                    "version",
                                                                    "slug",
                                                                    "title",
                                                                    "text",
                                                                    "typed",
                                                                    "thinking",
                                                                    "command",
                                                                    "output",
                                                                    "part_type",
                                                                    "tool_id",
                                                                    "tool_name",
                                                                    "file",
                                                                    "parent",
                                                                    "tool_input",
                                                                    "blocks",
                                                                    "calls",
                                                                    "results",
                                                                    "shown",
                                                                    "sidechain",
                                                                    "machine",
                                                                    "body",
                                                                    "time",
                                                                    "time_s",
                                                                    "time_local",
                                                                    "usage_in",
                                                                    "usage_out",
                                                                    "usage_cache_read",
                                                                    "usage_cache_write"};

static_assert(kSlotNames[static_cast<std::size_t>(Slot::parent)] == "parent");
static_assert(kSlotNames[static_cast<std::size_t>(Slot::body)] == "body");
static_assert(kSlotNames.back() == "usage_cache_write");

}  // namespace yore::transcript
