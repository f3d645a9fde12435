#include "transcript/stores/store_versions.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "base/files/file.hpp"
#include "transcript/stores/foreign_database.hpp"

namespace yore::transcript {
namespace {

// Where an agent numbers the schema of its database, and the newest that was read.
struct KnownSchema {
  std::string_view agent;
  const char* question;
  std::int64_t newest;
};
constexpr std::array kSchemas = {
    KnownSchema{"goose", "SELECT max(version) FROM schema_version", 15},
    KnownSchema{"hermes", "SELECT max(version) FROM schema_version", 30},
    KnownSchema{"openclaw", "PRAGMA user_version", 23},
    KnownSchema{"crush", "SELECT max(version_id) FROM goose_db_version", 20260127000000},
    KnownSchema{"antigravity", "PRAGMA user_version", 1},
};

// A file with nothing but the number.
struct KnownNumber {
  std::string_view agent;
  std::string_view file;
  std::int64_t newest;
};
constexpr std::array kNumbers = {
    KnownNumber{"opencode", "storage/migration", 2},
    KnownNumber{"kilo", "storage/migration", 2},
};

constexpr std::size_t kMostDigits = 20;

std::optional<std::int64_t> number_in(const std::string& path) {
  const auto text = read_file(path, kMostDigits);
  if (!text) return std::nullopt;
  std::int64_t number = 0;
  const auto [rest, ec] = std::from_chars(text->data(), text->data() + text->size(), number);
  return ec == std::errc{} && rest != text->data() ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> schema_of(const std::string& path, const char* question) {
  auto database = open_foreign(path);
  if (!database) return std::nullopt;
  const auto version = database->number(question);
  return version ? std::optional(*version) : std::nullopt;
}

}  // namespace

std::optional<NewerStore> newer_store(std::string_view agent, const std::string& path) {
  const auto newer = [](std::optional<std::int64_t> found,
                        std::int64_t newest) -> std::optional<NewerStore> {
    if (!found || *found <= newest) return std::nullopt;
    return NewerStore{"schema " + std::to_string(*found), std::to_string(newest)};
  };
  const auto number = std::ranges::find(kNumbers, agent, &KnownNumber::agent);
  if (number != kNumbers.end() && path.ends_with(number->file)) {
    return newer(number_in(path), number->newest);
  }
  const auto schema = std::ranges::find(kSchemas, agent, &KnownSchema::agent);
  if (schema == kSchemas.end() || !is_regular_file(path)) return std::nullopt;
  return newer(schema_of(path, schema->question), schema->newest);
}

std::string_view version_file(std::string_view agent) {
  const auto number = std::ranges::find(kNumbers, agent, &KnownNumber::agent);
  return number == kNumbers.end() ? std::string_view{} : number->file;
}

}  // namespace yore::transcript
