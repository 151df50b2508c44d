"""The section on skill says what the tables say; the command line plays what it needs."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote_to_bytes

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.text import Annotation

import analysis.mindbug
from analysis.mindbug.experiments.skill import (
    SKILL_TABLES,
    compare_skill,
    read_skill_tables,
    skill_tables,
)
from analysis.mindbug.experiments.skill_panel import shared_luck
from analysis.mindbug.selections import SKILL_VERDICTS, WHOSE_SKILL
from analysis.verdicts import LESS, MORE
from reports.cli.app import run
from reports.kit.figures import write_figures
from reports.kit.words import listed, percent, points
from reports.mindbug.balance import skill_charts
from reports.mindbug.balance import text as wording
from reports.mindbug.balance.skill_charts import _spread, plot_skill, plot_skill_games
from reports.mindbug.cli.skill import games_of, parse_rungs, rung_folder
from simcore.work.parts import part_path, read_manifest
from support.reported import every_kind
from support.synthetic import hostile_cards, synthetic_cards, synthetic_games, synthetic_run

N_GAMES = 400
HOSTILE = ["<script>alert(1)</script>", "$\\frac{x}{", "{{ 7*7 }}", "x" * 60]


def planted_runs(place: Path, names: list[str], n_games: int) -> list[Path]:
    """Two analysed runs: card 0 rises with skill, 1 and 2 fall, 3 is strong for everyone."""
    cards, folders = hostile_cards(names) if names else synthetic_cards(), []
    for seed, (policy, sign) in enumerate((("random", 1), ("learned", -1))):
        worth = np.zeros(16)
        worth[:4] = -0.04 * sign, 0.04 * sign, 0.03 * sign, 0.04
        games = synthetic_games(cards, n_games, seed=seed, worth=worth)
        folder = synthetic_run(place / policy, cards, games, policies=(policy, policy))
        analysis.mindbug.analyze(folder)
        folders.append(folder)
    return folders


def tables_of(folders: list[Path]) -> dict[str, pd.DataFrame]:
    """The tables on skill of analysed runs, weak to strong."""
    return skill_tables({folder.name: analysis.mindbug.read_tables(folder) for folder in folders})


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two runs with cards that change sides; the names of some are hostile."""
    return planted_runs(tmp_path_factory.mktemp("planted"), HOSTILE, 20_000)


@pytest.fixture(scope="module")
def tables(folders: list[Path]) -> dict[str, pd.DataFrame]:
    """The tables on skill of these runs."""
    return tables_of(folders)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run of real games whose players were compared."""
    folder = tmp_path_factory.mktemp("skill") / "run"
    assert run([*question(folder)]) == 0
    return folder


def question(folder: Path, *more: str) -> list[str]:
    """The command that made the run."""
    games = "--games", str(N_GAMES), "--skill-games", "300"
    return [
        "balance",
        "first_contact",
        *("--policy", "random"),
        *games,
        "--skill",
        "random,greedy",
        *more,
        "--out",
        str(folder),
    ]


@pytest.fixture
def ax() -> Axes:
    """Axes unknown to pyplot."""
    return Figure().add_subplot()


class Cells(HTMLParser):
    """The tables of a page: for each its label and rows of cells; a cell is a text and a title."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self._label = ""
        self._in_cell = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where tables, rows and cells begin."""
        if tag == "div":
            self._label = dict(attrs).get("aria-label") or self._label
        elif tag == "tr":
            self.tables.setdefault(self._label, []).append([])
        elif tag in ("td", "th"):
            self.tables[self._label][-1].append("")
            self._in_cell = True

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a cell."""
        if tag in ("td", "th"):
            self._in_cell = False

    def handle_data(self, data: str) -> None:
        """Add to the cell."""
        if self._in_cell:
            self.tables[self._label][-1][-1] += data


# ------------------------------------------------------------------------------ the command


