"""Rows of single games: the table ``games``, and what became of each player's cards in a game."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.mindbug.runs import Run
from analysis.mindbug.selections import SCORE, SELECTION_NAMES, SELECTIONS, defined
from analysis.registry import Table
from simcore.mindbug.rules.dice import FACES
from simcore.mindbug.table.records import DEALT, DEALT_EACH, GAME_RECORD, SEATS, Ending, all_cards
from simcore.records import columns_of

_NEVER = np.iinfo(np.int16).max
# The most telling games end this many turns after the card was played, won or lost with it.
_WON_AFTER, _LOST_AFTER = 2, 1
_ENDINGS = np.array([ending.name.lower() for ending in Ending])

_MET = {
    "game": "number of the game",
    "player": "the player that the row is about, 0 or 1",
    "card_id": "the card; a player has one row for a card in a game, however many copies",
}

_FATES = {selection.name: defined(selection) for selection in SELECTIONS}

PLAYER_CARDS = Table(
    "player_cards",
    "One row per player and card of a game",
    {
        **_MET,
        "went_first": "whether the player took the first turn",
        **_FATES,
        "score": f"the score of the player in the game. {SCORE}",
    },
    where="",
    files="`expand_cards(run)`, or `expand_cards(part, run.card_ids)`",
)

CARD_GAMES = Table(
    "card_games",
    "One row per player and card of a game",
    {
        **_MET,
        "policy": "who the player was, as `--policy` spells it",
        "opponent_policy": "who the opponent was",
        "went_first": "whether the player took the first turn",
        "copies": "copies among the ten cards dealt to the player; 0 for a card that the player "
        "took, or that came from the unused pile",
        **_FATES,
        "turn_played": "number of the turn on which one of these copies was first played and kept, "
        "by whoever held it; 0 = never",
        "offers": "times one of these copies was played from hand while the opponent of whoever "
        "played it had a Mindbug",
        "thefts": "times one of these copies was taken with a Mindbug",
        "best_stage": "highest stage in play of these copies (R101); 0 = never in play, 1 for a "
        "card without stages",
        "turns": "turns of the game; extra turns count (R20)",
        "ending": f"how the game ended: {', '.join(_ENDINGS)}, as in the table `games`",
        "life": "life of the player at the end",
        "opponent_life": "life of the opponent at the end",
        "mindbugs": "Mindbugs that the player had left",
        "opponent_mindbugs": "Mindbugs that the opponent had left",
        "score": f"the score of the player in the game. {SCORE}",
    },
    files="`tables/card_games.parquet` after `fairdeal analyze RUN --card-games`, or "
    "`analysis.card_games(run)`",
    note=". Every column is a plain number, text or truth value",
    types={
        "game": "int64",
        "player": "int8",
        "card_id": "text",
        "policy": "text",
        "opponent_policy": "text",
        "went_first": "bool",
        "copies": "int16",
        **dict.fromkeys(SELECTION_NAMES, "bool"),
        **dict.fromkeys(("turn_played", "offers", "thefts", "best_stage", "turns"), "int16"),
        "ending": "text",
        **dict.fromkeys(("life", "opponent_life", "mindbugs", "opponent_mindbugs"), "int32"),
        "score": "float64",
    },
)

_SLOTS = (
    "by slot; slots 0–9 are the cards dealt to player 0 in draw order, 10–19 those of player 1; "
    "slots 20–63 are cards of the unused pile"
)
_MASK = "mask: bit s is set for slot s"

GAMES = Table(
    "games",
    "One row per game",
    {
        "game": "number of the game; game i of a seed is always the same game",
        "first_player": "who took the first turn (R11), 0 or 1",
        "winner": "who won, 0 or 1; -1 = draw",
        "ending": "how it ended: 0 a player's life was 0 (R14), 1 a player had no legal action "
        "(R18), 2 capped: stopped after too many turns, 3 looped: stopped after too many effects "
        "in one turn (R20; 3 is a draw, and so is 2 unless `at_turn_cap` lets the player with more "
        "life win), 4 the effect of a card ended the game (C52, C59)",
        "turns": "turns; extra turns count (R20)",
        "decisions": "decisions with two or more options (R120)",
        **{f"life_{p}": f"life of player {p} at the end" for p in (0, 1)},
        **{f"mindbugs_{p}": f"Mindbugs that player {p} had left at the end" for p in (0, 1)},
        "attacks": "attacks declared, second attacks included",
        "second_attacks": "second attacks by FRENZY (R74)",
        "hunts": "attacks that hunted (R65)",
        "blocks": "attacks that were blocked without a hunt (R68)",
        "defeats": "creatures defeated (R92)",
        "tough_saves": "creatures exhausted by TOUGH instead of being defeated (R81)",
        "actions": "Action abilities used (R98)",
        "boosted": "boost cards put under creatures (R103)",
        **{f"energy_{p}": f"energy that player {p} gained (R108)" for p in (0, 1)},
        "dice": f"last results of dice (R113-R115), by face: {', '.join(FACES)}",
        **{
            f"power_bought_{p}": f"mask: bit i is set for number i of the manifest's list "
            f"`power_cards` if player {p} bought that copy (R110, R112)"
            for p in (0, 1)
        },
        "open_points": "bit n is set if the open point On of the rules text came up",
        "cards": f"the 20 cards dealt, as rows of the manifest's list `cards`, {_SLOTS}",
        "unused_cards": "the cards of slots 20–63 that were played or taken, as rows of the "
        "manifest's list `cards`; -1 = not played or taken",
        "best_stage": "highest stage in play of the card dealt (R101), by slot; 0 = never in play, "
        "1 for a card without stages",
        "drawn": f"{_MASK} of a card that the player to whom it was dealt drew, opening hand "
        "included",
        **{
            f"played_{p}": f"{_MASK} of a card that player {p} played from hand as a turn action "
            "and that no Mindbug took"
            for p in (0, 1)
        },
        **{f"taken_{p}": f"{_MASK} of a card that player {p} took with a Mindbug" for p in (0, 1)},
        "defeated": f"{_MASK} of a card that was defeated at least once",
        "turn_played": "number of the turn on which the card dealt was first played and kept, by "
        "slot; 0 = never",
        "offers": "times the card dealt was played from hand while the opponent had a Mindbug, by "
        "slot",
        "thefts": "times the card dealt was taken with a Mindbug, by slot",
    },
    where="",
    files="`Run.games()`, and the Parquet files in `games/`",
    types={
        column: kind.base.name + "".join(f"[{length}]" for length in kind.shape)
        for column, _, _, kind in columns_of(GAME_RECORD, SEATS)
    },
)


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
    met = _Meetings.of(games)
    return pd.DataFrame(
        {
            "game": games["game"][met.row],
            "player": met.player,
            "card_id": pd.Categorical.from_codes(met.card, categories=card_ids),
            "went_first": games["first_player"][met.row] == met.player,
            **met.selections(),
            "score": _scores(games, met),
        }
    )


def card_games(games: np.ndarray, card_ids: Sequence[str], policies: Sequence[str]) -> pd.DataFrame:
    """The table ``card_games`` of some games, ndarray(GAME_RECORD) of shape (n_games,).

    ``card_ids`` are those of the cards, ``policies`` those of both players.
    """
    met = _Meetings.of(games)
    row, player, opponent = met.row, met.player, 1 - met.player
    names = np.array(policies, object)
    of_copies = {
        "turn_played": (
            np.where(games["turn_played"] > 0, games["turn_played"], _NEVER),
            np.minimum,
        ),
        "offers": (games["offers"], np.add),
        "thefts": (games["thefts"], np.add),
        "best_stage": (games["best_stage"], np.maximum),
    }
    copies = met.of_copies(np.ones((len(games), DEALT), np.int16), np.add, 0)
    numbers = {
        name: met.of_copies(values, reduce, _NEVER if reduce is np.minimum else 0)
        for name, (values, reduce) in of_copies.items()
    }
    numbers["turn_played"] = np.where(numbers["turn_played"] < _NEVER, numbers["turn_played"], 0)
    return pd.DataFrame(
        {
            "game": games["game"][row],
            "player": player,
            "card_id": np.array(card_ids, object)[met.card],
            "policy": names[player],
            "opponent_policy": names[opponent],
            "went_first": games["first_player"][row] == player,
            "copies": copies,
            **met.selections(),
            **numbers,
            "turns": games["turns"][row],
            "ending": _ENDINGS[games["ending"][row]],
            "life": games["life"][row, player],
            "opponent_life": games["life"][row, opponent],
            "mindbugs": games["mindbugs"][row, player].astype(np.int32),
            "opponent_mindbugs": games["mindbugs"][row, opponent].astype(np.int32),
            "score": _scores(games, met),
        }
    )


def plays_of(games: np.ndarray) -> pd.DataFrame:
    """Every play of a card in decided games: its row number, game, player, turns and result.

    A play tells most if its player won on their next turn, or lost on the opponent's: ``away`` says
    how many turns from that the game ended.
    """
    games = games[games["winner"] >= 0]
    bits = np.uint64(1) << np.arange(DEALT, dtype=np.uint64)
    # Axes: game, player, slot.
    is_played = (games["played"][:, :, None] & bits != 0) & (games["turn_played"] > 0)[:, None, :]
    game, player, slot = np.nonzero(is_played)
    plays = pd.DataFrame(
        {
            "card": games["cards"][game, slot].astype(int),
            "game": games["game"][game].astype(int),
            "player": player,
            "turn_played": games["turn_played"][game, slot].astype(int),
            "turns": games["turns"][game].astype(int),
            "won": games["winner"][game] == player,
        }
    )
    telling = np.where(plays["won"], _WON_AFTER, _LOST_AFTER)
    return plays.assign(away=(plays["turns"] - plays["turn_played"] - telling).abs())


class _Meetings(NamedTuple):
    """The pairs of a player and a card that met in a game, in the order game, player, card.

    ``row`` is the row of the game, ``card`` that of the card table, ``fate`` has bit v set for
    selection v; these and ``player`` are of shape (n_pairs,).  ``pair`` says which card of which
    game it is: the slots of a game sorted by card are ``order``, shape (n_games, n_slots), and
    ``starts`` are the places in it, flattened, where another card begins.
    """

    order: np.ndarray
    starts: np.ndarray
    pair: np.ndarray
    player: np.ndarray
    row: np.ndarray
    card: np.ndarray
    fate: np.ndarray

    @classmethod
    def of(cls, games: np.ndarray) -> "_Meetings":
        """The meetings of some games."""
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
        row, card = starts[pair] // n_slots, cards.ravel()[starts[pair]]
        return cls(order, starts, pair, player, row, card, fates[pair, player])

    def selections(self) -> dict[str, np.ndarray]:
        """A boolean for each selection."""
        found = {name: self.fate >> bit & 1 == 1 for bit, name in enumerate(SELECTION_NAMES)}
        found["not_drawn"] &= ~found["drawn"]
        return found

    def of_copies(self, values: np.ndarray, reduce: np.ufunc, nothing: int) -> np.ndarray:
        """What ``reduce`` makes of some numbers of the copies that were dealt to the player.

        ``values`` has shape (n_games, 20), by slot; ``nothing`` stands for no copy.
        """
        found = np.empty((len(self.starts), 2), np.int16)
        for player in (0, 1):
            dealt = slice(DEALT_EACH * player, DEALT_EACH * (player + 1))
            by_slot = np.full(self.order.shape, nothing, np.int16)
            by_slot[:, dealt] = values[:, dealt]
            ordered = np.take_along_axis(by_slot, self.order, axis=1).ravel()
            found[:, player] = reduce.reduceat(ordered, self.starts) if len(self.starts) else 0
        return found[self.pair, self.player]


def _scores(games: np.ndarray, met: _Meetings) -> np.ndarray:
    """The score of the player of each meeting."""
    winner = games["winner"][met.row]
    return np.where(winner < 0, 0.5, winner == met.player)


def _fates(games: np.ndarray, player: int, order: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Bit v: a copy is in selection v for ``player``; one uint8 for each card of each game.

    ``order`` and ``starts`` are those of `_Meetings`.  ``not_drawn`` is said of every copy dealt:
    whether the player drew another copy is not known here.
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
