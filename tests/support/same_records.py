"""Play the same games with differently compiled kernels, compare the records: ``make processors``.

The kernels are compiled for this processor and for the oldest one of its kind, which knows few
vector instructions; the C library is told that the processor cannot multiply and add in one step;
and plain ``njit`` compiles them (simcore/jit/plain.py), without anything of the inside of Numba,
which takes about five minutes.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping

#: Environment of each way to compile.  The tunable is glibc's.
WAYS: Mapping[str, Mapping[str, str]] = {
    "this processor": {},
    "any processor": {"NUMBA_CPU_NAME": "generic"},
    "no fused operations": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"},
    "plain njit": {"BALANCELAB_PLAIN_JIT": "1"},
}
#: How many games each pair of players plays with each pool.
GAMES = {
    ("random", "random"): 500,
    ("greedy", "heuristic"): 60,
    ("learned", "heuristic~10"): 60,
    ("search:20", "learned"): 3,
}
#: Pairs of players that one engine serves, of which the second never searches.
FEW_GAMES = {("search:12", "heuristic"): 4, ("search:4", "greedy"): 4, ("search:2", "random"): 4}


def digests(games: Mapping[tuple[str, str], int], pools: str) -> list[str]:
    """A line for each pool and pair: what was played, and a digest of its records."""
    from card_data.mindbug import available_sets, load_pool
    from simcore.mindbug import compile_cards, play_games

    sets = available_sets()
    lines = []
    for names in [sets] if pools == "together" else [*([name] for name in sets), sets]:
        pool = load_pool(names)
        table = compile_cards(pool.sets, pool.modes)
        for players, n in games.items():
            records = play_games(table, n_games=n, seed=17, policies=players)
            digest = hashlib.sha256(records.tobytes()).hexdigest()[:16]
            lines.append(f"{'+'.join(names)} {' '.join(players)} {digest}")
    return lines


def play(way: str, what: str) -> list[str]:
    """The digests of games played in a process of their own."""
    paths = os.pathsep.join(path for path in sys.path if path)
    run = subprocess.run(
        [sys.executable, "-m", "support.same_records", what],
        env={**os.environ, "PYTHONPATH": paths, **WAYS[way]},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise RuntimeError(f"{way}: {run.stderr}")
    return run.stdout.splitlines()


def main() -> int:
    """Play in every way and say which records differ; 1 if any do."""
    if sys.argv[1:]:
        print(*digests(FEW_GAMES if sys.argv[1] == "together" else GAMES, sys.argv[1]), sep="\n")
        return 0
    expected: list[str] = []
    n_different = 0
    for way in WAYS:
        found = play(way, "all")
        expected = expected or found
        different = [line for line in found if line not in expected]
        n_different += len(different)
        print(f"{way}: {len(found) - len(different)} of {len(found)} as expected", flush=True)
        print(*different, sep="\n", end="\n" if different else "")
    return min(n_different, 1)


if __name__ == "__main__":
    sys.exit(main())
