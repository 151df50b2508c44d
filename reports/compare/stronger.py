"""By how much a stronger player moves what a comparison found, in words and as a table.

Nothing is estimated here; all of it quotes the table of `analysis.experiments.stronger`.
"""

from collections.abc import Callable

import pandas as pd

from analysis.experiments.comparison import Comparison
from analysis.experiments.stronger import COMPARISON_STRONGER
from analysis.verdicts import SETTLED
from reports.balance.sections import Grid
from reports.compare.text import difference_words, is_mean
from reports.kit.cells import Cell, Column, verdict, word
from reports.kit.verdicts import settled
from reports.kit.words import Finding, capital, games, interval_of, listed

#: What a sentence about it is about.
TOPIC = "Stronger players"
# Lines named in one sentence before "and n more".
_NAMED = 3
#: What the table is.
ABOUT = (
    "Both sides once more, played by a stronger player on other deals. A move is their difference"
    " minus that of the comparison; its interval holds the chance of both. It says how far the"
    " result depends on who plays, not why."
)


def moves_of(comparison: Comparison) -> pd.DataFrame:
    """What a stronger player made of it, a row for each line; empty where none played."""
    nothing = COMPARISON_STRONGER.frame([])
    return comparison.more.get(COMPARISON_STRONGER.name, nothing)


def moved_text(line: pd.Series) -> str:
    """By how much one number is moved, with the interval: "+0.5 points (−0.7 to +1.7)"."""
    words = difference_words(line, 1)
    return f"{words(line['move'])}{_unit(line)} ({interval_of(line, 'move', words)})"


def stronger_finding(
    moves: pd.DataFrame,
    shown: pd.DataFrame,
    who: str,
    subject: Callable[[pd.Series], str],
    full: Callable[[pd.Series], str],
) -> Finding:
    """What stronger players make of the lines ``shown`` in full, and of all others in a sentence.

    ``who`` begins the sentence: "Among search:16 players, who are stronger,".  ``subject`` says in
    a word or two what a line is about, ``full`` as the subject of that sentence.
    """
    told = [
        f"{full(line)} changes by {_sides(line)}, a move of {moved_text(line)}"
        for _, line in shown.iterrows()
    ]
    number = games(moves["stronger_games"].iloc[0])
    said = [f"{who} {listed(told, _NAMED)}; {number} on each side."] if told else []
    clear = settled(moves, "move")
    others = clear[~clear.index.isin(shown.index)]
    if len(others):
        far = others["move"].abs().sort_values(ascending=False, kind="stable").index
        named = [f"{subject(line)} ({_sides(line)})" for _, line in others.loc[far].iterrows()]
        said.append(f"Also shown to be moved: {listed(named, _NAMED)}.")
    elif len(moves) > len(shown):
        said.append("No other number is shown to be moved.")
    sides = moves[["verdict", "stronger_verdict"]]
    is_settled = sides.isin(SETTLED).all(axis="columns")
    against = moves[is_settled & (sides["verdict"] != sides["stronger_verdict"])]
    if len(against):
        named = [subject(line) for _, line in against.iterrows()]
        said.append(f"The direction depends on who plays: {listed(named, _NAMED)}.")
    return Finding.of(TOPIC, said)


def _sides(line: pd.Series) -> str:
    """Both differences: "−2.9 points instead of −3.4"."""
    words = difference_words(line, 1)
    theirs, mine = words(line["stronger_difference"]), words(line["difference"])
    return f"{theirs}{_unit(line)} instead of {mine}"


def _unit(line: pd.Series) -> str:
    return "" if is_mean(line) else " points"


def stronger_grid(
    moves: pd.DataFrame, called: Callable[[str], str], subject: Callable[[pd.Series], str]
) -> Grid:
    """The table of all lines, those that are moved most surely first.

    ``called`` says what a player is called, ``subject`` what a line is about.
    """
    usual, stronger = (called(moves[who].iloc[0]) for who in ("policy", "stronger"))
    columns = [
        Column("What", "", lambda line: word(capital(subject(line))), "word"),
        _difference(f"By {usual}", "difference"),
        _difference(f"By {stronger}", "stronger_difference"),
        _difference("Move", "move"),
        Column(
            "Verdict",
            f"on the change by {stronger} alone",
            lambda line: verdict(line["stronger_verdict"]),
            "word",
            filter="Verdict",
        ),
    ]
    surest = moves["q_value"].fillna(1).sort_values(kind="stable").index
    label = "Table of what a stronger player moves"
    return Grid.of(columns, moves.loc[surest], label, "sortable")


def _difference(heading: str, column: str) -> Column:
    def cell(line: pd.Series) -> Cell:
        words = difference_words(line)
        known = pd.notna(line[f"{column}_ci_low"])
        interval = interval_of(line, column, words) if known else ""
        return Cell(words(line[column]), float(line[column]), interval)

    return Column(heading, "in percentage points, with its interval", cell)
