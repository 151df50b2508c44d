"""The command `fairdeal skill` of games that people bring, and what it says."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import frozen
from cyclopts import Parameter

from analysis.confidence import confidence_said
from reports.cli.compute import Crew
from reports.cli.console import progress
from reports.cli.options import Seed
from reports.own_games import options
from reports.skill import command as shared
from simcore.commands import command

if TYPE_CHECKING:
    from analysis.own_games.skill import Comparison
    from reports.own_games.skill_text import GameSkill
    from simcore.contract.play import Table
    from simcore.work.cost import Plan

#: Games of each player, and of each where one of them searches.
_GAMES, _SEARCHED_GAMES = 4_000, 400
#: Who is set beside random players where there are no others.
_THINKER = "search:16"


@frozen
class GameAsked(shared.Asked):
    """Who is compared in a game."""

    asked: "Comparison"

    def plans(self) -> "list[Plan]":
        """The games of each player with its like, the replays, and those of each side."""
        from simcore.own_games.run import new_run
        from simcore.work.cost import Plan

        asked, plans = self.asked, []
        beside = len(asked.effects.tables_of(asked.table))
        for rung, player in enumerate(asked.players):
            alone = asked.games * (beside + 1) + asked.games * len(asked.sides) * bool(rung)
            seated = (player,) * asked.table.seats
            spec = new_run(asked.table, n_games=alone, seed=asked.seed, players=seated)
            plans.append(Plan(spec, 8))
        return plans

    def play(self, folder: Path, crew: Crew) -> "GameSkill":
        """Play what is missing, and say what was found."""
        from analysis.own_games.skill import play_players
        from reports.own_games.skill_text import GameSkill

        return GameSkill(play_players(self.asked, folder, **crew.watched), self.asked.asked)


def ask(
    game: Annotated[str, Parameter(name="GAME", help=options.NAMED)],
    /,
    *,
    seats: options.Seats = None,
    settings: options.Settings = None,
    players: Annotated[
        str | None,
        Parameter(
            help="Two or more players from weak to strong, separated by commas: 'random', 'greedy'"
            " where the rules have standing(seat), players of the game, 'learned', 'search:N'."
            f" Default: all but the last two, by a short ladder, or 'random,{_THINKER}' where there"
            " are no others."
        ),
    ] = None,
    worth: Annotated[
        bool,
        Parameter(
            negative=(),
            help="Also what each entry is worth of which that takes games beside: in which a seat"
            " may not choose it, or in which it has the values of another (docs/own_games.md).",
        ),
    ] = False,
    games: Annotated[
        int | None,
        Parameter(
            converter=shared.games_of,
            help="How many games each player plays with its like, and as many on each side against"
            f" the player before. Default: {_GAMES:,}, or {_SEARCHED_GAMES:,} where a player"
            " searches.",
        ),
    ] = None,
    seed: Seed = 0,
) -> GameAsked:
    """Find what stronger play changes in a game, and how much of it is luck.

    All players play the same deals. Tells what each gains over the one before, what entries are
    worth among weak players and among strong ones, and how much of the outcome the deal, the luck
    after it and the choices decide.
    """
    from analysis.own_games.rebalance import judged_in
    from analysis.own_games.skill import Comparison
    from simcore.contract.game import simulations_of
    from simcore.own_games.setup import OwnSetup, fingerprints

    table = options.load_table([game], seats, settings or ())
    wanted = _players(table, players) if players is not None else _usual(table)
    searched = any(simulations_of(one) for one in wanted)
    games = games or (_SEARCHED_GAMES if searched else _GAMES)
    playable, judged = options.PlayableGame(game, table), judged_in(table, beside=worth)
    asked = {
        **OwnSetup(table).digests,
        "players": [*wanted],
        "judged": [entry.id for entry in judged],
        "weights": fingerprints(wanted),
        "games": games,
        "seed": seed,
    }
    question = playable.question("skill", wanted, games, seed, asked)
    said = command(
        *("skill", game),
        seats=seats,
        set=settings,
        players=",".join(wanted),
        worth=worth,
        games=games,
        seed=seed or None,
        confidence=confidence_said(),
    )
    return GameAsked(question, said, Comparison(table, wanted, judged, games, seed))


def _players(table: "Table", text: str) -> tuple[str, ...]:
    """The players that are named.  Raises InputError with all that are none."""
    return shared.read_players(text, partial(options.one_player, table, "--players"), least=2)


def _usual(table: "Table") -> tuple[str, ...]:
    """All players but those who search, from weak to strong by a short ladder."""
    from analysis.own_games.ladder import ranked

    names = table.game.player_names
    if len(names) == 1:
        return (*names, _THINKER)
    with progress("Who plays it best?") as advance:
        return tuple(reversed(ranked(table, table.game.player_names, advance)))


skill = shared.command_of(ask)
