"""A verdict on an entry of a chapter in words.

Nothing is estimated here; sentences quote the tables.
"""

from collections.abc import Iterator, Mapping

import pandas as pd

from analysis.estimates import CONFIDENCE
from analysis.mice_and_mystics.experiments.verdict import (
    ABILITIES,
    DRAWN,
    ENCOUNTERS,
    HEROES,
    MINIONS,
)
from analysis.verdicts import BALANCED, STRONG, UNDECIDED, WEAK
from reports.kit.words import Finding, count, games, listed, percent, points, points_text

_LEVEL = 1 - CONFIDENCE
#: Verdicts that are said in words of the kind.
WORDS = (STRONG, WEAK, BALANCED)
_NAMED = 4
_FOR_MICE = {STRONG: "too strong", WEAK: "too weak", BALANCED: "balanced"}
_AGAINST_MICE = {STRONG: "too easy", WEAK: "too hard", BALANCED: "balanced"}


def judged(row: pd.Series, verdict: str = "") -> str:
    """A verdict in the words of the kind: what helps the minions is too hard or too easy."""
    words = _AGAINST_MICE if row["kind"] in (MINIONS, ENCOUNTERS) else _FOR_MICE
    return words[verdict or row["verdict"]]


def headline(tables: Mapping[str, pd.DataFrame]) -> str:
    """The verdict without numbers: "Maginos is too weak"."""
    row = tables["verdict"].iloc[0]
    if row["verdict"] != UNDECIDED:
        return f"{row['name']} is {judged(row)}"
    side = judged(row, STRONG if row["effect"] > 0 else WEAK)
    if abs(row["effect"]) > row["band"]:
        return f"{row['name']} may be {side}"
    return f"{row['name']} seems balanced, or is at the edge of {side}"


def sentence(tables: Mapping[str, pd.DataFrame]) -> str:
    """The verdict with its interval, and whether a stronger player agrees."""
    row, *others = (row for _, row in tables["verdict"].iterrows())
    said = f"{headline(tables)}: {_effect_text(row)}"
    band = f"up to {points_text(row['band'])} either way"
    if row["verdict"] == UNDECIDED:
        said += f", and {games(row['n_games'])} do not settle whether that is {band}."
    else:
        said += f", where {band} is balanced."
    return " ".join([said, *(_agreement(row, other) for other in others)])


def findings(tables: Mapping[str, pd.DataFrame], surer: str, proposal: str) -> list[Finding]:
    """What is worth knowing first, the answer itself left out.

    ``surer`` says what to run to be surer, ``proposal`` how to play the proposed change; "" for
    none.
    """
    return [
        *_over_players(tables["verdict"]),
        Finding("Why", why_text(tables)),
        Finding("With whom", partners_text(tables["verdict_partners"])),
        Finding("Smallest change", " ".join(filter(None, [change_text(tables), proposal]))),
        *_games(tables["verdict_games"]),
        Finding("To be surer", surer),
    ]


def why_text(tables: Mapping[str, pd.DataFrame]) -> str:
    """What an average one in its place would do, and each number of it."""
    row, changes = tables["verdict"].iloc[0], tables["verdict_changes"]
    texts = []
    if row["method"] == DRAWN and pd.notna(row["swap"]):
        more = "less" if row["swap"] > 0 else "more"
        texts.append(
            f"With {_average(row)} in its place, and the same luck, the games that have it are won"
            f" {_size(row, 'swap')} {more} often."
        )
    tried = changes[~changes["fresh"]]
    tried = tried.loc[tried["difference"].abs().sort_values(ascending=False).index]
    clear = tried[tried["difference_ci_low"] * tried["difference_ci_high"] > 0]
    if len(clear):
        said = [f"{one['change']} {_moved(one)}" for _, one in clear.head(_NAMED).iterrows()]
        texts.append(f"One step on a number moves its effect, in points: {'; '.join(said)}.")
    elif len(tried):
        texts.append(f"None of {len(tried)} single steps on its numbers clearly moves its effect.")
    return " ".join(texts) or "It has no numbers that could be changed."


def partners_text(partners: pd.DataFrame) -> str:
    """With which heroes it does more or less."""
    if partners.empty:
        return "The parties that play leave nothing to compare."
    sure = partners[partners["q_value"] < _LEVEL]
    if sure.empty:
        return f"Its effect does not clearly depend on any of {len(partners)} heroes."
    said = listed(f"{one['other_name']} ({_beyond(one)})" for _, one in sure.iterrows())
    return f"By how much its effect differs in parties with a hero, in points: {said}."


