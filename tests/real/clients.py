#!/usr/bin/env python3
"""Real agents from npm, an empty home and a model on 127.0.0.1: `yore setup --recall`, a question, `--undo`.

    tests/real/clients.py [--yore PROGRAM] [--clients FOLDER] [--keep FOLDER] [NAME...]

Seen for each: the agent lists the tools, calls search_conversations and gets what an old session says; its own session
is left out; its hooks remind it once; `--undo` leaves nothing of yore in its files, and those that it did not write
itself are byte for byte what they were. A client that cannot be had is skipped by name. Needs npm and, for Kimi Code,
Node 22; what is installed stays in FOLDER (default ~/.cache/yore-real-clients).
"""

import argparse
import datetime
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from loopback_model import LoopbackModel  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
OLD = "0aa00000-0000-4000-8000-000000000001"
PROMPT = "The checkpoint metadata branch push fails with error E4711, what was the cause?"
SCRIPT = [("search_conversations", {"query": PROMPT}), ("list_conversations", {"limit": 5})]
FENCE = "<<yore history 1>>"
SECONDS = 120

# name of setup → npm package, program, files of the user's (home → text), environment, command, whether its hooks
# reach the model without a person's consent
CLIENTS = {
    "claude-code": {
        "package": "@anthropic-ai/claude-code", "program": "claude",
        "files": {".claude/settings.json": '{\n\t"includeCoAuthoredBy": false\n}\n'},
        "env": {"ANTHROPIC_BASE_URL": "{url}", "ANTHROPIC_API_KEY": "sk-loopback",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"},
        "command": ["-p", PROMPT, "--allowedTools",
                    "mcp__yore__search_conversations,mcp__yore__list_conversations"],
        "hooks": True,
    },
    "codex": {
        "package": "@openai/codex", "program": "codex",
        "files": {".codex/config.toml": "# mine\nmodel_reasoning_effort = \"low\" # why\n"},
        "env": {"LOOPBACK_KEY": "x"},
        "command": ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox",
                    "--dangerously-bypass-hook-trust",
                    "-c", 'model_providers.loop={{name="loop",base_url="{url}/v1",wire_api="responses",'
                    'env_key="LOOPBACK_KEY"}}', "-c", "model_provider=loop", "-m", "loopback", PROMPT],
        "hooks": True,
    },
    "gemini": {
        "package": "@google/gemini-cli", "program": "gemini",
        "files": {".gemini/settings.json":
                  '{\n  // mine\n  "security": {"auth": {"selectedType": "gemini-api-key"}}\n}\n'},
        "env": {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": "{url}", "GEMINI_CLI_TRUST_WORKSPACE": "true"},
        "command": ["-p", PROMPT, "--yolo"],
        "hooks": True,
    },
    "qwen": {
        "package": "@qwen-code/qwen-code", "program": "qwen",
        "files": {".qwen/settings.json": '{\r\n    "ui": {"hideTips": true}\r\n}\r\n'},
        "env": {"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": "{url}/v1", "OPENAI_MODEL": "loopback"},
        "command": ["-p", PROMPT, "--yolo", "--auth-type", "openai"],
        "hooks": True,
    },
    "opencode": {
        "package": "opencode-ai", "program": "opencode",
        "files": {".config/opencode/opencode.json":
                  '{\n  "$schema": "https://opencode.ai/config.json",\n  "provider": {"loop": {\n    "npm": '
                  '"@ai-sdk/openai-compatible", "name": "loop",\n    "options": {"baseURL": "{url}/v1", "apiKey": '
                  '"x"},\n    "models": {"loopback": {"name": "loopback"}}\n  }}\n}\n'},
        "env": {},
        "command": ["run", "-m", "loop/loopback", PROMPT],
        "hooks": True,
    },
    "kimi": {
        "package": "@moonshot-ai/kimi-code", "program": "kimi", "node": "22",
        "files": {".kimi-code/config.toml":
                  'default_model = "loop"\n\n[providers.loop]\ntype = "openai"\nbase_url = "{url}/v1"\napi_key = "x"\n'
                  '\n[models.loop]\nprovider = "loop"\nmodel = "loopback"\nmax_context_size = 100000\n'},
        "env": {},
        "command": ["-p", PROMPT],
        "hooks": True,
    },
}


class Skipped(Exception):
    pass


def npm_program(folder, package, program):
    """Where the client's program is; installed when it is not."""
    path = folder / "node_modules/.bin" / program
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "package.json").exists():
            (folder / "package.json").write_text("{}\n")
        done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent", package], cwd=folder,
                              capture_output=True, check=False, timeout=900)
        if done.returncode != 0 or not path.exists():
            raise Skipped(f"npm has no {package}")
    return path


