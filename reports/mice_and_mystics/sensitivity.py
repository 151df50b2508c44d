"""A sensitivity analysis of a chapter: what it is called, and what was played."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from reports.kit.words import count
from reports.mice_and_mystics.run_text import caption_of, describe_run, played_facts
from reports.sensitivity.text import Nouns, Shown

if TYPE_CHECKING:
    import pandas as pd

    from analysis.runs import Run

NOUNS = Nouns(
    as_it_is="The party wins {} of its games.",
    measures={"mean_score": ("the score", "rooms", "Score, rooms")},
    same="party, starting abilities, decks and dice",
    where="in this chapter, for these parties",
    more=" A change of the number of copies of a card shuffles the deck anew, so games with it are"
    " hardly paired and its interval is wide. Known says how sure a number of the data is. The"
    " score counts rooms of the route entered; for a win 1 more, and the share of all pages that"
    " was left.",
)


def shown(tables: "Mapping[str, pd.DataFrame]", run: "Run") -> Shown:
    """What was found of a chapter."""
    manifest = run.manifest
    played = describe_run(manifest).replace(" games", " games as it is and with each change", 1)
    return Shown(
        tables=tables,
        subject=manifest["chapter_name"],
        moved="the win rate",
        played=played,
        caption=caption_of(played, manifest),
        facts=[
            *played_facts(manifest),
            ("Player", manifest["policies"][0]),
            ("Games", f"{count(manifest['games'])} as it is and with each change"),
        ],
        nouns=NOUNS,
    )
