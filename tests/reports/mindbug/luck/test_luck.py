"""Luck and skill: what `balance` plays, the chart, and what every format tells."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import analysis.mindbug
from analysis.mindbug.experiments import luck as measured
from analysis.mindbug.experiments.luck import LUCK
from card_data.mindbug import load_pool
from reports.cli.compute import Crew
from reports.kit.words import bare_percent
from reports.mindbug.cli.experiments import try_luck
from reports.mindbug.luck import luck_changes_text, luck_text, plot_luck

ASKED = "balance", "first_contact", "--policy", "random", "--games", 300, "--out", "run"


@pytest.fixture
def ax() -> Axes:
    """Axes unknown to pyplot."""
    return Figure().add_subplot()


def made_luck() -> pd.DataFrame:
    """A table with made-up numbers: little of the start, most of choices."""
    shares = {"start": 0.004, "cards": 0.16, "order": 0.3, "chance": 0.0, "choices": 0.536}
    rows = [
        {
            "policy": "learned", "source": source, "n_deals": 500,
            "share": share, "share_ci_low": max(share - 0.04, 0), "share_ci_high": share + 0.04,
            "spread": np.sqrt(share) / 2, "spread_ci_low": 0.0, "spread_ci_high": 0.5,
        }
        for source, share in shares.items()
    ]  # fmt: skip
    return LUCK.frame(rows)


def test_the_sentence_quotes_the_table() -> None:
    """The largest share first, the small ones in one sentence, and what good cards are worth."""
    told = luck_text(made_luck()).replace("\N{NO-BREAK SPACE}", " ")
    assert told == (
        "What the players choose decides 54% (50 to 58%) of who wins, the order of the cards"
        " 30% (26 to 34%) and the cards dealt 16% (12 to 20%). Less than 1% each: who starts"
        " and chance in play. Ten cards one standard deviation better than average win 70% of the"
        " games."
    )
    assert luck_text(made_luck().assign(policy="random:random@0.5")).startswith(
        "Choosing at random"
    )
    wide = made_luck().assign(share_ci_high=lambda rows: rows["share"] + 0.2)
    assert luck_text(wide).endswith("These shares need more games.")
    unknown = made_luck().assign(share=np.nan)
    assert luck_text(unknown) == "No game of the first deals had a winner."


def test_two_runs_are_told_apart_where_they_differ() -> None:
    """Sources whose interval leaves zero out, before and after; or that there are none."""
    rows = [("start", 0.0, 0.02, 0.01), ("cards", 0.13, 0.22, 0.06), ("choices", 0.5, 0.42, 0.09)]
    changes = pd.DataFrame(
        {
            "source": source, "base": base, "variant": variant, "change": variant - base,
            "change_ci_low": variant - base - reach, "change_ci_high": variant - base + reach,
        }
        for source, base, variant, reach in rows
    )  # fmt: skip
    told = luck_changes_text(changes).replace("\N{NO-BREAK SPACE}", " ")
    assert told == (
        "Shares of what decides who wins that differ: who starts 0% → 2% (+2.0 points, +1.0 to"
        " +3.0) and the cards dealt 13% → 22% (+9.0 points, +3.0 to +15.0)."
    )
    assert luck_changes_text(changes[2:]).startswith("No difference is shown")


def test_the_chart_has_a_bar_for_each_source(ax: Axes) -> None:
    """Bars from top to bottom in the order of the table, with numbers and two colours."""
    plot_luck(made_luck(), ax=ax)
    boxes = [bar.get_extents().transformed(ax.transData.inverted()) for bar in ax.patches]
    bars = {round((box.y0 + box.y1) / 2): box.x1 for box in boxes}
    assert [bars[row] for row in range(4, -1, -1)] == pytest.approx(list(made_luck()["share"]))
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names[-1] == "who starts" and names[0] == "what the players choose"
    assert {"16%", "54%", "0.4%"} <= {
        text.get_text().replace("\N{NO-BREAK SPACE}", " ") for text in ax.texts
    }
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["luck", "the players"]


def test_everything_tells_of_luck(ask) -> None:
    """JSON, page, Markdown, workbook and files have the numbers of one table."""
    answer = ask(*ASKED, "--luck", "--format", "html,md,xlsx", "--json").json
    table = pd.read_parquet("run/tables/luck.parquet")
    assert list(table.columns) == list(LUCK.columns)
    assert (table["n_deals"] == 100).all()
    assert [row["share"] for row in answer["luck"]] == list(table["share"])
    page, markdown = (Path(f"run/report.{kind}").read_text() for kind in ("html", "md"))
    for told in (page, markdown, str(answer["findings"])):
        assert "Choosing at random decides" in told
    for share in table["share"]:
        assert f"{bare_percent(share)} (" in markdown and f">{bare_percent(share)}" in page
    assert openpyxl.load_workbook("run/report.xlsx")["luck"].max_row == len(table) + 1
    assert Path("run/figures/luck.svg").exists()


def test_it_is_played_when_asked_for_or_cheap(tmp_path: Path) -> None:
    """Short runs have none by themselves, long ones have, and a table that is there stays."""
    pool = load_pool(["first_contact"])
    short, long = (
        analysis.mindbug.play_run(pool, tmp_path / str(games), games=games).folder
        for games in (300, 8_000)
    )
    assert try_luck(short, None, Crew(1)) == {} and try_luck(long, False, Crew(1)) == {}
    assert not (short / "luck").exists() and not (long / "luck").exists()
    (table,) = try_luck(long, None, Crew(1)).values()
    assert (table["n_deals"] == 100).all()
    before = (long / "tables" / "luck.parquet").stat().st_mtime_ns
    assert list(try_luck(long, None, Crew(1))) == ["luck"] and list(
        try_luck(short, True, Crew(1))
    ) == ["luck"]
    assert (long / "tables" / "luck.parquet").stat().st_mtime_ns == before


def test_ctrl_c_says_what_stays(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interruption ends with 130, and with how to go on."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(measured, "measure_luck", interrupted)
    status, _, complaints = ask(*ASKED, "--luck")
    assert status == 130
    assert "finished deals stay in run/luck; run the same command again" in complaints
