"""What commands have in common says what it is doing, also where nobody watches."""

from __future__ import annotations

import importlib
from itertools import chain
from pathlib import Path

import pytest

from reports.cli import steps
from reports.cli.app import run
from reports.cli.compute import Crew
from reports.games import reports_of
from reports.mindbug.cli import steps as steps_of_mindbug
from reports.mindbug.cli.steps import ANALYSIS
from support.synthetic import made_up_spec, synthetic_cards, synthetic_games


@pytest.mark.parametrize(("slowness", "seconds"), [(1.0, 45), (2.0, 90), (0.5, 22)])
def test_compiling_is_said_where_there_is_no_terminal(
    slowness: float,
    seconds: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Through a pipe there is no bar, so one line on stderr says why nothing comes.

    And how long it takes on this machine, as busy as it is.
    """
    monkeypatch.setattr("simcore.jit.is_compiled", lambda _: False)
    monkeypatch.setattr(steps, "_slowness", lambda: slowness)
    with steps.compiling(("_play_games",), "the engine", 45):
        said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        f"compiling the engine, once for each version of fairdeal: about {seconds} s\n"
    )


def test_what_counts_games_is_known_by_name() -> None:
    """The names by which a step asks whether it is going to compile are those of kernels."""
    for name in ANALYSIS[0]:
        module, _, kernel = name.rpartition(".")
        assert hasattr(getattr(importlib.import_module(module), kernel), "overloads")


@pytest.mark.parametrize(("least", "kept"), [(1, 3), (1025, 0)])
def test_large_parts_are_counted_while_they_are_played(
    least: int, kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run of three parts has a tally of each before it is analysed, if its parts are large."""
    for module in ("simcore.work.parts", "analysis.kept_tallies"):
        monkeypatch.setattr(f"{module}.LEAST_GAMES", least)
    monkeypatch.setattr(type(reports_of("mindbug")), "compile_engine", lambda *_: None)
    cards = synthetic_cards()
    steps.play_run(made_up_spec(cards, synthetic_games(cards, 2_500)), tmp_path / "run", Crew(1))
    assert len([*(tmp_path / "run" / "tallies").glob("part-*.parquet")]) == kept


def test_one_line_says_all_that_a_command_compiles(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What counts games is compiled with the engine, so nothing more is said of it."""
    compiled: list[object] = []
    monkeypatch.setattr("simcore.jit.is_compiled", lambda _: bool(compiled))
    monkeypatch.setattr("simcore.jit.compile_all", lambda calls: compiled.extend(chain(*calls)))
    asked = ["balance", "first_contact", "--policy", "random", "--games", "300", "--format", "md"]
    assert run([*asked, "--out", str(tmp_path / "run")]) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "compiling" in line]
    assert len(lines) == 1 and lines[0].startswith("compiling the engine, once for each version")
    assert steps_of_mindbug._compile_counting in compiled
