"""Whole games: invariants in every engine, and lockstep, which must find what differs."""

from collections import Counter
from dataclasses import replace

import pytest

from support.mice_and_mystics.counters import counter_names
from support.mice_and_mystics.engines import SIDES
from support.mice_and_mystics.fast_table import FastSide, FastTable
from support.mice_and_mystics.game import base_box, legal_parties
from support.mice_and_mystics.invariants import Invariants
from support.mice_and_mystics.lockstep import play_in_lockstep, settings
from support.mice_and_mystics.random_positions import play_position
from support.mice_and_mystics.sides import SlowSide
from support.mice_and_mystics.slow_table import SlowTable
from support.mice_and_mystics.table import CHAPTER_1, STAND_IN

SETTINGS = settings(seed=1, n=64)


@pytest.mark.parametrize("engine", sorted(SIDES))
def test_invariants_hold_at_every_decision(engine: str) -> None:
    """I1 to I8 in games of both chapters, all players, any switches."""
    outcomes = set()
    for setting in SETTINGS:
        side = SIDES[engine](setting)
        invariants = Invariants(side, setting)
        while side.labels:
            invariants.check()
            side.choose(side.pick())
        invariants.check()
        outcomes.add(side.outcome)
    assert {"win", "loss_page", "loss_captured"} <= outcomes


def test_engines_play_alike() -> None:
    """Entries, table, best entries and choices at every decision, and all counters at the end."""
    for setting in SETTINGS[:32]:
        play_in_lockstep(setting, FastSide)


def test_engines_play_crowded_positions_alike() -> None:
    """The same entries and table after every choice in positions where many rules meet."""
    words: Counter[str] = Counter()
    for seed in range(60):
        words += play_position(seed, FastTable)
    assert {"ABILITY", "USE", "TRICK", "REACT", "EXPLORE", "SWIM", "STAND", "GRAPE"} <= set(words)


def test_crowded_positions_find_another_rule() -> None:
    """An engine that keeps another rule in such positions is found out."""

    def other_rule(position, seed):
        return SlowTable(replace(position, switches={**position.switches, "S3": "melee"}), seed)

    def play_all() -> None:
        for seed in range(200):
            play_position(seed, other_rule)

    with pytest.raises(AssertionError, match="the engines differ"):
        play_all()


@pytest.mark.parametrize(
    "other",
    [{"S4": "index"}, {"S2": "after_attack"}, {"S1": "continue_round"}, {"S13": "removed"}],
    ids=str,
)
def test_lockstep_finds_another_rule(other: dict[str, str]) -> None:
    """An engine that keeps another rule is found out within a few games."""

    def start(setting):
        return SlowSide(replace(setting, switches={**setting.switches, **other}))

    def play_all() -> None:
        for setting in SETTINGS[::2]:  # those with default switches
            play_in_lockstep(setting, start)

    with pytest.raises(AssertionError, match="the engines differ"):
        play_all()


def test_lockstep_finds_another_count() -> None:
    """An engine that counts something else is found out at the end of a game."""

    class Miscounting(SlowSide):
        def record(self):
            return super().record() | {"surges": -5}

    with pytest.raises(AssertionError, match="surges: other -5"):
        play_in_lockstep(SETTINGS[0], Miscounting)


@pytest.mark.parametrize("player", ["U", "C", "H"])
def test_records_add_up(player: str) -> None:
    """Section 29: what comes in goes out or is left, and a record has every counter."""
    names = counter_names(base_box())
    for setting in SETTINGS[:12]:
        side = SlowSide(replace(setting, player=player))
        while side.labels:
            side.choose(side.pick())
        r = side.record()
        assert set(names) <= set(r)
        assert set(side.game.counts) <= set(r)
        for what in ("wheel", "cheese"):
            came = sum(n for name, n in r.items() if name.startswith(f"{what}_in_"))
            went = sum(n for name, n in r.items() if name.startswith(f"{what}_out_"))
            assert came == went + r[f"{what}_left"]
        assert r["page_final"] == 1 + r["surges"] + r["captures"]
        assert r["captures"] == sum(
            r[f"captures_{why}"] for why in ("battle", "trap", "drift", "event")
        )
        assert sum(n for name, n in r.items() if name.startswith("top8_")) == 8
        assert sum(n for name, n in r.items() if name.startswith("dealt_")) == 4


def test_parties() -> None:
    """S12: four parties of chapter 1 have Collin, any four of six are fifteen."""
    box = base_box()
    parties = [legal_parties(box, box.chapters[c]) for c in (CHAPTER_1, STAND_IN)]
    assert [len(found) for found in parties] == [4, 15]
    assert all("collin" in party for party in parties[0])
    assert len(legal_parties(box, box.chapters[CHAPTER_1], "any")) == 15