def test_balance_plays_the_players_and_analyses_them(finished: Path) -> None:
    """Every player has a run of the same pool and seed; that of the run itself is not repeated."""
    main, other = read_manifest(finished), read_manifest(finished / "skill" / "greedy")
    assert [path.name for path in (finished / "skill").iterdir()] == ["greedy"]
    assert (other["policies"], other["games"]) == (["greedy", "greedy"], 300)
    assert [other[key] for key in ("seed", "pool_hash")] == [main["seed"], main["pool_hash"]]
    tables = read_skill_tables(finished)
    assert tables["skill_summary"]["policy"].tolist() == ["random", "greedy"]
    assert tables["skill_summary"]["n_games"].tolist() == [N_GAMES, 300]
    runs = {
        "random": analysis.mindbug.read_tables(finished),
        "greedy": analysis.mindbug.read_tables(finished / "skill" / "greedy"),
    }
    both = [analysis.mindbug.open_run(one) for one in (finished, finished / "skill" / "greedy")]
    alike = float(shared_luck(both)[0, 1])
    assert alike  # the same deals
    for name, table in skill_tables(runs, alike).items():
        pd.testing.assert_frame_equal(tables[name], table)
        assert (finished / "tables" / f"{name}.csv").exists()
    assert {"skill.svg", "skill_games.svg"} <= {
        path.name for path in (finished / "figures").iterdir()
    }


def test_page_shows_the_numbers_of_the_tables(finished: Path) -> None:
    """Each cell of the section is what the table says, and both tables can be saved."""
    html, tables = (finished / "report.html").read_text(), read_skill_tables(finished)
    cells, cards = Cells(html).tables, tables["skill_cards"]
    heading, *rows = cells["Table of cards by who plays"]
    assert heading[:5] == ["Card", "Change", "By skill", "Advantage, random", "Advantage, greedy"]
    change = cards[cards["rung"] == 0].sort_values("change", ascending=False)
    assert [row[0] for row in rows] == list(change["name"])
    for row in rows:
        of_card = cards[cards["name"] == row[0]].sort_values("rung")
        numbers = [*of_card["change"][:1], *of_card["advantage"]]
        texts = [row[1], *row[3:5]]
        assert [text.split()[0] for text in texts] == [points(number) for number in numbers]
        assert row[2].removeprefix("▲ ").removeprefix("▼ ") == of_card["skill_verdict"].iloc[0]
        rates = ["–" if np.isnan(rate) else f"{100 * rate:.1f}" for rate in of_card["mindbug_rate"]]
        assert [text.split()[0] for text in row[5:]] == rates
    _, *rows = cells["Table of games by who plays"]
    for row, known in zip(rows, tables["skill_summary"].itertuples(), strict=True):
        assert row[:2] == [known.policy, f"{known.n_games:,}"]
        assert row[2].startswith(points(known.first_player_advantage))
        assert row[3].startswith(f"{known.mean_mindbugs_used:.2f}")
    for name in SKILL_TABLES:
        link = re.search(rf'download="{name}.csv" href="data:text/csv;[^,]*,([^"]*)"', html)
        assert link is not None
        content = (finished / "tables" / f"{name}.csv").read_bytes()
        assert unquote_to_bytes(link[1]) == content
    words = wording.skill_text(**tables)
    assert html.count(words.replace("'", "&#39;")) == 2  # in short, and in the section
    for word, meaning in SKILL_VERDICTS.items():
        assert word.replace("'", "&#39;") in html and meaning in html


@pytest.mark.usefixtures("redrawn")
def test_the_same_command_resumes(ask, finished: Path) -> None:
    """Nothing is played again; a part that is missing is played, and all bytes are as before."""
    before = {path: path.read_bytes() for path in finished.rglob("*.*")}
    part = part_path(finished / "skill" / "greedy", 0)
    kept = part_path(finished, 0)
    times = [path.stat().st_mtime_ns for path in (part, kept)]
    ask(*question(finished)).done()
    assert [path.stat().st_mtime_ns for path in (part, kept)] == times
    part.unlink()
    assert ask(*question(finished)).status == 0
    assert part.exists()
    assert {path: path.read_bytes() for path in finished.rglob("*.*")} == before


