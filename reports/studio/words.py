"""What the studio says of games that are being watched."""

import pandas as pd

from analysis.verdicts import BALANCED, STRONG, UNDECIDED, WEAK
from reports.kit.words import display_name, listed, plural

_NAMED = 3


def pool_sentence(rows: pd.DataFrame, column: str, noun: str) -> str:
    """How many of all that is judged stand where, and which stand out most in a column."""
    ordered = rows.sort_values(column, ascending=False)
    strong, weak = (ordered[ordered["verdict"] == what] for what in (STRONG, WEAK))
    inside, unknown = (int((rows["verdict"] == what).sum()) for what in (BALANCED, UNDECIDED))
    said = []
    for what, found in (("too strong", strong), ("too weak", weak[::-1])):
        if len(found):
            names = listed([display_name(name) for name in found["name"]], _NAMED)
            many = f"{len(found)} of {len(rows)} {plural(noun, len(rows))}"
            said.append(f"{many} {_are(len(found))} {what}: {names}.")
    if inside:
        said.append(f"{inside} {_are(inside)} balanced.")
    if unknown:
        needs = "needs" if unknown == 1 else "need"
        said.append(f"{unknown} {plural(noun, unknown)} {needs} more games.")
    return " ".join(said)


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
