"""The command `fairdeal prices` of games that people bring."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import evolve, frozen
from cyclopts import Parameter

from analysis.confidence import unusual_confidence
from reports.cli.console import as_input_error
from reports.cli.options import Seed, whole
from reports.own_games.options import (
    NAMED,
    PlayableGame,
    Seats,
    Settings,
    load_table,
    one_player,
    usual_player,
)
from reports.prices import command as shared

if TYPE_CHECKING:
    import pandas as pd

    from analysis.own_games.prices import OwnPriceBatches
    from reports.cli.compute import Crew
    from reports.prices.text import About
    from simcore.work.cost import Plan

_BATCHES, _LEAST, _MOST, _ALL_GAMES = 12, 100, 2_000, 60_000


@frozen
class GameAsked(shared.Asked):
    """What is played for the price list of a game."""

    batches: "OwnPriceBatches"

    def plans(self) -> "list[Plan]":
        """The games of all batches, and those that the measure of the worth takes beside them."""
        from simcore.own_games.run import new_run
        from simcore.work.cost import Plan

        asked = self.batches
        n, seed = asked.all_games, asked.seed
        spec = new_run(asked.game, n_games=n, seed=seed, players=asked.seated)
        return [Plan(spec, 8)]

    def tables(self, folder: Path, crew: "Crew") -> "dict[str, pd.DataFrame]":
        """The tables of the list, whose games are played if they are missing."""
        from analysis.own_games.prices import play_prices
        from analysis.questions.price_batches import EntryDescriber
        from analysis.questions.price_list import PriceList
        from analysis.tables import write_tables

        how: dict[str, Any] = {"threads": crew.threads, "executor": crew.executor}
        worths = play_prices(self.batches, folder, watch=crew.watch, **how)
        tables = PriceList.fit(EntryDescriber(self.batches), worths).tables()
        write_tables(tables, folder, {"game": self.question.game})
        return tables

    @property
    def about(self) -> "About":
        """What the page says of what was played."""
        from reports.own_games.page import describe
        from reports.prices.text import About
        from simcore.own_games.run import new_run

        asked = self.batches
        n = asked.each * (asked.batches + 1)
        spec = new_run(asked.game, n_games=n, seed=asked.seed, players=asked.seated)
        each = f"{asked.batches} with other values for half of {len(asked.entries)} entries"
        return About(
            asked.title,
            describe(spec.manifest()),
            (("Batches", each), ("Games", f"{asked.each:,} with each"), ("Player", asked.player)),
            shared.nouns_of(one.kind for one in asked.entries),
        )


def ask(
    game: Annotated[str, Parameter(name="GAME", help=NAMED)],
    /,
    *,
    policy: Annotated[
        str | None,
        Parameter(
            help="A player of the game, for all seats. With two, such as greedy,random, their lists"
            " are shown side by side. Default: the strongest of a short ladder."
        ),
    ] = None,
    seats: Seats = None,
    settings: Settings = None,
    batches: Annotated[
        int,
        Parameter(
            converter=whole(3, 100),
            help="How often half of the entries get other values from their ranges. The list is"
            " tried on each batch with the others.",
        ),
    ] = _BATCHES,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(100, 1_000_000),
            help=f"Games with each batch. Default: enough for about {_ALL_GAMES:,} in all,"
            f" {_MOST:,} at most.",
        ),
    ] = None,
    seed: Seed = 0,
) -> shared.Asked | shared.SideBySide:
    """Find what each number, choice and word of the entries of a game is worth.

    Draws values for the entries from the ranges of their fields, plays them in batches, and fits
    what each value adds. It says first how good the list is, by batches that had no part in it.
    """
    from analysis.own_games.prices import OwnPriceBatches
    from simcore.own_games.setup import fingerprints
    from simcore.work.about import Question

    table = load_table([game], seats, settings or ())
    playable = PlayableGame(game, table)

    def of_one(text: str) -> GameAsked:
        player = one_player(table, "--policy", text)
        asked = OwnPriceBatches(table, batches, seed, player=player, each=1)
        with as_input_error():
            asked.check()
        n = games or min(max(_ALL_GAMES // asked.all_games, _LEAST), _MOST)
        asked = evolve(asked, each=n)
        question = Question(
            game="own_games",
            question="prices",
            named=("prices", playable.name),
            what=playable.title,
            players=(player,),
            games=n * (batches + 1),
            seed=seed,
            asked={**asked.asked(), "weights": fingerprints([player]), **unusual_confidence()},
        )
        return GameAsked(question, asked)

    return shared.side_by_side(of_one, (policy or usual_player(table)).split(","))


prices = shared.command_of(ask)
