"""Matchups and the metagame, against what is known of them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from analysis.own_games.matchups import equilibria
from reports.cli.app import run
from support.reported import charts_as, without_axes

GAME = """
from fairdeal import Choice, Game, Kind, Rules

BEATS = {"stone": "blade", "blade": "cloth", "cloth": "stone"}
OFTEN = {"stone": 10, "blade": 8, "cloth": 7}

class Signs(Rules):
    winner = 0

    def start(self):
        self.acting = 0

    def options(self, seat):
        yield "go"

    def go(self, seat):
        one, other = (self.setup.of(seat, "sign").sort for seat in range(2))
        ahead = 0 if BEATS[one] == other else 1
        often = OFTEN[one if ahead == 0 else other]
        self.winner = ahead if self.rng.below(10, "luck") < often else 1 - ahead
        self.acting = None

    def scores(self):
        return [1 if seat == self.winner else 0 for seat in range(2)]

GAME = Game(name="signs", title="Signs", version=1, rules=Signs,
            kinds=[Kind("sign", "signs", {"sort": Choice([*BEATS])}, each_seat=True)])
"""
CARDS = "".join(f'[sign.{sort}]\nsort = "{sort}"\n' for sort in ("stone", "blade", "cloth"))
TRUTH = {("stone", "blade"): 1.0, ("blade", "cloth"): 0.8, ("cloth", "stone"): 0.7}


def test_the_equilibrium_of_three_signs() -> None:
    """Each as often as the two others are ahead of each other, by the formula for three."""
    payoffs = np.array([[0.5, 1.0, 0.3], [0.0, 0.5, 0.8], [0.7, 0.2, 0.5]])
    for ends in equilibria(payoffs):
        assert ends == pytest.approx([0.3, 0.2, 0.5], abs=1e-5)


def test_the_best_is_chosen_alone() -> None:
    """Nobody plays what loses to everything."""
    for ends in equilibria(np.array([[0.5, 0.6], [0.4, 0.5]])):
        assert ends == pytest.approx([1, 0], abs=1e-5)


def test_where_all_is_even_any_mixture_is_an_equilibrium() -> None:
    """The set of them is told, from never to always."""
    least, most = equilibria(np.full((4, 4), 0.5))
    assert least == pytest.approx(np.zeros(4))
    assert most == pytest.approx(np.ones(4))


@charts_as("svg")
@without_axes()
def test_a_game_with_known_matchups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each matchup and each share of the equilibrium is in its interval."""
    monkeypatch.chdir(tmp_path)
    Path("signs.py").write_text(GAME)
    Path("cards.toml").write_text(CARDS)
    asked = ["balance", "signs.py", "--games", "4000", "--seed", "1"]
    assert run([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    rows = {(row["id"], row["against_id"]): row for row in told["matchups"]}
    assert len(rows) == 6
    for (one, other), truth in TRUTH.items():
        for pair, value in (((one, other), truth), ((other, one), 1 - truth)):
            row = rows[pair]
            assert row["outcome_ci_low"] <= value <= row["outcome_ci_high"]
            assert row["verdict"] == ("more" if value > 0.5 else "less")
    for row in told["metagame"]:
        truth = {"stone": 0.3, "blade": 0.2, "cloth": 0.5}[row["id"]]
        assert row["share_ci_low"] < truth < row["share_ci_high"]
        assert row["share_ci_high"] - row["share_ci_low"] < 0.1
    told = " ".join(f"{one['topic']}: {one['text']}" for one in told["findings"])
    assert "Sign against sign: Stone beats Blade" in told
    assert "settle on" in told


@pytest.mark.parametrize(
    "outcome", ['teams="together", outcome=Score(0, 3)', "outcome=Score(0, 3)"]
)
def test_those_who_do_not_win_from_each_other_have_no_matchups(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    outcome: str,
) -> None:
    """Both may do well against each other: nobody beats anybody, and nothing is settled on."""
    monkeypatch.chdir(tmp_path)
    source = GAME.replace("Rules\n", "Rules, Score\n", 1).replace(
        "each_seat=True)]", "each_seat=True)], " + outcome
    )
    if "teams" in outcome:
        source = source.replace(
            "[1 if seat == self.winner else 0 for seat in range(2)]",
            "[1 if self.winner else 0] * 2",
        )
    Path("signs.py").write_text(source)
    Path("cards.toml").write_text(CARDS)
    assert run(["balance", "signs.py", "--games", "400", "--seed", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert not told["matchups"] and not told["metagame"]
