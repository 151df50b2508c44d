"""What is watched of Mice & Mystics while games are played, and how it is told.

What an entry does is watched where that is drawn at random: a hero of a drawn party, a starting
ability, a search card, an encounter.  What a minion does, or a hero whom every party has, is found
in games with an average one in its place: there the win rate of the chapter is watched, and the
answer says so.
"""

from functools import partial

import pandas as pd

from analysis.mice_and_mystics.experiments.verdict_effects import DRAWN, HEROES, OF_THE_FOE
from analysis.mice_and_mystics.run_facts import RunFacts, with_without
from analysis.mice_and_mystics.stopping import PARTIES, WIN_RATE
from analysis.verdicts import BAND
from reports.kit.words import between, display_name, listed, percent
from reports.mice_and_mystics.cli.options import PlayableChapter
from reports.mice_and_mystics.verdict.text import EntryWords
from reports.studio.measure import POINTS, SHARE, Measure

_WON = "win_rate"
_CAPTION = "Share of games of the chapter that are won, with the interval, as games are added."


def watched(played: PlayableChapter, entry: str) -> tuple[str, Measure]:
    """What ``--until`` names, and the measure: of an entry, or of the chapter for ""."""
    facts = RunFacts(*played.played(), "")
    if not entry:
        return (WIN_RATE, _win_rate()) if len(facts.parties) == 1 else (PARTIES, _parties())
    heroes = facts.ids["heroes"]
    if entry in heroes and with_without(facts.members)[heroes.index(entry)].any():
        return entry, _effect(HEROES)
    if entry in facts.drawn and entry not in heroes:
        return entry, _effect(facts.drawn[entry])
    return WIN_RATE, _win_rate(facts.names[entry], _why_not(facts, entry))


def _why_not(facts: RunFacts, entry: str) -> str:
    """Why the win rate is watched, and not what an entry adds."""
    adds = "What it adds by itself"
    if entry in facts.ids["heroes"]:
        whose = "One party plays" if len(facts.parties) == 1 else "Every party has this hero"
        adds = f"{whose}: what they add by themselves"
    return (
        f"{adds} is found in the same games with an average one in the place; press “Page of my"
        " entry: why, and the smallest change”."
    )


def _effect(kind: str) -> Measure:
    """What an entry that is drawn at random does."""
    return Measure(
        column="effect",
        unit=POINTS,
        words=_judged,
        title="Adds",
        caption="How many percentage points more of the games with it are won, with the interval,"
        " as games are added. The shaded band is fair.",
        noun="Entry",
        least=-1,
        middle=0,
        band=BAND,
        of_foe=kind in OF_THE_FOE,
        more={"kind": kind, "method": DRAWN, "average": ""},
    )


def _judged(rows: pd.DataFrame) -> str:
    """Where an entry stands."""
    if rows["effect"].isna().any():
        return "There are not enough games yet of those that have it, or of the others."
    return EntryWords({"verdict": rows}).sentence


def _win_rate(name: str = "", why_not: str = "") -> Measure:
    """How often the chapter is won, with an entry as it is in the file if one is asked about."""
    return Measure(
        column=_WON,
        unit=SHARE,
        words=partial(_won, name=name),
        title="Win rate",
        caption=_CAPTION,
        noun="Chapter",
        hint=why_not,
    )


def _won(rows: pd.DataFrame, name: str) -> str:
    """How often the chapter is won."""
    played = f"With {display_name(name)} as it is here, the" if name else "The"
    return f"{played} chapter is won in {_size(rows.iloc[0])} of the games."


def _parties() -> Measure:
    """How often each party wins."""
    return Measure(
        column=_WON,
        unit=SHARE,
        words=_best_and_worst,
        title="Win rate",
        caption=_CAPTION,
        noun="Party",
    )


def _best_and_worst(rows: pd.DataFrame) -> str:
    """The party that wins most, and the one that wins least."""
    ordered = rows.sort_values(_WON)
    if ordered[_WON].isna().any():
        return "Not every party has played enough games yet."
    best, worst = ordered.iloc[-1], ordered.iloc[0]
    return (
        f"Of {len(rows)} parties {_heroes(best)} win most often, in {_size(best)} of their games,"
        f" and {_heroes(worst)} least, in {_size(worst)}."
    )


def _heroes(row: pd.Series) -> str:
    """The heroes of a party in a sentence."""
    return listed(str(row["name"]).split(", "))


def _size(row: pd.Series) -> str:
    """A win rate with its interval."""
    ends = between(row[f"{_WON}_ci_low"], row[f"{_WON}_ci_high"])
    return f"{percent(row[_WON])} ({ends})"
