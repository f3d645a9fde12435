// part_tables.hpp — what the keys and types of content blocks mean, a table for each dialect.
// Private to dialects/parts.cpp: one more dialect, key or type is a row here.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "transcript/dialects/parts.hpp"
#include "transcript/spec/agent_spec.hpp"

namespace yore::transcript {

// Where a key of a block goes.
enum class PartField : std::uint8_t {
  type,
  text,
  thinking,  // text of a block that thinks
  id,
  name,
  input,
  output,
  inner,           // an object with more of these keys
  inner_call,      // the same, and the block is a call
  inner_result,    // … a result
  picture,         // the block is one
  thinking_flag,   // true: the text is a thought
  inner_thinking,  // an object with a thought
  silent,          // the block is of no use
};
struct PartKey {
  std::string_view key;
  PartField field;
};
// A type that ends in '*' is a prefix, one that begins with it a suffix.
struct PartType {
  std::string_view type;
  ContentKind kind;
};

struct DialectTable {
  std::span<const PartKey> keys;
  std::span<const PartType> types;  // none: blocks are named by their keys
};

const DialectTable& table_of(Dialect dialect);

}  // namespace yore::transcript
