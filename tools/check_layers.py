#!/usr/bin/env python3
"""Fails when an #include goes against the arrows of ARCHITECTURE.md.

Three rules:
  1. the DEPS in src/CMakeLists.txt point downwards (see LAYERS) and form no circle;
  2. a file of a room includes only its own room and rooms its DEPS lead to;
  3. an outside library is included only in the rooms that are meant to know it (see OUTSIDE).

Usage: check_layers.py [ROOT]. Prints one line per break; the exit code is 1 when there is one.
"""

import pathlib
import re
import sys

# Bottom to top. A room may lean on lower layers; rooms of one layer may lean on each other only
# where the layer says so.
LAYERS = [
    ({"base"}, False),
    ({"text"}, False),
    ({"ranking", "lexical", "semantic", "vector", "store", "turns", "transcript"}, True),
    ({"config"}, False),
    ({"derive"}, False),
    ({"ingest"}, False),
    ({"search"}, False),
    ({"service"}, False),
    ({"mcp", "library"}, False),
    ({"cli"}, False),
]

# The edges of the tree: what they may include beside their own files.
EDGES = {
    "apps": {"cli", "mcp", "service", "base"},
    "include": set(),  # the public headers show nothing private
    "examples": set(),  # written as anybody else would
}

# Header (or prefix ending in "/") of an outside library: what under src/ may include it, folders or
# files without their ending.
OUTSIDE = {
    "sqlite3.h": ("base/sqlite", "store", "transcript/stores", "transcript/agents"),
    "simdjson.h": ("transcript",),
    "nlohmann/": ("derive/passage_documents", "service", "cli", "mcp"),
    "CLI/": ("cli",),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
MODULE = re.compile(r"yore_module\(\s*(\w+)([^)]*)\)")
KEYWORDS = {"SOURCES", "DEPS", "PRIVATE", "PUBLIC"}


def read_deps(cmake_text):
    """{room: [rooms it names in DEPS]} from the text of src/CMakeLists.txt."""
    deps = {}
    for name, body in MODULE.findall(re.sub(r"#.*", "", cmake_text)):
        section = None
        deps[name] = []
        for word in body.split():
            if word in KEYWORDS:
                section = word
            elif section == "DEPS":
                deps[name].append(word)
    return deps


def layer_of(room):
    for height, (rooms, _) in enumerate(LAYERS):
        if room in rooms:
            return height
    return None


def reach(room, deps, seen=None):
    """All rooms that the DEPS of a room lead to."""
    seen = set() if seen is None else seen
    for dep in deps.get(room, ()):
        if dep not in seen:
            seen.add(dep)
            reach(dep, deps, seen)
    return seen


def check_deps(deps):
    where = "src/CMakeLists.txt"
    for room, names in deps.items():
        if layer_of(room) is None:
            yield f"{where}: {room} has no layer; give it one in tools/check_layers.py"
            continue
        if room in reach(room, deps):
            yield f"{where}: {room} leads back to itself"
        for dep in names:
            if dep not in deps:
                yield f"{where}: {room} names {dep}, which is no room"
            elif layer_of(dep) is not None and layer_of(dep) > layer_of(room):
                yield f"{where}: {room} may not lean on {dep}, which lies above it"
            elif layer_of(dep) == layer_of(room) and not LAYERS[layer_of(room)][1]:
                yield f"{where}: {room} may not know {dep}, its neighbour"


def includes(path):
    text = path.read_text(encoding="utf-8", errors="replace")
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start(2)) + 1, match.group(1), match.group(2)


def outside_problem(header, place):
    """place: path below src/ without ending, e.g. transcript/adapters/openclaw."""
    for prefix, allowed in OUTSIDE.items():
        if header != prefix and not (prefix.endswith("/") and header.startswith(prefix)):
            continue
        if not any(place == a or place.startswith(a + "/") for a in allowed):
            return f"<{header}> belongs in {', '.join(allowed)} only"
    return None


def check_file(root, path, room, allowed, rooms):
    where = path.relative_to(root).as_posix()
    place = where.removeprefix("src/").removesuffix(path.suffix)
    for line, _, header in includes(path):
        target = header.split("/", 1)[0]
        # The form of the brackets must not be a way around the rule.
        if "/" in header and target in rooms and target != room and target not in allowed:
            yield f"{where}:{line}: {room} may not include {header}"
        elif problem := outside_problem(header, place):
            yield f"{where}:{line}: {problem}"
        elif header.startswith("../") or "/../" in header:
            yield f"{where}:{line}: write {header} from the source root"


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".hpp", ".cpp", ".h", ".inc"))


def check(root):
    """All breaks in a tree, as sentences."""
    root = pathlib.Path(root)
    deps = read_deps((root / "src/CMakeLists.txt").read_text(encoding="utf-8"))
    problems = list(check_deps(deps))
    rooms = set(deps).union(*(names for names, _ in LAYERS))
    for folder in sorted(p for p in (root / "src").iterdir() if p.is_dir()):
        room = folder.name
        if room not in deps and sources(folder):
            problems.append(f"src/{room}: no yore_module in src/CMakeLists.txt")
            continue
        for path in sources(folder):
            problems += check_file(root, path, room, reach(room, deps), rooms)
    for edge, allowed in EDGES.items():
        if (root / edge).is_dir():
            for path in sources(root / edge):
                problems += check_file(root, path, edge, allowed, rooms)
    return problems


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    problems = check(root)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
