"""A model on 127.0.0.1 for real agents: Anthropic Messages, OpenAI Responses and Chat Completions, Gemini.

It has no mind: asked anything, it calls the tools of its script one after the other and then concludes. Every request
is kept, so that a test can look at what an agent really gave its model.
"""

import gzip
import http.server
import json
import threading

FINAL = "Concluded: it was looked up."


def text_of(content):
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text_of(part.get("text") or part.get("content") or "") if isinstance(part, dict)
                         else text_of(part) for part in content)
    return "" if content is None else json.dumps(content)


class Turn:
    """What a request comes to: the tools that are offered, how many of them have answered since the prompt."""

    def __init__(self, tools, answered, looked_up=0):
        self.tools = tools  # name as offered → namespace or ""
        self.answered = answered
        self.looked_up = looked_up  # searches for tools that are not offered from the start

    def step(self, script):
        """The next call as (name, namespace, arguments), or None when it is time to conclude."""
        if not self.tools or self.answered >= len(script):
            return None
        name, arguments = script[self.answered]
        for offered, namespace in self.tools.items():
            if offered == name or offered.endswith("_" + name):
                return offered, namespace, arguments
        if "ToolSearch" in self.tools:
            return "mcp__yore__" + name, "", arguments
        if "tool_call" in self.tools:
            return "tool_call", "", {"name": "mcp__yore__" + name, "arguments": arguments}
        if "tool_search" in self.tools and self.looked_up < 3:
            wanted = ",".join("mcp__yore__" + name for name, _ in script)
            return "tool_search", "", {"query": "select:" + wanted}
        return None


def since_last(items, is_prompt):
    last = max((i for i, item in enumerate(items) if is_prompt(item)), default=-1)
    return items[last + 1:]


def anthropic_turn(body):
    def is_prompt(message):
        blocks = message["content"] if isinstance(message["content"], list) else []
        return message["role"] == "user" and not any(b.get("type") == "tool_result" for b in blocks)
    rest = since_last(body.get("messages", []), is_prompt)
    answered = sum(block.get("type") == "tool_result" for message in rest
                   if isinstance(message["content"], list) for block in message["content"])
    return Turn({tool["name"]: "" for tool in body.get("tools", [])}, answered)


