"""`fairdeal balance --strong`: a few games of a strong search, joined with those of the run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.confidence import normal_z
from analysis.mindbug import open_run
from analysis.mindbug.experiments.skill import read_skill_tables
from analysis.mindbug.experiments.strong import read_strong_tables
from analysis.mindbug.experiments.usual import STRONG
from reports.kit.words import percent

ASKED = (*("balance", "first_contact", "--games", 3_000), *("--no-luck", "--out", "run", "--json"))
OF_EQUALS = "--policy", "greedy", "--skill", "none"
PANEL = "--policy", "expert", "--skill", "expert,search:4", "--skill-games", 500


def test_strong_play_is_joined_with_the_run(ask: Any) -> None:
    """Tables, JSON, words and first screen say what cards are worth there, and of whom they speak.

    The numbers lie between those of its own games and the mean of the others times the slope.  A
    command without --strong keeps them.
    """
    told, run = ask(*ASKED, *PANEL, "--strong", "--strong-games", 150).json, open_run("run")
    tables = read_strong_tables(run.folder)
    cards, [row] = tables["strong_cards"], tables["strong_summary"].to_dict("records")
    assert (row["policy"], row["n_games"]) == (STRONG, 150)
    assert (row["weaker"], row["weaker_n_games"]) == ("expert, search:4", 3_500)
    assert row["slope_ci_low"] < row["slope"] < row["slope_ci_high"]
    known = cards["alone_ci_low"].notna()
    assert known.sum() >= 16
    expected = row["slope"] * cards["weaker"]
    low, high = np.sort([cards["alone"], expected], axis=0)
    slack = 0.02  # the slope is averaged over
    assert cards[known]["advantage"].between(low[known] - slack, high[known] + slack).all()
    of_player = read_skill_tables(run.folder)["skill_cards"].groupby("card_id")["advantage"]
    assert np.allclose(of_player.mean().loc[cards["card_id"]], cards["weaker"])
    alone = (cards["alone_ci_high"] - cards["alone_ci_low"]) / (2 * normal_z())
    assert (cards["std_err"] < alone)[known].all()
    assert {one["card_id"]: one["verdict"] for one in told["strong_cards"]} == dict(
        zip(cards["card_id"], cards["verdict"], strict=True)
    )
    assert told["findings"][0]["topic"] == "Strong play"
    page = (run.folder / "report.html").read_text()
    best = cards.loc[cards["advantage"].idxmax()]
    first_screen = page.partition('id="cards"')[0]
    assert re.search("<h1>Strong play: (Of|All) 32 cards", page)
    assert f"150 games of {STRONG}" in page
    assert percent(0.5 + best["advantage"]).removesuffix("%") in first_screen
    again = ask(*ASKED, *PANEL).done()
    assert again.json["strong_cards"] == told["strong_cards"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*OF_EQUALS, "--strong-games", 10), "--strong-games needs --strong"),
        (
            ("--strong", "--skill", "none", "--policy", "greedy:random"),
            "--strong joins games of equals, and these",
        ),
        ((*OF_EQUALS, "--strong", "--strong-games", 3), "has too few games of each card"),
    ],
)
def test_what_cannot_be_joined(ask: Any, words: tuple[object, ...], message: str) -> None:
    """One message, status 2."""
    ask(*ASKED, *words).refused(message)


def test_what_it_costs_is_told(ask: Any) -> None:
    """A line of its own, before anything is written."""
    done = ask(*ASKED[:-1], *OF_EQUALS, "--strong", "--strong-games", 50, "--dry-run").done()
    assert STRONG in done.out and not Path("run").exists()
