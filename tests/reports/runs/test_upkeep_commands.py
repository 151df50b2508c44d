"""The commands that look after folders of runs: what they say, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from simcore.work.lock import holding
from simcore.work.parts import part_path

GAMES = ("first_contact", "--policy", "random", "--games", 1_500)


@pytest.fixture
def folder(ask) -> Path:
    """An analysed run of two parts."""
    assert ask("simulate", *GAMES, "--out", "run").status == 0
    assert ask("analyze", "run").status == 0
    return Path("run")


def test_verify_and_repair(ask, folder: Path) -> None:
    """What is wrong is told with what repairs it; once it is repaired all is well."""
    answer = ask("runs", "verify", folder)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out == "run: everything is as it should be\n"
    part_path(folder, 1).write_bytes(b"")
    (folder / "notes").write_text("mine")
    answer = ask("runs", "verify", folder)
    assert answer.status == 2
    assert "part-00001.parquet is damaged" in answer.out
    assert "repair plays its games again" in " ".join(answer.out.split())
    assert "move it away" in answer.out
    last = "run: 2 files damaged, missing or foreign; 'fairdeal runs repair run' repairs 1 of them"
    assert answer.out.splitlines()[-1] == last
    told = json.loads(ask("runs", "verify", folder, "--json").out)
    assert [fault["file"] for fault in told["faults"]] == [
        "run/games/part-00001.parquet",
        "run/notes",
    ]
    answer = ask("runs", "repair", folder)
    assert answer.status == 2
    assert answer.out.endswith("run: 1 file repaired, 1 file left\n")
    (folder / "notes").unlink()
    assert ask("runs", "repair", folder).out == "run: everything is as it should be\n"


def test_repair_by_workers(ask, folder: Path) -> None:
    """Lost games are played where the options say, and the part is the same."""
    path = part_path(folder, 1)
    whole = path.read_bytes()
    path.unlink()
    answer = ask("runs", "repair", folder, "--workers", 1)
    assert (answer.status, answer.err) == (0, "")
    assert path.read_bytes() == whole


def test_prune_asks_first(ask, folder: Path) -> None:
    """Without --yes it only says how much would be freed."""
    answer = ask("runs", "prune", folder).done()
    assert answer.out.endswith("--yes removes them\n")
    assert (folder / "tables").exists()
    answer = ask("runs", "prune", folder, "--yes")
    assert answer.out.endswith("freed\n")
    assert not (folder / "tables").exists()
    assert ask("runs", "prune", folder).out == "run: nothing that can be made again\n"
    assert ask("runs", "verify", folder).status == 0


def test_merge(ask, folder: Path) -> None:
    """Runs of two seeds become one, which is analysed, reported and replayed like any other."""
    assert ask("simulate", *GAMES, "--seed", 5, "--out", "other").status == 0
    answer = ask("runs", "merge", folder, "other", "--out", "both")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out == "run: both\n3,000 games of the seeds 0, 5\n"
    assert ask("analyze", "both").status == 0
    assert ask("report", "both").status == 0
    assert "Seed" in Path("both/report.html").read_text()
    told = ask("replay", "both", 1_600).done()
    assert told.out == ask("replay", "other", 100).out
    answer = ask("runs", "merge", folder, folder, "--out", "twice")
    answer.refused("both have games of seed 0")


def test_a_folder_in_use_is_left_alone(ask, folder: Path) -> None:
    """No folder, and one that another command uses, is one message."""
    for command in ("verify", "repair", "prune"):
        ask("runs", command, "nowhere").refused("nowhere does not exist")
    with holding(folder):
        assert ask("runs", "verify", folder).status == 0  # this process itself
