"""Analysed runs of made-up games for tests of the report, some with hostile names of cards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import analysis
from reports import figure_files
from support.synthetic import hostile_cards, synthetic_cards, synthetic_games, synthetic_run

#: Names that would do something if a page took them for more than text.
HOSTILE = [
    "<script>alert(1)</script>",
    "</style><img src=x onerror=a>",
    '" onmouseover="alert(1)',
    "--><svg onload=a>",
    "{{ 7*7 }}",
    "=HYPERLINK(1)",
    "javascript:alert(1)",
    "</script><script>document.title=1</script>",
    "'><img src=x onerror=document.title=1>",
]


#: What charts are written as.
EVERY_KIND = figure_files.KINDS


@contextmanager
def every_kind() -> Iterator[None]:
    """Write charts as users get them, in a test (``@every_kind()``) or a part of one.

    Tests of reports write SVG only (``only_svg`` in reports/conftest.py), since most of the time of
    a report goes into PNG and PDF.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figure_files, "KINDS", EVERY_KIND)
        yield


def make_run(
    folder: Path, names: list[str], n_games: int, policies: tuple[str, str] = ("random", "random")
) -> Path:
    """An analysed run with two outliers."""
    card_table = hostile_cards(names) if names else synthetic_cards()
    worth = np.zeros(16)
    worth[0], worth[1] = 0.08, -0.08
    games = synthetic_games(card_table, n_games, worth=worth, draw_rate=0.02)
    synthetic_run(folder, card_table, games, policies=policies, seed=42)
    analysis.analyze(folder)
    return folder
