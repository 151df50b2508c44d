"""One command at a time works in a folder; the others are told so, and change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from simcore.work.lock import holding
from support.contents import contents


@contextmanager
def somebody_works_in(folder: Path) -> Iterator[None]:
    """Hold a folder as another process would: a lock of this very thread would let it pass."""
    with ThreadPoolExecutor(1) as other:
        held = holding(folder)
        other.submit(held.__enter__).result()
        try:
            yield
        finally:
            other.submit(held.__exit__, None, None, None).result()


def said(answer, folder: str) -> None:
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == (
        f"fairdeal: another fairdeal is at work in {folder}; wait until it is done, or choose"
        " another folder\n"
    )


@pytest.mark.parametrize(
    "command",
    [
        "simulate first_contact --policy random --games 10",
        "balance first_contact --policy random --games 10",
        "ladder first_contact --players random,greedy --games 2",
        "restrict first_contact --games 2",
        "sensitivity killer_bee first_contact --games 10",
        "rebalance first_contact --games 100 --confirm 100",
        "compare first_contact promos --policy random --games 10",
        "train first_contact --generations 1 --population 4 --games 2",
    ],
)
def test_a_folder_that_somebody_plays_into(ask, command: str) -> None:
    """Whatever is asked for, nothing is written."""
    with somebody_works_in(Path("held")):
        answer = ask(*command.split(), "--out", "held")
        assert [path.name for path in Path("held").iterdir()] == [".lock"]
    said(answer, "held")


def test_a_run_that_is_being_played(ask) -> None:
    """It is not said to be unfinished, and is neither analysed nor reported meanwhile."""
    for name, policy in (("run", "random"), ("other", "greedy")):
        question = f"simulate first_contact --games 10 --policy {policy} --out {name}"
        assert ask(*question.split()).status == 0
    before = contents(Path("run"))
    with somebody_works_in(Path("run")):
        for command in (["analyze", "run"], ["report", "run"], ["skill", "other", "run"]):
            said(ask(*command), "run")
    assert contents(Path("run")) == before
    assert ask("analyze", "run").status == 0


def test_a_game_of_a_run_that_is_being_played(ask) -> None:
    """Replay says who works there, not that a part is missing; later that it is."""
    question = "simulate first_contact --policy random --games 2000 --out run"
    assert ask(*question.split()).status == 0
    Path("run/games/part-00001.parquet").unlink()
    with somebody_works_in(Path("run")):
        said(ask("replay", "run", 3), "run")
    assert "part-00001.parquet is missing; run" in ask("replay", "run", 3).err


def test_nothing_but_a_run_is_locked(ask) -> None:
    """Where there is no run nothing is made, not even for a moment."""
    for command in ("analyze", "report"):
        ask(command, "nowhere").refused("nowhere does not exist", lines=1)
    assert not Path("nowhere").exists()
