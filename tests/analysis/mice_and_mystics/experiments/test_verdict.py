"""What a verdict on an entry of a chapter plays and counts."""

from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from analysis.mice_and_mystics.experiments.usual import VERDICT_GAMES
from analysis.mice_and_mystics.experiments.verdict import Case, Experiment
from analysis.mice_and_mystics.experiments.verdict_effects import (
    DRAWN,
    SWAPPED,
    _within_parties,
    contrast,
)
from analysis.mice_and_mystics.experiments.verdict_tables import verdict_tables
from analysis.questions.smallest_change import Step
from analysis.runs import open_run
from analysis.simultaneous import of_enough_games
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.settings import read_settings
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.sealed import RunError

FACTS = load_facts()
SETTINGS = read_settings(FACTS, "ch1_flight_to_barksburg", [], [])
#: Few pages, so short games.
SHORT = read_settings(FACTS, "ch1_flight_to_barksburg", [], ["page_end=3"])


def case_of(kind: str, entry: str, **more: object) -> Case:
    """A question about an entry of the first chapter."""
    found = next(one for one in getattr(FACTS, kind) if one.id == entry)
    case = Case(*(FACTS, SETTINGS, kind, found), policy="heuristic", stronger="", games=2_000)
    return evolve(case, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def nez(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    """A hero who is known to help (`docs/mice_and_mystics_questions.md`)."""
    return Experiment.play(case_of("heroes", "nez"), tmp_path_factory.mktemp("nez"), threads=1)


def test_contrast_against_a_slow_count() -> None:
    """The weighted sum of means, and its error from the variances of the means and a win each."""
    rng = np.random.default_rng(1)
    values, group = rng.random(300), rng.integers(0, 3, 300)
    weights = np.array([0.5, 0.5, -1.0])
    found = contrast(values, group, weights)
    parts = [values[group == one] for one in range(3)]
    expected = sum(w * part.mean() for w, part in zip(weights, parts, strict=True))
    error = np.sqrt(
        sum(
            w**2 * (part.var(ddof=1) / len(part) + 1 / len(part) ** 2)
            for w, part in zip(weights, parts, strict=True)
        )
    )
    assert found.estimate[0] == pytest.approx(expected)
    assert found.std_err[0] == pytest.approx(error)
    assert found.n[0] == len(parts[2])


def test_games_that_all_end_alike_do_not_make_an_entry_fair() -> None:
    """No win in twenty games with it, none in twenty without: an interval, not a point."""
    group, weights = np.repeat([0, 1], 20), np.array([-1.0, 1.0])
    found = contrast(np.zeros(40), group, weights)
    assert found.ci_low[0] < -0.1 < 0.1 < found.ci_high[0]


def test_an_entry_that_few_games_have_gets_no_interval() -> None:
    """Chance alone called one in six of them too strong or too weak; see `MIN_GAMES`."""
    rng = np.random.default_rng(3)
    party, has = np.zeros(1000, np.int8), (np.arange(1000) < 60).astype(np.int64)
    few = _within_parties(party, has, 1)
    assert few is not None
    found = of_enough_games(few.effect((rng.random(1000) < 0.3).astype(np.int8)))
    assert found.n[0] == 60 and np.isnan(found.ci_low[0])


def test_the_effect_of_a_hero_is_that_of_the_table_of_heroes(nez: Experiment) -> None:
    """Parties are drawn, so the effect is what `heroes` calls the worth."""
    row = verdict_tables(nez)["verdict"].iloc[0]
    heroes = nez.tables["heuristic"]["heroes"].set_index("hero")
    assert row["method"] == DRAWN
    assert row["effect"] == pytest.approx(heroes.loc["nez", "worth"])
    assert row["effect_ci_low"] > 0.05


def test_games_that_come_out_otherwise_stand_beside_other_dice(nez: Experiment) -> None:
    """The swap's shares differ by its net; other dice alone turn many games, both ways alike."""
    row = verdict_tables(nez)["verdict"].iloc[0]
    assert row["swap_won"] - row["swap_lost"] == pytest.approx(row["swap"]) and row["swap"] > 0.02
    assert row["second"] == "" and row["chance_n"] == row["swap_n"] > 200
    error = np.sqrt((row["chance_won"] + row["chance_lost"]) / row["chance_n"])
    assert abs(row["chance_won"] - row["chance_lost"]) < 3 * error
    assert min(row["chance_won"], row["chance_lost"]) > 0.1


def test_the_effect_of_an_ability_is_found_within_parties(tmp_path: Path) -> None:
    """Who is in a party decides which abilities are dealt, and how often the party wins."""
    found = Experiment.play(case_of("abilities", "invisibility"), tmp_path, threads=1)
    row = verdict_tables(found)["verdict"].iloc[0]
    abilities = found.tables["heuristic"]["abilities"].set_index("ability")
    assert row["method"] == DRAWN
    assert row["effect"] == pytest.approx(abilities.loc["invisibility", "win_effect"], abs=0.002)
    # A change with next to no effect: the next most average one in the place of the average one.
    known = {one.name: one for one in FACTS.abilities}
    average, second = known[row["average"]], known[row["second"]]
    assert len({average.id, second.id, "invisibility"}) == 3
    put = evolve(second, id=average.id, classes=average.classes)
    facts = evolve(
        FACTS, abilities=tuple(put if one is average else one for one in FACTS.abilities)
    )
    records = found.played["heuristic"].records[: found.case.sizes.tried]
    other = play_games(
        compile_facts(facts, SETTINGS), n_games=len(records), seed=0, players=("heuristic",)
    )
    has = records["dealt"] >> FACTS.abilities.index(average) & 1 == 1
    won, then = records["outcome"] == 1, other["outcome"] == 1
    assert row["chance_n"] == has.sum()
    assert row["chance_won"] == pytest.approx((has & won & ~then).sum() / has.sum())
    assert row["chance_lost"] == pytest.approx((has & ~won & then).sum() / has.sum())


@pytest.mark.parametrize(
    ("kind", "entry", "method"), [("heroes", "nez", DRAWN), ("minions", "rat_warrior", SWAPPED)]
)
def test_a_stronger_player_has_games_of_their_own(
    tmp_path: Path, kind: str, entry: str, method: str
) -> None:
    """They choose no change, so they play one in the games that judge the entry as it is."""
    case = case_of(kind, entry, settings=SHORT, stronger="search:2", games=600, band=0.001)
    found = Experiment.play(case, tmp_path, threads=1)
    tables = verdict_tables(found)
    row, changes = tables["verdict"].iloc[1], tables["verdict_changes"]
    assert (row["policy"], row["method"], row["n_games"]) == ("search:2", method, 100)
    mine, theirs = found.played["heuristic"].run, found.played["search:2"].run
    fresh = open_run(tmp_path / "fresh/run")
    assert len({mine.seed, fresh.seed, theirs.seed}) == 3
    [change] = changes[changes["policy"] == "search:2"].to_dict("records")
    assert change["fresh"] and change["n_games"] == 100
    assert change["effect"] == pytest.approx(row["effect"] + change["difference"])


@pytest.mark.parametrize(
    ("policy", "stronger", "games"),
    [("learned", "search:16", 4_000), ("learned", "heuristic", 60_000),
     ("search:16", "search:25", 60_000)],
)  # fmt: skip
def test_a_player_who_searches_plays_fewer_games(policy: str, stronger: str, games: int) -> None:
    """Unless both do; a dry run counts them again with a change."""
    case = case_of("heroes", "nez", policy=policy, stronger=stronger, games=VERDICT_GAMES)
    assert case.players[stronger] == ("stronger", games)
    assert case.least_games[stronger] == 2 * games


def test_each_number_is_tried_one_less_and_one_more(nez: Experiment) -> None:
    """With the win rates of games that are played again with the change."""
    changes = verdict_tables(nez)["verdict_changes"]
    tried = changes[~changes["fresh"]]
    single = tried[(tried["amount"] == 1)]["change"].str.split()
    assert set(single.str[0]) == {"battle", "defense", "lore", "move", "life"}
    assert len(single) == 10
    joined = set(tried["change"]) - set(single.str.join(" "))
    assert "battle 2 \N{RIGHTWARDS ARROW} 1 and defense 1 \N{RIGHTWARDS ARROW} 0" in joined
    # A hero who is too strong gets less of what helps, never more.
    assert not any("battle 2 \N{RIGHTWARDS ARROW} 3" in one for one in joined)
    one = next(one for one in nez.tried if one.plan.steps == (Step("battle", -1),))
    facts, settings = nez.case.with_changes(one.plan.made)
    games = play_games(
        compile_facts(facts, settings), n_games=one.games, seed=0, players=("heuristic",)
    )
    before = nez.played["heuristic"].won[: one.games]
    won = games["outcome"] == 1
    assert one.overall is not None and one.overall.estimate[0] == pytest.approx(
        won.mean() - before.mean()
    )


def test_the_games_that_came_out_otherwise(nez: Experiment) -> None:
    """They have the hero, and were won; with average numbers in the place they are lost."""
    games = verdict_tables(nez)["verdict_games"]
    assert len(games) == 3 and games["won"].all()
    assert games["party"].str.contains("Nez Bellows").all()
    assert games["rounds"].is_monotonic_increasing
    played = nez.played["heuristic"]
    assert played.instead is not None and not played.instead[games["game"]].any()


@pytest.mark.parametrize(
    ("kind", "entry", "method"),
    [
        ("minions", "rat_warrior", SWAPPED),
        ("heroes", "collin", SWAPPED),
        ("encounters", "si_enc_11", DRAWN),
        ("search_cards", "si_wand", DRAWN),
    ],
)
def test_every_kind_of_entry(tmp_path: Path, kind: str, entry: str, method: str) -> None:
    """Drawn entries are compared with games without, the others with an average one."""
    found = Experiment.play(case_of(kind, entry, games=1_000, band=0.9), tmp_path, threads=1)
    row = verdict_tables(found)["verdict"].iloc[0]
    assert (row["method"], row["entry"]) == (method, entry)
    if kind == "encounters":  # the first one of too few games
        assert np.isnan(row["effect_ci_low"]) and row["verdict"] == "needs more games"
    else:
        assert row["effect_ci_low"] <= row["effect"] <= row["effect_ci_high"]
    assert not any(one.fresh for one in found.tried)
    if entry == "collin":  # whose numbers are the median of the others'
        assert row["effect"] == 0 and row["verdict"] == "fair"


def test_the_same_folder_is_of_one_question(tmp_path: Path) -> None:
    """The same question adds nothing; another is refused, with what differs."""
    case = case_of("abilities", "fortify", games=1_000, band=0.9)
    Experiment.play(case, tmp_path, threads=1)
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    Experiment.play(case, tmp_path, threads=2)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")} == files
    with pytest.raises(RunError, match="entry fortify, not feint"):
        Experiment.play(case_of("abilities", "feint", games=1_000), tmp_path, threads=1)


@pytest.mark.parametrize(
    ("steps", "label"),
    [
        ([("battle", -1), ("defense", -1)], "battle 2→1 and defense 1→0"),
        ([("life", -1), ("life", -1)], "life 4→2"),
        ([("life", -1)] * 4, None),  # nobody begins without life
    ],
)
def test_steps_make_a_changed_hero(steps: list[tuple[str, int]], label: str | None) -> None:
    """Steps on one number add up; what cannot be played is no change."""
    plan = case_of("heroes", "nez").change_of(tuple(Step(*step) for step in steps))
    arrow = " \N{RIGHTWARDS ARROW} "
    assert (plan and plan.label.replace(arrow, "→")) == label
