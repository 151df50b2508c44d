"""Play the same games with differently compiled kernels, compare the records: ``make processors``.

Networks take the same lesson, too.  The kernels are compiled for this processor and for the oldest
one of its kind, which knows few vector instructions; NumPy has to do without those as well; the C
library is told that the processor cannot multiply and add in one step;
and plain ``njit`` compiles them (simcore/jit/plain.py), without anything of the inside of Numba,
which takes about five minutes.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

#: What NumPy may be told to do without; older versions name single instructions.
_NUMPY = "X86_V3 X86_V4 AVX512_ICL AVX512_SPR AVX2 FMA3 AVX512F AVX512CD AVX512_SKX"
#: Environment of each way to compile.  The tunable is glibc's.
WAYS: Mapping[str, Mapping[str, str]] = {
    "this processor": {},
    "any processor": {"NUMBA_CPU_NAME": "generic", "NPY_DISABLE_CPU_FEATURES": _NUMPY},
    "no fused operations": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"},
    "plain njit": {"FAIRDEAL_PLAIN_JIT": "1"},
}
#: How many games each pair of players plays with each pool.
GAMES = {
    ("random", "random"): 500,
    ("greedy", "heuristic"): 60,
    ("learned", "heuristic@0.1"): 60,
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


def fitted() -> str:
    """A digest of all numbers of a network that has learned from made-up positions."""
    import numpy as np

    from card_data.mindbug import load_pool
    from simcore.mindbug import compile_cards
    from simcore.mindbug.play.network_fit import Lessons, fit_network, new_arrays
    from simcore.mindbug.play.network_samples import MOST_SAMPLES, SAMPLES
    from simcore.mindbug.players.position_features import N_JOINED, N_ZONES

    faces = compile_cards(load_pool(["first_contact"])).faces
    rng, games = np.random.default_rng(1), np.zeros(12_000 // MOST_SAMPLES, SAMPLES)
    n_rows = N_JOINED + N_ZONES * len(faces)
    games["active"] = rng.integers(0, n_rows, games["active"].shape)
    games["n"] = rng.integers(20, 60, games["n"].shape)
    games["worth"] = rng.integers(0, 65, games["worth"].shape) / 64
    lessons = Lessons.of([faces], [[games]])
    arrays, losses = fit_network(new_arrays(3), lessons, rounds=4, step=3e-3, seed=2)
    digest = hashlib.sha256(repr(losses).encode())
    for array in arrays.values():
        digest.update(array.tobytes())
    return f"learned from positions {digest.hexdigest()[:16]}"


def taught() -> str:
    """A digest of the network of `expert` after a short lesson with a whole set."""
    from card_data.mindbug import load_pool
    from simcore.mindbug.play.network_training import NetworkTraining, train_network
    from simcore.mindbug.players.network_files import own_network

    pools = [load_pool(["first_contact"])]
    lesson = NetworkTraining.teaching(own_network("second"), pools, generations=3, games=400)
    with TemporaryDirectory() as name:
        folder = Path(name)
        network = train_network(pools, lesson, folder=folder, curve=folder / "curve.csv")
        curve = hashlib.sha256((folder / "curve.csv").read_bytes()).hexdigest()
    return f"taught {network.digest[:16]} {curve[:16]}"


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
        few = sys.argv[1] == "together"
        lines = digests(FEW_GAMES if few else GAMES, sys.argv[1])
        print(*lines, fitted(), *([] if few else [taught()]), sep="\n")
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
