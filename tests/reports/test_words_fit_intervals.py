"""No word contradicts the interval beside it: made-up results of both games in every format."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from attrs import evolve

import analysis.mindbug
import reports.mindbug
from analysis.verdicts import VERDICTS, changes, verdicts
from reports.balance.formats import write_formats
from reports.games import reports_of
from reports.mindbug.balance import text as mindbug_words
from reports.mindbug.balance.run_report import read_report
from reports.mindbug.compare.page import write_compare_page
from reports.mindbug.compare.text import findings as compared
from reports.mindbug.compare.text import headline, overview, record_lines
from reports.studio import history
from reports.studio.bench import Tried
from reports.studio.live import play_stage
from reports.studio.measure import Seen
from reports.studio.trial_views import tried_part
from reports.studio.views import answer_part
from reports.studio.work import PLAY, Asked, Games, Work
from support.fitting_words import (
    contradictions,
    json_contradictions,
    old_words,
    page_contradictions,
)
from support.mice_reported import report_of
from support.mice_reported import tables_of as mice_tables
from support.planted_mice import Planted, run_facts
from support.studio import HERO
from support.synthetic import synthetic_cards, synthetic_games, synthetic_run


def check_text(text: str) -> None:
    """No contradiction and no old word."""
    assert contradictions(text) == []
    assert old_words(text) == []


def check_page(path: Path, *, equals: bool = True) -> None:
    """The same of a page."""
    html = path.read_text()
    assert page_contradictions(html, equals=equals) == []
    assert old_words(html) == []


def some_run(
    folder: Path, seed: int, *, spread: float = 0.02, draws: float = 0.0, players=("random",) * 2
) -> Path:
    """A run of cards that are worth something or nothing, at random."""
    rng = np.random.default_rng(seed)
    n_games = int(rng.choice([150, 1500, 6000]))
    worth = rng.normal(0, spread, 16)
    cards = synthetic_cards()
    games = synthetic_games(cards, n_games, seed=seed, worth=worth, draw_rate=draws)
    return synthetic_run(folder, cards, games, policies=players)


@pytest.mark.parametrize(
    ("seed", "more"), [(1, {}), (5, {"draws": 0.6}), (7, {"players": ("greedy", "random")})]
)
def test_a_report_of_mindbug(ask, tmp_path: Path, seed: int, more: dict) -> None:
    """Page, Markdown, what the console says and JSON."""
    folder = some_run(tmp_path / "run", seed, **more)
    cards = analysis.mindbug.analyze(folder)["cards"]
    for _, mine in cards.groupby("policy"):
        ends, band = (mine["advantage_ci_low"], mine["advantage_ci_high"]), mine["band"].iloc[0]
        assert list(mine["verdict"]) == list(verdicts(*ends, band=band))
        assert band == pytest.approx(0.02 * (1 - more.get("draws", 0)), rel=0.02)
    reports.mindbug.write_reports(folder, ("html", "md"))
    check_page(folder / "report.html", equals="players" not in more)
    check_text((folder / "report.md").read_text())
    report = read_report(folder)
    check_text(
        ". ".join([report.headline, *(one.text for one in mindbug_words.findings(report.tables))])
    )
    assert not list(json_contradictions(ask("analyze", str(folder), "--json").json))


@pytest.mark.parametrize("seed", range(2))
def test_a_comparison_of_mindbug(tmp_path: Path, seed: int) -> None:
    """Page, terminal, diary and table of two versions, alike or not."""
    rng = np.random.default_rng(seed)
    cards, n_games = synthetic_cards(), int(rng.choice([300, 4000]))
    worth = rng.normal(0, 0.02, 16)
    sides = []
    for name, add in (("base", 0.0), ("variant", rng.choice([0.0, 0.06]))):
        changed = worth + add * (np.arange(16) == 3)
        games = synthetic_games(cards, n_games, seed=1, worth=changed)
        sides.append(synthetic_run(tmp_path / name, cards, games, seed=1))
    for together in (False, True):
        found = analysis.mindbug.compare_runs(*sides, simultaneous=together, threads=1)
        table = found.table
        ends = table["difference_ci_low"], table["difference_ci_high"]
        assert list(table["verdict"]) == list(changes(*ends, band=table["band"]))
        assert not list(json_contradictions(table.to_dict("records")))
        check_page(write_compare_page(found, tmp_path / f"page{together}", "fairdeal compare"))
        told = [headline(found), *(one.text for one in (*compared(found), *overview(found)))]
        check_text(". ".join([*told, *record_lines(found, "why", "today", "fairdeal compare")]))


def write_small_set() -> None:
    """A file with eight creatures that differ in power alone."""
    cards = (
        f'[card_{power}]\nname = "Card {power}"\npower = {power}\ncopies = 4\n'
        for power in range(2, 10)
    )
    Path("small.toml").write_text('name = "Small"\n\n' + "\n".join(cards))


@pytest.mark.parametrize(("card", "games"), [("all", 60), ("card_5", 400), ("card_5", 2000)])
def test_a_sensitivity_analysis_of_mindbug(ask, card: str, games: int) -> None:
    """Page, terminal and JSON, of few games and of enough to settle something."""
    write_small_set()
    asked = ["sensitivity", card, "small.toml", "--games", str(games), "--policy", "random"]
    check_text(ask(*asked, "--out", "here").done().out)
    check_page(Path("here/sensitivity.html"))
    assert not list(json_contradictions(ask(*asked, "--out", "here", "--json").json))


@pytest.mark.parametrize("card", ["card_2", "card_5"])
def test_a_verdict_of_mindbug(ask, card: str) -> None:
    """Page, terminal and JSON of a card at the end of its set and of one in the middle."""
    write_small_set()
    asked = ["verdict", card, "small.toml", "--policy", "random", "--stronger", "none"]
    asked += ["--games", "1000", "--out", "here"]
    check_text(ask(*asked).done().out)
    check_page(Path("here/verdict.html"))
    assert not list(json_contradictions(ask(*asked, "--json").json))


@pytest.mark.parametrize("seed", range(2))
def test_a_report_of_mice_and_mystics(tmp_path: Path, seed: int) -> None:
    """Page, Markdown and tables of a chapter with planted heroes, cards and encounters."""
    rng = np.random.default_rng(seed)
    planted = Planted(
        base=0.4,
        heroes={"nez": rng.normal(0, 0.1)},
        dealt={"dodge": rng.normal(0, 0.1)},
        first={"si_enc_03": rng.normal(0, 0.2)},
        top8={"grape": rng.normal(0, 0.1)},
    )
    of, n_games = run_facts(parties="any"), int(rng.choice([400, 20_000]))
    tables = mice_tables(of, planted, n_games, seed)
    for name, column in (("heroes", "worth"), ("parties", "over_average"),
                         ("encounters", "win_effect"), ("abilities", "win_effect"),
                         ("search_cards", "win_effect")):  # fmt: skip
        table: pd.DataFrame = tables[name]
        ends = table[f"{column}_ci_low"], table[f"{column}_ci_high"]
        expected = verdicts(*ends, band=0.02, of_foe=name == "encounters")
        assert list(table["verdict"]) == list(expected) and set(expected) <= set(VERDICTS)
    report = report_of(tmp_path, of, tables, n_games)
    write_formats(report, ("html", "md"))
    check_page(tmp_path / "report.html")
    check_text((tmp_path / "report.md").read_text())
    check_text(report.headline)


#: What is written in the studio: a card and a hero that are stronger than their games have them.
STUDIO_FILES = {
    "mindbug": (
        "killer_bee",
        'name = "Mine"\n\n[killer_bee]\nname = "Killer Bee"\npower = 10\ncopies = 2\n'
        'keywords = ["SNEAKY", "TOUGH"]\n',
    ),
    "mice_and_mystics": ("nez", HERO),
}


def bench_of(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Asked]:
    """What a game shows in the studio, and a question about the entry of a file of it."""
    monkeypatch.chdir(tmp_path)
    entry, text = STUDIO_FILES[game]
    for saved in (text.replace("power = 10", "power = 3").replace("life = 4", "life = 1"), text):
        Path("mine.toml").write_text(saved)
        history.keep(history.place("mine.toml"), "mine.toml", saved)
    bench: Any = reports_of(game).studio
    weak = {"mindbug": "random", "mice_and_mystics": "heuristic"}[game]
    chosen = {one.name: one.usual for one in bench.choices()} | {"player": weak}
    return bench, Asked(game, "mine.toml", entry, chosen, {entry: ""})


def check_fragment(html: str) -> None:
    """The same of a part of the studio's page, and that there is something to contradict."""
    assert page_contradictions(html) == []
    assert old_words(html) == []
    assert " to " in html


