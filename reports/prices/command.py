"""The command `fairdeal prices`: what price lists of all games share."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from reports.cli.asking import commands_of
from reports.cli.compute import Compute, Crew
from reports.cli.console import (
    InputError,
    as_input_error,
    print_findings,
    print_json,
    print_table,
    print_wrapped,
    resumable,
    waiting,
)
from reports.cli.formats import print_report
from reports.cli.json_answers import found_json
from reports.prices.entries import EntriesAsked, nouns_of

if TYPE_CHECKING:
    import pandas as pd

    from analysis.questions.price_batches import PriceBatches
    from analysis.questions.price_list import Worths
    from reports.prices.text import About
    from simcore.work.about import Question
    from simcore.work.cost import Plan


@frozen
class Asked(ABC):
    """The list that is asked for."""

    question: "Question"
    #: Whether a page that is there is left as it is, since something else is asked of the list.
    quick = False

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

    def beside(
        self,
        tables: "Mapping[str, pd.DataFrame]",  # noqa: ARG002 - most games answer nothing else
    ) -> tuple[dict[str, Any], Sequence[Callable[[], None]]]:
        """What else is asked of the list: as JSON, and what prints it in place of the list."""
        return {}, ()


@frozen
class OfBatches(Asked):
    """A list of entries with fields, whose values are drawn."""

    batches: "PriceBatches[Any]"
    beside_it: EntriesAsked

    @property
    def quick(self) -> bool:  # type: ignore[override]
        """Whether an entry is asked about, for which a page is not drawn again."""
        return self.beside_it.quick

    @abstractmethod
    def play(self, folder: Path, crew: Crew) -> "Worths":
        """What entries were worth, whose games are played if they are missing."""

    @abstractmethod
    def described(self, manifest: Mapping[str, Any]) -> str:
        """What was played, in a line."""

    def plans(self) -> "list[Plan]":
        """The games of all batches."""
        from simcore.work.cost import Plan

        return [Plan(self.batches.spec(self.batches.game, self.batches.all_games))]

    def tables(self, folder: Path, crew: Crew) -> "dict[str, pd.DataFrame]":
        """The tables of the list, whose games are played if they are missing."""
        from analysis.questions.price_batches import EntryDescriber
        from analysis.questions.price_list import PriceList
        from analysis.tables import write_tables

        worths = self.play(folder, crew)
        tables = PriceList.fit(EntryDescriber(self.batches), worths).tables()
        write_tables(tables, folder, {"game": self.question.game})
        return tables

    @property
    def about(self) -> "About":
        """What the page says of what was played."""
        from reports.prices.text import About

        asked = self.batches
        nouns = nouns_of(asked)
        some = f"{asked.n_drawn} of {len(asked.entries)} {nouns.several}"
        facts = (
            ("Batches", f"{asked.batches} with other values for {some}"),
            ("Games", f"{asked.each:,} with each"),
            ("Player", asked.player),
        )
        played = asked.spec(asked.game, asked.each * (asked.batches + 1)).manifest()
        return About(asked.title, self.described(played), facts, nouns)

    def beside(
        self, tables: "Mapping[str, pd.DataFrame]"
    ) -> tuple[dict[str, Any], Sequence[Callable[[], None]]]:
        """The sheet, the designs and the price that are asked for."""
        return self.beside_it.answer(tables)


@frozen
class SideBySide:
    """The lists of two players, who play the same batches."""

    question: "Question"
    lists: tuple[Asked, Asked]

    def plans(self) -> "list[Plan]":
        """What is going to be played for both."""
        return [plan for one in self.lists for plan in one.plans()]


def side_by_side(of_one: Callable[[str], Asked], players: Sequence[str]) -> Asked | SideBySide:
    """The list of one player, or those of two side by side.  Raises InputError for more."""
    from simcore.work.about import Question

    if len(players) > 2 or len({*players}) < len(players):
        raise InputError(
            f"--policy is {','.join(players)}; name one player, or two different ones whose lists"
            " are shown side by side"
        )
    lists = [of_one(player) for player in players]
    if len(lists) == 1:
        return lists[0]
    one, other = lists
    first, second = one.question, other.question
    both = Question(
        game=first.game,
        question="prices",
        named=first.named,
        what=first.what,
        players=(*first.players, *second.players),
        who=None if first.who is None or second.who is None else (*first.who, *second.who),
        games=first.games,
        seed=first.seed,
        asked={"lists": [first.asked, second.asked]},
    )
    return SideBySide(both, (one, other))


def _carry_out(
    asked: Asked | SideBySide, compute: Compute, out: Path | None, *, as_json: bool
) -> None:
    with compute.start() as crew:
        if isinstance(asked, Asked):
            _one(asked, crew, out, as_json=as_json)
        else:
            _both(asked, crew, out, as_json=as_json)


def _made(asked: Asked, crew: Crew, out: Path | None) -> "tuple[dict[str, pd.DataFrame], Path]":
    """The tables of a list, and its page, which is written if it is not there."""
    from reports.prices.page import PAGE, write_page
    from reports.prices.text import headline
    from simcore.work.about import working_on

    with working_on(asked.question, out) as work:
        with as_input_error(), resumable("finished games and lessons stay", work.folder):
            tables = asked.tables(work.folder, crew)
        if not (asked.quick and (work.folder / PAGE).is_file()):
            with waiting("drawing the charts"):
                write_page(tables, work.folder, asked.about)
        work.finish(f"{headline(tables, asked.about.nouns)}.", PAGE)
    return tables, work.folder / PAGE


def _one(asked: Asked, crew: Crew, out: Path | None, *, as_json: bool) -> None:
    """Make a list, and answer with it or with what else is asked of it."""
    from reports.kit.words import level
    from reports.prices.text import findings, headline, price_rows

    tables, page = _made(asked, crew, out)
    more, shown = asked.beside(tables)
    about = asked.about
    first, *others = findings(tables, about)
    if as_json:
        found = found_json(asked.question.game, [first, *others], tables, page.parent)
        print_json({"folder": str(page.parent), "page": str(page), **more, **found})
        return
    if shown:
        for one in shown:
            one()
        print(f"price list: {page}")
        return
    print_wrapped([f"{headline(tables, about.nouns)}.", first.text, ""])
    heads = "field", "thing", "points", f"{level()} interval"
    print_table(heads, price_rows(tables["prices"]), right=(2, 3))
    print()
    print_findings(others)
    print(f"\n{about.played}")
    print_report(page.parent, {"html": page}, tables=True)


def _both(asked: SideBySide, crew: Crew, out: Path | None, *, as_json: bool) -> None:
    """Make two lists, each in its own folder, and say where they differ."""
    from analysis.questions.price_list import compare_players
    from analysis.tables import write_tables
    from reports.prices.page import PAGE, write_players_page
    from reports.prices.text import player_findings, player_rows
    from simcore.work.about import in_a_name, working_on

    players = asked.question.who or asked.question.players
    with working_on(asked.question, out) as work:
        made = []
        for one in asked.lists:
            [player] = one.question.players
            made.append(_made(one, crew, None if out is None else out / in_a_name(player)))
        tables = {"price_players": compare_players(*(one["prices"] for one, _ in made))}
        write_tables(tables, work.folder, {"game": asked.question.game})
        first, *others = found = player_findings(tables["price_players"], players)
        with waiting("drawing the charts"):
            pages = [page for _, page in made]
            write_players_page(tables, work.folder, asked.lists[0].about, players, pages)
        work.finish(first.text, PAGE)
    page = work.folder / PAGE
    if as_json:
        answer = found_json(asked.question.game, found, tables, work.folder)
        lists = [str(one.parent) for one in pages]
        paths = {"folder": str(work.folder), "page": str(page)}
        print_json({**paths, "players": [*players], "lists": lists, **answer})
        return
    print_wrapped([first.text, ""])
    heads = "field", "thing", *players, "difference", "favourite of"
    print_table(heads, player_rows(tables["price_players"], players), right=(2, 3, 4))
    print()
    print_findings(others)
    print_report(work.folder, {"html": page}, tables=True)


#: The command of a game: the options of what it asks, and those of every game.
command_of = commands_of(
    "prices",
    _carry_out,
    "The folder of the list. Default: one in runs/ that is named after what is asked. Run"
    " the same command again to resume; a finished list answers at once.",
)
