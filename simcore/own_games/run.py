"""Runs of games that people bring: their records, and how any process plays them."""

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from attrs import evolve

from card_data.faults import unknown_word
from card_data.schema import Entry, EntryTable, Kind, entries_text, read_entries
from card_data.schema.kinds import ACCESS, CONTRAST, SHARE, SWAP, WITHIN
from simcore import games
from simcore.contract.faults import GameError, LuckWatch
from simcore.contract.finding import find_opened, load_text
from simcore.contract.game import (
    CHOSEN,
    DEALT,
    GREEDY,
    INCLUDED,
    RANDOM,
    SEARCH,
    Game,
    simulations_of,
)
from simcore.contract.loops import LoopWatch
from simcore.contract.play import Play, Table
from simcore.own_games import TITLE
from simcore.sealed import RunError
from simcore.work.parts import COUNTED
from simcore.work.runs import RunSpec
from simcore.work.tasks import Task

if TYPE_CHECKING:
    from simcore.contract.compiled.form import Form, Games

#: The name of all these games in a manifest, and of the files that a task or a folder has.
NAME = "own_games"
ENTRIES, RULES = "entries.toml", "rules.py"
#: What the names of columns begin with that a game observes.
OBSERVED = "observed_"
#: Games by which the event is chosen that tells most of an entry.
_SAMPLE = 30
# Tables of which what they say is known.
_KEPT = 8
#: Random games of a run from which on its rules are compiled, and how many are then played at once.
COMPILED_FROM, _AT_ONCE = 10_000, 4_096
# As many random players as take the same time as another, and as each simulation of a search: 3 to
# 14 in the examples, of which fewer are counted, since a search takes longer to compile.
_COSTS = {RANDOM: 1, GREEDY: 10}
_COST_OF_SIMULATION = 5

_SOME = range(1, 2**31)
#: What the manifest of such a run says besides: all that its tables and pages need.
SETTINGS = {
    "set_names": [str],
    "rules": {"name": str, "source": str, "digest": str},
    "seats": range(1, 11),
    "unit": _SOME,
    "settings": dict,
    "events": [str],
    "kinds": [
        {
            "word": str,
            "plural": str,
            "within": (str, None),
            "each_seat": (bool, None),
            "ids": [str],
            "names": [str],
        }
    ],
    COUNTED: {str: {"event": str, "measure": str}},
    "observed": ([str], None),
    "entries_hash": str,
    "seed": (range(2**63), [range(2**63)]),
    "policies": [str],
}


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


def title_in(manifest: Mapping[str, Any]) -> str:
    """The title of the game of a run."""
    [title] = manifest["set_names"]
    return str(title)


