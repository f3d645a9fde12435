// toml_reader.hpp — tables and values of a TOML document by their names, with file and line in
// every error. Private to spec_toml.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/toml.hpp"
#include "transcript/spec/check_spec.hpp"

namespace yore::transcript {

using ReadKey = std::function<Status(const toml::node&)>;
struct Key {
  std::string_view name;
  ReadKey read;
};

class TomlReader {
 public:
  explicit TomlReader(std::string_view file) : file_(file) {}

  // Where what was said, for checks of the whole.
  [[nodiscard]] const SpecLines& lines() const { return lines_; }
  [[nodiscard]] const std::string& file() const { return file_; }

 protected:
  Error wrong(std::size_t line, const std::string& sentence) const {
    return {Errc::invalid_argument, file_ + ": line " + std::to_string(line) + ": " + sentence};
  }
  Error wrong(const toml::node& node, const std::string& sentence) const {
    return wrong(node.source().begin.line, sentence);
  }

  // Every key of a table by its row, in the order of the file.
  Status each(const toml::table& table, std::string_view where, std::span<const Key> keys) {
    for (const auto& [key, node] : in_order(table)) {
      const auto known = std::ranges::find(keys, key, &Key::name);
      if (known == keys.end()) {
        std::string list;
        for (const Key& each : keys) list.append(list.empty() ? "" : ", ").append(each.name);
        return wrong(*node, "unknown key '" + key.substr(0, 80) + "'" + std::string(where) +
                                "; known are " + list);
      }
      if (Status status = known->read(*node); !status) return status;
    }
    return {};
  }

  static std::vector<std::pair<std::string, const toml::node*>> in_order(const toml::table& table) {
    std::vector<std::pair<std::string, const toml::node*>> rows;
    for (const auto& [key, node] : table) rows.emplace_back(key.str(), &node);
    std::ranges::stable_sort(rows, [](const auto& a, const auto& b) {
      const auto x = a.second->source().begin;
      const auto y = b.second->source().begin;
      return x.line != y.line ? x.line < y.line : x.column < y.column;
    });
    return rows;
  }

  ReadKey text(std::string& out) {
    return [this, &out](const toml::node& node) -> Status {
      const auto text = node.value_exact<std::string>();
      if (!text) return wrong(node, "want a text in quotes");
      out = *text;
      return {};
    };
  }
  ReadKey flag(bool& out) {
    return [this, &out](const toml::node& node) -> Status {
      if (!node.is_boolean()) return wrong(node, "want true or false");
      out = node.value_or(false);
      return {};
    };
  }
  template <typename Number>
  ReadKey number(Number& out, std::int64_t least, std::int64_t most) {
    return [this, &out, least, most](const toml::node& node) -> Status {
      const auto value = node.value_exact<std::int64_t>();
      if (!value || *value < least || *value > most) {
        return wrong(node,
                     "want a number from " + std::to_string(least) + " to " + std::to_string(most));
      }
      out = static_cast<Number>(*value);
      return {};
    };
  }
  // One text, or a list of them.
  ReadKey texts(std::vector<std::string>& out) {
    return [this, &out](const toml::node& node) -> Status {
      if (const auto one = node.value_exact<std::string>()) {
        out.push_back(*one);
        return {};
      }
      const toml::array* list = node.as_array();
      if (list == nullptr) return wrong(node, "want a list of texts");
      if (list->size() > kMaxRules) return wrong(node, "too many entries");
      for (const toml::node& item : *list) {
        const auto value = item.value_exact<std::string>();
        if (!value) return wrong(item, "want a list of texts");
        out.push_back(*value);
      }
      return {};
    };
  }
  template <typename Value, std::size_t size>
  ReadKey choice(Value& out, const std::array<std::string_view, size>& names) {
    return [this, &out, &names](const toml::node& node) -> Status {
      const auto found = find_name(node, names);
      if (!found) return found.error();
      out = static_cast<Value>(*found);
      return {};
    };
  }
  template <std::size_t size>
  Result<std::size_t> find_name(const toml::node& node,
                                const std::array<std::string_view, size>& names) const {
    const auto text = node.value_exact<std::string>();
    const auto found = std::ranges::find(names, text.value_or(""));
    if (text && found != names.end()) return static_cast<std::size_t>(found - names.begin());
    std::string list;
    for (const std::string_view name : names) list.append(list.empty() ? "" : ", ").append(name);
    return wrong(node, (text ? "unknown name '" + text->substr(0, 80) + "'; want one of "
                             : std::string("want one of ")) +
                           list);
  }
  // A table, or a list of tables.
  ReadKey table(std::function<Status(const toml::table&)> read) {
    return [this, read = std::move(read)](const toml::node& node) -> Status {
      if (!node.is_table()) return wrong(node, "want a table");
      return read(*node.as_table());
    };
  }
  ReadKey tables(std::function<Status(const toml::table&)> read) {
    return [this, read = std::move(read)](const toml::node& node) -> Status {
      const toml::array* list = node.as_array();
      if (list == nullptr) return wrong(node, "want a list of tables");
      if (list->size() > kMaxRules) return wrong(node, "too many entries");
      for (const toml::node& item : *list) {
        if (!item.is_table()) return wrong(item, "want a list of tables");
        if (Status status = read(*item.as_table()); !status) return status;
      }
      return {};
    };
  }
  void mark(std::string what, const toml::node& node) {
    lines_.emplace_back(std::move(what), node.source().begin.line);
  }

 private:
  std::string file_;
  SpecLines lines_;
};

}  // namespace yore::transcript
