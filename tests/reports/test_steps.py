"""What commands have in common says what it is doing, also where nobody watches."""

from __future__ import annotations

import importlib

import pytest

from reports import steps
from simcore import kernel_cache


def test_compiling_is_said_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through a pipe there is no bar, so one line on stderr says why nothing comes."""
    monkeypatch.setattr(kernel_cache, "is_compiled", lambda _: False)
    with steps.compiling(("_play_games",), "the engine", 45):
        said = capsys.readouterr()
    assert said.out == ""
    assert said.err == ("compiling the engine, once for each version of balancelab: about 45 s\n")


def test_everything_that_takes_long_to_compile_is_known_by_name() -> None:
    """The names by which a step asks whether it is going to compile are those of kernels."""
    homes = {
        "_count_pairs": "analysis.pair_tallies",
        "_tally_cards": "analysis.tallies",
        "_tally_keywords": "analysis.tallies",
        "_sum_pair_products": "analysis.tallies",
    }
    assert {*homes} == {*steps.ANALYSIS[0]}
    for kernel, module in homes.items():
        assert hasattr(getattr(importlib.import_module(module), kernel), "signatures")
