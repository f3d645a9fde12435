"""The phrases of the skill's description against integrations/prompts.tsv.

No model takes part: what a model makes of the description is not measured here. What is checked is that the phrases
which are quoted in it, and the plain words beside them, stand in the prompts that should call for it and not in those
that should not.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_SKILL = 1500
LEAST_CAUGHT = 20
MOST_WRONG = 0


def description():
    text = (ROOT / "src/setup/skill.cpp").read_text(encoding="utf-8")
    skill = re.search(r'R"\((.*?)\)"', text, re.S).group(1)
    assert len(skill) < MOST_SKILL, f"the skill has {len(skill)} characters"
    return re.search(r"^description: (.*)$", skill, re.M).group(1)


def main():
    phrases = [phrase.lower() for phrase in re.findall(r'"([^"]+)"', description())]
    assert len(phrases) >= 6, phrases
    # "asks why something was done"
    pattern = re.compile("|".join(rf"\b{re.escape(phrase)}\b" for phrase in phrases)
                         + r"|\bwhy (was|did we|is the)\b")
    counts = {"yes": [0, 0], "no": [0, 0]}
    for line in (ROOT / "integrations/prompts.tsv").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        wanted, prompt = line.split("\t")
        counts[wanted][0] += 1
        counts[wanted][1] += bool(pattern.search(prompt.lower()))
    print(f"of {counts['yes'][0]} prompts that should, {counts['yes'][1]} hold a phrase of the "
          f"description; of {counts['no'][0]} that should not, {counts['no'][1]}")
    good = (counts["yes"][0] == 30 and counts["no"][0] == 30
            and counts["yes"][1] >= LEAST_CAUGHT and counts["no"][1] <= MOST_WRONG)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
