#!/usr/bin/env python3
"""The bundles of integrations/ in the real agents: validated, installed, used once, removed.

    tests/real/bundles.py [--yore PROGRAM] [--clients FOLDER] [--keep FOLDER] [NAME...]

`yore` is put on the PATH, as the bundles want it. A client that cannot be had is skipped by name.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from clients import CLIENTS, OLD, ROOT, SECONDS, Home, Skipped, npm_program  # noqa: E402
from loopback_model import LoopbackModel  # noqa: E402

BUNDLES = ROOT / "integrations"
QUESTION = [("search_conversations", {"query": "checkpoint metadata branch push"})]
TOOL = "mcp__plugin_yore_yore__search_conversations"

# client → commands before its question, what replaces words of its command, commands after it
STEPS = {
    "claude-code": (
        [["plugin", "validate", f"{BUNDLES}/claude-code", "--strict"],
         ["plugin", "validate", f"{BUNDLES}/claude-code/plugins/yore", "--strict"],
         ["plugin", "validate", f"{BUNDLES}/claude-code/plugins/yore-recall", "--strict"],
         ["plugin", "marketplace", "add", f"{BUNDLES}/claude-code"],
         ["plugin", "install", "yore@yore"], ["plugin", "install", "yore-recall@yore"]],
        {"mcp__yore__search_conversations,mcp__yore__list_conversations": TOOL},
        [["plugin", "uninstall", "yore@yore"], ["plugin", "uninstall", "yore-recall@yore"]],
    ),
    "codex": (
        [["plugin", "marketplace", "add", f"{BUNDLES}/codex"], ["plugin", "add", "yore@yore"]],
        {},
        [["plugin", "remove", "yore@yore"]],
    ),
    "gemini": (
        [["extensions", "validate", f"{BUNDLES}/gemini"],
         ["extensions", "install", f"{BUNDLES}/gemini", "--consent"]],
        {},
        [["extensions", "uninstall", "yore"]],
    ),
}


def check(name, args):
    row = CLIENTS[name]
    before, other, after = STEPS[name]
    program = npm_program(args.clients, row["package"], row["program"])
    model = LoopbackModel(QUESTION)
    base = pathlib.Path(args.keep) / name if args.keep else pathlib.Path(tempfile.mkdtemp(prefix="yore-bundle-"))
    home = Home(base, args.yore, row, model.url)
    path = base / "bin"
    path.mkdir()
    (path / "yore").symlink_to(args.yore)
    home.env["PATH"] = f"{path}:{home.env['PATH']}"
    home.yore("index", "--quiet")
    faults = []

    def run(words):
        ran = subprocess.run([program, *words], env=home.env, cwd=home.work, stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, check=False, timeout=SECONDS)
        if ran.returncode != 0:
            faults.append(f"{' '.join(words[:3])}: exit {ran.returncode}: {(ran.stderr or ran.stdout)[-300:]}")

    for words in before:
        run(words)
    run([other.get(part, part).replace("{url}", model.url).replace("{{", "{").replace("}}", "}")
         for part in row["command"]])
    if OLD not in model.furthest:
        faults.append("search_conversations did not give the old session")
    for words in after:
        run(words)
    model.close()
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--yore", default=str(ROOT / "build/release/apps/yore"))
    parser.add_argument("--clients", type=pathlib.Path, default=pathlib.Path.home() / ".cache/yore-real-clients")
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    args.yore = str(pathlib.Path(args.yore).resolve())
    failed = False
    for name in STEPS:
        if args.names and name not in args.names:
            continue
        try:
            faults = check(name, args)
        except (Skipped, subprocess.TimeoutExpired, OSError) as reason:
            print(f"skipped {name}: {reason}", flush=True)
            continue
        failed = failed or bool(faults)
        print(f"{'FAILED ' if faults else 'ok     '} {name}", flush=True)
        for fault in faults:
            print("        " + fault, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
