"""A run of Mindbug: what goes into its manifest, how its games are played, and its counts."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from card_data.mindbug import CardFileError, cards_hash, pool_files, pool_hash, read_pool
from card_data.mindbug.modes import USUAL_MODES
from card_data.mindbug.schema import Pool
from simcore.arrays import Integers, Records
from simcore.checks import checked_seed
from simcore.mindbug import RULES_VERSION, CardTable, compile_cards
from simcore.mindbug.play.affected import affected_games
from simcore.mindbug.play.asked import differing, pool_entries
from simcore.mindbug.play.setup import PoolSetup
from simcore.mindbug.play.simulate import games_dealt, play_rows
from simcore.mindbug.players.seats import fingerprints
from simcore.mindbug.table.records import GAME_RECORD, SEATS, Ending
from simcore.places import local_copy, located
from simcore.records import to_records
from simcore.sealed import RunError, Shape
from simcore.setup import Games, new_task, read_task
from simcore.work.parts import ANEW, games_of_part, read_manifest, read_part, unreadable
from simcore.work.runs import RunSpec

# Parts of a run that are kept in memory while another one is played beside it.
_PARTS_AT_HAND = 8
# Games of the first batch, from which batches grow until they take long enough.
_FIRST_BATCH, _FIRST_SLOW_BATCH = 64, 1


#: What a run of Mindbug adds to a manifest (`simcore.work.parts.read_manifest`).
SETTINGS: Shape = {
    "sets": [str],
    "set_names": [str],
    "modes": {
        name: [str] if isinstance(value, list) else type(value)
        for name, value in USUAL_MODES.as_json().items()
    },
    "cards_hash": str,
    "pool_hash": str,
    "cards": [str],
    "power_cards": [str],
    "seed": (range(2**63), [range(2**63)]),
    "policies": [str],
    "weights": ({str: str}, None),
    # The card that somebody is dealt in each game; the games have their numbers of the seed.
    "dealt": (str, None),
    # A rule that ends the run (`analysis.mindbug.stopping.PlayUntil`), and what it saw then.
    "until": (
        {"precision": float, "of": str, "confidence": float, "together": int, "method": str},
        None,
    ),
    "stopped": (
        {
            "reached": bool,
            **dict.fromkeys(("worst", "worst_name", "worst_policy"), str),
            "half_width": (float, None),
            "more_games": (int, None),
        },
        None,
    ),
}


def new_run(
    pool: Pool,
    *,
    n_games: int,
    seed: int = 0,
    policies: tuple[str, str] = ("random", "random"),
    beside: Path | None = None,
    dealt: str = "",
) -> RunSpec:
    """A run of games 0 … ``n_games`` - 1 of ``seed``, to be played by `run_games`.

    With the id of a card in ``dealt`` they are the first games in which somebody is dealt it.

    ``policies[p]`` plays as player p.  The files of the pool are written beside the parts, so that
    `card_data.mindbug.read_pool` gives the same pool again.  The manifest says with which weights
    was played, so that other weights in a file of that name make another run.  Raises ValueError
    for fewer than one game, a pool that cannot be played, a seed that cannot be used, and a policy
    that there is not or whose weights cannot be read.

    ``beside`` is the folder of a run with other cards that has just been played with the same
    fairdeal: games that the other cards cannot change (`affected_games`) are taken from there
    instead of being played.  The result is the same; what cannot serve is not used.
    """
    seed = checked_seed(seed)
    setup = PoolSetup(pool)
    players: dict[str, Any] = {"policies": list(policies)}
    if weights := fingerprints(policies):
        players["weights"] = weights
    model = None
    if beside is not None:
        model = _Model.read(beside, {"games": n_games, "seed": seed, "weights": None, **players})
    games = PoolGames(setup, seed, policies)
    games.beside = model
    if dealt:
        players["dealt"] = dealt
        games.numbers = games_dealt(setup.table, dealt, seed=seed, n_games=n_games)
    task = new_task(
        f"{__name__}:rebuild",
        [setup],
        policies,
        games,
        seed=seed,
        policies=list(policies),
        games=n_games,
        beside=None if model is None or beside is None else str(beside.resolve()),
        dealt=dealt,
    )
    return RunSpec(
        game="mindbug",
        rules_version=RULES_VERSION,
        settings={
            **pool_entries(pool),
            "cards_hash": cards_hash(pool.sets),
            "pool_hash": pool_hash(pool),
            "cards": [card.card_id for card in setup.table.cards],
            "power_cards": [card.card_id for card in setup.table.power_cards],
            "seed": seed,
            **players,
        },
        n_games=n_games,
        record=GAME_RECORD,
        seats=SEATS,
        task=task,
        count=count_games,
        files=pool_files(pool),
        first_batch=_FIRST_SLOW_BATCH if setup.is_slow(policies) else _FIRST_BATCH,
        differing=differing,
    )


def played_again(folder: Path, manifest: Mapping[str, Any]) -> RunSpec:
    """The run in a folder, as it was asked for.  Raises RunError as `read_played_pool` does."""
    first, second = manifest["policies"]
    pool = read_played_pool(folder, manifest)
    games, seed = manifest["games"], manifest["seed"]
    dealt = manifest.get("dealt") or ""
    return new_run(pool, n_games=games, seed=seed, policies=(first, second), dealt=dealt)


class PoolGames(Games):
    """Plays games of a run, beside another one that has most of them if there is one.

    ``numbers`` are those of the games that are played; None for 0, 1, 2 …
    """

    beside: "_Model | None" = None
    numbers: Integers | None = None

    def play(self, first: int, out: Records) -> None:
        """Fill ``out``, (n_games,) of GAME_RECORD, with games ``first`` and following."""
        if self.numbers is not None:
            self.setup.play(self.seated, self.seed, self.numbers[first : first + len(out)], out)
        elif self.beside is None or not self.beside.play(self.setup.table, self.seated, first, out):
            super().play(first, out)


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> PoolGames:
    """The player of a run's task in another process.  Raises RunError as `read_task` does."""
    (setup,), players = read_task(settings, files)
    games = PoolGames(setup, settings["seed"], [players[one] for one in settings["policies"]])
    if (beside := settings["beside"]) is not None:
        asked = {**settings, "weights": settings["weights"] or None}
        games.beside = _Model.read(located(beside), asked)
    if dealt := settings["dealt"]:
        seed, n_games = settings["seed"], settings["games"]
        games.numbers = games_dealt(setup.table, dealt, seed=seed, n_games=n_games)
    return games


