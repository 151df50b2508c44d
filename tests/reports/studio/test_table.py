"""What the table refuses, and what it says while something takes long."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from reports.cli.console import InputError, progress, say
from reports.mindbug.studio.bench import BENCH
from reports.play.log import read_log, write_log
from reports.studio.project import Project
from reports.studio.table.listing import games_part
from reports.studio.table.table import Table
from simcore.sealed import RunError
from simcore.work.about import About, write_about

from .conftest import CARDS

SEAT: dict[str, Any] = {
    "game": "mindbug",
    "file": "mine.toml",
    "entry": "",
    "seat": "0",
    "chosen": {"player": "random"},
    "seed": "4",
}


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """The table of a folder with a card file."""
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(CARDS)
    return Table(Project(Path()), {"mindbug": BENCH})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seat": "7"}, "no such seat"),
        ({"game": "chess"}, "no such seat"),
        ({"file": "../mine.toml"}, "not a name for a file here"),
        ({"seed": "9" * 5_000}, "seed must be a whole number from 0"),
        ({"seed": "-1"}, "seed must be a whole number from 0"),
        ({"chosen": {"player": "mine.py:me"}}, "choose one of the list"),
        ({"entry": "marsh_lantarn"}, "there is no card 'marsh_lantarn'"),
    ],
)
def test_nobody_sits_down_wrongly(table: Table, change: dict[str, Any], words: str) -> None:
    """What a page cannot ask for is refused with a message, and nothing is written."""
    with pytest.raises(InputError, match=words):
        table.sit_down({**SEAT, **change})
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    "name", ["", "../mine.json", "mine.toml", ".x.json", "gone.json", "a\0.json"]
)
def test_only_games_of_the_folder_are_opened(table: Table, name: str) -> None:
    """A name that leads elsewhere, or to nothing, is not a game."""
    Path("mine.json").write_text("{}")
    with pytest.raises(InputError, match="there is no"):
        table.at_table({"play": name})


@pytest.mark.parametrize("run", ["", "..", "a/b", "../x", "mine/../.."])
def test_only_runs_of_the_folder_are_told(table: Table, run: str) -> None:
    """The same of runs."""
    with pytest.raises(InputError, match="there is no such run"):
        table.tell({"run": run, "number": "0", "at": 0})


def test_links_are_no_games(table: Table, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The file of a game outside of the folder is neither listed nor opened through a link."""
    name = table.sit_down(SEAT)["play"]
    assert "first_contact+mine" in games_part({"mindbug": BENCH})
    outside = tmp_path_factory.mktemp("outside") / "other.json"
    Path("runs", name).rename(outside)
    Path("runs", name).symlink_to(outside)
    assert "first_contact+mine" not in games_part({"mindbug": BENCH})
    with pytest.raises(InputError, match="leads out of"):
        table.at_table({"play": name})


def test_runs_of_the_same_words_are_told_apart(table: Table) -> None:
    """Where two runs of a day are about the same, the list names their folders."""
    facts: dict[str, Any] = {
        "game": "mindbug",
        "question": "balance",
        "seed": 0,
        "games": 9,
        "asked": {},
    }
    for folder, what in (("one", "Mine"), ("two", "Mine"), ("three", "Yours")):
        run = Path("runs", folder)
        run.mkdir(parents=True)
        write_about(
            run,
            About(
                what=what, players=("random",), begun="2026-01-01", finished="2026-01-01", **facts
            ),
        )
    part = games_part({"mindbug": BENCH})
    assert part.count("2026-01-01, random: Mine (runs/") == 2
    assert "(runs/one)<" in part and "(runs/two)<" in part
    assert "2026-01-01, random: Yours<" in part


def test_a_game_goes_on_from_its_file(table: Table) -> None:
    """Choosing writes the file; an option that there is not, or an old moment, changes nothing."""
    play = {"play": table.sit_down(SEAT)["play"]}
    file = Path("runs", play["play"])
    at = table.at_table(play)["at"]
    answer = table.choose({**play, "at": at, "option": 0})
    log = read_log(file)
    assert answer["at"] == f"{len(log.decisions)}-0" != at
    assert table.choose({**play, "at": at, "option": 0})["moved_on"]
    with pytest.raises(InputError, match="no such option"):
        table.choose({**play, "at": answer["at"], "option": 99})
    with pytest.raises(RunError, match="is not over yet"):
        table.tell({**play, "at": 0})
    assert read_log(file) == log
    back = table.undo({**play, "at": answer["at"]})
    assert back["html"] == table.at_table(play)["html"]
    with pytest.raises(InputError, match="no decision of yours"):
        table.undo({**play, "at": back["at"]})


def test_code_of_somebodys_own_is_not_run(table: Table) -> None:
    """A game against a function is refused, with the command that can play it."""
    name = table.sit_down(SEAT)["play"]
    file = Path("runs", name)
    Path("mine.py").write_text("raise SystemExit\n")
    write_log(evolve(read_log(file), players=("mine.py:me",)), file)
    with pytest.raises(InputError, match=r"the studio does not run.*--player mine\.py:me"):
        table.at_table({"play": name})


def test_what_takes_long_is_said(table: Table) -> None:
    """While the table works it says at what, and afterwards nothing."""
    with table._at_work():
        say("compiling the engine: about 50 s")
        assert table.doing == "compiling the engine: about 50 s"
        with progress("learning the new cards", "games") as advance:
            advance(3, 4)
        assert table.doing == "learning the new cards: 3 of 4 games"
    assert table.doing == ""
