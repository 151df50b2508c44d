"""What a card is worth and what each part of it does, from games with the same deals.

A variant changes one card in place, so game i is dealt the same cards as in the base and has the
same luck (`analysis.questions.sensitivity`).  The players of game i who were dealt the card are the
same in both, unless the number of copies is changed.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from attrs import frozen

from analysis.confidence import normal_z
from analysis.estimates import interval
from analysis.mindbug.experiments.sensitivity_games import FOLDER
from analysis.mindbug.experiments.trials import HALF, CardChange, Scores, Trials, count
from analysis.mindbug.selections import PAIRED_ERROR, POLICY, SCORE, p_value
from analysis.questions.sensitivity import Tried, effects_table, sensitivity_entry
from analysis.questions.worth import by_copies, change_row, part_rows, with_q_values
from analysis.registry import Registry, Table, q_value, with_interval
from analysis.tables import read_table, write_tables
from card_data.mindbug.schema import Card, Pool
from card_data.mindbug.variants import VALUE, Variant, dealt_cards, parts_of, subset_name, subsets
from simcore.arrays import Records
from simcore.sealed import RunError
from simcore.work.folder import identity, read_asked

#: Kinds of changes that suit any card and leave the deals as they are, in the order of the table.
EVERY_CARD = ("power", "add_keyword", "remove_keyword", "remove_all")


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


def choose_reference(pool: Pool, base: Records) -> Card:
    """The average card of the games of a base."""
    scores = Scores(pool, base)
    rates = {card.card_id: scores.win_rate(card).estimate for card in dealt_cards(pool)}
    return average_card(pool, rates)


def sensitivity_tables(
    pool: Pool, policy: str, base: Records, tested: Sequence[Trials]
) -> dict[str, pd.DataFrame]:
    """The tables `SENSITIVITY_TABLES`.  Cards stand in the given order."""
    scores = Scores(pool, base)
    changes = [
        (CardChange(one.card, variant, policy, scores), outcome)
        for one in tested
        for variant, outcome in zip(one.variants, one.outcomes, strict=True)
    ]
    sensitivity = effects_table(changes, SENSITIVITY, few_alone=True)
    values, copies, parts = [], [], []
    for one in tested:
        card = one.card
        about = {"card_id": card.card_id, "name": card.name, "policy": policy}
        lines = sensitivity[(sensitivity["card_id"] == card.card_id)]
        values.append(about | _value(scores, one, lines))
        copies += [about | line for line in _by_copies(scores, one)]
        parts += [about | part for part in _parts(scores, one)]
    return {
        "sensitivity": sensitivity,
        "values": with_q_values(VALUES.frame(values), "value"),
        "by_copies": with_q_values(BY_COPIES.frame(copies), "value"),
        "parts": with_q_values(PARTS.frame(parts), "worth"),
        "by_change": effects_by_change({policy: scores}, tested if len(tested) > 1 else ()),
    }


def effects_by_change(by_policy: Mapping[str, Scores], tested: Sequence[Trials]) -> pd.DataFrame:
    """The table ``by_change``: mean and spread of each change over the cards, by policy."""
    order = {kind: place for place, kind in enumerate(EVERY_CARD)}
    played: dict[tuple[int, int, str, str], list[tuple[Card, Records]]] = {}
    for one in tested:
        for variant, outcome in zip(one.variants, one.outcomes, strict=True):
            if variant.kind in order:
                key = order[variant.kind], _step(variant), variant.change, variant.kind
                played.setdefault(key, []).append((one.card, outcome))
    rows = [
        {"policy": policy, "change": change, "kind": kind, **row}
        for policy, scores in by_policy.items()
        for (*_, change, kind), games in sorted(played.items(), key=lambda item: item[0])
        if (row := change_row([scores.held(x, scores.dealt(card)) for card, x in games]))
    ]
    return with_q_values(BY_CHANGE.frame(rows), "effect", ["policy"])


def write_sensitivity(tables: dict[str, pd.DataFrame], folder: Path) -> None:
    """Write the tables to ``folder``/tables as Parquet and CSV.  Raises RunError."""
    write_tables(tables, folder, identity(FOLDER, read_asked(FOLDER, folder), ""))


def read_sensitivity(folder: Path, pool_hash: str) -> dict[str, pd.DataFrame]:
    """The tables ``sensitivity`` and ``values`` in the folder of an analysis of that pool.

    None where there is no such folder.  Raises RunError when it is damaged, or of another pool.
    """
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


def _step(variant: Variant) -> int:
    """By how much the power is changed; 0 for another change."""
    return int(variant.change.removeprefix("power")) if variant.kind == "power" else 0


def _value(scores: Scores, one: Trials, lines: pd.DataFrame) -> dict[str, Any]:
    """What a card is worth against the reference; nothing where that was not played."""
    rate = scores.win_rate(one.card)
    found = {
        "copies": one.card.copies,
        "reference": one.reference.card_id,
        "n": int(scores.dealt(one.card).sum()),
        "dealt_win_rate": rate.estimate,
        **interval("advantage", rate.estimate - HALF, normal_z() * rate.std_err),
    }
    if one.card.card_id == one.reference.card_id:  # by definition
        return found | interval("value", 0.0, 0.0) | {"std_err": 0.0}
    for _, line in lines[(lines["kind"] == VALUE) & (lines["measure"] == "dealt")].iterrows():
        other_way = ("difference", "difference_ci_high", "difference_ci_low")
        ends = [0.0 - line[end] for end in other_way]
        kept = {name: line[name] for name in ("std_err", "variance_reduction", "p_value")}
        return found | dict(zip(interval("value", 0, 0), ends, strict=True)) | kept
    return found


def _by_copies(scores: Scores, one: Trials) -> Iterator[dict[str, Any]]:
    """What it is worth to hold one copy, two copies …; nothing where the value was not played."""
    copies = scores.copies(one.card)
    for variant, outcome in zip(one.variants, one.outcomes, strict=True):
        if variant.kind == VALUE:
            numbers = range(1, one.card.copies + 1)
            yield from by_copies((n, scores.held(outcome, copies == n)) for n in numbers)


def _parts(scores: Scores, one: Trials) -> list[dict[str, Any]]:
    """What each part of a card adds, and the whole; nothing where that was not played."""
    parts, dealt = parts_of(one.card, one.reference.power), scores.dealt(one.card)
    played = {
        variant.change: outcome for variant, outcome in zip(one.variants, one.outcomes, strict=True)
    }
    wanted = {places: subset_name(places) for places in subsets(parts)}
    if not parts or not played.keys() >= {*wanted.values()}:
        return []
    points = {places: scores.halves(played[name], dealt) for places, name in wanted.items()}
    points[tuple(range(len(parts)))] = scores.halves(scores.base, dealt)
    return part_rows(parts, points, count(dealt), HALF)


SENSITIVITY = sensitivity_entry(
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
    },
    "dealt: the win rate of the players who were dealt the card; or first_player_win_rate or"
    " mean_turns, of all games",
    "observations in the variant: player-games or games; as many in the base, unless copies are"
    " changed",
    p_value=p_value("a difference"),
    by_size=False,
    paired=PAIRED_ERROR.format("difference"),
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
    differences=("worth", "alone", "last"),
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
        "their number (Benjamini-Hochberg, 5%)",
        "cards_down": "cards of which it is shown that it lowers the win rate",
        "p_value": p_value("an effect"),
        "q_value": q_value("changes of the policy"),
    },
    where="in the folder of `fairdeal sensitivity all`",
    differences=("effect",),
)

#: The tables, as `TriedCards.tables` gives them.
SENSITIVITY_TABLES = Registry(SENSITIVITY, VALUES, BY_COPIES, PARTS, BY_CHANGE)


@frozen(kw_only=True)
class TriedCards(Tried):
    """Changes of cards of a pool: what is played of it, the cards, and what takes their place."""

    table = SENSITIVITY
    few_alone = True

    pool: Pool
    policy: str
    base: Records
    cards: Sequence[Card]
    reference: Card
    manifest: Mapping[str, Any]

    @property
    def trials(self) -> list[Trials]:
        """The changes by their cards, as far as they are played."""
        by_card: dict[str, list[tuple[Variant, Records]]] = {}
        for change, games in zip(self.changes, self.games, strict=False):
            assert isinstance(change, CardChange)
            by_card.setdefault(change.card.card_id, []).append((change.variant, games))
        found = []
        for card in self.cards:
            played = by_card.get(card.card_id, [])
            variants, outcomes = tuple(one for one, _ in played), tuple(one for _, one in played)
            found.append(Trials(card, self.reference, variants, outcomes))
        return found

    @property
    def names(self) -> dict[str, str]:
        """The names of all cards of the pool by their ids."""
        return {card.card_id: card.name for one in self.pool.sets for card in one.cards}

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables `SENSITIVITY_TABLES`."""
        return sensitivity_tables(self.pool, self.policy, self.base, self.trials)
