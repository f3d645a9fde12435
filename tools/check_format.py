#!/usr/bin/env python3
"""Fails when clang-format would change a source. 77 (skipped) where clang-format 14 is not there."""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("src", "apps", "include", "tests", "bench", "examples", "tools", "python")


def main():
    tool = shutil.which("clang-format-14") or shutil.which("clang-format")
    version = tool and subprocess.run([tool, "--version"], capture_output=True, text=True,
                                      check=False).stdout
    if not version or " version 14." not in version:
        print("skipped: clang-format 14 is not there")
        return 77
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*"))
             if path.suffix in (".cpp", ".hpp", ".inc")]
    ran = subprocess.run([tool, "--dry-run", "-Werror", *files], capture_output=True, text=True,
                         check=False)
    wrong = sorted({line.split(":")[0] for line in ran.stderr.split("\n") if "-Wclang-format" in line})
    for name in wrong:
        print(f"{name}: run {pathlib.Path(tool).name} -i on it")
    return ran.returncode and 1


if __name__ == "__main__":
    sys.exit(main())
