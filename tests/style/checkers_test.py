"""The checkers in tools/ must be able to fail: each test breaks one rule in a tree of its own."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))

import check_layers  # noqa: E402
import check_style  # noqa: E402

GOOD_TREE = {
    "src/CMakeLists.txt": """
        yore_module(base SOURCES a.cpp)
        yore_module(text SOURCES t.cpp DEPS base PRIVATE yore_utf8proc COLD HEADERS <string>)
        yore_module(lexical SOURCES write/w.cpp DEPS text)
        yore_module(transcript SOURCES agents/x/x.cpp DEPS text)
        yore_module(turns SOURCES u.cpp DEPS transcript text LIKE text)
        yore_module(store SOURCES s.cpp DEPS turns)
        yore_module(service SOURCES e.cpp DEPS store turns)
        yore_module(cli SOURCES c.cpp DEPS service)
        yore_module(mcp SOURCES m.cpp DEPS service)
""",
    "src/lexical/format/f.hpp": "#include <cstdint>\n",
    "src/lexical/write/w.cpp": '#include "lexical/format/f.hpp"\n#include "lexical/write/w.hpp"\n',
    "src/lexical/search/s.cpp": '#include "lexical/format/f.hpp"\n#include <immintrin.h>\n',
    "src/turns/u.cpp": '#include "turns/u.hpp"\n#include "transcript/r.hpp"\n#include "base/a.hpp"\n',
    "src/turns/u.hpp": '#include "transcript/record.hpp"\n#include "transcript/adapter.hpp"\n',
    "src/transcript/adapter.hpp": '#include "transcript/record.hpp"\n',
    "src/transcript/record.hpp": "#include <string>\n",
    "src/transcript/registry.cpp": '#include "transcript/agents/x/x.hpp"\n',
    "src/transcript/input/i.cpp": '#include "transcript/record.hpp"\n#include <zstd.h>\n',
    "src/transcript/stores/s.cpp": '#include "transcript/input/i.hpp"\n',
    "src/transcript/spec/s.cpp": '#include "transcript/stores/s.hpp"\n',
    "src/transcript/agents/x/x.cpp": """
        #include "transcript/agents/x/fields.hpp"
        #include "transcript/dialects/d.hpp"
        #include <simdjson.h>
        #include <sqlite3.h>
