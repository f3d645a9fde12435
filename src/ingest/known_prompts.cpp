#include "ingest/known_prompts.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "text/secrets/secrets.hpp"
#include "text/utf8.hpp"

namespace yore::ingest {
namespace {

// A history is written when the prompt is sent, a transcript when it is taken up.
constexpr std::chrono::seconds kSameMoment{10};

class OnlyNews final : public transcript::RecordSink {
 public:
  OnlyNews(const std::vector<Time>& known, const store::Tombstones& forgotten,
           transcript::RecordSink& next)
      : known_(known), forgotten_(forgotten), next_(next) {}

  void record(const transcript::Record& record) override {
    const auto at = std::ranges::lower_bound(known_, record.time - kSameMoment);
    const bool there =
        record.time != kNoTime && at != known_.end() && *at <= record.time + kSameMoment;
    const bool gone = std::ranges::any_of(record.blocks, [&](const transcript::Block& block) {
      // A store that keeps no secrets knew the prompt without them.
      return forgotten_.has_turn(hash_of_prompt(block.text)) ||
             forgotten_.has_turn(hash_of_prompt(text::masked(block.text)));
    });
    if (!there && !gone) next_.record(record);
  }
  void problem(transcript::ProblemKind kind, std::uint64_t line) override {
    next_.problem(kind, line);
  }
  void unknown(std::string_view what) override { next_.unknown(what); }

 private:
  const std::vector<Time>& known_;
  const store::Tombstones& forgotten_;
  transcript::RecordSink& next_;
};

}  // namespace

std::uint64_t hash_of_prompt(std::string_view text) {
  return hash64(text::trim(text), hash64("a line of a history"));
}

Result<SessionSource> without_known_prompts(SessionSource source, store::Writer& states,
                                            std::string_view directory,
                                            const store::Tombstones& forgotten) {
  auto times = states.prompt_times(directory);
  if (!times) return times.error();
  std::ranges::sort(*times);
  source.read = [known = std::move(*times), &forgotten, read = std::move(source.read)](
                    const transcript::Cursor& cursor, const transcript::ReadLimits& limits,
                    transcript::RecordSink& sink) {
    OnlyNews news(known, forgotten, sink);
    return read(cursor, limits, news);
  };
  return source;
}

}  // namespace yore::ingest
