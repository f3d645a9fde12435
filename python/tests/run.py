#!/usr/bin/env python3
"""run.py FOLDER: the tests of the Python module that was built into FOLDER, by pytest.

77 (skipped), with the name of what is missing, where there is no module or no pytest.
"""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    if not list(folder.glob("yore/_yore*.so")):
        print(f"skipped: there is no module in {folder}; tools/setup.sh python builds it")
        return 77
    settings = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    # Debian's own Python has Debian's pytest, whatever else is called python3.
    for python in (sys.executable, "/usr/bin/python3"):
        probe = [python, "-c", "import pytest, yore"]
        if subprocess.run(probe, env=settings, capture_output=True, check=False).returncode == 0:
            words = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE]
            return subprocess.run(words, env=settings, check=False).returncode
    print("skipped: no Python here has pytest (python3-pytest) and can load the module")
    return 77


sys.exit(main())