""",
    "src/base/sqlite.cpp": "#include <sqlite3.h>\n#include <sys/stat.h>\n",
    "src/store/s.cpp": "#include <sqlite3.h>\n",
    "src/service/e.cpp": '#include <nlohmann/json.hpp>\n#include "store/s.hpp"\n',
    "apps/yore.cpp": '#include "cli/run.hpp"\n',
}


def write_tree(folder, files):
    for name, text in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class Layers(unittest.TestCase):
    def problems(self, files=None):
        """Breaks of the good tree with some files added or replaced."""
        with tempfile.TemporaryDirectory() as folder:
            write_tree(folder, {**GOOD_TREE, **(files or {})})
            return check_layers.check(folder)

    def assert_one(self, files, *words):
        problems = self.problems(files=files)
        self.assertEqual(len(problems), 1, problems)
        for word in words:
            self.assertIn(word, problems[0])

    def deps(self, line):
        return {"src/CMakeLists.txt": GOOD_TREE["src/CMakeLists.txt"] + line}

    def test_a_tree_that_keeps_the_arrows_passes(self):
        self.assertEqual(self.problems(), [])

    def test_an_include_upwards_is_named_with_its_line(self):
        self.assert_one({"src/text/t.cpp": '#include <string>\n#include "turns/u.hpp"\n'},
                        "src/text/t.cpp:2", "turns/u.hpp")

    def test_angle_brackets_are_no_way_around(self):
        self.assert_one({"src/base/a.cpp": "#include <service/e.hpp>\n"}, "service/e.hpp")

    def test_a_neighbour_that_is_not_in_deps_is_refused(self):
        self.assert_one({"src/transcript/r.cpp": '#include "turns/u.hpp"\n'}, "transcript may not")

    def test_the_two_edges_do_not_know_each_other(self):
        self.assert_one({"src/mcp/m.cpp": '#include "cli/c.hpp"\n'}, "mcp may not include")

    def test_sql_outside_the_store_is_refused(self):
        self.assert_one({"src/cli/c.cpp": 'auto n = store.database().number("SELECT 1");\n'},
                        "src/cli/c.cpp:1", "SQL")

    def test_a_dependency_upwards_in_cmake_is_refused(self):
        self.assert_one(self.deps("yore_module(ranking DEPS service)"), "ranking", "above")

    def test_a_circle_in_cmake_is_refused(self):
        problems = self.problems(files=self.deps(
            "yore_module(semantic DEPS vector)\nyore_module(vector DEPS semantic)"))
        self.assertEqual(len(problems), 2, problems)
        self.assertIn("leads back to itself", problems[0])

    def test_a_room_without_a_layer_is_refused(self):
        self.assert_one(self.deps("yore_module(cellar DEPS base)"), "cellar", "no layer")

    def test_a_folder_that_is_no_module_is_refused(self):
        self.assert_one({"src/vector/v.cpp": "#include <vector>\n"}, "src/vector", "no yore_module")

    def test_sqlite_outside_its_places_is_refused(self):
        self.assert_one({"src/turns/u.cpp": "#include <sqlite3.h>\n"}, "sqlite3.h")
        self.assert_one({"src/transcript/r.cpp": '#include "sqlite3.h"\n'}, "sqlite3.h")
        self.assert_one({"src/base/files/file.cpp": "#include <sqlite3.h>\n"}, "sqlite3.h")

    def test_json_libraries_stay_in_their_rooms(self):
        self.assert_one({"src/store/j.cpp": "#include <nlohmann/json.hpp>\n"}, "nlohmann")
        self.assert_one({"src/cli/j.cpp": "#include <simdjson.h>\n"}, "simdjson")

    def test_every_outside_library_has_its_places(self):
        for header in check_layers.OUTSIDE:
            header += "x.h" if header.endswith("/") else ""
            self.assert_one({"src/lexical/format/l.hpp": f"#include <{header}>\n"}, header, "belongs")

    def test_an_unknown_outside_header_is_refused(self):
        self.assert_one({"src/store/j.cpp": "#include <rapidjson/reader.h>\n"}, "j.cpp:1",
                        "rapidjson/reader.h", "unknown")
        self.assert_one({"src/store/j.cpp": '#include "curl.h"\n'}, "curl.h", "unknown")

    def test_pure_rooms_do_not_touch_the_system(self):
        self.assert_one({"src/turns/u.cpp": "#include <unistd.h>\n"}, "unistd.h", "belongs")
        self.assert_one({"src/turns/u.cpp": "#include <sys/stat.h>\n"}, "sys/stat.h", "belongs")

    def test_a_circle_of_files_is_named_with_its_files(self):
        self.assert_one({"src/base/c.hpp": '#include "base/a.hpp"\n',
                         "src/base/a.hpp": '#include "base/b.hpp"\n',
                         "src/base/b.hpp": '#include "base/c.hpp"\n'},
                        "base/a.hpp -> base/b.hpp -> base/c.hpp -> base/a.hpp")

    def test_a_file_that_includes_itself_is_a_circle(self):
        self.assert_one({"src/base/a.hpp": '#include "base/a.hpp"\n'}, "base/a.hpp -> base/a.hpp")

    def test_the_format_knows_neither_its_writer_nor_its_searcher(self):
        self.assert_one({"src/lexical/format/f.hpp": '#include "lexical/write/w.hpp"\n'},
                        "f.hpp:1", "format may not include")

    def test_writer_and_searcher_do_not_know_each_other(self):
        self.assert_one({"src/lexical/search/s.cpp": '#include "lexical/write/w.hpp"\n'},
                        "search may not include")
        self.assert_one({"src/lexical/write/w.cpp": '#include "lexical/search/s.hpp"\n'},
                        "write may not include")

    def test_agents_do_not_know_each_other(self):
        self.assert_one({"src/transcript/agents/x/x.cpp": '#include "transcript/agents/y/y.hpp"\n'},
                        "agents/x may not include transcript/agents/y/y.hpp")

    def test_what_agents_share_does_not_know_them(self):
        for folder in ("input", "stores", "dialects", "spec"):
            self.assert_one(
                {f"src/transcript/{folder}/i.cpp": '#include "transcript/agents/x/x.hpp"\n'},
                f"{folder} may not include")
        self.assert_one({"src/transcript/record.hpp": '#include "transcript/spec/s.hpp"\n'},
                        "transcript may not include")

    def test_input_knows_no_store(self):
        self.assert_one({"src/transcript/input/i.cpp": '#include "transcript/stores/s.hpp"\n'},
                        "input may not include")

    def test_a_public_header_may_show_nothing_private(self):
        self.assert_one({"include/yore/yore.hpp": '#include "service/e.hpp"\n'}, "include may not")

    def test_main_may_not_reach_below_the_edges(self):
        self.assert_one({"apps/yore.cpp": '#include "store/s.hpp"\n'}, "apps may not include")


class House(unittest.TestCase):
    def run_tool(self, *words):
        return subprocess.run([sys.executable, TOOLS / "draw_house", *words], capture_output=True,
                              text=True, check=False)

    def draw(self, folder):
        self.assertEqual(self.run_tool(folder).returncode, 0)
        return pathlib.Path(folder, "docs/house.svg").read_text(encoding="utf-8")

    def test_the_picture_shows_every_room_with_its_files(self):
        with tempfile.TemporaryDirectory() as folder:
            write_tree(folder, {**GOOD_TREE, "docs/x.md": ""})
            picture = self.draw(folder)
            for room in ("base", "lexical", "transcript", "turns", "store", "service", "apps"):
                self.assertIn(f">{room}<", picture)
            self.assertIn(">3 files · 5 lines<", picture)  # lexical
            self.assertIn(">format · search · write<", picture)

    def test_an_arrow_that_follows_from_others_is_left_out(self):
        def arrows(folder, **more):
            write_tree(folder, {"docs/x.md": "", "src/base/a.hpp": "\n",
                                "src/text/t.hpp": '#include "base/a.hpp"\n',
                                "src/turns/u.hpp": '#include "text/t.hpp"\n' + more.get("turns", "")})
            return self.draw(folder).count('class="arrow"')

        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(arrows(folder), 2)
            self.assertEqual(arrows(folder, turns='#include "base/a.hpp"\n'), 2)

    def test_a_picture_of_another_tree_fails_the_check(self):
        with tempfile.TemporaryDirectory() as folder:
            write_tree(folder, {**GOOD_TREE, "docs/x.md": ""})
            self.assertEqual(self.run_tool("--check", folder).returncode, 1)
            self.draw(folder)
            self.assertEqual(self.run_tool("--check", folder).returncode, 0)
            write_tree(folder, {"src/turns/more.hpp": '#include "base/a.hpp"\n'})
            self.assertEqual(self.run_tool("--check", folder).returncode, 1)


class Style(unittest.TestCase):
    def problems(self, name, text, **excused):
        with tempfile.TemporaryDirectory() as folder:
            write_tree(folder, {"src/CMakeLists.txt": "yore_module(base SOURCES a.cpp)\n",
                                "tests/CMakeLists.txt": "yore_test(SOURCES t.cpp)\n", name: text})
            return check_style.check(folder, excused.get("excused", {}))

    def test_a_tidy_file_passes(self):
        self.assertEqual(self.problems("src/base/a.cpp", "int a;\n"), [])

    def test_tabs_and_spaces_at_the_end_are_found(self):
        self.assertEqual(self.problems("src/base/a.cpp", "\tint a;\nint b; \n"),
                         ["src/base/a.cpp:1: tab",
                          "src/base/a.cpp:2: space at the end of the line"])

    def test_a_header_wants_pragma_once(self):
        self.assertEqual(self.problems("src/base/a.hpp", "int a;\n"),
                         ["src/base/a.hpp: no #pragma once"])

    def test_a_source_that_nobody_builds_is_found(self):
        self.assertEqual(self.problems("tests/unit/lost_test.cpp", "int a;\n"),
                         ["tests/unit/lost_test.cpp: no CMakeLists.txt names it"])

    def test_a_long_file_wants_a_reason(self):
        text = "int a;\n" * 401
        self.assertEqual(self.problems("src/base/a.cpp", "int a;\n" * 400), [])
        self.assertEqual(self.problems("src/base/a.cpp", text),
                         ["src/base/a.cpp: 401 lines; more than 400 want a reason"])
        self.assertEqual(self.problems("src/base/a.cpp", text, excused={"src/base/a.cpp": "x"}), [])
        self.assertEqual(self.problems("tests/t.cpp", text), [])
        self.assertEqual(len(self.problems("tests/t.cpp", text * 2)), 1)

    def test_a_long_function_wants_a_reason(self):
        def function(lines):
            return "namespace a {\nint f(int x) {\n" + "  ++x;\n" * (lines - 2) + "}\n}\n"

        self.assertEqual(self.problems("src/base/a.cpp", function(50)), [])
        self.assertEqual(self.problems("src/base/a.cpp", function(51)),
                         ["src/base/a.cpp:2: f has 51 lines; more than 50 want a reason"])
        self.assertEqual(self.problems("src/base/a.cpp", function(51),
                                       excused={"src/base/a.cpp:f": "x"}), [])

    def test_a_reason_that_is_not_needed_is_a_problem(self):
        self.assertEqual(len(self.problems("src/base/a.cpp", "", excused={"src/base/a.cpp": ""})), 1)

    def test_what_is_no_function_is_not_counted_as_one(self):
        code = """
            struct S { int a = 1; S() : a(2) { ++a; } };  // }
            const char* const kText = "{ ( {";
            constexpr int kTable[] = {1, (2), 3};
            enum class E { x, y };
            auto g(int n) -> int {
              const auto inner = [](int x) { return x; };
              if (n > 10'000) { return inner('{'); }
              return n;
            }
        """
        self.assertEqual([(name, lines) for name, _, lines in check_style.functions(code)],
                         [("S", 1), ("g", 5)])


class RunChanged(unittest.TestCase):
    """tools/run_changed runs a test again when it must, and only then."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.other = self.path / "other"
        self.other.write_text("the released program")
        self.program("exit 0")

    def program(self, end):
        program = self.path / "program"
        program.write_text(f"#!/bin/sh\necho ran >>{self.path}/log\n{end}\n")
        program.chmod(0o755)

    def run_it(self, **settings):
        words = [TOOLS / "run_changed", self.path / "stamps/one", "--with", self.other, "--",
                 self.path / "program"]
        ran = subprocess.run([sys.executable, *words], capture_output=True, check=False,
                             env={"PATH": "/usr/bin:/bin", **settings})
        return ran.returncode

    def runs(self):
        log = self.path / "log"
        return len(log.read_text().split()) if log.exists() else 0

    def test_once_when_nothing_changes(self):
        self.assertEqual([self.run_it(), self.run_it()], [0, 0])
        self.assertEqual(self.runs(), 1)
        self.assertTrue((self.path / "stamps/one.reused").exists())

    def test_again_when_a_program_or_a_setting_changes(self):
        self.run_it()
        self.program("exit 0 # changed")
        self.run_it()
        self.other.write_text("another release")
        self.run_it()
        self.run_it(YORE_KILL_ROUNDS="7")
        self.assertEqual(self.runs(), 4)
        self.assertFalse((self.path / "stamps/one.reused").exists())

    def test_again_when_asked(self):
        self.run_it()
        self.run_it(YORE_FRESH="1")
        self.assertEqual(self.runs(), 2)

    def test_a_failure_is_never_remembered(self):
        self.program("exit 3")
        self.assertEqual([self.run_it(), self.run_it()], [3, 3])
        self.program("kill -9 $$")
        self.assertNotEqual(self.run_it(), 0)
        self.program("exit 0")
        self.assertEqual(self.run_it(), 0)
        self.assertEqual(self.runs(), 4)


if __name__ == "__main__":
    unittest.main()