def anthropic_reply(send, body, text, call, number):
    blocks = [{"type": "text", "text": text}] if text else []
    if call:
        blocks.append({"type": "tool_use", "id": f"toolu_{number}", "name": call[0], "input": call[2]})
    stop = "tool_use" if call else "end_turn"
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": body.get("model", ""),
               "content": blocks, "stop_reason": stop, "stop_sequence": None,
               "usage": {"input_tokens": 9, "output_tokens": 9}}
    if not body.get("stream"):
        return send.json(message)
    send.event("message_start", message={**message, "content": [], "stop_reason": None})
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        send.event("content_block_start", index=index, content_block=start)
        send.event("content_block_delta", index=index, delta=delta)
        send.event("content_block_stop", index=index)
    send.event("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage={"output_tokens": 9})
    return send.event("message_stop")


def responses_turn(body):
    rest = since_last(body.get("input", []), lambda item: item.get("role") == "user")
    answered = sum(item.get("type", "").endswith("_output") for item in rest)
    tools = {}
    for tool in body.get("tools", []):
        if tool.get("type") == "namespace":
            tools.update({inner["name"]: tool["name"] for inner in tool.get("tools", [])})
        elif tool.get("name"):
            tools[tool["name"]] = ""
    return Turn(tools, answered)


def responses_reply(send, body, text, call, number):
    items = []
    if text:
        items.append({"type": "message", "role": "assistant", "id": f"msg{number}",
                      "content": [{"type": "output_text", "text": text, "annotations": []}]})
    if call:
        item = {"type": "function_call", "id": f"fc{number}", "call_id": f"call_{number}", "name": call[0],
                "arguments": json.dumps(call[2])}
        items.append({**item, "namespace": call[1]} if call[1] else item)
    send.event("response.created", response={"id": f"r{number}"})
    for index, item in enumerate(items):
        send.event("response.output_item.added", output_index=index, item=item)
        send.event("response.output_item.done", output_index=index, item=item)
    usage = {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 9,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 18}
    send.event("response.completed", response={"id": f"r{number}", "status": "completed", "usage": usage})


def chat_turn(body):
    rest = since_last(body.get("messages", []), lambda message: message.get("role") == "user")
    looked_up = sum(call["function"]["name"] == "tool_search" for message in rest
                    for call in message.get("tool_calls") or [])
    return Turn({tool["function"]["name"]: "" for tool in body.get("tools", [])},
                sum(message.get("role") == "tool" for message in rest) - looked_up, looked_up)


def chat_reply(send, body, text, call, number):
    calls = [{"index": 0, "id": f"call_{number}", "type": "function",
              "function": {"name": call[0], "arguments": json.dumps(call[2])}}] if call else None
    finish = "tool_calls" if call else "stop"
    usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
    common = {"id": f"chatcmpl-{number}", "created": 1, "model": body.get("model", "")}
    if not body.get("stream"):
        message = {"role": "assistant", "content": text or None}
        if calls:
            message["tool_calls"] = calls
        return send.json({**common, "object": "chat.completion", "usage": usage,
                          "choices": [{"index": 0, "message": message, "finish_reason": finish}]})
    deltas = [({"role": "assistant", "content": text or ""}, None)]
    if calls:
        deltas.append(({"tool_calls": calls}, None))
    for delta, reason in [*deltas, ({}, finish)]:
        send.data({**common, "object": "chat.completion.chunk",
                   "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})
    send.data({**common, "object": "chat.completion.chunk", "choices": [], "usage": usage})
    return send.line("data: [DONE]")


def gemini_turn(body):
    def is_prompt(content):
        parts = content.get("parts", [])
        return (content.get("role") == "user" and any("text" in part for part in parts)
                and not any("functionResponse" in part for part in parts))
    rest = since_last(body.get("contents", []), is_prompt)
    answered = sum("functionResponse" in part for content in rest for part in content.get("parts", []))
    tools = {declared["name"]: "" for tool in body.get("tools", []) for declared in tool.get("functionDeclarations", [])}
    return Turn(tools, answered)


def gemini_reply(send, body, text, call, _number):
    config = body.get("generationConfig", {})
    if "responseJsonSchema" in config or "responseSchema" in config:
        text = json.dumps({"reasoning": "x", "next_speaker": "user", "model_choice": "flash",
                           "complexity_reasoning": "x", "complexity_score": 10})
    parts = [{"text": text}] if text else []
    if call:
        parts.append({"functionCall": {"name": call[0], "args": call[2]}})
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 9, "totalTokenCount": 18}
    reply = {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
             "usageMetadata": usage, "modelVersion": "loopback"}
    return send.data(reply) if send.streams else send.json(reply)


# What stands in the path of a request → how it is read, how it is answered.
APIS = {
    "/v1/messages": (anthropic_turn, anthropic_reply),
    "/responses": (responses_turn, responses_reply),
    "/chat/completions": (chat_turn, chat_reply),
    "enerateContent": (gemini_turn, gemini_reply),
}


class Send:
    def __init__(self, handler, streams):
        self.handler = handler
        self.streams = streams
        self.begun = False

    def begin(self, kind):
        if not self.begun:
            self.handler.send_response(200)
            self.handler.send_header("content-type", kind)
            self.handler.send_header("connection", "close")
            self.handler.end_headers()
        self.begun = True

    def json(self, value):
        self.begin("application/json")
        self.handler.wfile.write(json.dumps(value).encode())

    def line(self, text):
        self.begin("text/event-stream")
        self.handler.wfile.write((text + "\n\n").encode())

    def data(self, value):
        self.line("data: " + json.dumps(value))

    def event(self, kind, **fields):
        self.line(f"event: {kind}\ndata: " + json.dumps({"type": kind, **fields}))


class LoopbackModel:
    """`script` is a list of (tool, arguments); `furthest` the request with the most answers of tools, as text."""

    def __init__(self, script):
        self.script = script
        self.requests = 0
        self.furthest = ""
        self.most = -1
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                Send(self, False).json({"object": "list", "data": [{"id": "loopback", "object": "model"}], "models": []})

            def do_POST(self):
                raw = self.rfile.read(int(self.headers.get("content-length") or 0))
                if self.headers.get("content-encoding") == "gzip":
                    raw = gzip.decompress(raw)
                model.answer(self, raw)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, handler, raw):
        path = handler.path
        send = Send(handler, "stream" in path)
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            return send.json({})
        if "count_tokens" in path or "countTokens" in path:
            return send.json({"input_tokens": 9, "totalTokens": 9})
        for part, (turn_of, reply) in APIS.items():
            if part not in path:
                continue
            turn = turn_of(body)
            self.requests += 1
            # Agents ask for titles and the like as well.
            if len(turn.tools) > 2 and turn.answered > self.most:
                self.most, self.furthest = turn.answered, json.dumps(body, ensure_ascii=False)
            call = turn.step(self.script) if len(turn.tools) > 2 else None
            return reply(send, body, "" if call else FINAL, call, self.requests)
        return send.json({})

    def close(self):
        self.server.shutdown()
