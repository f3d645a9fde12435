#!/usr/bin/env python3
"""Real clients that rewrite what they wrote, against a model on the loopback: Codex compacts, Gemini
CLI resumes and deletes. Every question that was asked must be found once, whatever became of the
files in between.

  YORE_REAL_CLIENTS=DIR tests/real/rewriting_clients.py YORE

DIR holds `codex` and `gemini`, as npm puts them into node_modules/.bin. Without it, or without one
of them, what cannot be run is skipped by name (exit 77 when nothing was run).
"""
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

SKIPPED = 77
SAID = "Concluded: the cache stays at 512 entries."
USAGE = {"input_tokens": 11, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 7,
         "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 18}


class Model(http.server.BaseHTTPRequestHandler):
    """Says the same to everybody, in the words of OpenAI's Responses and of Gemini."""

    def log_message(self, *_):
        pass

    def reply(self, kind, body):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.reply("application/json", b'{"object":"list","data":[],"models":[]}')

    def do_POST(self):
        asked = self.rfile.read(int(self.headers.get("content-length", 0)))
        if "/responses" in self.path:
            self.reply("text/event-stream", self.openai_events())
        elif "enerateContent" in self.path:
            answer = json.dumps(self.gemini_answer(asked)).encode()
            stream = "stream" in self.path
            self.reply("text/event-stream" if stream else "application/json",
                       b"data: " + answer + b"\n\n" if stream else answer)
        else:
            self.reply("application/json", b'{"totalTokens":10}')

    @staticmethod
    def openai_events():
        item = {"type": "message", "role": "assistant", "id": "m1",
                "content": [{"type": "output_text", "text": SAID, "annotations": []}]}
        events = [
            ("response.created", {"response": {"id": "r1"}}),
            ("response.output_item.added", {"output_index": 0, "item": {**item, "content": []}}),
            ("response.output_text.delta",
             {"item_id": "m1", "output_index": 0, "content_index": 0, "delta": SAID}),
            ("response.output_item.done", {"output_index": 0, "item": item}),
            ("response.completed",
             {"response": {"id": "r1", "status": "completed", "usage": USAGE}}),
        ]
        return "".join(f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n"
                       for name, data in events).encode()

    @staticmethod
    def gemini_answer(asked):
        wants_json = b"responseJsonSchema" in asked or b"responseSchema" in asked
        judged = json.dumps({"reasoning": "-", "next_speaker": "user", "model_choice": "flash",
                             "complexity_reasoning": "-", "complexity_score": 10})
        return {"candidates": [{"content": {"role": "model",
                                            "parts": [{"text": judged if wants_json else SAID}]},
                                "finishReason": "STOP", "index": 0}],
                "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7,
                                  "totalTokenCount": 18}, "modelVersion": "loopback"}


class Machine:
    def __init__(self, yore, port):
        self.folder = tempfile.TemporaryDirectory(prefix="yore-real-")
        self.home = os.path.join(self.folder.name, "home")
        self.project = os.path.join(self.folder.name, "project")
        for folder in (".codex", ".gemini"):
            os.makedirs(os.path.join(self.home, folder))
        os.makedirs(self.project)
        self.yore = yore
        self.env = {"HOME": self.home, "PATH": os.environ["PATH"],
                    "YORE_DATA_DIR": os.path.join(self.folder.name, "data"),
                    "LOOPBACK_KEY": "none", "GEMINI_API_KEY": "none",
                    "GEMINI_CLI_TRUST_WORKSPACE": "true",
                    "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{port}"}
        with open(os.path.join(self.home, ".codex/config.toml"), "w", encoding="utf-8") as out:
            out.write(f'''model = "loopback"
model_provider = "loopback"
model_auto_compact_token_limit = 10
[model_providers.loopback]
name = "loopback"
base_url = "http://127.0.0.1:{port}/v1"
wire_api = "responses"
env_key = "LOOPBACK_KEY"
''')

        with open(os.path.join(self.home, ".gemini/settings.json"), "w", encoding="utf-8") as out:
            out.write('{"security":{"auth":{"selectedType":"gemini-api-key"}}}')

    def run(self, *command):
        done = subprocess.run(command, cwd=self.project, env=self.env, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=300, check=False)
        return done.stdout + done.stderr

    def places(self, word):
        """Where a word was asked: (session, superseded) of every hit."""
        answer = subprocess.run(
            [self.yore, "search", word, "--mode", "keyword", "-n", "50", "--json"],
            cwd=self.project, env=self.env, capture_output=True, text=True, check=False)
        return [(hit["session_id"], hit.get("superseded", False))
                for hit in json.loads(answer.stdout)["results"]]


def codex(machine, client):
    ask = [client, "exec", "--skip-git-repo-check"]
    machine.run(*ask, "first question about the stegosaurus")
    for words in ["second question about the triceratops", "third question: the ankylosaurus"]:
        machine.places("nothing")  # each search reads what is new
        machine.run(*ask, "resume", "--last", words)
    recalled = machine.run(machine.yore, "recall", "--since-compact",
                           *{place[0] for place in machine.places("stegosaurus")})
    if "stegosaurus" not in recalled:
        yield f"recall --since-compact does not know the first question: {recalled[:300]}"
    for word in ["stegosaurus", "triceratops", "ankylosaurus"]:
        if len(machine.places(word)) != 1:
            yield f"{word}: {machine.places(word)}"


def gemini(machine, client):
    machine.run(client, "-p", "first question about the diplodocus")
    machine.places("nothing")
    time.sleep(61)  # a session that is resumed in a later minute gets a second file
    machine.run(client, "-r", "latest", "-p", "second question about the iguanodon")
    machine.places("nothing")
    machine.run(client, "-p", "third question: the brachiosaurus")  # its start tidies up
    machine.places("nothing")
    machine.run(client, "-p", "fourth question: the allosaurus")
    for word in ["diplodocus", "iguanodon", "brachiosaurus", "allosaurus"]:
        if len(machine.places(word)) != 1:
            yield f"{word}: {machine.places(word)}"


def main():
    yore = os.path.abspath(sys.argv[1])
    folder = os.environ.get("YORE_REAL_CLIENTS", "")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    ran = failed = 0
    for test in (codex, gemini):
        client = os.path.join(folder, test.__name__)
        if not folder or not os.access(client, os.X_OK):
            print(f"skipped: {test.__name__}: YORE_REAL_CLIENTS names no folder that has it")
            continue
        ran += 1
        machine = Machine(yore, server.server_port)
        complaints = list(test(machine, client))
        print(f"{test.__name__}: {'failed' if complaints else 'passed'}")
        for complaint in complaints:
            print(f"  {complaint}")
        failed += 1 if complaints else 0
    return failed if ran else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
