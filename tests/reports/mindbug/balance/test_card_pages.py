"""The pages of single cards: their text, their games to read, and what other analyses add."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest

import analysis.mindbug
import reports.mindbug
from analysis.mindbug.experiments.sensitivity import read_sensitivity, write_sensitivity
from analysis.mindbug.experiments.sensitivity_games import Experiments, Laboratory
from analysis.mindbug.registry import TABLES
from analysis.mindbug.replays import sample_games
from analysis.mindbug.selections import BEATS, IN_THE_WAY, SELECTIONS, TOGETHER
from analysis.verdicts import NEEDS_GAMES, NOT_SETTLED, TOO_STRONG, TOO_WEAK
from card_data.mindbug.schema import Pool
from reports.cli.app import run
from reports.kit.cells import Scale
from reports.kit.words import between, count, percent
from reports.mindbug.balance.card_pages import (
    advantage_scale,
    card_pages,
    end_of_story,
    rate_scale,
    told_cards,
)
from reports.mindbug.balance.stories import stories_of
from simcore.sealed import RunError
from support.reported import make_run
from support.resealed import edit_entries


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An analysed run of made-up games."""
    return make_run(tmp_path_factory.mktemp("pages") / "run", [], 5000)


@pytest.fixture(scope="module")
def tables(folder: Path) -> dict[str, pd.DataFrame]:
    """Its tables."""
    return analysis.mindbug.read_tables(folder)


def pages_of(folder: Path, tables: dict[str, pd.DataFrame]) -> dict[str, dict]:
    """The pages of a run by the ids of the cards."""
    opened = analysis.mindbug.open_run(folder)
    found = card_pages(opened.pool(), tables, sample_games(opened), {}, opened)
    return {page["target"].removeprefix("card-"): page for page in found.pages}


def values_table(worth: float, **more: object) -> pd.DataFrame:
    """The table ``values`` of a sensitivity analysis with one card."""
    row: dict[str, object] = dict.fromkeys(TABLES["values"].columns, math.nan)
    row |= {"card_id": "card_03", "reference": "card_05", "policy": "heuristic", "n": 1234}
    row |= {"value": worth, "value_ci_low": worth - 0.01, "value_ci_high": worth + 0.01, **more}
    return pd.DataFrame([row])


def changes_table() -> pd.DataFrame:
    """The table ``sensitivity`` with a change of power and of the length of games."""
    row: dict[str, object] = dict.fromkeys(TABLES["sensitivity"].columns, math.nan)
    row |= {"card_id": "card_03", "kind": "power", "label": "power +1", "n": 1234}
    row |= {"difference": 0.021, "difference_ci_low": 0.011, "difference_ci_high": 0.031}
    return pd.DataFrame([row | {"measure": "dealt"}, row | {"measure": "mean_turns"}])


def test_scale_places_values() -> None:
    """Values lie on the axis in per cent, and at its ends beyond them."""
    scale = Scale(0.4, 0.6)
    assert [scale.place(value) for value in (0.4, 0.45, 0.6, 0.7, 0.1)] == [
        *("0", "25", "100", "100", "0")
    ]


def test_axes_have_room_for_intervals(tables: dict[str, pd.DataFrame]) -> None:
    """No interval is cut at an end of an axis, but that of a rate which says next to nothing."""
    cards = tables["cards"].assign(policy="random")
    ends = [f"advantage_ci_{end}" for end in ("low", "high")]
    axes = [(advantage_scale(cards, None), cards[ends])]
    for one in SELECTIONS:
        rates = cards[[f"{one.name}_ci_{end}" for end in ("low", "high")]].dropna()
        known = rates[rates.diff(axis=1).iloc[:, -1] < 0.15]
        axes.append((rate_scale(cards), known))
    for axis, found in axes:
        assert found.min(axis=None) >= axis.low and found.max(axis=None) <= axis.high


def test_pages_follow_strength(folder: Path, tables: dict[str, pd.DataFrame]) -> None:
    """The pages are in the order of the table, each with its neighbours."""
    pages = list(pages_of(folder, tables).values())
    ranked = tables["cards"].sort_values("dealt_win_rate", ascending=False)
    assert [page["name"] for page in pages] == list(ranked["name"])
    assert pages[0]["before"] is None and pages[-1]["after"] is None
    for page, following in pairwise(pages):
        assert page["after"] == (following["target"], following["name"])
        assert following["before"] == (page["target"], page["name"])


