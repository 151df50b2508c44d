"""The tables ``card_pairs`` and ``card_matchups``: what two cards do beyond what each does.

The *interaction* of two cards is a difference of differences of win rates, of four kinds of games:
both cards dealt to the player, the first alone in the game, the second alone, neither.  What either
card is worth by itself cancels out, so where all cards just add up every interaction is zero.
Cards are dealt at random, so nothing but the two cards tells the four kinds of games apart.  On
opposing sides the player has the first card and the opponent the second.

In a uniform deal the interaction is also what least squares gives for the product of the two cards
with every single card in the model [1]_ [2]_, the second-order term of the decomposition of a
statistic of a sample without replacement [3]_, so nothing is gained by fitting one.  Copies of a
card are cards of their own here, and what is reported of two cards is the mean over pairs of their
copies; a card of several copies can so be a pair with itself.

The four kinds of games have no game in common (for one pair of copies), so variances add up; only
copies make them overlap, by a share that follows from the deal (`_overlap`).  Over the pairs of a
table, p-values are corrected by Benjamini and Hochberg's method, and estimates are shrunk towards
zero by `shrinkage`.

References
----------
.. [1] R. Frisch, F. V. Waugh, "Partial time regressions as compared with individual trends",
   Econometrica 1 (1933), 387-401.
.. [2] T. Dasgupta, N. S. Pillai, D. B. Rubin, "Causal inference from 2^K factorial designs by using
   potential outcomes", J. Royal Statist. Soc. B 77 (2015), 727-753.
.. [3] M. Bloznelis, F. Gotze, "Orthogonal decomposition of finite population statistics and its
   applications to distributional asymptotics", Annals of Statistics 29 (2001), 899-917.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtri

from analysis.confidence import confidence
from analysis.estimates import adjust_p, corrected_z, interval, two_sided_p
from analysis.mindbug.pair_tallies import PairTally
from analysis.mindbug.selections import (
    BEATEN,
    BEATS,
    IN_THE_WAY,
    INTERACTION,
    NO_PAIR,
    PAIR_VERDICTS,
    POLICY,
    SCORE,
    TOGETHER,
)
from analysis.mindbug.tallies import SCORES, groups
from analysis.registry import Table, q_value, with_interval
from analysis.shrinkage import shrink
from analysis.verdicts import MIN_GAMES, NEEDS_GAMES
from card_data.mindbug.schema import Card
from simcore.mindbug.table.records import DEALT_EACH

#: Verdicts that say that there is something.
SHOWN = (TOGETHER, IN_THE_WAY, BEATS, BEATEN)
#: How often an interaction would be shown that is called detectable.
POWER = 0.8

_SCORE = SCORES[0]  # by the outcome for the player: won, drew, lost
_LEAST_OF_EACH = 10  # games won and games not won, below which variances are not known


_OTHER_WAY = {"card_a": "card_b", "card_b": "card_a", "name_a": "name_b", "name_b": "name_a"}


class _Cell(NamedTuple):
    """Mean score of some player-games and the variance of that mean, arrays of one shape."""

    n: np.ndarray
    mean: np.ndarray
    variance: np.ndarray
    varied: np.ndarray  # bool: there were enough of both outcomes

    @classmethod
    def of(cls, counts: np.ndarray) -> "_Cell":
        """The cell of counts by outcome, shape (3, ...); nan where there are less than two."""
        n = counts.sum(axis=0)
        points, squares = (np.tensordot(_SCORE**power, counts, axes=1) for power in (1, 2))
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = points / n
            variance = np.where(n > 1, (squares / n - mean**2) / (n - 1), np.nan)
        varied = (n - counts[0] >= _LEAST_OF_EACH) & (n - counts[2] >= _LEAST_OF_EACH)
        return cls(n, mean, variance, varied)


class _Seen(NamedTuple):
    """Counts of ordered pairs of copies by the outcome for the player: won, drew, lost.

    Where both cards are the same, the pairs are of two different copies.
    """

    pairs: np.ndarray  # (3, n_cards, n_cards) all there are, in all player-games
    both: np.ndarray  # of them, both with the player
    opposed: np.ndarray  # the first with the player, the second with the opponent
    first: np.ndarray  # the first with the player, the second not in the game
    second: np.ndarray  # the second with the opponent, the first not in the game
    neither: np.ndarray  # none of the two in the game

    @classmethod
    def by(cls, tally: PairTally, players: Sequence[int], copies: np.ndarray) -> "_Seen":
        """What a group of players saw; cards that are never dealt are left out."""
        n_cards, dealt = len(copies), np.flatnonzero(copies)
        ordered = tally.counts + tally.counts.transpose(0, 2, 1)
        selections = [ordered, np.roll(ordered[::-1], n_cards, axis=(1, 2))]
        seen = sum(selections[player] for player in players)
        blocks = ((dealt, dealt), (dealt, dealt + n_cards), (dealt + n_cards, dealt + n_cards))
        both, opposed, both_theirs = (
            seen[:, of_first[:, None], of_second] for of_first, of_second in blocks
        )
        others = copies[dealt] - np.eye(len(dealt), dtype=np.int64)  # copies of the second left
        mine, theirs = (opposed.sum(axis=axis)[:, :, None] // DEALT_EACH for axis in (2, 1))
        games = opposed.sum(axis=(1, 2))[:, None, None] // DEALT_EACH**2
        pairs = games * (copies[dealt][:, None] * others)
        first_dealt = (mine + theirs) * others
        both_dealt = both + both_theirs + opposed + _turn(opposed)
        return cls(
            pairs,
            both,
            opposed,
            mine * others - both - opposed,
            _turn(theirs * others - both_theirs - _turn(opposed)),
            pairs - first_dealt - _turn(first_dealt) + both_dealt,
        )


def pairs_table(
    tally: PairTally, pool: Sequence[tuple[str, Card]], policies: Sequence[str], *, opposed: bool
) -> pd.DataFrame:
    """The table `CARD_PAIRS`, or where the cards are ``opposed`` `CARD_MATCHUPS`.

    ``pool[i]`` is the set id and the card with row number i in the records.  Later stages of an
    evolution line are never dealt and have no row (R101).
    """
    copies = np.array([card.copies for _, card in pool])
    cards = [card for _, card in pool if card.copies]
    tables = [
        _table(
            _Seen.by(tally, players, copies),
            cards,
            policy,
            opposed=opposed,
            equals=len(players) == 2,
        )
        for policy, players in groups(policies)
    ]
    return pd.concat(tables, ignore_index=True)


def pairs_of(card_id: str, tables: Mapping[str, pd.DataFrame], policy: str) -> pd.DataFrame:
    """The pairs that one card is part of, the largest shrunk interaction first.

    Parameters
    ----------
    card_id
        The card.
    tables
        Those of `analysis.mindbug.analyze` with the rows of all policies, or of those the rows
        that are shown: what is shown of one policy on opposing sides is shown of the other as well.
    policy
        Whose; policies are never mixed.

    Returns
    -------
    DataFrame
        The columns of ``card_pairs``, and ``opposed``, which tells the rows of ``card_matchups``.
        ``card_a`` is the card asked for, and everything is said from its side.
    """
    found = []
    for name, opposed in (("card_pairs", False), ("card_matchups", True)):
        table = tables[name]
        complete = opposed and table["policy"].nunique() > 1  # has each pair from either side
        table = table[table["policy"] == policy]
        mine = table[table["card_a"] == card_id]
        other = table[(table["card_b"] == card_id) & (table["card_a"] != card_id)]
        other = (from_other_side(other) if opposed else other).rename(columns=_OTHER_WAY)
        rows = mine if complete else pd.concat([mine, other])
        found.append(rows.assign(opposed=opposed))
    both = pd.concat(found, ignore_index=True)
    return both.sort_values("shrunk", key=abs, ascending=False, kind="stable", ignore_index=True)


def shown_pairs(tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The tables of pairs with those alone that are shown, the strongest first.

    Of a large pool all pairs together would be many times the rest of the page.
    """
    return {
        name: tables[name][tables[name]["verdict"].isin(SHOWN)].sort_values(
            "shrunk", key=abs, ascending=False, kind="stable", ignore_index=True
        )
        for name in ("card_pairs", "card_matchups")
    }


