"""What a rule that ends a run of Mindbug watches: win rates of cards, or of who starts.

The rule itself, and why its intervals hold, is in `analysis.stopping`.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from attrs import frozen

from analysis import stopping
from analysis.estimates import RatioSums
from analysis.mindbug.tallies import DEALT, N_BITS, N_OUTCOMES, N_PATTERNS, SCORES, Tally, groups
from analysis.stopping import GoalError, Promise, Watched, interval_ends
from analysis.verdicts import verdicts
from card_data.faults import did_you_mean
from card_data.mindbug.schema import Card
from simcore.mindbug.table.records import DEALT_EACH

#: What can be asked for besides one card by its id; the first is usual.
CARDS, FIRST_PLAYER = "cards", "first_player"

# Who was dealt the card in a game: player 0, player 1, both; 0 is nobody.
_N_DEALT = 4
_BLOCK = 8_192


def dealt_cells(players: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Player-games dealt a card and their score in a game of each cell (outcome, who was dealt it).

    ``players`` are those that are counted.  Two arrays of shape (12,).
    """
    dealt = np.arange(_N_DEALT) >> np.arange(2)[:, None] & 1  # (player, who)
    chosen = list(players)
    n = np.tile(dealt[chosen].sum(axis=0), N_OUTCOMES)
    score = np.einsum("po,pw->ow", SCORES[chosen], dealt[chosen].astype(float))
    return n.astype(float), score.ravel()


@frozen
class PlayUntil(stopping.PlayUntil):
    """The run ends when the win rates of all cards, of one, or of who starts are known.

    ``goal.of`` is ``cards`` (each of them), ``first_player`` or the id of a card; ``cards`` are
    those of the records, in their order.  Raises GoalError for a goal that is about
    none of the cards.
    """

    usual = CARDS

    cards: Sequence[Card]
    policies: Sequence[str]

    def __attrs_post_init__(self) -> None:
        dealt = {card.card_id: card for card in self.cards if card.stage == 1}
        if self.of in {CARDS, FIRST_PLAYER} or self.of in dealt:
            return
        if self.of in {card.card_id for card in self.cards}:
            raise GoalError(f"'{self.of}' is never dealt: it is a later stage of another card")
        raise GoalError(
            f"'{self.of}' is neither {FIRST_PLAYER} nor the id of a card that is played here"
            + did_you_mean(self.of, [*dealt, CARDS, FIRST_PLAYER], "")
        )

    @property
    def watched(self) -> Sequence[Watched]:
        """The win rate of the player who starts, or those of cards, by policy."""
        if self.of == FIRST_PLAYER:
            return [Watched(FIRST_PLAYER, "the player who starts", "")]
        return [
            Watched(self.cards[row].card_id, self.cards[row].name, policy)
            for policy, _ in groups(self.policies)
            for row in self._rows
        ]

    def count(self, records: np.ndarray) -> np.ndarray:
        """Games by card, outcome and who was dealt it, then games by first player and outcome."""
        n_cards = len(self.cards)
        counts = np.zeros(n_cards * N_OUTCOMES * _N_DEALT, np.int64)
        seats = np.zeros(2 * N_OUTCOMES, np.int64)
        for start in range(0, len(records), _BLOCK):
            games = records[start : start + _BLOCK]
            winner = games["winner"].astype(np.int64)
            outcome = np.where(winner < 0, 1, 2 * winner)
            seats += np.bincount(games["first_player"] * N_OUTCOMES + outcome, minlength=len(seats))
            dealt = np.zeros((len(games), n_cards), np.uint8)
            each = np.arange(len(games))[:, None]
            dealt[each, games["cards"][:, :DEALT_EACH]] = 1
            dealt[each, games["cards"][:, DEALT_EACH:]] |= 2
            place = np.flatnonzero(dealt)
            game, card = np.divmod(place, n_cards)
            cell = (card * N_OUTCOMES + outcome[game]) * _N_DEALT + dealt.ravel()[place]
            counts += np.bincount(cell, minlength=len(counts))
        return np.concatenate([counts, seats])

    def rates(self, sums: np.ndarray) -> RatioSums:
        """The sums of all that is watched, from those of `count`."""
        by_card = sums[: -2 * N_OUTCOMES].reshape(len(self.cards), -1)
        by_seat = sums[-2 * N_OUTCOMES :]
        if self.of == FIRST_PLAYER:
            return RatioSums.of_cells(by_seat[None], np.ones(2 * N_OUTCOMES), SCORES.ravel())
        parts = [
            RatioSums.of_cells(by_card[self._rows], *dealt_cells(players))
            for _, players in groups(self.policies)
        ]
        return RatioSums(*map(np.concatenate, zip(*parts, strict=True)))

    def restate(
        self, tables: Mapping[str, pd.DataFrame], tally: Tally, promise: Promise | None = None
    ) -> dict[str, pd.DataFrame]:
        """The tables with the intervals of the rule wherever something was watched.

        That is ``dealt`` of cards, and with it ``advantage`` where both players follow the same
        policy; or the win rate of the player who starts.  All other intervals are as they were.
        """
        known = self.known(self._sums_of(tally), promise)
        tables = dict(tables)
        if self.of == FIRST_PLAYER:
            rate, reach = float(known.rate[0]), float(known.half_width[0])
            summary = tables["summary"].copy()
            row = summary["statistic"] == "first_player_win_rate"
            summary.loc[row, ["ci_low", "ci_high"]] = interval_ends(rate, reach)
            tables["summary"] = summary
            if len(tables["first_player"]) == 1:
                low, high = interval_ends(rate, reach)
                tables["first_player"] = tables["first_player"].assign(ci_low=low, ci_high=high)
            return tables
        cards = tables["cards"].copy()
        for watched, rate, reach in zip(self.watched, known.rate, known.half_width, strict=True):
            if not math.isfinite(reach):
                continue
            row = (cards["card_id"] == watched.key) & (cards["policy"] == watched.policy)
            low, high = interval_ends(rate, reach)
            cards.loc[row, ["dealt_ci_low", "dealt_ci_high"]] = low, high
            if self.policies[0] == self.policies[1]:
                ends = low - 0.5, high - 0.5
                cards.loc[row, ["advantage_ci_low", "advantage_ci_high"]] = ends
            band = cards.loc[row, "band"].to_numpy()
            joint = [cards.loc[row, f"advantage_ci_{end}"].to_numpy() for end in ("low", "high")]
            cards.loc[row, "verdict"] = verdicts(*joint, band=band)
        tables["cards"] = cards
        return tables

    @property
    def _rows(self) -> list[int]:
        """The rows of the cards that are watched."""
        return [
            row
            for row, card in enumerate(self.cards)
            if card.stage == 1 and self.of in {CARDS, card.card_id}
        ]

    def _sums_of(self, tally: Tally) -> np.ndarray:
        """What `count` gives for the games of a tally, but for the games without the card."""
        pattern = np.arange(N_PATTERNS)
        who = (pattern & DEALT) // DEALT + 2 * (pattern >> N_BITS & DEALT) // DEALT
        cells = [tally.patterns[:, :, who == number].sum(axis=2) for number in range(_N_DEALT)]
        by_seat = tally.games.sum(axis=(0, 3))
        return np.concatenate([np.stack(cells, axis=2).ravel(), by_seat.ravel()])
