"""Some sixty small commands of both games, whose answers stay as they were while rooms are rebuilt.

Each is run by the program of an earlier commit and by that of this checkout, and two layers are
compared.  *Exact*: exit statuses, and the bytes of records, tables, networks and files of cards.
*Free in words*: the numbers of JSON by their places, and those of pages, charts, sheets and of what
is printed, in any order.  ``tests/data/goldens.toml`` names the commit, and each difference that is
meant with its reason.  As a program it says what else differs, and then ends with exit status 1::

    python -m support.goldens [WORD…]

with words of commands to run only those.  What the earlier commit answers is kept in build/goldens.
"""

import contextlib
import fnmatch
import hashlib
import html
import io
import json
import multiprocessing
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_KEPT = ROOT / "build" / "goldens"
#: What a command left: by the place of a fact, the fact.
Facts = dict[str, Any]

_EXACT = {".parquet", ".npz", ".csv", ".toml"}
# They tell of the clock, of versions and of digests of code, or hold checksums of other files.
_OF_THE_DAY = (
    "timings.json",
    "ladder.html",
    "about.json",
    "checksums.json",
    "made.json",
    "answer.json",
    "*speed.*",
)
_OF_THE_DAY_KEYS = {
    "created",
    "seconds",
    "games_per_second",
    "code",
    "digest",
    "checksum",
    "versions",
    "fairdeal",
}
_NUMBER = re.compile(r"(?<![\w.#])[-+−]?\d[\d,]*(?:\.\d+)?")

_MINE = """name = "Mine"

[marsh_lantern]
name = "Marsh Lantern"
power = 4
keywords = ["HUNTER"]
copies = 2
play = "the opponent loses 1 life"
"""
_BROKEN = '[marsh_lantern]\nname = "Marsh Lantern"\npowr = 4\nkeywords = ["HUNTR"]\n'
_CHANGED = '[hero.nez]\nname = "Nez"\nlife = 4\n'
#: Files that lie in each folder before its commands run.
FILES = {"mine.toml": _MINE, "broken.toml": _BROKEN, "changed.toml": _CHANGED}

