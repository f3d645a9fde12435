// painted_text.hpp — text with coloured pieces, wrapped. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "render/paint.hpp"

namespace yore::render {

struct PaintedSpan {
  std::size_t begin = 0;  // bytes
  std::size_t end = 0;
  Paint paint = Paint::plain;
  std::string_view url = {};  // where it leads; must outlive the call
};

// text::wrap() with the spans painted, everything else in `base`; indents stay unpainted, and no
// colour reaches over the end of a line. Spans are in order and do not overlap; `text` must already
// be safe.
std::string wrap_painted(std::string_view text, const std::vector<PaintedSpan>& spans, Paint base,
                         std::size_t columns, std::string_view indent, const Style& style);

}  // namespace yore::render
