// The derived files. They carry checksums, which random bytes never match; so what is guarded by
// one is sealed again here, and the code behind it sees the damage.
#include <cstddef>
#include <cstring>
#include <filesystem>

#include "base/hash.hpp"
#include "base/layout.hpp"
#include "base/publication.hpp"
#include "fuzz/target.hpp"
#include "lexical/format/catalog.hpp"
#include "lexical/format/catalog_file.hpp"
#include "lexical/format/log.hpp"
#include "lexical/format/manifest.hpp"
#include "lexical/format/segment.hpp"
#include "lexical/format/segment_format.hpp"
#include "lexical/write/builder.hpp"
#include "semantic/model_file.hpp"
#include "semantic/model_format.hpp"
#include "vector/block.hpp"
#include "vector/manifest.hpp"

namespace yore::fuzz {
namespace {

using lexical::Catalog;
using lexical::CatalogChange;
using lexical::Segment;
using lexical::SegmentHeader;

// Puts the hash of `hashed` bytes from `from` on at `place`.
void seal(std::string& bytes, std::size_t place, std::size_t from, std::size_t hashed) {
  if (bytes.size() < from + hashed || bytes.size() < place + sizeof(std::uint64_t)) return;
  const std::uint64_t hash = hash64(std::string_view(bytes).substr(from, hashed));
  std::memcpy(bytes.data() + place, &hash, sizeof hash);
}

std::string segment_bytes() {
  lexical::SegmentBuilder builder;
  for (std::uint32_t i = 0; i < 3; ++i) {
    builder.add({i + 1, i, 0, 0, i}, "the quick brown fox number " + std::to_string(i) + " runs");
  }
  return builder.finish();
}
std::vector<std::string> segment_seeds() {
  return {segment_bytes()};
}

// Whatever the header says, nobody reads beside the bytes; what is damaged is refused when it is
// touched.
void segment(std::string_view bytes) {
  std::string sealed(bytes);
  seal(sealed, offsetof(SegmentHeader, hash), 0, offsetof(SegmentHeader, hash));
  const Aligned in_place(sealed);
  auto opened = Segment::open(in_place.bytes(), false);
  if (!opened) return;
  const bool sound = opened->check_all().ok();
  for (const std::string_view term : {"quick", "fox", "", "\xff"}) {
    const auto found = opened->find(term);
    const auto range = opened->find_prefix(term);
    if (!sound || !found || !range || *found == nullptr) continue;
    check(opened->text(**found) == term);
    check(opened->check_list(**found).ok() && opened->check_positions(**found).ok());
  }
  if (opened->documents() > 0) {
    (void)opened->check_key(0).ok();
    (void)opened->check_length(opened->documents() - 1).ok();
  }
}

Catalog small_catalog() {
  Catalog catalog;
  lexical::CatalogSession session;
  session.uid = catalog.intern("s-1");
  session.agent = catalog.intern("claude-code");
  catalog.put_session(0, session);
  lexical::TurnRow row;
  row.branch = catalog.intern("main");
  catalog.put_turn(0, row);
  return catalog;
}
std::vector<std::string> catalog_seeds() {
  return {small_catalog().encode(), Catalog().encode()};
}

// What was decoded can be used and encoded, and that is then stable.
void catalog(std::string_view bytes) {
  const Aligned in_place(bytes);
  const auto decoded = Catalog::decode(in_place.bytes());
  if (!decoded) return;
  for (std::size_t i = 0; i < decoded->turns().size(); ++i) {
    const lexical::TurnRow& row = decoded->turns()[i];
    (void)(decoded->name(row.branch).size() + decoded->name(row.model).size());
    (void)decoded->sessions()[row.session].uid;
  }
  const std::string once = decoded->encode();
  const Aligned again(once);
  const auto same = Catalog::decode(again.bytes());
  check(same.ok() && same->encode() == once);
}

CatalogChange small_change() {
  CatalogChange change;
  change.names.emplace_back("s-2");
  lexical::CatalogSession session;
  session.uid = 1;
  change.sessions.emplace_back(1, session);
  lexical::TurnRow row;
  row.session = 1;
  change.turns.emplace_back(1, row);
  return change;
}

lexical::Update small_update() {
  lexical::Update update;
  update.segments[0] = segment_bytes();
  update.removed.push_back({1, 2});
  update.rows = small_change();
  return update;
}
std::vector<std::string> frame_seeds() {
  return {lexical::encode_frame(small_update())};
}

// A frame of the log: its parts lie inside of it, and its rows fit a catalog or are refused.
void frame(std::string_view bytes) {
  const Aligned in_place(bytes);
  const auto read = lexical::read_frame(in_place.bytes(), /*verified=*/true);
  if (!read) return;
  check(read->size <= bytes.size());
  for (const std::string_view part : read->segments) {
    if (!part.empty()) (void)Segment::open(part, false).ok();
  }
  if (read->rows.empty()) return;
  const auto change = CatalogChange::decode(read->rows);
  Catalog before = small_catalog();
  if (!change || !change->fits(before)) return;
  change->apply_to(before);
  check(!before.encode().empty());
}

std::vector<std::string> catalog_file_seeds() {
  lexical::DeadKeys dead;
  dead.passages.push_back({3, 4});
  return {lexical::encode_catalog_file(1, 2, small_catalog(), dead)};
}
void catalog_file(std::string_view bytes) {
  const Aligned in_place(bytes);
  const auto decoded = lexical::decode_catalog_file(1, 2, in_place.bytes(), /*verified=*/true);
  if (decoded) check(!decoded->catalog.encode().empty());
}

std::vector<std::string> keyword_manifest_seeds() {
  lexical::Manifest manifest;
  manifest.next_file = 5;
  manifest.catalog = 1;
  manifest.log = 2;
  manifest.covers.uuid = "u";
  manifest.segments.push_back({3, 100, 2, 1, 9, 0});
  manifest.segments.push_back({4, 100, 2, 1, 9, 1});
  return {encode_manifest(manifest)};
}
std::vector<std::string> vector_manifest_seeds() {
  vector::Manifest manifest;
  manifest.next_file = 3;
  manifest.files.push_back({1, 640, 1});
  manifest.files.push_back({2, 64, 0});
  manifest.log = 2;
  return {encode_manifest(manifest)};
}

std::string sealed_manifest(std::string_view bytes) {
  if (bytes.size() < sizeof(ManifestHead)) return std::string(bytes);
  ManifestHead head;
  std::memcpy(&head, bytes.data(), sizeof head);
  const std::string_view body = bytes.substr(sizeof head);
  return seal_manifest({head.magic, head.version, "", {}}, head.generation,
                       body.substr(0, body.size() / 8 * 8));
}
void keyword_manifest(std::string_view bytes) {
  const auto decoded = decode_manifest<lexical::Manifest>(sealed_manifest(bytes));
  if (!decoded) return;
  check(decoded->is_sound());
  const auto again = decode_manifest<lexical::Manifest>(encode_manifest(*decoded));
  check(again.ok() && *again == *decoded);
}
void vector_manifest(std::string_view bytes) {
  const auto decoded = decode_manifest<vector::Manifest>(sealed_manifest(bytes));
  if (!decoded) return;
  const auto again = decode_manifest<vector::Manifest>(encode_manifest(*decoded));
  check(again.ok() && *again == *decoded && again->rows() == decoded->rows());
}

std::vector<std::string> vector_block_seeds() {
  const std::vector<vector::TextHash> texts = {vector::TextHash{3}, vector::TextHash{7}};
  const std::vector<float> scales = {1.0F, 0.5F};
  const std::vector<std::int8_t> vectors(texts.size() * vector::kDimensions, 1);
  const std::string tail(reinterpret_cast<const char*>(vectors.data()), vectors.size());
  const std::uint64_t hash = vector::hash_vectors(vectors, 0);
  return {vector::encode_block_head({texts, scales, hash, true}) + tail,
          vector::encode_block_head({texts, scales, hash, false}) + tail};
}
// A block whose columns were checked can be searched.
void vector_block(std::string_view bytes) {
  const Aligned in_place(bytes);
  (void)vector::block_size(in_place.bytes());
  const auto block = vector::read_block(in_place.bytes());
  if (!block) return;
  check(block->size <= bytes.size());
  (void)block->vectors_are_sound();
  if (block->directory.empty()) return;
  const std::vector<vector::TextHash> wanted = {vector::TextHash{0}, vector::TextHash{7},
                                                vector::TextHash{UINT64_MAX}};
  std::vector<vector::Row> rows(wanted.size(), vector::kNoRow);
  block->find(wanted, rows);
}

// The header of the model that lies in the source tree.
std::vector<std::string> model_seeds() {
  const std::string whole =
      read_whole(YORE_SOURCE_DIR "/models/" + std::string(semantic::kModelName));
  return {whole.substr(0, sizeof(semantic::ModelHeader))};
}
// The bytes are the header and what follows; a hole makes the file as large as it claims to be.
void model_file(std::string_view bytes) {
  constexpr std::uint64_t kMostBytes = 64 << 20;
  constexpr std::size_t kHashed = offsetof(semantic::ModelHeader, file_size);
  std::string sealed(bytes);
  std::uint64_t size = 0;
  if (sealed.size() >= sizeof(semantic::ModelHeader)) {
    seal(sealed, offsetof(semantic::ModelHeader, hash), kHashed,
         sizeof(semantic::ModelHeader) - kHashed);
    std::memcpy(&size, sealed.data() + kHashed, sizeof size);
  }
  const std::string path = write_scratch("model", sealed);
  if (sealed.size() < size && size <= kMostBytes) std::filesystem::resize_file(path, size);
  const auto model = semantic::ModelFile::open(path);
  if (!model) return;
  for (std::uint32_t i = 0; i < model->pieces(); ++i) {
    check(model->piece(i).size() <= model->longest_piece());
  }
}

constexpr Target kIndexTargets[] = {
    {"segment", segment, segment_seeds},
    {"catalog", catalog, catalog_seeds},
    {"catalog_file", catalog_file, catalog_file_seeds},
    {"frame", frame, frame_seeds},
    {"keyword_manifest", keyword_manifest, keyword_manifest_seeds},
    {"vector_manifest", vector_manifest, vector_manifest_seeds},
    {"vector_block", vector_block, vector_block_seeds},
    {"model_file", model_file, model_seeds},
};

}  // namespace

std::span<const Target> index_targets() {
  return kIndexTargets;
}

}  // namespace yore::fuzz