def test_answers_in_json(ask, finished: Path) -> None:
    """The tables on skill are with the others."""
    answer = ask(*question(finished, "--json")).json
    known = read_skill_tables(finished)["skill_cards"]
    known = known.drop_duplicates("card_id")
    assert [row["change"] for row in answer["skill_cards"]] == list(known["change"])
    assert len(answer["skill_summary"]) == 2 and "cards" in answer
    told = {one["topic"]: one["text"] for one in answer["findings"]}
    assert told["Skill"].startswith("From random to greedy players")


def test_finished_runs_are_set_side_by_side(ask, finished: Path) -> None:
    """The command for finished runs gives the same tables, and the last run has the section."""
    greedy = finished / "skill" / "greedy"
    answer = ask("skill", finished, greedy).done()
    assert answer.out.startswith("From random to greedy")
    for name, table in read_skill_tables(greedy).items():
        pd.testing.assert_frame_equal(table, read_skill_tables(finished)[name])
    assert '<section id="skill">' in (greedy / "report.html").read_text()
    answer = ask("skill", finished, greedy, "--json").json
    assert answer["run"] == str(greedy) and len(answer["skill_summary"]) == 2


def test_report_without_players_has_no_section(plain_run: Path) -> None:
    """Nothing is said of skill where nobody was compared."""
    html = (plain_run / "report.html").read_text()
    assert 'id="skill"' not in html and "Who plays changes" not in html


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--skill", "random,gredy"], "--skill: unknown policy 'gredy'; did you mean 'greedy'?"),
        (["--skill", "random,"], "the policy is empty; policies are: random"),
        (["--skill", "random,search"], "try 'search:400'"),
        (["--skill", "random"], "'random' is one player; name two or more"),
        (["--skill", "random,greedy,random"], "'random' is named twice"),
        (["--skill", "greedy,random"], "'random' before 'greedy'"),
        (
            ["--skill", "random,learned=nowhere.toml"],
            "there is no file nowhere.toml to take the weights",
        ),
        (["--skill-games", "10"], "--skill-games needs --skill"),
        (["--skill", "random,greedy", "--skill-games", "0"], "0 is not between 1 and"),
    ],
)
def test_bad_players_get_one_clear_message(ask, options: list[str], message: str) -> None:
    """The exit status is 2 before anything is played."""
    ask("balance", "first_contact", "--policy", "random", "--games", 10, *options).refused_at_once(
        message, lines=1
    )


def test_runs_that_cannot_be_compared_get_one_clear_message(ask, finished: Path) -> None:
    """One run, or the same twice, or none that is there."""
    for runs, message, lines in (
        ([], "skill: name what it is about", 4),  # a line for each game that it may be about
        ([finished], "name two or more", 1),
        ([finished, finished], "were both played by random", 1),
        ([finished, "nowhere"], "nowhere does not exist", 1),
    ):
        ask("skill", *runs).refused(message, lines=lines)


def test_other_games_of_a_player_are_left_alone(ask, finished: Path) -> None:
    """Another number of games for a player that has played is refused, as for every run."""
    again = [word.replace("300", "299") for word in question(finished)]
    ask(*again).refused("holds a run with games 300, not 299")


def test_who_plays_how_many_games(tmp_path: Path) -> None:
    """Players go from weak to strong; those who search play few games unless said otherwise."""
    equals = ("expert", "expert")
    named = parse_rungs("random, greedy,learned@0.2,search:50", None, equals)
    assert named[1:3] == ["greedy", "learned@0.2"]
    assert parse_rungs("learned@0.5,heuristic", None, equals) == ["learned@0.5", "heuristic"]
    assert games_of("greedy", 10_000, None) == 10_000
    assert games_of("search:50", 10_000, None) == 2000
    assert games_of("search:50", 1000, None) == 1000
    assert games_of("search:50", 10_000, 70) == games_of("greedy", 10, 70) == 70
    assert rung_folder(Path("run"), "search:50@0.1") == Path("run/skill/search-50@0.1")
    own = set()
    for line in ("return 0", "return 1"):  # an edited player of one's own plays anew
        (tmp_path / "own.py").write_text(f"def first(seen):\n    {line}\n")
        own.add(rung_folder(Path("run"), f"{tmp_path}/own.py:first"))
    assert len(own) == 2


