#include "passages.hpp"

#include <limits>

#include "store/pack.hpp"

namespace yore::bench {

bool is_conversation(turns::Surface surface) {
  return surface == turns::Surface::user_prompt || surface == turns::Surface::assistant_text;
}

bool is_searched(turns::Surface surface) {
  return is_conversation(surface) || surface == turns::Surface::tool ||
         surface == turns::Surface::thinking;
}

Status each_passage(store::Store& store, const VisitPassage& visit) {
  constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
  return store.each_pack(0, kEnd, store::kAllPassages, [&](store::Store::PackRow&& pack) {
    std::int64_t id = pack.first;
    for (const turns::Passage& passage : pack.passages) {
      if (is_searched(passage.surface)) visit(id, passage);
      ++id;
    }
    return true;
  });
}

}  // namespace yore::bench
