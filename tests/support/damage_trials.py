"""Damage files of every kind of folder, and judge by the commands that read them.

One file of a folder is damaged: a bit is flipped, or its end, its middle or all of it is lost.
Then a command is asked that reads the folder, or the one that made it is repeated.  `runs verify`
has to name the file.  Any other command has to leave and say what it does with whole files, or to
end with exit status 2 and one message that names the file: never another number, never a traceback,
never a wait.  As a program it prints tables, whose sums are in ``docs/reliability.md``::

    python -m support.damage_trials 2000
"""

import contextlib
import io
import logging
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from card_data.cache import cache_folder, make_folder, read_kept
from card_data.checksums import CHECKSUMS
from reports.cli.app import run as run_command
from reports.kit import figure_files
from support.small_folders import CLOCKED, WORKS, Work, few_games, unclocked

#: What may come of damage, and what may not.
SAME, REFUSED = "as undisturbed", "one message"
WRONG, TRACEBACK, HANG = "wrong", "traceback", "hang"
OUTCOMES = (SAME, REFUSED, WRONG, TRACEBACK, HANG)
_LONGEST = 300  # seconds that anything may take
_MOST_MESSAGE = 2000
# The share of damages that are judged by `runs verify`, and of those judged by a process.
_VERIFIED, _PROCESSES = 0.85, 100

#: Counts by what was damaged: the work that made the folder, the kind of command that judged, the
#: kind of file, and what came of it.
Tally = Counter[tuple[str, str, str, str]]


class Answer(NamedTuple):
    """The exit status of a command, or None for an exception, and what it printed."""

    status: int | None
    out: str
    err: str


