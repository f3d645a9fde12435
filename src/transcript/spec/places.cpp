#include "transcript/spec/places.hpp"

#include <algorithm>
#include <array>

#include "text/glob.hpp"

namespace yore::transcript {
namespace {

constexpr std::string_view kFolders = "**";
constexpr std::size_t kMaxNames = 16;
constexpr std::size_t kMaxPatternBytes = 1024;
constexpr std::array<std::string_view, 4> kCaptureNames = {"id", "directory", "parent", "any"};

// One piece of a name: a plain character, '?', '*' or a capture.
struct Token {
  enum class Kind : std::uint8_t { plain, any_char, run, capture } kind = Kind::plain;
  char letter = 0;
  std::string_view capture;
  [[nodiscard]] bool is_run() const { return kind == Kind::run || kind == Kind::capture; }
};

std::vector<Token> tokens_of(std::string_view pattern) {
  std::vector<Token> tokens;
  while (!pattern.empty()) {
    Token& token = tokens.emplace_back();
    std::size_t used = 1;
    const std::size_t close = pattern.front() == '{' ? pattern.find('}') : std::string_view::npos;
    if (close != std::string_view::npos) {
      token.kind = Token::Kind::capture;
      token.capture = pattern.substr(1, close - 1);
      used = close + 1;
    } else if (pattern.front() == '*') {
      token.kind = Token::Kind::run;
    } else if (pattern.front() == '?') {
      token.kind = Token::Kind::any_char;
    } else {
      token.letter = pattern.front();
    }
    pattern.remove_prefix(used);
  }
  return tokens;
}

// Where each token of the pattern begins in the name; empty: it does not fit. On a misfit only the
// last run grows: at worst O(pattern * name).
std::vector<std::size_t> fit(const std::vector<Token>& tokens, std::string_view name) {
  std::vector<std::size_t> starts(tokens.size() + 1, 0);
  std::size_t token = 0;
  std::size_t at = 0;
  std::size_t run = tokens.size();  // the last run, and how far it reaches
  std::size_t run_end = 0;
  while (token < tokens.size() || at < name.size()) {
    if (token < tokens.size()) {
      const Token& next = tokens[token];
      starts[token] = at;
      if (next.is_run()) {
        run = token++;
        run_end = at + (next.kind == Token::Kind::capture ? 1 : 0);
        at = run_end;
        if (at <= name.size()) continue;
        return {};
      }
      const bool same =
          at < name.size() && (next.kind == Token::Kind::any_char || next.letter == name[at]);
      if (same) {
        ++token;
        ++at;
        continue;
      }
    }
    if (run == tokens.size() || run_end >= name.size()) return {};
    at = ++run_end;
    token = run + 1;
  }
  starts[tokens.size()] = at;
  return starts;
}

std::vector<std::string_view> names_of(std::string_view pattern) {
  std::vector<std::string_view> names;
  while (true) {
    const std::size_t slash = pattern.find('/');
    names.push_back(pattern.substr(0, slash));
    if (slash == std::string_view::npos) return names;
    pattern.remove_prefix(slash + 1);
  }
}

Error wrong(std::string_view pattern, std::string_view why) {
  return {Errc::invalid_argument,
          "pattern '" + std::string(pattern.substr(0, 100)) + "' " + std::string(why)};
}

}  // namespace

std::string_view Captures::get(std::string_view name) const {
  for (const auto& [key, text] : texts_) {
    if (key == name) return text;
  }
  return {};
}

void Captures::set(std::string_view name, std::string_view text) {
  texts_.emplace_back(name, text);
}

std::optional<Captures> match_name(std::string_view pattern, std::string_view name,
                                   const Captures& before) {
  const std::vector<Token> tokens = tokens_of(pattern);
  const std::vector<std::size_t> starts = fit(tokens, name);
  if (starts.empty()) return std::nullopt;
  Captures captures = before;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::capture || tokens[i].capture == "any") continue;
    const std::string_view text = name.substr(starts[i], starts[i + 1] - starts[i]);
    const std::string_view known = captures.get(tokens[i].capture);
    if (!known.empty() && known != text) return std::nullopt;
    if (known.empty()) captures.set(tokens[i].capture, text);
  }
  return captures;
}

std::string fill_pattern(std::string_view pattern, const Captures& captures) {
  std::string filled;
  for (const Token& token : tokens_of(pattern)) {
    switch (token.kind) {
      case Token::Kind::plain:
        filled += token.letter;
        break;
      case Token::Kind::any_char:
        filled += '?';
        break;
      case Token::Kind::run:
        filled += '*';
        break;
      case Token::Kind::capture: {
        const std::string_view text = captures.get(token.capture);
        filled += text.empty() ? "{" + std::string(token.capture) + "}" : std::string(text);
        break;
      }
    }
  }
  return filled;
}

