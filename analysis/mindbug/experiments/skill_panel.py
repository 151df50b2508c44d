"""The tables ``card_panel`` and ``panel_summary``: what a panel of strong players says.

Of the players that `analysis.mindbug.experiments.skill` sets side by side the strong ones form a
*panel*, a sample of those who might play.  `analysis.panel` says what a panel can say of a card.
Beside it stands what the strongest player of the panel changes: the next stronger rung, for whoever
stops at the others.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis import panel as panel_method
from analysis.confidence import confidence
from analysis.estimates import Estimate, adjust_p, corrected, interval_columns, two_sided_p
from analysis.questions.worth import spread_of
from analysis.registry import HIGH, LOW, Registry, Table, q_value, with_ends, with_interval
from analysis.runs import Run
from analysis.verdicts import LESS, MORE, changes
from simcore.arrays import Floats, Integers
from simcore.mindbug.players.seats import parse_player

#: How far strong players differ on a card, a share of games won; `make spreads` found it in all
#: sets, where the factor is at most 1.4.  Players and pools that differ more are met halfway; since
#: searches begin with the look of ``expert`` players differ by 0.0023, so this is cautious.
PLAYERS_DIFFER = panel_method.SpreadPrior(scale=0.0032, factor=2.0, degrees=4.0)
#: How many times as far from zero advantages are among `STRONG` of `usual` as among its `PLAYER`,
#: with the ends of the 95% interval; from `make spreads`.
STRETCH = 1.16, 1.06, 1.25
#: Which kind of player a card is for.
FOR_STRONG, FOR_WEAK = "for strong players", "for weak players"
#: What `FOR_STRONG` and `FOR_WEAK` say.
WHOSE_CARD = {
    FOR_STRONG: "worth less than the average card among the weakest of all players compared, and "
    "more for another player of the panel, which has a search in it",
    FOR_WEAK: "worth more than the average card among the weakest of all players compared, and "
    "less for another player of the panel, which has a search in it",
}


def shared_luck(runs: Sequence[Run]) -> Floats:
    """`luck_of` the games of some runs of one pool.  Raises RunError.

    If a run has only games in which a card is dealt, the others are looked at in such games alone.
    """
    dealt = next((one for run in runs if (one := run.manifest.get("dealt"))), None)
    winners, numbers = [], []
    for run in runs:
        if dealt and not run.manifest.get("dealt"):
            row = run.manifest["cards"].index(dealt)
            parts = [games[(games["cards"] == row).any(axis=1)] for games in run.parts()]
            winners.append(np.concatenate([games["winner"] for games in parts]))
            numbers.append(np.concatenate([games["game"] for games in parts]))
        else:
            games = run.games(["game", "winner"])
            winners.append(games["winner"].to_numpy())
            numbers.append(games["game"].to_numpy())
    return luck_of(winners, [run.seed for run in runs], numbers)


def luck_of(
    winners: Sequence[npt.NDArray[np.int8]], seeds: Sequence[int], numbers: Sequence[Integers]
) -> Floats:
    """Correlation of the errors of estimates from several runs, (n_runs, n_runs).

    With one seed the same cards are dealt in the same order, so the results are alike, whoever
    plays.  The errors are as much alike as the results of the games that two runs share.

    Parameters
    ----------
    winners : sequence of ndarray(int8), shape (n_games,)
        Who won the games of each run; -1 for a draw.
    numbers : sequence of ndarray(int64), shape (n_games,)
        Which games of the seed they are, in their order.
    """
    luck = np.eye(len(winners))
    for i, j in combinations(range(len(winners)), 2):
        shared, *places = np.intersect1d(numbers[i], numbers[j], True, True)
        pair = [winners[k][place] for k, place in zip((i, j), places, strict=True)]
        one, other = (np.where(won < 0, 0, 1 - 2 * won) for won in pair)
        if len(shared) and seeds[i] == seeds[j] and np.ptp(one) > 0 and np.ptp(other) > 0:
            share = len(shared) / np.sqrt(len(winners[i]) * len(winners[j]))
            luck[i, j] = luck[j, i] = np.corrcoef(one, other)[0, 1] * share
    return luck


def panel_tables(
    skill_cards: pd.DataFrame, players: Sequence[str], luck: Floats
) -> dict[str, pd.DataFrame]:
    """What a panel says of each card.

    Parameters
    ----------
    skill_cards
        The table of that name, about all players that are compared.
    players
        The players of the panel, from weak to strong, two or more.
    luck : ndarray(float), shape (n_players, n_players)
        The correlation of their errors (`shared_luck`).

    Returns
    -------
    dict
        ``card_panel`` and ``panel_summary``; see `PANEL_TABLES`.
    """
    facts = skill_cards[skill_cards["policy"] == players[0]].reset_index()
    x, errors = (np.column_stack(both) for both in zip(*_known(skill_cards, players), strict=True))
    covariance = errors[:, :, None] * errors[:, None] * luck
    panel = panel_method.Panel(x, covariance, PLAYERS_DIFFER)
    judged = panel_method.judge_panel(panel, x, errors, band=float(facts["band"].iloc[0]))
    others = np.full(len(players) - 1, 1 / (len(players) - 1))
    sides = np.zeros((2, len(players)))  # the mean of the others, and the strongest
    sides[0, :-1], sides[1, -1] = others, 1.0
    pair = x @ sides.T
    pair_covariance = sides @ covariance @ sides.T
    move = _difference(pair, pair_covariance)
    cards = pd.DataFrame(
        {
            **facts[["card_id", "name", "set_id"]],
            "n_players": panel.n,
            **interval_columns("advantage", panel.mean),
            **interval_columns("spread", panel.spread),
            **judged,
            **_ends(x, players),
            **interval_columns("move", move),
            "move_q_value": adjust_p(two_sided_p(move.estimate, move.std_err)),
            "whose_card": _whose_card(skill_cards, judged, x, players),
        }
    )
    known = np.isfinite(move.estimate)
    typical = spread_of(move.estimate[known], np.diag(move.std_err[known] ** 2))
    pair_errors = np.sqrt(np.einsum("ipp->ip", pair_covariance))
    opposite = adjust_p(panel_method.crossover_p(pair, pair_errors)) < 1 - confidence()
    row = {
        "players": ", ".join(players),
        "n_players": len(players),
        "n_cards": len(cards),
        "strongest": players[-1],
        "move": typical.estimate,
        "move_ci_low": typical.low,
        "move_ci_high": typical.high,
        **interval_columns("rank_correlation", panel_method.rank_agreement(pair, pair_covariance)),
        "raw_rank_correlation": _rank_correlation(pair[known]),
        "n_opposite": int(opposite.sum()),
        "opposite_share": float(opposite.mean()),
    }
    return {
        "card_panel": cards[list(CARD_PANEL.columns)],
        "panel_summary": PANEL_SUMMARY.frame([row]),
    }


def _known(skill_cards: pd.DataFrame, players: Sequence[str]) -> Iterator[tuple[Floats, Floats]]:
    """Advantages and their errors of each player, (n_cards,); nan for too few games."""
    for player in players:
        rows = skill_cards[skill_cards["policy"] == player]
        enough = rows["p_value"].notna()
        yield tuple(rows[name].where(enough).to_numpy() for name in ("advantage", "std_err"))


def _whose_card(
    skill_cards: pd.DataFrame, judged: pd.DataFrame, x: Floats, players: Sequence[str]
) -> npt.NDArray[np.str_]:
    """Which cards are for strong players alone, or for weak ones; "" for any other.

    ``x`` are the estimates of the panel, which must all be on the side of the verdict.
    """
    weakest = skill_cards[skill_cards["rung"] == 0]
    weak = changes(weakest["advantage_ci_low"], weakest["advantage_ci_high"])
    word = changes(judged["further_ci_low"], judged["further_ci_high"])
    # What players without a search make of a card may be what they all overlook.
    shown = any(parse_player(player).simulations for player in players)
    shown &= weakest["policy"].iloc[0] not in players
    for_strong = shown & (weak == LESS) & (word == MORE) & (x > 0).all(axis=1)
    for_weak = shown & (weak == MORE) & (word == LESS) & (x < 0).all(axis=1)
    return np.select([for_strong, for_weak], [FOR_STRONG, FOR_WEAK], "")


def _rank_correlation(pair: Floats) -> float:
    """That of estimates as they are, (n_cards, 2); nan for less than three cards."""
    one, other = pair.argsort(axis=0).argsort(axis=0).T  # estimates have no ties
    return float(np.asarray(np.corrcoef(one, other))[0, 1]) if len(pair) > 2 else np.nan


def _difference(pair: Floats, covariance: Floats) -> Estimate:
    """The second of each pair of estimates minus the first."""
    difference = pair[:, 1] - pair[:, 0]
    signs = np.array([-1.0, 1.0])
    std_err = np.sqrt(np.einsum("p,ipq,q->i", signs, covariance, signs))
    return corrected(Estimate.normal(difference, std_err, np.isfinite(difference)))


def _ends(x: Floats, players: Sequence[str]) -> dict[str, npt.NDArray[np.object_]]:
    """The lowest and the highest estimate of each card, and whose they are."""
    names, known = np.array(players, object), np.isfinite(x).any(axis=1)
    columns: dict[str, npt.NDArray[np.object_]] = {}
    for word, place in (
        ("lowest", np.where(np.isfinite(x), x, np.inf).argmin(axis=1)),
        ("highest", np.where(np.isfinite(x), x, -np.inf).argmax(axis=1)),
    ):
        columns[word] = x[np.arange(len(x)), place]
        columns[f"{word}_policy"] = np.where(known, names[place], "")
    return columns


_WHERE = "where two strong players or more were compared (`fairdeal balance --skill`)"
CARD_PANEL = Table(
    "card_panel",
    "One row per card",
    {
        "card_id": "the card",
        "name": "its printed name",
        "set_id": "the set that it belongs to",
        "n_players": "players of the panel who were dealt it often enough",
        **with_interval(
            "advantage",
            "mean over players of this kind of the win rate of those dealt the card minus one half;"
            " the interval holds the chance of players and of deals",
        ),
        **with_interval(
            "spread",
            "standard deviation of the true advantage between players of this kind (median)",
        ),
        "p_value": "probability of a mean at least this far from zero if the truth is zero",
        "q_value": q_value("cards"),
        "same_side": "chance that another player of this kind has the card on the side of the mean",
        "in_band": "chance that another player of this kind has the card inside the band",
        "further_ci_low": "`advantage` among another player of this kind: " + LOW,
        "further_ci_high": "`advantage` among another player of this kind: " + HIGH,
        "depends_p_value": "probability of estimates at least this far apart on both sides of zero "
        "if all players had the card on one side",
        "depends_q_value": q_value("cards", "`depends_p_value`"),
        "lowest": "the lowest `advantage` of a player of the panel",
        "lowest_policy": "whose that is",
        "highest": "the highest",
        "highest_policy": "whose that is",
        **with_interval(
            "move",
            "`advantage` among the strongest players of the panel minus its mean over the others",
        ),
        "move_q_value": q_value(
            "cards", "the probability of a `move` at least this large if the truth is zero"
        ),
        "band": "half the width of the band of `panel_verdict`, around zero",
        "panel_verdict": "; ".join(
            f"{word}: {meaning}" for word, meaning in panel_method.PANEL_VERDICTS.items()
        ),
        "whose_card": "; ".join(f"{word}: {meaning}" for word, meaning in WHOSE_CARD.items())
        + "; empty for any other card",
    },
    where=_WHERE,
    differences=("advantage", "lowest", "highest", "move"),
    json_columns=(
        *("card_id", "name", *with_ends("advantage"), "spread", "same_side"),
        *(*with_ends("move"), "panel_verdict", "whose_card"),
    ),
)
PANEL_SUMMARY = Table(
    "panel_summary",
    "One row",
    {
        "players": "the players of the panel, from weak to strong",
        "n_players": "how many they are",
        "n_cards": "cards that they were compared on",
        "strongest": "the last of the players",
        **with_interval(
            "move",
            "standard deviation over the cards of what the strongest changes: true `advantage` "
            "among them minus its mean over the others",
        ),
        **with_interval(
            "rank_correlation",
            "rank correlation over the cards between the true `advantage` among the strongest and "
            "its mean over the others; errors are taken out",
        ),
        "raw_rank_correlation": "the same of the estimates as they are",
        "n_opposite": "cards shown to be on one side of zero among the strongest, and on "
        "the other for the mean of the others, corrected for the number of cards",
        "opposite_share": "their share of all cards",
    },
    where=_WHERE,
    numbers=("rank_correlation",),
)

#: The tables, as `panel_tables` gives them.
PANEL_TABLES = Registry(CARD_PANEL, PANEL_SUMMARY)