def detectable(table: pd.DataFrame) -> float:
    """The interaction that the middle one of the pairs of a table would be shown to have.

    With a chance of `POWER` or more, at the level that the correction asks of the first pair that
    is shown.  nan where no pair was tested.
    """
    tested = table["p_value"].notna()
    if not tested.any():
        return float("nan")
    level = (1 - confidence()) / tested.sum()
    return float((ndtri(1 - level / 2) + ndtri(POWER)) * table.loc[tested, "std_err"].median())


def _table(
    seen: _Seen, cards: Sequence[Card], policy: str, *, opposed: bool, equals: bool
) -> pd.DataFrame:
    """One of the tables for one group of players; ``equals`` says that both players are in it."""
    copies = np.array([card.copies for card in cards])
    one, other = _rows(copies, opposed=opposed, equals=equals)
    cells = _cells(seen, one, other, opposed=opposed)
    if opposed and equals:  # each pair is seen from the card that does better
        worse = _beyond(cells) < 0
        one, other = np.where(worse, other, one), np.where(worse, one, other)
        cells = _cells(seen, one, other, opposed=opposed)
    together, interaction = cells[0], _beyond(cells)
    # Between equals the mean where neither is in the game is one half, without any error.
    noisy = cells[:3] if equals else cells
    naive = sum(cell.variance for cell in noisy)
    overlap = _overlap(copies, one, other, mirrored=opposed and equals)
    std_err = np.sqrt(naive * overlap)
    n = together.n // np.where(one == other, 2, 1)  # each pair of copies once
    judged = (n >= MIN_GAMES) & np.logical_and.reduce([cell.varied for cell in noisy])
    tested = np.where(judged, std_err, np.nan)
    p_values = two_sided_p(interaction, tested)
    q_values, z = adjust_p(p_values), corrected_z(p_values)
    shrunk = shrink(interaction, tested)
    more, less = (BEATS, BEATEN) if opposed else (TOGETHER, IN_THE_WAY)
    is_shown = q_values < 1 - confidence()
    verdict = np.select(
        [~judged, is_shown & (interaction > 0), is_shown], [NEEDS_GAMES, more, less], NO_PAIR
    )
    ids, names = (
        np.array([getattr(card, what) for card in cards], object) for what in ("card_id", "name")
    )
    return pd.DataFrame(
        {
            "card_a": ids[one],
            "name_a": names[one],
            "card_b": ids[other],
            "name_b": names[other],
            "policy": policy,
            "n": n,
            "win_rate": together.mean,
            "expected": together.mean - interaction,
            **interval("interaction", interaction, z * std_err),
            "std_err": std_err,
            "p_value": p_values,
            "q_value": q_values,
            "shrunk": shrunk.mean,
            "shrunk_ci_low": shrunk.ci_low,
            "shrunk_ci_high": shrunk.ci_high,
            "verdict": verdict,
        }
    ).astype(dict.fromkeys((*_OTHER_WAY, "verdict"), "str"))


