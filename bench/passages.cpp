#include "passages.hpp"

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
  auto packs = store.database().prepare("SELECT first,data FROM pack ORDER BY first");
  if (!packs) return packs.error();
  while (true) {
    const auto row = packs->step();
    if (!row) return row.error();
    if (!*row) return {};
    std::int64_t id = packs->integer(0);
    const auto passages = store::decode_pack(packs->text(1));
    if (!passages) return passages.error();
    for (const turns::Passage& passage : *passages) {
      if (is_searched(passage.surface)) visit(id, passage);
      ++id;
    }
  }
}

}  // namespace yore::bench
