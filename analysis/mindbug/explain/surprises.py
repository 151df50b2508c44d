"""Changes whose effect should be checked with other players, and why."""

from typing import NamedTuple

import pandas as pd
from attrs import evolve

from analysis.experiments.comparison import Comparison
from analysis.mindbug.runs import pool_of
from analysis.verdicts import LESS, MORE
from card_data.mindbug.pool import changes
from card_data.mindbug.schema import Card, Pool

#: A fate that players choose is shown to have moved where its share did by more than this.
MOVED = 0.1
#: Fates that depend on what players choose: to use a Mindbug, and to play the card.
CHOSEN = ("taken", "not_played")

#: Why the effect on a card is a surprise: the change should do the opposite by the rules; it goes
#: with a fate that players choose; players of two policies see opposite effects.
AGAINST, CHOICE, APART = "against", "choice", "apart"


class Surprise(NamedTuple):
    """A changed card whose effect may come from how these players play.

    ``fate`` is the one that moved, for `CHOICE`.
    """

    card_id: str
    name: str
    policy: str
    why: str
    difference: float
    fate: str = ""


def surprises(comparison: Comparison) -> list[Surprise]:
    """The surprises among the changed cards, the most telling of each card and policy first."""
    if "change_parts" not in comparison.more:
        return []
    table, parts = comparison.table, comparison.more["change_parts"]
    dealt = table[(table["kind"] == "card") & (table["measure"] == "dealt")]
    lines = dealt[dealt["id"].isin(parts["card_id"]) & dealt["verdict"].isin([MORE, LESS])]
    side = _side_of_only_change(pool_of(comparison.base), pool_of(comparison.variant))
    sides = lines.groupby("id")["difference"].agg(lambda moved: moved.min() * moved.max())
    found = []
    for _, line in lines.iterrows():
        about = line["id"], line["name"], line["policy"]
        moved = float(line["difference"])
        if side * moved < 0:
            found.append(Surprise(*about, AGAINST, moved))
        if sides[line["id"]] < 0:
            found.append(Surprise(*about, APART, moved))
        if fate := _moved_fate(parts, line["id"], line["policy"]):
            found.append(Surprise(*about, CHOICE, moved, fate))
    return found


def _moved_fate(parts: pd.DataFrame, card_id: str, policy: str) -> str:
    """The fate of choice whose share moved most, if one did by more than `MOVED`."""
    mine = parts[(parts["card_id"] == card_id) & (parts["policy"] == policy)]
    mine = mine[mine["part"].isin(CHOSEN)].set_index("part")
    moved = (mine["amount"] - mine["base_amount"]).abs()
    return str(moved.idxmax()) if len(moved) and moved.max() > MOVED else ""


def _side_of_only_change(base: Pool, variant: Pool) -> int:
    """1 if all that changed is one card and it got better as printed, -1 if worse, else 0."""
    changed = {change.card_id for change in changes(base, variant)}
    if len(changed) != 1 or "" in changed:
        return 0
    [card_id] = changed
    before, after = (
        next((card for one in pool.sets for card in one.cards if card.card_id == card_id), None)
        for pool in (base, variant)
    )
    return 0 if before is None or after is None else printed_side(before, after)


def printed_side(before: Card, after: Card) -> int:
    """1 for a card that has more power or keywords and differs in nothing else, -1 for fewer.

    0 for all other changes, and for none.
    """
    if evolve(after, power=before.power, keywords=before.keywords) != before:
        return 0
    more = after.power >= before.power and after.keywords >= before.keywords
    less = after.power <= before.power and after.keywords <= before.keywords
    return int(more) - int(less)
