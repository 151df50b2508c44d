"""`fairdeal skill my_game.py`, where it is known what decides and what playing better gains."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reports.own_games.skill_text import GameSkill
from support.own_games import HIGHER, example, ranks

#: Who has more wins: a card that is dealt, a die at the end, or what was chosen.
MORE = """
from fairdeal import Cards, Choice, Game, Kind, Number, Rules, Setting, Whole

class More(Rules):
    deck = Cards(12, seen_by="nobody")
    hand = Cards(1, per_seat=True, seen_by="owner")
    chosen = Number(per_seat=True)

    def start(self):
        self.deck.fill(self.setup.deck("card"))
        self.deck.shuffle()
        for seat in range(self.seats):
            self.deck.deal(1, self.hand[seat])
        self.acting = 0

    def options(self, seat):
        yield "low"
        yield "high"

    def low(self, seat):
        self.acting = seat + 1 if seat + 1 < self.seats else None

    def high(self, seat):
        self.chosen[seat] = 1
        self.low(seat)

    def scores(self):
        if self.setup.by == "deal":
            return [self.hand[seat][0].rank for seat in range(self.seats)]
        if self.setup.by == "dice":
            return [self.rng.roll(6, "die", seat) for seat in range(self.seats)]
        return [self.chosen[seat] for seat in range(self.seats)]

def best(game, seat, options, rng):
    return "high"

GAME = Game(
    name="more", title="More", version=1, rules=More, entries="more.toml", players={"best": best},
    kinds=[Kind("card", "cards", {"rank": Whole(1, 9)})],
    settings=[Setting("by", Choice(["deal", "dice", "choice"]), "deal")], TEAMS
)
"""


def more(teams: str = "") -> None:
    """Write the game; teams as they stand in it."""
    Path("more.py").write_text(MORE.replace("TEAMS", teams))
    Path("more.toml").write_text(ranks(range(1, 10)))


def shares(told: dict[str, Any], player: str) -> dict[str, float]:
    """The shares of the variance with a player."""
    return {row["source"]: row["share"] for row in told["skill"] if row["player"] == player}


@pytest.mark.parametrize(
    ("by", "source"), [("deal", "deal"), ("dice", "chance"), ("choice", "choices")]
)
def test_what_alone_decides_has_the_whole_variance(ask, by: str, source: str) -> None:
    """And a better player gains only where choices decide: 3 of 4 games instead of 2.

    Where the deal decides, it is known what entries are worth to each player.
    """
    more()
    asked = ("skill", "more.py", "--set", f"by={by}", "--players", "random,best", "--games", 2_000)
    told = ask(*asked, "--json", "--out", "of").json
    found = shares(told, "random")
    assert found[source] == pytest.approx(1, abs=0.08)
    assert sum(found.values()) == pytest.approx(1)
    [row] = [one for one in told["skill"] if (one["player"], one["source"]) == ("random", source)]
    assert row["share_ci_high"] == pytest.approx(1, abs=0.02)
    first, better = told["skill_players"]
    assert first["outcome"] == 0.5 and first["gain"] is None
    gain = 0.25 if by == "choice" else 0
    assert better["gain_ci_low"] - 1e-9 <= gain <= better["gain_ci_high"] + 1e-9
    assert better["gain_ci_high"] - better["gain_ci_low"] < 0.04
    page = Path(told["page"]).read_text()
    said = "best gains 2" if by == "choice" else "who plays is not shown to matter"
    assert page.count("<svg") == 2 and f"More: {said}" in page
    if by == "deal":
        check_worth_to_each_player(told)


def check_worth_to_each_player(told: dict[str, Any]) -> None:
    """A card that wins by itself is worth as much to all; to choose better changes nothing."""
    rows = [row for row in told["skill_entries"] if row["entry"] == "card9"]
    assert [row["player"] for row in rows] == ["random", "best"]
    for row in rows:
        assert row["worth_ci_low"] - 0.01 <= 0.5 <= row["worth_ci_high"] + 0.01
        assert (row["change"], row["verdict"]) == (0, "too strong")
    assert any("None of 9 entries is shown" in one["text"] for one in told["findings"])


def test_who_plays_decides_where_all_play_together(ask) -> None:
    """All seats are the player's, and the part of who plays is told: one half always wins."""
    more('teams="together", outcome=Score(0, 1)')
    text = Path("more.py").read_text().replace("Rules, Setting", "Rules, Score, Setting")
    text = text.replace(
        "return [self.chosen[seat] for seat in range(self.seats)]",
        "return [min(self.chosen[seat] for seat in range(self.seats))] * self.seats",
    )
    Path("more.py").write_text(text)
    told = ask(
        *("skill", "more.py", "--set", "by=choice", "--players", "random,best"),
        *("--games", 2_000, "--json"),
    ).json
    weak, strong = told["skill_players"]
    assert weak["outcome_ci_low"] < 0.25 < weak["outcome_ci_high"]
    assert strong["outcome"] == 1
    assert strong["gain"] == pytest.approx(1 - weak["outcome"])
    # Means of 1/4 and nearly 1 (one decision in 50 slips), variances of 3/16 and nearly 0.
    assert shares(told, "all")["player"] == pytest.approx(0.6, abs=0.06)


