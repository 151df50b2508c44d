"""A verdict in the studio: the changes that it has tried, and games that came out otherwise."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from reports.kit.verdicts import KINDS
from reports.kit.words import capital, display_name
from reports.studio.bench import Chart, Decided, Row
from reports.studio.measure import POINTS, SHARE, Measure

if TYPE_CHECKING:
    import pandas as pd

    from analysis.registry import Table
    from reports.verdict.page import Verdict
    from reports.verdict.words import Words
    from simcore.work.folder import FolderKind

# Letters of the name of a change, and changes that are shown.
_LONGEST, _MOST = 120, 14
# How far the axis reaches either way of what is fair, at least.
_REACH = 0.1


class TriedChange(NamedTuple):
    """A change: its line of the table ``verdict_changes``, and a file with it."""

    row: "pd.Series"
    text: str


def measure_of(words: "Words") -> Measure:
    """The number that a verdict is on, as the studio shows it."""
    scale = words.scale
    return Measure(
        column=scale.column,
        unit=SHARE if scale.is_share else POINTS,
        words=lambda _: words.sentence,
        title=capital(words.number),
        caption="",
        noun="",
        middle=scale.fair,
        band=float(words.row["band"]),
        ground=(scale.fair - _REACH, scale.fair + _REACH),
    )


def tried_changes(verdict: "Verdict") -> list[TriedChange]:
    """The changes by the first player: in fresh games where there are some, else in most games."""
    experiment, table = verdict.experiment, verdict.words.tables["verdict_changes"]
    player = experiment.case.policy
    most = max((one.games for one in experiment.tried if not one.fresh), default=0)
    found = {}
    for tried, (_, row) in zip(experiment.tried, table.iterrows(), strict=True):
        if tried.policy == player and (tried.fresh or tried.games == most):
            found[tried.plan.label] = tried, row
    return [TriedChange(row, verdict.written(tried.plan)) for tried, row in found.values()]


def changes_chart(changes: Sequence[TriedChange], measure: Measure, who: str) -> Chart | None:
    """What each change leads to: the proposed one first, then those in fresh games, then others.

    ``who`` played them.
    """

    def order(one: TriedChange) -> tuple[bool, bool, bool, float]:
        row = one.row
        from_fair = abs(float(row[measure.column]) - measure.middle)
        return not row["proposed"], not row["fresh"], bool(row["joined"]), from_fair

    rows = [_row(one, measure) for one in sorted(changes, key=order)[:_MOST]]
    if not rows:
        return None
    ends = [end for row in rows for end in (row.low, row.high) if end is not None]
    low, high = min(measure.ground[0], *ends), max(measure.ground[1], *ends)
    return Chart(
        ("Change", f"{measure.title} ({who}), {measure.unit.sign}", "Verdict"),
        rows,
        low,
        high,
        measure.middle,
        measure.band or 0,
        (measure.unit.tick(low), measure.unit.tick(high)),
    )


def _row(of: TriedChange, measure: Measure) -> Row:
    row = of.row
    value, low, high = (float(row[f"{measure.column}{end}"]) for end in ("", "_ci_low", "_ci_high"))
    return Row(
        display_name(str(row["change"]), _LONGEST),
        measure.unit.bare(value),
        measure.unit.between(low, high),
        low,
        value,
        high,
        word=str(row["verdict"]),
        kind=KINDS.get(str(row["verdict"]), ""),
        text=of.text,
        is_own=bool(row["proposed"]),
    )


# ---------------------------------------------------------------- games


def decided_games(
    kind: "FolderKind",
    table: "Table",
    folder: Path,
    words: "Callable[[pd.Series], str]",
    turn: "Callable[[pd.Series], int]",
) -> list[Decided]:
    """The rows of the table of a verdict in ``folder``; ``turn`` is where a game is of interest.

    Raises RunError.
    """
    from analysis.tables import read_table
    from simcore.work.folder import identity, read_asked

    said = identity(kind, read_asked(kind, folder), "")
    rows = read_table(kind, folder, table, said, "ask for the verdict again")
    return [Decided(words(row), "run", int(row["game"]), turn(row)) for _, row in rows.iterrows()]
