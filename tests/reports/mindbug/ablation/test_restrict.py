"""The command `restrict`: plays, goes on, refuses; chart and page show what the table says."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pandas as pd
import pytest
from matplotlib.container import ErrorbarContainer

from analysis.mindbug.experiments.ablation import (
    RESTRICTED_DEAL,
    RestrictedGames,
    restrictions_table,
)
from reports.cli.app import run
from reports.mindbug.ablation import findings, plot_costs, verdict
from support.reported import every_kind

QUESTION = "restrict", "first_contact", "--policy", "heuristic", "--games", "200"
CHOSEN = "--restrictions", "Blocks, mindbugs"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Restricted play that was played and reported."""
    folder = tmp_path_factory.mktemp("restrict") / "run"
    with every_kind():
        assert run([*QUESTION, "--out", str(folder)]) == 0
    return folder


@pytest.fixture
def table(finished: Path) -> pd.DataFrame:
    """Its table."""
    return pd.read_parquet(finished / "tables/restrictions.parquet")


def made_up(shares: dict[str, float], n_deals: int = 1000, **counts: int) -> pd.DataFrame:
    """A table of restrictions with which the player won these shares of the games."""
    games = []
    for word, share in shares.items():
        deals = np.zeros(n_deals, RESTRICTED_DEAL)
        won = np.arange(2 * n_deals) < round(2 * n_deals * share)
        deals["result"] = np.where(won, 1, -1).reshape(2, n_deals).T
        deals["decisions"] = 20
        for name, number in ({"barred": 3} | counts).items():
            deals[name] = number
        games.append(RestrictedGames(word, deals, 1.0))
    return restrictions_table("heuristic", games)


def test_restricted_play_leaves_a_whole_folder(finished: Path, table: pd.DataFrame) -> None:
    """Games, pool, table, chart and page; only what the pool has is played."""
    names = {path.relative_to(finished).as_posix() for path in finished.rglob("*.*")}
    assert names == {
        *("about.json", "checksums.json", "figures/made.json"),
        *(
            "restrict.json",
            "timings.json",
            "restrict.html",
            "pool.toml",
            "cards/first_contact.toml",
        ),
        *(f"pairs/pair-{number:02}.parquet" for number in range(11)),
        *(
            f"tables/{name}.{kind}"
            for name in ("restrictions", "speed")
            for kind in ("csv", "parquet")
        ),
        *(f"figures/costs.{kind}" for kind in ("svg", "png", "pdf")),
    }
    assert set(table["restriction"]) == {
        *("mindbugs", "blocks", "attacks", "repeats", "hunts", "sneaks"),
        *("frenzy", "hunter", "poisonous", "sneaky", "tough"),
    }
    assert table["restriction"].iloc[0] == "blocks"


def test_answers_in_words_and_in_json(ask, finished: Path, table: pd.DataFrame) -> None:
    """Costs and findings for a person, the table for a program; nothing is played twice."""
    before = (finished / "pairs/pair-00.parquet").stat().st_mtime_ns
    words = ask(*QUESTION, "--out", finished)
    assert (words.status, words.err) == (0, "")
    assert "First Contact · heuristic on both sides · 200 games for each restriction" in words.out
    assert "q is the share of false finds to expect" in words.out
    assert "Left out: In this pool nobody can ever use an Action ability, boost" in words.out
    for row in table.to_dict("records"):
        assert re.search(rf"^{row['never']} +{re.escape(verdict(row))} ", words.out, re.MULTILINE)
    answer = ask(*QUESTION, "--out", finished, "--json").json
    assert answer["restrictions"] == table.to_dict("records")
    assert (finished / "pairs/pair-00.parquet").stat().st_mtime_ns == before


def test_chosen_restrictions_are_played_alone(ask) -> None:
    """In their own order, whatever the order and case in which they are named."""
    assert ask(*QUESTION, *CHOSEN).status == 0
    (folder,) = Path("runs").iterdir()
    assert folder.name == f"restrict-first_contact-heuristic-{date.today()}"
    manifest = json.loads((folder / "restrict.json").read_text())
    assert manifest["restrictions"] == ["mindbugs", "blocks"]
    assert manifest["command"] == (
        "fairdeal restrict first_contact --policy heuristic --restrictions mindbugs,blocks"
        " --games 200 --seed 0 --band 1"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--restrictions", "bloks"), "no restriction 'bloks'; did you mean 'blocks'?"),
        (("--restrictions", "boosts"), "--restrictions: in this pool nobody can ever boost"),
        (("--policy", "greedy:random"), "name one player, who plays on both sides"),
        (("--policy", "gready"), "did you mean 'greedy'"),
        (("--policy", "greedy-block"), "did you mean 'blocks'"),
        (("--policy", "greedy-blocks", *CHOSEN), "may never block already"),
        (("--games", "7"), "--games is 7; it must be even"),
        (("--band", "0"), "--band is 0; it must be above 0"),
        (("--seed", "-1"), "is not between"),
    ],
)
def test_faults_are_told(ask, arguments: tuple[str, ...], message: str) -> None:
    """One message, nothing played, status 2."""
    ask("restrict", "first_contact", *arguments).refused_at_once(message)


