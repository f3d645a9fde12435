#include "render/markdown.hpp"

#include <md4c.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "text/display.hpp"
#include "text/utf8.hpp"

namespace yore::render {
namespace {

// More events than that in a piece: it unfolds to more than it is.
constexpr std::size_t kMostEvents = 2 * kPieceBytes;
constexpr std::size_t kMostCells = kPieceBytes / 4;

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kEntities = {{
    {"&amp;", "&"},
    {"&lt;", "<"},
    {"&gt;", ">"},
    {"&quot;", "\""},
    {"&apos;", "'"},
    {"&nbsp;", " "},
    {"&hellip;", "\u2026"},
    {"&mdash;", "\u2014"},
    {"&ndash;", "\u2013"},
    {"&larr;", "\u2190"},
    {"&rarr;", "\u2192"},
    {"&times;", "\u00d7"},
    {"&copy;", "\u00a9"},
    {"&bull;", "\u2022"},
    {"&middot;", "\u00b7"},
    {"&check;", "\u2713"},
}};

std::string utf8_of(std::uint32_t code) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | code >> 6), byte(0x80 | (code & 0x3F))};
  if (code < 0x10000) {
    return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F))};
  }
  return {byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 0x3F)),
          byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F))};
}

// "&#x41;" is a letter; what is not known stays as it was written.
std::string entity_text(std::string_view entity) {
  for (const auto& [name, meaning] : kEntities) {
    if (name == entity) return std::string(meaning);
  }
  if (!entity.starts_with("&#") || !entity.ends_with(';')) return std::string(entity);
  std::string_view digits = entity.substr(2, entity.size() - 3);
  const bool hex = digits.starts_with('x') || digits.starts_with('X');
  if (hex) digits.remove_prefix(1);
  std::uint32_t code = 0;
  const auto [end, ec] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
  const bool whole = ec == std::errc{} && end == digits.data() + digits.size();
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (!whole || code == 0 || code > 0x10FFFF || surrogate)
    return std::string(text::kReplacementText);
  return text::for_terminal(utf8_of(code));
}

std::string attribute_text(const MD_ATTRIBUTE& attribute) {
  std::string out;
  for (std::size_t i = 0; attribute.text != nullptr && attribute.substr_offsets[i] < attribute.size;
       ++i) {
    const std::string_view part(attribute.text + attribute.substr_offsets[i],
                                attribute.substr_offsets[i + 1] - attribute.substr_offsets[i]);
    out += attribute.substr_types[i] == MD_TEXT_ENTITY ? entity_text(part) : std::string(part);
  }
  return text::one_line(out);
}

enum class Does : std::uint8_t { enter, leave, text, line_break };

struct Event {
  Does does = Does::text;
  Element element = Element::paragraph;
  std::size_t text = 0;  // where its text begins in Piece::texts; a link's target
  std::size_t size = 0;
  Attributes attributes;  // without views
};

