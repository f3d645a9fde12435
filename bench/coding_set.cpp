#include "coding_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "base/hash.hpp"
#include "store/store.hpp"

namespace yore::bench {
namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Calls `visit` with every line that is neither empty nor a comment; its error gets the place.
Status each_line(const std::string& path, const std::function<Status(std::string_view)>& visit) {
  const auto text = read_file(path);
  if (!text) return text.error();
  std::size_t number = 0;
  for (const std::string_view line : split(*text, '\n')) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (const Status status = visit(line); !status) {
      return Error{Errc::corrupt, fmt::format("{}:{}: {}", path, number, status.error().message)};
    }
  }
  return {};
}

Error wrong(std::string message) {
  return {Errc::corrupt, std::move(message)};
}

// As the agent would name it; the same for the same document.
std::string uid_of(std::string_view agent, std::string_view document) {
  const std::uint64_t hash = hash64(document);
  const std::string uuid = fmt::format("{:08x}-{:04x}-4000-8000-{:012x}", hash >> 32,
                                       hash >> 16 & 0xffff, hash & 0xffff'ffff'ffff);
  if (agent == "claude-code") return uuid;
  if (agent == "opencode") return "opencode:ses_" + uuid;
  return fmt::format("{}:{}", agent, uuid);
}

std::uint32_t turns_of(const Document& document) {
  return static_cast<std::uint32_t>(
      std::ranges::count(document.utterances, true, &Utterance::by_user));
}

// Reads the lines of one file of sessions, each into the collection.
class SessionReader {
 public:
  SessionReader(Collection& collection, std::string project)
      : collection_(collection), project_(std::move(project)) {}

  Status line(std::string_view line) {
    if (line.starts_with("== ")) return begin(line.substr(3));
    if (collection_.documents.empty() || project_ != collection_.documents.back().project) {
      return wrong("a line before the first session");
    }
    if (line.size() > 1 && line[1] != ' ') return wrong("no space after the first sign");
    return add(line[0], line.substr(std::min<std::size_t>(2, line.size())));
  }
  [[nodiscard]] Status end() const {
    return last_ == '<' ? Status{} : Status{wrong("a session that does not end with an answer")};
  }

 private:
  // "id agent time title ..."
  Status begin(std::string_view head) {
    if (last_ != 0 && last_ != '<') return end();
    const auto words = split(head, ' ');
    if (words.size() < 3) return wrong("a session needs an id, an agent and a time");
    Document document;
    document.id = words[0];
    document.agent = words[1];
    document.session = uid_of(document.agent, document.id);
    document.project = project_;
    const auto time = parse_iso8601(words[2]);
    if (!time) return wrong("no time: " + std::string(words[2]));
    document.time = *time;
    if (words.size() > 3) document.title = head.substr(head.find(words[2]) + words[2].size() + 1);
    collection_.documents.push_back(std::move(document));
    last_ = 0;
    return {};
  }

  Status add(char sign, std::string_view text) {
    std::vector<Utterance>& said = collection_.documents.back().utterances;
    const bool opens = sign != last_ || sign == '$' || sign == '@';
    if (sign == '|') {
      if (said.empty() || said.back().tool == Tool::none) return wrong("output of no tool");
      said.back().output += (opens ? "" : "\n") + std::string(text);
    } else if (!opens) {
      said.back().text += "\n" + std::string(text);
    } else {
      if (sign == '>' ? last_ != 0 && last_ != '<' : last_ == 0 || last_ == '<') {
        return wrong("a turn goes from a prompt (>) to an answer (<)");
      }
      Utterance next{sign == '>', std::string(text), Tool::none, ""};
      if (sign == '$') next.tool = Tool::shell;
      if (sign == '@') {
        next.tool = text.starts_with("edit ") ? Tool::edit : Tool::read;
        if (!text.starts_with("edit ") && !text.starts_with("read ")) return wrong("unknown tool");
        next.text = text.substr(5);
      } else if (std::string_view(">~$<").find(sign) == std::string_view::npos) {
        return wrong("unknown sign");
      }
      said.push_back(std::move(next));
    }
    last_ = sign;
    return {};
  }

  Collection& collection_;
  std::string project_;
  char last_ = 0;  // sign of the line before, in this session
};

Status load_sessions(const std::string& folder, Collection& collection) {
  const auto entries = list_directory(folder);
  if (!entries) return entries.error();
  std::vector<std::string> names;
  for (const DirEntry& entry : *entries) {
    if (entry.name.ends_with(".sessions")) names.push_back(entry.name);
  }
  std::ranges::sort(names);
  for (const std::string& name : names) {
    SessionReader reader(collection, name.substr(0, name.find('.')));
    Status status = each_line(path_join(folder, name),
                              [&](std::string_view line) { return reader.line(line); });
    if (!status) return status;
    if (status = reader.end(); !status) return wrong(name + ": " + status.error().message);
  }
  return {};
}

Result<std::map<std::string, bool, std::less<>>> load_kinds(const std::string& path) {
  std::map<std::string, bool, std::less<>> tunes;
  const Status status = each_line(path, [&](std::string_view line) -> Status {
    const auto columns = split(line, '\t');
    if (columns.size() < 2 || (columns[1] != "tune" && columns[1] != "report")) {
      return wrong("expected: kind, tune or report, meaning");
    }
    tunes.emplace(columns[0], columns[1] == "tune");
    return {};
  });
  if (!status) return status.error();
  return tunes;
}

