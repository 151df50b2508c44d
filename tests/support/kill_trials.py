"""Kill commands at random moments, repeat them, and compare what they leave with what they would.

Each command that computes is played once undisturbed.  Then it is begun again and again in an empty
place, killed with SIGKILL at a moment chosen by lot from when it begins to write until it would
have ended, and repeated: the files must be those of the undisturbed command, byte by byte.  As a
program it prints a table, whose sums are in ``docs/reliability.md``::

    python -m support.kill_trials 20
"""

import contextlib
import os
import random
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from reports.cli.app import run as run_command
from reports.games import reports_of
from reports.kit import figure_files
from reports.studio.work import DONE, PAGE, PLAY, WORKING, Asked, Desk
from simcore.games import names
from support.damage_trials import contents
from support.small_folders import WORKS, Work, few_games
from support.studio import CARDS

#: Commands that draw charts in all formats; the others draw SVG alone, which takes a fifth.
DRAWING = ("report", "ladder")
#: What is pressed in the studio with a card of one's own, one button after the other.
STUDIO = Work("studio", f"studio {PLAY} {PAGE}", "runs")
ALL_KINDS = figure_files.KINDS


class Killed(NamedTuple):
    """What came of a command: how often it was killed, and how often what went wrong."""

    command: str
    seconds: float
    kills: int
    kept: int  # times that something finished was there when it was killed
    failed: int  # times that the repeated command ended with an error
    differing: int  # times that it left other files


def trial(work: Work, kills: int, place: Path, *, seed: int = 0) -> Killed:
    """Kill a command so many times, each time in the middle, and repeat it."""
    dice = random.Random(f"{work.name} {seed}")
    figure_files.KINDS = ALL_KINDS if work.name in DRAWING else ("svg",)
    for command in work.before:
        _wait(_begin(place, command))
    before = place / "before"
    _copy(place, before)
    began = time.perf_counter()
    first = _first_file(place / work.folder, _begin(place, work.command), began)
    seconds = time.perf_counter() - began
    whole = contents(place / work.folder)
    killed = kept = failed = differing = 0
    while killed < kills:
        _copy(before, place)
        began = time.perf_counter()
        process = _begin(place, work.command)
        moment = dice.uniform(first, seconds)
        time.sleep(max(began + moment - time.perf_counter(), 0))
        os.kill(process, signal.SIGKILL)
        if _wait(process) != -signal.SIGKILL:
            continue  # it had ended
        killed += 1
        kept += bool((place / work.folder).exists() and contents(place / work.folder))
        status = _wait(_begin(place, work.command))
        failed += status != 0
        left = contents(place / work.folder)
        if left != whole:
            differing += 1
            names = [name for name in {**left, **whole} if left.get(name) != whole.get(name)]
            print(f"{work.command}: after {moment:.2f} s other {names}", file=sys.stderr)
    shutil.rmtree(before)
    return Killed(work.name, seconds, killed, kept, failed, differing)


def _copy(source: Path, target: Path) -> None:
    """Let ``target`` hold what ``source`` does, and nothing else but a folder named before."""
    target.mkdir(exist_ok=True)
    for path in target.iterdir():
        if path.is_file():
            path.unlink()
        elif path.name != "before":
            shutil.rmtree(path)
    for path in source.iterdir():
        if path.is_file():
            shutil.copy(path, target)
        elif path.name != "before":
            shutil.copytree(path, target / path.name)


def _begin(place: Path, command: str) -> int:
    """Begin a command in a process of its own, in which everything is imported; its number."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        os.chdir(place)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        with (place.parent / "errors").open("ab") as errors:
            os.dup2(errors.fileno(), 2)
        sys.argv = ["fairdeal", *shlex.split(command)]
        is_of_studio = sys.argv[1] == "studio"
        status = _press(sys.argv[2:]) if is_of_studio else run_command(sys.argv[1:])
    finally:
        os._exit(status)


def _press(buttons: Sequence[str]) -> int:
    """Do what the studio does when somebody presses buttons; 1 if one of them says it failed."""
    Path("own.toml").write_text(CARDS)
    benches = {name: bench for name in names() if (bench := reports_of(name).studio) is not None}
    chosen = {one.name: one.usual for one in benches["mindbug"].choices()} | {"player": "random"}
    desk = Desk(benches)
    for button in buttons:
        desk.begin(Asked("mindbug", "own.toml", "marsh_lantern", chosen), button)
        while desk.work is not None and desk.work.state == WORKING:
            time.sleep(0.01)
        if desk.work is None or desk.work.state != DONE:
            return 1
    return 0


def _wait(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _first_file(folder: Path, process: int, began: float) -> float:
    """Wait for a command; seconds after which its folder was there, or held something new."""
    there = _listed(folder)
    first = None
    while os.waitpid(process, os.WNOHANG)[0] == 0:
        if first is None and _listed(folder) != there:
            first = time.perf_counter() - began
        time.sleep(0.005)
    return first or 0.0


def _listed(folder: Path) -> set[str]:
    with contextlib.suppress(FileNotFoundError):
        return {str(path) for path in folder.rglob("*")}
    return set()


def as_table(found: list[Killed]) -> str:
    """The results as Markdown."""
    lines = [
        "| command | seconds | kills | with something written | errors afterwards | other files |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.command} | {one.seconds:.1f} | {one.kills} | {one.kept} | {one.failed} |"
        f" {one.differing} |"
        for one in found
    ]
    return "\n".join(lines)


def preload() -> None:
    """Import what commands import, so that what is killed is their work."""
    import reports.balance.formats
    import reports.balance.page
    import reports.balance.workbook
    import reports.ladder.page
    import reports.mice_and_mystics.training
    import reports.mindbug.ablation
    import reports.mindbug.compare.page
    import reports.mindbug.training.fit
    import reports.rebalance.page
    import reports.sensitivity.page
    import reports.skill.page
    import reports.verdict.page  # noqa: F401


def main(kills: int, only: Sequence[str] = ()) -> int:
    """Print the table of all commands or some; the exit status is 1 if anything went wrong."""
    preload()
    found = []
    for work in (*WORKS, STUDIO):
        if only and work.name not in only:
            continue
        with tempfile.TemporaryDirectory() as folder, few_games():
            place = Path(folder) / "place"
            place.mkdir()
            found.append(trial(work, kills, place))
            print(found[-1], file=sys.stderr)
            errors = Path(folder) / "errors"
            if found[-1].failed:
                print(errors.read_text(), file=sys.stderr)
    print(as_table(found))
    return int(any(one.failed or one.differing for one in found))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
