#include "setup/edit/yaml_text.hpp"

#include <yaml.h>

#include <algorithm>

#include "setup/edit/layout.hpp"
#include "text/utf8.hpp"

namespace yore::setup {
namespace {

constexpr std::size_t kMostYamlNested = 200;

std::string text_of(const yaml_char_t* text) {
  return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

// Where characters begin: libyaml counts characters, not bytes, and not the byte order mark.
class CharOffsets {
 public:
  explicit CharOffsets(std::string_view text) : size_(text.size()), mark_(mark_bytes(text)) {
    const bool ascii = std::ranges::all_of(
        text.substr(mark_), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (ascii) return;
    for (std::size_t at = mark_; at < text.size(); at += text::decode_at(text, at).size_bytes) {
      offsets_.push_back(at);
    }
  }
  [[nodiscard]] std::size_t operator()(const yaml_mark_t& mark) const {
    if (offsets_.empty()) return std::min(mark.index + mark_, size_);
    return mark.index < offsets_.size() ? offsets_[mark.index] : size_;
  }

 private:
  std::size_t size_;
  std::size_t mark_;
  std::vector<std::size_t> offsets_;
};

class YamlParser {
 public:
  explicit YamlParser(std::string_view text) : offsets_(text) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    const std::string_view rest = text.substr(mark_bytes(text));
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(rest.data()),
                                 rest.size());
  }
  YamlParser(const YamlParser&) = delete;
  YamlParser& operator=(const YamlParser&) = delete;
  ~YamlParser() {
    if (has_event_) yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }

  Result<YamlNode> run() {
    YamlNode root;
    std::size_t documents = 0;
    while (true) {
      if (!next()) return error();
      if (event_.type == YAML_STREAM_END_EVENT) return root;
      if (event_.type != YAML_DOCUMENT_START_EVENT) continue;
      if (++documents > 1) {
        return Error{Errc::unsupported, "the file holds several documents"};
      }
      if (!next() || !read(root, 0)) return error();
      if (root.is_hollow()) root = YamlNode{};
    }
  }

 private:
  bool next() {
    if (has_event_) yaml_event_delete(&event_);
    has_event_ = yaml_parser_parse(&parser_, &event_) != 0;
    return has_event_;
  }
  [[nodiscard]] Error error() const {
    if (too_deep_) return {Errc::unsupported, "nested too deeply"};
    const std::string what = parser_.problem == nullptr ? "not valid" : parser_.problem;
    return {Errc::corrupt, "line " + std::to_string(parser_.problem_mark.line + 1) + ": " + what};
  }

  // The node that the current event begins.
  bool read(YamlNode& node, std::size_t depth) {
    too_deep_ = depth > kMostYamlNested;
    if (too_deep_) return false;
    node.begin = offsets_(event_.start_mark);
    node.end = offsets_(event_.end_mark);
    switch (event_.type) {
      case YAML_ALIAS_EVENT:
        node.kind = YamlNode::Kind::alias;
        node.value = text_of(event_.data.alias.anchor);
        return true;
      case YAML_SCALAR_EVENT: {
        const auto& scalar = event_.data.scalar;
        node.kind = YamlNode::Kind::scalar;
        node.plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
        node.value.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
        node.tag = text_of(scalar.tag);
        node.anchor = text_of(scalar.anchor);
        return true;
      }
      case YAML_MAPPING_START_EVENT: {
        const auto& mapping = event_.data.mapping_start;
        node.kind = YamlNode::Kind::mapping;
        node.flow = mapping.style == YAML_FLOW_MAPPING_STYLE;
        node.tag = text_of(mapping.tag);
        node.anchor = text_of(mapping.anchor);
        return read_children(node, YAML_MAPPING_END_EVENT, depth);
      }
      case YAML_SEQUENCE_START_EVENT: {
        const auto& sequence = event_.data.sequence_start;
        node.kind = YamlNode::Kind::sequence;
        node.flow = sequence.style == YAML_FLOW_SEQUENCE_STYLE;
        node.tag = text_of(sequence.tag);
        node.anchor = text_of(sequence.anchor);
        return read_children(node, YAML_SEQUENCE_END_EVENT, depth);
      }
      default:
        return false;
    }
  }

  bool read_children(YamlNode& node, yaml_event_type_t end, std::size_t depth) {
    while (next()) {
      if (event_.type == end) {
        // A block ends where its last child does, not where the next token begins.
        node.end = node.flow || node.children.empty() ? offsets_(event_.end_mark)
                                                      : node.children.back().end;
        return true;
      }
      YamlNode child;
      if (!read(child, depth + 1)) return false;
      node.children.push_back(std::move(child));
    }
    return false;
  }

  CharOffsets offsets_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
  bool has_event_ = false;
  bool too_deep_ = false;
};

}  // namespace

Result<YamlNode> parse_yaml_text(std::string_view text) {
  if (Status checked = check_text(text); !checked) return checked.error();
  return YamlParser(text).run();
}

Json to_value(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::mapping: {
      Json object = Json::object();
      for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
        object[node.children[i].value] = to_value(node.children[i + 1]);
      }
      return object;
    }
    case YamlNode::Kind::sequence: {
      Json list = Json::array();
      for (const YamlNode& item : node.children) list.push_back(to_value(item));
      return list;
    }
    case YamlNode::Kind::alias:
      return "*" + node.value;
    case YamlNode::Kind::none:
      return nullptr;
    case YamlNode::Kind::scalar:
      break;
  }
  const std::string& text = node.value;
  if (!node.plain) return text;
  if (text == "true" || text == "false") return text == "true";
  if (node.is_hollow() || text == "null" || text == "~") return nullptr;
  const bool digits = !text.empty() && text.size() < 16 &&
                      std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return digits ? Json(std::stoll(text)) : Json(text);
}

}  // namespace yore::setup
