// yore embed on the real program and the real model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/files/file.hpp"
#include "e2e/sandbox.hpp"
#include "semantic/encoder.hpp"

namespace yore::e2e {
namespace {

const std::string kModel =
    std::string(YORE_SOURCE_DIR "/models/") + std::string(semantic::kModelName);

class Embed : public testing::Test {
 protected:
  // The vector that `yore embed ARGS --json` prints.
  [[nodiscard]] std::vector<float> vector_of(std::vector<std::string> args) const {
    args.insert(args.begin(), "embed");
    args.emplace_back("--json");
    const Ran ran = box_.run(args);
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
    EXPECT_EQ(ran.err, "");
    return ran.json()["vector"].get<std::vector<float>>();
  }
  void expect_failure(const std::vector<std::string>& args, int code, std::string_view says) const {
    const Ran ran = box_.run(args);
    EXPECT_EQ(ran.code, code);
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(has(ran.err, says)) << ran.err;
    std::vector<std::string> with_json = args;
    with_json.emplace_back("--json");
    const Ran json = box_.run(with_json);
    EXPECT_EQ(json.code, code);
    EXPECT_TRUE(has(json.json()["error"]["message"].get<std::string>(), says)) << json.out;
  }

  Sandbox box_;
};

float dot(const std::vector<float>& a, const std::vector<float>& b) {
  float sum = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += a[i] * b[i];
  return sum;
}

TEST_F(Embed, PrintsTheVectorThatTheEncoderGivesToTheBit) {
  const Ran ran = box_.run({"embed", "why does nginx answer 502?", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = ran.json();
  EXPECT_EQ(json["model"], "all-MiniLM-L6-v2");
  EXPECT_EQ(json["dim"], 384);
  auto model = semantic::ModelFile::open(kModel);
  ASSERT_TRUE(model.ok());
  auto encoder =
      semantic::Encoder::open(std::make_shared<const semantic::ModelFile>(std::move(*model)));
  ASSERT_TRUE(encoder.ok());
  std::vector<float> expected(semantic::kDimensions);
  const std::string_view text = "why does nginx answer 502?";
  encoder->encode(std::span(&text, 1), expected);
  EXPECT_EQ(json["vector"].get<std::vector<float>>(), expected);
}

TEST_F(Embed, VectorsHaveLengthOneAndAreCloseWhenTheMeaningIs) {
  const auto cat = vector_of({"a cat sat on the mat"});
  ASSERT_EQ(cat.size(), 384U);
  EXPECT_NEAR(dot(cat, cat), 1.0F, 1e-5F);
  EXPECT_GT(dot(cat, vector_of({"the kitten is on the rug"})),
            dot(cat, vector_of({"quarterly tax forms for companies"})) + 0.2F);
}

TEST_F(Embed, TakesWordsASentenceOrStandardInputAlike) {
  const auto sentence = vector_of({"retry the upload"});
  EXPECT_EQ(vector_of({"retry", "the", "upload"}), sentence);
  const std::string file = box_.write(box_.in_home("text"), "retry the upload\n");
  const Ran ran = box_.run({"embed", "-", "--json"}, file);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["vector"].get<std::vector<float>>(), sentence);
}

TEST_F(Embed, ShowsPeopleAShortForm) {
  const Ran ran = box_.run({"embed", "retry the upload"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "model   all-MiniLM-L6-v2\ndim     384\nnorm    1.000000\nvector  "))
      << ran.out;
  EXPECT_EQ(std::ranges::count(ran.out, '\n'), 4) << ran.out;
}

TEST_F(Embed, AnEmptyTextIsWrongUse) {
  expect_failure({"embed"}, 2, "the text is empty");
  expect_failure({"embed", "  "}, 2, "the text is empty");
  expect_failure({"embed", "-"}, 2, "the text is empty");
}

TEST_F(Embed, WithoutItsModelTheProgramIsBroken) {
  box_.set_env("YORE_MODEL", box_.in_home("none.yoremodel"));
  expect_failure({"embed", "text"}, 3, "the model file was not found");
}

TEST_F(Embed, OneWrongByteOfTheModelIsSeen) {
  std::string bytes = *read_file(kModel);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  box_.set_env("YORE_MODEL", box_.write(box_.in_home("bad.yoremodel"), bytes));
  expect_failure({"embed", "text"}, 3, "the model file is damaged");
  box_.write(box_.in_home("bad.yoremodel"), std::string_view(bytes).substr(0, bytes.size() - 1));
  expect_failure({"embed", "text"}, 3, "the model file is damaged");
}

}  // namespace
}  // namespace yore::e2e
