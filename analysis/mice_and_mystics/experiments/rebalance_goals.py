"""When a chapter is balanced: the win rates of parties, or the effects of entries, in a band.

Effects are those of a verdict (`verdict_effects`): what an entry adds to the win rate.
"""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from analysis.estimates import Estimate, estimate_share
from analysis.experiments.goals import Measured, Meter
from analysis.mice_and_mystics.experiments.verdict_effects import Sorted
from analysis.questions.rebalance_tables import changes_table, farthest, front_table, goals_table
from analysis.registry import Registry
from simcore.arrays import Floats, Records

#: What is judged: the win rates of parties, or the effects of entries, as in `verdict`.
PARTIES, ENTRIES = "parties", "entries"
_JUDGED = {"judged": f"what is judged: {PARTIES} by their win rates, or {ENTRIES} by their effects"}
_WHO = "who played all mice"

FRONT = front_table(
    _WHO,
    amount="one for each step of a number",
    changes="kind, entry and number, with what each becomes",
    about=_JUDGED,
    games=", of all parties together",
    excess="by how much parties win more or less than the band, or the effects of entries lie "
    "outside it, all together",
    same="with the same chance",
    more=farthest("win rate or effect"),
)

CHANGES = changes_table(
    "number",
    {
        "of": "what it belongs to: heroes, minions, abilities, search_cards, encounters, chapters, "
        "or rules (a number beside the switches)",
        "entry": "the id of the entry; empty for rules",
        "name": "its name",
    },
    "which number it is",
    more={
        "confidence": "how sure it is that the number is as it is: verified, reported or assumed",
        "written": "where the proposal says it: proposal.toml, or an option of the command line",
    },
)

GOALS = goals_table(
    "party, or per entry that `--only` names",
    {
        **_JUDGED,
        "entry": "ids of the heroes of a party, in the order of the data, or the id of the entry",
        "name": "their names, or its name",
    },
    _WHO,
    "win rate, or effect as in `verdict`, with the chapter as it is",
    "games of the party, or of the smallest group that the effect is made of",
)

#: The tables, as `rebalance` gives them.
REBALANCE_TABLES = Registry(FRONT, CHANGES, GOALS)


@frozen
class Band:
    """The least and the most that is fair: shares of games won, or an effect on them."""

    least: float
    most: float

    @property
    def middle(self) -> float:
        """The middle of the band."""
        return (self.least + self.most) / 2

    @property
    def reach(self) -> float:
        """Half its width."""
        return (self.most - self.least) / 2


class PartyMeter(Meter[Records]):
    """Measures the win rates of parties against the band, in games of `trials.RESULT`.

    ``goals`` are ids and names of what is judged.
    """

    judged = PARTIES

    def __init__(self, band: Band, goals: Sequence[tuple[str, str]]) -> None:
        self.band, self.goals, self.n_goals = band, goals, len(goals)
        self.middle = np.full(self.n_goals, band.middle)
        self.reach = np.full(self.n_goals, band.reach)

    @property
    def about(self) -> dict[str, list[str]]:
        """What is judged, its id and its name."""
        entries, names = map(list, zip(*self.goals, strict=True))
        return {"judged": [self.judged] * self.n_goals, "entry": entries, "name": names}

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """The ends of the band as they were asked for."""
        return np.full(self.n_goals, self.band.least), np.full(self.n_goals, self.band.most)

    def numbers(self, games: Records) -> Estimate:
        """The win rate of every party."""
        n = np.bincount(games["party"], minlength=self.n_goals)
        return estimate_share(np.bincount(games["party"], games["won"], self.n_goals), n)

    def moved_errors(self, games: Records, others: Records) -> Floats:
        """Standard errors of the differences between games with the same chance, as `errors`."""
        moved = games["won"].astype(float) - others["won"]
        n = np.bincount(games["party"], minlength=self.n_goals)
        sums, squares = (
            np.bincount(games["party"], values, self.n_goals) for values in (moved, moved**2)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = squares / n - (sums / n) ** 2
            return np.nan_to_num(np.sqrt(np.maximum(variance, 0) / n)) / self.reach

    def influence(self, measured: Measured, games: Records, weights: Floats) -> Floats:
        """What each game adds to the sum of all numbers, each times its weight."""
        found = measured.numbers
        with np.errstate(divide="ignore", invalid="ignore"):
            each = np.nan_to_num(weights / found.n)
        rates, party = np.nan_to_num(found.estimate), games["party"]
        return np.asarray(each[party] * (games["won"] - rates[party]))


class EffectMeter(PartyMeter):
    """Measures the effects of entries against the band.

    ``groups`` are the games of the seed by what was drawn for each entry.  Where that compares
    games with those that have an average one in its place, ``swaps`` has the place of their results
    in the field ``instead`` of games; -1 elsewhere.
    """

    judged = ENTRIES

    def __init__(
        self,
        band: Band,
        goals: Sequence[tuple[str, str]],
        groups: Sequence[Sorted],
        swaps: Sequence[int],
    ) -> None:
        super().__init__(band, goals)
        self.groups, self.swaps = groups, swaps

    def numbers(self, games: Records) -> Estimate:
        """The effect of every entry."""
        found = [
            groups.first(len(games)).of(self._values(goal, games))
            for goal, groups in enumerate(self.groups)
        ]
        return Estimate(*(np.concatenate(part) for part in zip(*found, strict=True)))

    def moved_errors(self, games: Records, others: Records) -> Floats:
        """Standard errors of the differences between games with the same chance, as `errors`."""
        errors = []
        for goal, groups in enumerate(self.groups):
            moved = self._values(goal, games) - self._values(goal, others)
            errors.append(groups.first(len(games)).of(moved).std_err)
        return np.nan_to_num(np.concatenate(errors)) / self.reach

    def _values(self, goal: int, games: Records) -> Floats:
        """What the effect of an entry is made of, game by game."""
        won, place = games["won"].astype(float), self.swaps[goal]
        return won if place < 0 else won - games["instead"][:, place]

    def influence(self, measured: Measured, games: Records, weights: Floats) -> Floats:  # noqa: ARG002
        """What each game adds to the sum of all effects, each times its weight."""
        total = np.zeros(len(games))
        for goal, weight in enumerate(weights):
            groups, values = self.groups[goal], self._values(goal, games)
            group, size = groups.group[: len(games)], len(groups.weights)
            n = np.maximum(np.bincount(group, minlength=size), 1)
            means = np.bincount(group, values, size) / n
            total += weight * (groups.weights / n)[group] * (values - means[group])
        return total
