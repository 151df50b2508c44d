"""Feed the program what nobody would write, and see that it answers: `python -m support.fuzz`.

Valid inputs are cut, doubled, swapped and changed at random: command lines, card files, pool files,
files of both games and of run folders, addresses; others are made up from what commands and the
card language take.  Each must be accepted, or refused with one message; never a traceback, never a
wait, never a message that nobody can read.  Input i of a seed is always the same, and finds the
same files.  As a program it prints the table of ``docs/reliability.md``::

    python -m support.fuzz 100000 7                 # in process, those of seed 7
    python -m support.fuzz 2000 --processes         # command lines, each as a process
"""

import contextlib
import faulthandler
import io
import os
import random
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple
from unittest import mock

import pyarrow as pa
from attrs import frozen
from cyclopts import App

from analysis.games import Counts, analysis_of
from analysis.kept_tallies import count_part
from analysis.runs import open_run
from analysis.tables import read_table
from analysis.upkeep import spec_of_part
from card_data.checksums import CHECKSUM, open_json, seal_json
from card_data.mice_and_mystics.loader import base_files, parse_changes
from card_data.mindbug import CardFileError, available_sets, load_pool
from card_data.mindbug.loader import parse_set, set_path
from reports.cli import app
from simcore.games import names
from simcore.places import StorePath, located
from simcore.sealed import RunError
from simcore.work.about import read_about
from simcore.work.cost import Cost, Plan
from simcore.work.parts import RUN
from support import random_cards
from support.own_games import EXAMPLES
from support.resealed import resealed
from support.small_folders import WORKS

#: What may come of an input, and what may not.
ACCEPTED, REFUSED, TRACEBACK, HANG, ENDLESS = (
    *("accepted", "one message", "traceback", "hang"),
    "endless message",
)
OUTCOMES = (ACCEPTED, REFUSED, TRACEBACK, HANG, ENDLESS)
_MAY = (ACCEPTED, REFUSED)
# Seconds of the processor, and of the clock, that an input may take; bytes of memory and message.
_BUSY, _WAITING, _MEMORY, _MESSAGE = 20, 120, 6 << 30, 50_000

Found = Counter[tuple[str, str]]


class Begins(Exception):
    """A command has checked all that it was given, and would begin to play."""


class Hang(BaseException):
    """An input took longer than it may."""


class Refused(Exception):
    """A command ended with 2; the message."""


# ------------------------------------------------------------ what is changed, and how

_BITS = (
    "",
    "=",
    "-",
    "--",
    "\0",
    "\n",
    "'",
    '"',
    '"""',
    "[",
    "]",
    "{",
    "}",
    "#",
    "\\",
    ",",
    ".",
    "+",
)
_ODD = (
    "é",
    "\u202e",
    "\ud7ff",
    "🐭",
    "\N{ZERO WIDTH SPACE}",
    "\t",
    "\r",
    "%s",
    "{0}",
    "<b>",
    "=cmd|x",
)
_NUMBERS = (
    *("0", "1", "-1", "00", "1e9", "1e999", "nan", "inf", "-inf", "0x10", "1_000", "3.5", "٣"),
    *(str(2**31), str(2**63 - 1), str(2**63), str(-(2**63)), "9" * 5000, "1" + "0" * 400),
)


