"""`--until` of games that people bring: it ends, and tells of what never came up."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.own_games.contract import UNJUDGED, UntilKnown
from analysis.runs import open_run
from analysis.stopping import Goal
from analysis.tables import read_tables
from support.own_games import example

GAME = """
from fairdeal import Game, Kind, Rules, Whole

class Pick(Rules):
    def start(self):
        self.acting = 0

    def options(self, seat):
        return [("take", card) for card in self.setup.entries("card") if not card.odd]

    def take(self, seat, card):
        self.won = self.rng.below(2, "toss")
        self.acting = None

    def scores(self):
        return [self.won, 1 - self.won]

GAME = Game(name="pick", title="Pick", version=1, rules=Pick,
            kinds=[Kind("card", "cards", {"odd": Whole(0, 1, default=0)})])
"""
CARDS = "[card.one]\n\n[card.two]\n\n[card.ghost]\nodd = 1\n\n[card.shadow]\nodd = 1\n"
NEVER = "Ghost and Shadow came up in none of them"


@pytest.fixture(autouse=True)
def game(tmp_path: Path) -> None:
    """The game, in the folder of the test."""
    (tmp_path / "pick.py").write_text(GAME)
    (tmp_path / "cards.toml").write_text(CARDS)


@pytest.mark.parametrize("anytime", [(), ("--anytime",)])
def test_it_ends_though_an_entry_never_comes_up(ask, anytime: tuple[str, ...]) -> None:
    """The others are known well enough, and those that never came up are named."""
    words = "simulate", "pick.py", "--until", "5", "--games", 60_000, "--out", "run", *anytime
    answer = ask(*words).done()
    assert NEVER in " ".join(answer.out.split())
    stopped = json.loads(Path("run/manifest.json").read_text())["stopped"]
    assert stopped["reached"]
    assert stopped["never"] == ["Ghost", "Shadow"]
    assert stopped["worst_name"] in ("One", "Two")


def test_one_entry_that_never_comes_up_ends_it(ask) -> None:
    """A goal that is about that entry alone cannot be reached, and that is said."""
    answer = ask(
        "simulate", "pick.py", "--until", "5:GHOST", "--games", 60_000, "--out", "run"
    ).done()
    assert "Ghost came up in none of them" in " ".join(answer.out.split())
    assert "is known to" not in answer.out


def test_what_comes_up_now_and_then_is_waited_for(ask) -> None:
    """All that is watched came up: nothing is said, and few games are enough."""
    Path("cards.toml").write_text("[card.one]\n\n[card.two]\n")
    answer = ask("simulate", "pick.py", "--until", "5", "--games", 60_000, "--out", "run")
    assert (answer.status, "came up" in answer.out) == (0, False)
    manifest = json.loads(Path("run/manifest.json").read_text())
    assert manifest["stopped"]["reached"]
    assert manifest["games"] < 5_000


@pytest.mark.parametrize(
    ("name", "judged"), [("duel", True), ("factions", True), ("auction", False), ("lines", False)]
)
def test_what_is_shown_meanwhile_is_what_balance_tells(
    ask, tmp_path: Path, name: str, judged: bool
) -> None:
    """Entries have the shares of the table; seats differ from their mean; what is observed, too."""
    rules = example(name, tmp_path)
    words = "balance", rules.name, "--games", 600, "--policy", "random", "--out", "run"
    assert ask(*words).status == 0
    run, tables = open_run(Path("run")), read_tables(Path("run"))
    rule = UntilKnown(Goal(1), run.manifest, anytime=True)
    watched, known = rule.shares(np.sum([*map(rule.count, run.parts())], axis=0))
    rate = dict(zip((one.key for one in watched), known.rate, strict=True))
    entries = tables["entries"]
    main = entries[entries["is_main"]]
    assert len(main) and {one.word for one in watched[: len(main)]} == {"" if judged else UNJUDGED}
    assert np.allclose(main["share"], [rate[one] for one in main["id"]])
    seats = tables["seats"][tables["seats"]["player"] != ""]
    apart = seats["outcome"] - seats["outcome"].mean()
    assert np.allclose(apart, [rate[one] for one in seats["seat"]])
    assert pd.Series(known.std_err).lt(0.1).all()
