"""What goes with the advantage of a card, in parts that add up to it; and with what a change did.

The advantage is taken apart in three ways, the *views* (`analysis.mindbug.explain.tally`).  Each
sets a card against a *base*: the average card of the pool, or the same card before a change.

*What became of the card.*  A player-game in which it was dealt has one fate.  With the share p of a
fate and the win rate of its players less that of all players, d, the advantage is the sum of p d.
The difference between a card and the base is divided into what goes with another share and what
goes with another win rate (Kitagawa [1]_),

    p' d' - p d = (p' - p) D + p' (d' - D) + p (D - d),    D = (p d + p' d') / (p + p'),

where D is the win rate of both together, so that a fate that is rare on one side, whose win rate is
hardly known there, does no harm (Neumark [2]_).

*What happened in the game.*  Numbers of a player-game are set against its score by least squares
over all games.  A part is the slope of a number times the difference of its mean (Gelbach [3]_);
what is left is the rest.

*How the game ended.*  The share of player-games won in some way less the share lost in it; each
counts one half.

None of this is an experiment: whether a card is taken, or defeated, depends on how the game goes.

Errors come from a jackknife that leaves out one group of games at a time [4]_.  Two runs that are
compared lose the same games, so what they share cancels.

References
----------
.. [1] E. M. Kitagawa, "Components of a difference between two rates", J. Amer. Statist. Assoc. 50
   (1955), 1168-1194.
.. [2] D. Neumark, "Employers' discriminatory behavior and the estimation of wage discrimination",
   J. Human Resources 23 (1988), 279-295.
.. [3] J. B. Gelbach, "When do covariates matter? And which ones, and how much?", J. Labor Economics
   34 (2016), 509-543.
.. [4] K. M. Wolter, *Introduction to Variance Estimation*, 2nd ed., Springer 2007, chapter 4.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from analysis.confidence import confidence
from analysis.experiments.paired_sums import COMPARED
from analysis.mindbug.explain.tally import COUNTED, PARTS, SCORED, SEEN, VIEWS, PartTally
from analysis.mindbug.selections import POLICY
from analysis.mindbug.tallies import groups
from analysis.registry import Table, with_interval
from card_data.mindbug.schema import Card
from simcore.arrays import Floats, Integers

# Numbers of `COURSE` that have a slope; those that follow are about how the game ended.
_N_SLOPES = 5


class Parts(NamedTuple):
    """Numbers of each unit and part, arrays of shape (…, n_units, n_parts); see `columns`."""

    base_amount: Floats
    amount: Floats
    base_excess: Floats
    excess: Floats
    by_amount: Floats
    by_excess: Floats
    contribution: Floats


def card_parts_table(
    tally: PartTally, pool: Sequence[tuple[str, Card]], policies: Sequence[str]
) -> pd.DataFrame:
    """Each card against the average card; see `CARD_PARTS`.

    ``pool[i]`` is the set id and the card with row number i in the records; the units of the tally
    are these rows.
    """
    cards = [(card.card_id, card.name) for _, card in pool]
    base = PartTally(tally.sums[:, :, -1:], tally.moments)
    return _table(base, tally, cards, policies, CARD_PARTS)


def change_parts_table(
    base: PartTally, variant: PartTally, cards: Sequence[tuple[str, str]], policies: Sequence[str]
) -> pd.DataFrame:
    """Each unit after a change against itself before; see `CHANGE_PARTS`.

    ``cards`` are id and name of each unit.
    """
    before = PartTally(base.sums[:, :, :-1], base.moments + variant.moments)
    return _table(before, variant, cards, policies, CHANGE_PARTS, base.sums[:, :, -1:])


def _table(
    base: PartTally,
    variant: PartTally,
    cards: Sequence[tuple[str, str]],
    policies: Sequence[str],
    entry: Table,
    everyone: Integers | None = None,
) -> pd.DataFrame:
    """The parts of the units of ``variant``, against those of ``base`` or its only one.

    ``everyone`` are the sums of the average card, which say what players win on the whole.
    """
    everyone = base.sums if everyone is None else everyone
    centred, blocks = policies[0] != policies[1], []
    for group, (policy, _) in enumerate(groups(policies)):
        before, after, all_cards = (
            side[:, group] for side in (base.sums, variant.sums[:, :, :-1], everyone)
        )
        found, std_err, freedom = _estimate(before, after, all_cards, base.moments, centred=centred)
        n = after[..., SEEN].sum(axis=(0, 2))
        base_n = np.broadcast_to(before[..., SEEN].sum(axis=(0, 2)), n.shape)
        reach = stdtrit(freedom, 0.5 + confidence() / 2) * std_err
        for unit in np.flatnonzero((base_n > 0) & (n > 0)):
            card_id, name = cards[int(unit)]
            numbers = {what: values[unit] for what, values in found._asdict().items()}
            total = numbers["contribution"][: len(VIEWS[0].parts)].sum()
            blocks.append(
                pd.DataFrame(
                    {
                        "card_id": card_id,
                        "name": name,
                        "policy": policy,
                        "view": [view for view, _ in PARTS],
                        "part": [part.name for _, part in PARTS],
                        "base_n": base_n[unit],
                        "n": n[unit],
                        **numbers,
                        "contribution_ci_low": numbers["contribution"] - reach[unit],
                        "contribution_ci_high": numbers["contribution"] + reach[unit],
                        "total": total,
                    }
                )
            )
    return pd.concat(blocks, ignore_index=True) if blocks else entry.frame([])


def _estimate(
    base: Integers, variant: Integers, everyone: Integers, moments: Integers, *, centred: bool
) -> tuple[Parts, Floats, int]:
    """The parts, the standard errors of their contributions, and their degrees of freedom.

    All sums have their groups of games as the first axis.  With ``centred`` the regression has a
    constant; two players of one policy need none.
    """
    used = moments[:, 0, 0] > 0
    arrays = [side[used] for side in (base, variant, everyone, moments)]
    whole = _parts(*(side.sum(axis=0) for side in arrays), centred=centred)
    without = _parts(*(side.sum(axis=0) - side for side in arrays), centred=centred).contribution
    n = int(used.sum())
    if n < 2:
        return whole, np.full(whole.contribution.shape, np.nan), 1
    squares = (without - without.mean(axis=0)) ** 2
    return whole, np.sqrt(squares.sum(axis=0) * (n - 1) / n), n - 1


def _parts(
    base: Integers, variant: Integers, everyone: Integers, moments: Integers, *, centred: bool
) -> Parts:
    """The parts of sums of shape (…, n_units, N_SUMS); those of ``everyone`` have one unit."""
    slopes = _slopes(moments.astype(float), centred)[..., None, :]  # of each number, for the score
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = everyone[..., SCORED].sum(axis=-1) / 2 / everyone[..., SEEN].sum(axis=-1)
        shares, added, numbers, net = zip(
            *(_per_player_game(side, mean[..., None]) for side in (base, variant)), strict=True
        )
        excess = [p_d / p for p_d, p in zip(added, shares, strict=True)]
        pooled = (added[0] + added[1]) / (shares[0] + shares[1])
    by_share = np.nan_to_num((shares[1] - shares[0]) * pooled)
    fates = added[1] - added[0]
    total = fates.sum(axis=-1, keepdims=True)
    course = slopes * (numbers[1] - numbers[0])[..., :_N_SLOPES]
    rest = total - course.sum(axis=-1, keepdims=True)
    ends = [x[..., _N_SLOPES:] for x in numbers]
    endings = [
        np.concatenate([known, one - known.sum(axis=-1, keepdims=True)], axis=-1)
        for known, one in zip(ends, net, strict=True)
    ]
    ending = (endings[1] - endings[0]) / 2
    unknown, nothing = np.full(total.shape, np.nan), np.zeros_like(total)
    half = np.full(ending.shape, 0.5)

    def joined(*parts: Floats) -> Floats:
        shape = fates.shape[:-1]
        return np.concatenate([np.broadcast_to(p, (*shape, p.shape[-1])) for p in parts], axis=-1)

    return Parts(
        joined(shares[0], numbers[0][..., :_N_SLOPES], unknown, endings[0]),
        joined(shares[1], numbers[1][..., :_N_SLOPES], unknown, endings[1]),
        joined(excess[0], slopes, unknown, half),
        joined(excess[1], slopes, unknown, half),
        joined(by_share, course, nothing, ending),
        joined(fates - by_share, 0 * course, rest, 0 * ending),
        joined(fates, course, rest, ending),
    )


def _per_player_game(sums: Integers, mean: Floats) -> tuple[Floats, ...]:
    """Shares p of fates, p d, means of numbers, and the share of wins less that of losses."""
    n = sums[..., SEEN].sum(axis=-1, keepdims=True)
    seen, scored = sums[..., SEEN] / n, sums[..., SCORED] / 2 / n
    net = 2 * scored.sum(axis=-1, keepdims=True) - 1
    return seen, scored - mean * seen, sums[..., COUNTED] / n, net


def _slopes(moments: Floats, centred: bool) -> Floats:
    """What one more of each of the first five numbers goes with, in score, (…, 5)."""
    products = moments + np.swapaxes(np.triu(moments, 1), -1, -2)
    first = 0 if centred else 1
    among, outcome = products[..., first:5, first:5], products[..., first:5, 5]
    slopes = (np.linalg.pinv(among, hermitian=True) @ outcome[..., None])[..., 0][..., -4:] / 2
    return np.concatenate([slopes[..., :1], -slopes[..., :1], slopes[..., 1:]], axis=-1)


def _columns(base: str, total: str) -> dict[str, str]:
    """The columns of a table of parts; ``base`` is what a card is set against."""
    return {
        "card_id": "the card",
        "name": "its printed name",
        "policy": POLICY,
        "view": "how the total is taken apart; the parts of a view add up to it. "
        + "; ".join(f"{view.name}: {view.about}" for view in VIEWS),
        "part": "the part; the words are explained below",
        "base_n": f"player-games in which {base} was dealt",
        "n": "player-games in which the card was dealt",
        "base_amount": f"`amount` of {base}",
        "amount": "how much of the part there is, see below; missing for rest",
        "base_excess": f"`excess` of {base}",
        "excess": "of a fate: the win rate of its player-games less that of all; of a number of "
        "the course: what one more goes with, by least squares over all games (missing for rest); "
        "of an ending: one half",
        "by_amount": "what of `contribution` goes with another amount",
        "by_excess": "what of it goes with another excess; all of the rest",
        **with_interval(
            "contribution",
            "what the part adds to `total`: `by_amount` plus `by_excess`. Observed: it says what "
            "goes with the total, not what causes it",
        ),
        "total": total,
    }


_WORDS = {part.name: f"{view}: {part.amount}" for view, part in PARTS}
_SIGNED = ("base_excess", "excess", "by_amount", "by_excess", "contribution", "total")

CARD_PARTS = Table(
    "card_parts",
    "One row per card, policy and part of its advantage",
    _columns(
        "the average card (each card dealt counts, each copy by itself)",
        "the `advantage` of the card (table `cards`)",
    ),
    make=lambda run: card_parts_table(run.parts, run.cards, run.policies),
    words=_WORDS,
    differences=_SIGNED,
    json_columns=(),
)
CHANGE_PARTS = Table(
    "change_parts",
    "One row per changed card, policy and part of what changed",
    _columns("the card before the change", "the `difference` of the win rate dealt (`comparison`)"),
    where=COMPARED,
    words=_WORDS,
    differences=_SIGNED,
)
