"""The experiment that every game has: the file as it was and as it is now, in the same games."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from reports.kit.words import display_name
from reports.studio import history
from reports.studio.bench import Chart, Row, Show, Trial, Tried
from reports.studio.rows import games_choice, points_row

if TYPE_CHECKING:
    import pandas as pd

    from analysis.experiments.comparison import Comparison
    from reports.cli.sides import Answer
    from reports.games import SideOptions
    from reports.studio.work import Asked

#: Where reasons for changes are written down, below the project folder.
DIARY = Path("diary.md")
_LONGEST = 300


class Comparing(ABC):
    """How a game compares two versions of a file."""

    @abstractmethod
    def options(self, asked: "Asked") -> "SideOptions":
        """How both sides are played.  Raises what the game raises."""

    @abstractmethod
    def named(self, asked: "Asked", version: Path) -> str:
        """What is named on a command line to play a version of a file as the file is played."""

    @abstractmethod
    def headline(self, answer: "Answer") -> str:
        """What the change does, in a sentence."""

    @abstractmethod
    def chart(self, comparison: "Comparison", own: Sequence[str]) -> Chart | None:
        """What it does to what; ``own`` are the entries of the file."""


def compare_trial(of: Comparing, usual: int, *others: int) -> Trial:
    """The experiment, with as many games on each side as the command plays, or others."""
    words = f"usual: {usual:,} each"
    return Trial(
        "Compare with a version before",
        "Plays the same games with the file as it was and as it is now: whatever differs, the"
        " change has caused.",
        "Compare",
        partial(_compare, of),
        [games_choice({str(usual): words}, *others)],
        with_version=True,
    )


def _compare(of: Comparing, asked: "Asked", show: Show) -> None:
    """Do what ``balancelab compare`` does, of two versions of a file."""
    from reports.cli import sides
    from reports.cli.compute import HERE
    from reports.cli.console import InputError

    folder, more = history.place(asked.file), asked.more
    known = history.versions(folder)
    now = next((one for one in known if one.number.isdecimal()), None)
    before = history.version(folder, asked.file, more["against"])
    if now is None or now == before:
        raise InputError(f"{asked.file} is as it was in {before.called}; choose another version")
    base, variant = (of.named(asked, folder / one.number / asked.file) for one in (before, now))
    said = sides.ask(asked.game, of.options(asked), base, variant, games=int(more["games"]))
    with HERE.start() as crew:
        answer = sides.find_out(said, crew, note=more["why"] or None)
    if more["why"]:
        sides.record(answer, said, DIARY, more["why"])
    lines = [f"{one.topic}: {one.text}" for one in answer.findings]
    if more["why"]:
        lines.append(f"Written into {DIARY}: {display_name(more['why'], _LONGEST)}")
    show(
        Tried(
            f"Against {before.called}: {of.headline(answer)}",
            answer.played,
            lines,
            of.chart(answer.comparison, asked.own),
            (answer.page.parent.name, answer.page.name),
        )
    )


def difference_row(name: str, line: "pd.Series", *, is_own: bool = False) -> Row:
    """A line of the table of a comparison that is about win rates, as a row of a chart."""
    from analysis.verdicts import CHANGED
    from reports.compare.text import difference_text, difference_words
    from reports.kit.words import interval_of

    # The colour is that of the verdict, which allows for how much was compared.
    uncoloured = {} if line["verdict"] == CHANGED else {"kind": ""}
    return points_row(
        name,
        difference_text(line),
        interval_of(line, "difference", difference_words(line, 2)),
        [line["difference_ci_low"], line["difference"], line["difference_ci_high"]],
        word=line["verdict"],
        is_own=is_own,
        **uncoloured,
    )
