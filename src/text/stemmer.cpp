#include <libstemmer.h>

#include <cstdlib>
#include <limits>

#include "text/analyzer.hpp"

namespace yore::text {

struct Stemmer::Context {
  struct Free {
    void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
  };
  std::unique_ptr<sb_stemmer, Free> english{sb_stemmer_new("english", "UTF_8")};
};

Stemmer::Stemmer() : context_(std::make_unique<Context>()) {
  if (!context_->english) std::abort();  // no memory: the algorithm itself is compiled in
}
Stemmer::~Stemmer() = default;
Stemmer::Stemmer(Stemmer&&) noexcept = default;
Stemmer& Stemmer::operator=(Stemmer&&) noexcept = default;

std::string_view Stemmer::stem(std::string_view folded) {
  if (folded.size() > std::numeric_limits<int>::max()) return folded;
  sb_stemmer* english = context_->english.get();
  const auto* word = reinterpret_cast<const sb_symbol*>(folded.data());
  const sb_symbol* stem = sb_stemmer_stem(english, word, static_cast<int>(folded.size()));
  if (stem == nullptr) return folded;
  return {reinterpret_cast<const char*>(stem),
          static_cast<std::size_t>(sb_stemmer_length(english))};
}

}  // namespace yore::text
