"""Analysed runs of made-up games for tests of the report, some with hostile names of cards."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import analysis.mindbug
from analysis.mindbug.registry import TABLES
from reports.kit import figure_files
from reports.kit.findings import is_finding
from reports.kit.inline_svg import described
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
_write = vars(figure_files)["_write"]


@contextmanager
def charts_as(*kinds: str) -> Iterator[None]:
    """Write charts as these kinds of files in a test (``@charts_as("svg")``) or a part of one.

    Tests of reports write SVG only (``only_svg`` in reports/conftest.py), since most of the time of
    a report goes into PNG and PDF, and PDF starts a process of its own.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figure_files, "KINDS", kinds)
        yield


@contextmanager
def every_kind() -> Iterator[None]:
    """Write charts as users get them, in a test (``@every_kind()``) or a part of one."""
    with charts_as(*EVERY_KIND):
        yield


def cut_off_and_repeated(ask: Callable[..., Any], question: Sequence[str], *how: object) -> None:
    """Check that a training whose curve was cut off ends as a whole one does, page and all.

    ``ask`` runs a command, which asks the ``question`` again in another way, ``how``.
    """
    assert ask(*question, "--out", "whole").status == ask(*question, "--out", "cut").status == 0
    curve = Path("cut/curve.csv")
    lines = curve.read_text().splitlines(keepends=True)
    curve.write_text("".join(lines[:2]) + lines[2][:9])
    page = Path("cut/train.html").read_bytes()
    Path("cut/weights.toml").unlink()
    Path("cut/train.html").unlink()
    assert ask(*question, "--out", "cut", *how).status == 0
    assert curve.read_text() == Path("whole/curve.csv").read_text()
    assert Path("cut/train.html").read_bytes() == page


@contextmanager
def without_axes() -> Iterator[None]:
    """Draw charts of SVG alone without their axes: they are made, measured and captioned as ever.

    Rendering the axes is half of the time of a report, and few tests look at what comes of it.
    """

    def write(figure: Figure, path: Path, kinds: Sequence[str]) -> None:
        seen = [axes for axes in figure.axes if axes.get_visible()]
        hidden = seen if figure_files.KINDS == ("svg",) else []
        for axes in hidden:
            axes.set_visible(False)
        _write(figure, path, kinds)
        for axes in hidden:
            axes.set_visible(True)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figure_files, "_write", write)
        yield


@contextmanager
def with_axes() -> Iterator[None]:
    """Render charts whole again inside `without_axes`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figure_files, "_write", _write)
        yield


def check_words(svg: str) -> None:
    """A chart has a finding as title, and says below it what is drawn, and whence that comes."""
    title, about = described(svg)
    assert is_finding(title), f"a chart says only what it is about: {title!r}"
    drawn, _, source = about.partition("Source: ")
    assert len(drawn) > 8, f"{title!r} does not say what is drawn"
    assert source, f"{title!r} has no source"


def made_keyword_effects(policies: Sequence[str]) -> pd.DataFrame:
    """An experiment on keywords with made-up numbers: two added, two taken off, one unclear."""
    rows = [
        {
            "policy": policy, "change": change, "kind": kind, "n_games": 10_000, "n_cards": n_cards,
            "n": 5_000 * n_cards, "effect": effect, "effect_ci_low": effect - 0.002,
            "effect_ci_high": effect + 0.002, "std_err": 0.001, "spread": spread,
            "spread_ci_low": spread / 2, "spread_ci_high": 2 * spread, "cards_up": 1,
            "cards_down": 0, "p_value": q, "q_value": q,
        }
        for policy in dict.fromkeys(policies)
        for change, kind, n_cards, effect, spread, q in (
            ("+SNEAKY", "add_keyword", 12, 0.03, 0.014, 1e-6),
            ("+TOUGH", "add_keyword", 13, -0.01, 0.004, 1e-5),
            ("-SNEAKY", "remove_keyword", 4, -0.02, 0.003, 1e-4),
            ("-TOUGH", "remove_keyword", 1, 0.001, np.nan, 0.3),
        )
    ]  # fmt: skip
    return pd.DataFrame(rows)[list(TABLES["keyword_effects"].columns)]


def make_run(
    folder: Path, names: list[str], n_games: int, policies: tuple[str, str] = ("random", "random")
) -> Path:
    """An analysed run with two outliers."""
    card_table = hostile_cards(names) if names else synthetic_cards()
    worth = np.zeros(16)
    worth[0], worth[1] = 0.08, -0.08
    games = synthetic_games(card_table, n_games, worth=worth, draw_rate=0.02)
    synthetic_run(folder, card_table, games, policies=policies, seed=42)
    analysis.mindbug.analyze(folder)
    return folder
