"""What a card is worth and what each part of it does, from games with the same deals.

A variant changes one card in place, so game i is dealt the same cards as in the base and has the
same luck (common random numbers [1]_).  The n_i players of game i who were dealt the card are the
same players in both, and score s_i and s'_i together.  With N = sum n_i, the difference is
D = sum (s'_i - s_i) / N, its *influence* of game i is u_i = (s'_i - s_i - D n_i) / N, and its
variance G / (G - 1) times the sum of the squares of u_i, where G is the number of games with n_i
above 0.  Where the number of copies is changed other players are dealt the card, n'_i of them, and
the influence is that of two runs, u_i = (s'_i - r' n'_i) / N' - (s_i - r n_i) / N.  Any weighted
sum of variants, such as a Shapley value [2]_, has the same weighted sum of influences, so that its
error needs no assumption about how the variants depend on each other.

References
----------
.. [1] P. Glasserman, D. D. Yao, "Some guidelines and guarantees for common random numbers",
   Management Science 38 (1992), 884-908.
.. [2] L. S. Shapley, "A value for n-person games", in H. W. Kuhn, A. W. Tucker (eds.),
   *Contributions to the Theory of Games II*, Princeton 1953, 307-317.
"""

from collections.abc import Collection, Mapping, Sequence
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.confidence import normal_z
from analysis.estimates import adjust_p, corrected_z, two_sided_p
from analysis.experiments.comparison import MIN_DIFFERING, most_differing
from analysis.mindbug.columns import PAIRED_ERROR, POLICY, p_value
from analysis.mindbug.experiments.change_effects import change_effects
from analysis.mindbug.experiments.trials import Effect, Scores, Trials, ratio
from analysis.mindbug.selections import SCORE
from analysis.registry import Registry, Table, q_value, with_interval
from analysis.verdicts import MIN_GAMES
from card_data.mindbug.schema import Card, Pool
from card_data.mindbug.variants import (
    MOST_PARTS,
    VALUE,
    dealt_cards,
    parts_of,
    subset_name,
    subsets,
)
from simcore.sealed import RunError
from simcore.work.folder import identity, read_asked

#: The numbers of which it is told how a variant changes them.
MEASURES = ("dealt", "first_player_win_rate", "mean_turns")
#: How the worth of a card is divided among its parts.
SHAPLEY, ONE_AT_A_TIME = "shapley", "one_at_a_time"

# Standard errors from 0 that the worth of all parts must be for shares of it to mean something.
_CLEAR = 3
_FLOAT = npt.NDArray[np.float64]


def average_card(pool: Pool, rates: Mapping[str, float], but: Collection[str] = ()) -> Card:
    """The average card of a pool: that with the win rate dealt nearest to one half.

    ``rates`` are those of cards by their ids.  None of ``but``; and unless there is no other, none
    that evolves, since its next stages belong to its own line, and none with dice.
    """
    others = [card for card in dealt_cards(pool) if card.card_id not in but]
    plain = [card for card in others if card.evolves_to is None and not card.dice]

    def off(card: Card) -> tuple[float, str]:
        far = abs(rates.get(card.card_id, np.nan) - 0.5)
        return (np.inf if np.isnan(far) else far), card.card_id

    return min(plain or others, key=off)


def choose_reference(pool: Pool, base: npt.NDArray[np.void]) -> Card:
    """The average card of the games of a base."""
    scores = Scores(pool, base)
    rates = {card.card_id: scores.win_rate(card).estimate for card in dealt_cards(pool)}
    return average_card(pool, rates)


def sensitivity_tables(
    pool: Pool, policy: str, base: npt.NDArray[np.void], tested: Sequence[Trials]
) -> dict[str, pd.DataFrame]:
    """The tables `SENSITIVITY_TABLES`.  Cards stand in the given order."""
    scores = Scores(pool, base)
    rows: list[dict[str, Any]] = []
    values, by_copies, parts = [], [], []
    for one in tested:
        about = {"card_id": one.card.card_id, "name": one.card.name, "policy": policy}
        lines = _lines(scores, one)
        rows += [about | line for line in lines]
        values.append(about | _value(scores, one, lines))
        by_copies += [about | line for line in _by_copies(scores, one)]
        parts += [about | part for part in _parts(scores, one)]
    sensitivity = _corrected(
        pd.DataFrame(rows, columns=[*SENSITIVITY.columns, "is_part"]),
        "difference",
        ["measure", "is_part"],
    )
    return {
        "sensitivity": sensitivity.drop(columns="is_part").astype({"differing": "Int64"}),
        "values": _corrected(VALUES.frame(values), "value"),
        "by_copies": _corrected(BY_COPIES.frame(by_copies), "value"),
        "parts": _corrected(PARTS.frame(parts), "worth"),
        "by_change": effects_table({policy: scores}, tested if len(tested) > 1 else ()),
    }