def changed(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """A text with a few places lost, doubled, swapped or overwritten, also by pieces of others."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        start = rng.randrange(len(text) + 1)
        end = min(start + rng.choice((0, 1, 1, 2, 5, 20, 80)), len(text))
        other = rng.choice(others)
        cut = rng.randrange(len(other) + 1)
        piece = rng.choice(
            (
                *("", text[start:end] * 2, text[start:end][::-1], text[start:end].swapcase()),
                *(rng.choice(_BITS), rng.choice(_ODD), rng.choice(_NUMBERS)),
                *(other[cut : cut + rng.choice((3, 10, 40))], rng.choice(other.split() or [""])),
                rng.choice(_BITS) * rng.choice((2, 30, 300)),
            )
        )
        text = text[:start] + piece + text[end:]
    return text


def changed_bytes(data: bytes, rng: random.Random) -> bytes:
    """Bytes of which some are lost, changed or doubled."""
    content = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(content) + 1)
        match rng.randrange(4):
            case 0 if at < len(content):
                content[at] ^= 1 << rng.randrange(8)
            case 1:
                del content[at : at + rng.choice((1, 8, 1000, len(content)))]
            case 2:
                content[at:at] = rng.randbytes(rng.choice((1, 4, 64)))
            case _:
                content[at:at] = content[at : at + rng.choice((4, 100))]
    return bytes(content)


_VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 1, 2**63, 10**400, 0.5, float("nan"), "", "x", "🐭" * 300),
    *([], {}, [None], {"": None}, [[[[]]]], "first_contact", "../../etc", ["random"] * 9),
)


def changed_entries(entries: Any, rng: random.Random) -> Any:
    """Values of JSON of which one somewhere is another, missing or too many."""
    if isinstance(entries, dict) and entries and rng.random() < 0.9:
        key = rng.choice([*entries])
        match rng.randrange(6):
            case 0:
                return {name: one for name, one in entries.items() if name != key}
            case 1:
                return {**entries, rng.choice(("x", "", key.upper())): rng.choice(_VALUES)}
            case _:
                return {**entries, key: changed_entries(entries[key], rng)}
    if isinstance(entries, list) and entries and rng.random() < 0.8:
        at = rng.randrange(len(entries))
        return [*entries[:at], changed_entries(entries[at], rng), *entries[at + rng.randrange(2) :]]
    return rng.choice(_VALUES)


# ------------------------------------------------------------ the kinds of inputs


@frozen
class Kind:
    """Inputs of a kind: ``make`` gives one, and ``feed`` hands it to the program.

    ``feed`` raises Refused, CardFileError or RunError for what is refused.
    """

    name: str
    share: int
    make: Callable[[random.Random], Any]
    feed: Callable[[Any], object]


def _pieces(texts: Sequence[str]) -> list[str]:
    """Tables of TOML files, each by itself."""
    return [f"[{piece}\n" for text in texts for piece in text.split("\n[")[1:] if piece]


def _card_files() -> Kind:
    cards = _pieces([set_path(name).read_text("utf-8") for name in available_sets()])
    made_up = _pieces([random_cards.made_up(random.Random(0), 200)])

    def make(rng: random.Random) -> str:
        drawn = rng.choices(rng.choice((cards, cards, made_up)), k=rng.choice((1, 1, 1, 2)))
        return changed(f'name = "Fuzzed"\n\n{"".join(drawn)}', rng, cards)

    return Kind("card files", 58, make, parse_set)


def _mice_files() -> Kind:
    entries = _pieces([path.read_text("utf-8") for path in base_files()])
    entries = [one for one in entries if len(one) < 1500]

    def make(rng: random.Random) -> str:
        return changed("\n".join(rng.choices(entries, k=rng.choice((1, 1, 2)))), rng, entries)

    return Kind("files of Mice & Mystics", 16, make, parse_changes)


def _pool_files(folder: Path) -> Kind:
    pools = [
        'sets = ["first_contact"]\n',
        'sets = ["first_contact", "king_of_tokyo"]\ncards = ["own.toml"]\n'
        'leave_out = ["turbo_bug"]\n'
        "\n[copies]\naxolotl_healer = 1\nlantern = 3\nkiller_bee = 0\nambush = 2\n"
        '\n[modes]\nafter_mindbug = "turn"\nlife = 4\nrulings = ["newest_triggers_first"]\n',
        'sets = ["new_servants"]\n[modes]\nmindbugs = 3\nhand_size = 4\n[copies]\n"*" = 1\n',
    ]
    path = folder / "fuzzed_pool.toml"

    def feed(text: str) -> object:
        path.write_text(text, "utf-8", errors="surrogatepass")
        return load_pool([str(path)])

    return Kind("pool files", 10, lambda rng: changed(rng.choice(pools), rng, pools), feed)


def _run_files(folder: Path) -> Kind:
    """Files of run folders, damaged as by a disk, or with another content and a seal that fits."""
    nothing = {folder / home: _nothing(folder / home) for home in _RUNS}
    homes = {path: folder / home for home in _RUNS for path in (folder / home).rglob("*.*")}
    kept = {path: path.read_bytes() for path in sorted(homes) if path.suffix != ".csv"}
    # A file of one kind is as likely to be damaged as one of another.
    kinds: dict[str, list[Path]] = {}
    for path in kept:
        of_a_run = path.parent in homes.values()
        kinds.setdefault(path.name if of_a_run else path.parent.name, []).append(path)

    def make(rng: random.Random) -> tuple[Path, bytes]:
        several = [*kinds.values()]
        path = rng.choice(rng.choice(several))
        while path.suffix == ".toml" and rng.random() < 0.9:  # which have inputs of their own
            path = rng.choice(rng.choice(several))
        data = kept[path]
        if rng.random() < 0.5 and path.suffix == ".json":
            entries = open_json(data)
            del entries[CHECKSUM]
            entry = rng.choice([*entries])
            changes = {entry: changed_entries(entries[entry], rng)}
            if rng.random() < 0.2:
                del entries[entry]
                changes = {rng.choice(("x", entry.upper())): 1}
            return path, seal_json({**entries, **changes})
        if rng.random() < 0.3 and path.suffix == ".parquet":
            return path, _another_table(data, rng)
        return path, changed_bytes(data, rng)

    def feed(damage: tuple[Path, bytes]) -> None:
        path, data = damage
        home = homes[path]
        try:
            path.write_bytes(data)
            read_about(home)
            opened = open_run(home)
            opened.part(0)
            analysis = analysis_of(opened.game.name)
            if path.parent.name == "tables":
                table = analysis.tables[path.stem]
                read_table(RUN, home, table, opened.identity, "analyse it again")
            elif path.parent.name == "tallies":
                count_part(opened, 0, nothing[home])
            elif path.suffix == ".toml":
                spec_of_part(opened, 0)
        finally:
            path.write_bytes(kept[path])

    return Kind("files of run folders", 5, make, feed)


def _nothing(home: Path) -> Counts:
    """The counts of no games of a run."""
    run = open_run(home)
    return analysis_of(run.game.name).nothing(run)


def _another_table(data: bytes, rng: random.Random) -> bytes:
    """A sealed table that lacks a column or rows, or has another column in the place of one."""

    def change(table: pa.Table) -> pa.Table:
        at = rng.randrange(table.num_columns)
        match rng.randrange(4):
            case 0:
                return table.remove_column(at)
            case 1:
                return table.slice(rng.randrange(table.num_rows + 1))
            case 2:
                return pa.concat_tables([table, table])
            case _:
                other = pa.array([rng.choice((None, "x", 2**40, -1, 0.5))] * table.num_rows)
                return table.set_column(at, table.column_names[at], other)

    return resealed(data, change)


_MICE = "ch1_flight_to_barksburg"
_MARKET = EXAMPLES / "market.py"
LINES = (
    *(work.command for work in WORKS),
    "verdict lantern first_contact --cards own.toml --games 2000 --stronger none --out v",
    "verdict own.toml first_contact --band 3 --policy random --json",
    f"balance {_MICE} --party collin,nez,tilda,filch --policy heuristic --games 80 --out m",
    f"simulate {_MICE}+own_mice.toml --set cheese=2 --games 40 --seed 5 --out m",
    f"skill {_MICE} --players heuristic,learned --games 80 --out s",
    f"sensitivity {_MICE} --of minions,life --games 100 --out s",
    f"rebalance {_MICE} --band 40..60 --changes life,number --games 100 --budget 1000 --out r",
    f"verdict collin {_MICE} --games 1000 --stronger none --out v",
    f"train {_MICE} --generations 2 --population 4 --games 10 --out t",
    "balance own.toml first_contact --policy learned:expert --dry-run --json",
    "ladder first_contact --players random,search:16 --dry-run",
    "prices own.toml --policy random --batches 3 --batch-cards 20 --games 1000 --out p",
    f"prices {_MARKET} --policy random --batches 3 --games 100 --out p --dry-run",
    "prices own.toml --policy random --batches 3 --target 0 --keep SNEAKY --sheet p.xlsx --out p",
    f"compare {_MICE} {_MICE}+own_mice.toml --policy heuristic --games 90 --dry-run",
    "simulate pool.toml --games 100 --scheduler tcp://127.0.0.1:8786 --out s3://bucket/run",
    "balance first_contact --workers 2 --games 100 --out memory://new",
    "new ember --template race",
    "story first_contact --policy random --games 40 --seed 3 --out s --json",
    "story first_contact --games 100 --dry-run",
    f"story {_MICE} --policy heuristic --games 40 --out s",
    f"story {_MARKET} --policy random --games 20 --out s",
    "playtests games.csv",
    f"playtests games.csv {_MARKET} --policy random --games 100 --version 1.0={_MARKET} --json",
    "playtests games.csv first_contact --games 1000 --dry-run",
    "playtests new first_contact log.xlsx",
    "playtests plan games.csv --difference 5 --power 80 --minutes 30",
    f"check {_MARKET} --json",
    f"skill {_MARKET} --players random,dearest --games 80 --out s",
    f"verdict gold {_MARKET} --policy random --games 100 --band 5 --out v",
    f"rebalance {_MARKET} --policy random --games 100 --budget 900 --step 1 --keep gold --out r",
    "cards check own.toml",
    "cards list own.toml",
    "cards show lantern --cards own.toml",
    "cards format --check own.toml",
    "cards export first_contact other.xlsx",
    "cards import cards.xlsx imported.toml",
    "cards language",
    "cards schema",
    "cards versions run",
    "rooms list",
    "rooms show 3",
    "rooms check own_mice.toml",
    "rooms format --check own_mice.toml",
    "rooms reference",
    "rooms export hero other.csv",
    "rooms import hero heroes.csv imported_mice.toml",
    "replay run 3 --json",
    "replay mice 3",
    "analyze run --card-games",
    "analyze memory://run",
    "report run --format html,md,xlsx --before run",
    "runs",
    "runs . --json",
    "runs verify run",
    "runs verify mice --json",
    "runs verify memory://run --threads 1",
    "runs repair run",
    "runs merge run other --out both",
    "runs merge run run other --out memory://both --json",
    "runs prune run --yes",
    "runs prune other --json",
    "bench first_contact --seconds 0.1",
    "play first_contact --seed 3 --player greedy --out game.json",
    f"play {_MICE} --seed 3 --out game.json",
    f"compare {_MICE} --policy random --games 100",
    "studio . --port 0 --no-browser",
    "studio own.toml --no-browser",
    f"studio {_MARKET} --no-browser",
    "--version",
    "--help",
    "balance --help",
)
_ADDRESSES = (
    *("s3://", "s3://bucket", "s3://bucket/run", "s3:///run", "memory://run", "file://run"),
    *("gs://bucket/run", "http://", "://", "s3://user:secret@bucket/../run", "S3://B/%2e%2e/r"),
    *("memory://", "tls://", "tcp://127.0.0.1:1", "tcp://x:99999", "simplecache::s3://b/r"),
    *("memory://run/games", "memory://other/../run", "file:///nowhere/run", "local://run"),
    *("http://127.0.0.1:1/run", "ftp://127.0.0.1:1/run", "zip://run", "dir://run", "az://b/r"),
    *("s3://büro/🐭", "s3://bucket/run?versionId=1", "s3://bucket//run/", "s3:/bucket/run"),
    *("memory:/run", "memory://run/", "memory://./run", "run", "./run", "mice"),
    *("tcp://[::1]:8786", "tls://127.0.0.1:8786", "ucx://x", "inproc://1/2/3", "s3a://b/r"),
)


_FILES = (
    *("own.toml", "own_mice.toml", "pool.toml", "run", "other", "mice", "memory://run", ".", ".."),
    *("nowhere", "run/games", "run/manifest.json", "binary.bin", "empty", "own.toml+own.toml"),
    *("/dev/null", "pipe"),
)


def _addresses() -> Kind:
    def make(rng: random.Random) -> str:
        one = rng.choice(_ADDRESSES)
        return changed(one, rng, _ADDRESSES) if rng.random() < 0.5 else one

    def feed(address: str) -> None:
        place = located(address)
        if isinstance(place, StorePath):
            with contextlib.suppress(FileNotFoundError):
                [*place.iterdir()]
                (place / "about.json").write_bytes(b"{}")
                (place / "about.json").unlink()
        try:
            open_run(place)
        except OSError as error:  # which commands tell as they tell a RunError
            raise Refused(str(error)) from error

    return Kind("addresses", 6, make, feed)


@frozen
class Option:
    """An option of a command, and what it takes."""

    name: str
    takes: str


def commands() -> dict[tuple[str, ...], list[Option]]:
    """Every command of every game with its options."""
    found: dict[tuple[str, ...], dict[Option, None]] = {}
    waiting: list[tuple[tuple[str, ...], App]] = [
        ((), app.command_line_of(game)) for game in names()
    ]
    while waiting:
        words, command = waiting.pop()
        waiting += [((*words, name), command[name]) for name in command if not name.startswith("-")]
        if command.default_command is not None:
            own = found.setdefault(words, {})
            for argument in command.assemble_argument_collection():
                options = [name for name in argument.names if name.startswith("-")]
                own |= {Option(name, str(argument.hint)): None for name in options}
    return {words: [*found[words]] for words in sorted(found)}


class _Writer:
    """Writes command lines."""

    def __init__(self) -> None:
        self._lines = [shlex.split(line) for line in LINES]
        self._words = sorted({word for line in self._lines for word in line})
        self._commands = commands()
        self._options = sorted({one.name for every in self._commands.values() for one in every})
        # One kind of word is as likely as another.
        self._kinds = (
            *(self._words, self._options, _FILES, _NUMBERS, _ADDRESSES),
            (*_BITS, *_ODD),
        )

    def write(self, rng: random.Random) -> list[str]:
        if rng.random() < 0.3:
            line = self._made_up(rng)
            changes = rng.choice((0, 0, 0, 1, 2))
        else:
            line = [*rng.choice(self._lines)]
            changes = rng.choice((1, 1, 2, 2, 3, 6))
        for _ in range(changes):
            at = rng.randrange(len(line) + 1)
            match rng.randrange(7):
                case 0:
                    del line[at : at + 1]
                case 1:
                    line[at:at] = [self._word(rng)]
                case 2:
                    line[at:at] = self._option(line, rng)
                case 3:
                    line[at:at] = [f"{rng.choice(self._options)}={self._word(rng)}"]
                case 4 if at < len(line):
                    line[at] = changed(line[at], rng, self._words)
                case _ if at < len(line):
                    line[at] = self._word(rng)
        # What a system hands to a program holds no NUL, and no half of a character.
        return [one.replace("\0", "") for one in line]

    def _made_up(self, rng: random.Random) -> list[str]:
        """A command with some of its own options."""
        command = rng.choice([*self._commands])
        line, options = [*command], self._commands[command]
        if rng.random() < 0.9:
            line.append(rng.choice(("first_contact", _MICE, "run", "own.toml", "lantern")))
        for option in rng.sample(options, min(len(options), rng.randrange(5))):
            line += self._with_value(option, rng)
        return line

    def _option(self, line: list[str], rng: random.Random) -> list[str]:
        """An option of a command, more often its own, and a word after it."""
        command = tuple(line[:2]) if tuple(line[:2]) in self._commands else tuple(line[:1])
        own = self._commands.get(command)
        if own and rng.random() < 0.7:
            return self._with_value(rng.choice(own), rng)
        return [rng.choice(self._options), self._word(rng)]

    def _with_value(self, option: Option, rng: random.Random) -> list[str]:
        if option.takes == str(bool):
            return [option.name]
        return [option.name, self._value(option.takes, rng)]

    def _value(self, takes: str, rng: random.Random) -> str:
        """A word that an option may well take."""
        if rng.random() < 0.1:
            return self._word(rng)
        if "Path" in takes:
            return rng.choice((*_FILES, "new", *_ADDRESSES))
        if "int" in takes or "float" in takes:
            return str(rng.choice((1, 2, 5, 16, 40, 100, 3_000, 10**6, 10**12, 0.5)))
        return rng.choice(self._words)

    def _word(self, rng: random.Random) -> str:
        one = rng.choice(rng.choice(self._kinds))
        return changed(one, rng, self._words) if rng.random() < 0.15 else one


def _command_lines(feed: Callable[[list[str]], object]) -> Kind:
    return Kind("command lines", 5, _Writer().write, feed)


# ------------------------------------------------------------ where they are fed

_OWN = '\nname = "Own"\n\n[lantern]\nname = "Lantern"\npower = 5\nplay = "gain 1 life"\n'
_GAMES = """date,version,player 1,player 2,held 1,began,winner,turns,minutes,fun
7.8.2026,1.0,Ann,Bob,gold,Ann,tie,20,"31,5",4
2026-08-08,1.0,Bob,Ann,,2,Ann,24,1:05,
"""
_OWN_MICE = '[hero.collin]\nlife = 5\nsource = "assumed"\n'


_RUNS = ("run", "mice")


def lay_out(folder: Path) -> None:
    """Files that command lines name: good ones, and some that are none."""
    (folder / "own.toml").write_text(_OWN)
    (folder / "own_mice.toml").write_text(_OWN_MICE)
    (folder / "games.csv").write_text(_GAMES)
    (folder / "pool.toml").write_text('sets = ["first_contact"]\ncards = ["own.toml"]\n')
    (folder / "binary.bin").write_bytes(bytes(range(256)) * 40)
    (folder / "empty").write_bytes(b"")
    os.mkfifo(folder / "pipe")
    play = "simulate --games 60 --threads 1 --policy"
    lines = [
        f"{play} random first_contact --out run",
        f"{play} random first_contact --seed 9 --out other",
        f"{play} uniform {_MICE} --out mice",
        "analyze run",
        "analyze mice",
        "cards export first_contact cards.xlsx",
        "rooms export hero heroes.csv",
        # So that what these compile is there.
        "replay run 3",
        "replay mice 3",
        "play first_contact --seed 3",
        f"play {_MICE} --seed 3",
    ]
    with (
        contextlib.redirect_stdout(io.StringIO()),
        mock.patch("sys.stdin", io.StringIO()),
        mock.patch(_LEAST, 1),
        _inside(folder),
    ):
        for line in lines:
            assert app.run(line.split()) == 0, line
    for path in (folder / "run").rglob("*.*"):
        if path.is_file():
            located(f"memory://run/{path.relative_to(folder / 'run')}").write_bytes(
                path.read_bytes()
            )


class Tree:
    """The files in a folder and in the store in memory, which can be put back as they were."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.kept = {
            path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
        }
        self._folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
        self._stamps = self._stamped()
        self._there = _stamps_of(self._folders)
        self._store = _memory()
        self._objects = dict(self._store)

    def _stamped(self) -> dict[Path, tuple[int, ...]]:
        return _stamps_of(self.kept)

    def restore(self) -> None:
        """Put back what was changed, and remove what was added."""
        if self._store.items() != self._objects.items():
            self._store.clear()
            self._store.update(self._objects)
        if _stamps_of(self._folders) == self._there and self._stamped() == self._stamps:
            return
        for path in sorted(self._folder.rglob("*"), reverse=True):
            if path.is_dir() and path not in self._folders:
                path.rmdir()
            elif path.is_file() and path not in self.kept:
                path.unlink()
        for folder in self._folders:
            folder.mkdir(parents=True, exist_ok=True)
        now = self._stamped()
        for path, data in self.kept.items():
            if now.get(path) != self._stamps[path]:
                path.write_bytes(data)
        self._stamps, self._there = self._stamped(), _stamps_of(self._folders)


