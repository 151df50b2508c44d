"""The command `fairdeal rebalance` of games that people bring, and what it says."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import evolve, frozen
from cyclopts import Parameter

from reports.cli.console import InputError, as_input_error
from reports.cli.options import check_band, decimal, whole
from reports.own_games.options import (
    NAMED,
    PlayableGame,
    Policy,
    Seats,
    Settings,
    load_table,
    one_player,
    usual_player,
)
from reports.rebalance import command as shared
from reports.rebalance.command import ALLOWED, Confirm, Games, RebalanceOptions, words_of
from simcore.commands import command, option_words

if TYPE_CHECKING:
    from analysis.questions.rebalance import Answer as Found
    from card_data.schema import Entry
    from card_data.schema.changes import Change
    from reports.own_games.rebalance_text import GameRebalancing
    from simcore.contract.play import Table
    from simcore.work.cost import Plan

# Games with each candidate, and of the fresh games that confirm.
_CANDIDATE_GAMES, _CONFIRM_GAMES = 4_000, 40_000
_WORDS = (
    "kinds of entries in the plural, ids or names of entries, numbers such as 'worth', 'settings'"
    " or 'all', separated by commas"
)


@Parameter(name="*", help="What is to be reached, and how.")
@frozen(kw_only=True)
class EntryGoals(RebalanceOptions):
    """The band, and what may be changed of a game."""

    band: Annotated[
        float,
        Parameter(
            converter=decimal,
            help="Each entry is worth at most this many percentage points of the outcome, either"
            " way.",
        ),
    ] = 2.0
    changes: Annotated[
        str | None,
        Parameter(
            group=ALLOWED,
            help=f"What may be changed: {_WORDS}. Default: the numbers of all entries but their"
            " copies.",
        ),
    ] = None
    step: Annotated[
        int,
        Parameter(
            group=ALLOWED,
            converter=whole(1, 10),
            help="By how many steps a number may be changed, up or down.",
        ),
    ] = 2
    only: Annotated[
        str | None,
        Parameter(
            group=ALLOWED,
            help="Change and judge only these entries: ids, names or kinds, separated by commas.",
        ),
    ] = None
    keep: Annotated[
        str | None,
        Parameter(group=ALLOWED, help=f"What stays as it is: {_WORDS}."),
    ] = None
    games: Games = _CANDIDATE_GAMES
    confirm: Confirm = _CONFIRM_GAMES


_USUAL = EntryGoals()


@frozen
class GameAsked(shared.Asked):
    """How a game is balanced; ``words`` say how it is played, ``said`` asks the same again."""

    game: str
    words: Sequence[str]
    said: str

    def command(self, folder: Path) -> str:  # noqa: ARG002 - files are named as they were
        """The command that asks the same again."""
        return self.said

    def plan(self, games: int, seed: int, bound: str) -> "Plan":
        """Games of the game."""
        from simcore.own_games.run import new_run
        from simcore.work.cost import Plan

        how = {"n_games": games, "seed": seed, "players": self.balanced.seated}
        return Plan(new_run(self.balanced.table, **how), 8, bound)

    def told(self, found: "Found") -> "GameRebalancing":
        """What was found of the game."""
        from reports.own_games.rebalance_text import GameRebalancing

        return GameRebalancing(found.tables, found.manifest, self.game, self.words)


def ask(
    game: Annotated[str, Parameter(name="GAME", help=NAMED)],
    /,
    *,
    policy: Policy = None,
    seats: Seats = None,
    settings: Settings = None,
    options: EntryGoals = _USUAL,
) -> GameAsked:
    """Find small changes that balance the entries of a game, and confirm them with fresh games.

    What an entry is worth is measured as for 'verdict'. Single steps on numbers are tried with the
    same deals and luck, the best are combined, and fresh games confirm the answer. The proposal is
    a file of entries that can be played at once.
    """
    from analysis.own_games.rebalance import Question
    from simcore.own_games.setup import OwnSetup, fingerprints

    check_band(options.band)
    table = load_table([game], seats, settings or ())
    player = one_player(table, "--policy", usual_player(table) if policy is None else policy)
    judged, allowed = _wanted(table, player, options)
    question = Question(table, judged, allowed, player, options.band / 100)
    question = evolve(question, **options.sizes(len(question.effects.tables_of(table))))
    words, playable = options.words(policy=player), PlayableGame(game, table)
    asked = {
        **OwnSetup(table).digests,
        "weights": fingerprints([player]),
        "words": words,
    }
    folder = playable.question("rebalance", (player,), options.games, options.seed, asked)
    said = command("rebalance", game, *option_words(seats=seats, set=settings), *words)
    return GameAsked(question, folder, game, option_words(seats=seats, set=settings), said)


def _wanted(
    table: "Table", player: str, options: EntryGoals
) -> "tuple[tuple[Entry, ...], tuple[Change, ...]]":
    """The entries that are judged, and the changes that are allowed.  Raises InputError."""
    from analysis.own_games.rebalance import allowed_changes, judged_in, meant

    only, keep = (words_of(text) for text in (options.only, options.keep))
    known = table.variables()
    usual = [*dict.fromkeys(one.of for one in known if one.entry)]
    with as_input_error("--only"):
        alone = meant(known, only) if only else None
    with as_input_error("--keep"):
        kept = meant(known, keep)
    with as_input_error("--changes"):
        wanted = meant(known, words_of(options.changes) or usual)
    judged = judged_in(table, alone)
    if not judged:
        raise InputError(
            f"{'--only' if only else 'GAME'}: {table.game.title} has no entries"
            f"{' of these' * bool(only)} whose worth can be judged (docs/own_games.md)"
        )
    of_all = [one for one in wanted if one not in kept]
    if alone is not None:
        of_all = [one for one in of_all if one in alone or not one.entry]
    return judged, allowed_changes(table, player, of_all, options.step)


rebalance = shared.command_of(ask)
