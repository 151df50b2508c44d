"""A verdict on one card in words.  Nothing is estimated here; sentences quote the tables.

"Worth", "brings" and "costs" are said of experiments: the card changed or swapped on the same deals
with the same luck.  What became of the card, and its pairs, are reported as observed.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from analysis.mindbug.experiments.skill_panel import STRETCH
from analysis.mindbug.experiments.usual import PLAYER, STRONG
from analysis.mindbug.selections import BEATEN, BEATS, IN_THE_WAY, TOGETHER
from analysis.panel import further_verdict
from analysis.verdicts import FAIR, MANY_DRAWS, NEEDS_GAMES
from reports.kit.verdicts import doubt, predicate
from reports.kit.words import (
    between,
    capital,
    count,
    display_name,
    interval_of,
    listed,
    percent,
    points,
    points_text,
)
from reports.mindbug.explain.text import AVERAGE, parts_text
from reports.mindbug.run_text import called, describe_sets, learned_text
from reports.sensitivity.text import amount
from reports.verdict.words import Scale, Words, came_out

_HALF = 0.5
_NAMED = 3
# Letters of a change that a sentence repeats.
_LONGEST = 70


#: What a verdict on a card is on.
SCALE = Scale("win_rate", _HALF, "games won by players who were dealt the card")


class CardWords(Words):
    """The words of a verdict on a card."""

    scale, average, alike = SCALE, "reference", "cards"
    number = "its win rate"
    who = "among {} players"
    stronger = "who are stronger"
    agree = "Stronger players ({}) agree"
    steps = "steps of power and keywords"
    then = "players dealt it then win {size} on {n} fresh deals"
    otherwise = " The text of the card has to change."

    def __init__(self, tables: Mapping[str, pd.DataFrame]) -> None:
        super().__init__(tables)
        #: The card where the strong play, if they were asked.
        self.strong: pd.Series | None = None
        if "strong_cards" in tables:
            *self.others, self.strong = self.others

    @property
    def judged(self) -> pd.Series:
        """The row of the strong, if they were asked."""
        return self.row if self.strong is None else self.strong

    @property
    def sentence(self) -> str:
        """The verdict; where the strong were asked theirs, and what the others make of it."""
        if self.strong is None:
            return super().sentence
        strong, weaker = self.strong, [self.row, *self.others]
        fair, inside = self.scale.band(strong["band"])
        said = (
            f"{self.headline} where {called(strong['policy'])} plays: players dealt it win"
            f" {self.size(strong)} of their games, from all games together"
        )
        if strong["verdict"] == NEEDS_GAMES:
            said += f", which do not settle whether that is {inside}."
        else:
            said += f"; {fair} is fair."
        told = [f"{self.played_by(one['policy'])} {self.size(one)}" for one in weaker]
        settled = {one["verdict"] for one in (strong, *weaker)} - {NEEDS_GAMES}
        depends = " The verdict depends on who plays." * (len(settled) > 1)
        return f"{said} {capital(listed(told))}.{depends}"

    @property
    def stands(self) -> str:
        """How often players win who were dealt it."""
        return f"players dealt it win {self.size(self.row)} of their games"

    called = staticmethod(called)

    @property
    def topics(self) -> list[tuple[str, list[str]]]:
        """What is worth knowing, most of it first."""
        tables = self.tables
        return [
            ("Draws", [*_draws_text(self.row["drawn"])]),
            ("Smallest change", self.change),
            ("Why", [*why_text(tables)]),
            ("With and against", [*pairs_text(tables["verdict_pairs"])]),
            ("Over players", [*over_players_text(tables), *stretch_text(tables)]),
            ("Games", [*self.turned, *self.told(game_text)]),
            ("What became of it", [fates_text(tables)]),
        ]


def describe(manifest: Mapping[str, Any], played: str, *, most_sets: int | None = None) -> str:
    """One line that says what was ``played``, and with which sets.

    A few of these by name, more only counted, for captions.
    """
    said = describe_sets(manifest, most_sets=most_sets)
    who = f"{played}{learned_text(manifest['policies'])}"
    return f"{said} · {who} · seed {manifest['seed']}"


def _draws_text(drawn: float) -> Iterator[str]:
    """Why what is fair is narrower than asked, where many games are drawn."""
    if drawn >= MANY_DRAWS:
        yield (
            f"{percent(drawn)} of these games had no winner, which brings every win rate nearer to"
            f" {percent(_HALF, 0)}; what is fair is narrower by as much."
        )


def over_players_text(tables: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    """How far the verdict holds over players; nothing where only one kind of player was asked."""
    rows = tables["verdict"].iloc[:-1] if "strong_cards" in tables else tables["verdict"]
    first, last = map(called, rows["policy"].iloc[[0, -1]])
    if first == last:
        return
    panel = tables.get("card_panel")
    if panel is None:
        row, column = tables["skill_cards"].iloc[0], "change"
    else:
        row, column = panel.iloc[0], "move"
    yield f"From {first} to {last} its win rate moves by {amount(row, column)}{doubt(row, column)}."
    if panel is None or pd.isna(row["same_side"]):
        return
    ends = between(_HALF + row["further_ci_low"], _HALF + row["further_ci_high"])
    yield (
        "As far as strong players differ over many cards, among another player of this strength"
        f" it {predicate(further_verdict(row))}: the win rate would be {ends}, with a chance of"
        f" {_chance(row['in_band'])} within {points_text(row['band'])} of {percent(_HALF, 0)}."
    )
    names = {player.partition(":")[0].partition("@")[0] for player in (first, last)}
    if names == {"expert", "search"}:
        yield (
            "Both judge positions with the same network, so they count as less than two"
            " opinions; people may play differently."
        )


def stretch_text(tables: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    """What much stronger play may make of a card that is fair near the edge of the band."""
    if "strong_cards" in tables:
        return
    row = tables["verdict"].iloc[0]
    at, band = row["win_rate"] - _HALF, row["band"]
    slope, low, high = STRETCH
    if row["policy"] != PLAYER or row["verdict"] != FAIR or abs(at) * high <= band:
        return
    yield (
        f"It is near the edge: {called(STRONG)}, much stronger, has cards {slope:.2f}"
        f" ({low:.2f} to {high:.2f}) times as far from average as {called(PLAYER)}, which would"
        f" make {points(at)} {points(at * slope)}."
    )


def why_text(tables: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    """What the card and its parts are worth, by experiment on the same deals."""
    table = tables["sensitivity"]
    dealt, tried = table[table["measure"] == "dealt"], tables["verdict_changes"]
    n = tried.loc[~tried["fresh"], "n_games"].max()
    for _, row in dealt[dealt["kind"] == "value"].iterrows():
        other = row["label"].removesuffix(" in its place")
        less = {**row}
        less |= {
            "worth": -row["difference"],
            "worth_ci_low": -row["difference_ci_high"],
            "worth_ci_high": -row["difference_ci_low"],
        }
        yield (
            f"On {count(n)} of the same deals, with the average card {other} in its place, players"
            f" win {percent(row['variant'])} instead of {percent(row['base'])}: {row['name']} is"
            f" worth {amount(pd.Series(less), 'worth')}{doubt(row, 'difference')}."
        )
    less_of_it = dealt["kind"].isin(["remove_keyword", "remove_line"])
    parts = dealt[less_of_it | (dealt["change"] == "power-1")]
    parts = parts.loc[parts["difference"].abs().sort_values(ascending=False).index]
    if len(parts):
        said = [f"{_quoted(row['label'])} {_moved(row)}" for _, row in parts.iterrows()]
        yield f"With one thing taken away, in points: {'; '.join(said)}."


def fates_text(tables: Mapping[str, pd.DataFrame]) -> str:
    """What became of the card, as observed."""
    return f"Observed: {parts_text(tables['card_parts'], AVERAGE)}"


def pairs_text(pairs: pd.DataFrame) -> Iterator[str]:
    """What the card works with and against, as observed."""
    tested = int(pairs["p_value"].notna().sum())
    said = []
    for words, verdict in (
        ("works best with", TOGETHER),
        ("gets in the way of", IN_THE_WAY),
        ("does better than expected against", BEATS),
        ("does worse than expected against", BEATEN),
    ):
        rows = pairs[pairs["verdict"] == verdict].head(_NAMED)
        if len(rows):
            names = listed(f"{_other(row)} ({points(row['shrunk'])})" for _, row in rows.iterrows())
            said.append(f"{words} {names}")
    if not said:
        yield f"None of its {tested} pairs and matchups shows an effect of its own."
        return
    shown = int(pairs["verdict"].isin([TOGETHER, IN_THE_WAY, BEATS, BEATEN]).sum())
    yield (
        f"Observed, in points beyond what the two cards do by themselves: it {'; it '.join(said)}."
    )
    yield f"{shown} of {tested} pairs and matchups show an effect."


def game_text(row: pd.Series) -> str:
    """One game that came out otherwise with an average card."""
    return came_out(
        row,
        f"the player who played {row['name']} on turn {row['turn_played']}",
        "on the same turn" if row["turn_played"] == row["turns"] else f"on turn {row['turns']}",
        f"{row['reference']} in its place",
        "that player",
    )


def _chance(share: float) -> str:
    """A chance in whole per cent; never quite 0 or 1."""
    if share > 0.99:
        return f"over {percent(0.99, 0)}"
    return f"under {percent(0.01, 0)}" if share < 0.01 else percent(share, 0)


def _moved(row: pd.Series) -> str:
    ends = interval_of(row, "difference", points)
    return f"{points(row['difference'])} ({ends}){doubt(row, 'difference')}"


def _quoted(label: str) -> str:
    """A change; of a long text the beginning, with its closing mark."""
    closing = "\N{RIGHT DOUBLE QUOTATION MARK}"
    if len(label) <= _LONGEST or not label.endswith(closing):
        return label
    return f"{display_name(label, _LONGEST)}{closing}"


def _other(row: pd.Series) -> str:
    if row["card_a"] == row["card_b"] and not row["opposed"]:
        return "a second copy of itself"
    return str(row["name_b"])
