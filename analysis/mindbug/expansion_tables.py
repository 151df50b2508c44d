"""Tables on expansion features; a feature that the pool lacks has no rows.

Cards are dealt at random, so the *effect* of a set is what its cards are worth: by how much a
player's win rate rises when one of their ten cards comes from this set instead of another.  It is
the slope b of a regression whose rows are games,

    score of player 0 - 1/2 = a + b (n_0 - n_1) + error,

where n_p is the number of cards of the set dealt to player p.  Each set has a regression of its
own, with robust standard errors (HC1); two policies have a slope each.  Stages and power cards are
not dealt: players reach and buy them during the game, so their win rates are observed, not caused.

Pearson's chi-square test with 5 degrees of freedom [1]_ compares a die with six equally likely
faces.  The number of dice in a game depends on how the game goes, but the faces of each roll are
equally likely whatever happened before it.  So the surpluses of the faces add up like those of
independent dice, and the test holds.  It does not hold, and is not made, where players choose
rerolls.

References
----------
.. [1] K. Pearson, "On the criterion that a given system of deviations ...", Philosophical Magazine
   50 (1900), 157-175.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import chdtrc

from analysis.estimates import (
    Estimate,
    RatioSums,
    estimate_rate,
    estimate_seen,
    estimate_share,
    interval_columns,
)
from analysis.mindbug import tallies
from analysis.mindbug.card_strength import rate_columns
from analysis.mindbug.expansion_tallies import (
    COUNTED,
    STAGE_SELECTIONS,
    ExpansionFeatures,
    ExpansionTally,
)
from analysis.mindbug.selections import (
    BOTH,
    OBSERVED,
    OPEN_POINTS,
    PER_GAME,
    POLICY,
    SCORE,
    SEEN,
    SELECTION_NAMES,
    SELECTIONS,
    STAGES,
    by_card_columns,
)
from analysis.mindbug.summary import policy_label
from analysis.mindbug.tallies import N_HELD, N_OUTCOMES, SCORES
from analysis.registry import HIGH, LOW, Table, with_interval
from simcore.mindbug.rules.dice import FACES

#: The policy whose rerolls leave every face equally likely (R114).
_RANDOM = "random"


def sets_table(
    tally: ExpansionTally, features: ExpansionFeatures, policies: Sequence[str]
) -> pd.DataFrame:
    """One row per set and policy, for a pool of several sets."""
    rows = []
    for group, (policy, players) in enumerate(tallies.groups(policies)):
        for counts, card_set in zip(tally.sets, features.pool.sets, strict=False):
            cards = [card for card in card_set.cards if card.stage == 1]
            row: dict[str, object] = {
                "set_id": card_set.set_id,
                "name": card_set.name,
                "policy": policy,
                "n_cards": len(cards),
                "copies": sum(card.copies for card in cards),
            }
            for selection, name in enumerate(SELECTION_NAMES):
                row |= rate_columns(name, _rate_by_card(counts[selection], players))
            effect = _effect_of_one_more(counts[0], group, len(set(policies)) == 1)
            rows.append(row | interval_columns("effect", effect))
    return SETS.frame(rows)


def stages_table(
    tally: ExpansionTally, features: ExpansionFeatures, policies: Sequence[str]
) -> pd.DataFrame:
    """One row per evolution line, policy and highest stage in play; several end in all lines."""
    rows = []
    for group, (policy, players) in enumerate(tallies.groups(policies)):
        for row, (facts, stages) in enumerate(_lines(features)):
            shares = estimate_rate(RatioSums(*tally.stage_shares[group, row].T))
            for stage, stage_name in enumerate(stages):
                counts = tally.stages[row, :, stage]
                entry = facts | {"policy": policy, "stage": stage, "stage_name": stage_name}
                entry |= interval_columns("share", shares.at(stage))
                for selection, name in enumerate(STAGE_SELECTIONS):
                    entry |= rate_columns(name, _rate_by_card(counts[selection], players))
                rows.append(entry)
    return STAGES_REACHED.frame(rows)


def dice_table(
    tally: ExpansionTally, features: ExpansionFeatures, policies: Sequence[str]
) -> pd.DataFrame:
    """One row per face of the die."""
    if "dice" not in features.quantities:
        return DICE.frame([])
    sums = RatioSums(*tally.dice.T)
    shares = estimate_rate(sums)
    chi_square, p_value = np.nan, np.nan
    if set(policies) == {_RANDOM} and sums.n[0] > 0:
        expected = sums.n / len(FACES)
        chi_square = float(((sums.s - expected) ** 2 / expected).sum())
        p_value = float(chdtrc(len(FACES) - 1, chi_square))
    rows = []
    for number, face in enumerate(FACES):
        rows.append(
            {
                "face": face,
                "policy": policy_label(policies),
                "dice": int(sums.n[number]),
                "results": int(sums.s[number]),
                **interval_columns("share", shares.at(number)),
                "expected": 1 / len(FACES),
                "chi_square": chi_square,
                "p_value": p_value,
            }
        )
    return DICE.frame(rows)


def power_cards_table(
    tally: ExpansionTally, features: ExpansionFeatures, policies: Sequence[str]
) -> pd.DataFrame:
    """One row per power card and policy."""
    rows = []
    for policy, players in tallies.groups(policies):
        bought, score = _held(players, 2)
        everyone = np.full(bought.shape, len(players))
        for (set_id, card), counts in zip(features.power_cards, tally.power_cards, strict=True):
            share = estimate_rate(RatioSums.of_cells(counts.ravel(), everyone, bought))
            rate = estimate_rate(RatioSums.of_cells(counts.ravel(), bought, score))
            rows.append(
                {
                    "card_id": card.card_id,
                    "name": card.name,
                    "set_id": set_id,
                    "cost": card.cost,
                    "copies": card.copies,
                    "policy": policy,
                    **interval_columns("bought_share", share),
                    **rate_columns("bought", rate),
                }
            )
    return POWER_CARDS.frame(rows)


def per_game_table(
    tally: ExpansionTally, features: ExpansionFeatures, policies: Sequence[str]
) -> pd.DataFrame:
    """One row per quantity that the pool has and number that occurred in a game."""
    rows = []
    for quantity in features.quantities:
        counts = tally.per_game[COUNTED.index(quantity)]
        shares = estimate_seen(counts, counts.sum())
        rows += [
            {
                "quantity": quantity,
                "policy": policy_label(policies),
                "number": int(number),
                "n_games": int(counts[number]),
                **interval_columns("share", shares.at(number)),
            }
            for number in np.flatnonzero(counts)
        ]
    return NUMBERS_PER_GAME.frame(rows)


def open_points_table(
    tally: ExpansionTally, _: ExpansionFeatures, policies: Sequence[str]
) -> pd.DataFrame:
    """One row per open point of the rules text that the engine marks."""
    n_games = int(tally.games)
    rows = []
    for point, meaning in OPEN_POINTS.items():
        share = estimate_share(tally.open_points[point], n_games)
        rows.append(
            {
                "open_point": f"O{point}",
                "policy": policy_label(policies),
                "meaning": meaning,
                "n_games": n_games,
                "came_up": int(tally.open_points[point]),
                **interval_columns("share", share),
            }
        )
    return OPEN_POINT_COUNTS.frame(rows)


class _Line(NamedTuple):
    """An evolution line, or all together, and the words for its stages."""

    facts: dict[str, object]
    stages: Sequence[str]


def _lines(features: ExpansionFeatures) -> Iterator[_Line]:
    """Each evolution line, at last all of them together where there are several."""
    most = 0
    for line in features.lines:
        set_id, card = features.cards[line]
        facts: dict[str, object] = {"card_id": card.card_id, "name": card.name, "set_id": set_id}
        stages = [STAGES[0], *features.stages(line)]
        most = max(most, len(stages))
        yield _Line(facts, stages)
    if len(features.lines) > 1:
        yield _Line({"card_id": "", "name": "all lines", "set_id": ""}, STAGES[:most])


def _rate_by_card(counts: np.ndarray, players: Sequence[int]) -> Estimate:
    """Win rate of some players, counted once for each card; ``counts`` is (outcome, n_0, n_1)."""
    return estimate_rate(RatioSums.of_cells(counts.ravel(), *_held(players, N_HELD)))


def _held(players: Sequence[int], n_numbers: int) -> tuple[np.ndarray, np.ndarray]:
    """What some players hold in each cell (outcome, n_0, n_1), and their score, once for each."""
    held = np.indices((N_OUTCOMES, n_numbers, n_numbers))[1:].reshape(2, -1)  # (player, cell)
    scores = np.repeat(SCORES, n_numbers**2, axis=1)
    chosen = list(players)
    return held[chosen].sum(axis=0), (held[chosen] * scores[chosen]).sum(axis=0)


def _effect_of_one_more(counts: np.ndarray, group: int, same_policy: bool) -> Estimate:
    """How the score of the group's player rises with their number of cards; see the module.

    ``counts`` is (outcome, n_0, n_1).  nan for a number that never varies.
    """
    cells = np.flatnonzero(counts)
    weight = counts.ravel()[cells].astype(float)
    outcome, *held = np.unravel_index(cells, counts.shape)
    numbers = [held[0] - held[1]] if same_policy else held
    design = np.column_stack([np.ones(len(cells)), *numbers])
    score, n_games = SCORES[0, outcome], weight.sum()
    gram = design.T @ (design * weight[:, None])
    n_free = n_games - design.shape[1]
    if n_free <= 0 or np.linalg.matrix_rank(gram) < len(gram):
        return Estimate.normal(np.nan, np.nan, n_games)
    inverse = np.linalg.inv(gram)
    coefficients = inverse @ (design.T @ (weight * score))
    residuals = score - design @ coefficients
    meat = design.T @ (design * (weight * residuals**2)[:, None])
    std_err = np.sqrt(np.diag(inverse @ meat @ inverse * n_games / n_free))[1 + group]
    effect = (1 if group == 0 else -1) * coefficients[1 + group]
    return Estimate.normal(effect, std_err, n_games)


SETS = Table(
    "sets",
    "One row per set and policy",
    {
        "set_id": "the set",
        "name": "its printed name",
        "policy": POLICY,
        "n_cards": "different cards of the set in the pool",
        "copies": "copies of them in the pool",
        **by_card_columns("cards of the set", [selection.name for selection in SELECTIONS]),
        **with_interval(
            "effect",
            "by how much the win rate differs when one of the ten cards dealt to the player is a "
            "card of this set instead of one of the other sets; cards are dealt at random",
        ),
    },
    note="; none for a pool of one set",
    make=lambda run: sets_table(run.expansions, run.features, run.policies),
    differences=("effect",),
    json_columns=(),
)
STAGES_REACHED = Table(
    "stages",
    "One row per evolution line, policy and stage",
    {
        "card_id": "the card with which the evolution line begins; empty for all lines together, "
        "where there are several",
        "name": "its printed name",
        "set_id": "the set that it belongs to",
        "policy": POLICY,
        "stage": "highest stage of the card in play in a game, whoever controlled it; 0 = never in "
        "play",
        "stage_name": f"the name of that stage; for all lines one of: {', '.join(STAGES)}",
        **with_interval(
            "share", "share of the cards of the line that were dealt for which it was the highest"
        ),
        **by_card_columns(
            "cards of the line that were dealt, with this highest stage,", ["dealt", "entered"]
        ),
    },
    make=lambda run: stages_table(run.expansions, run.features, run.policies),
    json_columns=(),
)
DICE = Table(
    "dice",
    "One row per face of the die",
    {
        "face": "the face of the die (R113)",
        "policy": BOTH,
        "dice": "dice rolled; rerolls are not counted again",
        "results": "dice whose last result was this face",
        **with_interval("share", "`results` per die; interval clustered by game"),
        "expected": "what the die by itself gives; a player who rerolls on purpose departs from it",
        "chi_square": "Pearson's chi-square of all faces against `expected`, the same in all rows; "
        "only where both players are random, whose rerolls favour no face",
        "p_value": "probability of a `chi_square` at least this large from a fair die (5 degrees "
        "of freedom)",
    },
    make=lambda run: dice_table(run.expansions, run.features, run.policies),
    numbers=("chi_square",),
    json_columns=(),
)
POWER_CARDS = Table(
    "power_cards",
    "One row per power card and policy",
    {
        "card_id": "the power card",
        "name": "its printed name",
        "set_id": "the set that it belongs to",
        "cost": "its cost in energy",
        "copies": "copies in the power deck",
        "policy": POLICY,
        **with_interval(
            "bought_share", "share of the player-games in which the player bought a copy"
        ),
        "bought_n": "player-games in which the player bought a copy, free ones included",
        "bought_win_rate": f"win rate of those player-games, {OBSERVED}. {SCORE}",
        "bought_ci_low": f"`bought_win_rate`: {LOW}, clustered by game",
        "bought_ci_high": f"`bought_win_rate`: {HIGH}, clustered by game",
    },
    make=lambda run: power_cards_table(run.expansions, run.features, run.policies),
    json_columns=(),
)
NUMBERS_PER_GAME = Table(
    "per_game",
    "One row per quantity and number that occurred in a game",
    {
        "quantity": "; ".join(f"{name}: {meaning}" for name, meaning in PER_GAME.items()),
        "policy": BOTH,
        "number": "a number that occurred in a game that ended by the rules",
        "n_games": "those games with this number",
        **with_interval("share", f"their share of all games that ended by the rules; {SEEN}"),
    },
    make=lambda run: per_game_table(run.expansions, run.features, run.policies),
    json_columns=(),
)
OPEN_POINT_COUNTS = Table(
    "open_points",
    "One row per open point of the rules text that is watched for",
    {
        "open_point": "number of the open point in the rules text",
        "policy": BOTH,
        "meaning": "when it is said to have come up",
        "n_games": "games played",
        "came_up": "games in which it came up",
        **with_interval("share", "share of games in which it came up"),
    },
    make=lambda run: open_points_table(run.expansions, run.features, run.policies),
    json_columns=(),
)