def test_page_says_how_the_card_fares_in_either_seat(
    folder: Path, tables: dict[str, pd.DataFrame]
) -> None:
    """Both win rates stand beside those of the average card, and the gain as its interval is."""
    page = pages_of(folder, tables)["card_03"]
    seats = tables["card_seats"].set_index("card_id").loc["card_03"]
    [words] = [one["words"] for one in page["players"]]
    for seat in ("first", "second"):
        for rate in (f"{seat}_win_rate", f"average_{seat}_win_rate"):
            assert percent(seats[rate]) in words
    assert f"{100 * abs(seats['gain']):.1f} points" in words
    assert (NOT_SETTLED in words) == (seats["gain_ci_low"] < 0 < seats["gain_ci_high"])


def test_page_of_a_card_says_what_the_overview_says(
    folder: Path, tables: dict[str, pd.DataFrame]
) -> None:
    """One verdict and one interval, which hold for all cards together; what Mindbugs are of."""
    pages = pages_of(folder, tables)
    for _, card in tables["cards"].iterrows():
        [page] = pages[card["card_id"]]["players"]
        average = card["dealt_win_rate"] - card["advantage"]
        ends = [average + card[f"advantage_ci_{end}"] for end in ("low", "high")]
        assert page["words"].count(f"({between(*ends)})") == 1
        assert re.findall(r"Verdict: ([^,]+),", page["words"]) == [card["verdict"]]
        assert page["rates"][0].cell.ends == pytest.approx(ends)
        taken = f"on {percent(card['mindbug_rate'])} of {count(card['mindbug_n'])} plays"
        assert f"Opponents who still had a Mindbug took it {taken}" in page["words"]


def test_page_says_what_was_found_by_experiment(
    folder: Path, tables: dict[str, pd.DataFrame]
) -> None:
    """Worth against the reference and changes of a card are on its page, and on no other."""
    more = {"values": values_table(0.0312), "sensitivity": changes_table()}
    pages = pages_of(folder, tables | more)
    lines = pages["card_03"]["sensitivity"]["lines"]
    assert [(line.heading, line.cell.text, line.n) for line in lines] == [
        ("worth, against Card 5 in its place", "+3.12", "1,234"),
        ("power +1", "+2.10", "1,234"),
    ]
    assert pages["card_04"]["sensitivity"] is None
    of_itself = pages_of(folder, tables | more | {"values": values_table(0, reference="card_03")})
    assert [line.heading for line in of_itself["card_03"]["sensitivity"]["lines"]] == ["power +1"]


def test_page_names_shown_pairs(folder: Path, tables: dict[str, pd.DataFrame]) -> None:
    """Both cards of a pair that is shown name each other; against each other the sign turns."""
    rows = [
        ("card_01", "card_02", 0.04, 900, TOGETHER),
        ("card_01", "card_03", 0.09, 900, NEEDS_GAMES),
        ("card_04", "card_04", -0.02, 100, IN_THE_WAY),
    ]
    shown = pd.DataFrame(rows, columns=["card_a", "card_b", "shrunk", "n", "verdict"])
    table = pd.DataFrame(0.0, index=shown.index, columns=list(TABLES["card_pairs"].columns))
    table = table.assign(**shown, policy="random", name_a="", name_b="")
    table["shrunk_ci_low"], table["shrunk_ci_high"] = shown["shrunk"] - 0.01, shown["shrunk"] + 0.01
    names = {f"card_{number:02}": f"Card {number}" for number in range(16)}
    for side in ("a", "b"):
        table[f"name_{side}"] = table[f"card_{side}"].map(names)
    beats = table.head(1).assign(verdict=BEATS)
    pages = pages_of(folder, tables | {"card_pairs": table, "card_matchups": beats})

    def told(card_id: str) -> list[tuple[str, str, str]]:
        return [
            (line.heading, line.cell.text, line.cell.interval.replace("\N{THIN SPACE}", ""))
            for line in pages[card_id]["pairs"]
        ]

    assert told("card_01") == [
        ("together with Card 2", "+4.0", "+3.0 to +5.0"),
        ("against Card 2", "+4.0", "+3.0 to +5.0"),
    ]
    assert told("card_02") == [
        ("together with Card 1", "+4.0", "+3.0 to +5.0"),
        ("against Card 1", "−4.0", "−5.0 to −3.0"),
    ]
    assert told("card_03") == []
    assert told("card_04") == [("together with Card 4", "−2.0", "−3.0 to −1.0")]


