#include "search/search_page.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "search/reader.hpp"
#include "text/utf8.hpp"
#include "turns/turn_reader.hpp"

namespace yore::search {
namespace {

using lexical::Search;
using turns::Surface;

constexpr std::size_t kShortestChunk = 8;

// The bit of Search::TurnEvidence::tags that stands for it.
constexpr std::uint16_t bit_of(const SurfaceName& surface) {
  if (surface.conclusion_only) return Search::kConclusionBit;
  return static_cast<std::uint16_t>(1U << surface.tag);
}

// The surface of the document that was found.
std::uint16_t bit_of(const lexical::Snapshot& snapshot, const lexical::Candidate& candidate) {
  const lexical::Segment& segment = snapshot.segments(candidate.family)[candidate.segment].segment;
  const std::uint8_t tag = segment.tags()[candidate.doc];
  const std::uint16_t conclusion = snapshot.catalog().turns()[candidate.turn].summary_block;
  if (tag == lexical::kAnswerTag && segment.blocks()[candidate.doc] == conclusion) {
    return Search::kConclusionBit;
  }
  return static_cast<std::uint16_t>(1U << tag);
}

std::string_view name_of(std::uint16_t bit) {
  for (const SurfaceName& each : kSurfaces) {
    if (bit_of(each) == bit) return each.name;
  }
  return kWholeAnswers;
}

void add_messages(turns::WholeTurn turn, bool is_hit, std::vector<Message>& out) {
  if (!turn.user_text.empty()) {
    out.push_back({"user", std::move(turn.user_text), turn.number, is_hit});
  }
  if (!turn.assistant_text.empty()) {
    out.push_back({"assistant", std::move(turn.assistant_text), turn.number, is_hit});
  }
}

// The turn's place and times, without any text.
Hit hit_without_text(store::SessionRow session, const turns::Turn& turn, const ScoredTurn& judged,
                     const lexical::TurnRow& row, const TurnFacts& facts,
                     const transcript::AgentRegistry& agents) {
  Hit hit;
  hit.score = judged.score.total;
  hit.session = std::move(session);
  hit.turn_number = row.number;
  hit.line = turn.line;
  hit.chunk_id = turns::chunk_text(row.chunk);
  hit.chunk_short = facts.chunk_short;
  hit.timestamp = turn.first_time == kNoTime ? turn.last_time : turn.first_time;
  hit.abandoned = turn.abandoned;
  hit.source_missing = hit.session.missing_since != kNoTime;
  hit.kind = kind_name(hit.session.standing);
  hit.superseded = hit.session.standing == store::Standing::edition;
  hit.copies = facts.copies;
  hit.origin = row.origin;
  if (auto command = resume_command(hit.session, agents)) hit.resume = std::move(*command);
  return hit;
}

// The neighbours of `texts[found]` in its block.
FoundPassage among(const std::vector<turns::Passage>& texts, std::size_t found) {
  FoundPassage passage;
  passage.text = texts[found].text;
  const auto same_block = [&](const turns::Passage& other) {
    return other.turn == texts[found].turn && other.surface == texts[found].surface &&
           other.block == texts[found].block;
  };
  for (std::size_t i = found; i > 0 && same_block(texts[i - 1]); --i) {
    if (passage.before.size() > store::kContextBytes) break;
    passage.before.insert(0, texts[i - 1].text);
  }
  for (std::size_t i = found + 1; i < texts.size() && same_block(texts[i]); ++i) {
    if (passage.after.size() > store::kContextBytes) break;
    passage.after += texts[i].text;
  }
  return passage;
}

// What was said last in a turn.
std::string conclusion_of(const turns::Turn& turn, const std::vector<turns::Passage>& passages) {
  std::string said;
  for (const turns::Passage& passage : passages) {
    const bool last = passage.turn == turn.number && passage.surface == Surface::assistant_text &&
                      passage.block + 1 == turn.assistant_blocks;
    if (last && said.size() < 4 * kBesideChars) said += passage.text;
  }
  return said;
}

// What stands right before the hit and right after it.
Status add_beside(const PageTools& tools, const turns::Turn& turn, store::SessionId id,
                  const std::vector<turns::Passage>& texts, Hit& hit) {
  const auto cut = [](std::string_view text) {
    return std::string(text::first_chars(text, kBesideChars));
  };
  if (turn.number > 0) {
    turns::Turn before;
    before.number = turn.number - 1;
    const turns::WholeTurn whole = turns::read_from_passages(before, texts);
    if (!whole.user_text.empty()) hit.before = Beside{before.number, cut(whole.user_text)};
  }
  const auto after = tools.store.turn(id, turn.number + 1);
  if (!after) return after.error();
  if (!*after) return {};
  const std::string said = conclusion_of(**after, texts);
  if (!said.empty()) hit.after = Beside{(*after)->number, cut(said)};
  return {};
}

// Adds what was said in the turn and in `context` turns around it. The passage that was found,
// empty when none of it is text of a turn.
Result<FoundPassage> add_texts(const PageTools& tools, const ScoredTurn& judged,
                               const turns::Turn& turn, store::SessionId id,
                               const SearchRequest& request, Hit& hit) {
  const std::uint32_t first = turn.number - std::min(turn.number, request.context);
  const std::uint32_t last = turn.number + request.context;
  const std::uint32_t more = request.beside && request.context == 0 ? 1 : 0;
  auto passages =
      tools.store.passages_of(id, first - std::min(first, more), last + more, store::kSaid);
  if (!passages) return passages.error();
  std::vector<turns::Passage> texts;
  texts.reserve(passages->size());
  FoundPassage best;
  std::optional<std::size_t> found;
  const lexical::Family family = lexical::counted_as(judged.candidate.family);
  for (auto& [key, passage] : *passages) {
    const bool is_best = family == lexical::Family::conversation && !judged.whole &&
                         static_cast<std::int64_t>(key) == judged.candidate.key;
    if (is_best) found = texts.size();
    texts.push_back(std::move(passage));
  }
  if (found) best = among(texts, *found);
  if (!judged.whole && family == lexical::Family::detail) {
    auto passage = tools.store.passage_in_context(store::PassageId{judged.candidate.key});
    if (!passage) return passage.error();
    if (*passage) {
      best = {std::move((*passage)->before), std::move((*passage)->text),
              std::move((*passage)->after)};
    }
  }
  if (request.beside) {
    if (Status status = add_beside(tools, turn, id, texts, hit); !status) return status.error();
  }
  for (std::uint32_t number = first; number <= last; ++number) {
    const bool is_hit = number == turn.number;
    auto neighbour =
        is_hit ? Result<std::optional<turns::Turn>>(turn) : tools.store.turn(id, number);
    if (!neighbour) return neighbour.error();
    if (!*neighbour) break;
    turns::WholeTurn whole = turns::read_from_passages(**neighbour, texts);
    if (is_hit) {
      hit.conclusion_begin = turns::conclusion_begin(**neighbour, texts, whole.assistant_text);
    }
    add_messages(std::move(whole), is_hit, hit.messages);
  }
  return best;
}

// The surface that was found first, then the others that match: what was said, the title, details.
std::vector<std::string> surfaces_of(const PageTools& tools, const ScoredTurn& judged) {
  std::vector<std::string> surfaces;
  const std::uint16_t found =
      judged.whole ? std::uint16_t{0} : bit_of(tools.snapshot, judged.candidate);
  if (found != 0) surfaces.emplace_back(name_of(found));
  for (const auto family :
       {lexical::Family::conversation, lexical::Family::title, lexical::Family::detail}) {
    for (const SurfaceName& each : kSurfaces) {
      const std::uint16_t bit = bit_of(each);
      if (lexical::family_of(each.tag) != family) continue;
      if (bit != found && (judged.tags & bit) != 0) surfaces.emplace_back(each.name);
    }
  }
  return surfaces;
}

}  // namespace

std::vector<TurnFacts> facts_of(const lexical::Catalog& catalog,
                                std::span<const lexical::TurnOrd> turns) {
  // One pass over all turns, whatever the number of hits; a word of bits leaves out most rows.
  struct Wanted {
    const lexical::TurnRow* row = nullptr;
    std::set<lexical::SessionOrd> others;
    std::size_t shared = 0;  // leading digits of the chunk id that another turn has as well
  };
  const auto bit = [](std::uint64_t value) { return std::uint64_t{1} << (value % 64); };
  std::vector<Wanted> wanted;
  std::uint64_t origins = 0;
  std::uint64_t chunks = 0;
  for (const lexical::TurnOrd turn : turns) {
    const lexical::TurnRow& row = catalog.turns()[turn];
    wanted.push_back({&row, {}, 0});
    origins |= bit(row.origin);
    chunks |= bit(row.chunk >> 16);
  }
  for (const lexical::TurnRow& other : catalog.turns()) {
    const bool maybe = (origins & bit(other.origin)) != 0 || (chunks & bit(other.chunk >> 16)) != 0;
    if (!maybe || (other.flags & lexical::kTurnGone) != 0) continue;
    for (Wanted& each : wanted) {
      const lexical::TurnRow& row = *each.row;
      const bool copy = row.origin != 0 && other.origin == row.origin;
      if (copy && other.session != row.session) each.others.insert(other.session);
      if (other.chunk >> 16 != row.chunk >> 16 || other.chunk == row.chunk) continue;
      const auto differs = static_cast<unsigned>(std::countl_zero(other.chunk ^ row.chunk)) - 16;
      each.shared = std::max<std::size_t>(each.shared, differs / 4);
    }
  }
  std::vector<TurnFacts> facts;
  for (const Wanted& each : wanted) {
    const std::string text = turns::chunk_text(each.row->chunk);
    const std::size_t digits = std::max(kShortestChunk, std::min(text.size(), each.shared + 1));
    facts.push_back({each.others.size(), text.substr(0, digits)});
  }
  return facts;
}

Result<Hit> make_hit(const PageTools& tools, const ScoredTurn& judged, const TurnFacts& facts,
                     const SearchRequest& request, const text::MatchTerms& matched) {
  const lexical::Catalog& catalog = tools.snapshot.catalog();
  const lexical::TurnRow& row = catalog.turns()[judged.candidate.turn];
  if (!judged.whole) {
    const lexical::Candidate& at = judged.candidate;
    const lexical::Segment& segment = tools.snapshot.segments(at.family)[at.segment].segment;
    if (Status status = segment.check_key(at.doc); !status) return status.error();
  }
  const store::SessionId id{catalog.sessions()[row.session].store_id};
  auto session = tools.store.session(id);
  if (!session) return session.error();
  const auto turn = tools.store.turn(id, row.number);
  if (!turn) return turn.error();
  if (!*session || !*turn) return Error{Errc::not_found, "a turn was removed meanwhile"};

  Hit hit = hit_without_text(std::move(**session), **turn, judged, row, facts, tools.agents);
  hit.marks = tools.marks.on_turn(row.origin, row.chunk);
  hit.marks.include(tools.marks.on_session(edition_base(hit.session.uid)));
  auto best = add_texts(tools, judged, **turn, id, request, hit);
  if (!best) return best.error();
  hit.surfaces = surfaces_of(tools, judged);
  hit.found = std::move(*best);
  if (judged.candidate.family == lexical::Family::title) hit.found = {"", hit.session.title, ""};
  if (judged.whole) {
    const std::string& first =
        hit.messages.empty() ? hit.session.title : hit.messages.front().content;
    hit.found = {"", std::string(text::prefix_bytes(first, store::kContextBytes)), ""};
  }
  hit.snippet =
      text::make_snippet(hit.found.text, matched, kSnippetLength, tools.analyzer, tools.stemmer);
  hit.snippet_surface = hit.surfaces.empty() ? "" : hit.surfaces.front();
  return hit;
}

std::vector<ScorePart> explain(const ScoredTurn& judged, const lexical::Search& search) {
  std::vector<ScorePart> parts;
  for (std::size_t leaf = 0; leaf < judged.leaves.size(); ++leaf) {
    if (judged.leaves[leaf] == 0) continue;
    const lexical::Leaf& asked = search.leaves()[leaf];
    std::string name;
    for (const std::string& term : asked.terms) {
      if (name.size() > 40) {
        name += " …";
        break;
      }
      name += (name.empty() ? "" : " ") + term;
    }
    const std::uint64_t said = search.frequency(leaf, lexical::Family::conversation);
    const std::uint64_t details = search.frequency(leaf, lexical::Family::detail);
    parts.push_back({"term " + name, static_cast<double>(judged.leaves[leaf]) / lexical::kScoreOne,
                     "in " + std::to_string(said) + " passages of conversation and " +
                         std::to_string(details) + " of tool output and thinking"});
  }
  parts.push_back({"passage", judged.evidence.passage, "best passage, weighted by its surface"});
  parts.push_back({"turn", judged.evidence.turn, "best of each word anywhere in the turn"});
  parts.push_back({"session", judged.evidence.session, "everything said in the session"});
  parts.push_back({"coverage", judged.evidence.coverage, "share of the question's words it holds"});
  if (judged.evidence.cosine) {
    parts.push_back({"meaning", *judged.evidence.cosine, "cosine of its nearest passage"});
  }
  if (judged.evidence.dated > 0) {
    parts.push_back(
        {"date", judged.evidence.dated, "1 on the date that was named, less beside it"});
  }
  parts.push_back({"words", judged.score.words, "passage, turn, session and coverage together"});
  parts.push_back(
      {"relevance", judged.score.relevance, "by words, by meaning or by both, and by date"});
  parts.push_back({"recency", judged.score.recency, "factor by age"});
  parts.push_back({"score", judged.score.total, "relevance times recency"});
  return parts;
}

}  // namespace yore::search