def read_played_pool(folder: Path, manifest: Mapping[str, Any]) -> Pool:
    """The pool that was played, read from the files in a run folder.

    Raises RunError when they are missing, damaged or not those that were played.
    """
    with local_copy(folder, ["pool.toml", "cards/*.toml"]) as here:
        try:
            pool = read_pool(here)
        except CardFileError as error:
            told = str(error).replace(str(here), str(folder))
            raise unreadable(f"the cards of {folder}", told) from error
    if pool_hash(pool) != manifest["pool_hash"]:
        raise RunError(f"the cards in {folder} are not those of the run; {ANEW}")
    return pool


class _Model:
    """A run that others are played beside."""

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        pool = read_played_pool(folder, manifest)
        self._table = compile_cards(pool)
        self._manifest = manifest
        self._part = lru_cache(_PARTS_AT_HAND)(
            lambda part: to_records(read_part(folder, manifest, part), GAME_RECORD, seats=SEATS)
        )

    @classmethod
    def read(cls, folder: Path, asked: Mapping[str, Any]) -> "_Model | None":
        """The run in a folder; None if it is no finished run of the same games.

        ``asked`` are the entries of a manifest that say which games, and who plays.
        """
        try:
            manifest = read_manifest(folder, SETTINGS)
        except RunError:
            return None
        wanted = {name: asked[name] for name in ("games", "seed", "policies", "weights")}
        wanted |= {"game": "mindbug", "rules_version": RULES_VERSION}
        same = all(manifest.get(name) == value for name, value in wanted.items())
        if not same or manifest["counts"] is None:
            return None
        try:
            return cls(folder, manifest)
        except RunError:
            return None

    def play(self, table: CardTable, seated: Records, first_game: int, out: np.ndarray) -> bool:
        """Fill ``out`` with games ``first_game`` … of another table; False if it cannot.

        ``seated`` are its rows, as `seat` makes them.
        """
        part = first_game // self._manifest["part_games"]
        try:
            first = first_game - games_of_part(self._manifest, part).start
            played = self._part(part)[first : first + len(out)]
        except RunError:
            return False
        if len(played) < len(out):
            return False
        policies = tuple(self._manifest["policies"])
        seed, games = self._manifest["seed"], np.arange(first_game, first_game + len(out))
        affected = affected_games(
            table, self._table, played, seed=seed, games=games, policies=policies
        )
        out[:] = played
        out[affected] = play_rows(seated, seed=seed, games=games[affected])
        return True


def count_games(games: np.ndarray) -> dict[str, int]:
    """Games, draws, capped and looped games among ``games``, shape (n_games,)."""
    return {
        "games": len(games),
        "draws": int((games["winner"] < 0).sum()),
        "capped": int((games["ending"] == Ending.CAPPED).sum()),
        "looped": int((games["ending"] == Ending.LOOPED).sum()),
    }
