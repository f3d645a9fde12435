#include "generator/project.hpp"

#include <array>

#include "generator/json_text.hpp"

namespace yore::generator {
namespace {

constexpr std::array<std::string_view, 10> kPeople = {"mira", "jonas", "aiko",  "tomas", "lena",
                                                      "ravi", "nadia", "oskar", "chen",  "paula"};
constexpr std::array<std::string_view, 16> kFirst = {
    "harbor", "cedar", "quartz", "violet", "north", "copper",  "silent", "maple",
    "orbit",  "delta", "lumen",  "tidal",  "amber", "granite", "swift",  "willow"};
constexpr std::array<std::string_view, 16> kSecond = {
    "api",   "web",    "ledger", "mobile", "gateway", "studio", "parser",  "billing",
    "tools", "search", "store",  "docs",   "agent",   "infra",  "console", "mailer"};
constexpr std::array<std::string_view, 6> kExtensions = {".ts", ".go", ".py", ".cpp", ".rs", ".md"};
constexpr std::array<std::string_view, 5> kBranches = {"main", "fix/", "feat/", "main", "chore/"};

constexpr std::size_t kMaxFiles = 24;
// Some projects have long files throughout, which makes some turns very large.
constexpr Spread kLengthPermille = {310, 400, 700, 2350, 3900, 4300};
constexpr Spread kFileBytes = {500, 1500, 7600, 44'000, 98'000, 110'000};

void make_file(Rng& rng, TextMaker& text, std::uint32_t size_permille, SourceFile& file) {
  file.content.clear();
  file.line_starts.assign(1, 0);
  const std::uint64_t bytes = std::uint64_t{sample(kFileBytes, rng)} * size_permille / 1000;
  do {
    text.code_line(file.content);
    file.content += "\\n";
    file.line_starts.push_back(static_cast<std::uint32_t>(file.content.size()));
  } while (file.content.size() < bytes || file.lines() < 8);
}

std::string make_path(Rng& rng) {
  const auto word = [&rng] {
    return Vocabulary::common_word(rng.below(Vocabulary::common_words()));
  };
  std::string path = rng.chance(750) ? "src/" : "tests/";
  path += word();
  path += '/';
  if (rng.chance(400)) (path += word()) += '/';
  path += word();
  if (rng.chance(600)) (path += '_') += word();
  path += rng.pick(kExtensions);
  return path;
}

}  // namespace

Project::Project(Rng& rng, Draws& draws, std::uint32_t number)
    : length_permille_(quantile(kLengthPermille, draws.file_lengths.next())) {
  const bool windows = number % 12 == 11;
  separator_ = windows ? "\\\\" : "/";
  std::string name(kFirst[number % kFirst.size()]);
  (name += '-') += kSecond[(number / kFirst.size() + number) % kSecond.size()];
  if (number >= kFirst.size() * kSecond.size()) (name += '-') += std::to_string(number);
  std::string plain = windows ? "D:\\work\\" : "/home/";
  cwd_ = windows ? "D:\\\\work\\\\" : "/home/";
  if (!windows) {
    const std::string person(rng.pick(kPeople));
    (plain += person) += "/src/";
    (cwd_ += person) += "/src/";
  }
  cwd_ += name;
  directory_ = encode_cwd(plain + name);
  branch_ = rng.pick(kBranches);
  if (branch_.back() == '/') {
    branch_ += Vocabulary::common_word(rng.below(200));
    (branch_ += '-') += Vocabulary::common_word(rng.below(200));
  }
}

void Project::refresh(Rng& rng, TextMaker& text, std::uint32_t size_permille) {
  size_permille =
      static_cast<std::uint32_t>(std::uint64_t{size_permille} * length_permille_ / 1000);
  const std::size_t fresh = files_.empty() ? 5 : rng.between(2, 5);
  for (std::size_t i = 0; i < fresh; ++i) {
    std::size_t slot = files_.size();
    if (slot == kMaxFiles) {
      slot = rng.below(kMaxFiles);
    } else {
      files_.emplace_back();
      paths_.emplace_back();
    }
    paths_[slot] = make_path(rng);
    make_file(rng, text, size_permille, files_[slot]);
  }
}

}  // namespace yore::generator
