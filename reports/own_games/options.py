"""The options of commands for games that people bring: game, seats, settings, players."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import field, frozen
from cyclopts import Group, Parameter

from analysis.confidence import unusual_confidence
from card_data.names import parts_of
from card_data.schema.fields import plain_words
from card_data.schema.kinds import Entry
from reports.cli.compute import Crew
from reports.cli.console import InputError, as_input_error, progress, say
from reports.cli.options import whole
from reports.kit.words import listed
from simcore.own_games import TITLE

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from analysis.stopping import Goal, PlayUntil
    from reports.play.log import GameLog
    from simcore.contract.play import Table
    from simcore.work.about import Question
    from simcore.work.cost import Plan
    from simcore.work.progress import Progress
    from simcore.work.runs import Look, RunSpec

#: What is named, in every command that plays.
NAMED = (
    "The name of an installed game, or the file of its rules, 'my_game.py' (it is run), followed by"
    " '+' and files that change or add entries; or a file of entries that names its installed game"
    " at the top."
)
GROUP = Group(TITLE, sort_key=4)
# Who plays against a person where the game has only random players.
_OPPONENT = "search:100"

Policy = Annotated[
    str | None,
    Parameter(
        help="Who plays: 'random'; a player of the game; 'greedy' where the rules have"
        " standing(seat); 'learned', which first learns the game by playing it; 'search:100',"
        " which looks ahead in 100 imagined games for each decision."
        " One for all seats, or one for each, separated by colons. Default: the strongest of a"
        " short"
        " ladder of players who do not search; only a verdict puts 'learned' on it."
    ),
]
Seats = Annotated[
    int | None,
    Parameter(converter=whole(1, 10), help="The number of players. Default: the usual number."),
]
Settings = Annotated[
    list[str] | None,
    Parameter(
        name="--set",
        negative=(),
        help="A setting of the game, as in 'rounds=4'; 'fairdeal balance my_game.py --help' lists"
        " the settings, seats and players of a game. May be given several times.",
    ),
]


def load_table(named: Sequence[str], seats: int | None, settings: Sequence[str]) -> "Table":
    """What is played.  Raises InputError, GameError and CardFileError."""
    from simcore.own_games.setup import table_named

    if len(named) != 1:
        raise InputError("name one game: a game of your own is played by itself")
    with as_input_error():
        return table_named(named[0], seats, settings)


def about(named: str) -> Iterator[str]:
    """The seats, players and settings of a game that is named, for its help, line by line.

    Raises GameError.
    """
    from simcore.contract.finding import load_game

    game, *_ = load_game(named)
    yield f"{game.title} has:"
    seats = listed(map(str, game.seats), last="or")
    yield f"  seats (--seats): {seats}; {game.seats[0]} by default"
    yield f"  players: {listed([*game.player_names, 'learned', 'search:N'])}"
    for one in game.settings:
        meaning = f" ({one.meaning.rstrip('.')})" if one.meaning else ""
        yield f"  setting (--set): {one.name}={one.default}, {one.field.wanted}{meaning}"


@frozen
class PlayableGame:
    """A game with its entries, settings and players, or the folder of a run that was played."""

    said: str
    table: "Table | None" = field(default=None, repr=False)
    policy: str | None = None
    run: Path | None = None

    @property
    def name(self) -> str:
        """What is played, in the name of a folder: "harvest+changed"."""
        return "+".join(Path(part).stem for part in parts_of(self.said))

    @property
    def title(self) -> str:
        """What is played, in words."""
        table = self.played()
        settings = [f"{name} {value}" for name, value in table.settings.items()]
        own = [Path(part).stem for part in parts_of(self.said)[1:]]
        return ", ".join([" and ".join([table.game.title, *own]), *settings])

    def question(
        self,
        command: str,
        players: Iterable[str],
        games: int | None,
        seed: int,
        asked: Mapping[str, Any],
    ) -> "Question":
        """The question of a command about it; ``asked`` is all that the answer depends on."""
        from simcore.own_games.run import NAME
        from simcore.work.about import Question

        return Question(
            game=NAME,
            question=command,
            named=(command, self.name),
            what=self.title,
            players=tuple(players),
            games=games,
            seed=seed,
            asked={**asked, **unusual_confidence()},
        )

    @property
    def precision(self) -> str:
        """What is asked for where nothing is said."""
        return "3"

    def played(self) -> "Table":
        """The table."""
        assert self.table is not None
        return self.table

    def spec(
        self,
        n_games: int,
        seed: int,
        players: tuple[str, ...] = (),
        beside: Path | None = None,  # noqa: ARG002 - nothing of another run is of use
    ) -> "RunSpec":
        """The run of so many games."""
        from simcore.own_games.run import new_run

        players = players or self.players()
        return new_run(self.played(), n_games=n_games, seed=seed, players=players)

    def players(self) -> tuple[str, ...]:
        """Who plays, one for each seat; the usual player is found only now.  Raises InputError."""
        table = self.played()
        return split(table, usual_player(table) if self.policy is None else self.policy)

    def plan(self, n_games: int, seed: int, *, bound: str = "") -> "Plan":
        """Games of an experiment, for ``--dry-run``."""
        from simcore.work.cost import Plan

        return Plan(self.spec(n_games, seed), bound=bound)

    def rule(
        self, goal: "Goal", *, anytime: bool, on_look: "Callable[[Look], None]"
    ) -> "PlayUntil":
        """The rule that ends the run at a goal."""
        from analysis.own_games.contract import UntilKnown
        from analysis.own_games.counts import rows_of
        from simcore.contract.game import RANDOM

        manifest = self.spec(1, 0, (RANDOM,) * self.played().seats).settings
        goal = goal.called({row.id: row.name for row in rows_of(manifest)})
        return UntilKnown(goal, manifest, anytime=anytime, on_look=on_look)


class MeasuredGame:
    """Plays a game as bench wants it, each player against itself."""

    def __init__(self, playable: PlayableGame) -> None:
        self._table = playable.played()
        self.pools = [playable.name]
        self.policies = [*self._table.game.player_names]

    def play(self, _pool: str, policy: str, n_games: int, first_game: int = 0) -> "np.ndarray":
        """Play games in one thread."""
        import numpy as np

        from simcore.own_games.setup import OwnSetup
        from simcore.setup import Games

        setup = OwnSetup(self._table)
        games = np.zeros(n_games, setup.record)
        Games(setup, 0, [policy] * setup.seats).play(first_game, games)
        return games

    def new_run(self, _pool: str, policy: str, n_games: int) -> "RunSpec":
        """A run of the same games."""
        from simcore.own_games.run import new_run

        players = (policy,) * self._table.seats
        return new_run(self._table, n_games=n_games, seed=0, players=players)


class _NothingMore:
    """What ``balance`` does besides playing, of games that people bring."""

    def more_plans(self, *_asked: Any, **_more: Any) -> "list[Plan]":
        """Nothing more is played."""
        return []

    def do_more(
        self, _folder: Path, _tables: "dict[str, pd.DataFrame]", _crew: Crew
    ) -> "dict[str, pd.DataFrame]":
        """Nothing more is done."""
        return {}


@frozen
class NamedGame(_NothingMore):
    """What is to be played, and by whom: the options once it is known which game is meant."""

    named: tuple[str, ...]
    policy: str | None
    table: "Table" = field(repr=False)

    def players(self) -> tuple[str, ...]:
        """Who plays, one for each seat."""
        return self.read(()).players()

    def read(self, _named: Sequence[str]) -> PlayableGame:
        """The game."""
        return PlayableGame(self.named[0], self.table, self.policy)


def split(table: "Table", policy: str, option: str = "--policy") -> tuple[str, ...]:
    """Who plays, one for each seat, having learned what is to be learned.  Raises InputError."""
    from simcore.own_games.run import split_players

    with as_input_error(option):
        players = split_players(table.game, table.seats, policy)
    return tuple(ready(table, player) for player in players)


def ready(table: "Table", player: str) -> str:
    """A player who knows the game, having learned it if need be.  Raises GameError and RunError."""
    from simcore.own_games.taught import taught
    from simcore.work.cost import foreseen

    lessons = foreseen()
    aside = None if lessons is None else lessons.folder
    return taught(table, player, partial(_learning, table), aside)


@contextmanager
def _learning(table: "Table", file: Path) -> "Iterator[Progress]":
    """Say what is learned, and how far it is."""
    from simcore.contract.game import LEARNED
    from simcore.work.cost import foreseen

    where = str(file) if foreseen() is None else "in a dry run, too, which keeps nothing of it"
    say(f"{LEARNED} plays {table.game.title} against itself first, for some seconds ({where})")
    with progress("learning the game") as advance:
        yield advance


def one_player(table: "Table", option: str, text: str) -> str:
    """The player of all seats.  Raises InputError."""
    players = {*split(table, text, option)}
    if len(players) > 1:
        raise InputError(f"{option} is {text}; name one player, who plays in all seats")
    return players.pop()


def usual_player(table: "Table") -> str:
    """The player of a game where none is named: the strongest of a short ladder."""
    return usual_players(table, 1)[0]


def usual_players(table: "Table", most: int) -> list[str]:
    """The strongest players of a short ladder, up to ``most``; random only where it is best.

    ``learned`` is on it where several are asked for, since what these play takes longer than to
    learn the game.  It is played once in a process for what is played.
    """
    import json

    from simcore.contract.game import LEARNED, RANDOM
    from simcore.own_games.setup import OwnSetup

    names = (*table.game.player_names, *([LEARNED] if most > 1 else []))
    if len(names) == 1:
        return [*names]
    key = json.dumps([OwnSetup(table).digests, names], sort_keys=True, default=str)
    is_new = key not in _ranked
    if is_new:
        _ranked[key] = _rank(table, [ready(table, name) for name in names])
    best, *others = _ranked[key]
    found = [best, *(one for one in others[: most - 1] if one != RANDOM)]
    told = [name.partition("=")[0] for name in found]
    who = f"{', then '.join(told)} {'plays' if len(found) == 1 else 'play'}"
    if is_new:
        say(f"{who}: the strongest of {listed(names)} in some games of each pair.")
    return found


# Players by strength, by what is played.
_ranked: dict[str, Sequence[str]] = {}


def _rank(table: "Table", names: Sequence[str]) -> Sequence[str]:
    from analysis.own_games.ladder import ranked

    with progress("Who plays it best?") as advance:
        return ranked(table, names, advance)


def as_they_played(run: Path | None) -> tuple[str, ...]:
    """Who played a run."""
    from simcore.work.parts import read_manifest

    assert run is not None
    return tuple(read_manifest(run)["policies"])


@Parameter(name="*", group=GROUP, help="How a game of your own is played.")
@frozen(kw_only=True)
class OwnOptions(_NothingMore):
    """Players, seats and settings."""

    policy: Policy = None
    seats: Seats = None
    settings: Settings = None

    def check(self) -> None:
        """Nothing can be wrong before the game is known."""

    def players(
        self,
        policy: str | None = None,
        sides: Sequence[PlayableGame] = (),
        _threads: int | None = None,
        _learn: bool = False,
        /,
    ) -> tuple[str, ...]:
        """Who plays both sides of a comparison."""
        for side in sides:
            if side.table is not None:
                return PlayableGame(
                    "", side.table, self.policy if policy is None else policy
                ).players()
        return as_they_played(sides[0].run)

    def ready(
        self, named: Sequence[str], _before: Path | None, _threads: int | None, _learn: bool, /
    ) -> Any:
        """The game that is named, with its players."""
        table = load_table(named, self.seats, self.settings or ())
        return NamedGame(tuple(named), self.policy, table)

    def read(self, named: Sequence[str]) -> PlayableGame:
        """The game that is named."""
        return PlayableGame(named[0] if named else "", load_table(named, *self._how), self.policy)

    def sides(self, base: str, variant: str | None) -> tuple[PlayableGame, PlayableGame]:
        """Both sides of a comparison."""
        if variant is None:
            raise InputError(f"what is different? Name a VARIANT, such as '{base}+changed.toml'")
        return self._side(base), self._side(variant)

    def _side(self, named: str) -> PlayableGame:
        if Path(named).is_dir():
            return PlayableGame(named, run=Path(named))
        return self.read([named])

    @property
    def _how(self) -> tuple[int | None, Sequence[str]]:
        return self.seats, self.settings or ()

    def words(self) -> list[str]:
        """The options but the players, as words of a command line."""
        from simcore.commands import option_words

        return option_words(seats=self.seats, set=self.settings or None)

    stronger = None

    def rung(self, _players: Sequence[str], _games: int) -> tuple[str, int]:
        """Nobody is stronger."""
        return "", 0

    def measured(self, named: Sequence[str]) -> MeasuredGame | None:
        """What bench measures; None where nothing is named, since nothing comes with fairdeal."""
        return MeasuredGame(self.read(named)) if named else None


@Parameter(name="*", group=GROUP, help="How a game of your own is played.")
@frozen(kw_only=True)
class OwnMatchOptions:
    """Seats, settings, and which seat is the person's."""

    seats: Seats = None
    settings: Settings = None
    my_seat: Annotated[
        int, Parameter(converter=whole(1, 10), help="The seat that you play, from 1.")
    ] = 1

    def log(
        self, named: Sequence[str], *, player: str | None, seed: int, start_with: str | None
    ) -> "tuple[str, GameLog]":
        """The game of which nothing has been played yet."""
        from reports.play.log import GameLog
        from simcore.contract.game import RANDOM
        from simcore.own_games.run import NAME, new_run
        from simcore.own_games.setup import ENTRIES, entries_of

        if start_with is not None:
            raise InputError("--start-with is not for games of your own; leave it out")
        table = load_table(named, self.seats, self.settings or ())
        if self.my_seat > table.seats:
            raise InputError(f"--my-seat is {self.my_seat}; there are {table.seats} seats")
        who = usual_player(table) if player is None else player
        who = _OPPONENT if player is None and who == RANDOM else who
        players = split(table, who, "--player")
        spec = new_run(table, n_games=1, seed=seed, players=players)
        playable = PlayableGame(named[0], table)
        log = GameLog(
            game=NAME,
            title=playable.title,
            asked=spec.manifest(),
            files={ENTRIES: entries_of(table).decode()},
            seed=seed,
            number=0,
            start_with=None,
            players=players,
            weights={},
            person=(self.my_seat - 1,),
        )
        return playable.name, log


def no_peer(entry: Entry) -> str:
    """That there is nothing to set an entry beside."""
    return (
        f"{entry.name} has nothing to be set beside: there is no other {plain_words(entry.kind)},"
        " none that agrees with it in the fields alike=, or all its fields are fixed="
    )