def change_text(tables: Mapping[str, pd.DataFrame]) -> str:
    """The smallest change that brings it into the band, as it was tried."""
    row, changes = tables["verdict"].iloc[0], tables["verdict_changes"]
    fresh = changes[changes["fresh"]]
    mine = fresh[fresh["policy"] == row["policy"]]
    if mine.empty:
        return "None is needed." if row["verdict"] == BALANCED else "None is called for yet."
    proposed = mine[mine["proposed"]]
    if proposed.empty:
        near = mine.loc[mine["effect"].abs().idxmin()]
        tried = int((~changes["fresh"]).sum())
        return (
            f"None was found. {tried} single steps were tried, and joined where one was too small;"
            f" in fresh games {near['change']} comes nearest, with an effect of {_effect(near)}."
        )
    best = proposed.iloc[0]
    inside = "inside the band"
    if best["verdict"] != BALANCED:
        inside += " as far as these games show, which is not yet beyond doubt"
    said = (
        f"{_capital(best['change'])}. In {games(best['n_games'])} of another seed, which had no"
        f" part in choosing it, its effect is then {_effect(best)}: {inside}. The win rate of the"
        f" chapter moves by {points(best['chapter'])} points."
    )
    for _, one in fresh[fresh["policy"] != row["policy"]].iterrows():
        said += f" With {one['policy']} its effect is {_effect(one)}."
    return said


def game_text(row: pd.Series) -> str:
    """One game that the entry decided."""
    end, otherwise = ("won", "lost") if row["won"] else ("lost", "won")
    return (
        f"Game {row['game']}: {row['party'].replace(',', ', ')} {end} in {row['rounds']} rounds."
        f" With {_average(row)} in the place of {row['name']} and the same luck they {otherwise}."
    )


def surer_text(command: str, minutes: float) -> str:
    """What to run for intervals half as wide, and how long that takes."""
    time = "about a minute" if minutes < 1.5 else f"about {round(minutes)} minutes"
    return f"{command} has intervals half as wide and takes {time} on this machine."


def _over_players(table: pd.DataFrame) -> Iterator[Finding]:
    first = table.iloc[0]["policy"]
    for _, row in table.iloc[1:].iterrows():
        ends = [points(row[f"move_ci_{end}"]) for end in ("low", "high")]
        doubt = "" if row["move_ci_low"] * row["move_ci_high"] > 0 else ", no clear difference"
        yield Finding(
            "Over players",
            f"From {first}, who wins {percent(table.iloc[0]['win_rate'])} of all games, to"
            f" {row['policy']}, who wins {percent(row['win_rate'])}, its effect moves by"
            f" {points(row['move'])} points ({ends[0]} to {ends[1]}){doubt}. People are neither.",
        )


def _games(table: pd.DataFrame) -> Iterator[Finding]:
    if len(table):
        yield Finding("Games", " ".join(game_text(row) for _, row in table.iterrows()))


def _agreement(row: pd.Series, other: pd.Series) -> str:
    """What a stronger player makes of it."""
    who = f"Played by {other['policy']}, who is stronger,"
    if other["verdict"] == row["verdict"] != UNDECIDED:
        return f"{who} it is {judged(other)} as well: {_effect(other)}."
    if other["verdict"] == UNDECIDED:
        few = f"{games(other['n_games'])} are too few for a verdict of their own"
        return f"{who} the difference is {_effect(other)}; {few}."
    if row["verdict"] == UNDECIDED:
        return f"{who} it is {judged(other)}: {_effect(other)}."
    said = f"But played by {other['policy']}, who is stronger, it is {judged(other)}"
    return f"{said}: {_effect(other)}. The verdict depends on who plays."


def _effect_text(row: pd.Series) -> str:
    """What its effect is the difference of."""
    by = _size(row, "effect")
    more = "more" if row["effect"] >= 0 else "less"
    if row["method"] != DRAWN:
        return f"the party wins {by} {more} than with {_average(row)} in its place"
    if row["kind"] == HEROES:
        return f"parties with {row['name']} win {by} {more} than parties without"
    there = {
        ABILITIES: "a mouse begins with it",
        ENCOUNTERS: "it is the first encounter",
    }.get(row["kind"], "it is among the top 8 cards of the search deck")
    return f"games in which {there} are won {by} {more} often than others"


def _size(row: pd.Series, column: str) -> str:
    """An effect without its sign, with its interval: "3.5 points (1.4 to 5.7)"."""
    size, low, high = (row[f"{column}{end}"] for end in ("", "_ci_low", "_ci_high"))
    if size < 0:
        size, low, high = -size, -high, -low
    text = f"{100 * size:.1f} points ({100 * low:.1f} to {100 * high:.1f})"
    return text.replace("-", "\N{MINUS SIGN}")


def _effect(row: pd.Series) -> str:
    ends = [points(row[f"effect_ci_{end}"]) for end in ("low", "high")]
    return f"{points(row['effect'])} points ({ends[0]} to {ends[1]})"


def _moved(row: pd.Series) -> str:
    ends = [points(row[f"difference_ci_{end}"]) for end in ("low", "high")]
    return f"{points(row['difference'])} ({ends[0]} to {ends[1]})"


def _beyond(row: pd.Series) -> str:
    ends = [points(row[f"beyond_ci_{end}"]) for end in ("low", "high")]
    return f"{points(row['beyond'])}, {ends[0]} to {ends[1]}, {count(row['n'])} games"


def _average(row: pd.Series) -> str:
    """What takes its place."""
    return "one with average numbers" if row["average"] == "average numbers" else row["average"]


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
