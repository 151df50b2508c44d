"""The rows and columns of the tables of the balance report, as its page shows them."""

from collections.abc import Callable, Mapping
from functools import partial
from math import isnan, nan
from typing import Any

import pandas as pd

from analysis.mindbug.card_strength import draws
from analysis.mindbug.experiments.usual import BASELINE
from analysis.mindbug.registry import TABLES
from analysis.mindbug.selections import (
    MEASURES,
    RULINGS,
    SELECTIONS,
    SKILL_CHANGE,
    SKILL_VERDICTS,
    STATISTICS,
    SYSTEM_STATISTICS,
)
from analysis.panel import PANEL_VERDICTS
from analysis.registry import with_ends
from analysis.verdicts import MANY_DRAWS, MEANINGS
from reports.kit.cells import (
    Cell,
    Column,
    Ground,
    cell_of,
    counted,
    estimate,
    estimate_of,
    number,
    rate,
    verdict,
    whole,
    word,
)
from reports.kit.words import bare_percent, count, decimals, interval, interval_of, percent, points
from reports.mindbug.balance.card_pages import target_of
from reports.mindbug.balance.pair_text import verdict_text
from reports.mindbug.balance.text import judged_ends

_STAGE_NUMBERS = ("–", "I", "II", "III")
_TWO_DIGITS = partial(bare_percent, digits=2)
# The advantage of a card among random players, and what that is.
_RANDOM = f"{BASELINE}_advantage"
_AMONG_RANDOM = f"In percentage points, both players choosing at random. {MEASURES['advantage']}"