// The events of one piece, kept until it is known that they are few enough.
class Piece {
 public:
  // False: it is to be shown as it was written.
  bool parse(std::string_view markdown) {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_NOHTML | MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS |
                   MD_FLAG_PERMISSIVEURLAUTOLINKS | MD_FLAG_NOINDENTEDCODEBLOCKS;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
      return static_cast<Piece*>(self)->enter_block(type, detail);
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
      return static_cast<Piece*>(self)->leave(element_of(type));
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
      return static_cast<Piece*>(self)->enter_span(type, detail);
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
      return static_cast<Piece*>(self)->leave(element_of(type));
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
      return static_cast<Piece*>(self)->add_text(type, {text, size});
    };
    const auto size = static_cast<MD_SIZE>(markdown.size());
    return md_parse(markdown.data(), size, &parser, this) == 0 && open_.empty();
  }

  void play(MarkdownSink& sink) const {
    const std::string_view all = texts_;
    for (const Event& event : events_) {
      const std::string_view text = all.substr(event.text, event.size);
      switch (event.does) {
        case Does::enter: {
          Attributes attributes = event.attributes;
          attributes.language = event.element == Element::code_block ? text : "";
          attributes.target = event.element == Element::link ? text : "";
          if (is_safe_url(attributes.target)) attributes.url = attributes.target;
          sink.enter(event.element, attributes);
          break;
        }
        case Does::leave:
          sink.leave(event.element);
          break;
        case Does::text:
          sink.text(text);
          break;
        case Does::line_break:
          sink.line_break();
          break;
      }
    }
  }

 private:
  using Maybe = std::optional<Element>;
  struct Open {
    Element element;
    bool shown;
  };

  static Maybe element_of(MD_BLOCKTYPE type) {
    switch (type) {
      case MD_BLOCK_QUOTE:
        return Element::quote;
      case MD_BLOCK_UL:
      case MD_BLOCK_OL:
        return Element::list;
      case MD_BLOCK_LI:
        return Element::item;
      case MD_BLOCK_HR:
        return Element::rule;
      case MD_BLOCK_H:
        return Element::heading;
      case MD_BLOCK_CODE:
        return Element::code_block;
      case MD_BLOCK_HTML:
      case MD_BLOCK_P:
        return Element::paragraph;
      case MD_BLOCK_TABLE:
        return Element::table;
      case MD_BLOCK_TR:
        return Element::row;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        return Element::cell;
      case MD_BLOCK_DOC:
      case MD_BLOCK_THEAD:
      case MD_BLOCK_TBODY:
        return std::nullopt;
    }
    return std::nullopt;
  }

  static Maybe element_of(MD_SPANTYPE type) {
    switch (type) {
      case MD_SPAN_EM:
        return Element::emphasis;
      case MD_SPAN_STRONG:
        return Element::strong;
      case MD_SPAN_A:
      case MD_SPAN_IMG:
        return Element::link;
      case MD_SPAN_CODE:
        return Element::code;
      case MD_SPAN_DEL:
        return Element::strike;
      default:
        return std::nullopt;
    }
  }

  static bool is_container(Element element) {
    return element == Element::quote || element == Element::list || element == Element::item ||
           element >= Element::strong;
  }

  // Stops the parser; what is above 0 would only end the paragraph.
  static constexpr int kStop = -1;

  int enter(Maybe element, const Attributes& attributes, std::string_view text) {
    if (!element) return 0;
    const bool shown = !is_container(*element) || open_.size() < kMaxDepth;
    if (is_container(*element)) open_.push_back({*element, shown});
    if (!shown) return 0;
    Event event{Does::enter, *element, texts_.size(), text.size(), attributes};
    texts_ += text;
    return add(std::move(event));
  }

  int leave(Maybe element) {
    if (!element) return 0;
    if (is_container(*element)) {
      // Some versions of the parser leave what they never entered, where links lie in each other.
      if (open_.empty() || open_.back().element != *element) return kStop;
      const bool shown = open_.back().shown;
      open_.pop_back();
      if (!shown) return 0;
    }
    return add({Does::leave, *element, 0, 0, {}});
  }

  int enter_block(MD_BLOCKTYPE type, void* detail) {
    Attributes attributes;
    std::string text;
    if (type == MD_BLOCK_H) attributes.level = static_cast<MD_BLOCK_H_DETAIL*>(detail)->level;
    if (type == MD_BLOCK_UL) {
      attributes.tight = static_cast<MD_BLOCK_UL_DETAIL*>(detail)->is_tight != 0;
    }
    if (type == MD_BLOCK_OL) {
      const auto& list = *static_cast<MD_BLOCK_OL_DETAIL*>(detail);
      attributes.numbered = true;
      attributes.start = list.start;
      attributes.tight = list.is_tight != 0;
    }
    if (type == MD_BLOCK_LI) {
      const auto& item = *static_cast<MD_BLOCK_LI_DETAIL*>(detail);
      attributes.task = item.is_task != 0;
      attributes.done = attributes.task && item.task_mark != ' ';
    }
    if (type == MD_BLOCK_CODE) {
      text = attribute_text(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang);
    }
    if (type == MD_BLOCK_TABLE) {
      const auto& table = *static_cast<MD_BLOCK_TABLE_DETAIL*>(detail);
      const std::size_t rows = std::size_t{table.head_row_count} + table.body_row_count;
      attributes.columns = table.col_count;
      if (rows * table.col_count > kMostCells) return kStop;
    }
    if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) {
      attributes.header = type == MD_BLOCK_TH;
      attributes.right = static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align == MD_ALIGN_RIGHT;
    }
    return enter(element_of(type), attributes, text);
  }

  int enter_span(MD_SPANTYPE type, void* detail) {
    std::string target;
    if (type == MD_SPAN_A) target = attribute_text(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
    if (type == MD_SPAN_IMG) target = attribute_text(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
    return enter(element_of(type), {}, target);
  }

  int add_text(MD_TEXTTYPE type, std::string_view text) {
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) return add({Does::line_break, {}, 0, 0, {}});
    const std::string decoded = type == MD_TEXT_ENTITY ? entity_text(text) : std::string();
    const std::string_view shown = type == MD_TEXT_ENTITY     ? std::string_view(decoded)
                                   : type == MD_TEXT_NULLCHAR ? text::kReplacementText
                                                              : text;
    const bool goes_on = !events_.empty() && events_.back().does == Does::text;
    texts_ += shown;
    if (goes_on) {
      events_.back().size += shown.size();
      return 0;
    }
    return add({Does::text, {}, texts_.size() - shown.size(), shown.size(), {}});
  }

  int add(Event event) {
    events_.push_back(std::move(event));
    return events_.size() > kMostEvents ? kStop : 0;
  }

  std::vector<Event> events_;
  std::string texts_;
  std::vector<Open> open_;  // containers
};

