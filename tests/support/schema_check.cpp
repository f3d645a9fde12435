#include "support/schema_check.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <regex>
#include <set>

namespace yore::schema {
namespace {

using nlohmann::json;

std::string path_of(const std::string& file) {
  return std::string(YORE_SOURCE_DIR) + "/docs/schemas/" + file;
}

bool is_of_type(const json& value, const std::string& type) {
  if (type == "integer") {
    return value.is_number_integer() ||
           (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>());
  }
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return type == "null" && value.is_null();
}

std::string check_type(const json& value, const json& wanted, const std::string& at) {
  const json types = wanted.is_array() ? wanted : json::array({wanted});
  for (const json& type : types) {
    if (is_of_type(value, type)) return "";
  }
  return at + ": want " + wanted.dump() + ", not " + value.dump().substr(0, 80);
}

std::string check_object(const json& value, const json& schema, const json& root,
                         const std::string& at) {
  for (const json& name : schema.value("required", json::array())) {
    if (!value.contains(name.get<std::string>())) return at + ": no " + name.get<std::string>();
  }
  const json none = json::object();
  const json& properties = schema.contains("properties") ? schema["properties"] : none;
  for (const auto& [name, each] : value.items()) {
    const std::string where = at.empty() ? name : at + "." + name;
    std::string wrong;
    if (properties.contains(name)) {
      wrong = problem(each, properties[name], root, where);
    } else if (schema.contains("additionalProperties")) {
      const json& more = schema["additionalProperties"];
      if (more.is_boolean()) {
        if (!more.get<bool>()) wrong = where + ": no such field";
      } else {
        wrong = problem(each, more, root, where);
      }
    }
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string check_array(const json& value, const json& schema, const json& root,
                        const std::string& at) {
  if (value.size() < schema.value("minItems", std::size_t{0})) return at + ": too few";
  if (value.size() > schema.value("maxItems", value.size())) return at + ": too many";
  if (!schema.contains("items")) return "";
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string where = at + "[" + std::to_string(i) + "]";
    if (std::string wrong = problem(value[i], schema["items"], root, where); !wrong.empty()) {
      return wrong;
    }
  }
  return "";
}

std::string check_scalar(const json& value, const json& schema, const std::string& at) {
  if (value.is_number()) {
    const double number = value.get<double>();
    if (schema.contains("minimum") && number < schema["minimum"].get<double>()) {
      return at + ": too small";
    }
    if (schema.contains("maximum") && number > schema["maximum"].get<double>()) {
      return at + ": too large";
    }
  }
  if (value.is_string() && schema.contains("pattern")) {
    const std::regex pattern(schema["pattern"].get<std::string>());
    if (!std::regex_search(value.get<std::string>(), pattern)) {
      return at + ": " + value.dump().substr(0, 80) + " does not look right";
    }
  }
  return "";
}

// How many of the schemas it keeps to; `wrong` is what the last other one says.
std::size_t kept(const json& value, const json& schemas, const json& root, const std::string& at,
                 std::string& wrong) {
  std::size_t count = 0;
  for (const json& each : schemas) {
    const std::string said = problem(value, each, root, at);
    if (said.empty()) ++count;
    if (!said.empty()) wrong += (wrong.empty() ? "" : "; or ") + said;
  }
  return count;
}

std::string check_reference(const json& value, const std::string& reference, const json& root,
                            const std::string& at) {
  const std::size_t hash = reference.find('#');
  const std::string file = reference.substr(0, hash);
  const json& there = file.empty() ? root : load(file);
  if (hash == std::string::npos) return problem(value, there, there, at);
  return problem(value, there.at(json::json_pointer(reference.substr(hash + 1))), there, at);
}

}  // namespace

bool exists(const std::string& file) {
  return std::filesystem::exists(path_of(file));
}

const json& load(const std::string& file) {
  static std::mutex mutex;
  static std::map<std::string, json> loaded;  // addresses stay
  const std::lock_guard guard(mutex);
  const auto found = loaded.find(file);
  if (found != loaded.end()) return found->second;
  std::ifstream in(path_of(file));
  return loaded.emplace(file, json::parse(in)).first->second;
}

std::string problem(const json& value, const std::string& file) {
  const json& schema = load(file);
  return problem(value, schema, schema);
}

std::string problem(const json& value, const json& schema, const json& root,
                    const std::string& at) {
  static const std::set<std::string> kKnown = {
      "$schema",  "$id",      "$defs", "$ref",       "title",    "description",
      "type",     "const",    "enum",  "properties", "required", "additionalProperties",
      "items",    "minItems", "oneOf", "anyOf",      "minimum",  "maximum",
      "maxItems", "pattern"};
  for (const auto& [keyword, what] : schema.items()) {
    if (!kKnown.contains(keyword)) return at + ": the schema says " + keyword + ": unknown here";
  }
  if (schema.contains("$ref")) {
    const std::string wrong = check_reference(value, schema["$ref"], root, at);
    if (!wrong.empty()) return wrong;
  }
  if (schema.contains("type")) {
    if (std::string wrong = check_type(value, schema["type"], at); !wrong.empty()) return wrong;
  }
  if (schema.contains("const") && value != schema["const"]) {
    return at + ": want " + schema["const"].dump();
  }
  if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end()) {
    return at + ": " + value.dump() + " is none of " + schema["enum"].dump();
  }
  std::string others;
  if (schema.contains("oneOf") && kept(value, schema["oneOf"], root, at, others) != 1) {
    return at + ": not exactly one form fits: " + others;
  }
  if (schema.contains("anyOf") && kept(value, schema["anyOf"], root, at, others) == 0) {
    return at + ": no form fits: " + others;
  }
  if (value.is_object()) return check_object(value, schema, root, at);
  if (value.is_array()) return check_array(value, schema, root, at);
  return check_scalar(value, schema, at);
}

}  // namespace yore::schema
