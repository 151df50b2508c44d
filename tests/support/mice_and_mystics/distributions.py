"""Outcomes and counters of the players of section 24: ``make mice_distributions GAMES=200000``.

Writes docs/data/mice_and_mystics_distributions.csv, every counter of all runs: U, C and H with the
default party of chapter 1, H with each legal party of both chapters.
"""

import sys
import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pandas as pd

from analysis.mice_and_mystics.counters import counters_table
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.run_facts import RunFacts
from card_data.mice_and_mystics.settings import legal_parties, read_settings
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from support.mice_and_mystics.table import CHAPTER_1, PARTY, STAND_IN, base_facts

PART = 20_000  # games that are played and counted in one go
PLAYERS = ("uniform", "category", "heuristic")  # U, C and H


class Run(NamedTuple):
    """What is played, and what came of it: a row per counter, by its name."""

    chapter: str
    party: tuple[str, ...]
    player: str
    counters: pd.DataFrame


def play(chapter: str, party: Sequence[str], player: str, n_games: int, seed: int) -> Run:
    """Play games of one party and count them."""
    settings = read_settings(base_facts(), chapter, party)
    table = compile_facts(base_facts(), settings)
    counts = RunCounts.of_no_games(RunFacts(base_facts(), settings, player))
    for first in range(0, n_games, PART):
        n = min(PART, n_games - first)
        games = play_games(table, n_games=n, seed=seed, first_game=first, players=(player,))
        counts = counts.count(games)
    return Run(chapter, tuple(party), player, counters_table(counts).set_index("counter"))


def runs(n_games: int, seed: int) -> Iterable[Run]:
    """U, C and H with the default party, then H with each legal party."""
    for player in PLAYERS:
        yield play(CHAPTER_1, PARTY, player, n_games, seed)
    for chapter in (CHAPTER_1, STAND_IN):
        for party in legal_parties(base_facts(), read_settings(base_facts(), chapter)):
            if (chapter, party) != (CHAPTER_1, PARTY):
                yield play(chapter, party, "heuristic", n_games, seed)


def distributions_table(done: Iterable[Run]) -> pd.DataFrame:
    """One row per run and counter that is not 0 in all its games."""
    frames = []
    for run in done:
        frame = run.counters[run.counters["mean"] > 0].reset_index()
        for name, value in (("party", " ".join(run.party)), ("player", run.player)):
            frame.insert(0, name, value)
        frame.insert(0, "chapter", run.chapter)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def main(file: str, n_games: int, seed: int = 1) -> None:
    """Play everything, telling how far it is, and write the table."""
    started = time.monotonic()
    done = []
    for run in runs(n_games, seed):
        done.append(run)
        what = f"{run.chapter}, {run.player}, {', '.join(run.party)}"
        print(f"{time.monotonic() - started:5.0f} s  {what}", file=sys.stderr, flush=True)
    distributions_table(done).to_csv(file, index=False, float_format="%.6g")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
