"""A model on the loopback interface, for clients that want one: Anthropic Messages, OpenAI Chat and
Responses, Gemini. It calls the client's shell tool once, then concludes; what is asked for a title
gets one. Nothing leaves the machine."""
import http.server
import json
import threading
import time

PROMPT = "How large may the velociraptor cache grow? Run one command to check."
COMMAND = "echo checked-the-quokka"
BEFORE = "One command will tell."
CONCLUSION = "Concluded: the velociraptor cache stays at 512 entries."
SECOND_PROMPT = "second question: and the narwhal limit?"
SECOND_CONCLUSION = "Concluded: the narwhal limit is 7."
TITLE = "Velociraptor cache size"
SHELLS = ("bash", "shell", "run_shell_command", "execute_command", "run_commands", "exec_command",
          "shell_command", "local_shell", "terminal", "execute_bash", "run_terminal_cmd",
          "execute", "run_terminal_command", "developer__shell", "powershell")


def words(content):
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(words(each) for each in content)
    if isinstance(content, dict):
        return words(content.get("text") or content.get("content") or content.get("output") or "")
    return ""


def shell_of(tools):
    """Name and arguments of a call of the client's shell, from its schema."""
    for name, schema in tools:
        if name.lower() not in SHELLS:
            continue
        arguments = {}
        properties = (schema or {}).get("properties", {})
        required = (schema or {}).get("required", [])
        for key, value in properties.items():
            if key in ("command", "cmd", "script", "commands"):
                kind = value.get("type")
                lists = kind == "array" or (kind is None and key == "commands")
                arguments[key] = [COMMAND] if lists else COMMAND
                if lists and name in ("shell", "local_shell"):
                    arguments[key] = ["bash", "-lc", COMMAND]
            elif key in required:
                kind = value.get("type")
                choice = value.get("enum")
                arguments[key] = (choice[0] if choice else False if kind == "boolean" else
                                  5 if kind in ("number", "integer") else
                                  [] if kind == "array" else "checks the cache")
        return name, arguments
    return None


