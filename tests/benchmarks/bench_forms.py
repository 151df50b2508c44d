"""Games of one's own in both forms: games a second by the rules as they are, and compiled.

The examples, with the usual number of seats, between random players, greedy ones where the rules
have `standing`, and those that search; one thread.  Seconds are of the processor.  ``cold`` is
compiling with nothing kept, ``warm`` loading what another process has compiled; both with the
rewriting, without the 0.5 s that importing the compiler takes.  Run from the project's folder::

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_forms.py
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from simcore.contract.compiled.form import Form
from simcore.contract.finding import load_file
from simcore.contract.game import GREEDY, RANDOM, SEARCH
from simcore.contract.play import Table
from simcore.own_games.setup import COMPILED_FROM, OwnGames, record_at

EXAMPLES = Path(__file__).parents[2] / "reports" / "own_games" / "examples"
SEARCHING = f"{SEARCH}:100"
#: Games that are played by the rules as they are, and compiled.
N_GAMES = {RANDOM: (500, 100_000), GREEDY: (60, 10_000), SEARCHING: (6, 300)}


def measured(path: Path, player: str) -> str:
    """What is measured of a game, in this process."""
    game = load_file(path)
    table = Table(game, game.load(), game.set([]), game.seats[0])
    players = [player] * table.seats
    begun = time.process_time()
    Form(table, players)
    found = [f"{time.process_time() - begun:.2f}"]
    for n, form in zip(N_GAMES[player], (0, COMPILED_FROM), strict=True):
        out = np.zeros(n, record_at(table))
        played = OwnGames(table, 1, players, form)
        played.play(0, out[:50])
        begun = time.process_time()
        played.play(0, out)
        found.append(f"{n / (time.process_time() - begun):,.1f}")
    return " ".join([*found, f"{out['decisions'].mean():.1f}"])


def main() -> None:
    """Print a line for each example and player."""
    if len(sys.argv) > 1:
        print(measured(Path(sys.argv[1]), sys.argv[2]))
        return
    print("game       player       cold     warm   plain/s   compiled/s decisions")
    for path in sorted(EXAMPLES.glob("*.py")):
        for player in N_GAMES:
            if player in (*load_file(path).player_names, SEARCHING):
                print(_line(path, player), flush=True)


def _line(path: Path, player: str) -> str:
    with tempfile.TemporaryDirectory() as cache:
        told = [
            subprocess.run(
                [sys.executable, __file__, str(path), player],
                env=os.environ | {"XDG_CACHE_HOME": cache},
                capture_output=True,
                text=True,
                check=True,
            ).stdout.split()
            for _ in range(2)
        ]
    (cold, *_), (warm, plain, compiled, decisions) = told
    return (
        f"{path.stem:10} {player:10} {cold:>6} {warm:>8} {plain:>9} {compiled:>12} {decisions:>9}"
    )


if __name__ == "__main__":
    main()
