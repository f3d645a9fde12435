// datasets.hpp — collections of documents and judged questions, in one shape.
//
// LoCoMo (conversations in sessions, questions about them) and collections in BEIR layout
// (corpus.jsonl, queries.jsonl, qrels/test.tsv).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "place.hpp"

namespace yore::bench {

enum class Tool : std::uint8_t { none, shell, read, edit };

// Something said, or a tool used.
struct Utterance {
  bool by_user = true;
  std::string text;  // of a tool: the command or the path
  Tool tool = Tool::none;
  std::string output;  // of an edit: the lines taken away (-) and put there (+)
};

// Becomes one transcript.
struct Document {
  std::string id;       // in the collection
  std::string session;  // its id as a transcript
  std::string agent;    // that wrote it; "": Claude Code
  std::string project;  // name of its folder
  std::string title;
  Time time = kNoTime;
  std::vector<Utterance> utterances;
};

struct Question {
  std::string id;
  std::string kind;  // "" where a collection has none
  std::string text;
  std::string project;              // of the documents it is about; "" for all
  std::map<std::string, int> gold;  // session or turn → grade, above 0; empty: no answer exists
  std::optional<bool> tunes;        // by kind
  // One half is for choosing constants, the other for reporting; without `tunes` by a hash of the
  // id.
  [[nodiscard]] bool in_tune_half() const;
};

struct Collection {
  std::string name;
  std::vector<Document> documents;
  std::vector<Question> questions;
  bool by_turn = false;  // gold is turns, else sessions
};

// How gold and rankings name a turn.
std::string turn_key(std::string_view session, std::uint32_t turn);

// `folder` is .../datasets; `name` one of locomo, scifact, cranfield, med.
//
// LoCoMo: a session is a document, a conversation a project; an utterance is `Speaker: text`, the
// first speaker writes the prompts, the second the answers. Questions without evidence are left
// out. BEIR: a document is one prompt, title and text together.
Result<Collection> load_collection(const std::string& folder, const std::string& name);

// Writes the documents of `project` (all when empty) as transcripts.
Status write_transcripts(const Collection& collection, const std::string& project,
                         const Place& place);

}  // namespace yore::bench
