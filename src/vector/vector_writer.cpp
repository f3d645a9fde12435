#include "vector/vector_writer.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "vector/kernels.hpp"
#include "vector/sealed_file.hpp"
#include "vector/set_files.hpp"

namespace yore::vector {
namespace {

bool means_anew(Errc code) {
  return code == Errc::not_found || code == Errc::corrupt || code == Errc::unsupported;
}

// Every sound block of the model in any file of the directory, published or not. They point into
// `files`.
std::vector<Block> find_sound_blocks(const std::string& directory, std::uint64_t model,
                                     const FileSystem& system, std::vector<MappedFile>& files) {
  std::vector<Block> blocks;
  const auto entries = list_directory(directory);
  if (!entries) return blocks;
  for (const DirEntry& entry : *entries) {
    if (!entry.name.ends_with(".vec")) continue;
    auto file = system.map(path_join(directory, entry.name));
    if (!file) continue;
    std::string_view rest = file->bytes();
    const auto id = read_file_header(rest);
    if (!id || id->model != model) continue;
    rest.remove_prefix(kFileHeaderBytes);
    for (std::uint64_t size = block_size(rest); size != 0; size = block_size(rest)) {
      const auto block = read_block(rest);
      if (block && block->vectors_are_sound()) blocks.push_back(*block);
      rest.remove_prefix(std::min<std::uint64_t>(size, rest.size()));
    }
    files.push_back(std::move(*file));
  }
  return blocks;
}

}  // namespace

struct VectorWriter::State {
  explicit State(const FileSystem& files) : system(files) {}

  const FileSystem& system;
  std::string directory;
  std::uint64_t model = 0;
  WriterLimits limits;
  std::shared_ptr<const VectorSet> set;
  FileNumber next_file = 1;  // a failed attempt may have used more than the manifest knows

  [[nodiscard]] const Manifest& manifest() const { return set->files_->manifest; }

  // Another process may have written since.
  Status refresh() {
    auto now = VectorSet::open(directory, model, set, system);
    if (!now) return now.error();
    set = std::move(*now);
    next_file = std::max(next_file, manifest().next_file);
    return {};
  }

  Status publish(Manifest next) {
    next.next_file = next_file;
    if (Status status = publish_manifest(directory, next, system); !status) return status;
    return refresh();
  }

  FileNumber new_number() {
    next_file = free_number(directory, Manifest::kKind, next_file);
    return next_file++;
  }

