#!/usr/bin/env python3
"""Small rules that no compiler checks.

Fails on: a tab or a space at the end of a line, a missing newline at the end of a file, a header
without #pragma once or with `using namespace`, a .cpp that no CMakeLists.txt names (a test that is
never built cannot fail), a file over 400 lines or a function over 50 without a reason in LONG.

Usage: check_style.py [ROOT]
"""

import pathlib
import re
import sys

FOLDERS = ("src", "apps", "include", "examples", "tests", "bench", "tools", "cmake",
           "python")
CODE = {".hpp", ".cpp", ".py", ".sh", ".cmake", ".txt"}

# Most lines of a file and of a function. Tests are lists of examples: they may be twice as long.
LIMITS = (400, 50)
TEST_LIMITS = (800, 100)

# What may be longer, as FILE or FILE:FUNCTION, and why. An entry that is not needed is a problem.
LONG = {
    "src/cli/commands/completions.cpp:bash_text": "the script as it is printed, with its gaps",
    "src/cli/options.cpp": "declaring, parsing and explaining share the declarations",
    "src/render/html_markdown.cpp:enter": "one case per element",
    "src/render/html_markdown.cpp:leave": "one case per element",
    "src/render/html_style.cpp:html_style": "one text",
    "src/render/markdown_text.cpp": "one writer; its cases are short",
    "src/render/markdown_text.cpp:enter": "one case per element",
    "src/render/terminal_markdown.cpp:enter": "one case per element",
    "src/derive/keyword_index.cpp:update_keywords": "a loop whose steps share the writer's state",
    "src/ingest/indexer.cpp": "one run; plan, read and finish share its members",
    "src/ingest/indexer.cpp:plan_all": "the steps before reading share what they found",
    "src/ingest/plan.cpp:make_plan": "steps that share what was seen and what was not",
    "src/turns/session_builder.cpp": "the events of a turn share what is open of it",
    "src/transcript/spec/check_spec.cpp:check_store": "one check per kind of store",
    "src/transcript/spec/record_reader.cpp": "one function per kind of record",
    "src/transcript/spec/spec_toml.cpp": "one row per key that a description may have",
    "src/transcript/spec/spec_toml.cpp:SpecParser::read_all": "one row per key",
}

COMMENTS_AND_STRINGS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL)
FUNCTION_NAME = re.compile(r"((?:\w+::)*~?(?:operator\W+|\w+))\s*\(")


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


def without_text(code):
    """C++ with comments and literals blanked, every line where it was."""
    code = re.sub(r"(?<=\w)'(?=\w)", "_", code)  # 10'000
    code = COMMENTS_AND_STRINGS.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), code)
    return re.sub(r"^[ \t]*#[^\n]*", "", code, flags=re.MULTILINE)


def functions(code):
    """(name, line, lines) of every function that a C++ text defines, lambdas as part of theirs."""
    code = without_text(code)
    scopes = []  # of what is open: (name of the function or None, line, is a function or in one)
    head = 0  # where the declaration before the next brace begins
    for match in re.finditer(r"[;{}]", code):
        at, token = match.start(), match[0]
        if token == "{":
            words = code[head:at]
            inside = bool(scopes) and scopes[-1][2]
            before = words.split("(")[0]
            defines = (not inside and "(" in words and "=" not in before.replace("operator", "")
                       and not re.match(r"\s*(namespace|class|struct|enum|union)\b[^()]*$", words))
            name = FUNCTION_NAME.search(words) if defines else None
            start = head + len(words) - len(words.lstrip())
            scopes.append((name and name[1], code.count("\n", 0, start) + 1,
                           inside or name is not None or words.rstrip().endswith("=")))
        elif token == "}" and scopes:
            name, line, _ = scopes.pop()
            if name:
                yield name, line, code.count("\n", 0, at) + 2 - line
        head = at + 1


def check_length(where, suffix, text):
    """(what LONG would name, the problem) for what is too long."""
    most, most_in_function = TEST_LIMITS if where.startswith("tests/") else LIMITS
    lines = text.count("\n")
    if suffix in (".hpp", ".cpp", ".py") and lines > most:
        yield where, f"{where}: {lines} lines; more than {most} want a reason"
    if suffix in (".hpp", ".cpp"):
        for name, line, length in functions(text):
            if length > most_in_function:
                yield (f"{where}:{name}", f"{where}:{line}: {name} has {length} lines; more than "
                                          f"{most_in_function} want a reason")


def files(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in CODE and "data" not in path.parts:
                yield path


def check(root, excused=None):
    """The problems of a tree, as sentences."""
    root = pathlib.Path(root)
    excused = LONG if excused is None else excused
    problems, listed, needed = [], set(), set()
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
        for name, problem in check_length(where, path.suffix, text):
            needed.add(name)
            if name not in excused:
                problems.append(problem)
    for name in sorted(set(excused) - needed):
        problems.append(f"tools/check_style.py: {name} is not long; take it out of LONG")
    return problems


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    problems = check(root)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
