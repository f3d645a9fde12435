#include "derive/passage_documents.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lexical/format/marker.hpp"

namespace yore::derive {
namespace {

using turns::Surface;

// The tools and files of one passage of compact renderings, a JSON object a line.
std::vector<std::string> markers_of(std::string_view renderings) {
  std::vector<std::string> terms;
  while (!renderings.empty()) {
    const std::size_t end = renderings.find('\n');
    const auto call = nlohmann::json::parse(renderings.substr(0, end), nullptr, false);
    renderings.remove_prefix(end == std::string_view::npos ? renderings.size() : end + 1);
    if (!call.is_object()) continue;
    const auto add = [&](const char* field, lexical::Marker kind) {
      const auto value = call.find(field);
      if (value == call.end() || !value->is_string()) return;
      terms.push_back(lexical::marker_term(kind, value->get_ref<const std::string&>()));
    };
    add("tool", lexical::Marker::tool);
    add("file", lexical::Marker::file);
  }
  return terms;
}

}  // namespace

std::uint64_t add_pack(const store::Store::PackRow& pack, const CatalogUpdate& rows,
                       PassageKinds take, Builders& builders) {
  const lexical::SessionOrd* const session = rows.find(pack.session);
  if (session == nullptr) return 0;
  const bool counts = rows.counts(*session);
  lexical::SegmentBuilder& conversation =
      counts ? builders.conversation : builders.kept_conversation;
  lexical::SegmentBuilder& details = counts ? builders.details : builders.kept_details;
  std::uint64_t documents = 0;
  for (std::size_t i = 0; i < pack.passages.size(); ++i) {
    const turns::Passage& passage = pack.passages[i];
    const bool said = store::kind_of(passage.surface) == store::kSaid;
    const auto part =
        static_cast<unsigned>(said ? PassageKinds::conversation : PassageKinds::details);
    if ((part & static_cast<unsigned>(take)) == 0 || passage.surface == Surface::own) continue;
    if (!rows.has_turn(*session, passage.turn)) continue;
    lexical::DocInfo info;
    info.key = static_cast<lexical::DocKey>(pack.first + static_cast<std::int64_t>(i));
    info.turn = rows.turn(*session, passage.turn);
    info.session = *session;
    info.tag = static_cast<std::uint8_t>(passage.surface);
    info.block = passage.block;
    if (said) {
      conversation.add(info, passage.text);
    } else if (passage.surface == Surface::calls) {
      details.add_markers(info, markers_of(passage.text));
    } else {
      details.add(info, passage.text);
    }
    ++documents;
  }
  return documents;
}

bool has_searchable_title(const store::SessionRow& session) {
  return !session.title.empty() && session.title_kind != "prompt" && session.title_kind != "slug";
}

}  // namespace yore::derive
