"""What a panel of strong players says, in words."""

from collections.abc import Collection, Mapping

import pandas as pd

from analysis.mindbug.experiments.skill_panel import FOR_STRONG, FOR_WEAK
from analysis.panel import ABOVE, BELOW, DEPENDS, INSIDE, MORE_GAMES, MORE_PLAYERS
from reports.kit.words import (
    display_name,
    interval_of,
    listed,
    percent,
    plural,
    points,
    points_text,
)
from reports.mindbug.run_text import called

#: Cards named in one sentence before "and n more".
_NAMED = 6
# What is said of one card, and of several.
_SAID = {
    ABOVE: ("is above average", "are above average"),
    BELOW: ("is below average", "are below average"),
    INSIDE: ("is balanced", "are balanced"),
    DEPENDS: ("depends on who plays", "depend on who plays"),
    MORE_PLAYERS: ("needs more players", "need more players"),
    MORE_GAMES: ("needs more games", "need more games"),
}
#: Verdicts that hold whoever plays.
_HOLD = (ABOVE, BELOW, INSIDE)
_NEEDS = {MORE_GAMES: "more games", MORE_PLAYERS: "more players"}


def panel_headline(
    card_panel: pd.DataFrame, panel_summary: pd.DataFrame, own: Collection[str]
) -> str:
    """What holds whoever of a panel plays: of a designer's ``own`` cards, or else of all cards.

    It says by how much the strongest player still moves that.
    """
    summary = panel_summary.iloc[0]
    mine = card_panel[card_panel["card_id"].isin(own)]
    whoever = f", whoever of {listed(_called(summary))} plays"
    strongest = called(summary["strongest"])
    if len(mine) == 1:
        return _of_own(mine.iloc[0], whoever, strongest)
    cards = mine if len(mine) else card_panel
    counts = cards["panel_verdict"].value_counts().to_dict()
    held, other = (
        [f"{counts[one]} {_SAID[one][counts[one] > 1]}" for one in verdicts if one in counts]
        for verdicts in (_HOLD, [one for one in _SAID if one not in _HOLD])
    )
    whose = "your " if len(mine) else ""
    sure = listed(held) or "none is shown to be above or below average"
    said = [f"Of {whose}{len(cards)} cards {sure}{whoever}", *other]
    if pd.notna(summary["move"]):
        typical = points_text(round(float(summary["move"]), 3))
        said.append(f"{strongest} still moves a card by {typical}")
    return "; ".join(said)


def _of_own(card: pd.Series, whoever: str, strongest: str) -> str:
    """The verdict on one card, and by how much the strongest player moves it."""
    verdict = card["panel_verdict"]
    held = whoever if verdict in _HOLD else ""
    said = f"{display_name(card['name'])} {_SAID[verdict][0]}{held}"
    if pd.isna(card["advantage"]):
        return said
    said += f": players dealt it win {percent(0.5 + card['advantage'])} of their games"
    by = points_text(round(abs(card["move"]), 3))
    if pd.isna(card["move"]) or by == points_text(0):
        return said
    return f"{said}, {by} {'more' if card['move'] > 0 else 'less'} among {strongest}"


def _called(summary: pd.Series) -> list[str]:
    """The players of a panel, as sentences call them."""
    return [called(player) for player in summary["players"].split(", ")]


def panel_text(card_panel: pd.DataFrame, panel_summary: pd.DataFrame) -> str:
    """Which verdicts hold whoever of the panel plays, and what its strongest player changes."""
    summary = panel_summary.iloc[0]
    cards = card_panel.sort_values("advantage", key=abs, ascending=False, kind="stable")
    of_verdict = dict(list(cards.groupby("panel_verdict")))
    sides = cards[cards["panel_verdict"].isin((ABOVE, BELOW))]
    among = listed(_called(summary))
    sentences = [
        f"Whoever of {among} plays, {len(sides) or 'none'} of {len(cards)} cards"
        f" {'is' if len(sides) == 1 else 'are'} on the same side of the average."
    ]
    for verdict, side in ((ABOVE, "above"), (BELOW, "below")):
        if verdict in of_verdict:
            rows = of_verdict[verdict]
            named = [f"{card.name} ({points(card.advantage)})" for card in rows.itertuples()]
            sentences.append(f"{_number(rows)} {side} it: {listed(named, _NAMED)}.")
    if INSIDE in of_verdict:
        rows = of_verdict[INSIDE]
        band = points_text(rows["band"].iloc[0])
        sentences.append(f"{_number(rows)} within {band} of it.")
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


def _whose_text(cards: pd.DataFrame) -> list[str]:
    """Which cards are for strong or for weak players alone."""
    return [
        f"{listed(rows['name'], _NAMED)} {'is a card' if len(rows) == 1 else 'are cards'} {whose}:"
        f" {one} average among the weakest of all players compared, {other} it whoever of these"
        " plays."
        for whose, one, other in ((FOR_STRONG, "below", "above"), (FOR_WEAK, "above", "below"))
        if len(rows := cards[cards["whose_card"] == whose])
    ]


def _move_text(cards: pd.DataFrame, summary: "pd.Series[object]") -> list[str]:
    """What the strongest player changes."""
    values: Mapping[str, float] = summary.to_dict()
    if pd.isna(values["rank_correlation"]):
        return []
    from analysis.estimates import CONFIDENCE

    known = interval_of(values, "rank_correlation", "{:.2f}".format)
    n = int(values["n_opposite"])
    text = (
        f"Among {called(summary['strongest'])}, the strongest, a card differs from the mean of the"
        f" others by {points_text(round(values['move'], 3))} (standard deviation, errors taken out)"
    )
    clear = cards[cards["move_q_value"] < 1 - CONFIDENCE]
    most = clear.sort_values("move", key=abs, ascending=False, kind="stable").head(3)
    if len(most):
        named = [f"{card.name} ({points(card.move)})" for card in most.itertuples()]
        text += f", most of all {listed(named)}"
    return [
        f"{text}. The ranks correlate {values['rank_correlation']:.2f} ({known});"
        f" {n or 'no'} {plural('card', n or 2)} {'is' if n == 1 else 'are'} shown on the other side"
        " of the average."
    ]


def _number(rows: pd.DataFrame) -> str:
    return f"{len(rows)} {'is' if len(rows) == 1 else 'are'}"
