"""A price list in words.  Nothing is estimated here; sentences quote the tables."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from analysis.confidence import USUAL, confidence
from analysis.questions.price_list import LESS, MORE, Price
from analysis.questions.prices import WIDEST
from reports.kit.words import (
    UNKNOWN,
    Finding,
    capital,
    count,
    decimal,
    display_name,
    level,
    listed,
    percent,
    signed,
)


class Nouns(NamedTuple):
    """What is priced is called so: one, and several; made up, they are "new" or have other values.

    ``known`` says that all are variants of entries that are there.
    """

    one: str = "card"
    several: str = "cards"
    known: bool = False

    @property
    def new(self) -> str:
        """One that is made up."""
        return f"{self.one} with other values" if self.known else f"new {self.one}"

    @property
    def several_new(self) -> str:
        """Several that are made up."""
        return f"{self.several} with other values" if self.known else f"new {self.several}"

    def counted(self, n: int) -> str:
        """So many of them."""
        return f"{count(n)} {self.one if n == 1 else self.several}"


class About(NamedTuple):
    """What a page says of what was played: of which game, in one line, and in several.

    ``stretch`` says by how much stronger play stretches worths; "" where that is not known.
    """

    title: str
    played: str
    facts: Sequence[tuple[str, str]]
    nouns: Nouns = Nouns()
    stretch: str = ""


#: What cards are called.
CARDS = Nouns()
_NAMED, _MOST_LINES, _LONGEST = 3, 24, 56
# Kinds of things that are not in the table of prices, or there by the best known.
_ELSEWHERE = "line", "body", "amount", "together"
#: Said wherever a price stands.
ESTIMATE = "by the price list, not played yet"


def amount(row: Mapping[str, Any], column: str = "price") -> str:
    """An estimate in points with its interval: "+1.3 (+1.1 to +1.5)"."""
    return f"{signed(row[column], 1)} ({interval(row, column)})"


def interval(row: Mapping[str, Any], column: str = "price") -> str:
    """The interval of an estimate in points: "+1.1 to +1.5"."""
    low, high = (signed(row[f"{column}_ci_{end}"], 1) for end in ("low", "high"))
    return f"{low} to {high}"


def headline(tables: Mapping[str, pd.DataFrame], nouns: Nouns = CARDS) -> str:
    """How far a new card is from its price."""
    half = tables["price_quality"]["half_width"].iloc[1]
    if half != half:
        return f"The list knows no {nouns.new} to within {WIDEST:g} points"
    often = "19 times in 20" if confidence() == USUAL else f"{level()} of the time"
    article = "an" if nouns.new[0] in "aeiou" else "a"
    return f"The list prices {article} {nouns.new} to within {half:.1f} points, {often}"


def findings(tables: Mapping[str, pd.DataFrame], about: About) -> Iterator[Finding]:
    """How good the list is, and then what it says."""
    nouns = about.nouns
    quality = tables["price_quality"].to_dict("records")
    whole, near, *_, printed = quality
    yield _how_good(whole, near, printed, nouns)
    yield from _dearest(tables["prices"])
    yield from _together(tables["prices"])
    yield from _off(tables["price_curve"], nouns)
    if about.stretch:
        yield Finding("Stronger play", about.stretch)


def _how_good(
    whole: Mapping[str, Any], near: Mapping[str, Any], printed: Mapping[str, Any], nouns: Nouns
) -> Finding:
    """What is known of cards that had no part in the list."""
    title, none = "How good it is", whole["n_without"]
    if whole["error"] != whole["error"]:
        text = (
            f"Of {count(none + whole['n'])} {nouns.several_new} that were left out, {count(none)}"
            f" are known to no better than {WIDEST:g} points, and so have no price."
        )
        return Finding(title, text)
    without = f" {count(none)} more, known to no better than {WIDEST:g} points, got no price."
    without *= none > 0
    return Finding(
        title,
        f"On whole batches of {nouns.several_new} that were left out, the error is"
        f" {_error(whole)}; on those priced near the average {_error(near)}. On printed"
        f" {nouns.several}, each left out: {_error(printed)}. Correlations, allowing for chance,"
        f" are {_correlation(whole)}, {_correlation(near)} and {_correlation(printed)}; the slope"
        f" on whole batches is {decimal(whole['slope'])} and {percent(whole['covered'])} of the"
        f" intervals held.{without}",
        f"Error on {count(whole['n'])} {nouns.several_new} that it never saw:"
        f" {_error(whole)}.{without}",
    )


def _error(row: Mapping[str, Any]) -> str:
    return f"{row['error']:.1f} points" if row["error"] == row["error"] else "unknown"


def _correlation(row: Mapping[str, Any]) -> str:
    known = row["correlation"] == row["correlation"]
    return decimal(row["correlation"]) if known else "unknown"


def _dearest(prices: pd.DataFrame) -> Iterator[Finding]:
    """What moves entries most, where they have fields with numbers and words."""
    rows = prices[prices["kind"].isin(("number", "value"))]
    rows = rows[(rows["price_ci_low"] > 0) | (rows["price_ci_high"] < 0)]
    ranked = rows.iloc[rows["price"].abs().argsort()[::-1]].to_dict("records")
    if ranked:
        named = listed(f"{row['thing']} {amount(row)}" for row in ranked[:_NAMED])
        yield Finding("What counts most", f"In points of win rate: {named}.")


def _together(prices: pd.DataFrame) -> Iterator[Finding]:
    """Things that are worth more or less together than by themselves."""
    pairs = prices[prices["kind"] == "together"]
    shown = pairs[(pairs["price_ci_low"] > 0) | (pairs["price_ci_high"] < 0)]
    if shown.empty:
        return
    ranked = shown.iloc[shown["price"].abs().argsort()[::-1]].to_dict("records")
    named = listed(f"{row['thing']} {amount(row)}" for row in ranked[:_NAMED])
    yield Finding("Together", f"Worth more or less together than apart, in points: {named}.")


def _off(curve: pd.DataFrame, nouns: Nouns) -> Iterator[Finding]:
    """Cards of the pool that the sum of their parts does not explain."""
    curve = priced(curve)
    parts = []
    for verdict in (MORE, LESS):
        rows = curve[curve["verdict"] == verdict].sort_values("off", key=abs, ascending=False)
        if len(rows):
            named = listed(
                f"{display_name(row['name'])} ({signed(row['off'], 1)})"
                for row in rows.head(_NAMED).to_dict("records")
            )
            parts.append(f"{verdict}, in points: {named}")
    told = "; ".join(parts)
    text = (
        f"{capital(told)}."
        if told
        else f"None of {nouns.counted(len(curve))} is shown to be worth more or less than its"
        " parts."
    )
    yield Finding("Off the curve", text)


def priced(curve: pd.DataFrame) -> pd.DataFrame:
    """The cards of a curve that have a price without themselves; all, where none has one."""
    known = curve["price_ci_high"] - curve["price_ci_low"] <= 2 * WIDEST
    return curve[known] if known.any() else curve


def known_lines(prices: pd.DataFrame, most: int | None = None) -> pd.DataFrame:
    """What has a price, dearest first: bodies, keywords and the best known lines."""
    ranked = prices.sort_values("price", ascending=False, kind="stable")
    lines = ranked[ranked["kind"] == "line"]
    # Of lines with one word in one field, which rest on the same cards, the shortest says most.
    lines = lines.assign(length=lines["thing"].str.len())
    known = lines.sort_values(["n_cards", "length"], ascending=[False, True], kind="stable")
    if most is not None:
        known = known.drop_duplicates(["field", "n_cards"]).head(most)
    known = known.drop(columns="length").sort_values("price", ascending=False, kind="stable")
    return pd.concat([ranked[~ranked["kind"].isin(_ELSEWHERE)], known])


def price_rows(prices: pd.DataFrame) -> list[tuple[str, str, str, str]]:
    """The rows of the console's table."""
    return [
        (
            row["field"],
            display_name(row["thing"], _LONGEST),
            signed(row["price"], 1),
            interval(row),
        )
        for row in known_lines(prices, _MOST_LINES).to_dict("records")
    ]


