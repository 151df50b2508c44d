"""What commands have in common says what it is doing, also where nobody watches."""

from __future__ import annotations

import importlib

import pytest

from reports.cli import steps
from reports.mindbug.cli.steps import ANALYSIS


def test_compiling_is_said_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through a pipe there is no bar, so one line on stderr says why nothing comes."""
    monkeypatch.setattr("simcore.jit.is_compiled", lambda _: False)
    with steps.compiling(("_play_games",), "the engine", 45):
        said = capsys.readouterr()
    assert said.out == ""
    assert said.err == ("compiling the engine, once for each version of fairdeal: about 45 s\n")


def test_what_counts_games_is_known_by_name() -> None:
    """The names by which a step asks whether it is going to compile are those of kernels."""
    for name in ANALYSIS[0]:
        module, _, kernel = name.rpartition(".")
        assert hasattr(getattr(importlib.import_module(module), kernel), "overloads")