@pytest.mark.parametrize("of_all", [False, True], ids=["entry", "all"])
@pytest.mark.parametrize("game", STUDIO_FILES)
def test_games_that_are_watched_in_the_studio(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, of_all: bool
) -> None:
    """At every look: of few games, and of enough to settle something."""
    bench, asked = bench_of(game, tmp_path, monkeypatch)
    asked = evolve(asked, entry="" if of_all else asked.entry)
    [stage] = bench.stages(Path(asked.file), asked.entry, asked.chosen)
    looks: list[Seen] = []
    eye = SimpleNamespace(begin=lambda _: None, see=looks.append, headline="")
    play_stage(game, stage, 32_768, eye)
    assert len(looks) > 1
    for place in range(len(looks)):
        games = Games(stage, looks=looks[: place + 1])
        check_fragment(answer_part(Work(asked, PLAY, played=[games]), bench))


@pytest.mark.parametrize("name", ["compare", "sensitivity"])
@pytest.mark.parametrize("game", STUDIO_FILES)
def test_experiments_in_the_studio(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, name: str
) -> None:
    """Whatever they show while they go on, and in the end."""
    bench, asked = bench_of(game, tmp_path, monkeypatch)
    trial = bench.trials[name]
    more = {one.name: one.usual for one in trial.choices} | {"games": "400"}
    asked = evolve(asked, more={**more, "against": "1", "why": ""})
    shown: list[Tried] = []
    trial.do(asked, shown.append)
    for tried in shown:
        html = tried_part(name, Work(asked, name, tried=tried), bench)
        assert page_contradictions(html) == []
        assert old_words(html) == []
    check_fragment(html)


@pytest.mark.parametrize(("life", "games"), [(1, 2000), (4, 60), (5, 400)])
def test_a_comparison_of_mice_and_mystics(ask, life: int, games: int) -> None:
    """Page, terminal, diary and JSON of a hero with other numbers, by few games and by enough."""
    Path("mine.toml").write_text(HERO.replace("life = 4", f"life = {life}"))
    chapter = "ch1_flight_to_barksburg"
    asked = ["compare", chapter, f"{chapter}+mine.toml", "--policy", "heuristic"]
    asked += ["--games", str(games), "--out", "here"]
    check_text(ask(*asked, "--record", "diary.md", "--why", "to see").done().out)
    check_text(Path("diary.md").read_text())
    check_page(Path("here/compare.html"))
    assert not list(json_contradictions(ask(*asked, "--json").json))
