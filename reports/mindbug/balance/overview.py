"""The first screen of the report of a run: the finding in a line, a chart, and a few sentences.

Nothing is estimated here.  A designer's own cards come first, new ones and changed ones.
"""

from collections.abc import Iterator, Mapping

import pandas as pd

from analysis.verdicts import NEEDS_GAMES, TOO_STRONG, TOO_WEAK
from reports.balance.sections import Grid
from reports.kit import words
from reports.kit.verdicts import predicate
from reports.mindbug.balance import rows
from reports.mindbug.balance import text as wording
from reports.mindbug.balance.panel_text import stronger_findings
from reports.mindbug.run_text import called

#: Sentences of the overview.
_MOST = 5
#: Own cards that a sentence names, and cards of either end that the chart shows of a large pool.
_NAMED, _ENDS = 3, 20


def headline(cards: pd.DataFrame, own: Mapping[str, str]) -> str:
    """The finding: what became of the own cards, or else how many are not fair.

    ``cards`` are those of one policy, ``own`` is what `own_cards` says of them.
    """
    ranked = cards.sort_values("advantage", ascending=False, kind="stable")
    mine = ranked[ranked["card_id"].isin(own)]
    if len(mine) == 1:
        return _of_own(mine.iloc[0])
    if len(mine):
        counts = mine["verdict"].value_counts()
        said = [f"{counts[word]} {predicate(word, counts[word])}" for word in counts.index]
        return f"Your {len(mine)} cards: {words.listed(said)}"
    said = []
    for word, place in ((TOO_STRONG, 0), (TOO_WEAK, -1)):
        found = ranked[ranked["verdict"] == word]
        if n := len(found):
            first = words.display_name(found["name"].iloc[place])
            more = f" and {n - 1} more" * (n > 1)
            said.append(f"{first}{more} {predicate(word, n)}")
    if not said:
        open_ones = int((cards["verdict"] == NEEDS_GAMES).sum())
        if open_ones == len(cards):
            all_of = "The one card" if open_ones == 1 else f"All {open_ones} cards"
            return f"{all_of} {predicate(NEEDS_GAMES, open_ones)}"
        said = [f"none is {TOO_STRONG} or {TOO_WEAK}"]
        said += [f"{open_ones} {predicate(NEEDS_GAMES, open_ones)}"] * (open_ones > 0)
    return f"Of {len(cards)} cards, {'; '.join(said)}"


def _of_own(card: pd.Series) -> str:
    """The verdict on a card, in a line."""
    name = words.display_name(card["name"])
    if pd.isna(card["dealt_win_rate"]):
        return f"{name} was dealt to nobody"
    won = f"players dealt it win {words.percent(card['dealt_win_rate'])} of their games"
    return f"{name} {predicate(card['verdict'])}: {won}"


def overview(
    tables: Mapping[str, pd.DataFrame], cards: pd.DataFrame, own: Mapping[str, str]
) -> list[words.Finding]:
    """The first things to know, a sentence or two each, those on own cards first."""
    return list(_overview(tables, cards, own))[:_MOST]


def _overview(
    tables: Mapping[str, pd.DataFrame], cards: pd.DataFrame, own: Mapping[str, str]
) -> Iterator[words.Finding]:
    mine = cards[cards["card_id"].isin(own)]
    if len(mine):
        yield words.Finding(f"Your card{'s' * (len(mine) > 1)}{_strong(cards)}", _own_text(mine))
    brief = {one.topic: one for one in wording.findings(tables)}
    yield from (brief[topic] for topic in ("Who wins", "Draws") if topic in brief)
    several = {"card_panel", "strong_cards"} & {*tables}
    who = f" ({called(cards['policy'].iloc[0])})" if several else ""
    rest: list[str] = []
    for one in wording.verdict_findings(cards):
        if one.topic in wording.OUTLYING:
            yield words.Finding(f"{words.capital(one.topic)}{who}", f"{one.text}.")
        else:
            said = one.text.partition(": ")[0]
            rest.append(said.replace(f" of {len(cards)} cards", "") if rest else said)
    if rest:
        yield words.Finding(f"Other cards{who}", f"{words.listed(rest)}.")
    if "card_panel" in tables and "strong_cards" not in tables:
        yield from stronger_findings(tables["panel_summary"])
    yield brief["Going first"]
    yield words.Finding("Length", _length_text(tables["summary"]))


def _own_text(mine: pd.DataFrame) -> str:
    """The verdicts on a designer's own cards, those furthest from the average first."""
    far_first = mine.loc[mine["advantage"].abs().sort_values(ascending=False).index]
    told = []
    for _, card in far_first.iterrows():
        if pd.isna(card["dealt_win_rate"]):
            told.append(f"{card['name']} was dealt to nobody")
            continue
        interval = words.between(*wording.judged_ends(card))
        rates = f"{words.percent(card['dealt_win_rate'])} won when dealt ({interval})"
        told.append(f"{card['name']} {predicate(card['verdict'])}: {rates}")
    named = told[:_NAMED]
    more = [f"{len(told) - _NAMED} more are in the chart"] * (len(told) > _NAMED)
    return "; ".join([*named, *more]) + "."


def _length_text(summary: pd.DataFrame) -> str:
    """How long a game is, and how it ends."""
    value = summary.drop_duplicates("statistic").set_index("statistic")["estimate"]
    ends = f"{words.percent(value['life_rate'])} of the games end because a player's life is 0"
    if pd.isna(value["mean_turns"]):
        return f"{ends}."
    return f"A game takes {value['mean_turns']:.1f} turns on average; {ends}."


def lead(cards: pd.DataFrame, own: Mapping[str, str], caption: str) -> Grid:
    """The chart of the first screen: cards by how often players win who are dealt them.

    Of a large pool it shows a designer's own cards and both ends.
    """
    ranked = rows.own_first(cards, own)
    mine = int(ranked["card_id"].isin(own).sum())
    shown, which = ranked, f"All {len(ranked)} cards"
    if len(ranked) > 2 * _ENDS + mine:
        shown = pd.concat([ranked.iloc[: mine + _ENDS], ranked.iloc[-_ENDS:]])
        which = f"The {_ENDS} strongest and {_ENDS} weakest of {words.count(len(ranked))} cards"
        which += ", yours on top" * bool(mine)
    columns = [rows.name_column(own), rows.lead_column(cards), *rows.lead_columns(cards)]
    label = f"Games won by players dealt the card. {which}, with {words.level()} intervals"
    band = cards["band"].iloc[0] if len(cards) else 0
    if band:
        label += f"; shaded: within {words.points_text(band)} of the average"
    return Grid.of(columns, shown, label, "chart", caption, wording.strength_title(cards))


def own_findings(cards: pd.DataFrame, own: Mapping[str, str]) -> list[words.Finding]:
    """The verdict on each of a designer's own cards, those furthest from the average first."""
    mine = cards[cards["card_id"].isin(own)]
    far_first = mine["advantage"].abs().sort_values(ascending=False).index
    topic = f"Your card{_strong(cards)}"
    return [words.Finding(topic, _own_text(mine.loc[[card]])) for card in far_first]


def _strong(cards: pd.DataFrame) -> str:
    """Who plays, where that is not the player of the run."""
    return f" ({called(cards['policy'].iloc[0])})" if "weaker" in cards else ""
