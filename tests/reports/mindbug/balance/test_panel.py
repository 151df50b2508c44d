"""The section on the panel says what its tables say; the command line asks who forms it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure

from analysis.mindbug.experiments.skill import read_skill_tables
from analysis.mindbug.experiments.skill_panel import PANEL_TABLES, WHOSE_CARD
from analysis.panel import PANEL_VERDICTS
from analysis.verdicts import TOO_STRONG
from reports.cli.console import InputError
from reports.kit.verdicts import predicate
from reports.kit.words import bare_percent, points
from reports.mindbug.balance import rows
from reports.mindbug.balance.panel_text import panel_text, stronger_findings
from reports.mindbug.balance.run_report import read_report
from reports.mindbug.balance.skill_charts import plot_panel
from reports.mindbug.cli.skill import panel_of
from support.planted_panel import PLAYERS, panel_runs


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A weak player's run and those of a panel of three; long runs for narrow intervals."""
    return panel_runs(tmp_path_factory.mktemp("panel"), 20_000)


@pytest.fixture(scope="module")
def compared(folders: list[Path]) -> dict[str, pd.DataFrame]:
    """The tables that the command made, in the folder of the last run, with its page."""
    from reports.cli.app import run

    assert run(["skill", *map(str, folders), "--json"]) == 0
    return read_skill_tables(folders[-1])


def test_words_say_it_first(compared: dict[str, pd.DataFrame]) -> None:
    """One sentence for the headline; then each planted card with its word and its numbers."""
    cards = compared["card_panel"].set_index("card_id")
    text = panel_text(compared["card_panel"], compared["panel_summary"])
    assert text.startswith(
        "For another player like expert, expert=other.npz and search:25: 2 are too strong: "
    )
    strong, weak, depends = (cards.loc[f"card_{number:02}"] for number in (0, 1, 3))
    named = f"Card 0 ({points(strong['advantage'])})"
    assert named in re.findall(r"2 are too strong: (.*?)\. 1 is", text)[0].split(" and ")
    assert f"1 is too weak: Card 1 ({points(weak['advantage'])})." in text
    assert (
        f"1 depends on who plays: Card 3 ({points(depends['lowest'])} search:25,"
        f" {points(depends['highest'])} {depends['highest_policy']})." in text
    )
    assert (
        "Card 0 is a card for strong players: worth less than the average card among the weakest"
        in text
    )
    assert (
        "Card 1 is a card for weak players: worth more than the average card among the weakest"
        in text
    )
    assert f"most of all Card 3 ({points(depends['move'])})" in text
    summary = compared["panel_summary"].iloc[0]
    assert f"The ranks correlate {summary['rank_correlation']:.2f} (" in text
    assert f"; {summary['raw_rank_correlation']:.2f} with chance left in)" in text


@pytest.mark.usefixtures("compared")
def test_the_first_screen_has_one_count(folders: list[Path]) -> None:
    """The headline and the lead are about the player of the run; the panel has its own section."""
    report = read_report(folders[-1])
    first = report.tables["cards"]
    n_strong = int((first["verdict"] == TOO_STRONG).sum())
    assert n_strong > 0
    more = f" and {n_strong - 1} more" * (n_strong > 1)
    assert f"{more} {predicate(TOO_STRONG, n_strong)}" in report.headline
    assert "whoever" not in report.headline
    html = (folders[-1] / "report.html").read_text()
    lead = html[: html.index('id="cards"')]
    assert "Whoever plays</th>" not in lead and ">Random" in lead


def test_random_players_stand_in_the_table_of_cards(
    folders: list[Path], compared: dict[str, pd.DataFrame]
) -> None:
    """On the first screen and in the table of all cards, beside the player of the run."""
    tables = read_report(folders[-1]).tables
    cards = rows.with_others(tables)
    of_random = compared["skill_cards"].query("policy == 'random'").set_index("card_id")
    np.testing.assert_array_equal(
        cards.set_index("card_id")["random_advantage"], of_random["advantage"].loc[cards["card_id"]]
    )
    for columns, headings in (
        (rows.beside_columns, ["Random players"]),
        (rows.lead_columns, ["Random", "Verdict"]),
    ):
        assert [column.heading for column in columns(cards)] == headings
    random, judged = (column.cell(cards.iloc[0]).text for column in rows.lead_columns(cards))
    assert random == bare_percent(0.5 + cards["random_advantage"][0])  # as the win rate beside it
    assert judged == cards["verdict"][0]
    tabs = [tab.name for tab in read_report(folders[-1]).tabs()]
    assert "Skill" in tabs and "Luck and skill" not in tabs  # no luck is measured
    assert rows.beside_columns(tables["cards"]) == []
    assert rows.lead_columns(tables["cards"]) == [rows.VERDICT]


