"""Tables in words: what was played, and what is worth knowing first.

Nothing is estimated here; sentences quote the tables, and verdicts are those of `analysis.balance`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from analysis.views import BALANCED, STRONG, UNDECIDED, VERDICTS, WEAK
from reports.theme import between, count, percent, points

#: Cards named in one sentence before "and n more".
_NAMED = 6
#: Win rate of the better policy beyond which a match says little about cards.
_ONE_SIDED = 0.8


class Finding(NamedTuple):
    """One of the first things to know: what it is about, and a few sentences."""

    topic: str
    text: str


def describe_sets(manifest: Mapping[str, Any]) -> str:
    """The sets played: "First Contact and New Servants"."""
    return listed([set_id.replace("_", " ").title() for set_id in manifest["sets"]])


def describe_policies(manifest: Mapping[str, Any]) -> str:
    """Who played: "random against random"."""
    return " against ".join(manifest["policies"])


def describe_run(manifest: Mapping[str, Any]) -> str:
    """One line that says what was played, for captions."""
    parts = [
        describe_sets(manifest),
        f"{count(manifest['games'])} games",
        describe_policies(manifest),
        f"seed {manifest['seed']}",
    ]
    return " · ".join(parts)


def findings(tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
    """What a designer wants to know first."""
    found = []
    policies = list(tables["cards"]["policy"].unique())
    for policy in policies:
        whose = f" ({policy})" if len(policies) > 1 else ""
        cards = tables["cards"][tables["cards"]["policy"] == policy]
        found.append(Finding(f"Cards{whose}", _cards_in_words(cards)))
        keywords = tables["keywords"][tables["keywords"]["policy"] == policy]
        if len(keywords):
            found.append(Finding(f"Keywords{whose}", _keywords_in_words(keywords)))
        if cards["mindbug_rate"].notna().any():
            found.append(Finding(f"Mindbugs{whose}", _mindbugs_in_words(cards)))
    win_rates = tables["summary"][tables["summary"]["statistic"] == "win_rate"]
    if len(win_rates):
        found.insert(0, Finding("Who wins", _winners_in_words(win_rates)))
    return [
        *found,
        Finding("Going first", _first_player_in_words(tables["first_player"])),
        Finding("Length and ending", _games_in_words(tables["summary"])),
    ]


def outliers(cards: pd.DataFrame) -> list[Finding]:
    """A few sentences on each card that stands out, the most extreme first."""
    far_first = cards["advantage"].abs().sort_values(ascending=False).index
    return [
        Finding(row["name"], _outlier_in_words(row))
        for _, row in cards.loc[far_first].iterrows()
        if row["verdict"] in (STRONG, WEAK)
    ]


def listed(words: Iterable[str], most: int | None = None) -> str:
    """Words as a list in a sentence: "a, b and c", or "a, b and 7 more"."""
    words = list(words)
    if most is not None and len(words) > most + 1:
        words = [*words[:most], f"{len(words) - most} more"]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _cards_in_words(cards: pd.DataFrame) -> str:
    ranked = cards.sort_values("advantage", ascending=False)
    of_verdict = {verdict: ranked[ranked["verdict"] == verdict] for verdict in VERDICTS}
    sentences = [
        _stand_out_in_words(STRONG, of_verdict[STRONG], len(cards)),
        _stand_out_in_words(WEAK, of_verdict[WEAK].iloc[::-1], len(cards)),
    ]
    if n := len(of_verdict[BALANCED]):
        band = f"{100 * cards['band'].iloc[0]:g} points"
        sentences.append(
            f"{n} {'is' if n == 1 else 'are'} shown balanced: a player dealt the card wins within"
            f" {band} of the average."
        )
    if n := len(of_verdict[UNDECIDED]):
        names = listed(of_verdict[UNDECIDED]["name"], _NAMED)
        sentences.append(f"For {n} this many games do not tell: {names}.")
    return " ".join(sentences)


def _stand_out_in_words(verdict: str, cards: pd.DataFrame, n_cards: int) -> str:
    if cards.empty:
        return f"No card stands out as {verdict}."
    rates = zip(cards["name"], cards["dealt_win_rate"], strict=True)
    named = listed([f"{name} ({percent(rate)})" for name, rate in rates], _NAMED)
    stand = "stands" if len(cards) == 1 else "stand"
    return f"{len(cards)} of {n_cards} cards {stand} out as {verdict}: {named}."


def _keywords_in_words(keywords: pd.DataFrame) -> str:
    rows = keywords.drop_duplicates("keyword").sort_values("effect", ascending=False)
    rows = rows.dropna(subset=["effect"])
    if rows.empty:
        return "The effects of the keywords cannot be told apart yet."
    clear = rows[(rows["effect_ci_low"] > 0) | (rows["effect_ci_high"] < 0)]
    unclear = rows[~rows.index.isin(clear.index)]
    effects = [f"{points(row.effect)} for {row.keyword}" for row in clear.itertuples()]
    text = ""
    if effects:
        text = (
            "One more dealt card with a keyword, at the same total power, changes the win rate by"
            f" (percentage points) {listed(effects)}. "
        )
    if len(unclear):
        text += f"No clear effect: {listed(unclear['keyword'])}."
    return text.strip()


def _mindbugs_in_words(cards: pd.DataFrame) -> str:
    rows = cards.dropna(subset=["mindbug_rate"]).sort_values("mindbug_rate", kind="stable")
    least, most, by_name = rows.iloc[0], rows.iloc[-1], rows.set_index("name")
    if most["mindbug_rate_ci_low"] <= least["mindbug_rate_ci_high"]:
        return (
            "No card clearly draws more Mindbugs than another:"
            f" {between(least['mindbug_rate'], most['mindbug_rate'])} of the plays were taken."
        )
    most_often, least_often = (
        [f"{name} ({percent(rate)})" for name, rate in rows["mindbug_rate"].head(3).items()]
        for rows in (by_name.iloc[::-1], by_name)
    )
    return (
        f"Most often taken with a Mindbug, of the plays while one was left: {listed(most_often)};"
        f" least often: {listed(least_often)}."
    )


def _winners_in_words(win_rates: pd.DataFrame) -> str:
    rows = win_rates.sort_values("estimate", ascending=False)
    rates = [f"{row.policy} {percent(row.estimate)}" for row in rows.itertuples()]
    text = f"Games won by each policy: {listed(rates)}. Cards are judged for each by itself."
    if rows["estimate"].max() > _ONE_SIDED:
        text += " In so one-sided a match no card changes much, whatever it is worth to equals."
    return text


def _first_player_in_words(first_player: pd.DataFrame) -> str:
    sentences = []
    for row in first_player.itertuples():
        who = (
            "The player who starts"
            if len(first_player) == 1
            else f"{row.policy_first}, starting against {row.policy_second},"
        )
        sentences.append(
            f"{who} wins {percent(row.first_player_win_rate)} of the games"
            f" ({between(row.ci_low, row.ci_high)})."
        )
    return " ".join(sentences)


def _games_in_words(summary: pd.DataFrame) -> str:
    value = summary.drop_duplicates("statistic").set_index("statistic")["estimate"]
    text = (
        f"A game takes {value['mean_turns']:.1f} turns on average. {percent(value['life_rate'])}"
        f" end because a player's life is 0, {percent(value['no_action_rate'])} because a player"
        " has no action left."
    )
    stopped = value["capped_rate"] + value["looped_rate"]
    if stopped > 0:
        text += f" {percent(stopped, 3)} had to be stopped and count as draws."
    return text


def _outlier_in_words(card: pd.Series) -> str:
    keywords = f", {card['keywords'].replace(' ', ' and ')}" if card["keywords"] else ""
    copies = "one copy" if card["copies"] == 1 else f"{card['copies']} copies"
    direction = "above" if card["advantage"] > 0 else "below"
    text = (
        f"Power {card['power']}{keywords}, {copies}. Players dealt it won"
        f" {percent(card['dealt_win_rate'])} of {count(card['dealt_n'])} games"
        f" ({between(card['dealt_ci_low'], card['dealt_ci_high'])}),"
        f" {abs(100 * card['advantage']):.1f} points {direction} the average"
    )
    if pd.notna(card["entered_win_rate"]):
        text += f"; players under whose control it came, {percent(card['entered_win_rate'])}"
    if pd.notna(card["mindbug_rate"]):
        text += f". A Mindbug took it in {percent(card['mindbug_rate'])} of its plays"
    if pd.notna(card["dead_rate"]):
        text += f"; {percent(card['dead_rate'])} of those who drew it never played it"
    return text + "."
