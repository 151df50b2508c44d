"""A rebalancing of a chapter in words and charts, and what its page says.

Nothing is estimated here; sentences quote the tables.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.confidence import confidence_said
from analysis.mice_and_mystics.experiments.rebalance_goals import ENTRIES, PARTIES
from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import Charts, percent_tick, points_tick
from reports.kit.words import DOT, count, display_name, listed, percent, points, points_text
from reports.mice_and_mystics import run_text
from reports.rebalance.charts import Look, rebalance_charts
from reports.rebalance.text import PERCENT, POINTS, Rebalancing, plain
from simcore.commands import command

_NAMED = 4

_LONGEST = 46

#: The charts of this module by the names of their files.
REBALANCE_CHARTS = Charts(TABLES)


class ChapterRebalancing(Rebalancing):
    """A rebalancing of a chapter; ``named`` is how it was named."""

    charts = REBALANCE_CHARTS
    levers: Mapping[str, str] = {
        "chapters": "the chapter",
        "rules": "the numbers of the rules",
        "search_cards": "search cards",
    }
    luck = "with the same chance"
    first = (
        "Where many changes are allowed they race first: all play a few games, the better half"
        " plays as many again, and so on (successive halving)."
    )

    def __init__(self, tables: Any, manifest: Any, named: str = "") -> None:
        super().__init__(tables, manifest)
        self._named = named
        of_entries = tables["goals"]["judged"].iloc[0] == ENTRIES
        self.unit = POINTS if of_entries else PERCENT
        self.nouns = ("entry", ENTRIES) if of_entries else ("party", PARTIES)
        self.heading = ", points" if of_entries else ", %"
        self.judged = "effects of entries" if of_entries else "win rates of parties"
        self.hint = "Per cent of games won. n: games of the party"
        if of_entries:
            self.hint = (
                "Points: win rate of the games that have the entry minus that of the others, or of"
                " the same games with an average one in its place, as in verdict. n: games of the"
                " smaller group"
            )

    @property
    def subject(self) -> str:
        """The chapter."""
        return str(self.manifest["chapter_name"])

    @property
    def played(self) -> str:
        """One line that says what was played to confirm."""
        manifest = self.manifest
        parts = [
            manifest["chapter_name"],
            run_text.party_text(manifest),
            *([listed(changed)] if (changed := run_text.changed_settings(manifest)) else []),
            f"{count(manifest['confirm'])} fresh games of each plan",
            manifest["player"],
            f"seed {manifest['fresh_seed']}",
        ]
        return DOT.join(parts)

    @property
    def caption(self) -> str:
        """What stands under a chart."""
        return run_text.caption_of(self.played, self.manifest)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The band, the player and the chapter."""
        manifest = self.manifest
        played = [one for one in run_text.played_facts(manifest) if one[0] != "Seed"]
        return [("Band", self._band), ("Player", manifest["player"]), *played]

    @property
    def _band(self) -> str:
        """The band: "45 to 55%", or of entries "2 points either way"."""
        least, most = self.manifest["band"]
        if self.manifest["judged"]:
            return f"{points_text(most)} either way"
        return f"{plain(100 * least)} to {plain(100 * most)}%"

    @property
    def goal(self) -> str:
        """What was asked for."""
        if self.manifest["judged"]:
            whom = listed(self.entries["name"], _NAMED)
            what = "its effect is" if len(self.entries) == 1 else "the effect of each is"
            return f"Of {whom} {what} up to {self._band}: what it adds to the win rate, or costs."
        whom = "Every legal party wins" if len(self.entries) > 1 else "The party wins"
        return f"{whom} {self._band} of its games."

    def name_of(self, row: pd.Series) -> str:
        """The heroes of a party without commas, "Collin + Nez", or the name of an entry."""
        if row["judged"] == ENTRIES:
            return str(row["name"])
        return " + ".join(map(run_text.hero_name, row["entry"].split(",")))

    def to_play(self, folder: Path) -> list[str]:
        """Commands that play the proposal and compare it with the chapter as it is.

        The file has all entries that are not the game's own, those of files that were named among
        them.
        """
        manifest = self.manifest
        if not manifest["proposal"]:
            return []
        variant = manifest["chapter"]
        if manifest["file"]:
            variant += f"+{folder / manifest['file']}"
        party = ",".join(manifest["party"]) or "all"
        usual, new = run_text.changed_settings(manifest), manifest["set"]
        own = [one.split("=")[0] for one in new]
        kept = [one for one in usual if one.split("=")[0] not in own]
        both = dict.fromkeys([self._named, variant])
        who = {"party": party, "policy": manifest["player"], "seed": manifest["seed"] or None}
        who["confidence"] = confidence_said()
        return [
            command("balance", variant, set=[*kept, *new], **who),
            command("compare", *both, set=usual, variant_set=new, **who),
        ]


def _look(goals: pd.DataFrame) -> Look:
    """Every party or entry."""
    rows = goals.sort_values(["before", "entry"], ignore_index=True)
    if rows["judged"].iloc[0] == ENTRIES:
        names = [display_name(name, _LONGEST) for name in rows["name"]]
        return Look(rows, names, "Entries", "win rate added, points", points_tick, points)
    names = [display_name(run_text.party_name(name), _LONGEST) for name in rows["entry"]]
    return Look(rows, names, "Parties", "games won", percent_tick, percent)


plot_front, plot_before_after = rebalance_charts(
    REBALANCE_CHARTS, lambda front: str(front["judged"].iloc[0]), "outside", _look
)
