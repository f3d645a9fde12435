"""The session that examples/session.py shows, from beginning to end."""

import os
import pathlib
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


def test_the_session_prints_what_it_says():
    settings = {**os.environ, "TZ": "UTC"}  # its days are those of the clock
    ran = subprocess.run([sys.executable, EXAMPLES / "session.py"], env=settings,
                         capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == (EXAMPLES / "session.expected").read_text()