def test_intervals_are_those_of_the_rule_that_ended_a_run(ask) -> None:
    """They hold together, are as narrow as was asked for, and lie about the same estimates."""
    asked = "simulate", "first_contact", "--policy"
    assert ask(*asked, "random", "--games", 300, "--out", "weak").status == 0
    assert ask(*asked, "greedy", "--until", "8", "--out", "until").status == 0
    games = read_manifest(Path("until"))["games"]
    assert ask(*asked, "greedy", "--games", games, "--out", "fixed").status == 0
    found = []
    for strong in ("until", "fixed"):
        runs = [analysis.mindbug.open_run(folder) for folder in ("weak", strong)]
        tables = [analysis.mindbug.analyze(run.folder) for run in runs]
        cards = compare_skill(runs, tables, [])["skill_cards"].query("policy == 'greedy'")
        found.append(cards[["advantage_ci_low", "advantage_ci_high"]].to_numpy())
    rule, fixed = found
    np.testing.assert_allclose(rule.mean(axis=1), fixed.mean(axis=1), atol=0.002)
    assert ((rule[:, 1] - rule[:, 0]) / 2 <= 0.08).all()


@pytest.mark.parametrize(
    ("policy", "rungs"),
    [
        ("expert", ["random", "expert", "search:16"]),
        ("learned@0.1", ["random", "learned@0.1"]),
        ("mine.py:me", ["random", "mine.py:me"]),
        ("random-blocks", []),
    ],
)
def test_random_players_stand_beside_any_other(policy: str, rungs: list[str]) -> None:
    """And the next stronger player beside the usual one, unless somebody wants nobody."""
    assert parse_rungs(None, None, (policy, policy)) == rungs
    assert parse_rungs("none", None, (policy, policy)) == []
    assert parse_rungs(None, None, (policy, "greedy")) == []
    assert games_of("search:16", 50_000, None) == 10_000


# ----------------------------------------------------------------------------------- words


def test_words_name_the_cards_that_change_sides(tables: dict[str, pd.DataFrame]) -> None:
    """The planted cards stand with the right word and their numbers, and how many there are."""
    cards = tables["skill_cards"]
    text = wording.skill_text(**tables)
    counts = cards[cards["rung"] == 0]["skill_verdict"].value_counts()
    assert counts[MORE] == 1 and counts[LESS] >= 2
    in_order = (
        *("From random to learned players", "1 of 16 cards is worth more: ", HOSTILE[0]),
        *(f"{counts[LESS]} of 16 cards are worth less: ", *HOSTILE[1:3], "are not settled."),
        *("Too weak among random players and too strong among learned players: ", HOSTILE[0]),
        WHOSE_SKILL,
    )
    place = 0
    for words in in_order:
        place = text.index(words, place)
    weak, strong = cards[cards["card_id"] == "card_00"]["advantage"]
    assert f"{HOSTILE[0]} ({points(weak)} \N{RIGHTWARDS ARROW} {points(strong)})" in text
    summary = tables["skill_summary"]
    assert (
        f"wins {percent(0.5 + summary['first_player_advantage'][0])} \N{RIGHTWARDS ARROW}" in text
    )
    assert not re.search("expert|beginner|skill", text)


def test_words_where_nothing_is_shown(tmp_path: Path) -> None:
    """A few games change no verdict."""
    few = tables_of(planted_runs(tmp_path, [], 5))
    text = wording.skill_text(**few)
    assert text.count("none of 16 cards is shown to be worth") == 2 and " less. 16 are not" in text
    write_figures(few, tmp_path / "figures", caption="few", charts=skill_charts.CHARTS)


