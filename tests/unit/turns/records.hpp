// records.hpp — records written down readably, and a store that keeps what a SessionBuilder gives.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "turns/session_builder.hpp"

namespace yore::turns {

// A Record that owns its words: prompt("fix it").key("k1").after("k0").at(5).
struct Draft {
  struct Part {
    transcript::BlockKind kind = transcript::BlockKind::text;
    std::string text;
    std::string tool_id;
    std::string tool_name;
    std::string rendering;
  };

  transcript::Record fields;  // all that is not text
  std::vector<Part> parts;
  std::string key_text, parent_text, message_text, cwd_text, branch_text, model_text, version_text,
      slug_text, title_text, leaf_text;

  Draft& key(std::string value) { return set(key_text, std::move(value)); }
  Draft& after(std::string parent) { return set(parent_text, std::move(parent)); }
  Draft& message(std::string id) { return set(message_text, std::move(id)); }
  Draft& cwd(std::string value) { return set(cwd_text, std::move(value)); }
  Draft& branch(std::string value) { return set(branch_text, std::move(value)); }
  Draft& model(std::string value) { return set(model_text, std::move(value)); }
  Draft& version(std::string value) { return set(version_text, std::move(value)); }
  Draft& slug(std::string value) { return set(slug_text, std::move(value)); }
  Draft& title(transcript::TitleKind kind, std::string value, std::string leaf = "") {
    fields.title_kind = kind;
    leaf_text = std::move(leaf);
    return set(title_text, std::move(value));
  }
  Draft& at(std::int64_t ms) {
    fields.time = from_ms(ms);
    return *this;
  }
  Draft& place(std::uint64_t offset, std::uint64_t line) {
    fields.offset = offset;
    fields.line = line;
    return *this;
  }
  Draft& usage(transcript::Usage value) {
    fields.usage = value;
    return *this;
  }
  Draft& structural() {
    fields.structural = true;
    return *this;
  }
  Draft& sidechain() {
    fields.sidechain = true;
    return *this;
  }
  Draft& automated() {
    fields.automated = true;
    return *this;
  }
  // More blocks of the same record.
  Draft& with(const Draft& other) {
    parts.insert(parts.end(), other.parts.begin(), other.parts.end());
    return *this;
  }

  // Calls `use(record)`, whose views live as long as the call, as an adapter's do.
  template <typename Use>
  void deliver(Use&& use) const {
    std::vector<transcript::Block> blocks;
    for (const Part& part : parts) {
      blocks.push_back({part.kind, part.text, part.tool_id, part.tool_name, part.rendering, {}});
    }
    transcript::Record record = fields;
    record.blocks = blocks;
    record.key = key_text;
    record.parent_key = parent_text;
    record.message_id = message_text;
    record.cwd = cwd_text;
    record.branch = branch_text;
    record.model = model_text;
    record.version = version_text;
    record.slug = slug_text;
    record.title = title_text;
    record.leaf = leaf_text;
    use(std::as_const(record));
  }

 private:
  Draft& set(std::string& field, std::string value) {
    field = std::move(value);
    return *this;
  }
};

using Drafts = std::vector<Draft>;

inline Draft draft(transcript::RecordKind kind, Draft::Part part) {
  Draft made;
  made.fields.kind = kind;
  made.parts.push_back(std::move(part));
  return made;
}

inline Draft words(transcript::RecordKind kind, std::string text) {
  return draft(kind, {transcript::BlockKind::text, std::move(text), {}, {}, {}});
}
inline Draft prompt(std::string text) {
  return words(transcript::RecordKind::prompt, std::move(text));
}
inline Draft joined(std::string text) {
  return words(transcript::RecordKind::joined_prompt, std::move(text));
}
inline Draft queued(std::string text) {
  return words(transcript::RecordKind::queued_prompt, std::move(text));
}
inline Draft command(std::string text) {
  return words(transcript::RecordKind::command, std::move(text));
}
inline Draft note(std::string text) {
  return words(transcript::RecordKind::note, std::move(text));
}
inline Draft says(std::string text) {
  return words(transcript::RecordKind::assistant, std::move(text));
}
inline Draft thinks(std::string text) {
  return draft(transcript::RecordKind::assistant,
               {transcript::BlockKind::thinking, std::move(text), {}, {}, {}});
}
inline Draft calls(std::string tool, std::string id, std::string input) {
  const std::string rendering = R"({"tool":")" + tool + R"(","id":")" + id + R"("})";
  return draft(transcript::RecordKind::assistant,
               {transcript::BlockKind::tool_call, std::move(input), std::move(id), std::move(tool),
                rendering});
}
inline Draft result(std::string id, std::string text) {
  return draft(transcript::RecordKind::tool_output,
               {transcript::BlockKind::tool_result, std::move(text), std::move(id), {}, {}});
}
inline Draft meta() {
  Draft made;
  made.fields.kind = transcript::RecordKind::meta;
  return made;
}
// A link in the chain that is no message.
inline Draft link(std::string key, std::string parent) {
  return meta().key(std::move(key)).after(std::move(parent)).structural();
}

inline std::string numbered(std::string name, int number) {
  return name.append(std::to_string(number));
}

inline bool same(const Passage& a, const Passage& b) {
  return a.turn == b.turn && a.surface == b.surface && a.block == b.block && a.text == b.text;
}

// What a store would hold after each delta was written to it.
struct Kept {
  std::map<TurnNumber, Turn> turns;
  std::vector<Passage> sealed;
  std::vector<Passage> open;
  SessionFacts facts;
  std::vector<LeafTitle> leaf_titles;
  std::string keys;
  std::string state;

  void apply(const Delta& delta) {
    for (const Turn& turn : delta.turns) turns[turn.number] = turn;
    for (const TurnNumber number : delta.abandoned) turns.at(number).abandoned = true;
    sealed.insert(sealed.end(), delta.sealed.begin(), delta.sealed.end());
    open = delta.open;
    facts = delta.facts;
    leaf_titles.insert(leaf_titles.end(), delta.leaf_titles.begin(), delta.leaf_titles.end());
    keys += delta.new_keys;
    state = delta.state;
  }

  [[nodiscard]] std::vector<Passage> passages() const {
    std::vector<Passage> all = sealed;
    all.insert(all.end(), open.begin(), open.end());
    return all;
  }
  [[nodiscard]] std::vector<std::string> pieces(TurnNumber turn, Surface surface) const {
    std::vector<std::string> found;
    for (const Passage& passage : passages()) {
      if (passage.turn == turn && passage.surface == surface) found.push_back(passage.text);
    }
    return found;
  }
  // All pieces of a surface, one after the other.
  [[nodiscard]] std::string text(TurnNumber turn, Surface surface) const {
    std::string all;
    for (const std::string& piece : pieces(turn, surface)) all += piece;
    return all;
  }
};

inline void feed(SessionBuilder& builder, const Drafts& drafts) {
  for (const Draft& item : drafts) {
    item.deliver([&](const transcript::Record& record) { builder.record(record); });
  }
}

inline Kept keep(const Drafts& drafts) {
  SessionBuilder builder;
  feed(builder, drafts);
  Kept kept;
  kept.apply(builder.take());
  return kept;
}

}  // namespace yore::turns
