"""Tests of `fairdeal new`: what it writes is a game that every command of its page plays."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from reports.own_games import options
from reports.own_games.new import Template
from support.own_games import EXAMPLES

Ask = Callable[..., Any]


@pytest.fixture
def folder(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new game called ember."""
    ask("new", "ember").done()
    there = Path("ember").resolve()
    monkeypatch.chdir(there)
    return there


def test_a_new_game_is_in_order(folder: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files bear its name, `check` finds nothing, and greedy plays it well."""
    monkeypatch.setattr(options, "_ranked", {})  # it is told when they are ranked
    assert {file.name for file in folder.iterdir()} == {"ember.py", "cards.toml", "README.md"}
    texts = "".join(file.read_text("utf-8") for file in folder.iterdir())
    assert "duel" not in texts.casefold()
    done = ask("balance", "ember.py", "--games", "300", "--seed", "1").done()
    assert "Ember, life 12, hand 5 · 300 games · greedy against greedy" in done.out
    assert (
        done.err == "greedy plays: the strongest of random and greedy in some games of each pair.\n"
    )
    assert "8 entries need more games" in done.out
    assert "greedy is the best" in ask("ladder", "ember.py", "--games", "60").out


def test_commands_of_its_page_are_there(folder: Path) -> None:
    """Five commands stand in the README, each about the file of the rules."""
    lines = (folder / "README.md").read_text("utf-8").splitlines()
    commands = [line.split()[1:] for line in lines if line.startswith("fairdeal ")]
    assert [one[0] for one in commands] == ["check", "balance", "ladder", "verdict", "play"]
    assert all("ember.py" in one for one in commands)


@pytest.mark.parametrize("template", get_args(Template))
def test_each_template_is_a_game(template: str, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it bears the old name, and it is played as its page says."""
    assert ask("new", "ember", "--template", template).status == 0
    monkeypatch.chdir("ember")
    texts = {file.name: file.read_text("utf-8") for file in Path().iterdir()}
    assert not re.search(rf"\b{template.title()}\b", "".join(texts.values()))
    assert texts["ember.py"].startswith('"""Ember: ')
    assert '    name="ember",' in texts["ember.py"]
    lines = texts["README.md"].splitlines()
    for line in lines:
        if line.startswith(("fairdeal balance", "fairdeal verdict")):
            done = ask(
                *re.split("--games|#", line)[0].split()[1:], "--games", "100", "--policy", "random"
            ).done()
            assert "Ember" in done.out


def test_each_example_is_a_template() -> None:
    """`fairdeal new --template` knows the folder of examples."""
    assert sorted(get_args(Template)) == sorted(path.stem for path in EXAMPLES.glob("*.py"))


def test_you_play_against_the_strongest(folder: Path, piped: Ask) -> None:
    """Greedy where the game has it; where it has only random players, one who searches."""
    done = piped("play", "ember.py", "--seed", "3", lines=["quit"])
    assert done.out.startswith("Ember, life 12, hand 5: you in seat 1 against greedy. Seed 3.")
    without = (folder / "ember.py").read_text().replace("def standing", "def stands")
    (folder / "ember.py").write_text(without)
    done = piped("play", "ember.py", "--seed", "3", lines=["quit"])
    assert "you in seat 1 against search:100" in done.out


def test_what_is_there_is_left(folder: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second game of the name is refused, and nothing is written over."""
    (folder / "ember.py").write_text("mine")
    monkeypatch.chdir(folder.parent)
    ask("new", "ember").refused("There is 'ember' already, and it was left as it is")
    assert (folder / "ember.py").read_text() == "mine"


@pytest.mark.parametrize("name", ["My Game", "2nd", "a/b", "a-b", "../x"])
def test_a_name_that_is_none_is_told(name: str, ask: Ask) -> None:
    """With what it may be, and nothing is written."""
    before = {*Path().iterdir()}
    ask("new", name).refused("cannot be the name of a game")
    assert {*Path().iterdir()} == before


def test_a_run_is_verified_without_its_rules(folder: Path, ask: Ask) -> None:
    """No code is run for it: it is whole, and entries that were changed are told."""
    assert ask("simulate", "ember.py", "--games", "20", "--out", "run").status == 0
    (folder / "ember.py").unlink()
    done = ask("runs", "verify", "run").done()
    with (folder / "run" / "entries.toml").open("a") as file:
        file.write("\n")
    done = ask("runs", "verify", "run")
    assert done.status == 2
    assert "lacks what was played with, or holds something else" in done.out + done.err
