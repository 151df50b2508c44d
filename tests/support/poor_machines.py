"""Playing where a machine lacks something, for real: ``make machines`` prints a page.

Another user without a home, a full disk under the cache, damaged and foreign caches, little memory:
each plays the same games as a run where nothing is lacking, or ends with one message.
"""

import hashlib
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from support.nobody import UID, command_as_nobody, poor_environment

ROOT = Path(__file__).parents[2]
PLAY = "simulate", "first_contact", "--policy", "random", "--games", "2000", "--seed", "16"
LONGEST = 1800  # seconds after which a command hangs
MEGABYTES = range(200, 2600, 200)

HEADING = f"""# Machines that lack something

Where a machine lacks a home, room, rights or memory, fairdeal plays the same games or ends with
one message. `make machines`, as root, tries it for real and writes this page in five minutes of a
processor. Each line is
`fairdeal {" ".join(PLAY)}` in a process of its own. "The same games":
every byte of the parts is that of a run on a machine that lacks nothing.

Tests try the same with a smaller program and more kinds of damage:
`tests/simcore/jit/test_cache.py`, `tests/card_data/test_cache.py` and
`tests/reports/cli/test_start.py`.
"""


@frozen
class Answer:
    """What came of a command."""

    status: int
    out: str
    err: str
    games: str
    """A digest of the games, "" if there are none."""

    def in_words(self, as_asked: str) -> str:
        """What happened, for a table."""
        if self.games == as_asked and self.status == 0:
            return "the same games"
        clean = self.status == 2 and not self.games and "Traceback" not in self.err
        one_line = len(self.err.splitlines()) == 1
        return "one message" if clean and one_line else f"**fails**: {self.status} {self.err!r}"

    def told(self, *words: str) -> list[str]:
        """The lines on stderr that have all the words."""
        return [line for line in self.err.splitlines() if all(word in line for word in words)]


def play(
    folder: Path,
    cache: Path | None,
    *,
    command: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    kilobytes: int | None = None,
) -> Answer:
    """Play in a new folder; what came of it."""
    shutil.rmtree(folder, ignore_errors=True)
    more = {"PYTHONPATH": ":".join([str(ROOT), *(path for path in sys.path if path)])}
    if cache is not None:
        more["NUMBA_CACHE_DIR"] = str(cache)

    def limit() -> None:
        if kilobytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (kilobytes * 1024, kilobytes * 1024))

    start = "from reports.cli.start import main; main()"
    done = subprocess.run(
        [*command, sys.executable, "-c", start, *PLAY, "--out", str(folder)],
        env={**(os.environ if environment is None else environment), **more},
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    digest = hashlib.sha256()
    parts = sorted(folder.glob("games/*.parquet"))
    for part in parts:
        digest.update(part.read_bytes())
    games = digest.hexdigest() if parts and done.returncode == 0 else ""
    return Answer(done.returncode, done.stdout, done.stderr, games)


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk of that size, for root alone, while the block runs."""
    folder.mkdir()
    options = f"size={size},mode=0700"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def flip(file: Path, rng: random.Random) -> None:
    """Flip one bit of a file."""
    content = bytearray(file.read_bytes())
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    file.write_bytes(content)


def rows(place: Path) -> Iterator[tuple[str, str, str]]:
    """Each trial: what is missing, the result, the message."""
    cache, run, rng = place / "cache", place / "run", random.Random(16)
    base = play(run, cache)
    assert base.games, base.err
    games = base.games

    def row(what: str, answer: Answer, *words: str) -> tuple[str, str, str]:
        said = answer.told(*words) if words else []
        return what, answer.in_words(games), said[0].replace(str(place), "…") if said else "—"

    command = command_as_nobody()
    assert command, "run this as root, with setpriv"
    theirs = place / "theirs"
    theirs.mkdir()
    os.chown(theirs, UID, UID)
    alone = poor_environment({})
    nobody = play(theirs / "run", None, command=command, environment=alone)
    yield row(f"user {UID}, HOME=/nonexistent", nobody, "no cache")
    with small_disk(place / "disk", "1m") as disk:
        yield row("a cache on a disk of 1 MB", play(run, disk), "No space")
    cache.chmod(0o777)
    yield row("a cache that anyone can write to", play(run, cache), "others can write")
    cache.chmod(0o700)
    kept = sorted(file for file in cache.rglob("*") if file.is_file())
    for file in kept:
        flip(file, rng)
        what = "compiled code" if file.suffix else "the grammar's tables"
        yield row(f"a bit flipped in {what}", play(run, cache), "damaged")
    again = play(run, cache)
    assert not again.err, again.err
    yield row("the same cache once more", again)
    for megabytes in MEGABYTES:
        answer = play(run, cache, kilobytes=megabytes * 1000)
        yield row(f"ulimit -v {megabytes * 1000}", answer, "memory")


def main() -> None:
    """Try everything and print the page."""
    print(HEADING)
    print("| what is missing | result | message |\n|---|---|---|", flush=True)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        place.chmod(0o755)
        for what, came, said in rows(place):
            failed |= came.startswith("**")
            print(f"| {what} | {came} | {said} |", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
