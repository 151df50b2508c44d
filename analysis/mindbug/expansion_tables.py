"""Tables of what a pool has beyond plain creatures; a pool without a system has no rows for it.

Cards are dealt at random, so the *effect* of a set is what its cards are worth: by how much a
player's win rate rises when one of his ten cards is a card of this set instead of a card of the
others.  It is the slope b of a regression whose rows are games,

    score of player 0 - 1/2 = a + b (n_0 - n_1) + error,

with n_p the number of cards of the set dealt to player p and robust standard errors (HC1), each set
by itself; two policies have a slope each.  Stages reached and power cards bought are not dealt but
come about in the game, so their win rates are observed, not caused.

A die is compared with six equally likely faces by Pearson's chi-square test with 5 degrees of
freedom [1]_.  The number of dice in a game depends on how the game goes, but whatever happened
before a roll its faces are equally likely, so the surpluses of the faces add up like those of
independent dice and the test holds; where rerolls are not random it does not and is not made.

References
----------
.. [1] K. Pearson, "On the criterion that a given system of deviations ...", Philosophical Magazine
   50 (1900), 157-175.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import chi2

from analysis.estimates import (
    Estimate,
    RatioSums,
    Z,
    estimate_mean,
    estimate_rate,
    estimate_seen,
    estimate_share,
)
from analysis.mindbug import tallies
from analysis.mindbug.card_strength import interval_columns, rate_columns
from analysis.mindbug.columns import TABLES
from analysis.mindbug.expansion_tallies import COUNTED, STAGE_VIEWS, SystemTally
from analysis.mindbug.expansions import PoolSystems
from analysis.mindbug.selections import OPEN_POINTS, STAGES, VIEW_NAMES
from analysis.mindbug.summary import policy_label, summary_row
from analysis.mindbug.tallies import N_HELD, N_OUTCOMES, SCORES
from simcore.mindbug.rules.dice import FACES

#: The policy whose rerolls leave every face equally likely (R114).
_RANDOM = "random"


def system_tables(
    tally: SystemTally, systems: PoolSystems, policies: Sequence[str]
) -> dict[str, pd.DataFrame]:
    """All tables of this module by name; the columns are described in `columns.TABLES`."""
    make: dict[str, Callable[..., pd.DataFrame]] = {
        "sets": sets_table,
        "stages": stages_table,
        "dice": dice_table,
        "power_cards": power_cards_table,
        "per_game": per_game_table,
        "open_points": open_points_table,
    }
    return {name: table(tally, systems, policies) for name, table in make.items()}


def system_summary(
    tally: SystemTally, systems: PoolSystems, policies: Sequence[str]
) -> pd.DataFrame:
    """Lines of the table ``summary`` about what the pool has (`views.SYSTEM_STATISTICS`)."""
    values = np.arange(tally.per_game.shape[1])
    ones = np.ones(len(values))
    means = {
        name: estimate_mean(RatioSums.of_cells(counts, ones, values))
        for name, counts in zip(COUNTED, tally.per_game, strict=True)
    }
    rows = []
    for name in systems.quantities:
        rows.append(summary_row(f"mean_{name}", policy_label(policies), means[name]))
        if f"{name}_0" in means and len(set(policies)) > 1:
            rows += [
                summary_row(f"mean_{name}", policy, means[f"{name}_{player}"])
                for player, policy in enumerate(policies)
            ]
    return pd.DataFrame(rows)


def sets_table(tally: SystemTally, systems: PoolSystems, policies: Sequence[str]) -> pd.DataFrame:
    """One row per set and policy, for a pool of several sets."""
    rows = []
    for group, (policy, players) in enumerate(tallies.groups(policies)):
        for counts, card_set in zip(tally.sets, systems.pool.sets, strict=False):
            cards = [card for card in card_set.cards if card.stage == 1]
            row: dict[str, object] = {
                "set_id": card_set.set_id,
                "name": card_set.name,
                "policy": policy,
                "n_cards": len(cards),
                "copies": sum(card.copies for card in cards),
            }
            for view, name in enumerate(VIEW_NAMES):
                row |= _plain(rate_columns(name, _rate_by_card(counts[view], players)))
            effect = _effect_of_one_more(counts[0], group, len(set(policies)) == 1)
            rows.append(row | _plain(interval_columns("effect", effect)))
    return _table("sets", rows)


def stages_table(tally: SystemTally, systems: PoolSystems, policies: Sequence[str]) -> pd.DataFrame:
    """One row per evolution line, policy and highest stage in play; several end in all lines."""
    rows = []
    for group, (policy, players) in enumerate(tallies.groups(policies)):
        for row, (facts, stages) in enumerate(_lines(systems)):
            shares = estimate_rate(RatioSums(*tally.stage_shares[group, row].T))
            for stage, stage_name in enumerate(stages):
                counts = tally.stages[row, :, stage]
                entry = facts | {"policy": policy, "stage": stage, "stage_name": stage_name}
                share = Estimate(*(values[stage] for values in shares))
                entry |= _plain(interval_columns("share", share))
                for view, name in enumerate(STAGE_VIEWS):
                    entry |= _plain(rate_columns(name, _rate_by_card(counts[view], players)))
                rows.append(entry)
    return _table("stages", rows)


def dice_table(tally: SystemTally, systems: PoolSystems, policies: Sequence[str]) -> pd.DataFrame:
    """One row per face of the die."""
    if "dice" not in systems.quantities:
        return _table("dice", [])
    sums = RatioSums(*tally.dice.T)
    shares = estimate_rate(sums)
    chi_square, p_value = np.nan, np.nan
    if set(policies) == {_RANDOM} and sums.n[0] > 0:
        expected = sums.n / len(FACES)
        chi_square = float(((sums.s - expected) ** 2 / expected).sum())
        p_value = float(chi2.sf(chi_square, len(FACES) - 1))
    rows = []
    for number, face in enumerate(FACES):
        share = Estimate(*(values[number] for values in shares))
        rows.append(
            {
                "face": face,
                "policy": policy_label(policies),
                "dice": int(sums.n[number]),
                "results": int(sums.s[number]),
                **_plain(interval_columns("share", share)),
                "expected": 1 / len(FACES),
                "chi_square": chi_square,
                "p_value": p_value,
            }
        )
    return _table("dice", rows)


def power_cards_table(
    tally: SystemTally, systems: PoolSystems, policies: Sequence[str]
) -> pd.DataFrame:
    """One row per power card and policy."""
    held = np.indices((N_OUTCOMES, 2, 2))[1:].reshape(2, -1)  # (player, cell)
    scores = np.repeat(SCORES, 4, axis=1)
    rows = []
    for policy, players in tallies.groups(policies):
        chosen = list(players)
        bought = held[chosen].sum(axis=0)
        everyone = np.full(bought.shape, len(chosen))
        score = (held[chosen] * scores[chosen]).sum(axis=0)
        for (set_id, card), counts in zip(systems.power_cards, tally.power_cards, strict=True):
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
                    **_plain(interval_columns("bought_share", share)),
                    **_plain(rate_columns("bought", rate)),
                }
            )
    return _table("power_cards", rows)


def per_game_table(
    tally: SystemTally, systems: PoolSystems, policies: Sequence[str]
) -> pd.DataFrame:
    """One row per quantity that the pool has and number that occurred in a game."""
    rows = []
    for quantity in systems.quantities:
        counts = tally.per_game[COUNTED.index(quantity)]
        shares = estimate_seen(counts, counts.sum())
        for number in np.flatnonzero(counts):
            share = Estimate(*(values[number] for values in shares))
            rows.append(
                {
                    "quantity": quantity,
                    "policy": policy_label(policies),
                    "number": int(number),
                    "n_games": int(counts[number]),
                    **_plain(interval_columns("share", share)),
                }
            )
    return _table("per_game", rows)


def open_points_table(tally: SystemTally, _: PoolSystems, policies: Sequence[str]) -> pd.DataFrame:
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
                **_plain(interval_columns("share", share)),
            }
        )
    return _table("open_points", rows)


class _Line(NamedTuple):
    """An evolution line, or all together, and the words for its stages."""

    facts: dict[str, object]
    stages: Sequence[str]


def _lines(systems: PoolSystems) -> Iterator[_Line]:
    """Each evolution line, at last all of them together where there are several."""
    most = 0
    for line in systems.lines:
        set_id, card = systems.cards[line]
        facts: dict[str, object] = {"card_id": card.card_id, "name": card.name, "set_id": set_id}
        stages = [STAGES[0], *systems.stages(line)]
        most = max(most, len(stages))
        yield _Line(facts, stages)
    if len(systems.lines) > 1:
        yield _Line({"card_id": "", "name": "all lines", "set_id": ""}, STAGES[:most])


def _rate_by_card(counts: np.ndarray, players: Sequence[int]) -> Estimate:
    """Win rate of some players, counted once for each card; ``counts`` is (outcome, n_0, n_1)."""
    held = np.indices((N_OUTCOMES, N_HELD, N_HELD))[1:].reshape(2, -1)  # (player, cell)
    scores = np.repeat(SCORES, N_HELD * N_HELD, axis=1)
    chosen = list(players)
    n, s = held[chosen].sum(axis=0), (held[chosen] * scores[chosen]).sum(axis=0)
    return estimate_rate(RatioSums.of_cells(counts.ravel(), n, s))


def _effect_of_one_more(counts: np.ndarray, group: int, same_policy: bool) -> Estimate:
    """Slope of the score of the group's player on his number of cards; see the module.

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
        unknown = np.array(np.nan)
        return Estimate(unknown, unknown, unknown, unknown, np.array(n_games))
    inverse = np.linalg.inv(gram)
    coefficients = inverse @ (design.T @ (weight * score))
    residuals = score - design @ coefficients
    meat = design.T @ (design * (weight * residuals**2)[:, None])
    std_err = np.sqrt(np.diag(inverse @ meat @ inverse * n_games / n_free))[1 + group]
    effect = (1 if group == 0 else -1) * coefficients[1 + group]
    reach = Z * std_err
    return Estimate(effect, effect - reach, effect + reach, std_err, np.array(n_games))


def _plain(columns: dict[str, np.ndarray]) -> dict[str, object]:
    """Columns of one row as plain numbers."""
    return {name: np.asarray(value).item() for name, value in columns.items()}


def _table(name: str, rows: list[dict[str, object]]) -> pd.DataFrame:
    """Rows as the table of that name, with all its columns even where there are no rows."""
    return pd.DataFrame(rows, columns=list(TABLES[name]))