def test_words_where_nothing_is_shown(compared: dict[str, pd.DataFrame]) -> None:
    """Without a verdict or a rank there is nothing but what the cards need."""
    cards = compared["card_panel"].assign(
        panel_verdict=["needs more games"] * 15 + ["needs more players"], whose_card=""
    )
    summary = compared["panel_summary"].assign(rank_correlation=np.nan)
    assert panel_text(cards, summary) == (
        "For another player like expert, expert=other.npz and search:25: 15 need more games and"
        " 1 needs more players."
    )


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("search:16", "search:16, a stronger player"),
        ("expert=third", "expert=third, another player"),
    ],
)
def test_a_stronger_player_is_one_who_searches(
    compared: dict[str, pd.DataFrame], last: str, said: str
) -> None:
    """Another network is another player, who may be weaker."""
    [finding] = stronger_findings(compared["panel_summary"].assign(strongest=last))
    assert finding.text.startswith(f"Among {said}, the ranks")


def test_page_shows_the_panel(folders: list[Path], compared: dict[str, pd.DataFrame]) -> None:
    """The section stands before that on skill, with words, chart, table and downloads."""
    html = (folders[-1] / "report.html").read_text()
    assert 0 < html.index('<section id="panel">') < html.index('<section id="skill">')
    section = html[html.index('<section id="panel">') : html.index('<section id="skill">')]
    for word, meaning in (PANEL_VERDICTS | WHOSE_CARD).items():
        assert word in section and meaning in section
    for card in compared["card_panel"].itertuples():
        assert card.name in section and points(card.advantage) in section
    for name in PANEL_TABLES:
        assert f'download="{name}.csv"' in section
    assert (folders[-1] / "figures" / "panel.svg").exists()
    assert html.index("For another player like expert") < html.index("From random to search:25")
    pages = html[html.index('<section id="card-by-card">') :]
    assert pages.count("mean of the strong players") == len(compared["card_panel"])
    assert "more; too strong" in pages


def test_chart_draws_mean_and_range(compared: dict[str, pd.DataFrame]) -> None:
    """A mean with its interval for each card, and a bar from the lowest player to the highest."""
    ax: Axes = Figure().add_subplot()
    cards = compared["card_panel"]
    plot_panel(cards, ax=ax)
    bars = [one for one in ax.containers if isinstance(one, ErrorbarContainer)]
    drawn = np.concatenate([np.asarray(one[0].get_xdata()) for one in bars])
    np.testing.assert_array_equal(np.sort(drawn), np.sort(cards["advantage"]))
    assert len(bars) == cards["panel_verdict"].nunique()
    found = [one.get_segments() for one in ax.collections if isinstance(one, LineCollection)]
    (ranges,) = (segments for segments in found if len(segments) == len(cards))
    ranked = cards.sort_values(["advantage", "name"])
    np.testing.assert_array_equal(
        [(segment[0, 0], segment[1, 0]) for segment in ranges], ranked[["lowest", "highest"]]
    )
    assert [label.get_text() for label in ax.get_yticklabels()] == list(ranked["name"])


def test_who_forms_the_panel() -> None:
    """The strong players, in their order, unless others are named."""
    assert panel_of(PLAYERS, None) == list(PLAYERS[1:])
    assert panel_of(PLAYERS[:2], None) == []
    assert panel_of(PLAYERS, "search:25, random") == ["random", "search:25"]
    assert panel_of([], None) == []


@pytest.mark.parametrize(
    ("players", "panel", "message"),
    [
        ((), "expert", "--panel needs --skill"),
        (PLAYERS, "expert", "'expert' is one player; name two or more"),
        (PLAYERS, "expert,expert", "'expert' is named twice"),
        (PLAYERS, "expert,serch:25", "did you mean 'search:25'"),
    ],
)
def test_bad_panels_get_one_clear_message(
    players: tuple[str, ...], panel: str, message: str
) -> None:
    """Which player, what is allowed, and the nearest one."""
    with pytest.raises(InputError, match=re.escape(message)):
        panel_of(players, panel)


def test_a_panel_of_others(ask, folders: list[Path]) -> None:
    """With --panel the same runs give the panel that was asked for, in JSON too."""
    answer = ask("skill", *folders, "--panel", "random,expert", "--json").json
    assert answer["panel_summary"][0]["players"] == "random, expert"
    assert len(answer["card_panel"]) == 16
    ask("skill", *folders, "--panel", "random,greedy").refused(
        "'greedy' is not among the players compared", lines=1
    )
