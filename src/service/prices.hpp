// prices.hpp — what tokens cost, as far as that is known. Pure.
//
// The built-in rows are list prices of API use in US dollars for a million tokens, as their sellers
// published them up to kPricesAsOf; who pays a flat rate pays something else. Settings come first:
// [prices] "MODEL" = { input = 3.0, output = 15.0, cache_read = 0.3, cache_write = 3.75 }.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "config/settings.hpp"
#include "transcript/record.hpp"

namespace yore::service {

inline constexpr std::string_view kPricesAsOf = "2025-12";

class PriceTable {
 public:
  explicit PriceTable(std::vector<config::ModelPrice> own) : own_(std::move(own)) {}

  // Of the settings the row with the longest beginning of the model's name; else the built-in row
  // of that very model. A seller's name before it ("anthropic/claude-…") is passed over. nullopt:
  // not known.
  [[nodiscard]] std::optional<config::ModelPrice> of(std::string_view model) const;

 private:
  std::vector<config::ModelPrice> own_;
};

double cost_of(const transcript::Usage& tokens, const config::ModelPrice& price);

}  // namespace yore::service