Status check_pattern(std::string_view pattern) {
  if (pattern.size() > kMaxPatternBytes) return wrong(pattern, "is too long");
  if (pattern.starts_with('/') || pattern.starts_with('~')) {
    return wrong(pattern, "has to lie below the root: it cannot be absolute");
  }
  const auto names = names_of(pattern);
  if (names.size() > kMaxNames) return wrong(pattern, "goes too deep");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i];
    if (name == ".." || name == ".") return wrong(pattern, "leaves its root: no '.' and '..'");
    if (name.empty()) return wrong(pattern, "has an empty name");
    if (name.find('\0') != std::string_view::npos) return wrong(pattern, "has a NUL byte");
    const bool folders = name.find(kFolders) != std::string_view::npos;
    if (folders && name != kFolders) return wrong(pattern, "has '**' beside other characters");
    if (name == kFolders && i + 1 == names.size()) return wrong(pattern, "ends in '**'");
    for (const Token& token : tokens_of(name)) {
      const bool known = std::ranges::find(kCaptureNames, token.capture) != kCaptureNames.end();
      if (token.kind == Token::Kind::capture && !known) {
        return wrong(pattern, "has {" + std::string(token.capture.substr(0, 40)) +
                                  "}: want {id}, {directory}, {parent} or {any}");
      }
    }
  }
  if (std::ranges::count(names, kFolders) > 1) return wrong(pattern, "has '**' twice");
  return {};
}

struct PlaceFinder::Search {
  std::vector<std::string_view> names;
  const std::vector<std::string>& skip;
  const OnPlace& on_place;

  [[nodiscard]] bool skips(const DirEntry& entry) const {
    const bool folder = entry.type == FileType::directory;
    return std::ranges::any_of(skip, [&](std::string_view pattern) {
      const bool folders_only = pattern.ends_with('/');
      if (folders_only) pattern.remove_suffix(1);
      return (folder || !folders_only) && text::glob_match(pattern, entry.name);
    });
  }
};

Status PlaceFinder::find(std::string_view pattern, const std::vector<std::string>& skip,
                         const OnPlace& on_place, int depth) {
  if (!listed_.contains(root_)) {
    auto top = files_.list_directory(root_);
    if (!top) return top.error();
    listed_.emplace(root_, std::move(*top));
  }
  const Search search{names_of(pattern), skip, on_place};
  descend(search, root_, 0, {}, depth);
  return {};
}

// Null: it cannot be listed, which is a problem of the listing by now.
const std::vector<DirEntry>* PlaceFinder::entries(const std::string& folder) {
  const auto found = listed_.find(folder);
  if (found != listed_.end()) return &found->second;
  auto listed = files_.list_directory(folder);
  if (!listed) listing_.problems.emplace_back(folder, listed.error().message);
  const bool good = listed.ok();
  const auto kept = listed_.emplace(folder, good ? std::move(*listed) : std::vector<DirEntry>{});
  return good ? &kept.first->second : nullptr;
}

void PlaceFinder::descend(const Search& search, const std::string& folder, std::size_t name,
                          const Captures& captures, int folders) {
  if (const auto* listed = entries(folder)) look(search, folder, *listed, name, captures, folders);
}

// References into listed_ stay: elements of the map do not move.
void PlaceFinder::look(const Search& search, const std::string& folder,
                       const std::vector<DirEntry>& entries, std::size_t name,
                       const Captures& captures, int folders) {
  if (search.names[name] == kFolders) {
    look(search, folder, entries, name + 1, captures, folders);
    for (const DirEntry& entry : entries) {
      const bool into = entry.type == FileType::directory && folders > 0;
      if (!into || search.skips(entry)) continue;
      descend(search, path_join(folder, entry.name), name, captures, folders - 1);
    }
    return;
  }
  const bool last = name + 1 == search.names.size();
  const FileType wanted = last ? FileType::regular : FileType::directory;
  for (const DirEntry& entry : entries) {
    if (entry.type != wanted || search.skips(entry)) continue;
    const auto fits = match_name(search.names[name], entry.name, captures);
    if (!fits) continue;
    const std::string path = path_join(folder, entry.name);
    if (last) {
      search.on_place(path, *fits);
    } else {
      descend(search, path, name + 1, *fits, folders);
    }
  }
}

}  // namespace yore::transcript
