// Passages per second of the encoder, on passages of 128 word pieces, with one thread and with
// more. bench/embed_onnx.py sets it beside ONNX Runtime.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "semantic/encoder.hpp"
#include "spent.hpp"

namespace yore::bench {
namespace {

using semantic::Encoder;
using semantic::Tokens;

struct Options {
  std::string model = "models/all-minilm-l6-v2.yoremodel";
  std::string write_pieces;
  std::size_t passages = 16;
  std::size_t pieces = 128;
  unsigned threads = 0;  // 0: one, then two
  double seconds = 2;
  bool all_forms = false;
  bool json = false;
};

// How long encoding takes depends on the number of pieces, not on which they are.
std::vector<Tokens> make_passages(const Options& options, std::uint32_t vocabulary) {
  std::mt19937 random(1);
  std::vector<Tokens> passages(options.passages, Tokens(options.pieces));
  for (Tokens& tokens : passages) {
    for (auto& token : tokens) {
      token = static_cast<semantic::TokenId>(1000 + random() % (vocabulary - 1000));
    }
    tokens.front() = semantic::kFirstToken;
    tokens.back() = semantic::kLastToken;
  }
  return passages;
}

void write_pieces(const std::string& path, const std::vector<Tokens>& passages) {
  std::ofstream file(path);
  for (const Tokens& tokens : passages) {
    for (std::size_t i = 0; i < tokens.size(); ++i) file << (i == 0 ? '[' : ',') << tokens[i];
    file << "]\n";
  }
}

// Best of many short rounds, per second of processor time and thread: what the threads would do
// with a core each, also when others use the machine.
double best_rate(std::vector<Encoder>& encoders, const std::vector<Tokens>& passages,
                 double seconds) {
  const auto work = [&passages](Encoder& encoder) {
    std::vector<float> out(passages.size() * semantic::kDimensions);
    encoder.encode_tokens(passages, out);
  };
  double best = 0;
  double wall = 0;
  while (wall < seconds) {
    const Spent spent = spend([&] {
      std::vector<std::thread> threads;
      for (Encoder& encoder : encoders) threads.emplace_back([&work, &encoder] { work(encoder); });
      for (std::thread& thread : threads) thread.join();
    });
    wall += spent.wall;
    const auto threads = static_cast<double>(encoders.size());
    best = std::max(best, threads * static_cast<double>(passages.size()) / (spent.cpu / threads));
  }
  return best;
}

int measure(const Options& options) {
  auto opened = semantic::ModelFile::open(options.model);
  if (!opened) {
    fmt::print(stderr, "{}\n", opened.error().message);
    return 1;
  }
  const auto model = std::make_shared<const semantic::ModelFile>(std::move(*opened));
  const auto passages = make_passages(options, model->pieces());
  if (!options.write_pieces.empty()) write_pieces(options.write_pieces, passages);

  std::vector<const semantic::Kernels*> forms = {&semantic::best_kernels()};
  if (options.all_forms) {
    forms = {semantic::avx512_kernels(), semantic::avxvnni_kernels(), semantic::avx2_kernels(),
             &semantic::plain_kernels()};
    std::erase(forms, nullptr);
  }
  std::vector<unsigned> counts = {options.threads};
  if (options.threads == 0) counts = {1, 2};
  for (const semantic::Kernels* form : forms) {
    for (const unsigned threads : counts) {
      std::vector<Encoder> encoders;
      for (unsigned i = 0; i < threads; ++i) {
        auto encoder = Encoder::open(model, *form);
        if (!encoder) return 1;
        encoders.push_back(std::move(*encoder));
      }
      const double rate = best_rate(encoders, passages, options.seconds);
      if (options.json) {
        fmt::print("{{\"kernels\": \"{}\", \"threads\": {}, \"passages_per_second\": {:.2f}}}\n",
                   form->name, threads, rate);
      } else {
        fmt::print("{:<8} {} thread(s): {:7.1f} passages/s of {} pieces\n", form->name, threads,
                   rate, options.pieces);
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace yore::bench

int main(int argc, char** argv) {
  yore::bench::Options options;
  CLI::App app{"Passages per second of the encoder"};
  app.add_option("--model", options.model, "the model file");
  app.add_option("--passages", options.passages, "how many different ones");
  app.add_option("--pieces", options.pieces, "word pieces of each")->check(CLI::Range(2, 512));
  app.add_option("--threads", options.threads, "0: one, then two");
  app.add_option("--seconds", options.seconds, "of each measurement");
  app.add_option("--write-pieces", options.write_pieces, "write the passages as lines of JSON");
  app.add_flag("--all-forms", options.all_forms, "every kind of kernels that runs here");
  app.add_flag("--json", options.json, "a line of JSON per measurement");
  CLI11_PARSE(app, argc, argv);
  return yore::bench::measure(options);
}