def plan(prompt, results, tools):
    """Text to say and a call to make, or None."""
    if "narwhal" in prompt:
        return SECOND_CONCLUSION, None
    if "velociraptor" not in prompt or "title" in prompt.lower()[:400]:
        return TITLE, None
    call = shell_of(tools)
    if call and not results:
        return BEFORE, call
    return CONCLUSION, None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    calls = 0

    def log_message(self, *_):
        pass

    def reply(self, body, kind="application/json"):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def stream(self, events, named=True):
        out = ""
        for name, event in events:
            out += f"event: {name}\n" if named else ""
            out += "data: " + (event if isinstance(event, str) else json.dumps(event)) + "\n\n"
        self.reply(out.encode(), "text/event-stream")

    def do_GET(self):
        self.server.log(f"GET {self.path}")
        if "models" in self.path:
            models = [{"id": "mock-model", "object": "model", "created": 1, "owned_by": "loopback"}]
            return self.reply({"object": "list", "data": models, "models": []})
        self.reply({})

    def do_POST(self):
        Handler.calls += 1
        self.number = Handler.calls
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            asked = json.loads(body or b"{}")
        except ValueError:
            asked = {}
        self.server.log(f"POST {self.path}", asked)
        for part, answer in (("count", self.count), ("/messages", self.answer_messages),
                             ("/responses", self.answer_responses), ("/chat/completions", self.chat),
                             ("eneratecontent", self.gemini)):
            if part in self.path.lower():
                return answer(asked)
        self.reply({})

    def count(self, _):
        self.reply({"input_tokens": 10, "totalTokens": 10})

    def answer_messages(self, asked):
        said = asked.get("messages", [])
        last = 0
        for i, message in enumerate(said):
            content = message.get("content")
            result = isinstance(content, list) and any(
                part.get("type") == "tool_result" for part in content if isinstance(part, dict))
            if message.get("role") == "user" and not result:
                last = i
        results = [m for m in said[last + 1:] if m.get("role") == "user"]
        tools = [(tool.get("name", ""), tool.get("input_schema")) for tool in asked.get("tools", [])]
        prompt = words(said[last].get("content")) if said else ""
        text, call = plan(prompt, results, tools)
        blocks = [{"type": "text", "text": text}]
        if call:
            blocks.append({"type": "tool_use", "id": f"toolu_{self.number}", "name": call[0],
                           "input": call[1]})
        whole = {"id": f"msg_{self.number}", "type": "message", "role": "assistant",
                 "model": asked.get("model", "mock"), "content": blocks, "stop_sequence": None,
                 "stop_reason": "tool_use" if call else "end_turn",
                 "usage": {"input_tokens": 11, "output_tokens": 7}}
        if not asked.get("stream"):
            return self.reply(whole)
        events = [("message_start", {"type": "message_start",
                                     "message": {**whole, "content": [], "stop_reason": None}})]
        for i, block in enumerate(blocks):
            is_text = block["type"] == "text"
            start = {"type": "text", "text": ""} if is_text else {**block, "input": {}}
            delta = ({"type": "text_delta", "text": block["text"]} if is_text else
                     {"type": "input_json_delta", "partial_json": json.dumps(block["input"])})
            events += [
                ("content_block_start",
                 {"type": "content_block_start", "index": i, "content_block": start}),
                ("content_block_delta",
                 {"type": "content_block_delta", "index": i, "delta": delta}),
                ("content_block_stop", {"type": "content_block_stop", "index": i})]
        events += [("message_delta",
                    {"type": "message_delta", "usage": {"output_tokens": 7},
                     "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None}}),
                   ("message_stop", {"type": "message_stop"})]
        self.stream(events)

    def chat(self, asked):
        said = asked.get("messages", [])
        last = max((i for i, m in enumerate(said) if m.get("role") == "user"), default=0)
        results = [m for m in said[last + 1:] if m.get("role") == "tool"]
        tools = [(tool.get("function", {}).get("name", ""),
                  tool.get("function", {}).get("parameters")) for tool in asked.get("tools") or []]
        first = last  # reminders come as messages of the same user
        while first > 0 and said[first - 1].get("role") == "user":
            first -= 1
        prompt = words([m.get("content") for m in said[first:last + 1]])
        text, call = plan(prompt, results, tools)
        calls = [{"index": 0, "id": f"call_{self.number}", "type": "function",
                  "function": {"name": call[0], "arguments": json.dumps(call[1])}}] if call else None
        head = {"id": f"chatcmpl-{self.number}", "created": int(time.time()),
                "model": asked.get("model", "mock")}
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        finish = "tool_calls" if call else "stop"
        if not asked.get("stream"):
            message = {"role": "assistant", "content": text}
            if calls:
                message["tool_calls"] = calls
            choice = {"index": 0, "message": message, "finish_reason": finish}
            return self.reply({**head, "object": "chat.completion", "choices": [choice],
                               "usage": usage})
        head["object"] = "chat.completion.chunk"
        deltas = [({"role": "assistant", "content": ""}, None), ({"content": text}, None)]
        if calls:
            deltas.append(({"tool_calls": calls}, None))
        deltas.append(({}, finish))
        events = [("", {**head, "choices": [{"index": 0, "delta": d, "finish_reason": f}]})
                  for d, f in deltas]
        events += [("", {**head, "choices": [], "usage": usage}), ("", "[DONE]")]
        self.stream(events, named=False)

    def answer_responses(self, asked):
        said = asked.get("input", [])
        if isinstance(said, str):
            said = [{"role": "user", "content": said}]
        last = max((i for i, m in enumerate(said) if m.get("role") == "user"), default=0)
        results = [m for m in said[last + 1:] if str(m.get("type", "")).endswith("_output")]
        tools = [(tool.get("name", ""), tool.get("parameters")) for tool in asked.get("tools", [])]
        prompt = words(said[last].get("content")) if said else ""
        text, call = plan(prompt, results, tools)
        items = [{"type": "message", "role": "assistant", "id": f"msg_{self.number}",
                  "status": "completed",
                  "content": [{"type": "output_text", "text": text, "annotations": []}]}]
        if call:
            items.append({"type": "function_call", "id": f"fc_{self.number}", "name": call[0],
                          "call_id": f"call_{self.number}", "arguments": json.dumps(call[1]),
                          "status": "completed"})
        usage = {"input_tokens": 11, "input_tokens_details": {"cached_tokens": 0},
                 "output_tokens": 7, "output_tokens_details": {"reasoning_tokens": 0},
                 "total_tokens": 18}
        whole = {"id": f"resp_{self.number}", "object": "response", "status": "completed",
                 "created_at": int(time.time()), "model": asked.get("model", "mock"),
                 "output": items, "usage": usage, "tools": [], "parallel_tool_calls": False,
                 "tool_choice": "auto"}
        if not asked.get("stream"):
            return self.reply(whole)
        events = [("response.created", {"type": "response.created", "sequence_number": 0,
                                        "response": {**whole, "status": "in_progress",
                                                     "output": []}})]
        for i, item in enumerate(items):
            for step in ("added", "done"):
                name = f"response.output_item.{step}"
                shown = item if step == "done" or item["type"] != "message" else {**item,
                                                                                  "content": []}
                events.append((name, {"type": name, "output_index": i, "item": shown,
                                      "sequence_number": len(events)}))
                if step == "added" and item["type"] == "message":
                    name = "response.output_text.delta"
                    events.append((name, {"type": name, "item_id": item["id"], "output_index": i,
                                          "content_index": 0, "delta": text,
                                          "sequence_number": len(events)}))
        events.append(("response.completed", {"type": "response.completed", "response": whole,
                                              "sequence_number": len(events)}))
        self.stream(events)

    def gemini(self, asked):
        said = asked.get("contents", [])
        parts = lambda message: message.get("parts", [])
        last = max((i for i, m in enumerate(said) if m.get("role") == "user" and
                    not any("functionResponse" in p for p in parts(m))), default=0)
        results = [m for m in said[last + 1:] if any("functionResponse" in p for p in parts(m))]
        tools = [(f.get("name", ""), f.get("parametersJsonSchema") or f.get("parameters"))
                 for tool in asked.get("tools", []) for f in tool.get("functionDeclarations", [])]
        prompt = words(parts(said[last])) if said else ""
        text, call = plan(prompt, results, tools)
        answer = [{"text": text}]
        if call:
            answer.append({"functionCall": {"name": call[0], "args": call[1]}})
        whole = {"candidates": [{"content": {"role": "model", "parts": answer},
                                 "finishReason": "STOP", "index": 0}], "modelVersion": "mock",
                 "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7,
                                   "totalTokenCount": 18}}
        if "stream" not in self.path.lower():
            return self.reply(whole)
        self.stream([("", whole)], named=False)


class Model(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, log_path=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.log_path = log_path
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def log(self, line, asked=None):
        if self.log_path is None:
            return
        with open(self.log_path, "a", encoding="utf-8") as out:
            out.write(line + (" " + json.dumps(asked)[:4000] if asked else "") + "\n")
