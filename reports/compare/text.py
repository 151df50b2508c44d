"""A comparison in words, for games that have no words of their own for it.

Nothing is estimated here; sentences quote the table of `analysis.experiments.comparison`.
"""

from collections.abc import Callable, Iterator
from functools import partial

import pandas as pd

from analysis.experiments.comparison import Comparison
from analysis.experiments.stronger import COMPARISON_STRONGER
from analysis.verdicts import NOT_SETTLED, SAME, SETTLED
from reports.balance.sections import Grid
from reports.kit.cells import Cell, Column, cell_of, verdict, word
from reports.kit.markdown import code, plain
from reports.kit.verdicts import settled
from reports.kit.words import (
    ARROW,
    DOT,
    Finding,
    capital,
    count,
    games,
    interval_of,
    listed,
    percent,
    points,
    seed_text,
    signed,
)
from simcore.games import find
from simcore.work.parts import seeds_text

#: Lines named in one sentence before "and n more".
_NAMED = 6

#: What a sentence about it is about.
TOPIC = "Stronger players"
# Lines named in one sentence before "and n more".
_MOVED_NAMED = 3
#: What the table is.
ABOUT = (
    "Both sides played again by a stronger player, on other deals. A move is their difference minus"
    " that of the comparison; its interval allows for chance in both. It says how far the"
    " result depends on who plays, not why."
)


def describe_comparison(comparison: Comparison) -> str:
    """One line that says what was played: games, players, seed."""
    one, other = comparison.base.manifest, comparison.variant.manifest
    if comparison.paired:
        games, seed = f"{count(one['games'])} games each, paired", seed_text(one)
    else:
        games = f"{count(one['games'])} and {count(other['games'])} games, not paired"
        seed = f"seeds {seeds_text(one)} and {seeds_text(other)}"
    who = find(one["game"], "reports").who_played(one)  # by name: `reports.games` asks for this
    return DOT.join([games, who, seed])


def findings(comparison: Comparison) -> list[Finding]:
    """What changed, what did not, and what is not settled."""
    table = comparison.table
    found, equal = [], table["differing"] == 0
    for topic, words in (
        ("Changed", table["verdict"].isin(SETTLED)),
        ("The same", table["verdict"] == SAME),
        ("Equal in these games, too few to be sure", (table["verdict"] == NOT_SETTLED) & equal),
        ("Not settled", (table["verdict"] == NOT_SETTLED) & ~equal),
    ):
        lines = table[words]
        if len(lines):
            moves = listed([line_text(line) for _, line in lines.iterrows()], _NAMED)
            found.append(Finding(topic, f"{len(lines)} of {len(table)}: {moves}."))
    return found


def name_of(line: pd.Series) -> str:
    """What a line is about, in the chart: what has a name, or what is measured of all games."""
    return str(line["name"] or line["measure"].replace("_", " "))


def subject_of(line: pd.Series) -> str:
    """What a line is about and what is measured, in a table."""
    measure = str(line["measure"]).replace("_", " ")
    return f"{line['name']}: {measure}" if line["name"] else measure


def most_changed(lines: pd.DataFrame) -> pd.DataFrame:
    """Lines by the size of their difference, those that changed first."""
    order = lines.assign(first=~lines["verdict"].isin(SETTLED), far=-lines["difference"].abs())
    return lines.loc[order.sort_values(["first", "far", "name"]).index]


def line_text(line: pd.Series) -> str:
    """A line with both estimates and their difference: "geese 40.1% → 43.0%, +2.9"."""
    return f"{name_of(line)} {sides_text(line)}, {difference_text(line)}"


def sides_text(line: pd.Series) -> str:
    """Both estimates: "40.1% → 43.0%"."""
    return f"{value_text(line, 'base')} {ARROW} {value_text(line, 'variant')}"


def value_text(line: pd.Series, column: str, digits: int = 1) -> str:
    """An estimate of one run: a share in per cent, or a mean."""
    return f"{line[column]:.2f}" if is_mean(line) else percent(line[column], digits)


def difference_text(line: pd.Series, digits: int = 2) -> str:
    """A difference: percentage points, or the plain number of a mean."""
    return difference_words(line, digits)(line["difference"])


def difference_words(line: pd.Series, digits: int = 2) -> Callable[[float], str]:
    """How the difference of a line, and each end of its interval, is written."""
    return partial(signed if is_mean(line) else points, digits=digits)


def is_mean(line: pd.Series) -> bool:
    """Whether a line is about a mean and not about a share."""
    return str(line["measure"]).startswith("mean_")


def record_lines(
    comparison: Comparison, why: str, date: str, command: str, words: tuple[str, list[Finding]]
) -> Iterator[str]:
    """The lines of an entry in a designer's diary: why, and what was measured, in ``words``."""
    measured, found = words
    base, variant = comparison.base.folder, comparison.variant.folder
    yield f"## {date}: {plain(str(base))} {ARROW} {plain(str(variant))}"
    yield from ("", f"**Why.** {plain(why)}", "")
    yield f"**Measured.** {measured}."
    yield ""
    yield from [f"- {plain(finding.topic)}: {plain(finding.text)}" for finding in found]
    yield from ("", code(command))


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
    said = [f"{who} {listed(told, _MOVED_NAMED)}; {number} on each side."] if told else []
    clear = settled(moves, "move")
    others = clear[~clear.index.isin(shown.index)]
    if len(others):
        far = others["move"].abs().sort_values(ascending=False, kind="stable").index
        named = [f"{subject(line)} ({_sides(line)})" for _, line in others.loc[far].iterrows()]
        said.append(f"Also shown to move: {listed(named, _MOVED_NAMED)}.")
    elif len(moves) > len(shown):
        said.append("No other number is shown to move.")
    sides = moves[["verdict", "stronger_verdict"]]
    is_settled = sides.isin(SETTLED).all(axis="columns")
    against = moves[is_settled & (sides["verdict"] != sides["stronger_verdict"])]
    if len(against):
        named = [subject(line) for _, line in against.iterrows()]
        said.append(f"The direction depends on who plays: {listed(named, _MOVED_NAMED)}.")
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
            cell_of("stronger_verdict", verdict),
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

    return Column(heading, "with its interval; of shares in percentage points", cell)
