"""The command `fairdeal sensitivity` of games that people bring."""

from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from attrs import frozen
from cyclopts import Parameter

from analysis.confidence import confidence_said
from reports.cli.console import InputError, as_input_error
from reports.cli.options import Seed, whole
from reports.own_games.options import (
    NAMED,
    OwnOptions,
    PlayableGame,
    Policy,
    Seats,
    Settings,
)
from reports.sensitivity import command as shared
from simcore.commands import command, option_words

if TYPE_CHECKING:
    import pandas as pd

    from analysis.own_games.sensitivity import Trial
    from analysis.questions.sensitivity import Tried
    from analysis.runs import Run
    from reports.sensitivity.text import Shown

#: Games as they are and with each change, unless something else is asked for.
GAMES = 1_000
#: What stands for everything that can be changed.
ALL = "all"
# What the page says of the method.
_STEPS = (
    " An entry is measured by the seats that were dealt it, or that chose it where nobody is dealt"
    " it; a setting by the first seat."
)
_WORTH = (
    " Access: each seat in turn may not choose the entry, unless it has no other option, and is set"
    " beside the same seat in the same games as they are. Swap: in each game the entry has the"
    " values of another one, and seats that have it are set beside those that have it as it is; its"
    " name and copies stay, and games in which all sides were dealt it are left out."
)


@frozen
class Asked(shared.AskedSteps):
    """Which changes of a game are tried, and how."""

    def try_changes(self, run: "Run", **how: Any) -> "Generator[Tried]":
        """Play the changes beside the run."""
        from analysis.own_games.sensitivity import try_changes

        yield from try_changes(run, self.changes, **how)

    @property
    def n_runs(self) -> int:
        """How many runs there are with a change."""
        return sum(len(trial.tables) for trial in self.changes)

    def identity(self, run: "Run") -> "Mapping[str, str]":
        """What the table carries."""
        return run.identity

    def shown(self, tables: "Mapping[str, pd.DataFrame]", run: "Run") -> "Shown":
        """What was found of the game."""
        from card_data.schema.kinds import MEASURES
        from reports.kit.words import intervals
        from reports.own_games.page import describe
        from reports.sensitivity.text import Nouns, Shown

        more = " games as it is and with each change"
        played = describe(run.manifest).replace(" games", more, 1)
        rules = run.manifest["rules"]
        return Shown(
            tables=tables,
            subject=run.game.title,
            moved="the outcome",
            played=played,
            caption=f"{played}{intervals()}",
            facts=[*run.facts()[:-1], ("Rules", rules["source"])],
            nouns=Nouns(
                result="outcome",
                measures={"mean_decisions": ("the decisions in a game", "decisions", "Decisions")},
                same="deal and luck",
                where="in this game",
                more=_WORTH if tables["sensitivity"]["kind"].isin(MEASURES).any() else _STEPS,
            ),
        )


def ask(
    game: Annotated[str, Parameter(name="GAME", help=NAMED)],
    of: Annotated[
        str,
        Parameter(
            name="ENTRY",
            help="What to change: the id or name of an entry, a kind of entries in the plural, a"
            " number such as 'worth', 'settings', or 'all'.",
        ),
    ] = ALL,
    /,
    *,
    policy: Policy = None,
    seats: Seats = None,
    settings: Settings = None,
    worth: Annotated[
        bool,
        Parameter(
            negative=(),
            help="Instead of steps: what each entry is worth, from games in which a seat may not"
            " choose it, or in which it has the values of another (docs/own_games.md).",
        ),
    ] = False,
    games: Annotated[
        int,
        Parameter(
            converter=whole(1, 2_000_000),
            help="How many games to play of the game as it is, and with each change.",
        ),
    ] = GAMES,
    seed: Seed = 0,
) -> Asked:
    """Find what one step on each number of a game changes, in games with the same deals and luck.

    Every number of the entries, and of the settings, is made one less and one more, and everything
    else that can be set is set otherwise, one at a time; a change with which the game cannot be
    played is left out. The deals and the luck stay the same, so the difference is what the change
    does. With --worth entries are taken away or swapped instead.
    """
    options = OwnOptions(policy=policy, seats=seats, settings=settings)
    playable = options.read([game])
    changes = _worths(playable, of) if worth else _steps(playable, of)
    players, spec = playable.players(), playable.spec(games, seed)
    asked = {name: spec.settings[name] for name in ("rules", "seats", "settings", "entries_hash")}
    asked |= {"players": [*players], "games": games, "seed": seed}
    question = playable.question("sensitivity", dict.fromkeys(players), games, seed, asked)
    words = option_words(
        policy=policy, worth=worth, confidence=confidence_said(), games=games, seed=seed
    )
    said = command("sensitivity", game, of, *options.words(), *words)
    return Asked(playable, changes, games, seed, question, said)


def _worths(playable: PlayableGame, of: str) -> "list[Trial]":
    """What tells the worth of the entries that are meant.  Raises InputError."""
    from analysis.own_games.sensitivity import worth_trials

    table = playable.played()
    with as_input_error("ENTRY"):
        trials = worth_trials(table, of)
    if not trials:
        what = f"entries of {table.game.title} are" if of == ALL else f"'{of}' is"
        raise InputError(
            f"--worth: fairdeal balance tells what {what} worth; for a closer look write"
            ' measure="swap" in a Kind'
        )
    return trials


def _steps(playable: PlayableGame, of: str) -> "list[Trial]":
    """The steps on the numbers that are meant.  Raises InputError."""
    from analysis.own_games.sensitivity import choose, sound_steps

    table = playable.played()
    with as_input_error("ENTRY"):
        wanted = choose(table.variables(), of)
    steps = sound_steps(table, wanted, playable.players())
    if not steps:
        raise InputError(f"ENTRY: nothing of '{of}' can be one less, one more or set otherwise")
    return steps


sensitivity = shared.command_of(ask)
