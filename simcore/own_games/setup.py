"""What games that people bring are played with, and by whom, as any question asks for it."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, frozen

from card_data.faults import unknown_word
from card_data.schema import Entry, EntryTable, entries_text, read_entries
from simcore.arrays import Integers, Records
from simcore.contract.faults import GameError, LuckWatch
from simcore.contract.finding import find_opened, load_game, load_text
from simcore.contract.game import GREEDY, LEARNED, RANDOM, Game, simulations_of
from simcore.contract.loops import LoopWatch
from simcore.contract.network import file_of, is_learned, network_of
from simcore.contract.play import Play, Replay, Table
from simcore.setup import Setup, consecutive

if TYPE_CHECKING:
    from simcore.contract.compiled.form import Form, Games

#: The file with the entries that are played.
ENTRIES = "entries.toml"
#: What the names of columns begin with that a game observes.
OBSERVED = "observed_"
#: Random games of a run from which on its rules are compiled, and how many are then played at once.
COMPILED_FROM, _AT_ONCE = 10_000, 4_096
# As many random players as take the same time as another, and as each simulation of a search: 3 to
# 14 in the examples, of which fewer are counted, since a search takes longer to compile.
_COSTS = {RANDOM: 1, GREEDY: 10, LEARNED: 60}
_COST_OF_SIMULATION = 5


@cache
def record_of(seats: int, n_counts: int, observed: tuple[str, ...] = ()) -> np.dtype:
    """The record of one game.

    ``first`` is the seat of the first decision, -1 where several chose at once, ``deal`` a digest
    of where all cards lay before it.  ``outcome`` is in units of the manifest, ``points`` are the
    scores of the rules.  ``entries`` has for each seat, event and entry how often it came up; it is
    left out without entries.  Each number that is observed has a column of its own.
    """
    fields: list[Any] = [
        ("game", np.int64),
        ("decisions", np.int16),
        ("first", np.int8),
        ("deal", np.uint64),
        ("outcome", np.int32, (seats,)),
        ("points", np.float64, (seats,)),
    ]
    fields += [("entries", np.uint16, (seats * n_counts,))] * bool(n_counts)
    return np.dtype(fields + [(OBSERVED + name, np.int32) for name in observed])


def record_at(table: Table) -> np.dtype:
    """The record of the games of a table."""
    game = table.game
    return record_of(table.seats, len(table.cards) * len(game.events), tuple(game.observe))


class OwnGames:
    """Plays games of a table: the `RowPlayer` of its task.

    Where ``n_games`` are so many that it pays, and the players and rules allow it, they are
    compiled; the records are the same.
    """

    def __init__(self, table: Table, seed: int, players: Sequence[str], n_games: int = 0) -> None:
        self.table, self._seed, self._players = table, seed, players
        costs = [*map(_cost_of, players)]
        cost = sum(costs) / len(costs)
        self._pays = all(costs) and n_games * cost >= COMPILED_FROM and table.replay is None
        self._at_once = max(int(_AT_ONCE // max(cost, 1)), 1)
        self._form: Form | None = None
        self._compiling = Lock()
        events = table.game.events
        self._places = {
            (seat, event): (seat * len(events) + place) * len(table.cards)
            for seat in range(table.seats)
            for place, event in enumerate(events)
        }

    @property
    def is_interpreted(self) -> bool:
        """Whether Python plays it, one thread at a time."""
        return not self._pays

    def play(self, first: int, out: np.ndarray) -> None:
        """Fill ``out`` with games ``first`` and following; where it is empty, try the rules."""
        if not len(out):
            with LoopWatch(), LuckWatch():
                self._play(0)
        form = self._compiled() if self._pays else None
        with LoopWatch():
            done = self._play_compiled(form, first, out) if form else 0
            for place, record in enumerate(out[done:], done):
                self.write(self._play(first + place), record)

    def _compiled(self) -> "Form | None":
        """The compiled form, made when it is first asked for; None if there is none."""
        from simcore.contract.compiled.form import form_of

        with self._compiling:
            if self._form is None and self._pays:
                self._form = form_of(self.table, self._players, self._seed)
                self._pays = self._form is not None
        return self._form

    def _play_compiled(self, form: "Form", first: int, out: np.ndarray) -> int:
        """Play games in the compiled form; how many, which are all unless it has come to an end."""
        from simcore.contract.compiled.form import Stopped, tell_difference

        done, n = 0, min(len(out), self._at_once)
        while done < len(out):
            n = min(n, len(out) - done)
            try:
                games = form.play(self._seed, first + done, n)
            except Stopped as stopped:
                n = stopped.number - first - done
                if n == 0:  # the rules say why, or else the two forms differ
                    self.write(self._play(stopped.number), out[done])
                    tell_difference(self.table, stopped)
                    self._pays, self._form = False, None
                    return done + 1
            else:
                self._write_all(games, first + done, out[done : done + n])
                done, n = done + n, self._at_once
        return done

    def _write_all(self, games: "Games", first: int, out: np.ndarray) -> None:
        """The records of games that the compiled form has played."""
        seats = self.table.seats
        out["game"] = range(first, first + len(out))
        out["decisions"], out["first"] = games.numbers.T
        out["deal"], out["outcome"] = games.deals, games.outcomes[:, :seats]
        out["points"] = games.points[:, :seats]
        if self.table.cards:
            out["entries"] = games.entries.reshape(len(out), -1)
        for place, name in enumerate(self.table.game.observe):
            out[OBSERVED + name] = games.observed[:, place]

    def _play(self, number: int) -> Play:
        play = Play(self.table, self._seed, number)
        play.play(self._players)
        return play

    def write(self, play: Play, record: np.void) -> None:
        """The record of a game that is over."""
        record["game"] = play.number
        for name in ("decisions", "first", "deal", "points"):
            record[name] = getattr(play, name)
        record["outcome"] = play.outcomes
        if self.table.cards:
            entries, places = record["entries"], play.table.places
            entries[:] = 0
            for event, seat, entry, n in play.counts():
                if (seat, event) not in self._places:
                    raise GameError(
                        f"self.note: {event!r} does not stand in the rules; write the word itself,"
                        " in quotes, as the first thing that note is given"
                    )
                entries[self._places[seat, event] + places[entry]] = min(n, 65_535)
        for name, number in play.observed.items():
            record[OBSERVED + name] = number


def _cost_of(player: str) -> int:
    """How long a player takes, in random players; 0 for one that has no compiled form."""
    return _COSTS.get(player.partition("=")[0], 0) or _COST_OF_SIMULATION * simulations_of(player)


def has_compiled_form(table: Table, players: Sequence[str]) -> bool:
    """Whether many games of these players are played by compiled rules."""
    from simcore.contract.compiled.form import NotCompiled, program_of

    with suppress(NotCompiled):
        return all(map(_cost_of, players)) and bool(program_of(table, players))
    return False


def check_player(game: Game, player: str) -> str:
    """The player, if the game has one of that name.  Raises ValueError."""
    if is_learned(player):
        network_of([player])  # can be read
    elif not simulations_of(player) and player not in game.player_names:
        raise ValueError(unknown_word("player", player, [*game.player_names, LEARNED]))
    return player


def fingerprints(players: Iterable[str]) -> dict[str, str]:
    """A digest of what each player goes by who has learned: 16 hex digits.  Raises GameError."""
    known = {player: network_of([player]) for player in players}
    return {player: one.digest[:16] for player, one in known.items() if one is not None}


def asked_of(table: Table) -> dict[str, Any]:
    """What is played, as values of JSON that `table_of` reads."""
    game = table.game
    rules = {"name": game.name, "source": game.source, "digest": game.digest}
    asked = {"rules": rules, "seats": table.seats, "settings": dict(table.settings)}
    if table.without is not None:
        seat, entry = table.without
        asked["without"] = {"seat": seat, "kind": entry.kind, "entry": entry.id}
    if table.swapped is not None:
        asked["swapped"] = {"kind": table.swapped.kind, "entry": table.swapped.id}
    if table.replay is not None:
        asked["replay"] = [*table.replay]
    return asked


def hash_of(text: bytes) -> str:
    """The digest of a file of entries."""
    return hashlib.sha256(text).hexdigest()


def entries_of(table: Table) -> bytes:
    """The file with its entries, empty where it has none."""
    return entries_text(table.game.schema, table.entries).encode() if table.game.kinds else b""


def table_named(named: str, seats: int | None = None, settings: Sequence[str] = ()) -> Table:
    """What is played of a game as commands name it, ``my_game.py+changed.toml``.

    ``seats`` is None for the usual number, and ``settings`` are like "rounds=4".  Raises
    ValueError, GameError and CardFileError.
    """
    game, own, alone = load_game(named)
    number = game.seats[0] if seats is None else seats
    if number not in game.seats:
        there = ", ".join(map(str, game.seats))
        raise ValueError(f"{game.title} is played by {there}, not by {number}")
    values = game.set(settings)
    return Table(game, game.load(own, alone), values, number)


def table_of(manifest: Mapping[str, Any], text: bytes, *, as_played: bool = True) -> Table:
    """What was played, from a manifest and the text of its entries.

    Raises GameError where its rules have not been named in this process, and, if they must be
    ``as_played``, where they are others now.
    """
    rules = manifest["rules"]
    game = find_opened(rules["source"], rules["digest"], as_played=as_played)
    return _table(game, manifest, text)


def _table(game: Game, asked: Mapping[str, Any], text: bytes) -> Table:
    entries = read_entries(text.decode(), ENTRIES, game.schema) if text else EntryTable({})
    table = Table(game, entries, asked["settings"], asked["seats"])

    def entry(said: Mapping[str, Any]) -> Entry:
        key = said["kind"], said["entry"]
        return next(one for one in table.cards if (one.kind, one.id) == key)

    if without := asked.get("without"):
        table = evolve(table, without=(without["seat"], entry(without)))
    if swapped := asked.get("swapped"):
        table = evolve(table, swapped=entry(swapped))
    if replay := asked.get("replay"):
        table = evolve(table, replay=Replay(*replay))
    return table


@frozen
class _Player:
    """A player by name; one that searches is slow."""

    is_slow: bool


@frozen
class _Players:
    """The players of a game: `simcore.setup.Players`."""

    game: Game

    def parse_player(self, text: str, /) -> _Player:
        """The player.  Raises ValueError."""
        return _Player(bool(simulations_of(check_player(self.game, text))))

    def seat(self, table: Any, players: Sequence[str], /) -> Any:
        """The players, whose names are all that there is of them."""
        del table
        return tuple(players)

    def fingerprints(self, players: Iterable[str], /) -> dict[str, str]:
        """A digest of what each player goes by who has learned."""
        return fingerprints(players)

    def file_of(self, text: str, /) -> Path | None:
        """The file that a player goes by, None for one without."""
        return file_of(text)

    def with_file(self, text: str, name: str, /) -> str:
        """The same player, who goes by another file."""
        return f"{text.partition('=')[0]}={name}"


class OwnSetup(Setup):
    """A game with its entries, settings and seats, of which some ``n_games`` are to be played.

    Their number says whether it pays to compile the rules (`OwnGames`).
    """

    def __init__(self, table: Table, n_games: int = 0) -> None:
        self._table, self.n_games = table, n_games
        self._games: dict[tuple[int, tuple[str, ...]], OwnGames] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        rules = self._table.game.text.encode()
        return _brought, (asked_of(self._table), entries_of(self._table), rules, self.n_games)

    @property
    def rules_version(self) -> int:
        """The version that the author gave the rules."""
        return self._table.game.version

    @property
    def record(self) -> np.dtype:
        """The dtype of a game."""
        return record_at(self._table)

    @property
    def seats(self) -> int:
        """How many play."""
        return self._table.seats

    @property
    def players(self) -> _Players:
        """The players of the game."""
        return _Players(self._table.game)

    @property
    def digests(self) -> dict[str, Any]:
        """What is played, and a digest of its entries."""
        return {**asked_of(self._table), "entries_hash": hash_of(entries_of(self._table))}

    @property
    def table(self) -> Table:
        """The game with its entries."""
        return self._table

    def play(self, seated: Any, seed: int, games: Integers, out: Records) -> None:
        """Fill ``out`` with the games of these numbers.  Raises GameError."""
        played = self.games(seated, seed)
        for first, rows in consecutive(games):
            played.play(first, out[rows])

    def is_interpreted(self, seated: Any, seed: int) -> bool:
        """Whether Python plays them, one thread at a time."""
        return self.games(seated, seed).is_interpreted

    def games(self, seated: Any, seed: int) -> OwnGames:
        """Who plays them: what it has compiled stays."""
        made = OwnGames(self._table, seed, seated, self.n_games)
        return self._games.setdefault((seed, seated), made)


def _brought(asked: Mapping[str, Any], entries: bytes, rules: bytes, n_games: int) -> OwnSetup:
    """The setup in another process.  Raises GameError."""
    source, digest = asked["rules"]["source"], asked["rules"]["digest"]
    try:
        game = find_opened(source, digest)
    except GameError:
        game = load_text(source, rules)  # as its person named it
    return OwnSetup(_table(game, asked, entries), n_games)
