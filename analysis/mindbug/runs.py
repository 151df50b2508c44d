"""Open a run folder and read its games: part by part, as one DataFrame, or one row per card.

Everything read is verified: a part with a flipped bit, or of another run, is an error that names
the file and says what to do, never a wrong table.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from attrs import frozen

from analysis.mindbug.selections import VIEW_NAMES
from card_data.mindbug.display import html_table
from card_data.mindbug.schema import Pool
from simcore.mindbug import RULES_VERSION
from simcore.mindbug.play.run import SETTINGS, read_played_pool
from simcore.mindbug.players.seats import fingerprints
from simcore.mindbug.table.records import DEALT_EACH, GAME_RECORD, all_cards
from simcore.records import columns_of, layout_of, to_records
from simcore.sealed import RunError
from simcore.work.folder import identity
from simcore.work.lock import check_nobody_works
from simcore.work.parts import MANIFEST, RUN, n_parts, part_path, read_manifest, read_part

_AGAIN = "play the run again into a new folder with this version of balancelab"


@frozen
class Run:
    """A finished run of Mindbug.

    ``manifest`` holds what was asked for (``sets``, ``modes``, ``cards_hash``, ``pool_hash``,
    ``seed``, ``policies``, ``games``, …; ``weights``, where players have some), the package
    ``versions`` and the ``counts`` of games, draws, capped and looped.
    """

    folder: Path
    manifest: dict[str, Any]

    def __repr__(self) -> str:
        """What was played, in one line."""
        told = ", ".join(f"{name} {value}" for name, value in self._facts())
        return f"Run({told})"

    def _repr_html_(self) -> str:
        """What was played, as a notebook shows it."""
        return html_table(("run", str(self.folder)), self._facts()[:-1])

    def _facts(self) -> list[tuple[str, str]]:
        """What a person wants to know of a run, the folder last."""
        return [
            ("sets", " + ".join(self.manifest["sets"])),
            ("games", f"{self.n_games:,}"),
            ("players", " against ".join(self.manifest["policies"])),
            ("seed", str(self.manifest["seed"])),
            ("folder", str(self.folder)),
        ]

    @property
    def n_games(self) -> int:
        """Number of games of the run."""
        return int(self.manifest["games"])

    @property
    def card_ids(self) -> list[str]:
        """The id of each card; ``cards`` in the records counts into this list."""
        return list(self.manifest["cards"])

    @property
    def identity(self) -> dict[str, str]:
        """What tables made of all its games say that they are of (`write_tables`)."""
        return identity_of_run(self.manifest)

    def pool(self) -> Pool:
        """The pool that was played: its cards in the order of `card_ids`, and its modes.

        Read from the files in the run folder.  Raises RunError when they are missing, damaged or
        not those that were played.
        """
        return read_played_pool(self.folder, self.manifest)

    def parts(self) -> Iterator[np.ndarray]:
        """The games in order, one part at a time.

        Each part is a structured array of dtype ``GAME_RECORD`` and shape (n_games_of_part,), at
        most 14 MB.  Raises RunError at a part that is missing or damaged.
        """
        for part in range(n_parts(self.manifest)):
            yield self.part(part)

    def part(self, part: int) -> np.ndarray:
        """The games of one part, as in `parts`; may be called from several threads at once."""
        return to_records(read_part(self.folder, self.manifest, part), GAME_RECORD)

    def games(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """All games, one row each, with ``columns`` in the order given (default: all).

        The columns are described in ``docs/columns.md``.  Lists (``cards``, ``turn_played``,
        ``offers``, ``thefts``) are Arrow-backed: ``df["cards"].list[3]`` is the card in slot 3,
        ``np.stack(df["cards"])`` an array of shape (n_games, 20).  All columns take 208 bytes a
        game in memory; name the columns that you need of a large run.

        Raises RunError at a part that is missing or damaged, ValueError for an unknown column.
        """
        known = [column for column, *_ in columns_of(GAME_RECORD)]
        wanted = known if columns is None else list(columns)
        if unknown := [column for column in wanted if column not in known]:
            raise ValueError(f"no column {unknown[0]!r} in a run; there are: {', '.join(known)}")
        tables = [
            read_part(self.folder, self.manifest, part, wanted).select(wanted)
            for part in range(n_parts(self.manifest))
        ]
        return pa.concat_tables(tables).to_pandas(types_mapper=_list_type, split_blocks=True)


def open_run(folder: str | os.PathLike[str]) -> Run:
    """Open the finished run in ``folder``.

    Raises RunError, naming the file and what to do, when there is no such folder or no manifest in
    it, when the manifest is damaged or was written under other rules or with another record layout,
    when the run is not finished or a part is missing.  Damage inside a part is found when the part
    is read.
    """
    folder = Path(folder)
    manifest = read_manifest(folder, SETTINGS)
    path = folder / MANIFEST
    if manifest["game"] != "mindbug":
        raise RunError(f"{path} is of the game {manifest['game']!r}, not of mindbug")
    if manifest["rules_version"] != RULES_VERSION:
        raise RunError(
            f"{path} was played under rules version {manifest['rules_version']}, this is version"
            f" {RULES_VERSION}; {_AGAIN}"
        )
    if manifest["record_layout"] != layout_of(GAME_RECORD):
        raise RunError(f"{path} was written with another record layout; {_AGAIN}")
    if len(manifest["policies"]) != 2:
        raise RunError(f"{path} is damaged: no valid policies; {_AGAIN}")
    parts = range(n_parts(manifest))
    missing = next((part for part in parts if not part_path(folder, part).exists()), None)
    repeat = "repeat the command that made the run: it goes on where it stopped"
    finished = manifest["counts"] and ("until" not in manifest or manifest.get("stopped"))
    if missing is not None or not finished:
        check_nobody_works(folder)
    if missing is not None:
        raise RunError(f"{part_path(folder, missing)} is missing; {repeat}")
    if not finished:
        raise RunError(f"{folder} holds a run that is not finished; {repeat}")
    return Run(folder, manifest)


def identity_of_run(manifest: Mapping[str, Any]) -> dict[str, str]:
    """What is said of everything made of all games of a run: what was asked, and the outcome."""
    outcome = json.dumps(manifest["counts"], sort_keys=True)
    return identity(RUN, manifest, "") | {"counts": outcome}


def check_weights(run: Run) -> None:
    """Raise RunError when a player of a run has other weights today, or their file is gone."""
    try:
        now = fingerprints(run.manifest["policies"])
    except ValueError as error:
        raise RunError(f"the players of {run.folder} are not there any more: {error}") from None
    if player := other_weights(run.manifest, {"weights": now}):
        raise RunError(
            f"{run.folder} was played with other weights of {player} than there are now; put back"
            " those that it was played with, or play the run again into a new folder"
        )


def other_weights(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """A player who has other weights in one manifest than in another; empty if there is none.

    Runs of older versions do not tell their weights; of these nothing is known.
    """
    weights, others = one.get("weights", {}), other.get("weights", {})
    differing = [who for who in weights if who in others and weights[who] != others[who]]
    return differing[0] if differing else ""


def expand_cards(games: np.ndarray, card_ids: Sequence[str]) -> pd.DataFrame:
    """One row for each player and card that met in a game, in the order game, player, card.

    Parameters
    ----------
    games : ndarray(GAME_RECORD), shape (n_games,)
        Such as a part of a run; expand a large run part by part, since a game gives about 25 rows.
    card_ids
        The id of each card (``Run.card_ids``).

    Returns
    -------
    DataFrame
        The columns of the table ``player_cards`` in ``docs/columns.md``: a boolean for each view of
        `analysis.mindbug.selections`, and the player's score.  A player has at most one row for a
        card in a game, however many copies; the mean of ``score`` over the rows of a view is its
        win rate.
    """
    cards = all_cards(games)
    n_slots = cards.shape[1]
    order = np.argsort(cards, axis=1, kind="stable")
    cards = np.take_along_axis(cards, order, axis=1)
    begins = np.ones(cards.shape, bool)  # first slot, in this order, of a card in a game
    begins[:, 1:] = cards[:, 1:] != cards[:, :-1]
    starts = np.flatnonzero(begins)
    # Axes (game and card, player), then the pairs that met, ordered by game, player, card.
    fates = np.stack([_fates(games, player, order, starts) for player in (0, 1)], axis=1)
    pair, player = np.nonzero(fates)
    in_order = np.argsort(starts[pair] // n_slots * 2 + player, kind="stable")
    pair, player = pair[in_order], player[in_order].astype(np.int8)
    row, fate, winner = starts[pair] // n_slots, fates[pair, player], games["winner"]
    columns = {
        "game": games["game"][row],
        "player": player,
        "card_id": pd.Categorical.from_codes(cards.ravel()[starts[pair]], categories=card_ids),
        "went_first": games["first_player"][row] == player,
        **{name: fate >> bit & 1 == 1 for bit, name in enumerate(VIEW_NAMES)},
        "score": np.where(winner[row] < 0, 0.5, winner[row] == player),
    }
    columns["not_drawn"] &= ~columns["drawn"]
    return pd.DataFrame(columns)


def _fates(games: np.ndarray, player: int, order: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Bit v: a copy is in view v for ``player``; one uint8 for each card of each game.

    ``order`` sorts the slots of each game by card, shape (n_games, n_slots); ``starts`` are the
    places where another card begins.  ``not_drawn`` is said of every copy dealt: whether the player
    drew another copy is not known here.
    """
    slots = np.arange(order.shape[1], dtype=np.uint64)
    dealt = np.uint64(((1 << DEALT_EACH) - 1) << DEALT_EACH * player)
    played, taken = games["played"][:, player], games["taken"][:, player]
    masks = {
        "dealt": np.full(len(games), dealt),
        "drawn": games["drawn"] & dealt,
        "not_drawn": np.full(len(games), dealt),
        "played": played,
        "taken": taken,
        "lost_to_mindbug": games["taken"][:, 1 - player],
        "entered": played | taken,
    }
    by_slot = np.zeros(order.shape, np.uint8)
    for bit, name in enumerate(VIEW_NAMES):
        in_view = (masks[name][:, None] >> slots).astype(np.uint8) & np.uint8(1)
        by_slot |= in_view << np.uint8(bit)
    ordered = np.take_along_axis(by_slot, order, axis=1).ravel()
    return np.bitwise_or.reduceat(ordered, starts) if len(starts) else ordered


def _list_type(arrow_type: pa.DataType) -> pd.ArrowDtype | None:
    """Keep lists in Arrow's memory instead of one Python object for each row."""
    return pd.ArrowDtype(arrow_type) if pa.types.is_fixed_size_list(arrow_type) else None
