"""Every command that computes writes to an address of a store, and finds there what it wrote.

Each is asked twice of an S3 server on loopback: the second time it must add nothing and say the
same.  `fairdeal runs verify` must find nothing wrong, `open_run` must read each run, and the
secret of the store must be in no object.  As a program it prints a table::

    python -m support.store_trials
"""

import contextlib
import io
import shlex
import sys
import time
from typing import NamedTuple

from analysis.runs import open_run
from reports.cli.app import run as run_command
from simcore.work.parts import MANIFEST
from support.store_server import BUCKET, SECRET, Store, store_server

_CHAPTER = "ch1_flight_to_barksburg"
_FEW = "--policy random --stronger none --games 2000"
#: Commands by a name for each, without their --out; `QUICK` are those that take about a second.
COMMANDS = {
    "balance": "balance first_contact --policy random --games 1500 --skill random,greedy"
    " --skill-games 600 --format html,md,xlsx",
    "verdict": f"verdict killer_bee first_contact {_FEW}",
    "compare": "compare first_contact new_servants --policy random --games 1000",
    "sensitivity": "sensitivity killer_bee first_contact --changes value --policy random"
    " --games 100",
    "rebalance": "rebalance first_contact --policy random --games 100 --confirm 200 --budget 600"
    " --only killer_bee,gorillion",
    "ladder": "ladder first_contact --players random,greedy --games 100",
    "restrict": "restrict first_contact --policy heuristic --restrictions blocks --games 100",
    "train": "train first_contact --generations 2 --population 4 --games 20",
    "train, network": "train first_contact --start expert --generations 1 --games 10",
    "chapter: balance": f"balance {_CHAPTER} --policy uniform --games 300",
    "chapter: verdict": f"verdict collin {_CHAPTER} --stronger none --games 1000",
    "chapter: compare": f"compare {_CHAPTER} standin_four_rooms --policy uniform --games 200",
    "chapter: sensitivity": f"sensitivity {_CHAPTER} --of filch,parties --policy uniform"
    " --games 200",
    "chapter: rebalance": f"rebalance {_CHAPTER} --policy uniform --games 100 --confirm 200"
    " --budget 600",
    "chapter: skill": f"skill {_CHAPTER} --players uniform,heuristic --games 80",
    "chapter: train": f"train {_CHAPTER} --generations 1 --population 4 --games 10",
}
QUICK = "compare", "rebalance", "ladder", "restrict", "train", "chapter: compare", "chapter: skill"


class Tried(NamedTuple):
    """What came of a command: its objects, the runs among them, and how long it took."""

    name: str
    objects: int
    runs: int
    seconds: float
    again: float


def tried(name: str, store: Store) -> Tried:
    """Ask a command twice, and look at what it left.  Raises AssertionError."""
    folder = name.replace(": ", "-").replace(", ", "-")
    address = f"s3://{BUCKET}/{folder}"
    words = [*shlex.split(COMMANDS[name]), "--out", address]
    began = time.perf_counter()
    first = _asked(words)
    done = time.perf_counter()
    left = {one: store.read(one) for one in store.names(f"{folder}/")}
    assert not any(SECRET.encode() in data for data in left.values()), name
    second = time.perf_counter()
    assert _asked(words) == first, name
    again = time.perf_counter() - second
    assert {*store.names(f"{folder}/")} == {*left}, name
    assert _asked(["runs", "verify", address]).endswith("everything is as it should be\n"), name
    runs = [one.removesuffix(f"/{MANIFEST}") for one in left if one.endswith(f"/{MANIFEST}")]
    for run in runs:
        assert open_run(f"s3://{BUCKET}/{run}").n_games > 0, name
    return Tried(name, len(left), len(runs), done - began, again)


def _asked(words: list[str]) -> str:
    """What a command prints; it must end well."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run_command(words)
    assert status == 0, f"{shlex.join(words)}: {err.getvalue()}"
    return out.getvalue()


def main() -> int:
    """Print the table; the exit status is 1 if a command failed."""
    failed = False
    print("| command | objects | runs | seconds | again |\n|---|---|---|---|---|")
    with store_server() as store:
        for name in COMMANDS:
            try:
                one = tried(name, store)
            except AssertionError as error:
                failed = True
                print(f"| {name} | failed | | | |", flush=True)
                print(error, file=sys.stderr)
            else:
                seconds = f"{one.seconds:.1f} | {one.again:.1f}"
                print(f"| {name} | {one.objects} | {one.runs} | {seconds} |", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