def test_the_same_command_plays_nothing_again(ask, tmp_path: Path) -> None:
    """Players come from a short ladder, weak to strong; threads change nothing."""
    example("duel", tmp_path)
    asked = ("skill", "duel.py", "--games", 80, "--out", "of", "--json")
    first = ask(*asked)
    assert [row["player"] for row in first.json["skill_players"]] == ["random", "greedy"]
    times = {path: path.stat().st_mtime_ns for path in Path("of").rglob("games/*.parquet")}
    assert times and ask(*asked, "--threads", 2).out == first.out
    assert {path: path.stat().st_mtime_ns for path in times} == times


def test_what_it_costs_is_told_before(ask) -> None:
    """Games with the like, replays, and those on both sides; nothing is written."""
    more()
    asked = ("skill", "more.py", "--players", "random,best", "--games", 800, "--dry-run", "--json")
    assert ask(*asked).json["games"] == 800 * (2 + 4)
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--players", "rnadom,best"), "did you mean 'random'?"),
        (("--players", "best,best"), "--players: 'best' is named twice"),
        (("--players", "best"), "is one player; name two or more"),
        (("--games", "7"), "not between 80"),
        (("--seats", "3"), "More is played by 2, not by 3"),
    ],
)
def test_what_cannot_be_asked_is_told(ask, words: tuple[str, ...], message: str) -> None:
    """One message, status 2, before anybody plays; nothing is written."""
    more()
    ask("skill", "more.py", *words).refused_at_once(message)


def test_a_game_with_one_player_is_set_beside_a_thinker(ask) -> None:
    """Random players beside a short search, where the rules have nobody else."""
    Path("higher.py").write_text(HIGHER.replace("MEASURE", "share"))
    Path("higher.toml").write_text(ranks((4, 5, 6)))
    told = ask("skill", "higher.py", "--games", 80, "--json").json
    assert [row["player"] for row in told["skill_players"]] == ["random", "search:16"]
    assert shares(told, "search:16")["deal"] == pytest.approx(1)


def test_entries_that_take_games_beside_are_told_where_asked(ask, tmp_path: Path) -> None:
    """By swap the best of three is worth one half to all; without --worth no entry is told."""
    Path("higher.py").write_text(HIGHER.replace("MEASURE", "swap"))
    Path("higher.toml").write_text(ranks((4, 5, 6)))
    asked = ("skill", "higher.py", "--players", "random,search:2", "--games", 200, "--json")
    assert ask(*asked).json["skill_entries"] == []
    told = ask(*asked, "--worth", "--out", str(tmp_path / "of")).json
    best = [row for row in told["skill_entries"] if row["entry"] == "card6"]
    assert [row["measure"] for row in best] == ["swap", "swap"]
    for row in best:
        assert row["worth_ci_low"] < 0.5 < row["worth_ci_high"]
        assert row["change"] == pytest.approx(0)


def test_a_player_who_loses_is_named() -> None:
    """Who plays matters where a player is shown to do worse than the one before."""
    rows = {"player": ["a", "b"], "rung": [0, 1], "gain": [np.nan, -0.1]}
    ends = {"gain_ci_low": [np.nan, -0.12], "gain_ci_high": [np.nan, -0.08]}
    words = GameSkill({"skill_players": pd.DataFrame(rows | ends), "skill": pd.DataFrame()}, {})
    assert words.headline == "b loses 10.0 points to a"
