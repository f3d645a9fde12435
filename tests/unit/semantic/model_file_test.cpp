// Files that are not what they claim to be. The model of the source tree is the sound one.
#include "semantic/model_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "semantic/encoder.hpp"
#include "support/temp_dir.hpp"
#include "unit/semantic/semantic_rows.hpp"

namespace yore::semantic {
namespace {

class ModelFileTest : public ::testing::Test {
 protected:
  void SetUp() override { bytes_ = *read_file(kModelPath); }
  ModelHeader header() const {
    ModelHeader header;
    std::memcpy(&header, bytes_.data(), sizeof header);
    return header;
  }
  // Puts a header in place, with the hash it must have.
  void set_header(ModelHeader header) {
    constexpr std::size_t kChecked = offsetof(ModelHeader, file_size);
    std::memcpy(bytes_.data(), &header, sizeof header);
    header.hash = hash64(std::string_view(bytes_).substr(kChecked, sizeof header - kChecked));
    std::memcpy(bytes_.data(), &header, sizeof header);
  }
  // A file with these bytes. One file serves a whole test, and only what is different is written.
  Result<ModelFile> open() {
    constexpr std::size_t kPiece = 4096;
    const bool fresh = !is_regular_file(path_) || written_.size() != bytes_.size();
    if (fresh) std::ofstream(path_, std::ios::trunc).close();
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    for (std::size_t at = 0; at < bytes_.size(); at += kPiece) {
      const std::size_t size = std::min(kPiece, bytes_.size() - at);
      if (!fresh && std::memcmp(bytes_.data() + at, written_.data() + at, size) == 0) continue;
      file.seekp(static_cast<std::streamoff>(at));
      file.write(bytes_.data() + at, static_cast<std::streamsize>(size));
    }
    file.close();
    EXPECT_TRUE(file.good());
    written_ = bytes_;
    return ModelFile::open(path_);
  }
  void expect(Errc code, std::string_view words) {
    const auto model = open();
    ASSERT_FALSE(model.ok()) << words;
    EXPECT_EQ(model.error().code, code) << model.error().message;
    EXPECT_NE(model.error().message.find(words), std::string::npos) << model.error().message;
    EXPECT_TRUE(model.error().message.starts_with(path_)) << model.error().message;
  }
  std::uint64_t offset_of(ModelSection section) const {
    return header().places[static_cast<std::size_t>(section)].offset;
  }

