"""A run of Mindbug for the runner: what goes into its manifest, its records and its counts."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from attrs import asdict

from card_data.mindbug import CardFileError, cards_hash, pool_files, pool_hash, read_pool
from card_data.mindbug.schema import Modes, Pool
from simcore.mindbug import RULES_VERSION, CardTable, compile_cards, play_games
from simcore.mindbug.play.affected import touched_games
from simcore.mindbug.play.simulate import play_rows
from simcore.mindbug.players.seats import fingerprints, seat
from simcore.mindbug.table.records import GAME_RECORD, Ending
from simcore.records import to_records
from simcore.sealed import RunError, Shape
from simcore.work.folder import games_of_part, read_manifest, read_part
from simcore.work.runs import RunSpec

# Parts of a run that are kept in memory while another one is played beside it.
_PARTS_AT_HAND = 8


def plain_modes(modes: Modes) -> dict[str, Any]:
    """Modes as JSON values; rulings by name."""
    return asdict(modes) | {"rulings": [ruling.name.lower() for ruling in sorted(modes.rulings)]}


#: What a run of Mindbug adds to a manifest (`simcore.work.folder.read_manifest`).
SETTINGS: Shape = {
    "sets": [str],
    "set_names": [str],
    "modes": {
        name: [str] if isinstance(value, list) else type(value)
        for name, value in plain_modes(Modes()).items()
    },
    "cards_hash": str,
    "pool_hash": str,
    "cards": [str],
    "power_cards": [str],
    "seed": range(2**63),
    "policies": [str],
    "weights": ({str: str}, None),
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
) -> RunSpec:
    """A run of games 0 … ``n_games`` - 1 of ``seed``, to be played by `run_games`.

    ``policies[p]`` plays as player p.  The files of the pool are written beside the parts, so that
    `card_data.mindbug.read_pool` gives the same pool again.  The manifest says with which weights
    was played, so that other weights in a file of that name make another run.  Raises ValueError
    for fewer than one game, a pool that cannot be played, and a policy that there is not or whose
    weights cannot be read; `run_games` raises it for a seed that `play_games` refuses.

    ``beside`` is the folder of a run with other cards that has just been played with the same
    balancelab: games that the other cards cannot change (`touched_games`) are taken from there
    instead of being played.  The result is the same; what cannot serve is not used.
    """
    card_table = compile_cards(pool.sets, pool.modes)
    players: dict[str, Any] = {"policies": list(policies)}
    if weights := fingerprints(policies):
        players["weights"] = weights
    model = None if beside is None else _Model.read(beside, n_games, seed, players)

    def play(first_game: int, out: np.ndarray) -> None:
        if model is not None and model.play(card_table, first_game, out):
            return
        play_games(
            card_table,
            n_games=len(out),
            seed=seed,
            first_game=first_game,
            policies=policies,
            out=out,
        )

    return RunSpec(
        game="mindbug",
        rules_version=RULES_VERSION,
        settings={
            "sets": [card_set.set_id for card_set in pool.sets],
            "set_names": [card_set.name for card_set in pool.sets],
            "modes": plain_modes(pool.modes),
            "cards_hash": cards_hash(pool.sets),
            "pool_hash": pool_hash(pool),
            "cards": [card.card_id for card in card_table.cards],
            "power_cards": [card.card_id for card in card_table.power_cards],
            "seed": seed,
            **players,
        },
        n_games=n_games,
        record=GAME_RECORD,
        play=play,
        count=count_games,
        files=pool_files(pool),
    )


def read_played_pool(folder: Path, manifest: Mapping[str, Any]) -> Pool:
    """The pool that was played, read from the files in a run folder.

    Raises RunError when they are missing, damaged or not those that were played.
    """
    again = "repeat the command that made the run: it writes them anew"
    try:
        pool = read_pool(folder)
    except CardFileError as error:
        raise RunError(f"the cards of {folder} cannot be read: {error} {again}") from error
    if pool_hash(pool) != manifest["pool_hash"]:
        raise RunError(f"the cards in {folder} are not those of the run; {again}")
    return pool


class _Model:
    """A run that others are played beside."""

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        pool = read_played_pool(folder, manifest)
        self._table = compile_cards(pool.sets, pool.modes)
        self._manifest = manifest
        self._part = lru_cache(_PARTS_AT_HAND)(
            lambda part: to_records(read_part(folder, manifest, part), GAME_RECORD)
        )

    @classmethod
    def read(
        cls, folder: Path, n_games: int, seed: int, players: dict[str, Any]
    ) -> "_Model | None":
        """The run in a folder; None if it is no finished run of the same games.

        ``players`` are the entries of a manifest that say who plays.
        """
        try:
            manifest = read_manifest(folder, SETTINGS)
        except RunError:
            return None
        asked = {"games": n_games, "seed": seed, "weights": None, **players}
        asked |= {"game": "mindbug", "rules_version": RULES_VERSION}
        same = all(manifest.get(name) == value for name, value in asked.items())
        if not same or manifest["counts"] is None:
            return None
        try:
            return cls(folder, manifest)
        except RunError:
            return None

    def play(self, table: CardTable, first_game: int, out: np.ndarray) -> bool:
        """Fill ``out`` with games ``first_game`` … of another table; False if it cannot."""
        part = first_game // self._manifest["part_games"]
        try:
            first = first_game - games_of_part(self._manifest, part).start
            played = self._part(part)[first : first + len(out)]
        except RunError:
            return False
        if len(played) < len(out):
            return False
        policies = tuple(self._manifest["policies"])
        seed = self._manifest["seed"]
        touched = touched_games(
            table, self._table, played, seed=seed, first_game=first_game, policies=policies
        )
        out[:] = played
        games = first_game + np.flatnonzero(touched)
        out[touched] = play_rows(seat(table, policies), seed=seed, games=games)
        return True


def count_games(games: np.ndarray) -> dict[str, int]:
    """Games, draws, capped and looped games among ``games``, shape (n_games,)."""
    return {
        "games": len(games),
        "draws": int((games["winner"] < 0).sum()),
        "capped": int((games["ending"] == Ending.CAPPED).sum()),
        "looped": int((games["ending"] == Ending.LOOPED).sum()),
    }