def player_findings(table: pd.DataFrame, players: Sequence[str]) -> list[Finding]:
    """How far the lists of two players agree, and what is worth more to which of them."""
    one, other = players
    n, shown = len(table), int((table["favourite_of"] != "").sum())
    alike = decimal(table["first"].corr(table["second"])) if n > 2 else UNKNOWN
    found = [
        Finding(
            "Two players",
            f"{shown} of {count(n)} things are shown to be worth more to {one} or to {other};"
            f" the correlation of their prices is {alike}.",
        )
    ]
    for column, name in zip(("first", "second"), players, strict=True):
        rows = _worth_more(table, column).head(_NAMED)
        named = listed(
            f"{row['field']} {row['thing']}".strip() + f" {amount(row, 'more')}"
            for row in rows.to_dict("records")
        )
        none = f"Nothing is shown to be worth more to {name}."
        told = f"Worth more to {name}, in points: {named}." if named else none
        found.append(Finding(f"Favourites of {name}", told))
    return found


def _worth_more(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """What is shown to be worth more to one of two players, by how ``more``, the most first."""
    sign = 1 if column == "first" else -1
    ends = sign * table[["gap_ci_low", "gap_ci_high"]]
    more = table.assign(
        more=sign * table["gap"], more_ci_low=ends.min(axis=1), more_ci_high=ends.max(axis=1)
    )
    return more[more["favourite_of"] == column].sort_values("more", ascending=False)


def ranked_players(table: pd.DataFrame) -> pd.DataFrame:
    """Things of two lists: favourites first, the largest difference before others."""
    sizes = table.assign(shown=table["favourite_of"] != "", size=table["gap"].abs())
    order = sizes.sort_values(["shown", "size"], ascending=False, kind="stable").index
    return table.loc[order]


def player_rows(table: pd.DataFrame, players: Sequence[str]) -> list[tuple[str, ...]]:
    """The rows of the console's table of two lists."""
    names = {"": "", **dict(zip(("first", "second"), players, strict=True))}
    return [
        (
            row["field"],
            display_name(row["thing"], _LONGEST),
            *(signed(row[column], 1) for column in ("first", "second")),
            amount(row, "gap"),
            names[row["favourite_of"]],
        )
        for row in ranked_players(table).head(_MOST_LINES).to_dict("records")
    ]


def card_text(price: Price, *, played: bool = False) -> str:
    """What a card costs, in one sentence; a card of the set itself was played for the list."""
    if price.price is None:
        return f"{price.name}: {price.why}"
    low, high = (signed(one, 1) for one in (price.ci_low or 0.0, price.ci_high or 0.0))
    at = signed(price.price, 1)
    by = "by the price list alone" if played else ESTIMATE
    return f"{price.name}: about {at} points ({low} to {high}) {by}"


def card_lines(price: Price) -> Sequence[tuple[str, str]]:
    """The sum of a card, line by line."""
    lines = [(display_name(line, _LONGEST), signed(points, 1)) for line, points in price.lines]
    return [] if price.price is None else lines
