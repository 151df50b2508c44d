"""The page of a training, ``train.html``: how strong the player is, and how to play with it.

It holds all it needs, works without a network.
"""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from attrs import frozen

from analysis.estimates import estimate_share
from reports.kit.cells import Cell
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, write_rendered
from reports.kit.words import Finding, bare_percent, percent
from reports.training.folder import CHART, CURVE, curve_table, typed_command
from simcore.commands import command
from simcore.work.folder import versions_of

PAGE = "train.html"

#: What `measured` gives besides the share, as a shape of `simcore.sealed.faults`.
MEASURED = {"margin": float, "ci_low": float, "ci_high": float, "n": int}


@frozen(kw_only=True)
class Trained:
    """What a game says of a training that is done.

    Parameters
    ----------
    title, headline, played
        Title of the page, its answer in one sentence, and a line on what was played.
    lines
        The scores as the terminal shows them.
    findings
        A sentence on each score.
    scores
        The scores as a table to be saved.
    headings, rows, how_to_read
        The same table on the page: words and class of each column, cells, and what they mean.
    player
        The trained player, as ``--policy`` spells it.
    to_play
        The words of commands that play with it, as they are typed behind "fairdeal".
    first_use
        What these commands do.
    method
        Paragraphs on how it was trained and tested.
    facts
        What was played, besides command and versions.
    """

    title: str
    headline: str
    played: str
    lines: Sequence[str]
    findings: Sequence[Finding]
    scores: pd.DataFrame
    headings: Sequence[tuple[str, str]]
    rows: Sequence[Sequence[Cell]]
    how_to_read: str
    player: str
    to_play: Sequence[Sequence[str]]
    first_use: str
    method: Sequence[str]
    facts: Sequence[tuple[str, str]]


def write_train_page(folder: Path, identity: str, trained: Trained) -> Path:
    """Write the page of a training in its folder, around the chart that is there; its path.

    ``identity`` is that of `begin_training`.  The same training gives the same bytes.  Raises
    RunError when the page cannot be written.
    """
    return write_rendered(
        *(folder / PAGE, PAGE),
        title=trained.title,
        headline=trained.headline,
        played=trained.played,
        findings=[*trained.findings, *_progress(curve_table(folder / CURVE, identity))],
        charts=drawings({"curve": {"": folder / CHART}}),
        csv={"scores": csv_address(trained.scores)},
        headings=trained.headings,
        rows=trained.rows,
        how_to_read=trained.how_to_read,
        player=trained.player,
        to_play=[command(*words) for words in trained.to_play],
        first_use=trained.first_use,
        method=trained.method,
        facts=_facts(trained),
    )


def _progress(curve: pd.DataFrame) -> list[Finding]:
    """Where the curve begins and ends; nothing for a curve of one point."""
    measured = curve.dropna(subset="strength")
    if len(measured) < 2:
        return []
    first, last = measured.iloc[0], measured.iloc[-1]
    return [
        Finding(
            "Learning curve",
            f"From generation {first['generation']:.0f} to {last['generation']:.0f} it went from"
            f" {bare_percent(first['strength'])} to {percent(last['strength'])}.",
        )
    ]


def _facts(trained: Trained) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    versions = versions_of("numpy", "numba")
    return [
        ("Command", typed_command()),
        *trained.facts,
        ("Versions", ", ".join(f"{name} {version}" for name, version in versions.items())),
    ]


def measured(share: float, n: int, *, name: str = "score") -> dict[str, float]:
    """A share of ``n`` games under its ``name``, and how sure it is.

    ``ci_low`` and ``ci_high`` are the ends of the 95% interval, ``margin`` is half of its length.
    """
    estimate = estimate_share(share * n, n)
    low, high = float(estimate.ci_low), float(estimate.ci_high)
    return {name: share, "margin": (high - low) / 2, "ci_low": low, "ci_high": high, "n": n}
