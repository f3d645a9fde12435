// proto_fields.hpp — takes a message of Protocol Buffers apart without its description. Pure; a
// field's bytes are a view of the message's.
//
// Whether the bytes of a field are a text or a message inside it is not written anywhere: who asks
// has to know.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace yore::transcript {

struct ProtoField {
  std::uint32_t number = 0;
  std::uint64_t value = 0;  // of a number; 0 for one of fixed size, which is skipped
  std::string_view bytes;   // of anything else
};

// False: the message is damaged or cut off; what stood before that was handed over.
bool each_proto_field(std::string_view message,
                      const std::function<void(const ProtoField& field)>& on_field);

// The bytes of the first field of this number; "" when there is none.
std::string_view proto_bytes(std::string_view message, std::uint32_t number);

}  // namespace yore::transcript
