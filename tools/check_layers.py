#!/usr/bin/env python3
"""Fails when an #include goes against the arrows of ARCHITECTURE.md.

Six rules:
  1. the DEPS in src/CMakeLists.txt point downwards (see LAYERS) and form no circle;
  2. a file of a room includes only its own room and rooms its DEPS lead to;
  3. the folders inside a room have arrows too (see FOLDERS);
  4. no file includes itself by way of others;
  5. an outside library is included only in the places that are meant to know it (see OUTSIDE); a
     header that is neither ours, nor of an outside library named there, nor of the language or the
     system (see SYSTEM) is unknown;
  6. only the store asks its database in SQL: nobody else calls Store::database().

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
    ({"ranking", "lexical", "semantic", "vector", "store", "turns", "transcript", "archive"}, True),
    ({"config"}, False),
    ({"setup"}, False),
    ({"derive"}, False),
    ({"ingest"}, False),
    ({"search"}, False),
    ({"render"}, False),
    ({"service"}, False),
    ({"mcp", "library"}, False),
    ({"cli"}, False),
]

# The folders of a room, bottom to top: each may include those of lower rows and itself. The folders
# of one row may include each other only where it says so; "x/*" is every folder in x, each on its
# own. Files that lie in the room itself are its bottom, but for those a row names.
FOLDERS = {
    "cli": [(("screen", "context", "filter_options", "open_index", "options", "refresh", "saving",
              "search_flags", "time_options"), True), (("commands", "run"), True)],
    "mcp": [(("protocol", "tools", "server", "methods"), True)],
    "lexical": [(("format",), False), (("write", "search"), False)],
    "transcript": [
        (("input",), False),
        (("stores", "dialects", "spec"), True),
        (("agents/*",), False),
        (("registry",), False),
    ],
}

# The edges of the tree: what they may include beside their own files.
EDGES = {
    "apps": {"cli", "mcp", "service", "base"},
    "include": set(),  # the public headers show nothing private
    "examples": set(),  # written as anybody else would
    "python": set(),  # likewise
}

# Header (or prefix ending in "/") of an outside library: what under src/ may include it, folders or
# files without their ending.
OUTSIDE = {
    "sqlite3.h": ("base/sqlite", "store", "transcript/stores", "transcript/agents"),
    "simdjson.h": ("transcript",),
    "nlohmann/": ("derive/passage_documents", "render/conversation", "service", "cli", "mcp", "setup"),
    "CLI/": ("cli",),
    "fmt/": ("cli", "service/stats_picture"),
    "utf8proc.h": ("text", "semantic"),
    "libstemmer.h": ("text/stemmer",),
    "zstd.h": ("archive/packed", "store/pack", "transcript/input", "transcript/agents"),
    "minizip/unzip.h": ("transcript/input",),
    "xxhash.h": ("base/hash",),
    "toml++/": ("base/toml",),
    "md4c.h": ("render/markdown",),
    "yaml.h": ("setup/edit/yaml_text",),
    "md5.h": ("base/digest",),  # libmd
    "sha2.h": ("base/digest",),  # libmd
    "pybind11/": ("python",),
}

# What the processor and the system offer: the same rule.
VECTOR_CODE = ("text", "lexical", "vector", "semantic")
TOUCHES_THE_SYSTEM = (
    "base", "archive/backup_file", "store", "derive", "service", "setup", "cli", "mcp",
)
SYSTEM = {
    "immintrin.h": VECTOR_CODE,
    "emmintrin.h": VECTOR_CODE,
    "arm_neon.h": VECTOR_CODE,
    "cpuid.h": VECTOR_CODE,
    "dirent.h": ("base",),
    "fcntl.h": TOUCHES_THE_SYSTEM,
    "poll.h": TOUCHES_THE_SYSTEM,
    "pthread.h": TOUCHES_THE_SYSTEM,
    "spawn.h": ("setup",),
    "sys/": TOUCHES_THE_SYSTEM,
    "unistd.h": TOUCHES_THE_SYSTEM,
}

# The C++20 standard library; its C headers by their C++ names.
STANDARD = set("""
    algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts
    condition_variable coroutine deque exception execution filesystem format forward_list fstream
    functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits
    list locale map memory memory_resource mutex new numbers numeric optional ostream queue random
    ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span sstream
    stack stdexcept stop_token streambuf string string_view syncstream system_error thread tuple
    type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector
    version cassert cctype cerrno cfenv cfloat cinttypes climits clocale cmath csetjmp csignal
    cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype
