// masked_hits.hpp — secrets in a hit of a search. For service/masking.cpp.
//
// The snippet was cut from a passage, and a passage from a block: both may begin or end in the
// middle of a secret. So it is masked with what stands around it, and cut again.
#pragma once

#include <string>
#include <vector>

#include "search/searcher.hpp"

namespace yore::service {

class Masker;

class HitMasker {
 public:
  // `asked`: secrets of the question, in small letters. All must outlive it.
  HitMasker(const Masker& mask, const text::MatchTerms& matched,
            const std::vector<std::string>& asked)
      : mask_(mask), matched_(matched), asked_(asked) {}

  void operator()(search::Hit& hit);

 private:
  std::size_t mask_messages(search::Hit& hit) const;
  std::size_t mask_snippet(search::Hit& hit);
  void mask_explanation(search::Hit& hit) const;

  const Masker& mask_;
  const text::MatchTerms& matched_;
  const std::vector<std::string>& asked_;
  text::Analyzer analyzer_;
  text::Stemmer stemmer_;
};

}  // namespace yore::service
