"""The command `fairdeal prices` of Mice & Mystics."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import frozen
from cyclopts import Parameter

from analysis.mice_and_mystics.experiments import usual
from card_data.faults import unknown_word
from card_data.schema.fields import plain_words
from reports.cli.console import InputError, as_input_error, read_all
from reports.cli.options import Seed, whole
from reports.games import reports_of
from reports.mice_and_mystics.cli.options import (
    ALL_PARTIES,
    NAMED,
    Switches,
    chapter_question,
    load_chapter,
    one_player,
    read_players,
)
from reports.prices import command as shared

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mice_and_mystics.experiments.prices import ChapterBatches
    from reports.cli.compute import Crew
    from reports.prices.text import About
    from simcore.work.cost import Plan


@frozen
class ChapterAsked(shared.Asked):
    """What is played for the price list of a chapter."""

    batches: "ChapterBatches"

    def plans(self) -> "list[Plan]":
        """The games of all batches."""
        from simcore.work.cost import Plan

        return [Plan(self.batches.spec(self.batches.game, self.batches.all_games))]

    def tables(self, folder: Path, crew: "Crew") -> "dict[str, pd.DataFrame]":
        """The tables of the list, whose games are played if they are missing."""
        from analysis.mice_and_mystics.experiments.prices import play_prices
        from analysis.questions.price_batches import EntryDescriber
        from analysis.questions.price_list import PriceList
        from analysis.tables import write_tables

        reports_of("mice_and_mystics").compile_engine(read_players(self.batches.player))
        how: dict[str, Any] = {"threads": crew.threads, "executor": crew.executor}
        worths = play_prices(self.batches, folder, watch=crew.watch, **how)
        tables = PriceList.fit(EntryDescriber(self.batches), worths).tables()
        write_tables(tables, folder, {"game": self.question.game})
        return tables

    @property
    def about(self) -> "About":
        """What the page says of what was played."""
        from reports.mice_and_mystics.run_text import describe_run
        from reports.prices.text import About

        asked = self.batches
        spec = asked.spec(asked.game, asked.all_games)
        some = f"{asked.n_drawn} of {len(asked.entries)} {plain_words(asked.of)}"
        each = f"{asked.batches} with other numbers for {some}"
        return About(
            asked.title,
            describe_run(spec.manifest()),
            (("Batches", each), ("Games", f"{asked.each:,} with each"), ("Player", asked.player)),
            shared.nouns_of(one.kind for one in asked.entries),
        )


def ask(
    *chapter: Annotated[str, Parameter(name="CHAPTER", help=NAMED)],
    switches: Switches = None,
    policy: Annotated[
        str | None,
        Parameter(
            help="Who plays all heroes, as for balance. With two, such as heuristic,learned, their"
            f" lists are shown side by side. Default: {usual.PLAYER}."
        ),
    ] = None,
    of: Annotated[
        str,
        Parameter(
            help="What is priced: 'heroes', 'abilities' that they begin with, 'search_cards' on top"
            " of the deck, or 'encounters', the first of a game."
        ),
    ] = "heroes",
    batches: Annotated[
        int | None,
        Parameter(
            converter=whole(3, 500),
            help="How often one of the heroes, or half of the cards, get other numbers. The list is"
            f" tried on each batch with the others. Default: {usual.HERO_BATCHES} for heroes,"
            f" {usual.CARD_BATCHES} for cards.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(1_000, 1_000_000),
            help=f"Games with each batch. Default: enough for about {usual.PRICE_GAMES:,} in all.",
        ),
    ] = None,
    seed: Seed = 0,
) -> shared.Asked | shared.SideBySide:
    """Find what each number of a hero, an ability, a search card or an encounter is worth.

    Draws numbers for those of a kind, plays every legal party with these in batches, and fits what
    each number adds to the win rate. It says first how good the list is, by batches that had no
    part in it.
    """
    named = "+".join(chapter)
    players = (policy or usual.PLAYER).split(",")
    read_all(
        lambda: load_chapter(named, ALL_PARTIES, switches or []),
        *(partial(read_players, one) for one in players),
        lambda: _check_kind(of),
    )
    from analysis.mice_and_mystics.experiments.prices import ChapterBatches
    from analysis.mice_and_mystics.experiments.verdict_effects import HEROES

    played = load_chapter(named, ALL_PARTIES, switches or [])
    facts, settings = played.played()

    if batches is None:
        batches = usual.HERO_BATCHES if of == HEROES else usual.CARD_BATCHES
    n = games or usual.PRICE_GAMES // batches

    def of_one(text: str) -> ChapterAsked:
        with as_input_error("--policy"):
            player = one_player(text)
        asked = ChapterBatches(
            facts, batches, seed, settings=settings, player=player, of=of, each=n
        )
        with as_input_error():
            asked.check()
        question = chapter_question(
            *("prices", [played], (player,)), games=n, seed=seed, batches=batches, kind=of
        )
        return ChapterAsked(question, asked)

    return shared.side_by_side(of_one, players)


prices = shared.command_of(ask)


def _check_kind(word: str) -> None:
    """Raise InputError for what no list can be of."""
    from analysis.mice_and_mystics.experiments.prices import PRICED

    if word not in PRICED:
        raise InputError(f"--of: {unknown_word('kind of entry', word, PRICED)}")