def _stamps_of(paths: Iterable[Path]) -> dict[Path, tuple[int, ...]]:
    """When files were changed, and how long they are; those that are there."""
    found: dict[Path, tuple[int, ...]] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            told = path.stat()
            found[path] = (told.st_mtime_ns, told.st_size, told.st_ino)
    return found


def _memory() -> dict[str, Any]:
    """The objects of the store in memory."""
    import fsspec

    store: dict[str, Any] = fsspec.filesystem("memory").store
    return store


def _begin(*_: object, **__: object) -> Any:
    raise Begins


def _measured(plan: Plan, _seconds: float) -> Cost:
    """What a plan may cost, as if some of its games had been played."""
    each = plan.kept or 300
    return Cost(plan, plan.spec.n_games, plan.bound, plan.spec.n_games / 7, each * 9.5)


def _alone(host: object, *_: object, **__: object) -> Any:
    raise socket.gaierror(socket.EAI_NONAME, f"there is no {host!r} here")


_LEAST = "analysis.kept_tallies.LEAST_GAMES"


@contextlib.contextmanager
def without_playing() -> Iterator[None]:
    """Commands end where they would begin to compile, play, count, draw, or ask another machine."""
    with contextlib.ExitStack() as patches:
        for place in (
            "simcore.work.about.working_on",
            "simcore.work.processes.local_workers",
            "distributed.Client",
            "reports.mindbug.cli.taught._learned",
            "reports.cli.run.analyze_run",
            "reports.cli.run.report_run",
            "analysis.upkeep.analyze",
            "analysis.upkeep._play",
            "simcore.speed.measure_speed",
            "reports.studio.server.serve",
            "analysis.mindbug.experiments.skill.compare_skill",
        ):
            patches.enter_context(mock.patch(place, _begin))
        patches.enter_context(mock.patch("simcore.work.cost._measure", _measured))
        patches.enter_context(mock.patch("simcore.places.PAUSES", ()))
        patches.enter_context(mock.patch("socket.getaddrinfo", _alone))
        patches.enter_context(mock.patch(_LEAST, 1))
        for place in (
            "simcore.jit.compile_all",
            "simcore.mice_and_mystics.play.simulate.compile_engine",
        ):
            patches.enter_context(mock.patch(place))
        yield


