"""The command `fairdeal prices` of games that people bring."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import evolve, frozen
from cyclopts import Parameter

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
from reports.prices.entries import ONLY_LIST, EntryOptions

if TYPE_CHECKING:
    from analysis.own_games.prices import OwnPriceBatches
    from analysis.questions.price_list import Worths
    from reports.cli.compute import Crew

_BATCHES, _LEAST, _MOST, _ALL_GAMES = 12, 100, 2_000, 60_000


@frozen
class GameAsked(shared.OfBatches):
    """What is played for the price list of a game."""

    batches: "OwnPriceBatches"

    def play(self, folder: Path, crew: "Crew") -> "Worths":
        """What entries were worth, whose games are played if they are missing."""
        from analysis.own_games.prices import play_prices

        return play_prices(self.batches, folder, **crew.watched)

    def described(self, manifest: Mapping[str, Any]) -> str:
        """What was played, in a line."""
        from reports.own_games.page import describe

        return describe(manifest)


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
    options: EntryOptions = ONLY_LIST,
) -> shared.Asked | shared.SideBySide:
    """Find what each number, choice and word of the entries of a game is worth.

    Draws values for the entries from the ranges of their fields, plays them in batches, and fits
    what each value adds. It says first how good the list is, by batches that had no part in it.
    """
    from analysis.own_games.prices import OwnPriceBatches
    from simcore.own_games.setup import fingerprints

    table = load_table([game], seats, settings or ())
    playable = PlayableGame(game, table)

    def of_one(text: str) -> GameAsked:
        player = one_player(table, "--policy", text)
        asked = OwnPriceBatches(table, batches, seed, player)
        with as_input_error():
            asked.check()
        n = games or min(max(_ALL_GAMES // asked.all_games, _LEAST), _MOST)
        asked = evolve(asked, each=n)
        entries = {**asked.asked(), "weights": fingerprints([player])}
        question = playable.question("prices", (player,), n * (batches + 1), seed, entries)
        return GameAsked(question, batches=asked, beside_it=options.read(asked))

    players = options.for_players((usual_player(table) if policy is None else policy).split(","))
    return shared.side_by_side(of_one, players)


prices = shared.command_of(ask)
