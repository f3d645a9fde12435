// turn_codec.hpp — Turn and SessionFacts as bytes (private to `turns`).
#pragma once

#include "base/bytes.hpp"
#include "turns/turn_types.hpp"

namespace yore::turns {

void write_turn(ByteWriter& out, const Turn& turn);
// Without its tokens and its chunk.
Turn read_turn(ByteReader& in);
void write_usage(ByteWriter& out, const transcript::Usage& usage);
transcript::Usage read_usage(ByteReader& in);
void write_facts(ByteWriter& out, const SessionFacts& facts);
SessionFacts read_facts(ByteReader& in);

}  // namespace yore::turns
