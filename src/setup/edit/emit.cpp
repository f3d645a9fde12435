#include "setup/edit/emit.hpp"

#include <algorithm>
#include <array>

namespace yore::setup {
namespace {

// DEL and C1 controls are legal in JSON but not in TOML or YAML.
std::string quoted(const Json& text) {
  return text.dump(-1, ' ', true);
}

bool is_bare_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

std::string flow_list(const Json& list) {
  std::string out = "[";
  for (const Json& item : list) {
    if (out.size() > 1) out += ", ";
    out += quoted(item);
  }
  return out + "]";
}

// Words that a reader of YAML could take for something else than text.
bool is_yaml_word(std::string_view text) {
  static constexpr std::array<std::string_view, 10> kOther = {
      "true", "false", "null", "yes", "no", "on", "off", "y", "n", "none"};
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; });
  return std::ranges::find(kOther, lower) != kOther.end();
}

std::string yaml_scalar(const Json& value) {
  if (value.is_array()) return flow_list(value);
  if (!value.is_string()) return value.dump();
  const std::string& text = value.get_ref<const std::string&>();
  const bool plain = !text.empty() && !is_yaml_word(text) &&
                     ((text[0] | 0x20) >= 'a' && (text[0] | 0x20) <= 'z') &&
                     std::ranges::all_of(text, is_bare_char);
  return plain ? text : quoted(value);
}

}  // namespace

std::string json_text(const Json& value, const JsonLook& look, std::string_view indent) {
  if (value.is_array()) {
    std::string out = "[";
    for (const Json& item : value) {
      if (out.size() > 1) out += look.spaced ? ", " : ",";
      out += json_text(item, look, indent);
    }
    return out + "]";
  }
  if (!value.is_object()) return value.dump();
  if (value.empty()) return "{}";
  const std::string inner = std::string(indent) + look.unit;
  std::string out = "{";
  bool first = true;
  for (const auto& [key, item] : value.items()) {
    if (!first) out += look.newline.empty() && look.spaced ? ", " : ",";
    if (!look.newline.empty()) out += look.newline + inner;
    out += json_member(key, item, look, inner);
    first = false;
  }
  if (!look.newline.empty()) out.append(look.newline).append(indent);
  return out + "}";
}

std::string json_member(std::string_view key, const Json& value, const JsonLook& look,
                        std::string_view indent) {
  return Json(key).dump() + (look.spaced ? ": " : ":") + json_text(value, look, indent);
}

std::string toml_key(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, is_bare_char) ? std::string(key)
                                                                : quoted(Json(key));
}

std::string toml_lines(const Json& table, std::string_view newline) {
  std::string out;
  for (const auto& [key, value] : table.items()) {
    out += toml_key(key) + " = ";
    if (value.is_array()) {
      out += flow_list(value);
    } else {
      out += value.is_string() ? quoted(value) : value.dump();
    }
    out += newline;
  }
  return out;
}

std::string yaml_lines(const Json& object, std::string_view indent, std::string_view unit,
                       std::string_view newline) {
  std::string out;
  for (const auto& [key, value] : object.items()) {
    out.append(indent).append(yaml_scalar(Json(key))).append(":");
    if (value.is_object()) {
      out.append(newline).append(
          yaml_lines(value, std::string(indent) + std::string(unit), unit, newline));
    } else {
      out.append(" ").append(yaml_scalar(value)).append(newline);
    }
  }
  return out;
}

}  // namespace yore::setup