class Home:
    def __init__(self, folder, yore, row, url):
        self.folder = folder
        self.work = folder / "work"
        self.work.mkdir(parents=True)
        self.yore_program = yore
        self.row = row
        self.url = url
        self.env = {"HOME": str(folder), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "dumb"}
        self.env.update({name: value.replace("{url}", url) for name, value in row["env"].items()})
        for name, text in row["files"].items():
            self.write(name, text.replace("{url}", url))
        # Young enough to be searchable by meaning.
        when = (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=3)).isoformat()
        said = [
            {"type": "user", "uuid": "u1", "sessionId": OLD, "cwd": "/srv/old", "timestamp": when,
             "message": {"role": "user", "content": PROMPT}},
            {"type": "assistant", "uuid": "u2", "parentUuid": "u1", "sessionId": OLD, "cwd": "/srv/old",
             "timestamp": when, "message": {"role": "assistant", "model": "m", "content": [
                 {"type": "text", "text": "The cause of E4711 was that the checkpoint metadata branch was "
                  "protected, so the push fails."}]}},
        ]
        self.write(f".claude/projects/-srv-old/{OLD}.jsonl", "".join(json.dumps(line) + "\n" for line in said))

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def yore(self, *args):
        return subprocess.run([self.yore_program, *args], env=self.env, cwd=self.work, capture_output=True, text=True,
                              check=False, timeout=SECONDS)

    def leftovers(self):
        """Files of the agent in which yore is still started."""
        found = []
        for path in self.folder.rglob("*"):
            name = str(path.relative_to(self.folder))
            if not path.is_file() or name.startswith(".local/share/yore") or path.stat().st_size > 1 << 20:
                continue
            if path.suffix not in (".json", ".jsonc", ".toml", ".js", ".ts", ".md", ".yaml"):
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            if re.search(r"\byore\b.{0,20}\b(mcp|recall)\b", text, re.S) and "/projects/" not in name:
                found.append(name)
        return found


def check(name, row, args):
    program = npm_program(args.clients, row["package"], row["program"])
    model = LoopbackModel(SCRIPT)
    base = pathlib.Path(args.keep) / name if args.keep else pathlib.Path(tempfile.mkdtemp(prefix="yore-real-"))
    home = Home(base, args.yore, row, model.url)
    if "node" in row:
        node = npm_program(args.clients, "node@" + row["node"], "node")
        home.env["PATH"] = f"{node.parent.parent / 'node/bin'}:{home.env['PATH']}"
    faults = []
    home.yore("index", "--quiet")
    wired = home.yore("setup", name, "--recall", "--yes")
    if wired.returncode != 0:
        faults.append("setup: " + wired.stdout[-300:] + wired.stderr[-300:])
    command = [part.replace("{url}", model.url).replace("{{", "{").replace("}}", "}") for part in row["command"]]
    ran = subprocess.run([program, *command], env=home.env, cwd=home.work, stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, check=False, timeout=SECONDS)
    if ran.returncode != 0:
        faults.append(f"exit {ran.returncode}: {(ran.stderr or ran.stdout)[-400:]}")
    last = html.unescape(model.furthest.replace("\\", ""))  # some escape what hooks say
    if OLD not in last:
        faults.append("search_conversations did not give the old session")
    hits = re.findall(r'"session_id":"([^"]+)","project":"[^"]*","turn_number":', last)
    if not hits or set(hits) != {OLD}:
        faults.append(f"its own session was not left out: {hits}")
    if not re.search(r'"current":\s*true', last):
        faults.append("its own session is not marked in the list")
    recalls = json.loads(home.yore("recall", "--log", "--json").stdout or "{}").get("recalls", [])
    if row["hooks"] and [each["event"] for each in recalls].count("prompt") != 1:
        faults.append(f"the hook ran {len(recalls)} times: {recalls}")
    if row["hooks"] and FENCE not in last:
        faults.append("the model was not reminded")
    undone = home.yore("setup", "--undo", "--yes")
    if undone.returncode != 0:
        faults.append("undo: " + undone.stdout[-300:])
    if home.leftovers():
        faults.append(f"still there: {home.leftovers()}")
    same = [file for file, text in row["files"].items()
            if (home.folder / file).read_bytes() == text.replace("{url}", model.url).encode()]
    model.close()
    if args.keep:
        (base / "furthest.json").write_text(model.furthest, encoding="utf-8")
        (base / "said.txt").write_text(ran.stdout + "\n--\n" + ran.stderr, encoding="utf-8")
    return faults, f"{last.count(FENCE)} reminder(s), {len(same)} of {len(row['files'])} files as they were"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--yore", default=str(ROOT / "build/release/apps/yore"))
    parser.add_argument("--clients", type=pathlib.Path, default=pathlib.Path.home() / ".cache/yore-real-clients")
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    args.yore = str(pathlib.Path(args.yore).resolve())
    failed = False
    for name, row in CLIENTS.items():
        if args.names and name not in args.names:
            continue
        try:
            faults, seen = check(name, row, args)
        except (Skipped, subprocess.TimeoutExpired, OSError) as reason:
            print(f"skipped {name}: {reason}", flush=True)
            continue
        failed = failed or bool(faults)
        print(f"{'FAILED ' if faults else 'ok     '} {name}: {seen}", flush=True)
        for fault in faults:
            print("        " + fault, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
