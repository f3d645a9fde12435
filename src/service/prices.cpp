#include "service/prices.hpp"

#include <algorithm>
#include <string>

#include "base/ascii.hpp"

namespace yore::service {
namespace {

struct KnownPrice {
  std::string_view model;
  double input;
  double output;
  double cache_read;
  double cache_write;
};
constexpr KnownPrice kKnownPrices[] = {
    {"claude-opus-4-5", 5, 25, 0.5, 6.25},
    {"claude-opus-4-1", 15, 75, 1.5, 18.75},
    {"claude-opus-4", 15, 75, 1.5, 18.75},
    {"claude-3-opus", 15, 75, 1.5, 18.75},
    {"claude-sonnet-4-5", 3, 15, 0.3, 3.75},
    {"claude-sonnet-4", 3, 15, 0.3, 3.75},
    {"claude-3-7-sonnet", 3, 15, 0.3, 3.75},
    {"claude-3-5-sonnet", 3, 15, 0.3, 3.75},
    {"claude-haiku-4-5", 1, 5, 0.1, 1.25},
    {"claude-3-5-haiku", 0.8, 4, 0.08, 1},
    {"claude-3-haiku", 0.25, 1.25, 0.03, 0.3},
    {"gpt-5", 1.25, 10, 0.125, 1.25},
    {"gpt-5-codex", 1.25, 10, 0.125, 1.25},
    {"gpt-5-mini", 0.25, 2, 0.025, 0.25},
    {"gpt-5-nano", 0.05, 0.4, 0.005, 0.05},
    {"gpt-5.1", 1.25, 10, 0.125, 1.25},
    {"gpt-4.1", 2, 8, 0.5, 2},
    {"gpt-4.1-mini", 0.4, 1.6, 0.1, 0.4},
    {"gpt-4o", 2.5, 10, 1.25, 2.5},
    {"gpt-4o-mini", 0.15, 0.6, 0.075, 0.15},
    {"o4-mini", 1.1, 4.4, 0.275, 1.1},
    {"gemini-2.5-pro", 1.25, 10, 0.125, 1.25},
    {"gemini-2.5-flash", 0.3, 2.5, 0.03, 0.3},
    {"gemini-2.5-flash-lite", 0.1, 0.4, 0.01, 0.1},
};

// Is it the model of that name, perhaps with the day it was made ("-20250514", "-2025-08-07") or
// "-latest"? A name that goes on in another way is that of another model, with a price of its own.
bool is_model(std::string_view model, std::string_view name) {
  if (!model.starts_with(name)) return false;
  model.remove_prefix(name.size());
  if (model.empty() || model == "-latest") return true;
  constexpr std::size_t kDay = 8;
  const auto digits = std::ranges::count_if(model, ascii::is_digit);
  const auto dashes = std::ranges::count(model, '-');
  return model.front() == '-' && digits == kDay &&
         static_cast<std::size_t>(digits + dashes) == model.size();
}

}  // namespace

std::optional<config::ModelPrice> PriceTable::of(std::string_view model) const {
  std::string name = ascii::to_lower(model);
  name.erase(0, name.rfind('/') + 1);
  const config::ModelPrice* best = nullptr;
  for (const config::ModelPrice& price : own_) {
    const bool longer = best == nullptr || price.model.size() > best->model.size();
    if (longer && name.starts_with(price.model)) best = &price;
  }
  if (best != nullptr) return *best;
  for (const KnownPrice& known : kKnownPrices) {
    if (!is_model(name, known.model)) continue;
    return config::ModelPrice{std::string(known.model), known.input, known.output, known.cache_read,
                              known.cache_write};
  }
  return std::nullopt;
}

double cost_of(const transcript::Usage& tokens, const config::ModelPrice& price) {
  const auto of = [](std::uint64_t count, double dollars) {
    return static_cast<double>(count) * dollars / 1e6;
  };
  return of(tokens.input_tokens, price.input) + of(tokens.output_tokens, price.output) +
         of(tokens.cache_read_tokens, price.cache_read) +
         of(tokens.cache_write_tokens, price.cache_write);
}

}  // namespace yore::service
