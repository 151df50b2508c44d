"""What one step on each number of a chapter changes, and each switch, in games with the same luck.

The folder of a sensitivity analysis is a run with the games as they are; those with changes are in
``RUN/changes/GAMES`` (`effects`), where the tornado of `assumptions` has its own, too.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.mice_and_mystics.experiments.effects import (
    ABOUT,
    MEASURES,
    PAIRED,
    Effects,
    about,
)
from analysis.registry import Table, q_value, with_interval
from analysis.runs import Run
from analysis.tables import write_tables
from card_data.faults import nearest, unknown_word
from card_data.mice_and_mystics.changes import OF_ENTRIES, RULES, SWITCHES
from card_data.schema.changes import Variable

#: What ``--of`` can name besides entries and numbers, and the kinds of variables that it means.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "heroes": ("heroes",),
    "minions": ("minions",),
    "cards": ("abilities", "search_cards", "encounters"),
    "abilities": ("abilities",),
    "search_cards": ("search_cards",),
    "encounters": ("encounters",),
    "chapter": ("chapters",),
    "rules": (RULES,),
    "switches": (SWITCHES,),
    "all": (*OF_ENTRIES, RULES, SWITCHES),
}


def choose(known: Sequence[Variable], words: Sequence[str]) -> list[Variable]:
    """The variables that words mean, in their order: groups, ids or names of entries, numbers.

    Raises ValueError with a line for each word that means none.
    """
    wanted: set[tuple[str, str, str]] = set()
    wrong = []
    for word in dict.fromkeys(words):
        found = [one.key for one in known if _is_meant(one, word)]
        if not found:
            entries = (name for one in known for name in (one.entry, one.name) if name)
            numbers = (one.number.partition(".")[0] for one in known)
            meant = tuple(dict.fromkeys([*GROUPS, *entries, *numbers]))
            allowed = tuple(one for one in GROUPS if any(_is_meant(v, one) for v in known))
            wrong.append(_unknown(word, meant, allowed))
        wanted.update(found)
    if wrong:
        raise ValueError("\n".join(wrong))
    return [one for one in known if one.key in wanted]


def _is_meant(one: Variable, word: str) -> bool:
    """Whether a word means a variable, among others perhaps."""
    if word in GROUPS:
        return one.of in GROUPS[word]
    names = one.entry, one.name.casefold(), one.number, one.number.partition(".")[0]
    return word.casefold() in names


def _unknown(word: str, meant: Sequence[str], allowed: Sequence[str]) -> str:
    """Why a word cannot be read, with the nearest of all that could be meant."""
    told = unknown_word("number or entry", word, [*allowed], guess=nearest(word, meant))
    return f"{told[:-1]}, the id or name of an entry, or a number such as life."


def sensitivity_table(effects: Effects, policy: str) -> pd.DataFrame:
    """The table `SENSITIVITY`; ``policy`` is who played."""
    rows = [
        {
            **about(effects.changes[place]),
            "policy": policy,
            "measure": measure,
            "n": effects.n_games,
            **effects.tables[measure].drop(columns="measure").loc[place].to_dict(),
        }
        for place in effects.by_size
        for measure in MEASURES
    ]
    table = SENSITIVITY.frame([{name: row[name] for name in SENSITIVITY.columns} for row in rows])
    return table.astype({"differing": "Int64"})


def write_sensitivity(table: pd.DataFrame, run: Run) -> None:
    """Write the table to the folder of its run.  Raises RunError."""
    names = "rules_version", "facts_hash", "settings", "policies", "weights", "seed"
    said: dict[str, Any] = {name: run.manifest[name] for name in names if name in run.manifest}
    folder: Path = run.folder
    write_tables(
        {SENSITIVITY.name: table}, folder, {"sensitivity": json.dumps(said, sort_keys=True)}
    )


SENSITIVITY = Table(
    "sensitivity",
    "One row per change and measure",
    {
        **ABOUT,
        "policy": "who plays all mice",
        "measure": "win_rate, or mean_score: rooms of the route that were entered; for a win 1 more"
        " and the share of all pages that was left",
        "n": "games as they are, and as many with the change",
        "base": "the estimate with the chapter as it is",
        "variant": "the estimate with the change",
        **with_interval("difference", f"by experiment: {PAIRED}"),
        "difference_shrunk": "`difference` drawn towards zero by what all differences together say"
        " that chance has added to it; changes are in the order of its size for the win rate",
        "std_err": "standard error of `difference`, from pairs of games",
        "std_err_independent": "the standard error that two independent runs would have had",
        "variance_reduction": "(`std_err_independent` / `std_err`)²: how many times as many games "
        "independent runs would have needed; missing where no game differs",
        "differing": "games in which the number differs",
        "p_value": "probability of a difference at least this large if there were none; missing "
        "where fewer than 10 games differ",
        "q_value": q_value("changes, in the same measure"),
    },
    where="in the folder of `fairdeal sensitivity`",
    differences=("difference", "difference_shrunk"),
    numbers=("variance_reduction",),
    json_rows=lambda table: table["measure"] == "win_rate",
)
