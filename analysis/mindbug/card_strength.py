"""The table ``cards``: how each card fares in every selection, and what it is worth."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.estimates import (
    MIN_GAMES_OF_MEAN,
    Estimate,
    RatioSums,
    estimate_difference,
    estimate_mean,
    estimate_rate,
    interval_columns,
)
from analysis.mindbug import tallies
from analysis.mindbug.selections import MEASURES, POLICY, SELECTION_NAMES, selection_columns
from analysis.mindbug.tallies import N_BITS, N_OUTCOMES, N_PATTERNS, SCORES, Tally
from analysis.registry import Table, q_value, with_ends, with_interval
from analysis.simultaneous import together
from analysis.verdicts import MEANINGS, NARROWER, band_with_draws, judge
from card_data.mindbug.schema import Card

#: For what the intervals of advantages hold together.
FAMILY = "all cards of the policy"
#: For each result of a player, who has it at which outcome: (player, outcome).
RESULTS = {
    "won": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    "draw": np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]),
    "lost": np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
}

Cells = tuple[np.ndarray, np.ndarray]  # observations in a game of each cell, and their total


def cards_table(
    tally: Tally, pool: Sequence[tuple[str, Card]], policies: Sequence[str]
) -> pd.DataFrame:
    """One row per card and policy; see `CARDS`.

    ``pool[i]`` is the set id and the card with row number i in the records.  Later stages of an
    evolution line are never dealt and have no row (R101).
    """
    dealt = [row for row, (_, card) in enumerate(pool) if card.stage == 1]
    tables = []
    for group, (policy, players) in enumerate(tallies.groups(policies)):
        facts = [
            {
                "card_id": card.card_id,
                "name": card.name,
                "set_id": set_id,
                "power": card.power,
                "keywords": " ".join(keyword.name for keyword in sorted(card.keywords)),
                "copies": card.copies,
                "policy": policy,
            }
            for set_id, card in pool
        ]
        numbers = pd.DataFrame(_numbers(tally, group, players))
        band = band_with_draws(draws(numbers))
        verdicts = judge(together(_advantage(tally, players)), band=band)
        table = pd.concat([pd.DataFrame(facts), numbers, verdicts], axis="columns")
        tables.append(table.iloc[dealt])
    return pd.concat(tables, ignore_index=True)


def draws(cards: pd.DataFrame) -> float:
    """The share of the games of players dealt these cards that had no winner."""
    drawn = (cards["dealt_draw_rate"] * cards["dealt_n"]).sum()
    return float(drawn / max(cards["dealt_n"].sum(), 1))


def rate_columns(name: str, estimates: Estimate) -> dict[str, np.ndarray]:
    """The four columns of one selection."""
    n, columns = np.asarray(estimates.n).astype(np.int64)[()], interval_columns(name, estimates)
    return {f"{name}_n": n, f"{name}_win_rate": columns.pop(name), **columns}


def selection_members() -> dict[str, np.ndarray]:
    """Which patterns belong to each selection, as arrays of shape (2 players, n_patterns)."""
    mine = np.arange(N_PATTERNS) >> (N_BITS * np.arange(2)[:, None])
    dealt, drawn = mine & tallies.DEALT > 0, mine & tallies.DRAWN > 0
    played, taken = mine & tallies.PLAYED > 0, mine & tallies.TAKEN > 0
    members = (dealt, drawn, dealt & ~drawn, played, taken, taken[::-1], played | taken)
    return dict(zip(SELECTION_NAMES, members, strict=True))


def _numbers(tally: Tally, group: int, players: Sequence[int]) -> dict[str, np.ndarray]:
    """All columns of estimates for one group of players, arrays of shape (n_cards,)."""
    counts = tally.patterns.reshape(len(tally.patterns), -1)
    members = selection_members()
    selections = {name: _scores(member, players) for name, member in members.items()}
    columns: dict[str, np.ndarray] = {}
    for name, cells in selections.items():
        columns |= rate_columns(name, estimate_rate(RatioSums.of_cells(counts, *cells)))
    difference = estimate_difference(counts, selections["drawn"], selections["not_drawn"])
    columns |= interval_columns("drawn_minus_not_drawn", difference)
    plays = RatioSums(*tally.mindbugs[group].T)
    thefts = estimate_rate(plays, together=max(int(np.count_nonzero(plays.n)), 1))
    columns["mindbug_n"] = thefts.n.astype(np.int64)
    columns |= interval_columns("mindbug_rate", thefts)
    dead = estimate_rate(RatioSums.of_cells(counts, *_dead(members["drawn"], players)))
    columns |= interval_columns("dead_rate", dead)
    turn = estimate_mean(RatioSums(*tally.turns_played[group].T))
    columns |= interval_columns("mean_turn_played", turn)
    for result, points in RESULTS.items():
        shares = RatioSums.of_cells(counts, *_scores(members["dealt"], players, points=points))
        columns |= interval_columns(f"dealt_{result}_rate", estimate_rate(shares))
    advantage = _advantage(tally, players)
    columns |= interval_columns("advantage", together(advantage))
    return columns | {"std_err": advantage.std_err}


def _advantage(tally: Tally, players: Sequence[int]) -> Estimate:
    """Win rate of those dealt the card minus that of all player-games of the same policy.

    When both players are in the group the latter is one half in every game, without any error.
    """
    counts = tally.patterns.reshape(len(tally.patterns), -1)
    everyone = np.ones((2, N_PATTERNS), bool)
    return estimate_difference(
        counts,
        _scores(selection_members()["dealt"], players),
        _scores(everyone, players),
    )


def _scores(member: np.ndarray, players: Sequence[int], points: np.ndarray = SCORES) -> Cells:
    """Player-games in a selection and their ``points``, of (player, outcome).

    Both are for each (outcome, pattern).
    """
    chosen = list(players)
    n = np.tile(member[chosen].sum(axis=0), N_OUTCOMES).astype(float)
    score = np.einsum("po,pb->ob", points[chosen], member[chosen].astype(float))
    return n, score.ravel()


def _dead(drawn: np.ndarray, players: Sequence[int]) -> Cells:
    """Player-games that drew the card, and those of them that never played it."""
    chosen = list(players)
    used = np.arange(N_PATTERNS) >> (N_BITS * np.arange(2)[:, None]) & tallies.USED > 0
    n, dead = drawn[chosen].sum(axis=0), (drawn & ~used)[chosen].sum(axis=0)
    return np.tile(n, N_OUTCOMES).astype(float), np.tile(dead, N_OUTCOMES).astype(float)


CARDS = Table(
    "cards",
    "One row per card and policy",
    {
        "card_id": "the card",
        "name": "its printed name",
        "set_id": "the set that it belongs to",
        "power": "printed power",
        "keywords": "printed keywords, separated by spaces",
        "copies": "copies in the pool",
        "policy": POLICY,
        **selection_columns("player-games in which"),
        **with_interval("drawn_minus_not_drawn", MEASURES["drawn_minus_not_drawn"]),
        "mindbug_n": "plays of the card from hand with a Mindbug available to the opponent; for "
        "two policies, plays of the cards dealt to this policy's player",
        **with_interval("mindbug_rate", MEASURES["mindbug_rate"], FAMILY),
        **with_interval("dead_rate", MEASURES["dead_rate"]),
        **with_interval(
            "mean_turn_played",
            f"{MEASURES['mean_turn_played']} The interval is missing for fewer than "
            f"{MIN_GAMES_OF_MEAN} games",
        ),
        **with_interval("dealt_won_rate", "share of the player-games in `dealt` that were won"),
        **with_interval("dealt_draw_rate", "share of them that had no winner"),
        **with_interval("dealt_lost_rate", "share of them that were lost"),
        **with_interval("advantage", MEASURES["advantage"], FAMILY),
        "std_err": "standard error of `advantage`, of the card by itself",
        "p_value": "probability of an advantage at least this large if the truth is zero",
        "q_value": q_value("cards"),
        "band": f"half the width of the band of `verdict`, around zero{NARROWER}",
        "verdict": f"{MEANINGS}. The interval is that of `advantage`; pages show it around the "
        "average, beside `dealt_win_rate`, whose own interval is of the card by itself",
    },
    make=lambda run: cards_table(run.tally, run.cards, run.policies),
    differences=("advantage", "drawn_minus_not_drawn"),
    json_columns=(
        *("card_id", "name", "set_id", "policy", "dealt_n", "dealt_win_rate"),
        *(*with_ends("advantage"), "mindbug_n", *with_ends("mindbug_rate")),
        *("q_value", "band", "verdict"),
    ),
)
