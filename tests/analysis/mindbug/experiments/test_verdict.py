"""What a verdict plays and counts: games with the card, changes that may do, games it decided."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from analysis.mindbug.experiments.sensitivity import average_card
from analysis.mindbug.experiments.sensitivity_games import Experiments, Laboratory
from analysis.mindbug.experiments.verdict import Case, Experiment, each_once, label_of
from analysis.mindbug.experiments.verdict_tables import verdict_tables
from analysis.questions.smallest_change import Step
from analysis.verdicts import FAIR, TOO_STRONG
from card_data.mindbug import load_pool, parse_set
from card_data.mindbug.pool import change_cards
from card_data.mindbug.schema import Card, Pool
from card_data.mindbug.variants import dealt_cards, in_place_of, variants_of, with_card
from card_data.mindbug.vocabulary import Keyword
from simcore.mindbug import compile_cards, play_games
from simcore.sealed import RunError

POOL = load_pool(["first_contact"])
GIANT = """name = "Mine"

[giant]
name = "Giant"
power = 10
keywords = ["SNEAKY", "TOUGH"]
copies = 2
"""


def card_of(pool: Pool, card_id: str) -> Card:
    """The card with an id."""
    return next(card for card in dealt_cards(pool) if card.card_id == card_id)


@pytest.fixture(scope="module")
def giant() -> Case:
    """A card that is far too strong, among random players."""
    pool = change_cards(POOL, parse_set(GIANT))
    return Case(pool, card_of(pool, "giant"), policy="random", stronger="greedy", games=6_000)


@pytest.fixture(scope="module")
def evidence(giant: Case, tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    """Everything that was played for it."""
    return Experiment.play(giant, tmp_path_factory.mktemp("giant"), threads=1)


def test_games_with_a_card_are_the_first_of_the_seed(tmp_path: Path) -> None:
    """Games in which nobody is dealt the card are passed over, the others are as they are."""
    card, table = card_of(POOL, "brain_fly"), compile_cards(POOL.sets, POOL.modes)
    asked = Experiments(POOL, "greedy", 40, 3, dealt=card.card_id)
    laboratory = Laboratory(asked, tmp_path, threads=1)
    base, numbers = laboratory.play_base(), laboratory.numbers
    every = play_games(table, n_games=int(numbers[-1]) + 1, seed=3, policies=("greedy", "greedy"))
    row = [one.card_id for one in table.cards].index(card.card_id)
    assert list(numbers) == list(np.flatnonzero((every["cards"] == row).any(axis=1)))
    for name in ("winner", "turns", "first_player", "cards"):
        assert (base[name] == every[name][numbers]).all()
    weaker = evolve(card, power=1)
    [outcome] = laboratory.play([weaker])
    changed = with_card(POOL, weaker)
    again = play_games(
        compile_cards(changed.sets, changed.modes),
        n_games=len(every),
        seed=3,
        policies=("greedy", "greedy"),
    )
    assert (outcome["winner"] == again["winner"][numbers]).all()
    with pytest.raises(ValueError, match="dealt alike"):
        laboratory.play_pools([with_card(POOL, evolve(card, copies=3))])
    with pytest.raises(RunError, match="dealt"):
        Laboratory(evolve(asked, dealt=""), tmp_path)


@pytest.mark.parametrize(
    ("changed", "label"),
    [
        ({"power": 4}, "power 5 \N{RIGHTWARDS ARROW} 4"),
        ({"keywords": frozenset()}, "without HUNTER"),
        ({"keywords": frozenset({Keyword.HUNTER, Keyword.TOUGH})}, "with TOUGH"),
        (
            {"power": 3, "keywords": frozenset({Keyword.SNEAKY})},
            "power 5 \N{RIGHTWARDS ARROW} 3 and without HUNTER and with SNEAKY",
        ),
    ],
)
def test_changes_in_words(changed: dict[str, Any], label: str) -> None:
    """A change is named by what it takes and gives."""
    card = card_of(POOL, "killer_bee")
    assert label_of(card, evolve(card, **changed)) == label


@pytest.mark.parametrize(("card", "twice"), [("luchataur", {"-all"}), ("killer_bee", set())])
def test_no_change_is_tried_twice(card: str, twice: set[str]) -> None:
    """Without its only keyword a card has none and no text, which is not tried again."""
    variants = variants_of(card_of(POOL, card), card_of(POOL, "lone_yeti"), ("keywords", "lines"))
    left_out = {one.change for one in variants} - {one.change for one in each_once(variants)}
    assert left_out == twice


LESS, MORE = Step("power", -1), Step("power", 1)
HUNTER, TOUGH = Step("HUNTER", -1, 2), Step("TOUGH", 1, 2)


@pytest.mark.parametrize(
    ("steps", "label", "amount"),
    [
        ((LESS, LESS, HUNTER), "power 5 \N{RIGHTWARDS ARROW} 3 and without HUNTER", 4),
        ((TOUGH,), "with TOUGH", 2),
        ((HUNTER, HUNTER), None, 4),  # a keyword can be taken off once
        ((LESS,) * 6, None, 6),  # no card has so little power
        ((MORE,) * 3, "power 5 \N{RIGHTWARDS ARROW} 8", 3),
    ],
)
def test_steps_make_a_changed_card(steps: tuple[Step, ...], label: str | None, amount: int) -> None:
    """Steps of power add up, a keyword is taken off or given once."""
    plan = Case(POOL, card_of(POOL, "killer_bee")).change_of(steps)
    assert (plan and plan.label) == label
    assert plan is None or plan.amount == amount


def test_numbers_of_games_follow_from_what_was_asked() -> None:
    """More games of a pool of many cards, fewer of players who search, all in proportion."""
    case = Case(POOL, card_of(POOL, "killer_bee"))
    assert case.sizes.run == 100_000
    several = load_pool(["first_contact", "new_servants", "beyond_eternity"])
    assert 100_000 < Case(several, case.card).sizes.run <= 300_000
    more = evolve(case, games=4 * case.sizes.run)
    assert more.sizes.tried == 4 * case.sizes.tried
    assert more.sizes.fresh == 4 * case.sizes.fresh
    assert more.sizes.stronger == pytest.approx(4 * case.sizes.stronger, abs=3)
    copies = sum(card.copies for card in dealt_cards(POOL))
    nobody = (copies - 20) * (copies - 21) / (copies * (copies - 1))  # is dealt one of its two
    assert case.sizes.stronger == pytest.approx(20_000 * (1 - nobody), abs=1)
    searching = evolve(case, policy="search:16", stronger="")
    assert searching.sizes.run == case.sizes.run // 5
    assert searching.players == {"search:16": ("run", searching.sizes.run)}


def test_a_planted_giant_is_too_strong(evidence: Experiment) -> None:
    """The verdict, the swap and the changes agree with what was planted."""
    tables = verdict_tables(evidence)
    assert list(tables["verdict"]["policy"]) == ["random", "greedy"]
    assert set(tables["verdict"]["verdict"]) == {TOO_STRONG}
    value = tables["sensitivity"].query("kind == 'value' and measure == 'dealt'").iloc[0]
    assert value["difference_ci_high"] < 0
    first = tables["verdict"].iloc[0]
    net, by_chance = (first[f"{one}_won"] - first[f"{one}_lost"] for one in ("swap", "chance"))
    assert net == pytest.approx(-value["difference"], abs=0.03) and net > 0.05
    assert abs(by_chance) < net / 2 < first["chance_won"]  # a swap of average cards turns many
    assert tables["verdict"]["swap_won"].isna().tolist() == [False, True]
    changes = tables["verdict_changes"]
    assert changes.query("~fresh")["change"].is_unique
    assert {"without SNEAKY", "without TOUGH"} <= set(changes["change"])
    assert "without SNEAKY and TOUGH" in set(
        changes["change"]
    )  # of the size of four steps of power
    assert set(changes.query("fresh")["policy"]) == {"random", "greedy"}
    place = tables["verdict_place"]
    assert (place[place["asked"]]["card_id"] == "giant").all()
    assert len(place[place["change"] == ""]) == 2 * 33


def test_one_average_card_is_chosen_for_every_command() -> None:
    """The nearest to one half, of those that can lie in another's place; no number is no rate."""
    rates = {"killer_bee": 0.51, "snail_thrower": 0.495, "lone_yeti": float("nan")}
    assert average_card(POOL, rates).card_id == "snail_thrower"
    assert average_card(POOL, rates, ["snail_thrower"]).card_id == "killer_bee"


