"""Tables of captures, rooms, dice and initiative: counted again by hand, and planted truths."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.rooms import rooms_table
from analysis.mice_and_mystics.run_facts import CAUSES_OF_CAPTURE, OUTCOMES, RunFacts
from analysis.mice_and_mystics.tables import RUN_TABLES
from card_data.mice_and_mystics.confidence import used_entries
from card_data.mice_and_mystics.settings import read_settings
from simcore.mice_and_mystics.table.limits import CAUSES
from simcore.mice_and_mystics.table.records import Outcome
from support.planted_mice import Planted, count, facts, play, run_facts

ALL = run_facts()
ONE = run_facts("collin", "nez", "tilda", "filch")


def made(name: str, counts: RunCounts) -> pd.DataFrame:
    """A table of some games."""
    make = RUN_TABLES[name].make
    assert make is not None
    return make(counts)


@pytest.fixture(scope="module")
def games() -> np.ndarray:
    """Games of all parties."""
    return play(ALL, Planted(), 2_000, 21)


def _captures(games: np.ndarray, line: dict[str, str]) -> np.ndarray:
    """The captures of each game that a row is about."""
    places = {
        "minion": ("captures_by", ALL.ids["minions"]),
        "hero": ("captures_of", ALL.ids["heroes"]),
        "room": ("captures_in", ALL.ids["tiles"]),
    }
    split = line["split"]
    if split in places:
        field, ids = places[split]
        return games[field][:, ids.index(line[split])]
    if split == "hero_cause":
        cause = CAUSES_OF_CAPTURE.index(line["cause"])
        return games["captures_how"][:, ALL.ids["heroes"].index(line["hero"]) * CAUSES + cause]
    return games["captures" if split == "all" else f"captures_{line['cause']}"]


def test_captures_are_counted_by_cause_minion_hero_and_room(games: np.ndarray) -> None:
    """Each row of captures is what its games count; causes add up to all (M104)."""
    table = made("captures", count(ALL, games))
    won = games["outcome"] == Outcome.WIN
    for line in table.to_dict("records"):
        there = np.ones(len(games), bool)
        if line["hero"] != "all":
            there = (games["party"] == ALL.ids["heroes"].index(line["hero"])).any(axis=1)
        captures = _captures(games, line)
        assert line["n_games"] == there.sum()
        assert line["captures"] == captures[there].sum()
        assert line["per_game"] == pytest.approx(captures[there].mean())
        assert line["games_with"] == (captures[there] > 0).sum()
        if line["games_with"]:
            assert line["win_rate"] == pytest.approx(won[there & (captures > 0)].mean())
        assert line["win_rate_without"] == pytest.approx(won[there & (captures == 0)].mean())
    shares = table.groupby("split")["share_of_captures"].sum()
    np.testing.assert_allclose(shares[["all", "cause", "hero", "hero_cause", "room"]], 1)


def test_rooms_have_every_loss_and_every_page(games: np.ndarray) -> None:
    """Each game ends in one room, and the pages lost in rooms are all pages lost (I2)."""
    counts = count(ALL, games)
    rooms, costs = made("rooms", counts), made("room_costs", counts).set_index("room")
    lost = games["outcome"] != Outcome.WIN
    tiles = np.array(ALL.ids["tiles"])[games["tile_final"]]
    for line in rooms.to_dict("records"):
        here = (tiles == line["room"]) & (games["page_final"] == line["page"])
        assert line["ended"] == here.sum() and line["lost"] == (here & lost).sum()
    assert rooms["ended"].sum() == len(games) and rooms["lost"].sum() == lost.sum()
    pages = (costs["pages_lost"] * costs["entered_n"]).sum()
    assert pages == pytest.approx((games["page_final"] - ALL.chapter.page_start).sum())
    assert costs["pages_lost_share"].sum() == pytest.approx(1)
    second = costs.loc["902"]
    entered = games["route_depth"] >= 2
    assert second["entered_n"] == entered.sum() and second["depth"] == 2
    assert second["rounds_fought"] == pytest.approx(games["rounds_fought"][entered, 1].mean())
    assert second["entered_win_rate"] == pytest.approx((~lost)[entered].mean())
    assert second["lost_here"] == (lost & (games["tile_final"] == 1)).sum()


def test_rooms_of_encounters_are_counted() -> None:
    """Rounds to clear, captures and pages lost are those of the rooms in which a card was drawn."""
    games = play(ONE, Planted(), 2_000, 23)
    table = made("encounters", count(ONE, games)).set_index("encounter")
    over = (games["outcome"] == Outcome.WIN) | (games["fights_left"] == 0)
    for place, card in enumerate(table.index):
        drawn = games["encounter_in"][:, : len(ONE.ids["tiles"])]
        met = list(zip(*np.nonzero(drawn == place), strict=True))
        cleared = [(g, t) for g, t in met if games["tile_final"][g] != t or over[g]]
        rounds = [games["rounds_fought"][g, t] for g, t in cleared]
        pages = [games["captures_in"][g, t] + games["surges_in"][g, t] for g, t in met]
        line = table.loc[card]
        assert line["drawn_cleared"] == pytest.approx(len(cleared) / len(met))
        assert line["drawn_rounds_to_clear"] == pytest.approx(np.mean(rounds))
        assert line["drawn_pages_lost_there"] == pytest.approx(np.mean(pages))
        first = (games["first_e"] == place) & (games["encounter_in"][:, 1] == place)
        assert line["first_met_n"] == first.sum()
        fought = games["rounds_fought"][:, 1]
        assert line["first_rounds_fought_there"] == pytest.approx(fought[first].mean())
        others = ~first & (games["encounter_in"][:, 1] >= 0)
        effect = fought[first].mean() - fought[others].mean()
        assert line["rounds_fought_there_effect"] == pytest.approx(effect)


def test_dice_that_are_fair_or_loaded() -> None:
    """Loaded dice are found among all rolls; fair ones, and luck that does nothing, are not."""
    fair = made("dice", count(ALL, play(ALL, Planted(), 4_000, 22)))
    loaded = made("dice", count(ALL, play(ALL, Planted(loaded=0.02), 4_000, 22)))
    assert (fair["p_value"] > 1e-3).all() and (loaded["q_value"] < 0.01).all()
    np.testing.assert_allclose(loaded["difference"], 0.02, atol=0.006)
    held = (loaded["difference_ci_low"] < 0.02) & (loaded["difference_ci_high"] > 0.02)
    assert held.sum() >= 8
    assert ((fair["luck_effect_ci_low"] < 0) & (fair["luck_effect_ci_high"] > 0)).sum() >= 8
    rolls = fair.set_index(["who", "roll", "symbol"])["expected"]
    assert rolls[("mice", "search", "star")] == rolls[("minions", "melee attack", "sword")] == 1 / 2
    assert rolls[("minions", "attack", "cheese")] == 1 / 6  # M118


def test_mice_ahead_in_rooms(games: np.ndarray) -> None:
    """The tracks of every room are counted by the mice ahead of its minions."""
    table = made("initiative_rooms", count(ALL, games))
    for line in table.to_dict("records"):
        tile = ALL.ids["tiles"].index(line["room"])
        there = games["mice_ahead"][:, tile] == line["mice_ahead"]
        assert line["n_games"] == there.sum()
        captures = games["captures_in"][there, tile]
        assert line["captures_there"] == pytest.approx(captures.mean())
    np.testing.assert_allclose(table.groupby("room")["share"].sum(), 1)


@pytest.mark.parametrize("deck", ["without_difficult", "all"])
def test_sources_count_what_can_come_up(deck: str) -> None:
    """Entries of the deck that is played are counted by their confidence, and added up."""
    settings = read_settings(facts(), "standin_four_rooms", (), [f"encounter_deck={deck}"])
    table = made(
        "sources", count(RunFacts(facts(), settings, "uniform"), play(ALL, Planted(), 0, 0))
    )
    table = table.set_index("kind")
    words = ["verified", "reported", "assumed"]
    for kind, entries in used_entries(facts(), settings).items():
        assert table.loc[kind, "entries"] == len(entries)
        assert [sum(one.confidence == word for one in entries) for word in words] == table.loc[
            kind, words
        ].to_list()
    assert table.loc["encounters", "entries"] == (18 if deck == "all" else 12)
    assert table.loc["all", "entries"] == table["entries"].sum() / 2


def test_intervals_of_rooms_hold() -> None:
    """Of places that games end in often and hardly ever, all intervals there are hold 95%."""
    of = run_facts()
    shape = (len(OUTCOMES), len(of.ids["tiles"]), of.page_end + 1)
    rng = np.random.default_rng(3)
    weights = rng.lognormal(0, 2, shape)
    truth = weights / weights.sum()
    held: dict[str, list[bool]] = {"share": [], "lost_share": []}
    for _ in range(200):
        final = rng.multinomial(2_000, truth.ravel()).reshape(shape)
        counts = SimpleNamespace(facts=of, n_games=np.array([2_000]), sums={"final": final[None]})
        table = rooms_table(counts)  # type: ignore[arg-type]
        for row in table.itertuples():
            tile = of.ids["tiles"].index(row.room)
            there = truth[:, tile, row.page]
            truths = {"share": there.sum(), "lost_share": there[1:].sum() / truth[1:].sum()}
            for name, true in truths.items():
                low, high = getattr(row, f"{name}_ci_low"), getattr(row, f"{name}_ci_high")
                if not np.isnan(low):
                    held[name].append(low <= true <= high)
    for name, found in held.items():
        assert len(found) > 500
        assert 0.93 <= np.mean(found) <= 0.97, name