  Status start_anew();
  Status append_block(std::string_view block, std::size_t rows);
  Status rewrite(std::size_t files_kept, const Keep& keep);
  Status fold();
};

// What was there may be unreadable; its file numbers and generation are not used again all the
// same.
Status VectorWriter::State::start_anew() {
  Manifest next;
  std::uint64_t generation = 1;
  if (const auto old = read_manifest<Manifest>(directory, system)) {
    generation = old->generation + 1;
    next_file = std::max(next_file, old->next_file);
  }
  next_file = std::max(next_file, largest_number(directory, Manifest::kKind) + 1);
  next.generation = next.birth = fresh_generation(generation);
  next.model = model;
  std::vector<MappedFile> mapped;
  const std::vector<Block> blocks = find_sound_blocks(directory, model, system, mapped);
  const FileNumber number = new_number();
  const auto sealed = write_sealed_file(vector_path(directory, number), {model, next.birth, number},
                                        blocks, nullptr, system);
  if (!sealed) return sealed.error();
  if (sealed->rows > 0) next.files.push_back(*sealed);
  if (Status status = publish(std::move(next)); !status) return status;
  remove_unnamed(directory, manifest(), system);
  return {};
}

// Behind the log's published end, or in a log of its own.
Status VectorWriter::State::append_block(std::string_view block, std::size_t rows) {
  if (manifest().log != 0) {
    const FileEntry& log = manifest().files.back();
    const auto appended =
        system.append_if_size(vector_path(directory, log.number), log.bytes, block);
    if (!appended) return appended.error();
    // Something lies behind the published end: left by a crash or a full disk. It stays as it is,
    // and the log is not used any more.
    if (!*appended) {
      if (Status status = fold(); !status) return status;
    }
  }
  Manifest next = manifest();
  if (next.log == 0) {
    next.log = new_number();
    const std::string header = encode_file_header({model, next.birth, next.log});
    const std::string path = vector_path(directory, next.log);
    if (Status status = system.write_new_file(path, header + std::string(block)); !status)
      return status;
    next.files.push_back({next.log, header.size(), 0});
    next.log_blocks = 0;
  }
  next.files.back().bytes += block.size();
  next.files.back().rows += rows;
  ++next.log_blocks;
  ++next.generation;
  return publish(std::move(next));
}

// All but the first `files_kept` become one.
Status VectorWriter::State::rewrite(std::size_t files_kept, const Keep& keep) {
  Manifest next = manifest();
  // A sealed file is one block.
  const auto blocks = std::span<const Block>(set->files_->blocks).subspan(files_kept);
  // What is written again gets a checksum of its own: damage must not be taken along under it.
  if (!std::ranges::all_of(blocks, &Block::vectors_are_sound)) {
    return Error{Errc::corrupt, "the vectors are damaged"};
  }
  next.files.resize(files_kept);
  next.log = next.log_blocks = 0;
  const FileNumber number = new_number();
  const auto sealed = write_sealed_file(vector_path(directory, number), {model, next.birth, number},
                                        blocks, keep, system);
  if (!sealed) return sealed.error();
  if (sealed->rows > 0) next.files.push_back(*sealed);
  ++next.generation;
  if (Status status = publish(std::move(next)); !status) return status;
  remove_unnamed(directory, manifest(), system);
  return {};
}

// The log and those before it that are no larger than what is taken already: a row is rewritten
// about as often as the number of files doubles.
Status VectorWriter::State::fold() {
  const auto& files = manifest().files;
  std::size_t kept = files.size() - 1;
  std::uint64_t taken = files.back().bytes;
  while (kept > 0 && files[kept - 1].bytes <= taken &&
         files[kept - 1].bytes + taken <= limits.max_merge_bytes) {
    taken += files[--kept].bytes;
  }
  return rewrite(kept, nullptr);
}

VectorWriter::VectorWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
VectorWriter::VectorWriter(VectorWriter&&) noexcept = default;
VectorWriter& VectorWriter::operator=(VectorWriter&&) noexcept = default;
VectorWriter::~VectorWriter() = default;

Result<VectorWriter> VectorWriter::open(const std::string& directory, std::uint64_t model,
                                        const WriterLimits& limits, const FileSystem& files) {
  if (Status status = make_directories(directory); !status) return status.error();
  auto state = std::make_unique<State>(files);
  state->directory = directory;
  state->model = model;
  state->limits = limits;
  auto set = VectorSet::open(directory, model, nullptr, files);
  if (!set && !means_anew(set.error().code)) return set.error();
  if (set && (*set)->verify().ok()) {
    state->set = std::move(*set);
    state->next_file =
        std::max(state->manifest().next_file, largest_number(directory, Manifest::kKind) + 1);
    remove_unnamed(directory, state->manifest(), files);
  } else if (Status status = state->start_anew(); !status) {
    return status.error();
  }
  return VectorWriter(std::move(state));
}

std::shared_ptr<const VectorSet> VectorWriter::set() const {
  return state_->set;
}

Status VectorWriter::append(std::span<const TextHash> texts, std::span<const float> vectors) {
  if (vectors.size() != texts.size() * kDimensions) {
    return Error{Errc::invalid_argument, "as many vectors as texts are needed"};
  }
  if (!std::ranges::all_of(vectors, [](float value) { return std::isfinite(value); })) {
    return Error{Errc::invalid_argument, "a vector with a value that is not finite"};
  }
  if (Status status = state_->refresh(); !status) return status;
  std::vector<Row> known(texts.size());
  state_->set->find(texts, known);
  std::unordered_set<TextHash> seen;
  std::vector<TextHash> added;
  std::vector<float> scales;
  std::vector<std::int8_t> bytes;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (known[i] != kNoRow || !seen.insert(texts[i]).second) continue;
    added.push_back(texts[i]);
    bytes.resize(added.size() * kDimensions);
    scales.push_back(quantise(&vectors[i * kDimensions], &bytes[bytes.size() - kDimensions]));
  }
  if (added.empty()) return {};
  if (state_->set->rows() + added.size() >= kNoRow) {
    return Error{Errc::invalid_argument, "more vectors than a set can have"};
  }
  std::uint64_t hash = 0;
  for (std::size_t at = 0; at < bytes.size(); at += kPieceRows * kDimensions) {
    const std::size_t size = std::min(kPieceRows * kDimensions, bytes.size() - at);
    hash = hash_vectors(std::span(bytes).subspan(at, size), hash);
  }
  std::string block = encode_block_head({added, scales, hash, false});
  block.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (Status status = state_->append_block(block, added.size()); !status) return status;
  const Manifest& manifest = state_->manifest();
  const bool due = manifest.log_blocks >= state_->limits.fold_blocks ||
                   manifest.files.back().bytes >= state_->limits.fold_bytes;
  return due ? state_->fold() : Status{};
}

Status VectorWriter::compact(const std::function<bool(TextHash)>& keep) {
  if (Status status = state_->refresh(); !status) return status;
  const VectorSet::Files& files = *state_->set->files_;
  const bool is_compact = files.manifest.log == 0 && files.blocks.size() <= 1;
  if (is_compact && (files.blocks.empty() || std::ranges::all_of(files.blocks[0].texts, keep))) {
    return {};
  }
  return state_->rewrite(0, keep);
}

}  // namespace yore::vector
