"""What is played is named in one way in every command."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import card_data.mindbug
from card_data.mindbug.schema import Pool
from reports.cli.app import command_line_of, owners
from reports.cli.console import InputError

CARDS = """\
name = "Mine"

[grave_choir]
name = "Grave Choir"
power = 5
play = "gain 1 life"
"""
POOL = 'sets = ["first_contact"]\ncards = ["mine.toml"]\n'

#: All of these name First Contact and one card more.
SPELLINGS = (
    "first_contact mine.toml",
    "mine.toml first_contact",
    "first_contact+mine.toml",
    "mine.toml+first_contact",
    "summer.toml",
)
#: Commands that play nothing that is named on the command line.
OTHERS = {
    "skill", "analyze", "report", "replay",
    "cards list", "cards show", "cards check", "cards format", "cards export", "cards import",
    "cards language", "cards schema", "cards versions", "runs", "studio",
    "prices",  # cards of one's own are priced by the list of the sets without them
    "playtests plan", "playtests new",
}  # fmt: skip
#: What has to be said before and behind what is played.
AROUND = {
    "verdict": ("grave_choir {}", ""),
    "sensitivity": ("all {}", ""),
    "compare": ("{}", "first_contact"),
    "playtests": ("games.csv {}", ""),
}


def commands(part: Any = None, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """All commands that Mindbug has by name, with their functions."""
    part = part or command_line_of("mindbug")
    for name in part:
        if not name.startswith("-") and (prefix or "mindbug" in (owners(name) or ["mindbug"])):
            one = part[name]
            if one.default_command is None:
                yield from commands(one, f"{prefix}{name} ")
            else:
                yield prefix + name, one.default_command


PLAYING = sorted(name for name, _ in commands() if name not in OTHERS)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a card file and a pool file, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(CARDS)
    Path("summer.toml").write_text(POOL)
    Path("games.csv").write_text("player_1,player_2,winner\nAnna,Ben,Ben\n")
    return tmp_path


def pool_of_summer() -> Pool:
    """The pool of the pool file, read before anything is put in the place of the function."""
    from card_data.mindbug.pool import load_pool

    return load_pool(pool_file="summer.toml")


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[Pool]:
    """The pools that a command reads; it ends with the first."""
    pools: list[Pool] = []

    def load(*args: Any, **options: Any) -> Pool:
        pools.append(original(*args, **options))
        raise InputError("enough")

    original = card_data.mindbug.load_pool
    monkeypatch.setattr(card_data.mindbug, "load_pool", load)
    return pools


def test_every_command_is_listed_here() -> None:
    """A command with a parameter SET or BASE plays what is named."""
    named = {
        name
        for name, function in commands()
        if {"sets", "named", "base"} & inspect.signature(function).parameters.keys()
    }
    assert named - {"cards list", "prices"} == {*PLAYING}


@pytest.mark.parametrize("command", PLAYING)
def test_every_spelling_is_the_same_pool(ask, folder: Path, loaded: list, command: str) -> None:
    """Sets, card files, what is joined and pool files are played by every command."""
    before, behind = AROUND.get(command, ("{}", ""))
    wanted = [*SPELLINGS]
    if command == "compare":  # two names are BASE and VARIANT
        wanted = [spelling for spelling in SPELLINGS if " " not in spelling]
    for spelling in wanted:
        answer = ask(*command.split(), *before.format(spelling).split(), *behind.split())
        assert (answer.status, answer.err) == (2, "fairdeal: enough\n")
    assert len(loaded) == len(wanted)
    pools = {card_data.mindbug.pool_hash(pool) for pool in loaded}
    assert pools == {card_data.mindbug.pool_hash(pool_of_summer())}


def test_variant_of_a_comparison_is_named_alike(ask, folder: Path, monkeypatch) -> None:
    """Both sides of a comparison may be joined or a pool file."""
    read: list[Any] = []

    def plan(_: str, sides: Any, **__: Any) -> None:
        read.extend(side.pool for side in sides)
        raise InputError("enough")

    monkeypatch.setattr("reports.cli.sides.play_plan", plan)
    for base, variant in (
        ("first_contact+mine.toml", "summer.toml"),
        ("summer.toml", "mine.toml+first_contact"),
    ):
        assert "enough" in ask("compare", base, variant).err
    assert len({card_data.mindbug.pool_hash(pool) for pool in read}) == 1


def test_every_spelling_is_the_same_cards(ask, folder: Path) -> None:
    """Cards are listed, shown, checked and exported by the same names."""
    listed = {ask("cards", "list", *spelling.split(), "--json").out for spelling in SPELLINGS}
    [told] = listed
    assert "grave_choir" in {card["card_id"] for card in json.loads(told)}
    for spelling in SPELLINGS:
        places = [word for name in spelling.split() for word in ("--set", name)]
        assert "Grave Choir (grave_choir)" in ask("cards", "show", "grave_choir", *places).out
        checked = ask("cards", "check", *spelling.split())
        assert (checked.status, checked.out.count("no fault found")) == (0, len(places) // 2)
    Path("alone.toml").write_text('cards = ["mine.toml"]')
    for name in ("mine.toml", "alone.toml"):
        assert ask("cards", "export", name, "a.csv", "--force").out == "a.csv: Mine, 1 card\n"
    ask("cards", "export", "first_contact+mine.toml", "a.csv").refused(
        "holds the sets first_contact, mine; name one, since a spreadsheet holds one"
    )


def test_a_card_of_ones_own_is_shown_with_its_file(ask, folder: Path) -> None:
    """Where no file was named, the message says how to name one."""
    answer = ask("cards", "show", "grave_choir")
    answer.refused(
        "did you mean 'grave_robber'?", "fairdeal cards show grave_choir --set FILE.toml"
    )
    answer = ask("cards", "show", "grave_coir", "--set", "mine.toml")
    assert "there is no card 'grave_coir' in mine.toml; did you mean 'grave_choir'?" in answer.err
    assert "FILE.toml" not in answer.err


def test_a_spelling_that_is_shipped_names_the_run_by_it(ask, folder: Path) -> None:
    """Joined sets that come with fairdeal are such sets, in any order."""
    from reports.mindbug.cli.options import ONLY_SETS

    assert ONLY_SETS.is_shipped(["first_contact+promos"])
    assert not ONLY_SETS.is_shipped(["mine.toml+first_contact"])
    assert not ONLY_SETS.is_shipped(["summer.toml"])