class _Stream(io.StringIO):
    """What a command prints to; what is written past it, by its number, goes nowhere."""

    _nowhere = os.open(os.devnull, os.O_WRONLY)

    def fileno(self) -> int:
        return self._nowhere


def _feeding(folder: Path) -> Callable[[list[str]], None]:
    """How command lines are fed: each finds the folder as it is now."""
    tree = Tree(folder)

    def feed(line: list[str]) -> None:
        try:
            _feed_line(line)
        finally:
            tree.restore()

    return feed


def _feed_line(line: list[str]) -> None:
    """Run a command in this process.  Raises Begins, and Refused with its message."""
    told, said = _Stream(), _Stream()
    with (
        contextlib.redirect_stdout(told),
        contextlib.redirect_stderr(said),
        mock.patch("sys.stdin", io.StringIO()),
        _inside(Path.cwd()),  # which a command may leave
    ):
        status = app.run(line)
    if status not in (0, 2):
        raise AssertionError(f"exit status {status}")
    if status == 2:
        if not (said.getvalue() + told.getvalue()).strip():
            raise AssertionError("no message")
        raise Refused(said.getvalue() or told.getvalue())


def _as_processes(folder: Path) -> Kind:
    """Command lines, each as a process of its own: those of which none begins to play."""
    tree, writer = Tree(folder), _Writer()

    def ends(line: list[str]) -> bool:
        try:
            _feed_line(line)
        except Refused:
            return True
        except Begins:
            return False
        finally:
            tree.restore()
        return True

    def make(rng: random.Random) -> list[str]:
        return next(line for line in iter(partial(writer.write, rng), None) if ends(line))

    def feed(line: list[str]) -> None:
        try:
            _feed_process(line)
        finally:
            tree.restore()

    return Kind("processes", 1, make, feed)