  fake::TempDir dir_;
  std::string path_ = path_join(dir_.path(), "model");
  std::string bytes_;
  std::string written_;
};

TEST_F(ModelFileTest, TheOneOfTheSourceTreeIsWhole) {
  const auto model = ModelFile::open(kModelPath);
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_TRUE(model->verify().ok());
  EXPECT_EQ(model->pieces(), 30522U);
  EXPECT_EQ(model->piece(kUnknownToken), "[UNK]");
  EXPECT_EQ(model->piece(kFirstToken), "[CLS]");
  EXPECT_EQ(model->piece(kLastToken), "[SEP]");
  EXPECT_EQ(model->weights(), Weights::int8);
}

TEST_F(ModelFileTest, WeightsAreSmallEnoughForNarrowSums) {
  const auto model = open_model();
  for (std::size_t i = 0; i < kLayers; ++i) {
    const Layer& layer = model->layer(i);
    for (const Linear* matrix :
         {&layer.attention_in, &layer.attention_out, &layer.expand, &layer.contract}) {
      const std::int8_t* weights = matrix->packed;
      std::size_t wide = 0;
      for (std::size_t at = 0; at < matrix->inputs * matrix->outputs; ++at) {
        wide += static_cast<std::size_t>(weights[at] < -63 || weights[at] > 63);
      }
      EXPECT_EQ(wide, 0U);
    }
  }
}

TEST_F(ModelFileTest, SaysWhenItIsNotThere) {
  const auto model = ModelFile::open(path_join(dir_.path(), "none"));
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code, Errc::not_found);
}

TEST_F(ModelFileTest, KnowsWhatIsNoModel) {
  const std::string whole = bytes_;
  for (const std::string& other : {std::string(), std::string("yore"), std::string(5000, 'x')}) {
    bytes_ = other;
    expect(Errc::corrupt, "this is no model file");
  }
  bytes_ = whole;
  bytes_[7] = '2';
  expect(Errc::unsupported, "version");
}

TEST_F(ModelFileTest, KnowsAnotherModel) {
  const ModelHeader sound = header();
  for (const auto field : {&ModelHeader::hidden, &ModelHeader::layers, &ModelHeader::heads,
                           &ModelHeader::inner, &ModelHeader::positions, &ModelHeader::sections}) {
    ModelHeader other = sound;
    other.*field += 1;
    set_header(other);
    expect(Errc::unsupported, "does not know");
  }
  ModelHeader other = sound;
  other.weights = Weights{7};
  set_header(other);
  expect(Errc::unsupported, "does not know");
}

TEST_F(ModelFileTest, NoticesACutOrALongerFile) {
  const std::string whole = bytes_;
  for (const std::size_t size : {std::size_t{8}, std::size_t{100}, sizeof(ModelHeader),
                                 whole.size() / 2, whole.size() - 1}) {
    bytes_ = whole.substr(0, size);
    expect(Errc::corrupt, "damaged");
  }
  bytes_ = whole + "x";
  expect(Errc::corrupt, "damaged");
}

TEST_F(ModelFileTest, NoticesEveryByteOfTheHeader) {
  const std::string whole = bytes_;
  for (std::size_t i = 8; i < sizeof(ModelHeader); i += 211) {
    bytes_ = whole;
    bytes_[i] = static_cast<char>(bytes_[i] ^ 1);
    expect(Errc::corrupt, "damaged");
  }
}

TEST_F(ModelFileTest, BelievesNoPlacesOutsideTheFile) {
  const ModelHeader sound = header();
  for (const std::size_t i : {std::size_t{0}, std::size_t{4}, kModelSections - 1}) {
    for (const std::uint64_t wrong : {std::uint64_t{0}, sound.file_size, ~std::uint64_t{0} - 63}) {
      ModelHeader other = sound;
      other.places[i].offset = wrong;
      set_header(other);
      expect(Errc::corrupt, "its table");
      other = sound;
      other.places[i].size = wrong;
      set_header(other);
      expect(Errc::corrupt, "damaged");
    }
  }
}

TEST_F(ModelFileTest, BelievesNoVocabularyThatLeadsAstray) {
  const std::string whole = bytes_;
  const auto put = [&](ModelSection section, std::size_t index, std::uint32_t value) {
    bytes_ = whole;
    std::memcpy(bytes_.data() + offset_of(section) + 4 * index, &value, sizeof value);
    expect(Errc::corrupt, "its vocabulary");
  };
  put(ModelSection::piece_places, 0, 1);
  put(ModelSection::piece_places, 100, 0xFFFF'FFFF);
  put(ModelSection::piece_places, 30522, 7);
  put(ModelSection::piece_slots, 5, 0xFFFF'FFFF);  // a piece that does not exist
  put(ModelSection::piece_slots, 6, 0x0001'0000);  // a hash without a piece
  bytes_ = whole;
  ModelHeader other = header();
  other.slots = 3;
  set_header(other);
  expect(Errc::corrupt, "its vocabulary");
}

TEST_F(ModelFileTest, VerifyNoticesOneBitInEverySection) {
  const std::string whole = bytes_;
  for (std::size_t i = 0; i < kModelSections; i += 7) {
    const ModelPlace place = header().places[i];
    bytes_ = whole;
    char& byte = bytes_[place.offset + place.size / 2];
    byte = static_cast<char>(byte ^ 4);
    const auto model = open();
    if (!model) continue;  // the vocabulary, noticed at once
    const Status verified = model->verify();
    ASSERT_FALSE(verified.ok()) << i;
    EXPECT_EQ(verified.error().code, Errc::corrupt);
  }
}

TEST(PlacesOfModel, AreBesideTheProgramOrWhereOneSays) {
  EXPECT_EQ(places_of_model("/m/x.yoremodel", "/usr/bin/yore", "/src/models"),
            (std::vector<std::string>{"/m/x.yoremodel"}));
  EXPECT_EQ(places_of_model("", "/usr/bin/yore", "/src/models"),
            (std::vector<std::string>{"/usr/models/all-minilm-l6-v2.yoremodel",
                                      "/usr/share/yore/models/all-minilm-l6-v2.yoremodel",
                                      "/models/all-minilm-l6-v2.yoremodel",
                                      "/src/models/all-minilm-l6-v2.yoremodel"}));
  EXPECT_TRUE(places_of_model("", "", "").empty());
}

TEST(FindModel, TakesTheFirstThatIsThereAndNamesAllWhenNoneIs) {
  const std::vector<std::string> places = {"/nowhere/a", kModelPath, "/nowhere/b"};
  EXPECT_EQ(*find_model(places), kModelPath);
  const auto none = find_model(std::vector<std::string>{"/nowhere/a", "/nowhere/b"});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, Errc::not_found);
  EXPECT_NE(none.error().message.find("/nowhere/a, /nowhere/b"), std::string::npos);
}

}  // namespace
}  // namespace yore::semantic
