// chunk_id.hpp — the id by which people name a turn: 12 hex digits of a hash. Never changes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "turns/turn_types.hpp"

namespace yore::turns {

std::uint64_t chunk_number(std::string_view session_uid, std::uint32_t turn);
std::string chunk_text(std::uint64_t number);
// Of a turn of this session.
std::uint64_t chunk_of(const Turn& turn, std::string_view session_uid);

}  // namespace yore::turns