""".split())

DATABASE = re.compile(r"(?:\.|->)database\(\)")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
MODULE = re.compile(r"yore_module\(\s*(\w+)([^)]*)\)")
KEYWORDS = {"SOURCES", "DEPS", "PRIVATE", "PUBLIC", "HEADERS", "LIKE", "COLD"}


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


def place_of(name):
    """transcript/record.hpp -> transcript/record."""
    return name.rsplit(".", 1)[0] if "." in name.rsplit("/", 1)[-1] else name


def lies_in(place, folder):
    return place == folder or place.startswith(folder + "/")


def outside_problem(header, place):
    """place: path below src/ without ending, e.g. transcript/agents/openclaw/sqlite."""
    for prefix, allowed in (*OUTSIDE.items(), *SYSTEM.items()):
        if header == prefix or (prefix.endswith("/") and header.startswith(prefix)):
            if any(lies_in(place, folder) for folder in allowed):
                return None
            return f"<{header}> belongs in {', '.join(allowed)} only"
    if header in STANDARD:
        return None
    return f"<{header}> is unknown; name its library in tools/check_layers.py"


def folder_of(name):
    """(height, folder) of a file such as lexical/write/merge.cpp in its room; None without rows."""
    room, _, rest = name.partition("/")
    for height, (folders, _) in enumerate(FOLDERS.get(room, ()), 1):
        for folder in folders:
            if folder.endswith("/*") and rest.startswith(folder[:-1]):
                return height, "/".join(rest.split("/")[:2])
            if lies_in(place_of(rest), folder):
                return height, folder
    return (0, room) if room in FOLDERS else None


def folder_problem(name, header):
    """Both lie in one room."""
    if name.split("/", 1)[0] != header.split("/", 1)[0] or folder_of(name) is None:
        return None
    (height, folder), (wanted, target) = folder_of(name), folder_of(header)
    if folder == target or wanted < height:
        return None
    if wanted == height and FOLDERS[name.split("/", 1)[0]][height - 1][1]:
        return None
    return f"{folder} may not include {header}"


def check_file(root, path, room, allowed, rooms):
    where = path.relative_to(root).as_posix()
    name = where.removeprefix("src/")
    text = path.read_text(encoding="utf-8", errors="replace")
    for match in DATABASE.finditer(text if room != "store" else ""):
        line = text.count("\n", 0, match.start()) + 1
        yield f"{where}:{line}: SQL belongs in store, as a function with a name"
    for line, bracket, header in includes(path):
        target = header.split("/", 1)[0]
        # The form of the brackets must not be a way around the rules.
        ours = "/" in header and target in rooms | {"yore"} or (root / "src" / header).is_file()
        if header.startswith("../") or "/../" in header:
            yield f"{where}:{line}: write {header} from the source root"
        elif ours and target in rooms and target != room and target not in allowed:
            yield f"{where}:{line}: {room} may not include {header}"
        elif ours and (problem := folder_problem(name, header)):
            yield f"{where}:{line}: {problem}"
        elif not ours and (room in rooms or bracket == "<"):
            if problem := outside_problem(header, place_of(name)):
                yield f"{where}:{line}: {problem}"


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".hpp", ".cpp", ".h", ".inc"))


def include_graph(root):
    """{file: [files of ours it includes]}, both as paths below src/."""
    src = pathlib.Path(root, "src")
    names = {p.relative_to(src).as_posix(): p for p in sources(src)}
    return {name: [header for _, _, header in includes(path) if header in names]
            for name, path in names.items()}


def circles(graph):
    """Every circle that a walk through the graph closes, each once, from its first file on."""
    found, done, stack = set(), set(), []

    def walk(name):
        stack.append(name)
        for target in graph[name]:
            if target in stack:
                circle = stack[stack.index(target):]
                first = circle.index(min(circle))
                found.add(tuple(circle[first:] + circle[:first]))
            elif target not in done:
                walk(target)
        stack.pop()
        done.add(name)

    for name in sorted(graph):
        if name not in done:
            walk(name)
    return sorted(found)


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
    for circle in circles(include_graph(root)):
        problems.append("src: a circle of includes: " + " -> ".join([*circle, circle[0]]))
    return problems


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    problems = check(root)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
