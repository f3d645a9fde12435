// vectors.cpp — how fast are vectors scanned, against reading the same bytes and doing nothing?
//
//   raw read        every byte of the files added up with the widest loads
//   scan            the cosine of every row
//   scan, 64 best   the same, and a heap of the best
//   find            130,000 names in random order, half of them there, with cold caches
//   open            a set, as a new process does
//   append          256 rows, and 1
//
// CPU time, best of many; scans and raw reads take turns.
//
//   bench_vectors [--rows 100000] [--rows 1000000] [--directory DIR]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/files/mapped_file.hpp"
#include "spent.hpp"
#include "vector/vector_set.hpp"
#include "vector/vector_writer.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace yore::bench {
namespace {

using vector::kDimensions;
using vector::Query;
using vector::Row;
using vector::TextHash;
using vector::VectorSet;
using vector::VectorWriter;

constexpr std::uint64_t kModel = 1;
constexpr std::size_t kBatch = 256;
constexpr std::size_t kBest = 64;
constexpr std::size_t kNames = 130'000;
constexpr int kRounds = 25;

// splitmix64: names, and values that are quickly made.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9E37'79B9'7F4A'7C15;
  value = (value ^ value >> 30) * 0xBF58'476D'1CE4'E5B9;
  value = (value ^ value >> 27) * 0x94D0'49BB'1331'11EB;
  return value ^ value >> 31;
}

void fill_vector(TextHash text, float* out) {
  float length = 0;
  for (std::size_t i = 0; i < kDimensions; i += 4) {
    const std::uint64_t bits = mixed(text + i);
    for (std::size_t k = 0; k < 4; ++k) {
      out[i + k] = static_cast<float>(static_cast<std::int16_t>(bits >> (16 * k)));
      length += out[i + k] * out[i + k];
    }
  }
  for (std::size_t i = 0; i < kDimensions; ++i) out[i] /= std::sqrt(length);
}

void must(const Status& status) {
  if (status) return;
  fmt::print(stderr, "{}\n", status.error().message);
  std::exit(1);
}
template <typename T>
T must(Result<T> result) {
  if (!result) must(Status(result.error()));
  return std::move(result).value();
}

double best_ms(
    const std::function<void()>& work, const std::function<void()>& before = [] {}) {
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    before();
    best = std::min(best, spend(work).cpu * 1e3);
  }
  return best;
}

void print_row(std::string_view what, double ms) {
  fmt::print("  {:<28} {:>9.3f} ms\n", what, ms);
  std::fflush(stdout);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] std::uint64_t sum_bytes(std::string_view bytes) {
  __m256i a{}, b{}, c{}, d{};
  const auto* at = reinterpret_cast<const __m256i*>(bytes.data());
  for (std::size_t left = bytes.size() / 128; left > 0; --left, at += 4) {
    a = _mm256_add_epi64(a, _mm256_loadu_si256(at));
    b = _mm256_add_epi64(b, _mm256_loadu_si256(at + 1));
    c = _mm256_add_epi64(c, _mm256_loadu_si256(at + 2));
    d = _mm256_add_epi64(d, _mm256_loadu_si256(at + 3));
  }
  const __m256i all = _mm256_add_epi64(_mm256_add_epi64(a, b), _mm256_add_epi64(c, d));
  return static_cast<std::uint64_t>(_mm256_extract_epi64(all, 0) ^ _mm256_extract_epi64(all, 3));
}
#else
std::uint64_t sum_bytes(std::string_view bytes) {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    sum += word;
  }
  return sum;
}
#endif

// So that nothing measured is left out by the compiler.
volatile std::uint64_t sink = 0;

struct Hit {
  float cosine = 0;
  Row row = 0;
};

std::uint64_t keep_best(const std::vector<float>& cosines) {
  const auto better = [](const Hit& a, const Hit& b) { return a.cosine > b.cosine; };
  std::vector<Hit> heap;
  float least = -2;
  for (Row row = 0; row < cosines.size(); ++row) {
    if (cosines[row] <= least) continue;
    if (heap.size() == kBest) {
      std::ranges::pop_heap(heap, better);
      heap.pop_back();
    }
    heap.push_back({cosines[row], row});
    std::ranges::push_heap(heap, better);
    if (heap.size() == kBest) least = heap.front().cosine;
  }
  return heap.front().row;
}