def effects_table(by_policy: Mapping[str, Scores], tested: Sequence[Trials]) -> pd.DataFrame:
    """The table ``by_change``: mean and spread of each change over the cards, by policy."""
    rows = [
        {"policy": policy} | row
        for policy, scores in by_policy.items()
        for row in change_effects(scores, tested)
    ]
    return _corrected(BY_CHANGE.frame(rows), "effect", ["policy"])


def write_sensitivity(tables: dict[str, pd.DataFrame], folder: Path) -> None:
    """Write the tables to ``folder``/tables as Parquet and CSV.  Raises RunError."""
    from analysis.mindbug.experiments.sensitivity_games import FOLDER
    from analysis.tables import write_tables

    write_tables(tables, folder, identity(FOLDER, read_asked(FOLDER, folder), ""))


def read_sensitivity(folder: Path, pool_hash: str) -> dict[str, pd.DataFrame]:
    """The tables ``sensitivity`` and ``values`` in the folder of an analysis of that pool.

    None where there is no such folder.  Raises RunError when it is damaged, or of another pool.
    """
    from analysis.mindbug.experiments.sensitivity_games import FOLDER
    from analysis.tables import read_table

    if not folder.is_dir():
        return {}
    again = "repeat the command that made it, or move it away"
    manifest = read_asked(FOLDER, folder)
    if manifest["pool_hash"] != pool_hash:
        raise RunError(f"{folder} is an analysis of other cards or modes than this run; {again}")
    said = identity(FOLDER, manifest, "")
    return {
        table.name: read_table(FOLDER, folder, table, said, again)
        for table in (SENSITIVITY, VALUES)
    }


def _ends(column: str) -> list[str]:
    return [column, f"{column}_ci_low", f"{column}_ci_high"]


def _lines(scores: Scores, one: Trials) -> list[dict[str, Any]]:
    """A row for each variant of a card and each of `MEASURES`."""
    dealt, base = scores.dealt(one.card), scores.base
    held, every = dealt.sum(axis=1), np.ones(len(base), np.int64)
    lines = []
    for variant, outcome in zip(one.variants, one.outcomes, strict=True):
        own = dealt
        if "cards" in (outcome.dtype.names or ()):  # other copies, other deals
            own = scores.dealt(one.card, outcome)
        pairs = {
            "dealt": _Sums(scores.of(base, dealt), held, scores.of(outcome, own), own.sum(axis=1)),
            "first_player_win_rate": _Sums(_first(base), every, _first(outcome), every),
            "mean_turns": _Sums(
                base["turns"].astype(float), every, outcome["turns"].astype(float), every
            ),
        }
        lines += [
            {
                "change": variant.change,
                "kind": variant.kind,
                "label": variant.label,
                "measure": measure,
                **_difference(pairs[measure], measure, variant.card == one.card),
                "is_part": variant.kind == "parts",
            }
            for measure in MEASURES
        ]
    return lines


def _first(games: npt.NDArray[np.void]) -> _FLOAT:
    """The points of the player who starts, who may be another where powers differ (R11)."""
    winner = games["winner"]
    return np.where(winner < 0, 0.5, winner == games["first_player"]).astype(float)


class _Sums(NamedTuple):
    """Totals and observations of each game, in the base and in the variant; all (n_games,)."""

    before: _FLOAT
    n_before: npt.NDArray[np.int64]
    after: _FLOAT
    n_after: npt.NDArray[np.int64]


def _difference(sums: _Sums, measure: str, same_card: bool) -> dict[str, Any]:
    """The estimates of a line: base, variant and their difference, paired.

    The interval of one that is tested comes with the others (`_corrected`); where few games differ,
    it is what is known of how many may.
    """
    one, other = ratio(sums.before, sums.n_before), ratio(sums.after, sums.n_after)
    games = int(np.count_nonzero(sums.n_before + sums.n_after))
    moved = Effect(other.estimate - one.estimate, other.influence - one.influence, games)
    changed = (sums.after != sums.before) | (sums.n_after != sums.n_before)
    differing = int(np.count_nonzero(changed))
    apart = float(np.hypot(one.std_err, other.std_err))
    known = differing >= MIN_DIFFERING and moved.games >= MIN_GAMES
    ends = _interval("difference", moved.estimate, 0.0 if same_card else np.nan)
    if not known and moved.games and not same_card and not measure.startswith("mean_"):
        hidden = float(most_differing(differing, moved.games))
        ends |= {"difference_ci_low": -hidden, "difference_ci_high": hidden}
    return {
        "n": int(sums.n_after.sum()),
        "base": one.estimate,
        "variant": other.estimate,
        **ends,
        "std_err": moved.std_err,
        "std_err_independent": apart,
        "variance_reduction": (apart / moved.std_err) ** 2 if moved.std_err > 0 else np.nan,
        "differing": differing,
        "p_value": float(two_sided_p(moved.estimate, moved.std_err)) if known else np.nan,
    }