// As it was written.
void play_plain(std::string_view text, MarkdownSink& sink) {
  sink.enter(Element::code_block, {});
  sink.text(text);
  sink.leave(Element::code_block);
}

// The fence that a line opens or closes, "```" or longer; "" for any other line.
std::string_view fence_of(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos || begin > 3) return {};
  const char mark = line[begin];
  if (mark != '`' && mark != '~') return {};
  const std::size_t end = std::min(line.find_first_not_of(mark, begin), line.size());
  return end - begin < 3 ? std::string_view{} : line.substr(begin, end - begin);
}

// Hands on pieces that can be parsed one after the other.
class Cutter {
 public:
  explicit Cutter(MarkdownSink& sink) : sink_(sink) {}

  void run(std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = text.substr(0, next_line(text));
      text.remove_prefix(line.size());
      if (!piece_.empty() && piece_.size() + line.size() > 2 * kPieceBytes) flush();
      piece_ += line;
      note_fence(line);
      const bool pause = fence_.empty() && text::is_blank(line);
      if (pause && piece_.size() >= kPieceBytes) flush();
    }
    flush();
  }

 private:
  // Up to and with the newline; a line without end is cut.
  static std::size_t next_line(std::string_view text) {
    const std::string_view head = text.substr(0, kPieceBytes);
    const std::size_t newline = head.find('\n');
    if (newline != std::string_view::npos) return newline + 1;
    if (head.size() == text.size()) return text.size();
    return std::max<std::size_t>(text::prefix_bytes(text, kPieceBytes).size(), 1);
  }

  void note_fence(std::string_view line) {
    const std::string_view fence = fence_of(line);
    if (fence.empty()) return;
    if (fence_.empty()) {
      fence_ = fence;
      opener_ = text::trim(line);
    } else if (fence.front() == fence_.front() && fence.size() >= fence_.size() &&
               text::trim(line) == fence) {
      fence_.clear();
    }
  }

  void flush() {
    if (piece_.empty()) return;
    Piece piece;
    if (piece.parse(piece_)) {
      piece.play(sink_);
    } else {
      play_plain(piece_, sink_);
    }
    // A block of code goes on in the next piece.
    piece_ = fence_.empty() || opener_.size() > 100 ? "" : opener_ + "\n";
  }

  MarkdownSink& sink_;
  std::string piece_;
  std::string fence_;   // that is open
  std::string opener_;  // the line it stands in
};

}  // namespace

bool is_safe_url(std::string_view url) {
  const std::string scheme = ascii::to_lower(url.substr(0, url.find(':') + 1));
  if (scheme != "http:" && scheme != "https:" && scheme != "mailto:") return false;
  return std::ranges::all_of(url, [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && c != '"' && c != '<' && c != '>' && c != '\\';
  });
}

void walk_markdown(std::string_view text, MarkdownSink& sink) {
  const std::string safe = text::for_terminal(text);
  Cutter(sink).run(safe);
}

}  // namespace yore::render