def write_analysis(folder: Path, pool: Pool) -> None:
    """A finished sensitivity analysis of a pool."""
    Laboratory(Experiments(pool, games=10), folder)
    write_sensitivity({"values": values_table(0.0312), "sensitivity": changes_table()}, folder)


def test_sensitivity_beside_the_run_is_read(tmp_path: Path) -> None:
    """An analysis of the same pool in the folder of the run goes into the report, another not."""
    folder = make_run(tmp_path / "run", [], 500)
    assert "By experiment" not in reports.mindbug.write_report(folder).read_text()
    run = analysis.mindbug.open_run(folder)
    write_analysis(folder / "sensitivity", run.pool())
    page = reports.mindbug.write_report(folder).read_text()
    assert page.count("By experiment, on the same deals (heuristic)") == 1
    edit_entries(folder / "sensitivity" / "sensitivity.json", pool_hash="another")
    with pytest.raises(RunError, match="sensitivity is an analysis of other cards or modes"):
        reports.mindbug.write_report(folder)
    (folder / "sensitivity" / "sensitivity.json").write_text("[1")
    with pytest.raises(RunError, match="json is damaged: it is not JSON"):
        read_sensitivity(folder / "sensitivity", run.manifest["pool_hash"])


def test_cards_that_stand_out_are_told(tables: dict[str, pd.DataFrame]) -> None:
    """Games are told of the cards furthest from the average, of a few and of no others."""
    cards = tables["cards"].assign(verdict="fair")
    assert told_cards(cards).empty
    cards["verdict"] = [
        TOO_WEAK if advantage < 0 else TOO_STRONG for advantage in cards["advantage"]
    ]
    told = told_cards(cards)["advantage"].abs()
    assert 0 < len(told) < len(cards)
    assert told.min() >= cards["advantage"].abs().drop(told.index).max()


def test_end_of_a_story() -> None:
    """From a turn on, without options and positions; the middle of a long story is left out."""
    lines = [
        "Turn 1: player 0",
        "  Player 0 plays Seed from hand.",
        "",
        "Turn 2: player 1 (extra turn)",
        "  Player 0: life 3, Mindbugs 2, hand 5, draw pile 5, discard pile 0; in play: nothing",
        "  Power cards: none; in the power deck 3",
        "  ? Player 1 chooses an action: [play Tree]",
        "  Player 1 plays Tree from hand.",
        "",
        "Player 1 wins: player 0 has no life left.",
    ]
    assert [tuple(line) for line in end_of_story(lines, 2)] == [
        ("Turn 2: player 1 (extra turn)", True),
        ("Player 1 plays Tree from hand.", False),
        ("Player 1 wins: player 0 has no life left.", False),
    ]
    told = end_of_story(["Turn 1: player 0", *("  Nothing happens.",) * 200, "The end."], 1)
    assert len(told) < 60
    assert (told[0].text, told[-1].text) == ("Turn 1: player 0", "The end.")
    assert sum(line.text == "…" for line in told) == 1


def test_stories_are_of_the_card_and_its_player(tmp_path: Path) -> None:
    """In a run that was played, each story begins with the card and ends as the page says."""
    folder = tmp_path / "run"
    assert (
        run(
            [
                *("simulate", "first_contact", "--policy", "random", "--games", "400"),
                *("--out", str(folder)),
            ]
        )
        == 0
    )
    cards = analysis.mindbug.analyze(folder)["cards"]
    cards["verdict"] = [
        TOO_WEAK if advantage < 0 else TOO_STRONG for advantage in cards["advantage"]
    ]
    opened = analysis.mindbug.open_run(folder)
    games = sample_games(opened)
    stories = stories_of(opened, opened.pool(), cards, games)
    told = told_cards(cards).set_index("card_id")
    assert 1 < len(stories) <= len(told)
    mine = games[games["game"].isin(stories) & games["card_id"].isin(told.index)]
    mine = mine[mine["won"] == (mine["card_id"].map(told["advantage"]) > 0)]
    assert set(mine["game"]) == set(stories)
    for row in mine.itertuples():
        lines = [line.text for line in stories[row.game]]
        name = told.loc[row.card_id, "name"]
        first = lines.index(next(line for line in lines[1:] if line.startswith("Turn ")), 1)
        if row.turn_played < row.turns:
            assert lines[0].startswith(f"Turn {row.turn_played}: player {row.player}")
            assert any(
                line.startswith(f"Player {row.player} plays {name}") for line in lines[:first]
            )
        winner = row.player if row.won else 1 - row.player
        assert any(line.startswith(f"Player {winner} wins") for line in lines)
