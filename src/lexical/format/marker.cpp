#include "lexical/format/marker.hpp"

#include <cstddef>

#include "text/analyzer.hpp"

namespace yore::lexical {

std::string marker_term(Marker kind, std::string_view value) {
  // Cut from the front: the end of a long path says more.
  constexpr std::size_t kMaxMarkerBytes = 250;
  std::string folded = text::fold(value);
  if (folded.size() > kMaxMarkerBytes) folded.erase(0, folded.size() - kMaxMarkerBytes);
  return static_cast<char>(kind) + folded;
}

}  // namespace yore::lexical
