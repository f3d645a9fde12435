#include "generator/tools.hpp"

#include <algorithm>
#include <array>

#include "generator/json_text.hpp"

namespace yore::generator {
namespace {

constexpr Spread kBashBytes = {8, 33, 260, 1800, 9000, 28'000};
constexpr Spread kReadBytes = {250, 550, 1650, 7600, 37'000, 56'000};
constexpr Spread kGrepBytes = {2, 18, 480, 5000, 16'000, 18'200};
constexpr Spread kEditBytes = {40, 100, 420, 1400, 3600, 5200};
constexpr Spread kWriteBytes = {300, 1000, 2900, 6800, 16'000, 24'000};
constexpr std::uint32_t kSpillBytes = 34'000;

constexpr std::array<std::string_view, 7> kNames = {"Bash", "Read",  "Edit",     "Grep",
                                                    "Glob", "Write", "TodoWrite"};

void append_key_number(std::string& out, std::string_view key, std::uint64_t number) {
  ((out += ",\"") += key) += "\":";
  append_number(out, number);
}

}  // namespace

Tool ToolSimulator::any(bool long_turn) {
  const std::uint32_t at = rng_.below(1000);
  // Long turns are those in which something gets built: they read less and edit more.
  if (long_turn && at >= 420 && at < 520) return Tool::edit;
  if (at < 420) return Tool::bash;
  if (at < 626) return Tool::read;
  if (at < 816) return Tool::edit;
  if (at < 920) return Tool::grep;
  if (at < 938) return Tool::glob;
  if (at < 953) return Tool::write;
  return Tool::todo;
}

Tool ToolSimulator::any_of_helper() {
  const std::uint32_t at = rng_.below(1000);
  if (at < 200) return Tool::bash;
  if (at < 680) return Tool::read;
  if (at < 740) return Tool::edit;
  if (at < 940) return Tool::grep;
  return Tool::glob;
}

void ToolSimulator::run(Tool tool, ToolCall& call) {
  call.tool = tool;
  call.name = kNames[static_cast<std::size_t>(tool)];
  call.id = make_api_id(rng_, "toolu_01");
  call.failed = false;
  for (std::string* text : {&call.input, &call.result, &call.structured, &call.spilled}) {
    text->clear();
  }
  switch (tool) {
    case Tool::bash:
      return bash(call);
    case Tool::read:
      return read(call);
    case Tool::edit:
      return edit(call);
    case Tool::grep:
      return grep(call);
    case Tool::glob:
      return glob(call);
    case Tool::write:
      return write(call);
    case Tool::todo:
      return todo(call);
  }
}

void ToolSimulator::bash(ToolCall& call) {
  call.input = "{\"command\":\"";
  text_.command(call.input);
  while (rng_.chance(450)) {
    call.input += rng_.chance(500) ? " && " : " ; ";
    text_.command(call.input);
  }
  call.input += "\",\"description\":\"";
  text_.step(call.input);
  call.input += "\"}";

  scratch_.clear();
  const bool spills = rng_.chance(4);
  text_.log(scratch_, spills ? kSpillBytes : sample(kBashBytes, rng_));
  scratch_.resize(scratch_.size() - 2);
  call.failed = rng_.chance(60);
  if (spills) return spill(call, scratch_);
  call.result = scratch_;
  if (call.failed) {
    call.result.insert(0, "Exit code 1\\n");
    ((call.structured += "\"Error: Exit code 1\\n") += scratch_) += '"';
    return;
  }
  call.structured = "{\"stdout\":\"";
  call.structured += scratch_;
  call.structured += "\",\"stderr\":\"\",\"interrupted\":false,\"isImage\":false";
  call.structured += modern_ ? ",\"noOutputExpected\":false}" : "}";
}

void ToolSimulator::spill(ToolCall& call, std::string_view output) {
  call.failed = false;
  call.spilled = unescape(output);
  std::string path = spill_prefix_ + "/" + call.id + ".txt";
  std::string& result = call.result;
  result = "<persisted-output>\\nOutput too large (";
  append_number(result, call.spilled.size() / 1024);
  (result += "KB). Full output saved to: ") += path;
  result += "\\n\\nPreview (first 2KB):\\n";
  // Cut between lines, never inside an escape.
  const std::size_t end = output.find("\\n", 2000);
  (result += output.substr(0, end)) += "\\n...\\n</persisted-output>";
  call.structured = "{\"stdout\":\"";
  call.structured += output.substr(0, end);
  call.structured += "\",\"stderr\":\"\",\"interrupted\":false,\"isImage\":false";
  ((call.structured += ",\"persistedOutputPath\":\"") += path) += '"';
  append_key_number(call.structured, "persistedOutputSize", call.spilled.size());
  call.structured += '}';
}

void ToolSimulator::read(ToolCall& call) {
  const std::uint32_t bytes = sample(kReadBytes, rng_);
  std::size_t index = any_file();
  // Long reads are of long files.
  for (int tries = 0; tries < 4 && project_.file(index).content.size() < bytes; ++tries) {
    index = any_file();
  }
  const SourceFile& file = project_.file(index);
  const std::string path = project_.absolute(index);
  std::uint32_t first = 0;
  if (file.content.size() > bytes) first = rng_.below(std::max(1U, file.lines() * 2 / 3));
  std::uint32_t count = 0;
  while (first + count < file.lines() &&
         file.line_starts[first + count] - file.line_starts[first] < bytes) {
    ++count;
  }
  ((call.input += "{\"file_path\":\"") += path) += '"';
  if (first > 0) {
    append_key_number(call.input, "offset", first + 1);
    append_key_number(call.input, "limit", count);
  }
  call.input += '}';
  for (std::uint32_t i = first; i < first + count; ++i) {
    const std::size_t start = call.result.size();
    append_number(call.result, i + 1);
    const std::size_t digits = call.result.size() - start;
    if (digits < 6) call.result.insert(start, 6 - digits, ' ');
    (call.result += "→") += file.slice(i, 1);
  }
  call.structured = "{\"type\":\"text\",\"file\":{\"filePath\":\"";
  ((call.structured += path) += "\",\"content\":\"") += file.slice(first, count);
  call.structured += '"';
  append_key_number(call.structured, "numLines", count);
  append_key_number(call.structured, "startLine", first + 1);
  append_key_number(call.structured, "totalLines", file.lines());
  call.structured += "}}";
}

void ToolSimulator::edit(ToolCall& call) {
  const std::size_t index = any_file();
  const SourceFile& file = project_.file(index);
  const std::string path = project_.absolute(index);
  const std::uint32_t count = std::min(rng_.between(1, rng_.chance(250) ? 36 : 10), file.lines());
  const std::uint32_t first = rng_.below(file.lines() - count + 1);
  const std::string_view before = file.slice(first, count);
  scratch_.clear();
  text_.code(scratch_, sample(kEditBytes, rng_));

  ((call.input += "{\"replace_all\":false,\"file_path\":\"") += path) += "\",\"old_string\":\"";
  ((call.input += before) += "\",\"new_string\":\"") += scratch_;
  call.input += "\"}";

  ((call.result += "The file ") += path) += " has been updated successfully.";
  if (rng_.chance(150)) (call.result += " Changed lines:\\n") += scratch_;

  std::string& structured = call.structured;
  ((structured += "{\"filePath\":\"") += path) += "\",\"oldString\":\"";
  ((structured += before) += "\",\"newString\":\"") += scratch_;
  structured += "\",\"originalFile\":";
  // Newer builds mostly leave the copy of the whole file out.
  if (modern_ && rng_.chance(650)) {
    structured += "null";
  } else {
    ((structured += '"') += file.content) += '"';
  }
  structured += ",\"structuredPatch\":[{\"oldStart\":";
  append_number(structured, first + 1);
  append_key_number(structured, "oldLines", count);
  append_key_number(structured, "newStart", first + 1);
  structured += ",\"lines\":[";
  for (std::uint32_t i = first; i < first + count; ++i) {
    ((structured += "\"-") += file.line(i)) += "\",";
  }
  std::string_view rest = scratch_;
  while (!rest.empty()) {
    const std::size_t end = rest.find("\\n");
    ((structured += "\"+") += rest.substr(0, end)) += "\",";
    rest.remove_prefix(end + 2);
  }
  structured.back() = ']';
  structured += "}],\"userModified\":false,\"replaceAll\":false}";
}

void ToolSimulator::grep(ToolCall& call) {
  call.input = "{\"pattern\":\"";
  text_.identifier(call.input);
  call.input += "\",\"path\":\"";
  call.input += project_.cwd();
  const bool content = rng_.chance(600);
  call.input += content ? "\",\"output_mode\":\"content\",\"-n\":true}" : "\"}";
  const std::uint32_t bytes = sample(kGrepBytes, rng_);
  std::uint32_t lines = 0;
  while (call.result.size() < bytes && lines < 400) {
    const std::size_t index = any_file();
    const SourceFile& file = project_.file(index);
    const std::uint32_t line = rng_.below(file.lines());
    call.result += project_.paths()[index];
    call.result += ':';
    append_number(call.result, line + 1);
    call.result += ':';
    call.result += file.slice(line, 1);
    ++lines;
  }
  if (bytes < 40) call.result = "No matches found";
  call.structured = "{\"mode\":\"content\",\"numFiles\":0,\"filenames\":[],\"content\":\"";
  call.structured += call.result;
  call.structured += '"';
  append_key_number(call.structured, "numLines", lines);
  call.structured += '}';
}

void ToolSimulator::glob(ToolCall& call) {
  call.input = "{\"pattern\":\"**/*";
  text_.word(call.input);
  call.input += "*\"}";
  call.structured = "{\"filenames\":[";
  const std::size_t count = rng_.below(static_cast<std::uint32_t>(project_.file_count()));
  for (std::size_t i = 0; i < count; ++i) {
    const std::string path = project_.absolute(i);
    ((call.structured += i == 0 ? "\"" : ",\"") += path) += '"';
    (call.result += path) += "\\n";
  }
  if (count == 0) call.result = "No files found";
  call.structured += "],\"durationMs\":12,\"truncated\":false";
  append_key_number(call.structured, "numFiles", count);
  call.structured += '}';
}

void ToolSimulator::write(ToolCall& call) {
  const std::string path = project_.absolute(any_file());
  scratch_.clear();
  text_.code(scratch_, sample(kWriteBytes, rng_));
  ((call.input += "{\"file_path\":\"") += path) += "\",\"content\":\"";
  (call.input += scratch_) += "\"}";
  (call.result += "File created successfully at: ") += path;
  ((call.structured += "{\"type\":\"create\",\"filePath\":\"") += path) += "\",\"content\":\"";
  (call.structured += scratch_) += "\",\"structuredPatch\":[],\"originalFile\":null}";
}

void ToolSimulator::todo(ToolCall& call) {
  constexpr std::array<std::string_view, 3> kStates = {"completed", "in_progress", "pending"};
  scratch_.assign(1, '[');
  const std::uint32_t items = rng_.between(2, 5);
  for (std::uint32_t i = 0; i < items; ++i) {
    scratch_ += i == 0 ? "{\"content\":\"" : ",{\"content\":\"";
    text_.step(scratch_);
    ((scratch_ += "\",\"status\":\"") += kStates[std::min(i, 2U)]) += "\",\"activeForm\":\"";
    text_.step(scratch_);
    scratch_ += "\"}";
  }
  scratch_ += ']';
  ((call.input += "{\"todos\":") += scratch_) += '}';
  call.result = "The list of tasks has been updated. Continue with the task in progress.";
  ((call.structured += "{\"oldTodos\":[],\"newTodos\":") += scratch_) += '}';
}

}  // namespace yore::generator