_RANDOM = "first_contact --policy random"
_FOUR = "standin_four_rooms --policy heuristic"
#: Commands that share a folder, by it.
GROUPS: dict[str, Sequence[str]] = {
    "run": (
        f"simulate {_RANDOM} --games 3000 --seed 3 --threads 2 --out run",
        f"simulate {_RANDOM} --games 5000 --seed 3 --threads 1 --out run",
        "analyze run --json",
        "report run --format html,md",
        "replay run 7",
        "replay run 7 --json",
        "simulate first_contact --policy greedy --games 1500 --out others",
        "skill others run --json",
        "runs verify run",
        "runs . --json",
        "analyze nowhere",
    ),
    "until": (f"simulate {_RANDOM} --until 3:first_player --games 8000 --out until",),
    "balance": (
        f"balance {_RANDOM} --games 2000 --skill random,greedy --skill-games 1000"
        " --format html,xlsx --json --out all",
        f"balance mine.toml {_RANDOM} --games 2000 --format html --out mine",
    ),
    "all sets": (
        "simulate mindbug --policy heuristic,greedy --games 1000 --out all",
        "analyze all --json",
        "replay all 11",
    ),
    "compare": (
        "compare first_contact mine.toml --policy random --games 2000 --json --out compared",
        "compare first_contact new_servants --policy heuristic --games 1000 --simultaneous"
        " --out sets",
    ),
    "sensitivity": (
        "sensitivity killer_bee first_contact --changes value,power --games 300 --policy random"
        " --json --out sensitive",
        "sensitivity mine.toml first_contact --games 200 --policy heuristic --out mine",
    ),
    "rebalance": (
        "rebalance first_contact --games 200 --confirm 400 --budget 2000 --policy random"
        " --only killer_bee,gorillion,axolotl_healer --json --out better",
    ),
    "ladder": (
        "ladder first_contact --players random,greedy,heuristic --games 200 --json --out climbed",
    ),
    "restrict": (
        "restrict first_contact --policy heuristic --restrictions blocks,hunts --games 400 --json"
        " --out restricted",
    ),
    "train": (
        "train first_contact --generations 3 --population 4 --games 20 --json --out trained",
    ),
    "verdict": (
        "verdict killer_bee first_contact --games 2000 --policy random --stronger none --json"
        " --out judged",
        "verdict mine.toml first_contact --games 1000 --policy heuristic --stronger greedy"
        " --out mine",
    ),
    "cards": (
        "cards list king_of_tokyo",
        "cards show killer_bee",
        "cards check mine.toml",
        "cards check broken.toml",
        "cards format mine.toml",
        "cards export first_contact --out sheet.csv",
        "cards language",
        "cards schema",
        "cards versions marsh_lantern",
        "simulate nothing_such",
        "simulate first_contact --games many",
        "simulate first_contact --games 1000 --dry-run",
    ),
    "mice run": (
        f"simulate {_FOUR} --games 400 --threads 2 --out mice",
        f"simulate {_FOUR} --games 600 --threads 1 --out mice",
        "analyze mice --json",
        "report mice --format html,md",
        "replay mice 7",
        "runs verify mice",
    ),
    "mice balance": (
        f"balance {_FOUR} --games 300 --format html --json --out all",
        "balance ch1_flight_to_barksburg+changed.toml --policy learned --games 200 --out changed",
    ),
    "mice compare": (
        "compare standin_four_rooms standin_four_rooms+changed.toml --policy heuristic"
        " --games 300 --json --out compared",
    ),
    "mice skill": (
        "skill standin_four_rooms --players uniform,heuristic --games 100 --json --out skill",
    ),
    "mice ladder": (
        "ladder standin_four_rooms --players uniform,heuristic --games 100 --json --out climbed",
    ),
    "mice sensitivity": (
        f"sensitivity {_FOUR} --of life,switches --games 100 --json --out sensitive",
    ),
    "mice rebalance": (
        f"rebalance {_FOUR} --band 45,55 --changes heroes --games 100 --budget 400 --json"
        " --out better",
    ),
    "mice verdict": (
        f"verdict nez {_FOUR} --games 1000 --stronger none --json --out judged",
        f"verdict roach {_FOUR} --games 400 --stronger uniform --out minion",
    ),
    "mice train": (
        "train standin_four_rooms --generations 2 --population 4 --games 10 --json --out trained",
    ),
    "rooms": (
        "rooms list",
        "rooms show nez",
        "rooms check changed.toml",
        "rooms check broken.toml",
        "rooms format changed.toml",
        "rooms reference",
    ),
}


# ------------------------------------------------------------------------------ facts of a command


def _asked(command: str) -> Facts:
    """The facts of one command: how it ended, and the numbers that it printed."""
    from reports.cli.app import run

    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["fairdeal", *shlex.split(command)]  # which weights say at their top
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(shlex.split(command))
    said = out.getvalue()
    facts: Facts = {"status": status, "complaint": numbers(err.getvalue()) if status else []}
    if "--json" in command and status == 0:
        return facts | _of_json(json.loads(said), "json")
    clocked = "--dry-run" in command  # which says how long this would take here
    return facts | {"printed": {} if clocked else numbers(said)}


