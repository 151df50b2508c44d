"""The command `fairdeal prices`: what price lists of all games share."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import frozen
from cyclopts import Parameter

from reports.cli.asking import as_command
from reports.cli.compute import Compute, Crew
from reports.cli.console import (
    as_input_error,
    print_findings,
    print_json,
    print_table,
    print_wrapped,
    resumable,
    waiting,
)
from reports.cli.dry_run import tell_cost
from reports.cli.formats import print_report
from reports.cli.json_answers import found_json
from reports.cli.options import to_place

if TYPE_CHECKING:
    import pandas as pd

    from reports.prices.text import About
    from simcore.work.about import Question
    from simcore.work.cost import Plan

Out = Annotated[
    Path | None,
    Parameter(
        converter=to_place,
        help="The folder of the list. Default: one in runs/ that is named after what is asked. Run"
        " the same command again to resume.",
    ),
]


@frozen
class Asked(ABC):
    """The list that is asked for."""

    question: "Question"

    @abstractmethod
    def plans(self) -> "list[Plan]":
        """What is going to be played."""

    @abstractmethod
    def tables(self, folder: Path, crew: Crew) -> "dict[str, pd.DataFrame]":
        """The tables of the list, whose games are played if they are missing."""

    @property
    @abstractmethod
    def about(self) -> "About":
        """What the page says of what was played."""


def command_of(ask: Callable[..., Asked]) -> Callable[..., None]:
    """The command of a game: the options of ``ask``, and those of every game."""
    return as_command("prices", ask, _carry_out, Out)


def _carry_out(
    asked: Asked, compute: Compute, out: Path | None, *, dry_run: bool, as_json: bool
) -> None:
    from analysis.tables import write_tables
    from reports.prices.page import write_page
    from reports.prices.text import findings, headline
    from simcore.work.about import working_on

    if dry_run:
        tell_cost(asked.plans(), compute, as_json=as_json)
        return
    with compute.start() as crew, working_on(asked.question, out) as work:
        with as_input_error(), resumable("finished games stay", work.folder):
            tables = asked.tables(work.folder, crew)
        write_tables(tables, work.folder, {"game": asked.question.game})
        with waiting("drawing the charts"):
            page = write_page(tables, work.folder, asked.about)
        work.finish(f"{headline(tables)}.", page.name)
    if as_json:
        found = found_json(asked.question.game, findings(tables), tables, work.folder)
        print_json({"folder": str(work.folder), "page": str(page)} | found)
        return
    print_list(tables, page, asked.about.played)


def print_list(tables: "Mapping[str, pd.DataFrame]", page: Path, played: str) -> None:
    """How good the list is, and the list."""
    from reports.kit.words import level
    from reports.prices.text import findings, headline, price_rows

    first, *others = findings(tables)
    print_wrapped([f"{headline(tables)}.", first.text, ""])
    heads = "field", "thing", "points", f"{level()} interval"
    print_table(heads, price_rows(tables["prices"]), right=(2, 3))
    print()
    print_findings(others)
    print(f"\n{played}")
    print_report(page.parent, {"html": page}, tables=True)