def test_the_table_of_changes_against_a_slow_count(evidence: Experiment) -> None:
    """Win rates and differences are those of games played again one by one."""
    case, changes = evidence.case, verdict_tables(evidence)["verdict_changes"]
    row = changes.query("~fresh and change == 'without SNEAKY'").iloc[0]
    changed = evolve(case.card, keywords=case.card.keywords - {Keyword.SNEAKY})
    rates = []
    for pool in (with_card(case.pool, changed), case.pool):
        table = compile_cards(pool.sets, pool.modes)
        place = [card.card_id for card in table.cards].index("giant")
        games = play_games(table, n_games=int(evidence.numbers[-1]) + 1, seed=0)
        points = [
            0.5 if game["winner"] < 0 else float(game["winner"] == player)
            for game in games
            for player in (0, 1)
            if place in game["cards"][10 * player : 10 * player + 10]
        ]
        rates.append(float(np.mean(points)))
    assert row["n"] == len(points)
    assert row["win_rate"] == pytest.approx(rates[0])
    assert row["difference"] == pytest.approx(rates[0] - rates[1])
    assert row["win_rate_ci_low"] < row["win_rate"] < row["win_rate_ci_high"]


def test_the_games_that_the_card_decided(evidence: Experiment) -> None:
    """Each goes the other way when it is played again with the average card in its place."""
    case, table = evidence.case, verdict_tables(evidence)["verdict_games"]
    assert len(table) == 3 and table["won"].all()
    swapped = with_card(case.pool, in_place_of(case.card, evidence.reference))
    for _, row in table.iterrows():
        results = []
        for pool in (case.pool, swapped):
            cards = compile_cards(pool.sets, pool.modes)
            [game] = play_games(cards, n_games=1, first_game=row["game"])
            results.append(game["winner"] == row["player"])
        assert results == [True, False]
        assert row["turn_played"] <= row["turns"]