// "ledger-03#1 ledger-04#0"
Status add_gold(std::string_view golds, const std::map<std::string, const Document*>& documents,
                Question& question) {
  for (const std::string_view gold : split(golds, ' ')) {
    const std::size_t mark = gold.find('#');
    const auto found = documents.find(std::string(gold.substr(0, mark)));
    if (mark == std::string_view::npos || found == documents.end()) {
      return wrong("no such session: " + std::string(gold));
    }
    const std::string turn(gold.substr(mark + 1));
    const Document& document = *found->second;
    std::uint32_t number = 0;
    while (number < turns_of(document) && std::to_string(number) != turn) ++number;
    if (number == turns_of(document)) return wrong("no such turn: " + std::string(gold));
    question.gold[turn_key(document.session, number)] = 1;
  }
  return {};
}

Status load_questions(const std::string& folder, Collection& collection) {
  const auto tunes = load_kinds(folder + "/kinds.tsv");
  if (!tunes) return tunes.error();
  std::map<std::string, const Document*> documents;
  for (const Document& document : collection.documents) {
    if (!documents.emplace(document.id, &document).second) {
      return wrong(document.id + ": two sessions of this name");
    }
  }
  return each_line(folder + "/questions.tsv", [&](std::string_view line) -> Status {
    const auto columns = split(line, '\t');
    if (columns.size() != 4) return wrong("expected: id, kind, gold, text");
    const auto kind = tunes->find(columns[1]);
    if (kind == tunes->end()) return wrong("unknown kind: " + std::string(columns[1]));
    Question question;
    question.id = columns[0];
    question.kind = kind->first;
    question.tunes = kind->second;
    question.text = columns[3];
    if (question.kind.starts_with("no_answer") != columns[2].empty()) {
      return wrong("only questions without an answer have no gold");
    }
    if (!columns[2].empty()) {
      if (Status status = add_gold(columns[2], documents, question); !status) return status;
    }
    collection.questions.push_back(std::move(question));
    return {};
  });
}

// What a person typed (true) and what the assistant said (false), by turn.
using Said = std::map<std::pair<std::uint32_t, bool>, std::string>;

void add_said(Said& said, std::uint32_t turn, bool by_user, const std::string& text) {
  const auto [place, first] = said.try_emplace({turn, by_user}, text);
  if (!first) place->second += "\n" + text;
}

Said written_in(const Document& document) {
  Said said;
  std::uint32_t prompts = 0;
  for (const Utterance& next : document.utterances) {
    prompts += next.by_user ? 1 : 0;
    if (next.tool == Tool::none) add_said(said, prompts - 1, next.by_user, next.text);
  }
  return said;
}

Result<Said> read_from(store::Store& store, store::SessionId session, std::uint32_t turns) {
  const auto passages = store.passages_of(session, 0, turns - 1);
  if (!passages) return passages.error();
  std::map<std::tuple<std::uint32_t, bool, std::uint32_t>, std::string> blocks;
  for (const auto& [id, passage] : *passages) {
    const bool by_user = passage.surface == turns::Surface::user_prompt;
    if (!by_user && passage.surface != turns::Surface::assistant_text) continue;
    blocks[{passage.turn, by_user, passage.block}] += passage.text;
  }
  Said said;
  for (const auto& [key, text] : blocks) {
    add_said(said, std::get<0>(key), std::get<1>(key), text);
  }
  return said;
}

}  // namespace

Result<Collection> load_coding_set(const std::string& folder) {
  Collection collection;
  collection.name = "coding";
  collection.by_turn = true;
  if (Status status = load_sessions(folder, collection); !status) return status.error();
  if (Status status = load_questions(folder, collection); !status) return status.error();
  return collection;
}

Status check_turns(const Collection& collection, const Place& place) {
  auto store = store::Store::open_existing(place.data_dir());
  if (!store) return store.error();
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> wanted;  // sessions and turns
  for (const Document& document : collection.documents) {
    const auto session = store->session_by_uid(document.session);
    if (!session) return session.error();
    if (!*session) return wrong(document.id + " is not in the store");
    const auto end = store->turn_end((*session)->id);
    if (!end) return end.error();
    if (*end != turns_of(document)) {
      return wrong(
          fmt::format("{}: {} turns written, {} read", document.id, turns_of(document), *end));
    }
    const auto said = read_from(*store, (*session)->id, *end);
    if (!said) return said.error();
    if (*said != written_in(document)) return wrong(document.id + ": was read with other words");
    auto& [sessions, turns] = wanted[document.agent];
    ++sessions;
    turns += turns_of(document);
  }
  const auto counts = store->agent_counts();
  if (!counts) return counts.error();
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> read;
  for (const store::AgentCounts& agent : *counts) {
    if (agent.sessions > 0) read[agent.agent] = {agent.sessions, agent.turns};
  }
  return read == wanted ? Status{} : Status{wrong("the store holds more than was written")};
}

}  // namespace yore::bench
