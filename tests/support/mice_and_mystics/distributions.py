"""Outcomes and counters of the players of section 24: ``make mice_distributions GAMES=200000``.

Writes docs/mice_and_mystics_distributions.md and, beside it, a file with every counter of all runs:
U, C and H with the default party of chapter 1, H with each legal party of both chapters.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from analysis.mice_and_mystics.counters import counters_table
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.run_facts import OUTCOMES, RunFacts
from card_data.mice_and_mystics.settings import legal_parties, read_settings
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from support.mice_and_mystics.table import CHAPTER_1, PARTY, STAND_IN, base_facts

NAME = "mice_and_mystics_distributions"
PART = 20_000  # games that are played and counted in one go
GRADED = ("score", "route_depth", "rooms_explored", "page_final", "pages_left", "rounds")
LETTERS = {"uniform": "U", "category": "C", "heuristic": "H"}


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
    for player in LETTERS:
        yield play(CHAPTER_1, PARTY, player, n_games, seed)
    for chapter in (CHAPTER_1, STAND_IN):
        for party in legal_parties(base_facts(), read_settings(base_facts(), chapter)):
            if (chapter, party) != (CHAPTER_1, PARTY):
                yield play(chapter, party, "heuristic", n_games, seed)


def page(done: Sequence[Run], n_games: int, seed: int) -> str:
    """The page of the docs."""
    lines = [_BEFORE.format(n_games=n_games, seed=seed), *_overview(done)]
    for run in done[: len(LETTERS)]:
        party = ", ".join(run.party)
        lines += ["", f"## {LETTERS[run.player]}, chapter 1, {party}", "", *_counters(run)]
    return "\n".join(lines) + "\n"


_BEFORE = f"""# How often things happen in Mice & Mystics

Outcomes and counters of the reference players U, C and H (section 24 of the
[rules](mice_and_mystics_rules.md)) with the base game, all switches and numbers at their defaults.
Another simulator of the same rules can be compared with this one counter by counter. {{n_games:,}}
games of each player and party, seed {{seed}}, played by

```console
make mice_distributions GAMES={{n_games}}
```

`fairdeal simulate {CHAPTER_1} --policy uniform` with the same party, number of games and seed
plays the same games, and `fairdeal analyze` puts the same numbers into `tables/counters.csv`.

Counters have the names and definitions of section 29; the score is the one suggested there. `n` is
the number of games that a mean rests on: all, but for the page and round at which a room was
entered those games that entered it, and for `first_level_up_round` those with a level up. Intervals
are 95% intervals of the mean. A counter that is 0 in all games of a run is left out, such as those
of heroes who are not in the party. Where section 29 leaves open what is counted: `attacks_by_M`
includes attacks that Lurking in Shadows cancels, `dice_by_M` does not; `stuns` are markers given to
mice that had none; `wounds_healed` are normal wounds; `mouse_hits` are hits against which a minion
defends, each figure's own for Mystic Blast, those of Spark and of set traps among them;
`minions_not_placed` includes figures beyond the supply; `encounters` are cards drawn, not minions
that a chapter sets up; `drifts` includes those off the tile; `wheel_left` is what lies there when
the game ends, which is all of it if a surge turns the last page; `used_c` counts tricks, scrolls,
items, party tokens and the Toothpick.

## How games end

Shares of games in per cent, then means. [{NAME}.csv]({NAME}.csv) has every counter of every run.
"""


def _overview(done: Sequence[Run]) -> list[str]:
    names = [*OUTCOMES, *GRADED]
    rows = [
        "| Run | Chapter | Player | Party | " + " | ".join(f"`{name}`" for name in names) + " |",
        "|---|---|---|---|" + "---|" * len(names),
    ]
    for number, run in enumerate(done, 1):
        cells = []
        for name in names:
            row = run.counters.loc[name]
            unit = 100 if name in OUTCOMES else 1
            mean, low, high = (unit * row[key] for key in ("mean", "ci_low", "ci_high"))
            cells.append(f"{mean:.3f} ({low:.3f} to {high:.3f})")
        chapter = "1" if run.chapter == CHAPTER_1 else "stand-in"
        heroes = ", ".join(run.party)
        first = f"{number} | {chapter} | {LETTERS[run.player]} | {heroes}"
        rows.append(f"| {first} | {' | '.join(cells)} |")
    return rows


def _counters(run: Run) -> list[str]:
    rows = [
        "| `counter` | `n` | `mean` | `std_dev` | `ci_low` | `ci_high` |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in run.counters.iterrows():
        if row["mean"] > 0:
            numbers = " | ".join(f"{row[key]:.6g}" for key in ("mean", "std_dev", *_ENDS))
            rows.append(f"| `{name}` | {int(row['n'])} | {numbers} |")
    return rows


_ENDS = ("ci_low", "ci_high")


def everything(done: Sequence[Run]) -> pd.DataFrame:
    """One row per run, by its number, and counter that is not 0 in all its games."""
    frames = []
    for number, run in enumerate(done, 1):
        frame = run.counters[run.counters["mean"] > 0].reset_index()
        frame.insert(0, "run", number)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def main(folder: str, n_games: int, seed: int = 1) -> None:
    """Play everything, telling how far it is, and write both files into a folder."""
    started = time.monotonic()
    done = []
    for run in runs(n_games, seed):
        done.append(run)
        what = f"{run.chapter}, {run.player}, {', '.join(run.party)}"
        print(f"{time.monotonic() - started:5.0f} s  {what}", file=sys.stderr, flush=True)
    Path(folder, f"{NAME}.md").write_text(page(done, n_games, seed), encoding="utf-8")
    everything(done).to_csv(Path(folder, f"{NAME}.csv"), index=False, float_format="%.6g")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