def test_pairs_are_those_of_the_card_alone(evidence: Experiment) -> None:
    """Every pair and matchup of the card stands there once, corrected among themselves."""
    pairs = verdict_tables(evidence)["verdict_pairs"]
    assert (pairs["card_a"] == "giant").all()
    assert len(pairs) == 33 + 32  # with itself as well, which has two copies
    assert not pairs.duplicated(["card_b", "opposed"]).any()


def test_a_balanced_card_gets_no_proposal(tmp_path: Path) -> None:
    """Nothing is played on fresh deals for a card inside the band."""
    card = card_of(POOL, "plated_scorpion")
    case = Case(POOL, card, policy="random", stronger="", band=0.2, games=2_000)
    found = Experiment.play(case, tmp_path, threads=1)
    assert found.proposal is None and not any(one.fresh for one in found.tried)
    assert not (tmp_path / "fresh").exists()
    tables = verdict_tables(found)
    assert list(tables["verdict"]["verdict"]) == [FAIR]
    assert "skill_cards" not in tables
    assert len(tables["verdict_games"]) == 3


def test_the_same_folder_is_of_one_question(tmp_path: Path) -> None:
    """Another card or player is refused, with what differs; the same question adds nothing."""
    card = card_of(POOL, "killer_bee")
    case = Case(POOL, card, policy="random", stronger="", games=1_000)
    Experiment.play(case, tmp_path, threads=1)
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    Experiment.play(case, tmp_path, threads=2)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")} == files
    other = evolve(case, card=card_of(POOL, "brain_fly"))
    with pytest.raises(RunError, match="killer_bee, not brain_fly"):
        Experiment.play(other, tmp_path, threads=1)


def test_parts_are_counted_while_tables_are_made(tmp_path: Path) -> None:
    """Progress names its unit: what is analysed are parts of a run, not games."""
    case = Case(POOL, card_of(POOL, "ferret_bomber"), policy="random", stronger="", games=100)
    counted: dict[str, str] = {}

    @contextmanager
    def watch(doing: str, /, unit: str = "games") -> Iterator[Callable[[int, int], None]]:
        counted[doing] = unit
        yield lambda _done, _total: None

    Experiment.play(case, tmp_path, threads=1, watch=watch)
    assert counted.pop("analysing") == "parts"
    assert set(counted.values()) == {"games"}