def record_in(manifest: Mapping[str, Any]) -> np.dtype:
    """The record of the games of a run."""
    n_entries = sum(len(kind["ids"]) for kind in manifest["kinds"])
    observed = tuple(manifest.get("observed") or ())
    return record_of(manifest["seats"], n_entries * len(manifest["events"]), observed)


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
        self._pays = all(costs) and n_games * cost >= COMPILED_FROM
        self._at_once = max(int(_AT_ONCE // max(cost, 1)), 1)
        self._form: Form | None = None
        self._compiling = Lock()
        events = table.game.events
        self._places = {
            (seat, event): (seat * len(events) + place) * len(table.cards)
            for seat in range(table.seats)
            for place, event in enumerate(events)
        }

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

    def _play(self, number: int) -> Play:
        play = Play(self.table, self._seed, number)
        play.play(self._players)
        return play

    def write(self, play: Play, record: np.void) -> None:
        """The record of a game that is over."""
        record["game"], record["decisions"], record["first"] = (
            play.number,
            play.decisions,
            play.first,
        )
        record["deal"], record["outcome"], record["points"] = (
            play.deal,
            play.outcomes,
            play.points,
        )
        if self.table.cards:
            entries, places = record["entries"], play.table.places
            entries[:] = 0
            for event, seat, entry, n in play.counts():
                entries[self._places[seat, event] + places[entry]] = min(n, 65_535)
        for name, number in play.observed.items():
            record[OBSERVED + name] = number


def _cost_of(player: str) -> int:
    """How long a player takes, in random players; 0 for one that has no compiled form."""
    return _COSTS.get(player, 0) or _COST_OF_SIMULATION * simulations_of(player)


def check_player(game: Game, player: str) -> str:
    """The player, if the game has one of that name.  Raises ValueError."""
    if simulations_of(player):
        return player
    if player not in game.player_names:
        raise ValueError(unknown_word("player", player, game.player_names))
    return player


def split_players(game: Game, seats: int, text: str) -> tuple[str, ...]:
    """Who plays: one player for all seats, or one for each.  Raises ValueError."""
    players = re.split(rf"(?<!\b{SEARCH}):", text)
    for player in players:
        check_player(game, player)
    if len(players) not in (1, seats):
        raise ValueError(f"'{text}' names {len(players)} players; name one, or one for each seat")
    return (*players,) * (seats // len(players))


class Facts(NamedTuple):
    """What games say of a kind: the event that tells most of its entries, and their measure.

    The event is dealt, noted, or else chosen; the measure is "" where there is none.
    """

    event: str
    measure: str


@lru_cache(_KEPT)
def facts_of(table: Table) -> dict[str, Facts]:
    """What some random games say of each kind.  Raises GameError for a measure that cannot be."""
    table = evolve(table, without=None, swapped=None)
    game, found, first = table.game, set[tuple[str, str]](), set[str]()
    for number in range(_SAMPLE if table.cards else 0):
        play = Play(table, 0, number)
        dealt = {entry.kind for _, entry in play.dealt}
        first |= _offered_first(play, {kind.word for kind in game.kinds} - dealt - first)
        play.play([RANDOM] * table.seats)
        found |= {(entry.kind, event) for event, _, entry, _ in play.counts()}
    events = sorted(game.events, key=lambda event: event == CHOSEN)
    facts = {}
    for kind in game.kinds:
        there = [event for event in events if (kind.word, event) in found]
        _check_measure(game, kind, there)
        measure = kind.measure or _usual_measure(game, kind, there, first)
        event = next((one for one in there if one != INCLUDED), CHOSEN)
        facts[kind.word] = Facts(INCLUDED if measure == CONTRAST else event, measure)
    return facts


def _usual_measure(game: Game, kind: Kind, events: Collection[str], first: Collection[str]) -> str:
    """The measure of a kind of which the author says none, by what happens with its entries.

    ``first`` are kinds whose entries options name before a seat has held them.
    """
    if DEALT in events:
        return WITHIN if kind.within in [one.word for one in game.kinds if one.each_seat] else SHARE
    if kind.word in first:
        return ACCESS
    return CONTRAST if kind.word in game.contrasted else SWAP


def _offered_first(play: Play, kinds: AbstractSet[str]) -> set[str]:
    """Those of some kinds whose entries options name before a seat has held the entry.

    The game is played until all are found, or to its end.
    """
    found, held = set[str](), set[Entry]()
    while not play.over and kinds - found:
        held.update(*(zone for zone in play.rules.zones() if zone.seat is not None))
        things = {one for option in play.options if type(option) is tuple for one in option}
        found |= {one.kind for one in things - held if isinstance(one, Entry) and one.kind in kinds}
        play.choose(play.think(RANDOM))
    return found


def _check_measure(game: Game, kind: Kind, events: Collection[str]) -> None:
    """Raise GameError where an author's measure is about what never happens to a kind."""
    has = DEALT, "a seat has before the first decision, and in {} games no seat had one"
    event, about = {
        SHARE: has,
        WITHIN: has,
        ACCESS: (CHOSEN, "options name, and in {} games none was chosen"),
    }.get(kind.measure, ("", ""))
    if event and event not in events:
        raise GameError(
            f"{game.file.name}: kind '{kind.word}': measure '{kind.measure}' is about entries that"
            f" {about.format(_SAMPLE)}; leave measure out"
        )


def new_run(table: Table, *, n_games: int, seed: int, players: Sequence[str]) -> RunSpec:
    """A run of so many games.  Raises GameError."""
    game, files, facts = table.game, files_of(table), facts_of(table)
    text, asked = files[ENTRIES], {**asked_of(table), "seed": seed, "policies": [*players]}
    return RunSpec(
        game=NAME,
        rules_version=game.version,
        settings={
            "set_names": [game.title],
            "unit": game.unit,
            "events": [*game.events],
            "kinds": [
                {
                    "word": kind.word,
                    "plural": kind.plural,
                    "within": kind.within,
                    "each_seat": kind.each_seat,
                    "ids": [entry.id for entry in table.entries[kind.word]],
                    "names": [entry.name for entry in table.entries[kind.word]],
                }
                for kind in game.kinds
            ],
            COUNTED: {word: one._asdict() for word, one in facts.items()},
            "entries_hash": hash_of(text),
            **({"observed": [*game.observe]} if game.observe else {}),
            **asked,
        },
        n_games=n_games,
        record=record_at(table),
        task=Task(
            f"{__name__}:rebuild",
            asked | {"games": n_games},
            files,
            OwnGames(table, seed, players, n_games),
        ),
        count=count_games,
        seats=table.seats,
        files={ENTRIES: text} if text else {},
    )


def asked_of(table: Table) -> dict[str, Any]:
    """What is played, as values of JSON that `brought_table` reads."""
    game = table.game
    rules = {"name": game.name, "source": game.source, "digest": game.digest}
    asked = {"rules": rules, "seats": table.seats, "settings": dict(table.settings)}
    if table.without is not None:
        seat, entry = table.without
        asked["without"] = {"seat": seat, "kind": entry.kind, "entry": entry.id}
    if table.swapped is not None:
        asked["swapped"] = {"kind": table.swapped.kind, "entry": table.swapped.id}
    return asked


def hash_of(text: bytes) -> str:
    """The digest of a file of entries."""
    return hashlib.sha256(text).hexdigest()


def files_of(table: Table) -> dict[str, bytes]:
    """The files that it needs in another process: its entries, and its rules."""
    text = entries_text(table.game.schema, table.entries).encode() if table.game.kinds else b""
    return {ENTRIES: text, RULES: table.game.text.encode()}


def brought_table(asked: Mapping[str, Any], files: Mapping[str, bytes]) -> Table:
    """What a task plays, in any process.  Raises GameError."""
    rules = asked["rules"]
    try:
        game = find_opened(rules["source"], rules["digest"])
    except GameError:
        game = load_text(rules["source"], files[RULES])  # as its person named it
    return _table(game, asked, files[ENTRIES])


def rebuild(asked: Mapping[str, Any], files: Mapping[str, bytes]) -> OwnGames:
    """Who plays a task, in any process.  Raises GameError."""
    table = brought_table(asked, files)
    return OwnGames(table, asked["seed"], asked["policies"], asked["games"])


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
    return table


def played_again(folder: Path, manifest: Mapping[str, Any]) -> RunSpec:
    """The run in a folder, as it was asked for.  Raises GameError."""
    text = (folder / ENTRIES).read_bytes() if manifest["kinds"] else b""
    table = table_of(manifest, text)
    how = {"n_games": manifest["games"], "seed": manifest["seed"], "players": manifest["policies"]}
    return new_run(table, **how)


def entries_of_run(folder: Path, manifest: Mapping[str, Any]) -> dict[str, bytes]:
    """The file with the entries of a run, known without its rules.  Raises RunError."""
    if not manifest["kinds"]:
        return {}
    path = folder / ENTRIES
    try:
        text = path.read_bytes()
    except OSError:
        text = b""
    if hash_of(text) != manifest["entries_hash"]:
        raise RunError(f"{path} is missing, or not what was played with; repeat the command")
    return {ENTRIES: text}


def count_games(games: np.ndarray) -> dict[str, int]:
    """Games, and those in which nobody was first alone."""
    if not len(games) or games["outcome"].shape[1] < 2:
        return {"games": len(games), "shared": 0}
    best = games["outcome"].max(axis=1, keepdims=True)
    return {"games": len(games), "shared": int(((games["outcome"] == best).sum(1) > 1).sum())}


def game_of_run(manifest: Mapping[str, Any]) -> games.Game:
    """The game of a run: its title, record and seats, known without its rules."""
    return evolve(
        GAME,
        title=title_in(manifest),
        rules_version=manifest["rules_version"],
        record=record_in(manifest),
        seats=manifest["seats"],
        player_numbers=(manifest["seats"],),
    )


GAME = games.Game(
    name=NAME,
    title=TITLE,
    rules_version=1,
    record=record_of(2, 0),
    seats=2,
    settings=SETTINGS,
    count=count_games,
    again=played_again,
    of_run=game_of_run,
    played_with=entries_of_run,
)
