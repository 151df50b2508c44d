"""Flip single bits in files that the program reads, and see what it makes of them.

Every file of every kind of folder is damaged, one bit at a time, and read as the program reads it.
What comes of it must be what comes of whole files, or one message: never another number, never a
traceback, never a wait.  As a program it prints the tables of ``docs/reliability.md``::

    python -m support.damage_trials 2000
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import logging
import os
import random
import shlex
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import analysis.mindbug
from analysis.mindbug.experiments.ablation import RestrictedPlay, analyze_restricted
from analysis.mindbug.experiments.ladder import LADDER_TABLES, analyze_ladder
from analysis.mindbug.experiments.ladder_games import Ladder, play_pairs
from analysis.mindbug.experiments.sensitivity import read_sensitivity
from analysis.mindbug.experiments.skill import read_skill_tables
from card_data.cache import cache_folder, make_folder, read_kept
from card_data.mindbug import CardFileError, load_pool, pool_hash
from reports.cli.app import run as run_command
from reports.mindbug.training.fit import TrainingRun
from simcore.mindbug.play.run import new_run
from simcore.mindbug.play.training import train
from simcore.mindbug.players.weights import read_weights
from simcore.sealed import RunError
from simcore.work.runs import run_games
from support.small_folders import CLOCKED, WORKS, Work

#: What may come of a flipped bit, and what may not.
SAME, REFUSED = "as undisturbed", "one message"
WRONG, TRACEBACK, HANG = "wrong", "traceback", "hang"
OUTCOMES = (SAME, REFUSED, WRONG, TRACEBACK, HANG)
# What a person is told in one message.
_TOLD = (RunError, CardFileError, ValueError)
_LONGEST = 120  # seconds that anything may take
_MOST_MESSAGE = 2000

Tally = Counter[tuple[str, str, str]]
WORK = {work.name: work for work in WORKS}


class Reading(NamedTuple):
    """A way to read a folder: which files that takes, and all that it tells, as a digest."""

    name: str
    files: tuple[str, ...]
    read: Callable[[Path], str]


def digest(*things: Any) -> str:
    """A text that differs whenever tables, arrays or values of JSON do."""
    told = hashlib.sha256()
    for thing in things:
        if isinstance(thing, pd.DataFrame):
            told.update(f"{thing.dtypes.to_dict()}{thing.to_csv()}".encode())
        elif isinstance(thing, np.ndarray):
            told.update(str(thing.dtype).encode())
            for name in thing.dtype.names or (...,):  # what lies between fields means nothing
                told.update(np.ascontiguousarray(thing[name]).tobytes())
        else:
            told.update(json.dumps(thing, sort_keys=True, default=str).encode())
    return told.hexdigest()


def _told_by_run(folder: Path) -> str:
    """Manifest, pool, games, and all tables of a run."""
    run = analysis.mindbug.open_run(folder)
    tables = analysis.mindbug.read_tables(folder) | read_skill_tables(folder)
    tables |= read_sensitivity(folder / "sensitivity", run.manifest["pool_hash"])
    return digest(run.manifest, repr(run.pool()), *run.parts(), *tables.values())


def _resume_run(folder: Path) -> str:
    """The run repeated: what is missing or damaged is made anew where that can be done."""
    spec = new_run(load_pool(["first_contact"]), n_games=3000, seed=3)
    run_games(spec, folder, threads=1)
    return _told_by_run(folder)


def _told_by_ladder(folder: Path) -> str:
    tables = analyze_ladder(folder)
    return digest(*(tables[name] for name in LADDER_TABLES if name != "speed"))


def _resume_ladder(folder: Path) -> str:
    players = ("random", "greedy", "heuristic")
    play_pairs(Ladder(load_pool(["first_contact"]), players, 200, 200), folder, threads=1)
    return _told_by_ladder(folder)


def _told_by_restricted(folder: Path) -> str:
    return digest(analyze_restricted(folder)["restrictions"])


def _resume_restricted(folder: Path) -> str:
    pool = load_pool(["first_contact"])
    asked = RestrictedPlay(pool, "heuristic", ("blocks", "hunts"), 400)
    play_pairs(asked, folder, threads=1)
    return _told_by_restricted(folder)


def _told_by_analysis(folder: Path) -> str:
    """The tables of a sensitivity analysis, as a report reads them."""
    pool = load_pool(["first_contact"])
    return digest(*read_sensitivity(folder, pool_hash(pool)).values())


def _resume_analysis(folder: Path) -> str:
    """The experiments repeated: games that are damaged are played again."""
    tables = analysis.mindbug.card_sensitivity(
        load_pool(["first_contact"]),
        "killer_bee",
        folder,
        changes=("value", "power"),
        games=300,
        policy="random",
        threads=1,
    )
    return digest(*tables.values())


def _resume_rebalance(folder: Path) -> str:
    """The search and its confirmation repeated, on the games that are there."""
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.chdir(folder.parent):
        status = run_command([*WORK["rebalance"].words, "--json"])
    if status:
        raise RunError("refused")
    return digest(json.loads(said.getvalue()))


def _resume_training(folder: Path) -> str:
    """The training repeated: generations that are damaged are played again."""
    run = TrainingRun.begin(
        folder,
        [load_pool(["first_contact"])],
        against=["heuristic"],
        start="heuristic",
        generations=4,
        population=4,
        games=40,
    )
    curve = folder / "curve.csv"
    weights = train(run.pools, run.training, curve=curve, identity=run.identity)
    return digest(weights, read_weights(folder / "weights.toml"))


_POOL = ("pool.toml", "cards/*.toml")
_TABLES = ("tables/*.parquet",)
_ANALYSIS = ("sensitivity.json", "games/*.parquet")
#: How each folder is read, by the name of the work that made it.
READINGS: dict[str, tuple[Reading, ...]] = {
    "run": (
        Reading(
            "read",
            ("manifest.json", *_POOL, "games/*.parquet", *_TABLES),
            _told_by_run,
        ),
        Reading("resumed", ("manifest.json", *_POOL, "games/*.parquet"), _resume_run),
    ),
    "ladder": (
        Reading("read", ("ladder.json", "timings.json", "pairs/*.parquet"), _told_by_ladder),
        Reading("resumed", ("ladder.json", *_POOL, "pairs/*.parquet"), _resume_ladder),
    ),
    "restrict": (
        Reading("read", ("restrict.json", "timings.json", "pairs/*.parquet"), _told_by_restricted),
        Reading("resumed", ("restrict.json", "pairs/*.parquet"), _resume_restricted),
    ),
    "sensitivity": (
        Reading(
            "read",
            ("sensitivity.json", "tables/sensitivity.parquet", "tables/values.parquet"),
            _told_by_analysis,
        ),
        Reading("resumed", (*_ANALYSIS, *_POOL), _resume_analysis),
    ),
    "rebalance": (
        Reading(
            "resumed",
            (
                "rebalance.json",
                *(f"{place}/{name}" for place in ("search", "confirm") for name in _ANALYSIS),
            ),
            _resume_rebalance,
        ),
    ),
    "train": (
        Reading("resumed", ("training.json", "curve.csv", "weights.toml"), _resume_training),
    ),
}


def make_folders(place: Path, names: Sequence[str]) -> dict[str, Path]:
    """The folders of `READINGS`, whole, in ``place``; a run with all that can lie in it."""
    folders = {}
    for name in names:
        works = ("simulate", "analyze", "skill", "sensitivity") if name == "run" else (name,)
        for work in (WORK[one] for one in works):
            for command in (*work.before, work.command):
                _ask(place, shlex.split(command))
        folders[name] = place / WORK[works[0]].folder
    if "run" in folders:
        beside = folders["run"] / "sensitivity"
        shutil.copytree(place / WORK["sensitivity"].folder, beside)
    return folders


def _ask(place: Path, words: Sequence[str]) -> tuple[int, str]:
    """The exit status of a command in a folder, and what it complained of."""
    with (
        contextlib.chdir(place),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()) as said,
    ):
        return run_command([*words]), said.getvalue()


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder by their place in it, but those that depend on the clock."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    named = ((path.relative_to(folder).as_posix(), path) for path in files)
    return {
        name: path.read_bytes()
        for name, path in named
        if not name.endswith(CLOCKED) and not path.name.startswith(".")
    }


def trials(n: int, names: Sequence[str], place: Path, *, seed: int = 0) -> Tally:
    """Flip ``n`` bits, shared among the ways in which folders are read; what came of them.

    Counts by (folder and way, kind of file, outcome).
    """
    dice, found = random.Random(seed), Tally()
    readings = [(name, reading) for name in names for reading in READINGS[name]]
    folders = make_folders(place, names)
    for number, (name, reading) in enumerate(readings):
        folder, kept = folders[name], place / "kept"
        shutil.copytree(folder, kept)
        whole = reading.read(folder)
        for _ in range(n // len(readings) + (number < n % len(readings))):
            path = _flip(dice, folder, reading.files)
            outcome = _outcome(lambda: reading.read(folder), whole)  # noqa: B023
            found[f"{name}, {reading.name}", kind_of(path), outcome] += 1
            if outcome not in (SAME, REFUSED):
                print(f"{outcome}: {name}, {reading.name}: {path}", file=sys.stderr)
            shutil.rmtree(folder)
            shutil.copytree(kept, folder)
        shutil.rmtree(kept)
    return found


def command_trials(n: int, works: Sequence[Work], place: Path, *, seed: int = 0) -> Tally:
    """Flip ``n`` bits before commands are repeated; what they say, and what lies there then.

    A command ends with one message, or with the files that it leaves otherwise.
    """
    dice, found = random.Random(seed), Tally()
    for number, work in enumerate(works):
        for command in (*work.before, work.command):
            _ask(place, shlex.split(command))
        folder, kept = place / work.folder, place / "kept"
        whole = contents(folder)
        shutil.copytree(folder, kept)
        for _ in range(n // len(works) + (number < n % len(works))):
            path = _flip(dice, folder, ("**/*.parquet", "**/*.json", "**/*.toml", "**/curve.csv"))
            damaged = path.relative_to(folder).as_posix()

            def repeat(damaged: str = damaged) -> str:
                status, said = _ask(place, work.words)  # noqa: B023
                if status:
                    raise RunError(said)
                left = contents(folder)  # noqa: B023
                return digest({
                    name: hashlib.sha256(data).hexdigest()
                    for name, data in left.items()
                    if name != damaged
                })  # fmt: skip

            others = {
                name: hashlib.sha256(data).hexdigest()
                for name, data in whole.items()
                if name != damaged
            }
            outcome = _outcome(repeat, digest(others))
            found[f"fairdeal {work.name}", kind_of(path), outcome] += 1
            if outcome not in (SAME, REFUSED):
                print(f"{outcome}: {work.command}: {path}", file=sys.stderr)
            shutil.rmtree(folder)
            shutil.copytree(kept, folder)
        shutil.rmtree(kept)
    return found


def cache_trials(n: int, place: Path, *, seed: int = 0) -> Tally:
    """Flip ``n`` bits of compiled kernels and of tables of the grammar; how they are read then.

    What is refused is worked out anew, which is what a start without a cache does.
    """
    dice, found, real = random.Random(seed), Tally(), cache_folder()
    names = [path.relative_to(real) for path in sorted(real.rglob("*")) if _is_kept(path)]
    kernels = [name for name in names if name.suffix == ".nbc"]
    kinds = {
        "compiled kernels": kernels,
        "tables of the grammar": [name for name in names if name not in kernels],
    }
    here = os.environ.get("NUMBA_CACHE_DIR")
    os.environ["NUMBA_CACHE_DIR"] = str(place)
    logging.getLogger("card_data.cache").disabled = True
    try:
        for number in range(n):
            kind = sorted(kinds)[number % len(kinds)]
            name = dice.choice(kinds[kind])
            path = cache_folder() / name
            make_folder(path.parent)
            shutil.copy(real / name, path)
            whole = read_kept(str(name))
            _flip(dice, path.parent, (path.name,))
            damaged = read_kept(str(name))
            found["caches", kind, SAME if damaged in (None, whole) else WRONG] += 1
            path.unlink()
    finally:
        logging.getLogger("card_data.cache").disabled = False
        os.environ.pop("NUMBA_CACHE_DIR")
        if here is not None:
            os.environ["NUMBA_CACHE_DIR"] = here
    return found


def _is_kept(path: Path) -> bool:
    """Whether a file of a cache holds anything; locks are empty."""
    return path.is_file() and path.stat().st_size > 0


def kind_of(path: Path) -> str:
    """What a file is, as the table calls it."""
    folder = path.parent.name
    if path.suffix == ".json":
        return "what was asked" if path.name != "timings.json" else "timings"
    if path.suffix == ".parquet":
        return "tables" if folder == "tables" else "games"
    if path.name in {"curve.csv", "weights.toml"}:
        return f"{path.stem} of a training"
    return "pool and cards" if path.suffix == ".toml" else "cache"


def _flip(dice: random.Random, folder: Path, patterns: Sequence[str]) -> Path:
    """Flip a bit of a file, each kind of file and each file of it with the same chance."""
    kinds: dict[str, list[Path]] = {}
    for path in sorted({path for pattern in patterns for path in folder.glob(pattern)}):
        if path.stat().st_size:
            kinds.setdefault(kind_of(path), []).append(path)
    path = dice.choice(kinds[dice.choice(sorted(kinds))])
    data = bytearray(path.read_bytes())
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)
    return path


def _outcome(read: Callable[[], str], whole: str) -> str:
    """What comes of reading damaged files."""

    def too_long(_signal: int, _frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(_LONGEST)
    try:
        return SAME if read() == whole else WRONG
    except TimeoutError:
        return HANG
    except _TOLD as error:
        return REFUSED if 0 < len(str(error)) < _MOST_MESSAGE else TRACEBACK
    except Exception:  # noqa: BLE001 - whatever it is, a person would have seen a traceback
        traceback.print_exc()
        return TRACEBACK
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def as_table(found: Tally, first: str, part: int) -> str:
    """Counts as Markdown: a row for each folder (part 0) or kind of file (part 1)."""
    lines = [f"| {first} | bits flipped | {' | '.join(OUTCOMES)} |", f"|---{'|---' * 6}|"]
    rows = dict.fromkeys(key[part] for key in found)
    for row in rows:
        numbers = [
            sum(n for key, n in found.items() if key[part] == row and key[2] == outcome)
            for outcome in OUTCOMES
        ]
        lines.append(f"| {row} | {sum(numbers):,} | {' | '.join(f'{n:,}' for n in numbers)} |")
    return "\n".join(lines)


def main(n: int) -> int:
    """Print the tables; the exit status is 1 if any bit went wrong."""
    at_commands = at_caches = n // 20
    with tempfile.TemporaryDirectory() as place:
        read, commands, caches = (Path(place) / name for name in ("read", "commands", "caches"))
        for folder in (read, commands, caches):
            folder.mkdir(mode=0o700)
        found = trials(n - at_commands - at_caches, tuple(READINGS), read)
        found += command_trials(at_commands, WORKS, commands)
        found += cache_trials(at_caches, caches)
    print(as_table(found, "folder", 0), "\n")
    print(as_table(found, "file", 1))
    return int(any(key[2] not in (SAME, REFUSED) for key in found))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
