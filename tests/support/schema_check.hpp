// schema_check.hpp — does a JSON value keep to a schema of docs/schemas?
//
// A small and strict checker of the part of JSON Schema 2020-12 that the schemas there use: a
// keyword it does not know is a problem of the schema, not something to pass over.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace yore::schema {

// "" when it does, else where and why not: "results[0].rank: want integer". `file`: "search.json".
std::string problem(const nlohmann::json& value, const std::string& file);
// The same with a schema at hand; references to files lead to docs/schemas.
std::string problem(const nlohmann::json& value, const nlohmann::json& schema,
                    const nlohmann::json& root, const std::string& at = "");

// Is there a schema of that name?
bool exists(const std::string& file);
const nlohmann::json& load(const std::string& file);

}  // namespace yore::schema
