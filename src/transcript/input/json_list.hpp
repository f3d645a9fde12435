// json_list.hpp — the elements of one long JSON list, one after the other, in bounded memory.
//
// Brackets are counted outside strings only, as in json_pieces.hpp: damage inside one element does
// not take the others with it. Memory: a window of 256 KB and the element, up to kMaxRecordBytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/result.hpp"
#include "transcript/input/jsonl.hpp"

namespace yore::transcript {

struct ListItem {
  std::uint64_t offset = 0;  // of its first byte
  std::uint64_t size_bytes = 0;
  std::string_view text;  // empty: it is larger than kMaxRecordBytes
};

// Objects of the list that the source holds; whatever else is among them is passed over. False: no
// list, or not to its end; what was whole before was handed over.
Result<bool> each_list_object(ByteSource& source,
                              const std::function<void(const ListItem& item)>& on_item);

}  // namespace yore::transcript