def _of_folder(folder: Path) -> Facts:
    facts: Facts = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() or any(part.startswith(".") for part in path.parts[-2:]):
            continue
        if any(fnmatch.fnmatch(path.name, one) for one in _OF_THE_DAY) or name in FILES:
            continue
        if path.suffix in _EXACT:
            facts[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        elif path.suffix == ".json":
            facts |= _of_json(json.loads(path.read_text()), name)
        elif path.suffix == ".xlsx":
            facts[name] = numbers(_sheet_text(path))
        elif path.suffix in (".html", ".md", ".svg"):
            facts[name] = numbers(path.read_text())
    return facts


def _of_json(value: Any, place: str) -> Facts:
    if isinstance(value, dict):
        kept = ((key, one) for key, one in value.items() if key not in _OF_THE_DAY_KEYS)
        return {at: x for key, one in kept for at, x in _of_json(one, f"{place}/{key}").items()}
    if isinstance(value, list):
        items = enumerate(value)
        return {at: x for i, one in items for at, x in _of_json(one, f"{place}/{i}").items()}
    return {} if isinstance(value, str) else {place: value}


def _sheet_text(path: Path) -> str:
    with zipfile.ZipFile(path) as parts:
        names = sorted(name for name in parts.namelist() if name.startswith("xl/worksheets/"))
        return " ".join(re.sub(r"\br=\"\w+\"", "", parts.read(name).decode()) for name in names)


def numbers(text: str) -> dict[str, int]:
    """How often each number stands in what a person reads of a page, a chart or a printed text."""
    text = re.sub(r"<(script|style|metadata)\b.*?</\1>", " ", text, flags=re.DOTALL)
    read = html.unescape(re.sub(r"<[^>]*>", " ", text))
    read = re.sub(r"\d{4}-\d\d-\d\d|\bv?\d+\.\d+\.\d+\S*", " ", read)
    return dict(sorted(Counter(_NUMBER.findall(read)).items()))


def facts_of(group: str) -> Facts:
    """What the commands of a group leave, in a folder of their own and a process of their own."""
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        for name, text in FILES.items():
            Path(name).write_text(text)
        facts: Facts = {}
        for command in GROUPS[group]:
            facts |= {f"{command}: {what}": fact for what, fact in _asked(command).items()}
        return facts | {f"{group}: {what}": one for what, one in _of_folder(Path()).items()}


def _in_process(group: str) -> tuple[str, Facts]:
    print(f"{group}…", file=sys.stderr, flush=True)
    return group, facts_of(group)


def all_facts(groups: Sequence[str]) -> Facts:
    """The facts of groups, by them; two at a time, each in a process forked from this one."""
    with multiprocessing.get_context("fork").Pool(2, maxtasksperchild=1) as pool:
        return dict(pool.imap_unordered(_in_process, groups, chunksize=1))


# ------------------------------------------------------------------------------ then and now


def _then(commit: str, groups: Sequence[str]) -> Facts:
    """The facts of an earlier commit, which are kept for the next time."""
    kept = _KEPT / f"{commit}.json"
    mine = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    known: Facts = json.loads(kept.read_text()) if kept.exists() else {}
    known = known if known.get("goldens.py") == mine else {"goldens.py": mine}
    if missing := [group for group in groups if group not in known]:
        with _checked_out(commit) as tree:
            known |= _facts_in(tree, missing)
        _KEPT.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(known))
    return {group: known[group] for group in groups}


@contextlib.contextmanager
def _checked_out(commit: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as place:
        packed = subprocess.run(
            ["git", "archive", commit], cwd=ROOT, check=True, capture_output=True
        ).stdout
        subprocess.run(["tar", "x", "-C", place], input=packed, check=True)
        yield Path(place)


def _facts_in(tree: Path, groups: Sequence[str]) -> Facts:
    """The facts that the program of a tree gives, asked by this file."""
    paths = os.pathsep.join((str(tree), str(tree / "tests")))
    done = subprocess.run(
        [sys.executable, "-P", __file__, "--facts", *groups],
        env={**os.environ, "PYTHONPATH": paths},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    facts: Facts = json.loads(done.stdout.splitlines()[-1])
    return facts


def differences(then: Facts, now: Facts) -> Iterator[str]:
    """Each fact that is another one, with both."""
    for group, before in then.items():
        after = now[group]
        for what in sorted(before.keys() | after.keys()):
            if before.get(what) != after.get(what):
                yield f"{what}: {_short(before.get(what))} → {_short(after.get(what))}"


def _short(fact: object) -> str:
    said = "nothing" if fact is None else json.dumps(fact, ensure_ascii=False)
    return said if len(said) <= 200 else f"{said[:200]}…"


def main(words: Sequence[str]) -> int:
    """Compare, and say what is not meant; its number is the exit status, 1 at most."""
    if words[:1] == ["--facts"]:
        facts = all_facts(words[1:])
        print(json.dumps(facts))
        return 0
    asked = tomllib.loads((ROOT / "tests" / "data" / "goldens.toml").read_text())
    groups = [one for one in GROUPS if not words or any(word in one for word in words)]
    then = _then(asked["commit"], groups)
    now = json.loads(json.dumps(_facts_in(ROOT, groups)))
    found = list(differences(then, now))
    meant = [one["what"] for one in asked.get("meant", [])]
    left = [one for one in found if not any(fnmatch.fnmatch(one, f"{what}*") for what in meant)]
    n = sum(len(GROUPS[group]) for group in groups)
    print(f"{n} commands, {sum(map(len, now.values()))} facts compared with {asked['commit']}")
    print(f"{len(found) - len(left)} differ as meant, {len(left)} otherwise", *left, sep="\n")
    return min(len(left), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
