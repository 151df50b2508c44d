"""What two runs of Mice & Mystics are compared in, game by game.

The luck of game i is the same in both runs as long as the games stay alike, so what both share
cancels in the differences (`analysis.experiments.comparison`).
"""

from math import lcm

import numpy as np
import pandas as pd

from analysis.experiments import paired_sums
from analysis.experiments.paired_sums import Lines, PairSums, comparison_entry, sum_pairs
from analysis.mice_and_mystics.outcomes import ENDINGS, SCORE
from analysis.mice_and_mystics.run_facts import OUTCOMES, RunFacts, party_name
from analysis.mice_and_mystics.tallies import scores

#: Counters that are compared, with what they count.
MAIN_COUNTERS = {
    "route_depth": "rooms of the route entered",
    "rooms_explored": "rooms entered",
    "rounds": "rounds",
    "decisions": "decisions",
    "surges": "surges",
    "captures": "captures",
    "rescues": "captured mice that came back",
    "wheel_in_attack": "cheese that attacks of minions put on the wheel",
    "wheel_in_defense": "cheese that minions' defense put on the wheel",
    "wheel_in_idle": "cheese that idle rounds put on the wheel",
    "cheese_in_attack": "cheese that mice rolled in attacks",
    "cheese_out_ability": "cheese paid for abilities",
    "level_ups": "abilities taken by levelling up",
    "wounds_total": "wounds of mice",
    "minion_hits": "hits of minions",
    "minion_hits_blocked": "hits of minions that were blocked",
    "mouse_hits": "hits of mice",
    "mouse_hits_blocked": "hits of mice that were blocked",
    "kills_attack": "minions defeated by attacks",
    "fights_left": "minions on the tile at the end",
    "search_success": "successful searches",
    "cards_drawn": "search cards drawn",
    "encounters": "encounters",
}
#: What is compared of all games, or of those of one party (the first two).
GAME_MEASURES = {
    "win_rate": ENDINGS["win"],
    "mean_score": f"mean score: {SCORE}",
    **{f"{word}_rate": ENDINGS[word] for word in OUTCOMES[1:]},
    **{f"mean_{name}": f"{what}, on average" for name, what in MAIN_COUNTERS.items()},
}

COMPARISON = comparison_entry(
    {
        "kind": "what the row is about: game (all games) or party (the games of a party that both"
        " runs have, where they have several)",
        "id": "the party; empty for all games",
        "name": "its heroes, as the data call them",
        "policy": "who played all mice",
        "measure": "what is compared: one of the words below",
    },
    observations="games",
    words=GAME_MEASURES,
    json_rows=lambda table: table["measure"].isin(["win_rate", "mean_score"]),
)


class PairCounter(paired_sums.PairCounter):
    """Counts games of two runs side by side."""

    def __init__(self, base: RunFacts, variant: RunFacts) -> None:
        self._facts, self.alike = (base, variant), base == variant
        several = min(len(one.parties) for one in self._facts) > 1
        self._parties = [one for one in base.parties if several and one in variant.parties]
        # A score is a whole number of these parts of a room in both runs.
        self._parts = lcm(base.page_end, variant.page_end)
        self.lines = self._find_lines()

    def count(self, base: np.ndarray, variant: np.ndarray) -> PairSums:
        """The sums of some games, records of dtype GAME_RECORD."""
        lines = sum_pairs(
            *(self._values(*of) for of in zip((base, variant), self._facts, strict=True))
        )
        games = np.array([len(base), len(variant)])
        same = 0
        if len(base) and len(variant):
            same = int(np.count_nonzero(_dealt_alike(base, variant)))
        return PairSums(lines, games, same)

    def _values(self, games: np.ndarray, facts: RunFacts) -> tuple[np.ndarray, np.ndarray]:
        """Whether each game counts for each line (0 or 1), and its number there."""
        numbers = np.empty((len(GAME_MEASURES), len(games)), np.int64)
        numbers[1] = scores(games, facts) * (self._parts // facts.page_end)
        for place, name in enumerate(GAME_MEASURES):
            if name.endswith("_rate"):
                word = "win" if name == "win_rate" else name.removesuffix("_rate")
                numbers[place] = games["outcome"] == OUTCOMES.index(word) + 1
            elif name != "mean_score":
                numbers[place] = games[name.removeprefix("mean_")]
        party_of = facts.party_of(games)
        of_parties = [party_of == facts.parties.index(party) for party in self._parties]
        n = np.stack(
            [np.ones(len(games), bool)] * len(numbers)
            + [there for there in of_parties for _ in range(2)]
        )
        s = np.concatenate([numbers, *([numbers[:2]] * len(of_parties))]) * n
        return n.astype(np.int64), s

    def _find_lines(self) -> Lines:
        """A line for each measure of all games, then those of parties."""
        base = self._facts[0]
        names = {hero.id: hero.name for hero in base.data.heroes}
        rows = [("game", "", "", base.player, measure) for measure in GAME_MEASURES]
        rows += [
            (
                "party",
                party_name(party),
                ", ".join(names[hero] for hero in party),
                base.player,
                measure,
            )
            for party in self._parties
            for measure in list(GAME_MEASURES)[:2]
        ]
        facts = pd.DataFrame(rows, columns=["kind", "id", "name", "policy", "measure"])
        return Lines(facts, np.where(facts["measure"] == "mean_score", 1 / self._parts, 1.0))


def _dealt_alike(base: np.ndarray, variant: np.ndarray) -> np.ndarray:
    """Whether both games begin alike: party, first track, abilities, decks."""
    alike = (base["first_e"] == variant["first_e"]) & (base["dealt"] == variant["dealt"])
    for field in ("party", "first_track", "top8"):
        alike &= (base[field] == variant[field]).all(axis=1)
    return alike
