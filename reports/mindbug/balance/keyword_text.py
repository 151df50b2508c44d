"""What keywords do, in words: by experiment where one was played, else as observed.

Nothing is estimated here; sentences quote the tables.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.mindbug.selections import KEYWORDS_OBSERVED
from reports.kit.verdicts import settled
from reports.kit.words import listed, points

#: The kinds of changes of keywords, in the order of the text.
ADDED, REMOVED = "add_keyword", "remove_keyword"


def keywords_text(tables: Mapping[str, pd.DataFrame], policy: str) -> str:
    """What is known of the keywords; empty where no card of the pool has one."""
    effects = tables.get("keyword_effects")
    if effects is not None and (effects["policy"] == policy).any():
        return effects_text(effects[effects["policy"] == policy])
    keywords = tables["keywords"][tables["keywords"]["policy"] == policy]
    if keywords.empty:
        return ""
    return f"{observed_text(keywords)} Run with --keywords to find by experiment what they do."


def effects_text(effects: pd.DataFrame) -> str:
    """What the experiment found, about one policy: added and removed, mean and spread."""
    clear = effects.index.isin(settled(effects, "effect").index)
    sentences = []
    for kind, change in (
        (ADDED, "adding a keyword to a card that lacks it changes the win rate of players dealt the"
         " card, in percentage points on average over the cards, by"),
        (REMOVED, "Removing it from a card that has it changes it by"),
    ):  # fmt: skip
        rows = effects[clear & (effects["kind"] == kind)]
        rows = rows.sort_values("effect", ascending=False, kind="stable")
        if named := [_effect(row) for row in rows.itertuples()]:
            sentences.append(f"{change} {listed(named)}.")
    unclear = [
        f"{row.change[1:]} {'added' if row.kind == ADDED else 'removed'}"
        for row in effects[~clear].itertuples()
    ]
    if unclear:
        sentences.append(f"Not settled: {listed(unclear)}.")
    if any("(" in sentence for sentence in sentences):
        sentences.append("In brackets: the standard deviation between cards, where it is clear.")
    return f"By experiment, {' '.join(sentences)}"


def observed_text(keywords: pd.DataFrame) -> str:
    """How players fared with cards that carry the keywords, about one policy."""
    rows = keywords.drop_duplicates("keyword").sort_values("effect", ascending=False)
    rows = rows.dropna(subset=["effect"])
    if rows.empty:
        return "What can be observed of keywords needs more games."
    clear = settled(rows, "effect")
    unclear = rows[~rows.index.isin(clear.index)]
    text = ""
    if named := [f"{points(row.effect)} for {row.keyword}" for row in clear.itertuples()]:
        text = (
            "Observed: with one more card that has the keyword among the ten dealt, at the same"
            f" total power, the win rate differs by (percentage points) {listed(named)}."
        )
    if len(unclear):
        text += f" Not settled: {listed(unclear['keyword'])}."
    return f"{text.strip()} {KEYWORDS_OBSERVED}"


def _effect(row: Any) -> str:
    """One effect, and its spread where that is clearly above zero: "+3.0 for SNEAKY (1.4)"."""
    spread = f" ({100 * row.spread:.1f})" if row.spread_ci_low > 0 else ""
    return f"{points(row.effect)} for {row.change[1:]}{spread}"
