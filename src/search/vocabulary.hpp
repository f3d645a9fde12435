// vocabulary.hpp — the words and numbers that people, models and programs use, written once: modes,
// orders, surfaces, fields of a query, limits. Flags, help, tool schemas and the library are made
// from these tables, so one more of something is one more row here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lexical/format/types.hpp"
#include "store/store.hpp"
#include "turns/turn_types.hpp"

namespace yore::search {

enum class SearchMode : std::uint8_t { hybrid, keyword, semantic };
enum class SortBy : std::uint8_t { relevance, time };

// In the order of their values.
inline constexpr std::array<std::string_view, 3> kModeNames = {"hybrid", "keyword", "semantic"};
inline constexpr std::array<std::string_view, 2> kOrderNames = {"relevance", "time"};

// What a hit is that is no turn of a conversation: "note", "prompts"; else "".
std::string_view kind_name(store::Standing standing);

std::string_view mode_name(SearchMode mode);
std::optional<SearchMode> mode_named(std::string_view name);
std::optional<SortBy> order_named(std::string_view name);

// Fields of a query: "project:shop".
inline constexpr std::array<std::string_view, 8> kFieldNames = {
    "project", "agent", "branch", "model", "file", "tool", "session", "tag"};
// Fields that know a few words only: "has:tool", "is:starred".
inline constexpr std::array<std::string_view, 3> kStateNames = {"has:tool", "is:starred",
                                                                "is:superseded"};

// A part of conversations that can be searched by itself.
struct SurfaceName {
  std::string_view name;
  std::uint8_t tag = 0;          // of its documents in the keyword index
  bool conclusion_only = false;  // of answers: what was said last
  std::string_view gloss = {};   // for those who cannot know
};
constexpr std::uint8_t tag_of(turns::Surface surface) {
  return static_cast<std::uint8_t>(surface);
}
// Who or what said it.
inline constexpr std::array kTypes = {
    SurfaceName{"user", tag_of(turns::Surface::user_prompt)},
    SurfaceName{"assistant", lexical::kAnswerTag},
    SurfaceName{"tool", tag_of(turns::Surface::tool)},
    SurfaceName{"thinking", tag_of(turns::Surface::thinking)},
};
// The same, finer.
inline constexpr std::array kSurfaces = {
    SurfaceName{"user_prompt", tag_of(turns::Surface::user_prompt)},
    SurfaceName{"assistant_summary", lexical::kAnswerTag, true, "conclusions"},
    SurfaceName{"assistant_full", lexical::kAnswerTag},
    SurfaceName{"tool", tag_of(turns::Surface::tool)},
    SurfaceName{"thinking", tag_of(turns::Surface::thinking)},
    SurfaceName{"title", lexical::kTitleTag},
    SurfaceName{"note", lexical::kNoteTag, false, "memory files"},
};
// What a program searches that names none: what was asked, concluded and given as a title.
inline constexpr std::array<std::string_view, 3> kLeanSurfaces = {
    kSurfaces[0].name, kSurfaces[1].name, kSurfaces[5].name};
inline constexpr std::string_view kWholeAnswers = kSurfaces[2].name;

template <std::size_t size>
constexpr std::array<std::string_view, size> names_of(const std::array<SurfaceName, size>& rows) {
  std::array<std::string_view, size> names;
  for (std::size_t i = 0; i < size; ++i) names[i] = rows[i].name;
  return names;
}
inline constexpr auto kTypeNames = names_of(kTypes);
inline constexpr auto kSurfaceNames = names_of(kSurfaces);
// Types that are not surfaces under the same name: where both may be named, these come as well.
inline constexpr std::array<std::string_view, 2> kCoarseNames = {kTypes[0].name, kTypes[1].name};

// Rows of one page, whatever is asked for.
inline constexpr std::uint32_t kMostRows = 100;
// Where nothing is asked for.
inline constexpr std::uint32_t kHits = 5;  // of a search; models get more at once
inline constexpr std::uint32_t kHitsOfATool = 10;
inline constexpr std::uint32_t kSessionsListed = 50;
inline constexpr std::uint32_t kTurnsRead = 10;
inline constexpr std::uint32_t kHitsPerSession = 3;
inline constexpr double kHalfLifeDays = 30;

// A number of rows as it is asked for, and whether it had to be reduced to kMostRows.
struct PageSize {
  std::uint32_t rows = 0;
  bool reduced = false;
};
constexpr PageSize page_size(std::uint64_t wanted) {
  return wanted > kMostRows ? PageSize{kMostRows, true}
                            : PageSize{static_cast<std::uint32_t>(wanted), false};
}

// "a, b, c"; with `last`, "a, b or c".
std::string joined(std::span<const std::string_view> names, std::string_view last = ", ");

}  // namespace yore::search
