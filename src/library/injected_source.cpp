#include "library/injected_source.hpp"

#include <exception>
#include <memory>
#include <string_view>
#include <utility>

#include "base/hash.hpp"
#include "library/values.hpp"
#include "text/utf8.hpp"
#include "transcript/spec/tool_render.hpp"

namespace yore::library {
namespace {

using transcript::Block;
using transcript::BlockKind;
using transcript::Record;
using transcript::RecordKind;
using transcript::RecordSink;

void clean(std::string& text) {
  text = text::valid_utf8(text);
}

void clean(SourceTurn& turn) {
  for (std::string* text : {&turn.user_prompt, &turn.thinking, &turn.model, &turn.branch}) {
    clean(*text);
  }
  for (std::string& text : turn.assistant_text) clean(text);
  for (SourceTool& tool : turn.tools) {
    for (std::string* text : {&tool.name, &tool.input, &tool.file, &tool.output}) clean(*text);
  }
}

std::string rendering_of(const SourceTool& tool) {
  std::string out;
  transcript::Rendering rendering(out, tool.name);
  if (!tool.file.empty()) rendering.add("file", tool.file);
  if (!tool.input.empty()) {
    rendering.add("input", text::first_chars(tool.input, transcript::kCommandChars));
  }
  rendering.finish();
  return out;
}

// The records of one turn. Texts come last: the last of them is what was concluded.
class TurnTeller {
 public:
  // `place` names the turn among all turns: without names, equal prompts would count as copies.
  TurnTeller(const SourceTurn& turn, const std::string& place, RecordSink& sink)
      : turn_(turn), place_(place), sink_(sink) {}

  void tell() {
    // Also when nothing was asked: it begins the turn.
    send(RecordKind::prompt, {BlockKind::text, turn_.user_prompt, {}, {}, {}, {}});
    if (!turn_.thinking.empty()) {
      send(RecordKind::assistant, {BlockKind::thinking, turn_.thinking, {}, {}, {}, {}});
    }
    for (std::size_t i = 0; i < turn_.tools.size(); ++i) tell(turn_.tools[i], i);
    for (const std::string& text : turn_.assistant_text) {
      send(RecordKind::assistant, {BlockKind::text, text, {}, {}, {}, {}});
    }
    if (turn_.tokens) tell(*turn_.tokens);
  }

 private:
  void tell(const Tokens& tokens) {
    Record record;
    record.kind = RecordKind::assistant;
    if (turn_.time) record.time = to_time(*turn_.time);
    record.usage = {tokens.input, tokens.output, tokens.cache_read, tokens.cache_write};
    sink_.record(record);
  }

  void tell(const SourceTool& tool, std::size_t number) {
    const std::string id = place_ + "#" + std::to_string(number);
    const std::string rendering = rendering_of(tool);
    std::string searched = tool.file;
    if (!searched.empty() && !tool.input.empty()) searched += '\n';
    searched += tool.input;
    send(RecordKind::assistant,
         {BlockKind::tool_call, searched, id, tool.name, rendering, tool.file});
    if (tool.output.empty()) return;
    send(RecordKind::tool_output, {BlockKind::tool_result, tool.output, id, {}, {}, {}});
  }

  void send(RecordKind kind, const Block& block) {
    Record record;
    record.kind = kind;
    record.blocks = std::span(&block, 1);
    if (kind == RecordKind::prompt) record.key = place_;
    if (turn_.time) record.time = to_time(*turn_.time);
    record.branch = turn_.branch;
    if (kind == RecordKind::assistant) record.model = turn_.model;
    sink_.record(record);
  }

  const SourceTurn& turn_;
  const std::string& place_;
  RecordSink& sink_;
};

void tell_all(const std::string& id, const std::vector<SourceTurn>& turns, RecordSink& sink) {
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const std::string place = id + "#" + std::to_string(i);
    TurnTeller(turns[i], place, sink).tell();
  }
}

ingest::HandedSession handed(SourceSession&& session) {
  for (std::string* text :
       {&session.project, &session.project_path, &session.title, &session.agent}) {
    clean(*text);
  }
  ingest::HandedSession out;
  out.ref.id = std::move(session.id);
  out.ref.project = std::move(session.project);
  out.ref.cwd = std::move(session.project_path);
  out.ref.title = std::move(session.title);
  out.agent = std::move(session.agent);
  out.always_read = session.version.empty();
  out.ref.stamp.size_bytes = session.version.size();
  out.ref.stamp.inode = hash64(session.version);
  return out;
}

// Calls into the program's own code.
template <typename Call>
auto guarded(const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception& problem) {
    return Error{Errc::io, std::string("the transcript source threw: ") + problem.what()};
  } catch (...) {
    return Error{Errc::io, "the transcript source threw"};
  }
}

}  // namespace

ingest::ProgramSource intake_of(TranscriptSource& source) {
  ingest::ProgramSource intake;
  intake.sessions = [&source]() -> Result<std::vector<ingest::HandedSession>> {
    auto listed = guarded([&] { return source.sessions(); });
    if (!listed) return listed.error();
    std::vector<ingest::HandedSession> sessions;
    for (SourceSession& session : *listed) {
      std::string id = session.id;
      clean(id);
      // The source must be asked for it by the same bytes.
      if (id != session.id) {
        return Error{Errc::invalid_argument, "session " + id + ": the id is no UTF-8"};
      }
      sessions.push_back(handed(std::move(session)));
    }
    return sessions;
  };
  intake.read = [&source](const ingest::HandedSession& session) -> Result<ingest::RecordProducer> {
    const std::string& id = session.ref.id;
    auto read = guarded([&] { return source.read(id); });
    if (!read) return read.error();
    for (SourceTurn& turn : *read) clean(turn);
    // Shared because a function must be copyable.
    auto turns = std::make_shared<const std::vector<SourceTurn>>(std::move(*read));
    return ingest::RecordProducer([id, turns](RecordSink& sink) { tell_all(id, *turns, sink); });
  };
  return intake;
}

}  // namespace yore::library