_MAIN = "from reports.cli.start import main; main()"


def _feed_process(line: list[str]) -> None:
    """Run a command as a process.  Raises Refused, and AssertionError for a bad end."""
    try:
        ended = subprocess.run(
            [sys.executable, "-c", _MAIN, *line],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_WAITING,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Hang from None
    told, said = (stream.decode(errors="replace") for stream in (ended.stdout, ended.stderr))
    if ended.returncode not in (0, 2) or "Traceback" in said:
        raise AssertionError(f"exit status {ended.returncode}: {said[-2000:]}")
    if ended.returncode:
        if not (said + told).strip():
            raise AssertionError("no message")
        raise Refused(said or told)


class Fault(NamedTuple):
    """An input that the program did not answer as it must."""

    kind: str
    number: int
    outcome: str
    given: object
    told: str


def feed(kind: Kind, number: int, seed: int) -> tuple[str, Fault | None]:
    """What comes of input ``number`` of a kind."""
    given = kind.make(random.Random(f"{kind.name} {seed} {number}"))
    outcome, told = ACCEPTED, ""
    # What hears no signal ends the whole program, and says where it was.
    faulthandler.dump_traceback_later(3 * _WAITING, exit=True)
    signal.setitimer(signal.ITIMER_REAL, _WAITING)
    signal.setitimer(signal.ITIMER_PROF, _BUSY)
    try:
        kind.feed(given)
    except Begins:
        pass
    except (CardFileError, RunError, Refused) as error:
        told = str(error)
        outcome = REFUSED if 0 < len(told) < _MESSAGE else ENDLESS
    except Hang:
        outcome, told = HANG, traceback.format_exc()
    except (Exception, SystemExit):  # noqa: BLE001 - whatever it is, it is told
        outcome, told = TRACEBACK, traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()
    return outcome, None if outcome in _MAY else Fault(kind.name, number, outcome, given, told)


def _hang(_number: int, _frame: FrameType | None) -> None:
    raise Hang


def kinds(folder: Path, *, processes: bool = False) -> list[Kind]:
    """All kinds of inputs, for files in a folder that `lay_out` has filled; or processes alone."""
    if processes:
        return [_as_processes(folder)]
    files = [_card_files(), _mice_files(), _pool_files(folder), _run_files(folder)]
    return [_command_lines(_feeding(folder)), *files, _addresses()]


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    here = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)


