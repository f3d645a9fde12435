#!/usr/bin/env python3
"""Small rules that no compiler checks.

Fails on: a tab or a space at the end of a line, a missing newline at the end of a file, a header
without #pragma once or with `using namespace`, a .cpp that no CMakeLists.txt names (a test that is
never built cannot fail). Warns of files over 400 lines.

Usage: check_style.py [ROOT]
"""

import pathlib
import re
import sys

FOLDERS = ("src", "apps", "include", "examples", "tests", "bench", "tools", "cmake")
CODE = {".hpp", ".cpp", ".py", ".sh", ".cmake", ".txt"}
LONG_FILE = 400


def check_text(where, suffix, text):
    for number, line in enumerate(text.split("\n"), 1):
        if "\t" in line:
            yield f"{where}:{number}: tab"
        if line != line.rstrip():
            yield f"{where}:{number}: space at the end of the line"
    if text and not text.endswith("\n"):
        yield f"{where}: no newline at the end"
    if suffix == ".hpp":
        if not re.search(r"^#pragma once$", text, re.MULTILINE):
            yield f"{where}: no #pragma once"
        if re.search(r"^\s*using namespace\b", text, re.MULTILINE):
            yield f"{where}: using namespace in a header"


def files(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in CODE and "data" not in path.parts:
                yield path


def check(root):
    """(problems, warnings) of a tree, as sentences."""
    root = pathlib.Path(root)
    problems, warnings, listed = [], [], set()
    for path in files(root):
        if path.name == "CMakeLists.txt":
            listed.update(re.findall(r"[\w/.]+\.cpp", path.read_text(encoding="utf-8")))
    listed = {name.rsplit("/", 1)[-1] for name in listed}
    for path in files(root):
        where = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8", errors="replace")
        problems += check_text(where, path.suffix, text)
        if path.suffix == ".cpp" and path.name not in listed:
            problems.append(f"{where}: no CMakeLists.txt names it")
        if path.suffix in (".hpp", ".cpp", ".py") and text.count("\n") > LONG_FILE:
            warnings.append(f"{where}: {text.count(chr(10))} lines, look whether it is two things")
    return problems, warnings


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    problems, warnings = check(root)
    for warning in warnings:
        print("warning:", warning)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