def ask(place: Path, command: str, *, process: bool = False) -> Answer:
    """Run a command in a folder, here or as a process of its own.  Raises TimeoutError."""
    words = shlex.split(command)
    if process:
        program = [sys.executable, "-c", "from reports.cli.start import main; main()", *words]
        done = subprocess.run(
            program, cwd=place, capture_output=True, text=True, timeout=_LONGEST, check=False
        )
        status = None if "Traceback" in done.stderr else done.returncode
        return Answer(status, done.stdout, done.stderr)
    out, err = io.StringIO(), io.StringIO()
    try:
        with (
            contextlib.chdir(place),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            _in_time(),
        ):
            here = run_command(words)
    except TimeoutError:
        raise
    except Exception:  # noqa: BLE001 - whatever it is, a person would have seen a traceback
        return Answer(None, out.getvalue(), err.getvalue() + traceback.format_exc())
    return Answer(here, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def _in_time() -> Iterator[None]:
    """Raise TimeoutError in a block that takes too long."""

    def too_long(_signal: int, _frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(_LONGEST)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder by their place in it, but those that depend on the clock."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    named = ((path.relative_to(folder).as_posix(), path) for path in files)
    return {
        name: unclocked(path.read_bytes()) if path.name == CHECKSUMS else path.read_bytes()
        for name, path in named
        if not name.endswith(CLOCKED) and not path.name.startswith(".")
    }


class _Patient:
    """A folder as a command leaves it, which is damaged again and again."""

    def __init__(self, work: Work, place: Path) -> None:
        self.work, self.place, self.folder = work, place, place / work.folder
        self._kept = place / "kept"
        for command in (*work.before, work.command):
            if (answer := ask(place, command)).status != 0:
                raise AssertionError(f"{command}: {answer}")
        ask(place, work.command)  # what is done only when it is repeated
        self._whole: dict[str, tuple[Answer, dict[str, bytes]]] = {}
        shutil.copytree(self.folder, self._kept)

    @cached_property
    def verify(self) -> str:
        """The command that reads every file."""
        return f"runs verify {self.work.folder}"

    def restore(self) -> None:
        """Let the folder be whole again."""
        shutil.rmtree(self.folder)
        shutil.copytree(self._kept, self.folder)

    def whole(self, command: str) -> tuple[Answer, dict[str, bytes]]:
        """What a command says and leaves of whole files; asked twice: "" if that differs."""
        if command not in self._whole:
            first, second = ask(self.place, command), ask(self.place, command)
            if first.status != 0:
                raise AssertionError(f"{command}: {first}")
            out = first.out if first.out == second.out else ""
            self._whole[command] = first._replace(out=out), contents(self.folder)
            self.restore()
        return self._whole[command]

    def judge(self, command: str, path: Path, *, process: bool = False) -> str:
        """What comes of a command when a file of the folder is damaged."""
        name = path.relative_to(self.folder).as_posix()
        whole, files = self.whole(command)
        damaged = path.read_bytes()
        try:
            answer = ask(self.place, command, process=process)
        except (TimeoutError, subprocess.TimeoutExpired):
            return HANG
        if answer.status not in (0, 2):
            print(answer.err, file=sys.stderr)
            return TRACEBACK
        if command == self.verify:
            return REFUSED if answer.status == 2 and name in answer.out else WRONG
        if answer.status == 2:
            named = path.name in answer.err or self.work.folder in answer.err
            is_one = answer.err.count("fairdeal: ") == 1 and len(answer.err) < _MOST_MESSAGE
            return REFUSED if named and is_one else WRONG
        if command.startswith("runs") and "damaged" in answer.out:
            return REFUSED  # told of this folder in a list of several
        left = contents(self.folder)
        others = all(left.get(one) == files.get(one) for one in {*left, *files} - {name})
        same = left.get(name) in (files.get(name), damaged) or name.endswith(CHECKSUMS)
        return SAME if others and same and whole.out in ("", answer.out) else WRONG


def trials(n: int, works: Sequence[Work], place: Path, *, seed: int = 0) -> Tally:
    """Damage ``n`` files, of one folder after the other; what came of it."""
    dice, found = random.Random(seed), Tally()
    patients = []
    for number, work in enumerate(works):
        (place / str(number)).mkdir()
        patients.append(_Patient(work, place / str(number)))
        print(f"{work.name}: made", file=sys.stderr)
    try:
        for number in range(n):
            patient = patients[number % len(patients)]
            work = patient.work
            others = (work.command, *work.readers)
            command = patient.verify if dice.random() < _VERIFIED else dice.choice(others)
            patient.whole(command)
            path, how = _damage(dice, patient.folder)
            # What makes a folder has fewer games to test with here, and draws fewer charts.
            process = number % _PROCESSES == _PROCESSES - 1 and command != work.command
            outcome = patient.judge(command, path, process=process)
            judge = "the command again" if command == work.command else _kind_of_command(command)
            found[work.name, judge, kind_of(path), outcome] += 1
            if outcome not in (SAME, REFUSED):
                print(f"{outcome}: {command}: {path}: {how}", file=sys.stderr)
            patient.restore()
    except KeyboardInterrupt:
        print(f"stopped after {found.total():,} damages", file=sys.stderr)
    return found


def _kind_of_command(command: str) -> str:
    """The words of a command before what it is about."""
    words = command.split()
    return " ".join(words[: 2 if words[0] == "runs" and len(words) > 1 else 1])


def _damage(dice: random.Random, folder: Path) -> tuple[Path, str]:
    """Damage a file, each kind of file and each file of it with the same chance; which, and how."""
    kinds: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.startswith(".") and path.stat().st_size:
            kinds.setdefault(kind_of(path), []).append(path)
    path = dice.choice(kinds[dice.choice(sorted(kinds))])
    data = bytearray(path.read_bytes())
    at, how = dice.randrange(len(data)), dice.choice(["bit"] * 5 + ["end", "middle", "all"])
    if how == "bit":
        data[at] ^= 1 << dice.randrange(8)
    elif how == "middle":
        data[at : at + 64] = bytes(byte ^ 0xA5 for byte in data[at : at + 64])
    else:
        del data[at if how == "end" else 0 :]
    path.write_bytes(data)
    return path, f"{how} at {at}"


def cache_trials(n: int, place: Path, *, seed: int = 0) -> Tally:
    """Flip ``n`` bits of compiled kernels; how they are read then.

    What is refused is worked out anew, which is what a start without a cache does.
    """
    dice, found, real = random.Random(seed), Tally(), cache_folder()
    kernels = [path.relative_to(real) for path in sorted(real.rglob("*.nbc"))]
    here = os.environ.get("NUMBA_CACHE_DIR")
    os.environ["NUMBA_CACHE_DIR"] = str(place)
    logging.getLogger("card_data.cache").disabled = True
    try:
        for _ in range(n):
            name = dice.choice(kernels)
            path = cache_folder() / name
            make_folder(path.parent)
            shutil.copy(real / name, path)
            whole = read_kept(str(name))
            _damage(dice, path.parent)
            damaged = read_kept(str(name))
            outcome = SAME if damaged in (None, whole) else WRONG
            found["caches", "reading them", "compiled kernels", outcome] += 1
            path.unlink()
    finally:
        logging.getLogger("card_data.cache").disabled = False
        os.environ.pop("NUMBA_CACHE_DIR")
        if here is not None:
            os.environ["NUMBA_CACHE_DIR"] = here
    return found


_KINDS = {
    ".parquet": "games and tallies",
    ".toml": "pool and cards",
    ".npz": "networks",
    ".html": "pages",
    ".md": "pages",
    ".xlsx": "pages",
    ".svg": "charts",
}


def kind_of(path: Path) -> str:
    """What a file is, as the table calls it."""
    if path.parent.name == "tables":
        return f"tables, {path.suffix[1:]}"
    if path.name in ("curve.csv", "weights.toml"):
        return f"{path.stem} of a training"
    if path.name in (CHECKSUMS, "about.json", "timings.json"):
        return path.name
    return "what was asked" if path.suffix == ".json" else _KINDS.get(path.suffix, "caches")


def as_table(found: Tally, heading: str, part: int) -> str:
    """Counts as Markdown: a row for each folder (part 0), command (1) or kind of file (2)."""
    lines = [f"| {heading} | damages | {' | '.join(OUTCOMES)} |", f"|---{'|---' * 6}|"]
    for row in dict.fromkeys(key[part] for key in found):
        numbers = [
            sum(n for key, n in found.items() if key[part] == row and key[3] == outcome)
            for outcome in OUTCOMES
        ]
        lines.append(f"| {row} | {sum(numbers):,} | {' | '.join(f'{n:,}' for n in numbers)} |")
    return "\n".join(lines)


def main(n: int, names: Sequence[str] = ()) -> int:
    """Print the tables, of all works or some; the exit status is 1 if any damage went wrong."""
    figure_files.KINDS = ("svg",)
    at_caches = n // 20
    with tempfile.TemporaryDirectory() as place, few_games():
        folders, caches = (Path(place) / name for name in ("folders", "caches"))
        for folder in (folders, caches):
            folder.mkdir(mode=0o700)
        works = [work for work in WORKS if not names or work.name in names]
        found = cache_trials(at_caches, caches) + trials(n - at_caches, works, folders)
    print("\n\n".join(as_table(found, heading, part) for part, heading in enumerate(_HEADINGS)))
    return int(any(key[3] not in (SAME, REFUSED) for key in found))


_HEADINGS = ("folder of", "judged by", "file")


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
