#!/usr/bin/env python3
"""The schemas of JSON answers are schemas, closed, and lead where they say.

77 (skipped) where python3-jsonschema is not there; what needs no library is checked before.
"""

import json
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "schemas"


def parts(schema, at):
    """Every schema in a schema, with where it stands."""
    yield at, schema
    for key in ("properties", "$defs"):
        for name, part in schema.get(key, {}).items():
            yield from parts(part, f"{at}/{key}/{name}")
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from parts(schema[key], f"{at}/{key}")
    for key in ("oneOf", "anyOf"):
        for number, part in enumerate(schema.get(key, [])):
            yield from parts(part, f"{at}/{key}/{number}")


def problems_of(at, schema, files):
    if not schema.keys() - {"title", "description", "$schema", "$id"}:
        yield f"{at}: allows everything"
    if "properties" in schema and "additionalProperties" not in schema:
        yield f"{at}: is open"
    if schema.get("type") == "object" and schema.get("additionalProperties", True) is True:
        yield f"{at}: allows every field"
    missing = set(schema.get("required", ())) - set(schema.get("properties", ()))
    if missing:
        yield f"{at}: wants {', '.join(sorted(missing))}, which it does not describe"
    if "$ref" in schema:
        file, _, pointer = schema["$ref"].partition("#")
        target = files.get(file or at.split("/")[0].rstrip("#"))
        for name in filter(None, pointer.split("/")):
            target = target.get(name) if isinstance(target, dict) else None
        if target is None:
            yield f"{at}: {schema['$ref']} leads nowhere"


def main():
    files = {path.name: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
    wrong = [problem for name, schema in files.items() for at, part in parts(schema, name)
             for problem in problems_of(at, part, files)]
    wrong += [f"{name}: $id is {schema.get('$id')}" for name, schema in files.items()
              if schema.get("$id") != name]
    print("\n".join(wrong))
    if wrong or not files:
        return 1
    probe = "import jsonschema, sys; jsonschema.Draft202012Validator"
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", probe], capture_output=True, check=False).returncode:
            continue
        code = ("import json, jsonschema, sys\nfor path in sys.argv[1:]:\n"
                "    jsonschema.Draft202012Validator.check_schema(json.load(open(path)))\n")
        return subprocess.run([python, "-c", code, *sorted(FOLDER.glob("*.json"))],
                              check=False).returncode
    print("skipped the rest: python3-jsonschema is not there")
    return 77


sys.exit(main())
