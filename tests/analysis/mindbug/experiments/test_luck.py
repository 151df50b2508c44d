"""How much of a game is luck: the replays, the parts of the variance, and the games of a run."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from attrs import evolve

import analysis.mindbug
from analysis.mindbug.experiments.luck import (
    DEAL_RECORD,
    LUCK,
    LUCK_CHANGES,
    REPLAYS,
    Deals,
    compare_luck,
    deals_for,
    luck_table,
    measure_luck,
    read_luck,
    slipping,
)
from analysis.mindbug.runs import Run
from card_data.mindbug import load_pool
from simcore.mindbug import compile_cards, play_games
from simcore.mindbug.play.simulate import play_rows
from simcore.mindbug.players.seats import seat
from simcore.mindbug.rules.new_game import REPLAY
from simcore.sealed import RunError
from support import planted_luck

KING_OF_TOKYO = load_pool(["king_of_tokyo"])

#: By how much each source moves the chance of winning, up or down; together at most one half.
EFFECTS = {"player": 0.08, "start": 0.05, "cards": 0.1, "order": 0.15, "chance": 0.1}


def planted(rng: np.random.Generator, n_deals: int, *, equals: bool) -> np.ndarray:
    """Deals in which every source moves the chance of winning by its effect, up or down."""

    def either(*shape: int) -> np.ndarray:
        return rng.choice([-1, 1], shape)

    deals = np.zeros(n_deals, DEAL_RECORD)
    begins = either(n_deals, 1)
    deals["first_player"] = (begins[:, 0] < 0).astype(int)
    order, chance = either(n_deals, REPLAYS), either(n_deals, REPLAYS)
    order[:, :5] = order[:, :1]
    chance[:, :3] = chance[:, :1]
    moved = EFFECTS["start"] * begins + EFFECTS["cards"] * either(n_deals, 1)
    moved = moved + EFFECTS["order"] * order + EFFECTS["chance"] * chance
    if not equals:
        moved += EFFECTS["player"]
    won = rng.random((n_deals, REPLAYS)) < 0.5 + moved
    deals["result"] = np.where(won, 1, -1)
    return deals


@pytest.mark.parametrize("equals", [True, False])
def test_intervals_hold_as_often_as_they_say(equals: bool) -> None:
    """Over 200 samples the intervals of each planted part hold in 92 to 99% of them."""
    rng, n_samples = np.random.default_rng(3), 200
    sources = [source for source in EFFECTS if source != "player" or not equals]
    truth = {source: EFFECTS[source] ** 2 * 4 for source in sources}
    truth["choices"] = 1 - sum(truth.values())
    held = dict.fromkeys(truth, 0)
    for _ in range(n_samples):
        table = luck_table(planted(rng, 400, equals=equals), "one", equals=equals)
        assert list(table["source"]) == list(truth)
        assert table["share"].sum() == pytest.approx(1, abs=0.1)  # none is below 0
        rows = table.set_index("source")
        for source, share in truth.items():
            held[source] += rows["share_ci_low"][source] <= share <= rows["share_ci_high"][source]
    assert all(0.92 <= times / n_samples <= 0.99 for times in held.values()), held


def test_parts_are_those_of_a_slow_count() -> None:
    """Pairs of games by what they share, one after the other; draws count one half."""
    rng = np.random.default_rng(4)
    deals = planted(rng, 60, equals=True)
    deals["result"][rng.random((60, REPLAYS)) < 0.2] = 0
    table = luck_table(deals, "one", equals=True).set_index("source")
    groups = [(0, 1, 2), (0, 1, 2, 3, 4), tuple(range(REPLAYS))]
    sums = []
    for n, group in enumerate(groups):
        pairs = [
            pair
            for pair in combinations(group, 2)
            if not any(set(pair) <= set(smaller) for smaller in groups[:n])
        ]
        products = [deal[a] * deal[b] / 4 for deal in deals["result"].tolist() for a, b in pairs]
        sums.append(np.mean(products))
    whole = np.mean(deals["result"] ** 2) / 4
    assert table["share"]["order"] == pytest.approx((sums[1] - sums[2]) / whole)
    assert table["share"]["chance"] == pytest.approx(max(sums[0] - sums[1], 0) / whole)
    assert table["share"]["choices"] == pytest.approx((whole - sums[0]) / whole)
    assert table["spread"]["order"] == pytest.approx(np.sqrt(sums[1] - sums[2]))


def test_games_without_a_winner_leave_shares_unknown() -> None:
    """Where nobody ever wins there is nothing to divide."""
    table = luck_table(np.zeros(200, DEAL_RECORD), "one", equals=True)
    assert table["share"].isna().all() and (table["spread"] == 0).all()


def test_replays_share_what_they_say() -> None:
    """R8, R11: every replay has the cards and the starter of its game, in its order but for one.

    Without slips the same chance is the same game, dice and all.
    """
    table = compile_cards(KING_OF_TOKYO.sets, KING_OF_TOKYO.modes)
    rows, games = seat(table, ("heuristic", "heuristic")), np.arange(300)
    plain = play_rows(rows, seed=7, games=games)
    replays = {k: play_rows(rows, seed=7, games=games + k * REPLAY) for k in range(1, 7)}
    for k, replay in replays.items():
        assert (replay["first_player"] == plain["first_player"]).all()
        hands = [np.sort(one["cards"].reshape(-1, 2, 10)) for one in (replay, plain)]
        assert (hands[0] == hands[1]).all()
        same_order = (replay["cards"] == plain["cards"]).all(axis=1)
        assert same_order.all() if k % 3 else not same_order.any()
        same_dice = (replay["dice"] == plain["dice"]).all(axis=1).mean()
        assert same_dice > 0.99 if k % 3 == 1 else same_dice < 0.5
    assert (replays[3]["cards"] != replays[6]["cards"]).any()
    assert (replays[2]["dice"] != replays[5]["dice"]).any()
    slips = seat(table, ("heuristic@0.05", "heuristic@0.05"))
    one, other = (play_rows(slips, seed=7, games=games + k * REPLAY) for k in (0, 1))
    assert (one["cards"] == other["cards"]).all() and (one["turns"] != other["turns"]).any()


def test_every_order_of_the_cards_is_equally_likely() -> None:
    """R8: after shuffling, each of the ten cards is as often at each of the ten places."""
    table = compile_cards(KING_OF_TOKYO.sets, KING_OF_TOKYO.modes)
    rows, n = seat(table, ("random", "random")), 4000
    plain = play_rows(rows, seed=1, games=np.arange(n))["cards"]
    other = play_rows(rows, seed=1, games=np.arange(n) + 3 * REPLAY)["cards"]
    for player in range(2):
        mine = slice(10 * player, 10 * player + 10)
        single = [len(set(deal.tolist())) == 10 for deal in plain[:, mine]]
        before, after = plain[single, mine], other[single, mine]
        places = np.array([(after == before[:, [card]]).sum(axis=0) for card in range(10)])
        expected = len(before) / 10
        assert ((places - expected) ** 2).sum() / expected < 140  # 81 degrees of freedom


def test_players_who_think_slip() -> None:
    """Players at random need no slips, and those who make mistakes have theirs."""
    told = {one: slipping(one) for one in ("random", "greedy@0.1", "learned", "search:4")}
    assert told == {
        "random": "random",
        "greedy@0.1": "greedy@0.1",
        "learned": "learned@0.02",
        "search:4": "search:4@0.02",
    }


def test_replays_take_a_tenth_of_the_games() -> None:
    """The number of deals grows with the run, up to a limit."""
    assert [deals_for(n) for n in (79, 8_000, 100_000, 10**9)] == [0, 100, 1250, 10_000]
    assert deals_for(8_000, ("random", "my.py:first")) == 0  # a function never slips


# ---------------------------------------------------------------------------------- games of a run


def played(folder: Path, policy: str) -> Run:
    """A run whose deals are replayed."""
    return analysis.mindbug.play_run(KING_OF_TOKYO, folder, games=20, policy=policy, seed=5)


def test_an_interrupted_measurement_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is finished stays; threads and interruptions leave no trace in the table."""
    monkeypatch.setattr("analysis.mindbug.experiments.luck._BLOCK", 50)
    whole, broken = (played(tmp_path / name, "heuristic") for name in ("whole", "broken"))
    measure_luck(whole, deals=220, threads=2)

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure_luck(broken, deals=220, threads=1, on_progress=stop)
    assert read_luck(broken.folder) == {}
    left = {path: path.stat().st_mtime_ns for path in (broken.folder / "luck/deals").iterdir()}
    assert left
    table = measure_luck(broken, deals=220, threads=1)
    assert all(path.stat().st_mtime_ns == then for path, then in left.items())
    for kind in ("parquet", "csv"):
        files = [one.folder / "tables" / f"luck.{kind}" for one in (whole, broken)]
        assert files[0].read_bytes() == files[1].read_bytes()
    pd.testing.assert_frame_equal(read_luck(whole.folder)["luck"], table, check_dtype=False)
    assert list(table.columns) == list(LUCK.columns)