# Of a store's library: no credentials, and nobody asked for any.
_NOBODY = {
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
}


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """In a folder of its own with little memory, where what takes too long is ended."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    handlers = {one: signal.signal(one, _hang) for one in (signal.SIGALRM, signal.SIGPROF)}
    above = Path(tempfile.mkdtemp(prefix="fuzz-"))
    (folder := above / "inner").mkdir()
    try:
        lay_out(folder)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, before[1]))
        with mock.patch.dict(os.environ, _NOBODY), _inside(folder), without_playing():
            yield
    finally:
        _memory().clear()
        resource.setrlimit(resource.RLIMIT_AS, before)
        for one, handler in handlers.items():
            signal.signal(one, handler)
        shutil.rmtree(above, ignore_errors=True)


def _processor_time() -> float:
    """Seconds of the processor that this process and those that it waited for have taken."""
    return sum(os.times()[:4])


def main(arguments: Sequence[str]) -> int:
    """Feed inputs, print what came of them; 1 if any was not answered as it must be."""
    flags = {one for one in arguments if one.startswith("--")}
    numbers = [int(one) for one in arguments if one not in flags]
    n_inputs, seed = [*numbers, *(10_000, 0)[len(numbers) :]][:2]
    found: Found = Counter()
    faults: list[Fault] = []
    rows: list[tuple[str, int, float]] = []
    with guarded():
        every = kinds(Path.cwd(), processes="--processes" in flags)
        for kind in every:
            n = round(n_inputs * kind.share / sum(one.share for one in every))
            began = _processor_time()
            for number in range(n):
                outcome, fault = feed(kind, number, seed)
                found[kind.name, outcome] += 1
                if fault is not None:
                    faults.append(fault)
                    print(f"{fault}\n{fault.told}", file=sys.stderr, flush=True)
            rows.append((kind.name, n, _processor_time() - began))
    print(f"| input | number | {' | '.join(OUTCOMES)} | processor time each |")
    print("|---|---|" + "---|" * (len(OUTCOMES) + 1))
    for name, n, seconds in rows:
        cells = " | ".join(f"{found[name, outcome]:,}" for outcome in OUTCOMES)
        print(f"| {name} | {n:,} | {cells} | {1000 * seconds / max(n, 1):.1f} ms |")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
