// sample.hpp — a turn with everything that can be drawn in it.
#pragma once

#include <string>

#include "turns/turn_reader.hpp"

namespace yore::render {

inline turns::TurnPart part(turns::TurnPart::Kind kind, std::string text,
                            const std::string& id = "") {
  turns::TurnPart made;
  made.kind = kind;
  made.text = std::move(text);
  made.tool_id = id;
  return made;
}

inline turns::TurnPart call(const std::string& id, std::string rendering,
                            const std::string& removed = "", const std::string& added = "") {
  turns::TurnPart made = part(turns::TurnPart::Kind::call, "", id);
  made.rendering = std::move(rendering);
  made.removed = removed;
  made.added = added;
  return made;
}

// Answers, calls whose results come in another order, thinking, a note.
inline turns::WholeTurn sample_turn() {
  using Kind = turns::TurnPart::Kind;
  turns::WholeTurn turn;
  turn.number = 3;
  turn.user_text = "Why does the feed answer 502?\n\n  and please *keep* the tests <green>";
  turn.parts = {
      part(Kind::thinking, "The proxy may give up first.\nLook at its timeout."),
      part(Kind::text, "I look at the log first."),
      call("a", R"({"tool":"Bash","command":"tail -n 3 /var/log/nginx/error.log"})"),
      call("b", R"({"tool":"Edit","file":"deploy/nginx.conf"})",
           "location / {\n  proxy_read_timeout 5s;\n}",
           "location / {\n  proxy_read_timeout 60s;\n}"),
      part(Kind::result, "edited", "b"),
      part(Kind::result, "upstream timed out\nupstream timed out\n接続が切れました", "a"),
      call("c", R"({"tool":"Read","file":"docs/接続.md"})"),
      part(Kind::note, "The test run in the background passed."),
      part(Kind::text,
           "## What was wrong\n\nThe proxy gave up after **5 seconds**, `render_feed` takes "
           "*eight*.\n"
           "See [the manual](https://nginx.org/en/docs) or [this](javascript:alert(1)).\n\n"
           "1. Raise the timeout\n2. Cache the feed:\n   - in memory\n   - [x] on disk\n\n"
           "> Nobody had measured it.\n\n"
           "```python\ndef feed(n):  # slow\n    return [\"x\"] * n\n```\n\n"
           "| step | seconds | 名前 |\n|---|--:|---|\n| query | 7.5 | 照会 |\n| render | 0.5 | "
           "描画 |\n\n"
           "It answers in ~~8 s~~ 0.3 s now."),
  };
  for (const turns::TurnPart& each : turn.parts) {
    if (each.kind == Kind::call) turn.tools_used.push_back(each.rendering);
    if (each.kind != Kind::text) continue;
    if (!turn.assistant_text.empty()) turn.assistant_text += '\n';
    turn.assistant_text += each.text;
  }
  return turn;
}

}  // namespace yore::render
