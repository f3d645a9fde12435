#include "transcript/input/proto_fields.hpp"

namespace yore::transcript {
namespace {

enum Wire : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

bool take_varint(std::string_view& rest, std::uint64_t& out) {
  out = 0;
  for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    out |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80U) return true;
  }
  return false;
}

bool take_bytes(std::string_view& rest, std::uint64_t size, std::string_view& out) {
  if (size > rest.size()) return false;
  out = rest.substr(0, static_cast<std::size_t>(size));
  rest.remove_prefix(out.size());
  return true;
}

}  // namespace

bool each_proto_field(std::string_view message,
                      const std::function<void(const ProtoField& field)>& on_field) {
  constexpr std::uint64_t kMaxNumber = (1ULL << 29U) - 1;
  while (!message.empty()) {
    std::uint64_t tag = 0;
    if (!take_varint(message, tag) || tag >> 3U == 0 || tag >> 3U > kMaxNumber) return false;
    ProtoField field;
    field.number = static_cast<std::uint32_t>(tag >> 3U);
    std::uint64_t size = 0;
    std::string_view skipped;
    bool whole = false;
    switch (tag & 7U) {
      case kVarint:
        whole = take_varint(message, field.value);
        break;
      case kFixed64:
        whole = take_bytes(message, 8, skipped);
        break;
      case kBytes:
        whole = take_varint(message, size) && take_bytes(message, size, field.bytes);
        break;
      case kFixed32:
        whole = take_bytes(message, 4, skipped);
        break;
      default:
        break;
    }
    if (!whole) return false;
    on_field(field);
  }
  return true;
}

std::string_view proto_bytes(std::string_view message, std::uint32_t number) {
  std::string_view found;
  each_proto_field(message, [&](const ProtoField& field) {
    if (field.number == number && found.data() == nullptr) found = field.bytes;
  });
  return found;
}

}  // namespace yore::transcript
