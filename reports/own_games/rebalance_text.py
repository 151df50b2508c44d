"""A rebalancing of a game that somebody brings in words, and its page and charts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.confidence import confidence_said
from analysis.own_games.rebalance import REBALANCE_TABLES
from reports.kit.drawing import Charts, points_tick
from reports.kit.words import count, display_name, listed, points, points_text
from reports.own_games.page import describe, game_text, made_with
from reports.rebalance.charts import Look, rebalance_charts
from reports.rebalance.text import Rebalancing
from simcore.commands import command

_NAMED = 4
CHARTS = Charts(REBALANCE_TABLES)


def _look(goals: pd.DataFrame) -> Look:
    """Every entry, those worth least below."""
    rows = goals.sort_values(["before", "entry"], ignore_index=True)
    names = [display_name(name) for name in rows["name"]]
    return Look(rows, names, "Entries", "worth, percentage points", points_tick, points)


plot_front, plot_before_after = rebalance_charts(CHARTS, lambda _: "entries", "outside", _look)


class GameRebalancing(Rebalancing):
    """A rebalancing of a game; ``named`` is how it was named, ``words`` say how it is played."""

    charts = CHARTS
    nouns, heading = ("entry", "entries"), ", points"
    levers: Mapping[str, str] = {}
    judged = "the worth of entries"
    hint = (
        "Points: what an entry is worth, as verdict measures it. n: of how many seats, or games,"
        " that speaks"
    )

    def __init__(self, tables: Any, manifest: Any, named: str, words: Sequence[str]) -> None:
        super().__init__(tables, manifest)
        self._named, self._words = named, words

    @property
    def subject(self) -> str:
        """The game."""
        return str(self.manifest["set_names"][0])

    @property
    def played(self) -> str:
        """One line that says what was played to confirm."""
        manifest = self.manifest
        fresh = {"games": manifest["confirm"], "seed": manifest["fresh_seed"]}
        who = {"policies": manifest["policies"][:1]}
        said = describe({**manifest, **fresh, **who})
        n = count(manifest["confirm"])
        return said.replace(f"{n} games", f"{n} fresh games of each plan", 1)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The game, the player and the versions."""
        manifest = self.manifest
        return [
            ("Game", game_text(manifest)),
            ("Band", f"{points_text(manifest['band'])} either way"),
            ("Player", manifest["policies"][0]),
            *made_with(manifest),
        ]

    @property
    def goal(self) -> str:
        """What was asked for."""
        names, band = self.entries["name"], points_text(self.manifest["band"])
        whom = listed(names, _NAMED) if len(names) <= _NAMED else f"Each of {len(names)} entries"
        verb = "is" if len(names) == 1 or len(names) > _NAMED else "are"
        each = " each" * (verb == "are")
        return f"{whom} {verb} worth at most {band}{each}, either way."

    def to_play(self, folder: Path) -> list[str]:
        """Commands that play the proposal, and compare it with the game as it is."""
        manifest = self.manifest
        if not manifest["proposal"]:
            return []
        variant = self._named
        if manifest["file"]:
            variant += f"+{folder / manifest['file']}"
        new = manifest["set"]
        own = [one.partition("=")[0] for one in new]
        words = self._kept(own)
        who = {"policy": manifest["policies"][0], "seed": manifest["seed"] or None}
        who["confidence"] = confidence_said()
        found = [command("balance", variant, *words, set=new, **who)]
        if not new:
            found.append(command("compare", self._named, variant, *words, **who))
        return found

    def _kept(self, settings: Sequence[str]) -> list[str]:
        """How it is played, without some settings."""
        pairs = zip(self._words[::2], self._words[1::2], strict=True)
        return [
            word
            for pair in pairs
            if pair[0] != "--set" or pair[1].partition("=")[0] not in settings
            for word in pair
        ]