def _interval(column: str, estimate: float, reach: float) -> dict[str, float]:
    return dict(zip(_ends(column), (estimate, estimate - reach, estimate + reach), strict=True))


def _value(scores: Scores, one: Trials, lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What a card is worth against the reference; nothing where that was not played."""
    rate = scores.win_rate(one.card)
    found = {
        "copies": one.card.copies,
        "reference": one.reference.card_id,
        "n": int(scores.dealt(one.card).sum()),
        "dealt_win_rate": rate.estimate,
        **_interval("advantage", rate.estimate - 0.5, normal_z() * rate.std_err),
    }
    if one.card.card_id == one.reference.card_id:  # by definition
        return found | _interval("value", 0.0, 0.0) | {"std_err": 0.0}
    for line in lines:
        if line["kind"] == "value" and line["measure"] == "dealt":
            other_way = ("difference", "difference_ci_high", "difference_ci_low")
            ends = [0.0 - line[end] for end in other_way]
            kept = {name: line[name] for name in ("std_err", "variance_reduction", "p_value")}
            return found | dict(zip(_ends("value"), ends, strict=True)) | kept
    return found


def _by_copies(scores: Scores, one: Trials) -> list[dict[str, Any]]:
    """What it is worth to hold one copy, two copies …; nothing where the value was not played."""
    played = [
        outcome
        for variant, outcome in zip(one.variants, one.outcomes, strict=True)
        if variant.kind == VALUE
    ]
    copies, lines = scores.copies(one.card), []
    for number in range(1, one.card.copies + 1) if played else ():
        mine = copies == number
        held = mine.sum(axis=1)
        if not held.any():
            continue
        before, after = scores.of(scores.base, mine), scores.of(played[0], mine)
        worth = ratio(before - after, held)
        known = worth.games >= MIN_GAMES and np.count_nonzero(before != after) >= MIN_DIFFERING
        lines.append(
            {
                "copies_dealt": number,
                "n": int(held.sum()),
                "dealt_win_rate": ratio(before, held).estimate,
                **_interval("value", worth.estimate, normal_z() * worth.std_err),
                "std_err": worth.std_err,
                "p_value": float(two_sided_p(worth.estimate, worth.std_err)) if known else np.nan,
            }
        )
    return lines


def _parts(scores: Scores, one: Trials) -> list[dict[str, Any]]:
    """What each part of a card adds, and the whole; nothing where that was not played."""
    parts = parts_of(one.card, one.reference.power)
    played = {
        variant.change: outcome for variant, outcome in zip(one.variants, one.outcomes, strict=True)
    }
    everything, dealt = tuple(range(len(parts))), scores.dealt(one.card)
    points = {everything: scores.of(scores.base, dealt)}
    for places in subsets(parts):
        if subset_name(places) not in played:
            return []
        points[places] = scores.of(played[subset_name(places)], dealt)
    if not parts:
        return []
    held = dealt.sum(axis=1)
    total = ratio(points[everything] - points[()], held)
    shapley = len(parts) <= MOST_PARTS
    rows: list[tuple[str, str, Effect, Effect | None, Effect | None]] = []
    for place, part in enumerate(parts):
        others = tuple(other for other in everything if other != place)
        last = ratio(points[everything] - points[others], held)
        alone = ratio(points[place,] - points[()], held) if shapley else None
        worth = ratio(_added(points, place, len(parts)), held) if shapley else last
        rows.append((part.kind, part.label, worth, alone, last))
    rows.append(("total", "all parts together", total, None, None))
    shared = _has_shares(total, [worth for _, _, worth, _, _ in rows]) and shapley
    return [
        {
            "part": number,
            "kind": kind,
            "label": label,
            "method": SHAPLEY if shapley else ONE_AT_A_TIME,
            "n": int(held.sum()),
            **_known("worth", worth),
            "std_err": worth.std_err,
            **_known("alone", alone),
            **_known("last", last),
            **(_share(worth, total) if shared else _interval("share", np.nan, np.nan)),
            "p_value": float(two_sided_p(worth.estimate, worth.std_err))
            if worth.games >= MIN_GAMES and worth.std_err > 0
            else np.nan,
        }
        for number, (kind, label, worth, alone, last) in enumerate(rows)
    ]


def _known(column: str, effect: Effect | None) -> dict[str, float]:
    """An effect with its normal interval; nan where it was not asked about."""
    if effect is None:
        return _interval(column, np.nan, np.nan)
    return _interval(column, effect.estimate, normal_z() * effect.std_err)


def _added(points: dict[tuple[int, ...], _FLOAT], place: int, n: int) -> _FLOAT:
    """Points that a part adds in each game, on average over all orders of adding the parts [2]_."""
    added = np.zeros_like(points[()])
    for places, score in points.items():
        if place not in places:
            joined = tuple(sorted((*places, place)))
            added += (points[joined] - score) / (n * comb(n - 1, len(places)))
    return added


def _has_shares(total: Effect, worths: Sequence[Effect]) -> bool:
    """Whether the whole is clearly something and no part works against it."""
    clear = abs(total.estimate) > _CLEAR * total.std_err
    return clear and all(worth.estimate * total.estimate >= 0 for worth in worths)


def _share(worth: Effect, total: Effect) -> dict[str, float]:
    """The share of the whole, by the delta method."""
    share = worth.estimate / total.estimate
    influence = (worth.influence - share * total.influence) / total.estimate
    error = Effect(share, influence, total.games).std_err
    return _interval("share", share, normal_z() * error)


def _corrected(table: pd.DataFrame, column: str, family: Sequence[str] = ()) -> pd.DataFrame:
    """The table with q-values and intervals, the tests of each family corrected together."""
    if len(table) == 0:
        return table
    p_values = table["p_value"].astype(float)
    groups = p_values.groupby([table[name] for name in family] or np.zeros(len(table)))
    table["q_value"] = groups.transform(lambda tests: adjust_p(tests.to_numpy()))
    reach = groups.transform(lambda tests: corrected_z(tests.to_numpy())) * table["std_err"]
    tested = p_values.notna()
    for end, side in (("low", -1), ("high", 1)):
        known = table[f"{column}_ci_{end}"].where(~tested, table[column] + side * reach)
        table[f"{column}_ci_{end}"] = known
    return table


SENSITIVITY = Table(
    "sensitivity",
    "One row per card, change and measure",
    {
        "card_id": "the card that is changed; all its copies are changed together",
        "name": "its printed name",
        "policy": "who played, on both sides",
        "change": "what is changed: value, power-2 to power+2, a keyword with + (added) or - "
        "(taken away), copies-1 and copies+1, -line1 and following (a line of text left out), "
        "-all, parts:… (some parts alone)",
        "kind": "value: the reference lies in its place; power; add_keyword; remove_keyword; "
        "copies: one more or fewer in the pool, which then deals otherwise; remove_line; "
        "remove_all: neither keywords, dice nor text; parts: a plain creature with the power of "
        "the reference and some parts of the card, by their numbers in the table `parts`",
        "label": "the change in words",
        "measure": "dealt: the win rate of the players who were dealt the card; or "
        "first_player_win_rate or mean_turns, of all games",
        "n": "observations in the variant: player-games or games; as many in the base, unless "
        "copies are changed",
        "base": "the estimate with the card as it is",
        "variant": "the estimate with the change",
        **with_interval("difference", "`variant` minus `base`"),
        "std_err": PAIRED_ERROR.format("difference"),
        "std_err_independent": "the standard error that two independent runs would have had",
        "variance_reduction": "(`std_err_independent` / `std_err`)²: how many times as many games "
        "independent runs would have needed; missing where no game differs",
        "differing": "games in which the number differs",
        "p_value": p_value("a difference"),
        "q_value": q_value(
            "changes of all cards in the same measure, those of kind parts by themselves"
        ),
    },
    where="in the folder of `fairdeal sensitivity`",
    differences=("difference",),
    numbers=("variance_reduction",),
    json_rows=lambda table: (table["measure"] == "dealt") & (table["kind"] != "parts"),
)
VALUES = Table(
    "values",
    "One row per card",
    {
        "card_id": "the card",
        "name": "its printed name",
        "policy": "who played, on both sides",
        "copies": "copies in the pool, all of which are swapped",
        "reference": "id of the card that takes its place",
        "n": "player-games in which the player was dealt the card",
        "dealt_win_rate": f"win rate of those player-games, with the card as it is. {SCORE}",
        **with_interval("advantage", "observed: `dealt_win_rate` minus one half"),
        **with_interval(
            "value",
            "by experiment: `dealt_win_rate` minus the win rate of the same players when the "
            "reference lies in its place; zero for the reference itself, missing if it was not "
            "asked for",
        ),
        "std_err": PAIRED_ERROR.format("value"),
        "variance_reduction": "how many times as many games independent runs would have needed",
        "p_value": p_value("a value"),
        "q_value": q_value("cards"),
    },
    where="in the folder of `fairdeal sensitivity`",
    differences=("advantage", "value"),
    numbers=("variance_reduction",),
)
BY_COPIES = Table(
    "by_copies",
    "One row per card and number of copies dealt",
    {
        "card_id": "the card",
        "name": "its printed name",
        "policy": "who played, on both sides",
        "copies_dealt": "how many copies the player was dealt",
        "n": "player-games in which the player was dealt that many copies",
        "dealt_win_rate": f"win rate of those player-games, with the card as it is. {SCORE}",
        **with_interval(
            "value",
            "`dealt_win_rate` minus the win rate of the same players when the reference lies in "
            "the place of all copies",
        ),
        "std_err": PAIRED_ERROR.format("value"),
        "p_value": p_value("a value"),
        "q_value": q_value("rows"),
    },
    where="in the folder of `fairdeal sensitivity`",
    differences=("value",),
    json_columns=(),
)
PARTS = Table(
    "parts",
    "One row per part of a card",
    {
        "card_id": "the card",
        "name": "its printed name",
        "policy": "who played, on both sides",
        "part": "number of the part",
        "kind": "power (where it is not that of the reference), keyword, dice, line (of text), or "
        "total: all parts together, against a plain creature with the power of the reference",
        "label": "the part in words",
        "method": "shapley: what the part adds on average over all orders of adding the parts; "
        "one_at_a_time (more than four parts): the card minus the card without it",
        "n": "player-games in which the player was dealt the card",
        **with_interval(
            "worth", "what the part adds to the win rate of the players dealt the card"
        ),
        "std_err": PAIRED_ERROR.format("worth"),
        **with_interval(
            "alone",
            "what it adds to the plain creature without any other part; missing for more than four "
            "parts",
        ),
        **with_interval(
            "last", "what it adds to the card as it is: the card minus the card without it"
        ),
        **with_interval(
            "share",
            "`worth` divided by that of the total; missing where the total may be nothing, for "
            "more than four parts, and where parts work against each other",
        ),
        "p_value": p_value("a worth"),
        "q_value": q_value("parts of all cards"),
    },
    where="in the folder of `fairdeal sensitivity`",
    differences=("worth",),
    json_columns=(),
)
BY_CHANGE = Table(
    "by_change",
    "One row per change that was made to several cards",
    {
        "policy": f"{POLICY}; the players who were dealt the card",
        "change": "what is changed: power-2 to power+2, a keyword with + (added) or - (taken "
        "away), or -all",
        "kind": "power, add_keyword, remove_keyword, or remove_all: neither keywords, dice nor "
        "text",
        "n_games": "games of the pool as it is, and of each change",
        "n_cards": "cards to which the change can be made and that somebody was dealt",
        "n": "player-games in which the player was dealt one of them, once for each",
        **with_interval(
            "effect",
            "by experiment: by how much the change of a card moves the win rate of the players "
            "dealt it, on the same deals, the mean over these cards, each counted once. The cards "
            "are fixed: the interval is about the luck of the games, not about other cards",
        ),
        "std_err": "standard error of `effect`",
        **with_interval(
            "spread",
            "how much that differs from card to card: the standard deviation over these cards, "
            "without what their errors add to it; missing for a single card",
        ),
        "cards_up": "cards of which it is shown that the change raises the win rate, corrected for "
        "their number (Benjamini-Hochberg, 5 %)",
        "cards_down": "cards of which it is shown that it lowers the win rate",
        "p_value": p_value("an effect"),
        "q_value": q_value("changes of the policy"),
    },
    where="in the folder of `fairdeal sensitivity all`",
    differences=("effect",),
)

#: The tables, as `sensitivity_tables` gives them.
SENSITIVITY_TABLES = Registry(SENSITIVITY, VALUES, BY_COPIES, PARTS, BY_CHANGE)
