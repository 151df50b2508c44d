"""Games of one's own in both forms: games a second by the rules as they are, and compiled.

The examples, with the usual number of seats, between random players, one thread.  Seconds are of
the processor.  ``cold`` is compiling with nothing kept, ``warm`` loading what another process has
compiled; both with the rewriting, without the 0.5 s that importing the compiler takes.  Run from
the project's folder::

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_forms.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from simcore.contract.compiled.form import Form
from simcore.contract.finding import load_file
from simcore.contract.game import RANDOM
from simcore.contract.play import Table
from simcore.own_games.run import COMPILED_FROM, OwnGames, record_at

EXAMPLES = Path(__file__).parents[2] / "reports" / "own_games" / "examples"
PLAIN, COMPILED = 500, 100_000


def measured(path: Path) -> str:
    """What is measured of a game, in this process."""
    game = load_file(path)
    table = Table(game, game.load(), game.set([]), game.seats[0])
    found = []
    begun = time.process_time()
    Form(table)
    found.append(f"{time.process_time() - begun:8.2f}")
    for n, form in ((PLAIN, 0), (COMPILED, COMPILED_FROM)):
        out = np.zeros(n, record_at(table))
        played = OwnGames(table, 1, [RANDOM] * table.seats, form)
        played.play(0, out[:64])
        begun = time.process_time()
        played.play(0, out)
        found.append(f"{n / (time.process_time() - begun):11,.0f}")
    return " ".join([*found, f"{out['decisions'].mean():9.1f}"])


def main() -> None:
    """Print a line for each example."""
    if len(sys.argv) > 1:
        print(measured(Path(sys.argv[1])))
        return
    print("game           cold     warm   plain/s   compiled/s decisions")
    for path in sorted(EXAMPLES.glob("*.py")):
        with tempfile.TemporaryDirectory() as cache:
            told = [
                subprocess.run(
                    [sys.executable, __file__, str(path)],
                    env=os.environ | {"XDG_CACHE_HOME": cache},
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout.split()
                for _ in range(2)
            ]
        (cold, *_), (warm, plain, compiled, decisions) = told
        print(f"{path.stem:10} {cold:>8} {warm:>8} {plain:>9} {compiled:>12} {decisions:>9}")


if __name__ == "__main__":
    main()