def test_the_first_of_the_games_of_a_deal_is_the_game_itself() -> None:
    """Deal i begins with game i of the seed, and a slice of deals is the same as a part of all."""
    table, players = compile_cards(KING_OF_TOKYO.sets, KING_OF_TOKYO.modes), ("heuristic@0.1",) * 2
    deals, later = np.zeros(100, DEAL_RECORD), np.zeros(40, DEAL_RECORD)
    Deals(table, 5, players).play(0, deals)
    Deals(table, 5, players).play(60, later)
    assert (deals[60:] == later).all()
    games = play_games(table, n_games=100, seed=5, policies=players)
    assert (deals["first_player"] == games["first_player"]).all()
    winner = np.where(games["winner"] < 0, 0, 1 - 2 * games["winner"])
    assert (deals["result"][:, 0] == winner).all()


def test_the_better_of_two_players_counts(tmp_path: Path) -> None:
    """Between different players, which of them one is decides most."""
    table = measure_luck(played(tmp_path / "run", "heuristic:random"), deals=150)
    assert set(table["policy"]) == {"heuristic:random"}
    assert table.set_index("source")["share"].idxmax() == "player"


def test_two_runs_differ_by_source(tmp_path: Path) -> None:
    """Without Mindbugs the cards decide more; a run without the table is not compared."""
    first_contact = load_pool(["first_contact"])
    without = evolve(first_contact, modes=evolve(first_contact.modes, mindbugs=0))
    runs = [
        analysis.mindbug.play_run(pool, tmp_path / str(n), games=20, policy="learned", seed=5)
        for n, pool in enumerate((first_contact, without))
    ]
    tables = [measure_luck(runs[0], deals=800).set_index("source")]
    assert compare_luck(*(run.folder for run in runs)) == {}
    tables.append(measure_luck(runs[1], deals=800).set_index("source"))
    (found,) = analysis.mindbug.compare_runs(*(run.folder for run in runs)).more.values()
    changes = found.set_index("source")
    assert list(found.columns) == list(LUCK_CHANGES.columns)
    assert (changes["change"] == tables[1]["share"] - tables[0]["share"]).all()
    assert changes["change_ci_low"]["cards"] > 0 and changes["change_ci_high"]["choices"] < 0
    reach = changes["change_ci_high"] - changes["change"]
    errors = [(table["share_ci_high"] - table["share_ci_low"]) / 2 for table in tables]
    assert reach["order"] == pytest.approx(np.hypot(*(one["order"] for one in errors)))


def test_a_table_of_another_run_is_refused(tmp_path: Path) -> None:
    """One message says what to do."""
    run, other = (played(tmp_path / name, name) for name in ("random", "greedy"))
    measure_luck(run, deals=100)
    (other.folder / "tables").mkdir(exist_ok=True)
    source = run.folder / "tables" / "luck.parquet"
    (other.folder / "tables" / "luck.parquet").write_bytes(source.read_bytes())
    with pytest.raises(RunError, match=r"belongs to another run.*repeat 'fairdeal balance'"):
        read_luck(other.folder)


def test_planted_shares_of_real_games_are_found() -> None:
    """A few runs of the experiment of docs/data/planted_truths.csv hold."""
    found = planted_luck.coverage(range(1, 13), 150, 10_000)
    assert [share.what for share in found] == ["start", "cards", "order", "chance", "choices"]
    assert not any(share.fails for share in found), found