# ---------------------------------------------------------------------------------- charts


def test_chart_draws_every_card(tables: dict[str, pd.DataFrame], ax: Axes) -> None:
    """A line for each card through its advantages; those that change sides have names."""
    plot_skill(tables["skill_cards"], ax=ax)
    cards = tables["skill_cards"].sort_values(["card_id", "rung"])
    expected = {tuple(mine["advantage"]) for _, mine in cards.groupby("card_id")}
    drawn = {tuple(np.asarray(line.get_ydata())) for line in ax.lines}
    assert expected <= drawn
    changing = cards[cards["skill_verdict"].isin([MORE, LESS])]
    bars = [c for c in ax.containers if isinstance(c, ErrorbarContainer)]
    assert len(bars) == changing["card_id"].nunique() >= 3
    for container in bars:
        (row,) = (
            mine
            for _, mine in changing.groupby("card_id")
            if tuple(mine["advantage"]) == tuple(container[0].get_ydata())
        )
        ends = [segment[:, 1] for segment in container[2][0].get_segments()]
        np.testing.assert_allclose(ends, row[["advantage_ci_low", "advantage_ci_high"]])
    named = [text.get_text() for text in ax.texts if isinstance(text, Annotation)]
    for name, change in zip(changing["name"], changing["change"], strict=True):
        shown = f"{name[:21]}… ({points(change)})" if len(name) > 22 else name
        assert any(text.startswith(shown) for text in named)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["random", "learned"]


def test_games_chart(tables: dict[str, pd.DataFrame], ax: Axes) -> None:
    """The weakest players on top, with the advantage of going first and the Mindbugs used."""
    plot_skill_games(tables["skill_summary"], ax=ax)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["learned", "random"]
    (container,) = (c for c in ax.containers if isinstance(c, ErrorbarContainer))
    summary = tables["skill_summary"].iloc[::-1]
    np.testing.assert_array_equal(container[0].get_xdata(), summary["first_player_advantage"])
    texts = {text.get_text() for text in ax.texts}
    assert {f"{mean:.2f}" for mean in summary["mean_mindbugs_used"]} < texts


@every_kind()
def test_figures_are_the_same_bytes_twice(tables: dict[str, pd.DataFrame], tmp_path: Path) -> None:
    """Drawn twice, the charts are equal; names of cards are no markup."""
    for folder in ("a", "b"):
        write_figures(tables, tmp_path / folder, caption="$x<b>", charts=skill_charts.CHARTS)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()
    assert "<script" not in (tmp_path / "a" / "skill.svg").read_text()
    assert {path.name for path in (tmp_path / "a").iterdir()} == {
        "made.json",
        *(f"{name}.{kind}" for name in ("skill", "skill_games") for kind in ("svg", "png", "pdf")),
    }


def test_names_do_not_overlap() -> None:
    """Names beside the chart keep their order and distance, near their points, inside."""
    wanted = np.array([0.0, 1.0, 2.0, 100.0, 101.0, 300.0])
    places = _spread(wanted, 0, 300)
    assert (np.diff(places) >= 14).all() and places[0] >= 0 and places[-1] <= 300
    assert np.abs(places - wanted).max() < 30
    np.testing.assert_array_equal(_spread(np.array([50.0]), 0, 300), [50.0])
    assert (np.diff(_spread(np.full(60, 300.0), 0, 300)) > 5).all()


def test_caption_says_who_played_how_often(tables: dict[str, pd.DataFrame]) -> None:
    """Games of each player, who they are, and the seed."""
    manifest, summary = {"set_names": ["First Contact"], "seed": 7}, tables["skill_summary"]
    players = listed(summary.sort_values("rung")["policy"])
    assert wording.describe_skill(manifest, summary) == (
        f"First Contact · 20,000 games each · {players}, each against an equal · seed 7"
    )
    summary = summary.assign(n_games=[20_000, 500])
    assert "· 500 to 20,000 games each ·" in wording.describe_skill(manifest, summary)
