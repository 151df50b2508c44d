"""Runs of Mindbug: the pool that was played, and one row for each card of each game."""

import os
from collections.abc import Sequence

import numpy as np
import pandas as pd
from attrs import frozen

from analysis import runs
from analysis.mindbug.selections import SELECTION_NAMES
from card_data.mindbug.schema import Pool
from simcore.mindbug.play.run import read_played_pool
from simcore.mindbug.table.records import DEALT_EACH, all_cards
from simcore.sealed import RunError
from simcore.work.parts import MANIFEST


@frozen(repr=False)
class Run(runs.Run):
    """A finished run of Mindbug.

    ``manifest`` holds what was asked for (``sets``, ``modes``, ``cards_hash``, ``pool_hash``,
    ``seed``, ``policies``, ``games``, …; ``weights``, where players have some), the package
    ``versions`` and the ``counts`` of games, draws, capped and looped.
    """

    def facts(self) -> list[tuple[str, str]]:
        """What a person wants to know of a run, the folder last."""
        return [("sets", " + ".join(self.manifest["sets"])), *super().facts()[1:]]

    @property
    def card_ids(self) -> list[str]:
        """The id of each card; ``cards`` in the records counts into this list."""
        return list(self.manifest["cards"])

    def pool(self) -> Pool:
        """The pool that was played: its cards in the order of `card_ids`, and its modes.

        Read from the files in the run folder.  Raises RunError when they are missing, damaged or
        not those that were played.
        """
        return pool_of(self)


def pool_of(run: runs.Run) -> Pool:
    """The pool that was played in a run of Mindbug.  Raises RunError (`Run.pool`)."""
    return read_played_pool(run.folder, run.manifest)


def open_run(folder: str | os.PathLike[str]) -> Run:
    """Open the finished run of Mindbug in ``folder``, as `analysis.runs.open_run` does.

    Raises RunError, also for a run of another game.
    """
    run = runs.open_run(folder)
    if not isinstance(run, Run):
        raise RunError(f"{run.folder / MANIFEST} is of {run.game.title}, not of Mindbug")
    return run


def expand_cards(games: np.ndarray | Run, card_ids: Sequence[str] | None = None) -> pd.DataFrame:
    """One row for each player and card that met in a game, in the order game, player, card.

    Parameters
    ----------
    games : Run, or ndarray(GAME_RECORD) of shape (n_games,)
        A run, or a part of one; expand a large run part by part, since a game gives about 25 rows.
    card_ids
        The id of each card (``Run.card_ids``), needed where ``games`` is no run.

    Returns
    -------
    DataFrame
        The columns of the table ``player_cards`` in ``docs/columns.md``: a boolean for each of
        `analysis.mindbug.selections`, and the player's score.  A player has at most one row for a
        card in a game, however many copies; the win rate of a selection is the mean of ``score``
        over its rows.
    """
    if isinstance(games, Run):
        parts = (expand_cards(part, games.card_ids) for part in games.parts())
        return pd.concat(parts, ignore_index=True)
    if card_ids is None:
        raise TypeError("expand_cards needs the ids of the cards beside games: run.card_ids")
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
        **{name: fate >> bit & 1 == 1 for bit, name in enumerate(SELECTION_NAMES)},
        "score": np.where(winner[row] < 0, 0.5, winner[row] == player),
    }
    columns["not_drawn"] &= ~columns["drawn"]
    return pd.DataFrame(columns)


def _fates(games: np.ndarray, player: int, order: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Bit v: a copy is in selection v for ``player``; one uint8 for each card of each game.

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
    for bit, name in enumerate(SELECTION_NAMES):
        is_selected = (masks[name][:, None] >> slots).astype(np.uint8) & np.uint8(1)
        by_slot |= is_selected << np.uint8(bit)
    ordered = np.take_along_axis(by_slot, order, axis=1).ravel()
    return np.bitwise_or.reduceat(ordered, starts) if len(starts) else ordered
