"""What a panel of strong players says, in words."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from analysis.mindbug.experiments.skill_panel import FOR_STRONG, FOR_WEAK
from analysis.panel import DEPENDS, MORE_PLAYERS
from analysis.verdicts import FAIR, LESS, MORE, NEEDS_GAMES, TOO_STRONG, TOO_WEAK
from reports.kit.verdicts import predicate, settled
from reports.kit.words import (
    Finding,
    decimal,
    interval_of,
    listed,
    plural,
    points,
    points_text,
)
from reports.mindbug.run_text import called

#: Cards named in one sentence before "and n more".
_NAMED = 6
_NEEDS = {NEEDS_GAMES: "more games", MORE_PLAYERS: "more players"}


def _called(summary: pd.Series) -> list[str]:
    """The players of a panel, as sentences call them."""
    return [called(player) for player in summary["players"].split(", ")]


def panel_text(card_panel: pd.DataFrame, panel_summary: pd.DataFrame) -> str:
    """The verdicts for another player like the panel, and what its strongest player changes."""
    summary = panel_summary.iloc[0]
    cards = card_panel.sort_values("advantage", key=abs, ascending=False, kind="stable")
    of_verdict = dict(list(cards.groupby("panel_verdict")))
    among = listed(_called(summary))
    sentences = [f"For another player like {among}:"]
    for word in (TOO_STRONG, TOO_WEAK):
        if word in of_verdict:
            rows = of_verdict[word]
            named = [f"{card.name} ({points(card.advantage)})" for card in rows.itertuples()]
            sentences.append(f"{len(rows)} {predicate(word, len(rows))}: {listed(named, _NAMED)}.")
    if FAIR in of_verdict:
        n = len(of_verdict[FAIR])
        sentences.append(f"{n} {predicate(FAIR, n)}.")
    if DEPENDS in of_verdict:
        rows = of_verdict[DEPENDS]
        named = [
            f"{card.name} ({points(card.lowest)} {called(card.lowest_policy)},"
            f" {points(card.highest)} {called(card.highest_policy)})"
            for card in rows.itertuples()
        ]
        verb = "depends" if len(rows) == 1 else "depend"
        sentences.append(f"{len(rows)} {verb} on who plays: {listed(named, _NAMED)}.")
    needing = [
        f"{len(of_verdict[verdict])} {'needs' if len(of_verdict[verdict]) == 1 else 'need'} {what}"
        for verdict, what in _NEEDS.items()
        if verdict in of_verdict
    ]
    if needing:
        sentences.append(f"{listed(needing)}.")
    return " ".join([*sentences, *_whose_text(cards), *_move_text(cards, summary)])


def stronger_findings(panel_summary: pd.DataFrame) -> Iterator[Finding]:
    """How far the strongest player of a panel agrees with the others; nothing where none does."""
    values = panel_summary.iloc[0]
    if pd.isna(values["rank_correlation"]):
        return
    yield Finding(
        "Stronger players",
        f"Among {_last_of(values, 'a stronger player')} the ranks of the cards correlate"
        f" {decimal(values['rank_correlation'])} with these, allowing for chance;"
        f" {_opposite(values)}.",
    )


def _last_of(values: "Mapping[str, Any] | pd.Series[Any]", what: str) -> str:
    """The last player of a panel, said to be ``what`` if it searches: others may be as strong."""
    player = called(values["strongest"])
    return f"{player}, {what if player.startswith('search') else 'another player'},"


def _opposite(values: "Mapping[str, Any] | pd.Series[Any]") -> str:
    """How many cards are shown on the other side of the average."""
    n = int(values["n_opposite"])
    moves = "moves" if n == 1 else "move"
    return f"{n or 'no'} {plural('card', n or 2)} clearly {moves} to the other side of average"


def _whose_text(cards: pd.DataFrame) -> list[str]:
    """Which cards are for strong or for weak players alone."""
    return [
        f"{listed(rows['name'], _NAMED)} {'is a card' if len(rows) == 1 else 'are cards'} {whose}:"
        f" worth {one} than the average card among the weakest of all players compared, and {other}"
        " for another player like these."
        for whose, one, other in ((FOR_STRONG, LESS, MORE), (FOR_WEAK, MORE, LESS))
        if len(rows := cards[cards["whose_card"] == whose])
    ]


def _move_text(cards: pd.DataFrame, summary: "pd.Series[object]") -> list[str]:
    """What the strongest player changes."""
    values: Mapping[str, Any] = summary.to_dict()
    if pd.isna(values["rank_correlation"]):
        return []
    known = interval_of(values, "rank_correlation", decimal)
    text = (
        f"Among {_last_of(values, 'the strongest')} a card differs from the mean of the"
        f" others by {points_text(round(values['move'], 3))} (standard deviation, allowing for"
        " chance)"
    )
    clear = settled(cards, "move")
    most = clear.sort_values("move", key=abs, ascending=False, kind="stable").head(3)
    if len(most):
        named = [f"{card.name} ({points(card.move)})" for card in most.itertuples()]
        text += f", most of all {listed(named)}"
    return [
        f"{text}. The ranks correlate {decimal(values['rank_correlation'])} ({known};"
        f" {decimal(values['raw_rank_correlation'])} with chance left in); {_opposite(values)}."
    ]
