"""The command `fairdeal prices` of Mice & Mystics."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import frozen
from cyclopts import Parameter

from analysis.mice_and_mystics.experiments import usual
from card_data.faults import unknown_word
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
from reports.prices.entries import ONLY_LIST, EntryOptions

if TYPE_CHECKING:
    from analysis.mice_and_mystics.experiments.prices import ChapterBatches
    from analysis.questions.price_list import Worths
    from reports.cli.compute import Crew


@frozen
class ChapterAsked(shared.OfBatches):
    """What is played for the price list of a chapter."""

    batches: "ChapterBatches"

    def play(self, folder: Path, crew: "Crew") -> "Worths":
        """What entries were worth, whose games are played if they are missing."""
        from analysis.mice_and_mystics.experiments.prices import play_prices

        reports_of("mice_and_mystics").compile_engine(read_players(self.batches.player))
        return play_prices(self.batches, folder, **crew.watched)

    def described(self, manifest: Mapping[str, Any]) -> str:
        """What was played, in a line."""
        from reports.mice_and_mystics.run_text import describe_run

        return describe_run(manifest)


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
    options: EntryOptions = ONLY_LIST,
) -> shared.Asked | shared.SideBySide:
    """Find what each number of a hero, an ability, a search card or an encounter is worth.

    Draws numbers for those of a kind, plays every legal party with these in batches, and fits what
    each number adds to the win rate. It says first how good the list is, by batches that had no
    part in it.
    """
    named = "+".join(chapter)
    players = options.for_players((usual.PLAYER if policy is None else policy).split(","))
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
        return ChapterAsked(question, batches=asked, beside_it=options.read(asked))

    return shared.side_by_side(of_one, players)


prices = shared.command_of(ask)


def _check_kind(word: str) -> None:
    """Raise InputError for what no list can be of."""
    from analysis.mice_and_mystics.experiments.prices import PRICED

    if word not in PRICED:
        raise InputError(f"--of: {unknown_word('kind of entry', word, PRICED)}")
