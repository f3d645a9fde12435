// log.hpp — the append log: updates as frames that are already inverted.
//
//   header, 32 bytes     which log of which index it is
//   frame, frame, …      each a multiple of 8 bytes
//
// A frame is written with one write and counts when a manifest says that the log is that long; what
// lies behind is left over from a crash. Its bytes never change afterwards, so readers map the log
// and use the segments in it where they lie.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "lexical/format/catalog.hpp"
#include "lexical/format/key_range.hpp"
#include "lexical/format/manifest.hpp"
#include "lexical/format/snapshot.hpp"

namespace yore::lexical {

// What a log begins with.
std::string log_header(std::uint64_t birth, FileNumber number);

// One change of the index: what a frame holds.
struct Update {
  StoreState covers;                            // after this update
  std::array<std::string, kFamilies> segments;  // bytes of a segment each; "" for none
  std::vector<KeyRange> removed;                // of conversation and detail documents
  std::vector<KeyRange> removed_titles;
  CatalogChange rows;
};

std::string encode_frame(const Update& update);

// A frame where it lies.
struct Frame {
  std::uint64_t size = 0;  // bytes, with its header
  std::array<std::string_view, kFamilies> segments;
  std::span<const KeyRange> removed;
  std::span<const KeyRange> removed_titles;
  std::string_view rows;  // a CatalogChange; "" for none
};

// The first frame in `bytes`, which begin at an address divisible by 8. corrupt: it is not whole.
// `verified`: its hash was compared before and need not be again.
Result<Frame> read_frame(std::string_view bytes, bool verified = false);

}  // namespace yore::lexical
