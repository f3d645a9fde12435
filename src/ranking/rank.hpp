// rank.hpp — stage 2: candidates judged with their whole turn, their whole session, their meaning
// and their age. Pure: numbers in, order out.
//
//   words     = passage + turn_share * (turn - passage) + session_share * session
//               + coverage_share * asked * coverage^4
//   relevance = words                                                by words alone
//             = trust * words / best words + meaning_share * nearness   by words and meaning
//             = cosine                                               by meaning alone
//             = dated                                                by date alone
//   relevance + date_share * best relevance * dated                  when a date was named
//   score     = relevance * (1 - recency_share + recency_share * 2^(-age / half-life))
//
// passage is the best passage's weighted BM25; turn adds up, word by word, the best that any
// passage of the turn has, so words spread over a turn count; session is BM25 of everything said in
// the session taken as one document; coverage is the share of the question's words, by their
// weight, that the turn holds anywhere: who pastes a command or a path means the turn that holds
// all of it. Age takes away at most recency_share, so it decides between equals and never lifts
// what is beside the point.
//
// Words are trusted as far as they go: when no candidate holds much of the question (a paraphrase),
// meaning decides; when one holds all of it (an identifier, an error message), words do. nearness
// is the cosine between a floor and the best of the candidates. A candidate whose vector is not
// there yet is as near as its words say, so that being embedded later pushes nothing down.
//
// A date in the question ("on 3 June") says when the turn was: dated is 1 there and halves every
// two days away from it. It is seldom said in the turn itself, and it may be the date of something
// else, so it adds and never excludes. A question that says only when goes by it alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace yore::ranking {

// Measured with bench/quality on one half of the questions.
struct Constants {
  double turn_share = 0.3;
  double session_share = 2.25;
  double recency_share = 0.2;
  double coverage_share = 0.5;
  double meaning_share = 0.45;
  double date_share = 0.4;
  double scripted_share = 0.05;  // off what came by a program: decides between near equals
  double full_trust = 0.4;       // coverage from which words are trusted fully
  double cosine_floor = 0.1;     // what two unrelated texts have
  double shown_from = 0.3;       // cosine of what holds no word of the question
  double relevant_from = 0.80;   // coverage + cosine of something that is to the point
  double usual_cosine = 0.45;    // in place of one that is not known
};

// What a passage counts in stage 1 by where it stands, in 1/256: what was asked and concluded
// counts whole, noise less, so that it comes below. A search that names where to look counts that
// whole.
struct SurfaceWeights {
  std::uint16_t said = 256;
  std::uint16_t earlier_answer = 224;  // than the conclusion of its turn
  std::uint16_t tool = 96;
  std::uint16_t thinking = 80;
};

// What stage 1 found out about one turn, in BM25 points.
struct Evidence {
  double passage = 0;
  double turn = 0;
  double session = 0;
  std::int64_t last_time_ms = 0;  // 0: unknown, counts as very old
  double asked = 0;               // weight of all words of the question
  double coverage = 0;            // 0..1
  bool scripted = false;          // a program passed the prompt on
  double dated = 0;               // 0..1: how near it lies to the date that was named
  std::optional<double> cosine;   // of the turn's nearest passage; nullopt: it has no vector yet
};

struct Score {
  double words = 0;
  double nearness = 0;  // 0..1; only by words and meaning
  double relevance = 0;
  double recency = 1;  // the factor
  double total = 0;
};

enum class RankBy : std::uint8_t { words, meaning, both, date };

// How far words are trusted, 0..1.
double trust_in_words(std::span<const Evidence> candidates, const Constants& constants);

// One score per candidate; by words and meaning they depend on each other. `now_ms` should be
// rounded, so that equal questions give equal answers.
std::vector<Score> judge(std::span<const Evidence> candidates, RankBy basis, std::int64_t now_ms,
                         std::optional<double> half_life_days, const Constants& constants);

// Is it worth a place on the page? By words and meaning the nearest turns come along whether or
// not they are near at all.
bool is_worth_showing(const Evidence& evidence, RankBy basis, const Constants& constants);

// Is the best candidate to the point, or only the nearest there is?
bool is_relevant(const Evidence& best, const Constants& constants);

// How likely it is what was asked for, 0..1: a logistic regression on judged questions
// (bench/recall), so that of many turns of which it says 0.8 about eight in ten are; by words alone
// where the cosine is not known.
double likelihood(const Evidence& evidence);

// How a candidate is shown, or why not.
enum class Visibility : std::uint8_t { shown, subagent, automated, current };

struct PageCandidate {
  std::size_t candidate = 0;  // index into what was judged
  Visibility standing = Visibility::shown;
  std::uint64_t session = 0;  // equal for candidates of one session
};

struct Page {
  std::vector<std::size_t> candidates;  // best first
  std::size_t subagents = 0;            // hidden ones that would have been on the page
  std::size_t automated = 0;
  std::size_t current = 0;
  bool more = false;  // candidates that were left over
};

// Takes the best `limit` that may be shown, at most `per_session` of one session (0: any number).
Page fill_page(const std::vector<PageCandidate>& best_first, std::size_t limit,
               std::size_t per_session);

}  // namespace yore::ranking
