// What masking costs beside rendering: the same bytes, looked at for secrets, and made into what
// people and programs read. Prints one table.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "text/display.hpp"
#include "text/secrets/secrets.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kRounds = 15;

// Nanoseconds a byte, the best of several rounds.
template <typename Work>
double cost(const std::vector<std::string>& texts, const Work& work) {
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  double best = 1e9;
  std::size_t sum = 0;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const auto begin = Clock::now();
    for (const std::string& text : texts) sum += work(text);
    const std::chrono::duration<double, std::nano> spent = Clock::now() - begin;
    best = std::min(best, spent.count() / static_cast<double>(bytes));
  }
  if (sum == 1) std::puts("");  // so that the work is done
  return best;
}

std::vector<std::string> read_pieces(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  const std::string text = all.str();
  constexpr std::size_t kPiece = 4096;
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size(); at += kPiece)
    pieces.push_back(text.substr(at, kPiece));
  return pieces;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("bench_masking FILE...: texts to look at, each in pieces of 4 KB\n", stderr);
    return 2;
  }
  fmt::print("{:<32} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "ns a byte", "mask", "screen", "json",
             "% screen", "% json");
  for (int i = 1; i < argc; ++i) {
    const std::vector<std::string> texts = read_pieces(argv[i]);
    const double mask =
        cost(texts, [](const std::string& text) { return yore::text::find_secrets(text).size(); });
    const double screen = cost(texts, [](const std::string& text) {
      return yore::text::wrap(yore::text::for_terminal(text), 100, "  ").size();
    });
    const double json = cost(texts, [](const std::string& text) {
      const nlohmann::ordered_json value = {{"user_text", text}};
      return value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).size();
    });
    const std::string path = argv[i];
    fmt::print("{:<32} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.1f} {:>8.1f}\n",
               path.substr(path.rfind('/') + 1), mask, screen, json, 100 * mask / screen,
               100 * mask / json);
  }
}
