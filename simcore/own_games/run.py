"""Runs of games that people bring: what their manifests say, and their counts."""

import re
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from attrs import evolve

from card_data.schema import Entry, Kind
from card_data.schema.kinds import ACCESS, CONTRAST, SHARE, SWAP, WITHIN
from simcore import games
from simcore.checks import checked_seed
from simcore.contract.faults import GameError
from simcore.contract.game import RANDOM, SEARCH, Game
from simcore.contract.loops import LoopWatch
from simcore.contract.play import Play, Table
from simcore.contract.rules import CHOSEN, DEALT, INCLUDED
from simcore.own_games import TITLE
from simcore.own_games import setup as table_setup
from simcore.sealed import RunError
from simcore.setup import Games, new_task
from simcore.work.parts import COUNTED
from simcore.work.runs import RunSpec

#: The name of all these games in a manifest, of a task or a folder.
NAME = "own_games"
#: Games by which the event is chosen that tells most of an entry.
_SAMPLE = 30
# Tables of which what they say is known.
_KEPT = 8
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
    "teams": ([[range(10)]], None),
    "entries_hash": str,
    "seed": (range(2**63), [range(2**63)]),
    "policies": [str],
    "weights": ({str: str}, None),
}


def title_in(manifest: Mapping[str, Any]) -> str:
    """The title of the game of a run."""
    [title] = manifest["set_names"]
    return str(title)


def record_in(manifest: Mapping[str, Any]) -> np.dtype:
    """The record of the games of a run."""
    n_entries = sum(len(kind["ids"]) for kind in manifest["kinds"])
    observed = tuple(manifest.get("observed") or ())
    return table_setup.record_of(manifest["seats"], n_entries * len(manifest["events"]), observed)


def split_players(game: Game, seats: int, text: str) -> tuple[str, ...]:
    """Who plays: one player for all seats, or one for each.  Raises ValueError."""
    players = re.split(rf"(?<!\b{SEARCH}):", text)
    for player in players:
        table_setup.check_player(game, player)
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
    with LoopWatch():
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


def new_run(
    table: Table, *, n_games: int, seed: int, players: Sequence[str], planned: int = 0
) -> RunSpec:
    """A run of so many games.  Raises GameError, and ValueError for a seed that cannot be used.

    ``planned`` are those of the whole question, if more: they say whether it pays to compile.
    """
    seed = checked_seed(seed)
    game, setup = table.game, table_setup.OwnSetup(table, max(n_games, planned))
    facts, text = facts_of(table), table_setup.entries_of(table)
    asked: dict[str, Any] = {"seed": seed, "policies": [*players]}
    weights, teams = table_setup.fingerprints(players), game.teams_of(table.seats)
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
            "entries_hash": table_setup.hash_of(text),
            **({"observed": [*game.observe]} if game.observe else {}),
            **({"teams": [[*team] for team in teams]} if game.teams else {}),
            **({"weights": weights} if weights else {}),
            **table_setup.asked_of(table),
            **asked,
        },
        n_games=n_games,
        record=setup.record,
        task=new_task(
            "simcore.setup:rebuild", [setup], players, Games(setup, seed, players), **asked
        ),
        count=partial(count_games, teams),
        seats=table.seats,
        files={table_setup.ENTRIES: text} if text else {},
    )


def played_again(folder: Path, manifest: Mapping[str, Any]) -> RunSpec:
    """The run in a folder, as it was asked for.  Raises GameError."""
    text = (folder / table_setup.ENTRIES).read_bytes() if manifest["kinds"] else b""
    table = table_setup.table_of(manifest, text)
    how = {"n_games": manifest["games"], "seed": manifest["seed"], "players": manifest["policies"]}
    return new_run(table, **how)


def entries_of_run(folder: Path, manifest: Mapping[str, Any]) -> dict[str, bytes]:
    """The file with the entries of a run, known without its rules.  Raises RunError."""
    if not manifest["kinds"]:
        return {}
    path = folder / table_setup.ENTRIES
    try:
        text = path.read_bytes()
    except OSError:
        text = b""
    if table_setup.hash_of(text) != manifest["entries_hash"]:
        raise RunError(f"{path} is missing, or not what was played with; repeat the command")
    return {table_setup.ENTRIES: text}


def teams_in(manifest: Mapping[str, Any]) -> Sequence[Sequence[int]]:
    """The seats of each team of the game of a run; without teams each seat by itself."""
    return manifest.get("teams") or [[seat] for seat in range(manifest["seats"])]


def is_shared(games: np.ndarray, teams: Sequence[Sequence[int]]) -> np.ndarray:
    """Whether several teams have the best outcome, for each game: (n_games,)."""
    outcome = games["outcome"][:, [team[0] for team in teams]]
    return np.asarray((outcome == outcome.max(axis=1, keepdims=True)).sum(axis=1) > 1)


def count_games(teams: Sequence[Sequence[int]], games: np.ndarray) -> dict[str, int]:
    """Games, and those in which several teams have the best outcome."""
    return {"games": len(games), "shared": int(is_shared(games, teams).sum())}


def game_of_run(manifest: Mapping[str, Any]) -> games.Game:
    """The game of a run: its title, record and seats, known without its rules."""
    return evolve(
        GAME,
        title=title_in(manifest),
        rules_version=manifest["rules_version"],
        record=record_in(manifest),
        count=partial(count_games, teams_in(manifest)),
        seats=manifest["seats"],
        player_numbers=(manifest["seats"],),
    )


GAME = games.Game(
    name=NAME,
    title=TITLE,
    rules_version=1,
    record=table_setup.record_of(2, 0),
    seats=2,
    settings=SETTINGS,
    count=partial(count_games, ((0,), (1,))),
    again=played_again,
    of_run=game_of_run,
    played_with=entries_of_run,
)
