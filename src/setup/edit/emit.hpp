// emit.hpp — a value as text of each format. Pure.
#pragma once

#include <string>
#include <string_view>

#include "setup/edit/entry.hpp"

namespace yore::setup {

// How JSON is laid out. Without `newline` all of it stands on one line.
struct JsonLook {
  std::string newline;
  std::string unit = "  ";  // one step of indentation
  bool spaced = true;       // a space behind colons and commas
};
// Lists stand on one line. `indent` is that of the line the value begins on.
std::string json_text(const Json& value, const JsonLook& look, std::string_view indent);
std::string json_member(std::string_view key, const Json& value, const JsonLook& look,
                        std::string_view indent);

// "key = value" lines of a table.
std::string toml_lines(const Json& table, std::string_view newline);
// A key as it stands in a header: bare where it may be.
std::string toml_key(std::string_view key);

// "key: value" lines, each behind `indent` and ended by `newline`; objects are nested by `unit`.
std::string yaml_lines(const Json& object, std::string_view indent, std::string_view unit,
                       std::string_view newline);

}  // namespace yore::setup