def with_others(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The table of cards, with what other players than those of the run make of each.

    That is its ``advantage`` among players who choose at random, with ``random_`` before it, where
    such players were compared.
    """
    cards = tables["cards"]
    if "skill_cards" in tables and BASELINE not in {*cards["policy"]}:
        found = tables["skill_cards"].query("policy == @BASELINE").set_index("card_id")
        if len(found):
            columns = found[["n", *with_ends("advantage")]].add_prefix(f"{BASELINE}_")
            cards = cards.join(columns, on="card_id")
    return cards


def beside_columns(cards: pd.DataFrame) -> list[Column]:
    """The columns of what `with_others` found."""
    random = estimate_of(_RANDOM, points, f"{BASELINE}_n")
    return [Column("Random players", _AMONG_RANDOM, random)] if _RANDOM in cards else []


def lead_columns(cards: pd.DataFrame) -> list[Column]:
    """The verdict, and before it what random players find.

    They are narrow, and a phone does not show them.
    """
    others = (("Random", _RANDOM, "random players"), ("Weaker", "weaker", "weaker players"))
    columns = [
        Column(
            heading,
            f"In per cent, as on the left: how often {who} win who are dealt it, against equals.",
            partial(_won, column=column),
            "word",
        )
        for heading, column, who in others
        if column in cards
    ]
    return [*columns, VERDICT]


def _won(card: pd.Series, column: str) -> Cell:
    """The win rate of an advantage among equals, in per cent."""
    return word(bare_percent(0.5 + card[column]))


def card_columns(
    cards: pd.DataFrame, set_names: Mapping[str, str], own: Mapping[str, str]
) -> list[Column]:
    """The columns of the table of cards: what a designer looks for first comes first.

    Set and policy have a column where there are several.  ``own`` is what `own_cards` says of the
    pool.
    """
    others = (
        Column(
            selection.name.replace("_", " ").capitalize(),
            meaning_of(selection.name),
            partial(rate, selection=selection.name),
        )
        for selection in SELECTIONS[1:]
    )
    return [
        name_column(own),
        dealt_column(cards),
        *_policy_column(cards),
        VERDICT._replace(filter="Verdict"),
        Column("Power", "printed power", cell_of("power", whole)),
        Column(
            "Advantage",
            f"In percentage points. {MEASURES['advantage']}",
            estimate_of("advantage", points),
        ),
        *beside_columns(cards),
        *_draw_columns(cards),
        _mindbug_rate(),
        Column("Keywords", "printed keywords", _keywords, "word", filter="Keyword", several=True),
        *_set_column(cards, set_names),
        Column("Copies", "copies in the pool", cell_of("copies", whole)),
        Column("Dead", MEASURES["dead_rate"], estimate_of("dead_rate", bare_percent, "drawn_n")),
        *others,
        Column(
            "Turn played",
            MEASURES["mean_turn_played"],
            estimate_of("mean_turn_played", "{:.1f}".format),
        ),
    ]


def name_column(own: Mapping[str, str]) -> Column:
    """The name of a card; one of a designer's own is marked."""

    def cell(card: pd.Series) -> Cell:
        return card_name(card)._replace(mark=own.get(card["card_id"], ""))

    return Column("Card", "printed name", cell, "word")


def dealt_column(cards: pd.DataFrame) -> Column:
    """How often players win who are dealt a card, drawn against the average of these cards."""
    average = (cards["dealt_win_rate"] - cards["advantage"]).median()
    band = 0 if cards.empty else cards["band"].iloc[0]

    def cell(card: pd.Series) -> Cell:
        return number(card["dealt_win_rate"], *judged_ends(card), bare_percent, card["dealt_n"])

    return Column(
        "Dealt",
        f"{meaning_of('dealt')} The intervals of all cards hold together: those of `advantage`,"
        " around the average.",
        cell,
        sorted=True,
        ground=Ground(partial(percent, digits=0), average, band),
    )


def lead_column(cards: pd.DataFrame) -> Column:
    """What verdicts are about, drawn against what is fair, for tables with few columns."""
    return dealt_column(cards)._replace(heading="Won, %")


def own_first(cards: pd.DataFrame, own: Mapping[str, str]) -> pd.DataFrame:
    """Cards by strength, a designer's own before the others."""
    ranked = cards.sort_values("dealt_win_rate", ascending=False, kind="stable")
    return ranked.iloc[(~ranked["card_id"].isin(own)).argsort(kind="stable")]


def meaning_of(selection: str) -> str:
    """Whose win rate that of a selection is."""
    (mine,) = (one for one in SELECTIONS if one.name == selection)
    return f"Win rate of the player-games in which {mine.definition}."


def _draw_columns(cards: pd.DataFrame) -> list[Column]:
    """What became of the games of players dealt a card, where so many are drawn that it matters."""
    if draws(cards) < MANY_DRAWS:
        return []
    return [
        Column(
            heading,
            f"Share of the player-games in `dealt` that were {word}.",
            estimate_of(f"dealt_{result}_rate", bare_percent),
        )
        for heading, result, word in (
            ("P(win)", "won", "won"),
            ("P(draw)", "draw", "drawn"),
            ("P(loss)", "lost", "lost"),
        )
    ]


def mindbug_columns(cards: pd.DataFrame) -> list[Column]:
    """The columns of the table of Mindbugs."""
    selections = {selection.name: selection for selection in SELECTIONS}
    return [
        Column("Card", "printed name", card_name, "word"),
        _mindbug_rate(sort=True),
        *_policy_column(cards),
        Column("Verdict", "on the card when dealt", _verdict, "word", filter="Verdict"),
        *(
            Column(
                heading,
                f"Win rate of the player-games in which {selections[name].definition}.",
                partial(rate, selection=name),
            )
            for heading, name in (("Taken", "taken"), ("Lost", "lost_to_mindbug"))
        ),
        lead_column(cards)._replace(sorted=False, ground=None),
    ]


def seat_columns(seats: pd.DataFrame) -> list[Column]:
    """The columns of the table of cards by seat."""
    said = TABLES["card_seats"].columns

    def rates(seat: str) -> list[Column]:
        rate, average = f"{seat}_win_rate", f"average_{seat}_win_rate"
        cell = estimate_of(rate, bare_percent, f"{seat}_n")
        return [
            Column(seat.capitalize(), f"In per cent, {said[rate]}", cell),
            Column(
                f"Average, {seat}",
                f"In per cent, {said[average]}.",
                lambda card: number(card[average], nan, nan, bare_percent),
            ),
        ]

    return [
        Column("Card", "printed name", card_name, "word"),
        Column(
            "Gain",
            f"In percentage points: {said['gain']}.",
            estimate_of("gain", points),
            sorted=True,
        ),
        *_policy_column(seats),
        Column("Verdict", said["verdict"], _verdict, "word", filter="Gain from going first"),
        *rates("first"),
        *rates("second"),
    ]


def keyword_columns(keywords: pd.DataFrame) -> list[Column]:
    """The columns of the table of keywords."""
    return [
        Column(
            "Keyword",
            "printed on the cards",
            lambda row: word(row["keyword"].capitalize()),
            "word",
            filter="Keyword",
        ),
        *_policy_column(keywords),
        Column(
            "Cards dealt",
            "how many of the ten cards of a player carry it",
            cell_of("n_cards", whole),
        ),
        Column("Player-games", "players with that many", cell_of("dealt_n", counted)),
        Column("Win rate", "of these players", partial(rate, selection="dealt")),
    ]


def effect_columns(effects: pd.DataFrame) -> list[Column]:
    """The columns of the table of what keywords do by experiment."""
    meanings = TABLES["keyword_effects"].columns
    return [
        Column("Keyword", "the keyword", lambda row: word(row["change"][1:].capitalize()), "word"),
        *_policy_column(effects),
        Column(
            "Change",
            "one card at a time",
            lambda row: word("added" if row["kind"] == "add_keyword" else "taken off"),
            "word",
        ),
        Column("Cards", meanings["n_cards"], cell_of("n_cards", whole)),
        Column(
            "Mean",
            f"In percentage points, {meanings['effect']}.",
            estimate_of("effect", partial(points, digits=2), "n"),
        ),
        Column(
            "Spread",
            f"In percentage points, {meanings['spread']}.",
            estimate_of("spread", _TWO_DIGITS),
        ),
        Column("Raises", meanings["cards_up"], cell_of("cards_up", whole)),
        Column("Lowers", meanings["cards_down"], cell_of("cards_down", whole)),
    ]


def card_name(card: pd.Series) -> Cell:
    """The name of a card, which leads to its page."""
    return Cell(card["name"], target=target_of(card["card_id"]))


def _policy_column(table: pd.DataFrame) -> list[Column]:
    """The column of the policy where there are several."""
    if table["policy"].nunique() < 2:
        return []
    meaning = "who played; policies are never mixed"
    return [Column("Policy", meaning, cell_of("policy"), "word", filter="Policy")]


def _set_column(cards: pd.DataFrame, set_names: Mapping[str, str]) -> list[Column]:
    """The column of the set where there are several."""
    if cards["set_id"].nunique() < 2:
        return []

    def cell(card: pd.Series) -> Cell:
        return word(set_names.get(card["set_id"], card["set_id"]))

    return [Column("Set", "the set that it comes from", cell, "word", filter="Set")]


def _mindbug_rate(*, sort: bool = False) -> Column:
    return Column(
        "Mindbug rate",
        MEASURES["mindbug_rate"],
        estimate_of("mindbug_rate", bare_percent, "mindbug_n"),
        sorted=sort,
    )


def _keywords(card: pd.Series) -> Cell:
    return word(", ".join(name.capitalize() for name in card["keywords"].split()))


def _verdict(card: pd.Series) -> Cell:
    return verdict(card["verdict"])


#: The verdict on a card.
VERDICT = Column("Verdict", MEANINGS, _verdict, "word")


def skill_columns(policies: list[str]) -> list[Column]:
    """The columns of the table of cards by who plays; their cells take the rows of one card."""

    def of_policy(rows: pd.DataFrame, rung: int, **what: Any) -> Cell:
        return estimate(rows.loc[rung], **what)

    change = partial(of_policy, rung=0, column="change", words=points)
    verdicts = "; ".join(f"{name}: {meaning}" for name, meaning in SKILL_VERDICTS.items())
    return [
        Column("Card", "printed name", lambda rows: card_name(rows.iloc[0]), "word"),
        Column("Change", f"In percentage points. {SKILL_CHANGE}.", change, sorted=True),
        Column("By skill", verdicts, _skill_verdict, "word", filter="By skill"),
        *(
            Column(
                f"Advantage, {policy}",
                f"In percentage points, both players {policy}. {MEASURES['advantage']}",
                partial(of_policy, rung=rung, column="advantage", words=points, n="n"),
            )
            for rung, policy in enumerate(policies)
        ),
        *(
            Column(
                f"Mindbug rate, {policy}",
                f"In per cent, both players {policy}. {MEASURES['mindbug_rate']}",
                partial(
                    of_policy, rung=rung, column="mindbug_rate", words=bare_percent, n="mindbug_n"
                ),
            )
            for rung, policy in enumerate(policies)
        ),
    ]


def panel_columns() -> list[Column]:
    """The columns of the table of what a panel of strong players says of each card."""
    said = TABLES["card_panel"].columns
    verdicts = "; ".join(f"{name}: {meaning}" for name, meaning in PANEL_VERDICTS.items())

    def of_points(heading: str, column: str, *, ranks: bool = False) -> Column:
        meaning = f"In percentage points: {said[column]}."
        return Column(heading, meaning, estimate_of(column, points), sorted=ranks)

    def one_of(heading: str, column: str) -> Column:
        meaning = f"In percentage points: {said[column]}, and whose that is."
        return Column(heading, meaning, partial(_whose, column=column))

    return [
        Column("Card", "printed name", card_name, "word"),
        of_points("Advantage", "advantage", ranks=True),
        Column(
            "Another player",
            "In percentage points: the interval of `advantage` with another player.",
            _further,
        ),
        Column(
            "Verdict",
            verdicts,
            cell_of("panel_verdict", verdict),
            "word",
            filter="Verdict of the panel",
        ),
        Column("Spread", f"In points: {said['spread']}.", estimate_of("spread", bare_percent)),
        Column(
            "Same side, %",
            f"{said['same_side'].capitalize()}.",
            lambda card: number(card["same_side"], nan, nan, partial(bare_percent, digits=0)),
        ),
        one_of("Lowest", "lowest"),
        one_of("Highest", "highest"),
        of_points("Strongest against others", "move"),
        Column("Whose card", said["whose_card"], cell_of("whose_card"), "word"),
    ]


def _whose(card: pd.Series, column: str) -> Cell:
    """One player's advantage, and who that is."""
    return number(card[column], nan, nan, points)._replace(interval=card[f"{column}_policy"])


def _further(card: pd.Series) -> Cell:
    """The interval of a further player."""
    low, high = card["further_ci_low"], card["further_ci_high"]
    return Cell("–", nan) if isnan(low) else Cell(interval(low, high, points), (low + high) / 2)


def _skill_verdict(rows: pd.DataFrame) -> Cell:
    return verdict(rows["skill_verdict"].iloc[0])


#: Games by who plays, with equals on both sides.
SKILL_SUMMARY = (
    Column("Players", "", cell_of("policy")),
    Column("Games", "", cell_of("n_games", counted)),
    Column("Going first, points", "", estimate_of("first_player_advantage", points)),
    Column("Mindbugs used", "", estimate_of("mean_mindbugs_used", "{:.2f}".format)),
    Column("Turns", "", estimate_of("mean_turns", "{:.1f}".format)),
    Column("Draws", "", estimate_of("draw_rate", _TWO_DIGITS)),
)
#: Pairs of policies by who starts.
FIRST_PLAYER = (
    Column("Who starts", "", cell_of("policy_first")),
    Column("Against", "", cell_of("policy_second"), "word"),
    Column("Games", "", cell_of("n_games", counted)),
    Column(
        "Score, %",
        "",
        lambda row: number(
            row["first_player_win_rate"], row["ci_low"], row["ci_high"], bare_percent
        ),
    ),
    Column("Won, games", "", cell_of("won", counted)),
    Column("Drawn", "", cell_of("drawn", counted)),
    Column("Lost", "", cell_of("lost", counted)),
)
#: Sets.
SETS = (
    Column("Set", "", cell_of("name")),
    Column("Policy", "", cell_of("policy"), "word"),
    Column("Cards", "", cell_of("n_cards", whole)),
    Column("Copies", "", cell_of("copies", whole)),
    Column("Dealt", "", partial(rate, selection="dealt")),
    Column("One more card, points", "", estimate_of("effect", partial(points, digits=2))),
    Column("Drawn", "", partial(rate, selection="drawn")),
    Column("Entered", "", partial(rate, selection="entered")),
    Column("Taken", "", partial(rate, selection="taken")),
)
#: Stages of each evolution line, and of all of them.
STAGES = (
    Column(
        "Line",
        "",
        lambda row: Cell(row["name"], target=target_of(row["card_id"]) if row["card_id"] else ""),
    ),
    Column("Policy", "", cell_of("policy"), "word"),
    Column("Stage", "", lambda row: Cell(_STAGE_NUMBERS[row["stage"]], row["stage"])),
    Column("Name", "", lambda row: word(row["stage_name"] if row["card_id"] else "–"), "word"),
    Column("Share of cards dealt", "", estimate_of("share", bare_percent)),
    Column("Dealt", "", partial(rate, selection="dealt")),
    Column("Entered", "", partial(rate, selection="entered")),
)
#: Power cards.
POWER_CARDS = (
    Column("Power card", "", cell_of("name")),
    Column("Policy", "", cell_of("policy"), "word"),
    Column("Cost", "", cell_of("cost", whole)),
    Column("Copies", "", cell_of("copies", whole)),
    Column("Players who bought it", "", estimate_of("bought_share", bare_percent)),
    Column("Their win rate", "", partial(rate, selection="bought")),
)
#: Faces of the die.
DICE = (
    Column("Face", "", lambda row: word(row["face"].capitalize())),
    Column("Results", "", cell_of("results", counted)),
    Column("Per cent of dice", "", estimate_of("share", _TWO_DIGITS)),
    Column("A die by itself", "", lambda row: Cell(_TWO_DIGITS(row["expected"]), row["expected"])),
)


def _other_ruling(row: pd.Series) -> Cell:
    """The option that answers an open point the other way."""
    ruling = RULINGS.get(int(row["open_point"].removeprefix("O")))
    return word("–" if ruling is None else f"--ruling {ruling.name.lower()}")


#: Open points of the rules text.
OPEN_POINTS = (
    Column("Point", "", cell_of("open_point")),
    Column("It came up when", "", lambda row: Cell(row["meaning"], kind="text"), "word"),
    Column("Answered the other way by", "", _other_ruling, "word"),
    Column("Games", "", cell_of("came_up", counted)),
    Column("Per cent of games", "", estimate_of("share", _TWO_DIGITS)),
)


def _words_of_statistic(row: pd.Series) -> Callable[[float], str]:
    """How the numbers of a line of ``summary`` are written, with the digits that it supports."""
    low, high = row["ci_low"], row["ci_high"]
    if row["statistic"].endswith("_rate"):
        return partial(percent, digits=decimals(100 * low, 100 * high))
    if row["statistic"].endswith("_effect"):
        return partial(points, digits=decimals(100 * low, 100 * high))
    return f"{{:.{decimals(low, high)}f}}".format


def _statistic(row: pd.Series) -> Cell:
    value = row["estimate"]
    return Cell("unknown" if isnan(value) else _words_of_statistic(row)(value), value)


def _its_interval(row: pd.Series) -> Cell:
    known = not isnan(row["ci_low"])
    return Cell(interval_of(row, "", _words_of_statistic(row)) if known else "")


#: Numbers about all games.
SUMMARY = (
    Column("What", "", lambda row: Cell((STATISTICS | SYSTEM_STATISTICS)[row["statistic"]])),
    Column("Who", "", cell_of("policy"), "word"),
    Column("Estimate", "", _statistic),
    Column("Interval", "", _its_interval),
    Column("Games", "", cell_of("n_games", counted)),
)
#: Pairs of cards that show an effect.
PAIRS = (
    Column("Pair", "", lambda pair: Cell(verdict_text(pair))),
    Column("Beyond the cards", "", estimate_of("shrunk", points)),
    Column("As measured", "", estimate_of("interaction", points)),
    Column(
        "Win rate with both",
        "",
        lambda pair: Cell(percent(pair["win_rate"]), title=f"n = {count(pair['n'])}"),
    ),
    Column("Explained by each", "", lambda pair: Cell(percent(pair["expected"]))),
    Column("n", "", lambda pair: Cell(count(pair["n"]))),
)
