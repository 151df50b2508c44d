"""A rebalancing of a pool in words and charts, and what its page says.

Nothing is estimated here; sentences quote the tables.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.confidence import confidence_said
from analysis.experiments.goals import MET, MISSED
from analysis.mindbug.experiments.rebalance_goals import CARD, FIRST_PLAYER, TURNS
from analysis.mindbug.registry import TABLES
from reports.kit.cells import Cell, estimate, word
from reports.kit.drawing import Charts, points_tick
from reports.kit.words import Finding, bare_percent, capital, display_name, listed, percent, points
from reports.mindbug import run_text
from reports.rebalance.charts import Look, rebalance_charts
from reports.rebalance.text import PERCENT, POINTS, Gain, Rebalancing, Unit, amount_text, plain
from simcore.commands import command

_NAMED = 6
# Changes that are spelled out in a sentence about what comes nearest.
_SPELLED = 3
_PLAIN = "{:.1f}".format
_UNITS = {CARD: POINTS, FIRST_PLAYER: PERCENT, TURNS: Unit(_PLAIN, _PLAIN, " turns")}
_CELLS: Mapping[str, Callable[[float], str]] = {
    CARD: partial(points, digits=2),
    FIRST_PLAYER: bare_percent,
    TURNS: "{:.2f}".format,
}
_GOALS = {FIRST_PLAYER: "Games won by the player who starts", TURNS: "Turns in a game"}
_COLUMNS = {FIRST_PLAYER: ("Who starts wins", percent), TURNS: ("Turns", _PLAIN)}
#: What is gained of each kind of goal: above a row, before the numbers in a sentence and behind.
_GAINS = {
    CARD: (
        "Cards: points outside the band, in total",
        *("All cards together are", "points outside the band"),
    ),
    FIRST_PLAYER: (
        "Player who starts: points off the goal",
        *("The win rate of the player who starts is", "points off its goal"),
    ),
    TURNS: ("Turns off the goal", "The mean number of turns is", "turns off its goal"),
}

#: The charts of this module by the names of their files.
REBALANCE_CHARTS = Charts(TABLES)


class PoolRebalancing(Rebalancing):
    """A rebalancing of a pool.

    ``sets`` are those that come with fairdeal, if nothing else was played: a card file of its own
    plays with named sets.  All else is played from the folder.
    """

    charts = REBALANCE_CHARTS
    nouns, heading, step, outside = ("goal", "cards"), "", "--power-step", "cards_outside"
    levers: Mapping[str, str] = {
        "mindbugs": "Mindbugs",
        "hand_size": "the hand size",
        "who_starts": "who starts",
    }
    file_heading = "The changed cards as a card file"
    judged = "the advantages of cards, the win rate of players dealt each minus one half,"
    hint = "Cards: percentage points. n: players dealt the card, or games"
    luck = "on the same deals with the same luck"
    first = (
        "Changes of cards outside the band come first; cards inside the band are changed only where"
        " these do not reach the goal."
    )
    counts = (
        "One point of power counts 1, unless other weights were given. A goal for the whole game is"
        " set aside if all changes that help, taken together, do not reach it."
    )
    must = ", over all goals not set aside; changes of cards inside the band must show a gain of"
    must += " their own"

    def __init__(self, tables: Any, manifest: Any, sets: Sequence[str] | None = None) -> None:
        super().__init__(tables, manifest)
        self._sets = sets

    @property
    def subject(self) -> str:
        """The sets."""
        return run_text.describe_sets(self.manifest)

    @property
    def played(self) -> str:
        """One line that says what was played to confirm."""
        return self._described()

    def _described(self, most_sets: int | None = None) -> str:
        """The same; a few sets by name, more only counted."""
        manifest = self.manifest
        fresh = {"games": manifest["confirm"], "seed": manifest["fresh_seed"]}
        played = run_text.describe_run({**manifest, **fresh}, most_sets=most_sets)
        return played.replace(" games ", " fresh games of each pool ", 1)

    @property
    def caption(self) -> str:
        """What stands under a chart."""
        return run_text.caption(self._described(most_sets=1), self.manifest)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The sets, the player and the versions."""
        manifest = self.manifest
        return [
            ("Sets", self.subject),
            ("Player", manifest["policies"][0]),
            ("Rules version", str(manifest["rules_version"])),
            ("Pool", f"SHA-256 {manifest['pool_hash']}"),
            ("Versions", run_text.versions_of(manifest)),
        ]

    @property
    def file(self) -> str:
        """The card file."""
        return self.manifest["card_file"] or ""

    @property
    def proposal(self) -> str:
        """The card file, or where only rules are changed the pool."""
        return self.file or (self.manifest["proposal"] and self.manifest["pool_file"]) or ""

    def to_play(self, folder: Path) -> list[str]:
        """Commands that play the proposal and compare it with the pool as it is."""
        manifest = self.manifest
        if not manifest["proposal"]:
            return []
        pool_file = str(folder / manifest["pool_file"])
        balance, both = ["--pool", pool_file], [str(folder / "search" / "pool.toml"), pool_file]
        only_cards = (self.tables["changes"]["card_id"] != "").all()
        if self._sets is not None and only_cards:
            card_file = str(folder / self.file)
            balance = [*self._sets, "--cards", card_file]
            both = ["+".join(self._sets), card_file]
        return [
            command(
                *words,
                policy=manifest["policies"][0],
                seed=manifest["seed"] or None,
                confidence=confidence_said(),
            )
            for words in (["balance", *balance], ["compare", *both])
        ]

    # ------------------------------------------------------------ goals

    @property
    def allowed(self) -> int:
        """How many changes were allowed."""
        return int(self.manifest["allowed"])

    @property
    def entries(self) -> pd.DataFrame:
        """The cards."""
        return self._of_kind(self.tables["goals"]["goal"] == CARD)

    @property
    def others(self) -> pd.DataFrame:
        """Who starts, and turns."""
        return self._of_kind(self.tables["goals"]["goal"] != CARD)

    def _of_kind(self, which: "pd.Series[bool]") -> pd.DataFrame:
        return self.tables["goals"][which]

    def name_of(self, row: pd.Series) -> str:
        """A card, or another goal."""
        return str(row["name"] or _GOALS[row["goal"]])

    @property
    def goal(self) -> str:
        """What was asked for, with the cards that are judged."""
        names = list(self.entries["name"]) if self.manifest["goals"].get("cards") else []
        return f"{capital(goal_text(self.manifest['goals'], names))}."

    def other_clauses(self, side: str) -> Iterator[str]:
        """How long games take, and how often the player who starts wins."""
        whose = {TURNS: "a game takes", FIRST_PLAYER: "the player who starts wins"}
        words = {MET: "meets the goal", MISSED: "misses the goal"}
        for _, row in self.others.iterrows():
            standing = words.get(row[f"{side}_verdict"], "needs more games for a verdict")
            told = _UNITS[row["goal"]].told(row, side)
            yield f"{whose[row['goal']]} {told}, which {standing}"

    @property
    def gains(self) -> list[Gain]:
        """What is gained of each kind of goal, in its own unit."""
        return [
            Gain(
                *_GAINS[row.goal],
                *(row.before, row.after, (row.gain, row.gain_ci_low, row.gain_ci_high)),
                _turns_text if row.goal == TURNS else amount_text,
            )
            for row in self.tables["gains"].itertuples()
            if row.goal not in self.manifest["set_aside"]
        ]

    @property
    def best_plan(self) -> str:
        """The plan whose gain is told."""
        plans = self.tables["front"].set_index("plan")["in_words"]
        return str(plans.loc[self.tables["gains"]["plan"].iloc[0]])

    @property
    def not_reached(self) -> list[Finding]:
        """Goals that nothing reaches, and how near the changes come."""
        nearest, found = self.tables["nearest"], []
        for out, topic in ((True, "Out of reach"), (False, "Not reached")):
            rows = nearest[nearest["out_of_reach"].astype(bool) == out]
            if text := " ".join(self._near(row) for _, row in rows.iterrows()):
                found.append(Finding(topic, text))
        return found

    def _near(self, row: pd.Series) -> str:
        """How near a goal the changes come that are allowed."""
        tried = "" if row["out_of_reach"] else " that was tried"
        if row["goal"] == CARD:
            what = f"No allowed change of {row['name']}{tried} brings it into the band"
            if not any(
                one.startswith(f"{row['card_id']}.") for one in self.manifest["adjustments"]
            ):
                may_not = f"{row['name']} may not be changed"
                what = f"{may_not}, and no change{tried} brings it into the band"
        else:
            unit = 1 if row["goal"] == TURNS else 100
            least, most = (plain(unit * end) for end in (row["least"], row["most"]))
            makes = {
                TURNS: f"makes a game take {least} to {most} turns",
                FIRST_PLAYER: f"makes the player who starts win {least} to {most}%",
            }
            what = f"No allowed change{tried} {makes[row['goal']]}"
        n = len(row["changes"].split())
        how = f"with {row['in_words']}" if 0 < n <= _SPELLED else f"with {n} changes at once"
        if not n:
            how = "with nothing changed"
        aside = " The search set this goal aside."
        aside *= row["goal"] in self.manifest["set_aside"]
        return f"{what}; the nearest is {_UNITS[row['goal']].told(row, 'nearest')}, {how}.{aside}"

    # ------------------------------------------------------------ the page

    def cell(self, row: pd.Series, column: str) -> Cell:
        """A number with its interval, in the unit of its goal."""
        return estimate(row, column, _CELLS[row["goal"]])

    def worst(self, row: pd.Series) -> list[Cell]:
        """The farthest card, and its advantage."""
        return [word(row["worst_card"]), Cell(points(row["worst_advantage"]))]

    @property
    def front_columns(self) -> list[tuple[str, Callable[[pd.Series], Cell]]]:
        """The numbers of the whole game that were asked about."""
        return [
            (heading, partial(_number, goal=goal, words=words))
            for goal, (heading, words) in _COLUMNS.items()
            if self.tables["front"][goal].notna().any()
        ]

    @property
    def nearest_rows(self) -> list[list[Cell]]:
        """Goals that were not reached."""
        return [
            [
                Cell(self.name_of(row)),
                self.cell(row, "nearest"),
                word("yes" if row["out_of_reach"] else "not all changes tried"),
                word(row["in_words"] or "nothing"),
            ]
            for _, row in self.tables["nearest"].iterrows()
        ]