def _rows(copies: np.ndarray, *, opposed: bool, equals: bool) -> tuple[np.ndarray, np.ndarray]:
    """The first and the second card of each row, as numbers of cards that are dealt.

    A card of several copies is a pair with itself on one side.  On opposing sides equals have one
    row for two cards, and players of different policies one for either side.
    """
    n_cards = len(copies)
    if opposed and not equals:
        one, other = np.nonzero(~np.eye(n_cards, dtype=bool))
        return one, other
    one, other = np.triu_indices(n_cards, 1 if opposed else 0)
    there = (one != other) | (copies[one] > 1)
    return one[there], other[there]


def _cells(
    seen: _Seen, one: np.ndarray, other: np.ndarray, *, opposed: bool
) -> tuple[_Cell, _Cell, _Cell, _Cell]:
    """Both cards, the first alone, the second alone, neither: arrays of shape (n_rows,)."""
    if opposed:
        counts = seen.opposed, seen.first, seen.second, seen.neither
    else:
        counts = seen.both, seen.first, _turn(seen.first), seen.neither
    both, first, second, neither = (_Cell.of(cell[:, one, other]) for cell in counts)
    return both, first, second, neither


def _beyond(cells: Sequence[_Cell]) -> np.ndarray:
    """The interaction: what both cards do beyond what each does."""
    both, first, second, neither = cells
    return both.mean - first.mean - second.mean + neither.mean


