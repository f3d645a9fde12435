#include "semantic/encoder.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/reference_encoder.hpp"
#include "unit/semantic/semantic_rows.hpp"

namespace yore::semantic {
namespace {

// What `kernels` make of a list of texts, one vector after the other.
std::vector<float> encode(const std::shared_ptr<const ModelFile>& model,
                          const std::vector<std::string>& texts,
                          const Kernels& kernels = best_kernels()) {
  auto encoder = Encoder::open(model, kernels);
  EXPECT_TRUE(encoder.ok());
  std::vector<float> out(texts.size() * kDimensions);
  encoder->encode(std::vector<std::string_view>(texts.begin(), texts.end()), out);
  return out;
}

std::span<const float> row(const std::vector<float>& vectors, std::size_t i) {
  return std::span(vectors).subspan(i * kDimensions, kDimensions);
}

struct OwnRows {
  std::vector<std::string> texts;
  std::vector<float> vectors;  // of the reference
};
// Of the texts of at most `max_bytes`: long ones take their time, without optimising above all.
OwnRows own_vectors(std::size_t max_bytes) {
  OwnRows own;
  for (const auto& line : own_rows("vectors.jsonl")) {
    const auto text = line["text"].get<std::string>();
    if (text.size() > max_bytes) continue;
    own.texts.push_back(text);
    const auto vector = line["vector"].get<std::vector<float>>();
    EXPECT_EQ(vector.size(), kDimensions);
    own.vectors.insert(own.vectors.end(), vector.begin(), vector.end());
  }
  return own;
}

TEST(Encoder, IsCloseToTheReferenceInEveryForm) {
  const auto model = open_model();
  for (const Kernels* form : kernels_here()) {
    const OwnRows own = own_vectors(form == &best_kernels() ? 10'000 : 60);
    const auto vectors = encode(model, own.texts, *form);
    double sum = 0;
    for (std::size_t i = 0; i < own.texts.size(); ++i) {
      const double close = cosine(row(vectors, i), row(own.vectors, i));
      EXPECT_GT(close, 0.98) << form->name << ": " << own.texts[i];
      sum += close;
    }
    EXPECT_GT(sum / static_cast<double>(own.texts.size()), 0.99) << form->name;
  }
}

TEST(Encoder, FormsAgreeToTheBitAndThePlainOneNearly) {
  const auto model = open_model();
  const OwnRows own = own_vectors(60);
  const auto plain = encode(model, own.texts, plain_kernels());
  const auto best = encode(model, own.texts);
  for (const Kernels* form : kernels_here()) {
    if (form == &plain_kernels()) continue;
    EXPECT_EQ(encode(model, own.texts, *form), best) << form->name;
  }
  for (std::size_t i = 0; i < own.texts.size(); ++i) {
    EXPECT_GT(cosine(row(best, i), row(plain, i)), 0.99) << own.texts[i];
  }
}

// The same weights, everything else in floating point: what is lost by bytes between the steps.
TEST(Encoder, IsCloserStillToTheSameWeightsInFloatingPoint) {
  const auto model = open_model();
  const fake::ReferenceEncoder reference(*model);
  WordPieces pieces(*model);
  const std::vector<std::string> texts = {"the cat sat on the mat",
                                          "undefined reference to `pthread_create'", "ok"};
  const auto vectors = encode(model, texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Tokens tokens;
    pieces.read(texts[i], kMaxTokens, tokens);
    EXPECT_GT(cosine(row(vectors, i), reference.vector_of(tokens)), 0.995) << texts[i];
  }
}

TEST(Encoder, GivesATextTheSameVectorWhateverItIsEncodedWith) {
  const auto model = open_model();
  std::vector<std::string> texts = own_vectors(60).texts;
  texts.resize(12);
  texts.push_back(own_vectors(600).texts.back());
  texts.push_back(texts.front());
  std::vector<const Kernels*> forms = kernels_here();
  std::ranges::reverse(forms);  // the plain ones last
  for (const Kernels* form : forms) {
    if (form == &plain_kernels()) texts.resize(4);
    const std::vector<std::string> reversed(texts.rbegin(), texts.rend());
    const auto together = encode(model, texts, *form);
    const auto backwards = encode(model, reversed, *form);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto alone = encode(model, {texts[i]}, *form);
      const auto mine = row(together, i);
      EXPECT_TRUE(std::ranges::equal(alone, mine)) << form->name << ": " << texts[i];
      EXPECT_TRUE(std::ranges::equal(row(backwards, texts.size() - 1 - i), mine)) << form->name;
    }
  }
}

TEST(Encoder, VectorsHaveLengthOneAndMeaning) {
  const auto vectors =
      encode(open_model(), {"the cat sat on the mat", "A feline rested on a rug.",
                            "docker: Error response from daemon: port is already allocated.", "",
                            std::string(100'000, '?')});
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(cosine(row(vectors, i), row(vectors, i)), 1, 1e-5);
  }
  EXPECT_GT(cosine(row(vectors, 0), row(vectors, 1)), 0.5);
  EXPECT_LT(cosine(row(vectors, 0), row(vectors, 2)), 0.2);
}

TEST(Encoder, ReadsOnlyTheFirstPiecesOfALongText) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "word ";
  const auto vectors = encode(open_model(), {text, text + "and something else entirely"});
  EXPECT_TRUE(std::ranges::equal(row(vectors, 0), row(vectors, 1)));
}

}  // namespace
}  // namespace yore::semantic