void write_rows(VectorWriter& writer, std::size_t rows) {
  std::vector<TextHash> texts;
  std::vector<float> vectors;
  double best = 1e9, longest = 0, all = 0;
  for (std::size_t at = 0; at < rows; at += kBatch) {
    texts.clear();
    vectors.resize(kBatch * kDimensions);
    for (std::size_t i = 0; i < kBatch; ++i) {
      texts.push_back(mixed(at + i));
      fill_vector(texts.back(), &vectors[i * kDimensions]);
    }
    const double ms = spend([&] { must(writer.append(texts, vectors)); }).cpu * 1e3;
    best = std::min(best, ms);
    longest = std::max(longest, ms);
    all += ms;
  }
  print_row("append of 256, best", best);
  print_row("… mean, with folding", all / static_cast<double>(rows) * kBatch);
  print_row("… longest", longest);
  const Spent spent = spend([&] { must(writer.compact([](TextHash) { return true; })); });
  print_row("compact", spent.cpu * 1e3);
}

void measure_scans(const VectorSet& set, const std::string& directory) {
  std::vector<MappedFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() == ".vec") files.push_back(must(MappedFile::open(entry.path())));
  }
  std::vector<float> vector(kDimensions), cosines(set.rows());
  fill_vector(4711, vector.data());
  const Query query(std::span<const float, kDimensions>(vector.data(), kDimensions));
  const Spent first = spend([&] { set.scan(query, cosines); });
  double raw = 1e9, scan = 1e9, whole = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const Spent read = spend([&] {
      for (const MappedFile& file : files) sink = sink + sum_bytes(file.bytes());
    });
    if (round > 0) raw = std::min(raw, read.cpu * 1e3);
    scan = std::min(scan, spend([&] { set.scan(query, cosines); }).cpu * 1e3);
    const Spent asked = spend([&] {
      set.scan(query, cosines);
      sink = sink + keep_best(cosines);
    });
    whole = std::min(whole, asked.cpu * 1e3);
  }
  std::uint64_t bytes = 0;
  for (const MappedFile& file : files) bytes += file.bytes().size();
  print_row("raw read", raw);
  print_row("scan", scan);
  print_row("scan, 64 best", whole);
  print_row("first scan of a mapping", first.cpu * 1e3);
  fmt::print("  {:.1f} GB/s raw, scan with 64 best takes {:.2f} × raw\n",
             static_cast<double>(bytes) / raw / 1e6, whole / raw);
}

void measure_find(const VectorSet& set) {
  std::vector<TextHash> names;
  for (std::size_t i = 0; i < kNames; ++i) {
    // As many that are not there; order has nothing to do with rows.
    names.push_back(mixed(mixed(i) % (2 * set.rows())));
  }
  std::vector<Row> rows(names.size());
  std::vector<char> other(64U << 20);
  const double ms = best_ms([&] { set.find(names, rows); },
                            [&] {
                              for (auto& byte : other) ++byte;
                            });
  print_row("find 130,000, cold caches", ms);
  print_row("find 130,000", best_ms([&] { set.find(names, rows); }));
}

void measure(std::size_t rows, const std::string& base) {
  const std::string directory = base + "/" + std::to_string(rows);
  std::filesystem::remove_all(directory);
  fmt::print("{} rows\n", rows);
  auto writer = must(VectorWriter::open(directory, kModel));
  write_rows(writer, rows);
  const auto set = must(VectorSet::open(directory, kModel));
  print_row("open", best_ms([&] { must(VectorSet::open(directory, kModel)); }));
  measure_scans(*set, directory);
  measure_find(*set);
  std::vector<float> vector(kDimensions);
  TextHash next = 1;
  auto held = set;
  const auto append = [&] {
    fill_vector(next, vector.data());
    must(writer.append({&next, 1}, vector));
    ++next;
  };
  print_row("append of 1", best_ms(append));
  print_row("refresh after it",
            best_ms([&] { held = must(VectorSet::open(directory, kModel, held)); }, append));
  print_row("open by a writer", best_ms([&] { must(VectorWriter::open(directory, kModel)); }));
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace yore::bench

int main(int argc, char** argv) {
  std::vector<std::size_t> rows;
  std::string directory = "/tmp/yore-bench-vectors";
  CLI::App app("How fast are vectors scanned, against reading the same bytes?");
  app.add_option("--rows", rows, "So many; may be given several times");
  app.add_option("--directory", directory, "Where the files lie")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (rows.empty()) rows = {100'000, 1'000'000};
  for (const std::size_t count : rows) yore::bench::measure(count, directory);
  return 0;
}