def _overlap(
    copies: np.ndarray, one: np.ndarray, other: np.ndarray, *, mirrored: bool
) -> np.ndarray:
    """Variance of the mean over pairs of copies, as a multiple of that of independent pairs.

    What a game adds to the interactions of one copy with each of the others adds up to zero, since
    every player is dealt ten cards.  So in a pool of N copies the estimates of two pairs with one
    copy in common are correlated by -1 / (N - 2), and of two pairs without by
    2 / ((N - 2) (N - 3)); but not at all where ``mirrored``, on opposing sides between equals.
    (On opposing sides between different policies it is less than that, and taken to be that.)
    """
    n_pool = copies.sum()
    near = -1 / (n_pool - 2)
    far = 0.0 if mirrored else 2 / ((n_pool - 2) * (n_pool - 3))
    m, k = copies[one], copies[other]
    of_two = 1 + (m + k - 2) * near + (m - 1) * (k - 1) * far
    # Pairs of copies of one card were counted in both orders.
    of_one = 2 * (1 + 2 * (m - 2) * near + (m - 2) * (m - 3) / 2 * far)
    return np.where(one == other, of_one, of_two)


def _turn(counts: np.ndarray) -> np.ndarray:
    """The second card as the first."""
    return counts.transpose(0, 2, 1)


def from_other_side(table: pd.DataFrame) -> pd.DataFrame:
    """Matchups between equals as the second card sees them; names stay where they are."""
    turned = {
        f"{name}{end}": sign - table[f"{name}{opposite}"]
        for name in ("interaction", "shrunk")
        for sign, end, opposite in (
            (0, "", ""),
            (0, "_ci_low", "_ci_high"),
            (0, "_ci_high", "_ci_low"),
        )
    }
    rates = {name: 1 - table[name] for name in ("win_rate", "expected")}
    words = {BEATS: BEATEN, BEATEN: BEATS}
    return table.assign(**turned, **rates, verdict=table["verdict"].replace(words))


def _of_pairs(first: str, second: str, n: str, win_rate: str) -> dict[str, str]:
    """The columns of a table of pairs of cards."""
    return {
        "card_a": first,
        "name_a": "its printed name",
        "card_b": second,
        "name_b": "its printed name",
        "policy": POLICY,
        "n": n,
        "win_rate": f"{win_rate}. {SCORE}",
        "expected": "the win rate that the two cards by themselves explain: `win_rate` - "
        "`interaction`",
        **with_interval("interaction", f"what the two do beyond what each does: {INTERACTION}"),
        "std_err": "standard error of `interaction`, clustered by game",
        "p_value": "probability of an interaction at least this large if the truth is zero; "
        "missing for too few games",
        "q_value": q_value("pairs of the policy in this table"),
        **with_interval(
            "shrunk",
            "`interaction` as it is to be believed in the light of all pairs of the policy in this "
            "table: shrunk towards zero (empirical Bayes)",
        ),
        "verdict": "; ".join(f"{word}: {meaning}" for word, meaning in PAIR_VERDICTS.items()),
    }


_DIFFERENCES = ("interaction", "shrunk")
CARD_PAIRS = Table(
    "card_pairs",
    "One row per pair of cards and policy",
    _of_pairs(
        "a card",
        "another card, or the same if it has several copies in the pool",
        "pairs of copies of the two cards that were dealt to one player",
        "win rate of the players with such a pair, once for each",
    ),
    make=lambda run: pairs_table(run.pairs, run.cards, run.policies, opposed=False),
    json_columns=(),
    differences=_DIFFERENCES,
)
CARD_MATCHUPS = Table(
    "card_matchups",
    "One row per pair of cards and policy",
    _of_pairs(
        "a card, dealt to the player; between equal policies the one of the two that does better "
        "than by themselves they would",
        "another card, dealt to the opponent",
        "pairs of copies, the first dealt to the player and the second to the opponent",
        "win rate of the players with the first card in such a pair, once for each",
    ),
    make=lambda run: pairs_table(run.pairs, run.cards, run.policies, opposed=True),
    json_columns=(),
    differences=_DIFFERENCES,
)
