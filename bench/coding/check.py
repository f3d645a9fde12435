#!/usr/bin/env python3
"""Checks what the loader cannot see about the coding set.

Fails when a paraphrase shares a word with a turn that answers it, when a name or an error that
should be unknown stands somewhere, when a question is asked twice, or when a kind has too few
questions. What the loader checks (form of the files, gold turns exist) is not repeated.

Usage: check.py
"""

import collections
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ENOUGH = 18
STOP_WORDS = set("""
a about after again all although an and any anything are as at be because been before behind below but by can
cannot could did do does doing due during each everything for from had has have how i if in into is it its
just left made make makes many more must near nearly never no nobody not of off on once one only or other our
out over own same she should since so some somebody someone something still such than that the their them
then there these they this those through to too until up us very was we were what when whenever where which
while who why will with without would you your
""".split())


def sessions():
    """Text of every turn by its key, tools and the session's title included."""
    turns = {}
    for path in sorted(HERE.glob("*.sessions")):
        session, title, number, last = "", "", -1, ""
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line.startswith("== "):
                _, session, _, _, *title = line.split(" ")
                number, last = -1, ""
            elif line and line[0] != "#":
                if line[0] == ">" and last != ">":
                    number += 1
                    turns[f"{session}#{number}"] = " ".join(title) + "\n"
                last = line[0]
                turns[f"{session}#{number}"] += line[2:] + "\n"
    return turns


def questions():
    for line in (HERE / "questions.tsv").read_text(encoding="utf-8").split("\n"):
        if line and line[0] != "#":
            key, kind, gold, text = line.split("\t")
            yield key, kind, gold.split(), text


def stem(word):
    """Coarse on purpose: rather one pair too many than one too few."""
    for end in ("ingly", "ations", "ation", "ings", "ing", "edly", "ies", "ied", "ers", "er", "ed",
                "es", "ly", "s", "e", "y"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            word = word[: -len(end)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def words(text):
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return {stem(word) for word in re.findall(r"[a-z]+", text.lower())
            if word not in STOP_WORDS and len(word) > 1}


def problems():
    turns = sessions()
    everything = "\n".join(turns.values()).lower()
    counts = collections.Counter()
    seen = set()
    for key, kind, gold, text in questions():
        counts[kind] += 1
        if text in seen:
            yield f"{key}: asked twice"
        seen.add(text)
        if kind == "paraphrase":
            for turn in gold:
                if shared := words(text) & words(turns[turn]):
                    yield f"{key}: {turn} has {', '.join(sorted(shared))}"
        if kind in ("no_answer_identifier", "no_answer_error") and text.lower() in everything:
            yield f"{key}: stands in a session"
    for kind, count in counts.items():
        if count < ENOUGH:
            yield f"{kind}: {count} questions, {ENOUGH} are the least"


def main():
    found = list(problems())
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
