// Any bytes as a text: the analyser agrees with its twin, and folding twice is folding once.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "text/analyzer.hpp"
#include "unit/text/analyzer_twin.hpp"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static yore::text::Analyzer analyzer;
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto& terms = analyzer.analyze(text);
  const auto expected = yore::text::analyze_slowly(text);
  check(terms.size() == expected.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    check(terms[i].text == expected[i].text && terms[i].position == expected[i].position);
    check(terms[i].begin == expected[i].begin && terms[i].end == expected[i].end);
    check(terms[i].kind == expected[i].kind && terms[i].stemmable == expected[i].stemmable);
  }
  const std::string folded = yore::text::fold(text);
  check(yore::text::fold(folded) == folded);
  return 0;
}