def test_another_folder_is_not_written_into(ask, finished: Path) -> None:
    """Neither with other games, nor as a ladder."""
    answer = ask(*QUESTION[:-1], "202", "--out", finished)
    answer.refused("holds a test of restrictions with games ")
    answer = ask("ladder", "first_contact", "--out", finished)
    answer.refused("not the folder of a ladder")


def test_verdicts_in_words() -> None:
    """Costs are positive numbers with their interval; gains are not negative costs."""
    rows = made_up({"blocks": 0.3, "attacks": 0.6, "hunts": 0.495}).set_index("restriction")
    assert verdict(rows.loc["blocks"]).startswith("costs 20.0 points (")
    assert verdict(rows.loc["attacks"]).startswith("gains 10.0 points (")
    many = made_up({"hunts": 0.4995}, 50_000).iloc[0]
    assert verdict(many).startswith("costs no more than 1 point: 0.")
    assert verdict(made_up({"hunts": 0.49}, 120).iloc[0]).startswith(
        "needs more games: 0.8 points ("
    )
    near = made_up({"hunts": 0.49}, 20_000).iloc[0]
    assert verdict(near).startswith("needs more games: 1.0 points")
    never = made_up({"boosts": 0.5}, barred=0).iloc[0]
    assert verdict(never) == "never came up in 2,000 games"


def test_findings_name_what_carries_and_what_is_of_no_use() -> None:
    """Each restriction in one place, with its cost."""
    shares = {"blocks": 0.2, "mindbugs": 0.3, "tough": 0.4, "hunts": 0.45, "rerolls": 0.4999}
    table = made_up({**shares, "attacks": 0.6}, 40_000)
    found = {finding.topic: finding.text for finding in findings(table, ["boosts"])}
    assert (
        "block (30.0), use a Mindbug (20.0) or play a card with TOUGH (10.0)"
        in (found["Carries the game"])
    )
    assert "hunt with HUNTER (5.0)" in found["Matters"]
    assert "roll dice again (0.0)" in found["No use"]
    assert "does not know how to use it" in found["No use"]
    assert "attack (10.0)" in found["Better without"]
    assert "nobody can ever boost" in found["Left out"]
    assert not {"Waived", "More games needed", "Never came up"} & set(found)
    waived = findings(made_up({"attacks": 0.3}, barred=3, waived=1), [])
    assert "attack (25%)" in {one.topic: one.text for one in waived}["Waived"]


def test_chart_shows_costs_with_their_intervals(table: pd.DataFrame) -> None:
    """The costliest on top; a point for each restriction, at its cost; the band in grey."""
    ax = plot_costs(table)
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names[::-1] == [f"never {never}" for never in table["never"]]
    points = {}
    for container in ax.containers:
        assert isinstance(container, ErrorbarContainer)
        x, y = (np.asarray(ends, float) for ends in container.lines[0].get_data())
        (bars,) = container.lines[2]
        for cost, place, segment in zip(x, y, bars.get_segments(), strict=True):
            points[names[int(place)]] = (cost, segment[0][0], segment[1][0])
    expected = {
        f"never {row.never}": (row.cost, row.cost_ci_low, row.cost_ci_high)
        for row in table.itertuples()
    }
    assert points.keys() == expected.keys()
    for name, values in points.items():
        assert values == pytest.approx(expected[name])
    with pytest.raises(ValueError, match="several"):
        plot_costs(pd.concat([table, table.assign(policy="random")]))


def test_page_shows_the_table(finished: Path, table: pd.DataFrame) -> None:
    """Every restriction with its cost and rule; the table as CSV; nothing from outside."""
    page = (finished / "restrict.html").read_text()
    assert not re.search(r"(?:src|href)=\"(?!#|data:)", page)
    for row in table.itertuples():
        assert f'<th scope="row">{row.never}</th>' in page
        assert f"<code>heuristic-{row.restriction}</code>" in page
        assert f"{100 * row.cost:.1f} <small>" in page
    (csv,) = re.findall(r'"data:text/csv;charset=utf-8,([^"]+)"', page)
    assert unquote(csv) == (finished / "tables/restrictions.csv").read_text()
