"""Planted playtests: logs drawn from players of known strength, as if people had played them.

One player of Mindbug is the program, others are "people".  What people would get in the long run is
known from many games of theirs; a log is so many games drawn from these.  The table says, for each
kind of people and each number of games, how many intervals hold, how many logs are told to disagree
with the simulation, and the mean squared error of the log alone, the simulation alone, and both
joined.  As a program it prints the table of ``docs/playtests.md``::

    python -m support.planted_playtests 60
"""

import sys
from collections.abc import Mapping, Sequence
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from analysis.games import analysis_of
from analysis.playtests import ALL, RATES, Facts, Sums, count, figures_table
from analysis.runs import open_run
from card_data.mindbug import load_pool
from simcore.mindbug.play.run import new_run
from simcore.places import located
from simcore.work.runs import run_games

PROGRAM = "expert"
#: Who the people are, and in how many games they know what they get.
PEOPLE = ("expert", "heuristic", "greedy", "random")
SIZES = (20, 50, 200, 1_000, 2_000)
_MANY, _SIMULATED = 100_000, 20_000


def facts_of(player: str, n_games: int, seed: int) -> Facts:
    """Games of First Contact between two players of a kind."""
    spec = new_run(
        load_pool(["first_contact"]), n_games=n_games, seed=seed, policies=(player, player)
    )
    with TemporaryDirectory() as folder:
        run_games(spec, located(folder))
        run = open_run(folder)
        parts = [analysis_of("mindbug").facts(run.manifest, games) for games in run.parts()]
    scores, points, first = (np.concatenate(each) for each in [*zip(*parts, strict=True)][:3])
    numbers = {"turns": np.concatenate([part.numbers["turns"] for part in parts])}
    held = {one: np.concatenate([part.held[one] for part in parts]) for one in parts[0].held}
    return Facts(scores, points, first, numbers, held)


def drawn(facts: Facts, rows: np.ndarray) -> Facts:
    """Some of the games."""
    numbers, held = (
        {name: values[rows] for name, values in part.items()}
        for part in (facts.numbers, facts.held)
    )
    return Facts(facts.scores[rows], facts.points[rows], facts.first[rows], numbers, held)


def answers(
    people: Facts, simulated: Sums, n_games: int, n_logs: int, seed: int
) -> list[pd.DataFrame]:
    """The tables of logs of so many games each."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(n_logs):
        rows = rng.choice(len(people.first), n_games, replace=False)
        log = count(drawn(people, rows), seats=False)
        table = figures_table({"": log}, {"": simulated})
        found.append(table[table["version"] == ALL].set_index(["kind", "of"]))
    return found


def measured(tables: Sequence[pd.DataFrame], truth: Sums) -> Mapping[str, float]:
    """How intervals, findings and estimates of some logs fare where the truth is known."""
    true = {tuple(one): sums.s / sums.n for one, sums in truth.items()}
    rows = pd.concat(tables)
    rows = rows.assign(truth=[true[figure] for figure in rows.index])
    rows = rows[rows["n_games"] >= 5]
    rates = rows[rows.index.get_level_values(0).isin(RATES)]
    turns = rows[rows.index.get_level_values(1) == "turns"]

    def holds(of: pd.DataFrame, who: str) -> float:
        inside = (of[f"{who}_ci_low"] <= of["truth"]) & (of["truth"] <= of[f"{who}_ci_high"])
        return float(100 * inside.mean())

    def error(who: str) -> float:
        return float(100 * np.sqrt(((rates[who] - rates["truth"]) ** 2).mean()))

    disagree = [table["finding"].isin(["more", "less"]).any() for table in tables]
    return {
        "rates hold": holds(rates, "people"),
        "turns hold": holds(turns, "people"),
        "joined rates hold": holds(rates, "together"),
        "joined turns hold": holds(turns, "together"),
        "disagree": float(100 * np.mean(disagree)),
        "error of log": error("people"),
        "error of simulation": error("simulated"),
        "error joined": error("together"),
    }


def main() -> None:
    """Print the table, in Markdown."""
    n_logs = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    simulated = count(facts_of(PROGRAM, _SIMULATED, 0), seats=False)
    for player in PEOPLE:
        people = facts_of(player, _MANY, 1)
        truth = count(people, seats=False)
        for size in SIZES:
            found = measured(answers(people, simulated, size, n_logs, size), truth)
            if (player, size) == (PEOPLE[0], SIZES[0]):
                print(f"| people | games | {' | '.join(found)} |\n|{'---|' * (2 + len(found))}")
            numbers = " | ".join(f"{one:.1f}" for one in found.values())
            print(f"| {player} | {size:,} | {numbers} |", flush=True)


if __name__ == "__main__":
    main()
