// rank.hpp — stage 2: candidates judged with their whole turn, their whole session and their age.
// Pure: numbers in, order out.
//
//   relevance = passage + turn_share * (turn - passage) + session_share * session
//   score     = relevance * (1 - recency_share + recency_share * 2^(-age / half-life))
//
// passage is the best passage's weighted BM25; turn adds up, word by word, the best that any
// passage of the turn has, so words spread over a turn count; session is BM25 of everything said in
// the session taken as one document. Age takes away at most recency_share, so it decides between
// equals and never lifts what is beside the point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace yore::ranking {

// Measured with bench/quality on one half of the questions.
struct Constants {
  double turn_share = 0.4;
  double session_share = 2.0;
  double recency_share = 0.2;
};

// What stage 1 found out about one turn, in BM25 points.
struct Evidence {
  double passage = 0;
  double turn = 0;
  double session = 0;
  std::int64_t last_time_ms = 0;  // 0: unknown, counts as very old
};

struct Score {
  double relevance = 0;
  double recency = 1;  // the factor
  double total = 0;
};

// `now_ms` should be rounded, so that equal questions give equal answers.
Score judge(const Evidence& evidence, std::int64_t now_ms, std::optional<double> half_life_days,
            const Constants& constants);

// How a candidate is shown, or why not.
enum class Standing : std::uint8_t { shown, subagent, automated, current };

struct Ranked {
  std::size_t candidate = 0;  // index into what was judged
  Standing standing = Standing::shown;
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
Page fill_page(const std::vector<Ranked>& best_first, std::size_t limit, std::size_t per_session);

}  // namespace yore::ranking
