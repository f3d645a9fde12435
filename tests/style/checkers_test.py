"""The checkers in tools/ must be able to fail: each test breaks one rule in a tree of its own."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import check_layers  # noqa: E402
import check_style  # noqa: E402

GOOD_TREE = {
    "src/CMakeLists.txt": """
        yore_module(base SOURCES a.cpp)
        yore_module(text SOURCES t.cpp DEPS base PRIVATE yore_utf8proc)
        yore_module(transcript SOURCES adapters/x.cpp DEPS text)
        yore_module(turns SOURCES u.cpp DEPS transcript text)
        yore_module(store SOURCES s.cpp DEPS turns)
        yore_module(engine SOURCES e.cpp DEPS store turns)
        yore_module(cli SOURCES c.cpp DEPS engine)
        yore_module(mcp SOURCES m.cpp DEPS engine)
""",
    "src/turns/u.cpp": '#include "turns/u.hpp"\n#include "transcript/r.hpp"\n#include "base/a.hpp"\n',
    "src/transcript/adapters/x.cpp": "#include <simdjson.h>\n#include <sqlite3.h>\n",
    "src/base/sqlite.cpp": "#include <sqlite3.h>\n",
    "src/store/s.cpp": "#include <sqlite3.h>\n",
    "src/engine/e.cpp": '#include <nlohmann/json.hpp>\n#include "store/s.hpp"\n',
    "apps/yore.cpp": '#include "cli/run.hpp"\n',
}


class Layers(unittest.TestCase):
    def problems(self, files=None):
        """Breaks of the good tree with some files added or replaced."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**GOOD_TREE, **(files or {})}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
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
        self.assert_one({"src/base/a.cpp": "#include <engine/e.hpp>\n"}, "engine/e.hpp")

    def test_a_neighbour_that_is_not_in_deps_is_refused(self):
        self.assert_one({"src/transcript/r.cpp": '#include "turns/u.hpp"\n'}, "transcript may not")

    def test_the_two_edges_do_not_know_each_other(self):
        self.assert_one({"src/mcp/m.cpp": '#include "cli/c.hpp"\n'}, "mcp may not include")

    def test_a_dependency_upwards_in_cmake_is_refused(self):
        self.assert_one(self.deps("yore_module(ranking DEPS engine)"), "ranking", "above")

    def test_a_circle_in_cmake_is_refused(self):
        problems = self.problems(files=self.deps(
            "yore_module(lexical DEPS vector)\nyore_module(vector DEPS lexical)"))
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

    def test_a_public_header_may_show_nothing_private(self):
        self.assert_one({"include/yore/yore.hpp": '#include "engine/e.hpp"\n'}, "include may not")

    def test_main_may_not_reach_below_the_edges(self):
        self.assert_one({"apps/yore.cpp": '#include "store/s.hpp"\n'}, "apps may not include")


class Style(unittest.TestCase):
    def problems(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            for path, body in (("src/CMakeLists.txt", "yore_module(base SOURCES a.cpp)\n"),
                               (name, text)):
                target = pathlib.Path(folder, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(body, encoding="utf-8")
            return check_style.check(folder)

    def test_a_tidy_file_passes(self):
        self.assertEqual(self.problems("src/base/a.cpp", "int a;\n"), ([], []))

    def test_tabs_and_spaces_at_the_end_are_found(self):
        problems, _ = self.problems("src/base/a.cpp", "\tint a;\nint b; \n")
        self.assertEqual(problems, ["src/base/a.cpp:1: tab",
                                    "src/base/a.cpp:2: space at the end of the line"])

    def test_a_header_wants_pragma_once(self):
        self.assertEqual(self.problems("src/base/a.hpp", "int a;\n")[0],
                         ["src/base/a.hpp: no #pragma once"])

    def test_a_source_that_nobody_builds_is_found(self):
        self.assertEqual(self.problems("tests/unit/lost_test.cpp", "int a;\n")[0],
                         ["tests/unit/lost_test.cpp: no CMakeLists.txt names it"])

    def test_a_long_file_is_only_a_warning(self):
        problems, warnings = self.problems("src/base/a.cpp", "int a;\n" * 401)
        self.assertEqual((len(problems), len(warnings)), (0, 1))


if __name__ == "__main__":
    unittest.main()
