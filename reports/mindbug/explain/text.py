"""What goes with the strength of a card, or with a change, in words.

Nothing is estimated here; sentences quote the tables ``card_parts`` and ``change_parts``.
"""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from analysis.experiments.comparison import Comparison
from analysis.mindbug.explain.surprises import AGAINST, APART, Surprise, surprises
from analysis.mindbug.explain.tally import FATES
from reports.kit.words import (
    ARROW,
    Finding,
    capital,
    count,
    interval_of,
    level,
    percent,
    points,
    signed,
)
from reports.mindbug.explain.experiments import Experiment, experiments_of_change

#: Why a part is no cause.
OBSERVED = (
    "Observed, not caused: whether a card is drawn, played, taken or defeated depends on how the"
    " game goes anyway."
)
#: What a column of the table of parts says.
GOES_WITH = (
    "Goes with: for what became of the card, how many points more often these players won than all"
    " players; for a number of the game, how many points go with one more."
)
#: What a card is set against.
BEFORE, AVERAGE = "before", "average card"
#: What each part is called.
PART_TEXT = {
    "not_drawn": "never drawn",
    "not_played": "drawn, never played",
    "late": "played too late to attack",
    "defeated": "played, defeated later",
    "stayed": "played, never defeated",
    "taken": "taken with a Mindbug",
    "kills": "opponent's cards defeated",
    "losses": "own cards defeated",
    "mindbugs": "cards taken with a Mindbug, less those lost",
    "plays": "cards played, less the opponent's",
    "starts": "who starts",
    "rest": "all else",
    "by_life": "won less lost by life",
    "by_no_action": "won less lost for want of an action",
    "by_other": "won less lost otherwise",
}
VIEW_TEXT = {
    "fate": "What became of the card",
    "course": "What happened in the game",
    "ending": "How the game ended",
}
#: Parts that are shares of player-games; others are numbers.
SHARES = FATES
# Parts smaller than this are left out, and no more than three are mentioned.
_TOLD, _MOST = 0.005, 3


def _parts() -> str:
    return f"Parts are in points of the win rate dealt, with {level()} intervals."


class Caution(NamedTuple):
    """That an effect should be checked: in words, and the experiments that do it."""

    words: str
    checks: list[Experiment]


def telling(parts: pd.DataFrame) -> pd.DataFrame:
    """The rows of one card and policy that say something: large enough, and shown not to be 0."""
    shown = parts["contribution_ci_low"] * parts["contribution_ci_high"] > 0
    large = parts["contribution"].abs() >= _TOLD
    known = parts[shown & large & (parts["part"] != "rest")]
    return known.loc[known["contribution"].abs().sort_values(ascending=False).index]


def parts_text(parts: pd.DataFrame, base: str) -> str:
    """What goes with a total, from the parts of one card and policy.

    ``base`` is what the card is set against: `BEFORE` or `AVERAGE`.
    """
    told = telling(parts[parts["view"] == "fate"]).head(_MOST)
    if told.empty:
        return "No fate of the card is shown to go with it."
    text = "; ".join(_part_text(part, base) for _, part in told.iterrows())
    return f"{capital(text)}."


def amount_text(part: pd.Series, side: str = "amount") -> str:
    """How much there is of a part: a share in per cent, or a number."""
    if pd.isna(part[side]):
        return "–"
    if part["part"] in SHARES:
        return percent(part[side])
    if part["view"] == "ending":
        return points(part[side])
    return signed(part[side], 2).removeprefix("+")


def findings(comparison: Comparison) -> Iterator[Finding]:
    """What goes with what the change did to the cards that were changed, and what to check."""
    parts = comparison.more.get("change_parts")
    if parts is None:
        return
    several = parts["policy"].nunique() > 1
    whys = []
    for (_, policy), mine in shown_cards(parts):
        name, whose = mine["name"].iloc[0], f" ({policy})" if several else ""
        thieves = _thieves_text(comparison, mine)
        whys.append(f"{name}{whose}: {parts_text(mine, BEFORE)}{thieves}")
    if whys:
        yield Finding("Goes with it", f"{' '.join(whys)} {_parts()} {OBSERVED}")
    for caution in cautions(comparison):
        said = [f"{capital(one.what)}:\n{one.command}" for one in caution.checks]
        yield Finding("Check", "\n".join([caution.words, *said]))


def shown_cards(parts: pd.DataFrame) -> list[tuple[tuple[str, str], pd.DataFrame]]:
    """The parts of each card and policy, those with the largest total first, four at most."""
    groups = [
        ((str(card_id), str(policy)), mine)
        for (card_id, policy), mine in parts.groupby(["card_id", "policy"], sort=False)
    ]
    return sorted(groups, key=lambda group: -abs(group[1]["total"].iloc[0]))[:4]


def cautions(comparison: Comparison) -> Iterator[Caution]:
    """What a change did that may come from how these players play, and what checks it."""
    found = surprises(comparison)
    for card_id, policy in dict.fromkeys((one.card_id, one.policy) for one in found):
        mine = [one for one in found if (one.card_id, one.policy) == (card_id, policy)]
        reasons = " ".join(_reason_text(one) for one in mine)
        words = (
            f"The effect on {mine[0].name} may come from how {policy} players play. {reasons}"
            " To check, compare both versions again."
        )
        fates = [one.fate for one in mine if one.fate]
        yield Caution(words, experiments_of_change(comparison, fates or ["taken"]))


def _reason_text(surprise: Surprise) -> str:
    """Why an effect has to be checked."""
    became = "weaker" if surprise.difference < 0 else "stronger"
    got = "more" if surprise.difference < 0 else "less"
    if surprise.why == AGAINST:
        return (
            f"It has {got} power or keywords, yet became {became}. Only Mindbugs, texts that ask"
            " for power or keywords, or habits of the players can do that."
        )
    if surprise.why == APART:
        return "Players of the other policy see the opposite effect."
    return f"It goes with a choice of theirs: how often it is {PART_TEXT[surprise.fate]}."


def _part_text(part: pd.Series, base: str) -> str:
    """A part with what it was set against: "taken with a Mindbug 0.6% → 29.0%, −3.2 points"."""
    sides = amount_text(part, "base_amount"), amount_text(part)
    change = f"{sides[0]} {ARROW} {sides[1]}"
    amounts = change if base == BEFORE else f"{sides[1]} against {sides[0]} of the {base}"
    goes = f"{points(part['contribution'])} points"
    return (
        f"{PART_TEXT[part['part']]} {amounts}, which goes with {goes}"
        f" ({interval_of(part, 'contribution', points)})"
    )


def _thieves_text(comparison: Comparison, parts: pd.DataFrame) -> str:
    """How those fared who took a card with a Mindbug, where that is one of the parts told."""
    if "taken" not in set(telling(parts)["part"]):
        return ""
    about = parts.iloc[0]
    lines = comparison.table[
        (comparison.table["kind"] == "card")
        & (comparison.table["id"] == about["card_id"])
        & (comparison.table["policy"] == about["policy"])
        & (comparison.table["measure"] == "taken")
    ]
    return "".join(
        f" Those who took it with a Mindbug won {percent(line['base'])} of {count(line['base_n'])}"
        f" games before and {percent(line['variant'])} of {count(line['variant_n'])} after."
        for _, line in lines.iterrows()
    )
