#!/usr/bin/env python3
"""Shows a stdio MCP server on http://127.0.0.1:PORT/mcp, for test suites that only speak HTTP.

    mcp_bridge.py PORT COMMAND...

`initialize` starts a process of its own and names it in Mcp-Session-Id; everything else without a
session goes to one process that all share, as the stateless revision has it. One request at a time
for each process: enough for a test suite, and nothing to get wrong.
"""
import http.server
import json
import subprocess
import sys
import threading
import uuid

PREFIX = "io.modelcontextprotocol/"
# Errors of the stateless revision that HTTP clients expect with a status of their own.
STATUS_OF_ERROR = {-32601: 404, -32020: 400, -32021: 400, -32022: 400}


class Child:
    def __init__(self, command):
        self.lock = threading.Lock()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def tell(self, body):
        with self.lock:
            self.process.stdin.write(body + b"\n")
            self.process.stdin.flush()

    def ask(self, body, wanted):
        """The answer to `wanted`, and what came before it."""
        before = []
        with self.lock:
            self.process.stdin.write(body + b"\n")
            self.process.stdin.flush()
            while line := self.process.stdout.readline():
                message = json.loads(line)
                if "method" not in message and message.get("id") == wanted:
                    return message, before
                if "method" in message:
                    before.append(message)
        raise EOFError("the server ended")


class Bridge(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_command = []
    sessions = {}
    shared = None
    starting = threading.Lock()

    def log_message(self, *_):
        pass

    def reply(self, status, body=None, headers=()):
        data = b"" if body is None else body
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status, wanted, code, text):
        error = {"jsonrpc": "2.0", "id": wanted, "error": {"code": code, "message": text}}
        self.reply(status, json.dumps(error).encode(), [("Content-Type", "application/json")])

    def do_GET(self):
        self.reply(405, headers=[("Allow", "POST")])

    def do_DELETE(self):
        child = self.sessions.pop(self.headers.get("Mcp-Session-Id"), None)
        if child:
            child.process.stdin.close()
        self.reply(200)

    def child_for(self, message, session):
        """The process to ask, and the id of a session that begins with this request."""
        meta = (message.get("params") or {}).get("_meta") or {}
        modern = PREFIX + "protocolVersion" in meta
        if message.get("method") == "initialize" and not modern:
            name = str(uuid.uuid4())
            self.sessions[name] = Child(self.server_command)
            return self.sessions[name], name
        if session is not None:
            return self.sessions.get(session), None
        with Bridge.starting:
            if Bridge.shared is None:
                Bridge.shared = Child(self.server_command)
        return Bridge.shared, None

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            message = json.loads(raw)
        except ValueError:
            return self.refuse(400, None, -32700, "Parse error")
        body = json.dumps(message).encode()
        session = self.headers.get("Mcp-Session-Id")
        meta = (message.get("params") or {}).get("_meta") or {}
        version = meta.get(PREFIX + "protocolVersion")
        if version is not None and self.headers.get("MCP-Protocol-Version") != version:
            return self.refuse(400, message.get("id"), -32020, "Header mismatch")
        child, begun = self.child_for(message, session)
        if child is None:
            return self.refuse(404, message.get("id"), -32001, "Session not found")
        if "id" not in message:
            child.tell(body)
            return self.reply(202)
        answer, before = child.ask(body, message["id"])
        headers = [("Mcp-Session-Id", begun)] if begun else []
        if before:
            events = "".join(f"event: message\ndata: {json.dumps(m)}\n\n" for m in [*before, answer])
            headers.append(("Content-Type", "text/event-stream"))
            return self.reply(200, events.encode(), headers)
        headers.append(("Content-Type", "application/json"))
        return self.reply(self.status(message, answer, session or begun), json.dumps(answer).encode(),
                          headers)

    @staticmethod
    def status(message, answer, session):
        code = answer.get("error", {}).get("code")
        if session or code is None:
            return 200
        meta = (message.get("params") or {}).get("_meta") or {}
        told = PREFIX + "protocolVersion" in meta and PREFIX + "clientCapabilities" in meta
        if code == -32602 and not told:
            return 400
        return STATUS_OF_ERROR.get(code, 200)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    Bridge.server_command = sys.argv[2:]
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Bridge).serve_forever()


if __name__ == "__main__":
    main()
