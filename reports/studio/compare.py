"""The experiment that every game has: the file as it was and as it is now, in the same games."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.cli.console import InputError
from reports.kit.words import display_name
from reports.studio import history
from reports.studio.bench import Chart, Row, Show, Trial, Tried
from reports.studio.rows import games_choice, points_chart, points_row

if TYPE_CHECKING:
    import pandas as pd

    from analysis.experiments.comparison import Comparison
    from reports.cli.sides import Asked as Question
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
    def chart(self, comparison: "Comparison", own: Sequence[str]) -> Chart | None:
        """What it does to what; ``own`` are the entries of the file."""


def compare_trial(of: Comparing, usual: int, *others: int) -> Trial:
    """The experiment, with as many games on each side as the command plays, or others."""
    words = f"usual: {usual:,} each"
    return Trial(
        "Compare with an earlier version",
        "Plays the same games with the file as it was and as it is now: whatever differs, the"
        " change has caused.",
        "Compare",
        partial(_compare, of),
        [games_choice({str(usual): words}, *others)],
        with_version=True,
    )


def _compare(of: Comparing, asked: "Asked", show: Show) -> None:
    """Do what ``fairdeal compare`` does, of two versions of a file."""
    from reports.cli import sides
    from reports.cli.compute import HERE
    from reports.kit.words import headline

    more = asked.more
    now, before = version_of_now(asked), version_of(asked, more["against"])
    if now == before:
        raise InputError(f"{asked.file} is as it was in {before.called}; choose another version")
    said = question_of(of, asked, before, now)
    with HERE.start() as crew:
        answer = sides.find_out(said, crew, note=more["why"] or None)
    if more["why"]:
        sides.record(answer, said, DIARY, more["why"])
    lines = [f"{one.topic}: {one.text}" for one in answer.findings]
    if more["why"]:
        lines.append(f"Written into {DIARY}: {display_name(more['why'], _LONGEST)}")
    show(
        Tried(
            f"Against {before.called}: {headline(answer.findings)}",
            answer.played,
            lines,
            of.chart(answer.comparison, [*asked.own]),
            (answer.page.parent.name, answer.page.name),
        )
    )


def version_of_now(asked: "Asked") -> history.Version:
    """The version that the file is now, which was kept when somebody asked.  Raises InputError."""
    known = history.versions(history.place(asked.file))
    for one in known:
        if one.number.isdecimal():
            return one
    raise InputError(f"no version of {asked.file} is kept any more; save it again")


def version_of(asked: "Asked", number: str) -> history.Version:
    """A version that was chosen.  Raises InputError for none."""
    return history.version(history.place(asked.file), number)


def question_of(
    of: Comparing, asked: "Asked", before: history.Version, now: history.Version
) -> "Question":
    """What ``fairdeal compare`` is asked of two versions.  Raises what the game raises."""
    from reports.cli import sides

    folder = history.place(asked.file)
    named = [of.named(asked, folder / one.number / asked.file) for one in (before, now)]
    games = int(asked.more["games"])
    return sides.ask(asked.game, of.options(asked), *named, games=games)


def differences_chart(
    headings: tuple[str, str, str],
    comparison: "Comparison",
    lines: "Iterable[pd.DataFrame]",
    own: Sequence[str],
) -> Chart | None:
    """The lines of the table of a comparison, group by group; ``own`` are the entries of a file."""
    rows = [
        difference_row(line["name"], line, is_own=line["id"] in own)
        for group in lines
        for _, line in group.iterrows()
    ]
    return points_chart(headings, rows, 100 * float(comparison.table["band"].min()))


def difference_row(name: str, line: "pd.Series", **more: Any) -> Row:
    """A line of the table of a comparison that is about win rates, as a row of a chart.

    ``more`` are further fields of the row.
    """
    from reports.compare.text import difference_text, difference_words
    from reports.kit.words import interval_of

    return points_row(
        name,
        difference_text(line),
        interval_of(line, "difference", difference_words(line, 2)),
        [line["difference_ci_low"], line["difference"], line["difference_ci_high"]],
        word=line["verdict"],
        **more,
    )
