// yore embed: the vector of a text, as the search by meaning sees it.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <vector>

#include "cli/commands.hpp"
#include "cli/screen/json_text.hpp"
#include "derive/open_model.hpp"
#include "semantic/encoder.hpp"
#include "text/utf8.hpp"

namespace yore::cli {
namespace {

constexpr std::string_view kModel = "all-MiniLM-L6-v2";
constexpr std::size_t kShown = 8;

Result<std::vector<float>> vector_of(const config::World& world, std::string_view text) {
  const auto model = derive::open_model(world);
  if (!model) {
    Error error = model.error();
    // A program without its model is broken; nobody looked for something and found nothing.
    if (error.code == Errc::not_found) error.code = Errc::io;
    return error;
  }
  // A vector of damaged weights looks like any other.
  if (const Status whole = (*model)->verify(); !whole) return whole.error();
  auto encoder = semantic::Encoder::open(*model);
  if (!encoder) return encoder.error();
  std::vector<float> vector(semantic::kDimensions);
  encoder->encode(std::span(&text, 1), vector);
  return vector;
}

std::string vector_text(const std::vector<float>& vector) {
  double squares = 0;
  for (const float value : vector) squares += double{value} * double{value};
  std::string out = fmt::format("model   {}\ndim     {}\nnorm    {:.6f}\nvector ", kModel,
                                vector.size(), std::sqrt(squares));
  for (std::size_t i = 0; i < kShown; ++i) out += fmt::format(" {:.6f}", vector[i]);
  return out + " …\n";
}

int run_embed(Context& context, const std::string& words) {
  const std::string text = words == "-" ? context.program.in() : words;
  if (text::is_blank(text)) {
    return context.fail({Errc::invalid_argument, "the text is empty",
                         "yore embed TEXT, or yore embed - for what comes on standard input"});
  }
  const auto vector = vector_of(context.world, text);
  if (!vector) return context.fail(vector.error());
  if (context.globals.json) {
    print_json(context,
               service::Json{{"model", kModel}, {"dim", vector->size()}, {"vector", *vector}});
  } else {
    context.print(vector_text(*vector));
  }
  return kFound;
}

}  // namespace

Action declare_embed(Options& options) {
  const auto words = std::make_shared<std::string>();  // shared with the action that outlives us
  options.rest("TEXT", *words, "the text; - reads it from standard input");
  return [words](Context& context) { return run_embed(context, *words); };
}

}  // namespace yore::cli