def _number(row: pd.Series, *, goal: str, words: Callable[[float], str]) -> Cell:
    return Cell(words(row[goal]))


def _turns_text(number: float) -> str:
    """By how many turns a goal is missed, or by how many less."""
    return amount_text(number / 100)


def goal_text(goals: Mapping[str, Any], names: Sequence[str] = ()) -> str:
    """What was asked for; ``names`` are those of the cards that are judged."""
    band = plain(100 * goals["band"])
    whom = listed(names, _NAMED, last="or") if goals.get("cards") else "a card"
    wishes = [f"players dealt {whom} win at most {band} points more or less than average"]
    if goals["first_player"] is not None:
        most = goals["first_player"]
        wishes.append(f"the player who starts wins {plain(100 - 100 * most)} to"
                      f" {plain(100 * most)}%")  # fmt: skip
    if goals["turns"] is not None:
        least, longest = goals["turns"]
        wishes.append(f"a game takes {plain(least)} to {plain(longest)} turns on average")
    return listed(wishes)


def _look(goals: pd.DataFrame) -> Look:
    """Every card, those with the least advantage below."""
    rows = goals[goals["goal"] == "card"].sort_values(["before", "name"], ignore_index=True)
    names = [display_name(name) for name in rows["name"]]
    label = "advantage when dealt, percentage points"
    return Look(rows, names, "Cards", label, points_tick, points)


plot_front, plot_before_after = rebalance_charts(
    REBALANCE_CHARTS, lambda _: "cards", "cards_outside", _look
)
