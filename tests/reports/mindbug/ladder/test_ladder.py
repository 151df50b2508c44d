"""The command `ladder`: plays, goes on, refuses; its charts and page show what the tables say."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from urllib.parse import unquote_to_bytes

import numpy as np
import pandas as pd
import pytest
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure

import reports.mindbug
from analysis.experiments.ladder import ladder_tables
from analysis.experiments.pair_games import PairGames
from reports.cli.app import command_line_of, run
from reports.ladder import text as ladder_words
from simcore.mindbug import RUNGS
from support.reported import every_kind

QUESTION = "ladder", "first_contact", "--players", "random,greedy,heuristic", "--games", "40"
OF_PAIR = "pairs/pair-{:02}.parquet"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder that was played and reported."""
    folder = tmp_path_factory.mktemp("ladder") / "run"
    with every_kind():
        assert run([*QUESTION, "--out", str(folder)]) == 0
    return folder


@pytest.fixture
def tables(finished: Path) -> dict[str, pd.DataFrame]:
    """Its tables."""
    return {name: pd.read_parquet(finished / f"tables/{name}.parquet") for name in NAMES}


NAMES = ("ratings", "pairs", "speed")


def made_up(players: tuple[str, ...], scores: list[float], n_deals: int = 400):
    """Tables of a ladder in which the pairs had these scores, without draws."""
    pairs = [(a, b) for i, a in enumerate(players) for b in players[i + 1 :]]
    games = []
    for (player, opponent), score in zip(pairs, scores, strict=True):
        wins = np.arange(2 * n_deals) < round(2 * n_deals * score)
        results = np.where(wins, 1, -1).astype(np.int8).reshape(2, n_deals).T
        games.append(PairGames(player, opponent, results, 1.0))
    return ladder_tables(players, games)


# ---------------------------------------------------------------------------------- the command


def test_a_ladder_leaves_a_whole_folder(finished: Path) -> None:
    """Games, pool, tables, charts and page."""
    names = {path.relative_to(finished).as_posix() for path in finished.rglob("*.*")}
    assert names == {
        *("about.json", "checksums.json", "figures/made.json"),
        *("ladder.json", "timings.json", "ladder.html", "pool.toml", "cards/first_contact.toml"),
        *(OF_PAIR.format(number) for number in range(3)),
        *(f"tables/{name}.{kind}" for name in NAMES for kind in ("csv", "parquet")),
        *(
            f"figures/{name}.{kind}"
            for name in ("ratings", "win_matrix")
            for kind in ("svg", "png", "pdf")
        ),
    }


def test_answers_in_words_and_in_json(ask, finished: Path, tables) -> None:
    """Ratings and findings for a person, the tables for a program; nothing is played twice."""
    words = ask(*QUESTION, "--out", finished)
    assert (words.status, words.err) == (0, "")
    assert "First Contact · random, greedy and heuristic · 40 games a pair · seed 0" in words.out
    assert "Each deal of a pair is played twice, once from either side." in " ".join(
        words.out.split()
    )
    assert [line.split()[0] for line in words.out.splitlines()[4:7]] == list(
        tables["ratings"]["player"]
    )
    assert f"report: {finished / 'ladder.html'}" in words.out
    answer = ask(*QUESTION, "--out", finished, "--json").json
    assert answer["ladder"] == str(finished)
    for name in NAMES:
        assert answer[name] == tables[name].to_dict("records")
    assert {row["games"] for row in answer["pairs"]} == {40}


def test_default_players_and_folder(ask) -> None:
    """All players, of those who search two; the folder is named after what was asked."""
    usual = (*RUNGS[:-1], "search:16", "search:64")
    answer = ask("ladder", "first_contact", "--games", 2, "--seed", 3, "--json").json
    assert sorted(row["player"] for row in answer["ratings"]) == sorted(usual)
    assert answer["ladder"] == f"runs/ladder-first_contact-{len(usual)}-players-{date.today()}"
    (players,) = (
        argument
        for argument in command_line_of("")["ladder"].assemble_argument_collection()
        if "--players" in argument.names
    )
    assert players.field_info.default == ",".join(usual)


def test_any_pool_and_any_player(ask) -> None:
    """Modes, weights of one's own and mistakes; the command on the page plays the same again."""
    own = Path(reports.__file__).parents[1] / "simcore" / "mindbug" / "players" / "heuristic.toml"
    shutil.copy(own, "own.toml")
    players = "heuristic@0.3,learned=own.toml,random@0.5"
    question = ["ladder", "promos", "first_contact", "--life", 2, "--players", players]
    answer = ask(*question, "--games", 10, "--out", "one", "--json").json
    command = json.loads(Path("one/ladder.json").read_text())["command"]
    assert "--pool one/pool.toml" in command
    again = ask(*command.split()[1:], "--out", "two", "--json").json
    assert [row["wins"] for row in again["pairs"]] == [row["wins"] for row in answer["pairs"]]
    shutil.copy(own.with_name("learned.toml"), "own.toml")
    ask(*question, "--games", 10, "--out", "one").refused(
        "one holds a ladder with other weights of learned=own.toml: ", lines=1
    )


def test_an_interrupted_ladder_goes_on(
    ask, finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C keeps finished pairs; the same command plays the others and ends the same."""

    def finished_pairs() -> list[Path]:
        files = (Path("stopped", OF_PAIR.format(number)) for number in range(3))
        return [file for file in files if file.exists()]

    @contextmanager
    def interrupted(*_: str) -> Iterator:
        def advance(_done: int, total: int) -> None:
            assert total == 120
            if finished_pairs():
                raise KeyboardInterrupt

        yield advance

    with monkeypatch.context() as patched:
        patched.setattr("reports.cli.compute.progress", interrupted)
        stopped = ask(*QUESTION, "--out", "stopped")
    assert stopped.status == 130
    assert "finished pairs stay in stopped; run the same command again to resume" in stopped.err
    kept = {file: file.stat().st_mtime_ns for file in finished_pairs()}
    assert 0 < len(kept) < 3
    assert ask(*QUESTION, "--out", "stopped").status == 0
    assert all(file.stat().st_mtime_ns == written for file, written in kept.items())
    for file in ("tables/ratings.parquet", "tables/pairs.parquet", *map(OF_PAIR.format, range(3))):
        assert Path("stopped", file).read_bytes() == (finished / file).read_bytes()


def test_damaged_timings_are_told(ask, finished: Path, tmp_path: Path) -> None:
    """Speeds are no results, but they are not left out unsaid."""
    folder = shutil.copytree(finished, tmp_path / "copy")
    timings = folder / "timings.json"
    timings.write_bytes(timings.read_bytes().replace(b"seconds", b"secondz"))
    ask(*QUESTION, "--out", folder).refused(f"{timings} is damaged", "; remove it:")
    timings.unlink()
    assert ask(*QUESTION, "--out", folder).status == 0


def test_another_ladder_is_left_alone(ask, finished: Path) -> None:
    """Another seed, a run, or other files are never overwritten."""
    for arguments, key in ((["--seed", "1"], "seed 0, not 1"), (["--life", "9"], "life 3, not 9")):
        answer = ask(*QUESTION, *arguments, "--out", finished)
        answer.refused(f"holds a ladder with {key}; choose another folder", lines=1)
    Path("notes").mkdir()
    Path("notes/text").write_text("mine")
    answer = ask(*QUESTION, "--out", "notes")
    answer.refused("notes is not empty and not the folder of a ladder (it holds text)", lines=1)
    played = "simulate", "first_contact", "--policy", "random", "--games", 5, "--out"
    for command in (played, ["analyze"]):
        ask(*command, finished).refused("not the folder of a run")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "greedy"], "--players: 'greedy' alone is not a ladder; name two players"),
        (
            ["--players", "greedy,gredy"],
            "--players: unknown policy 'gredy'; did you mean 'greedy'?",
        ),
        (["--players", "greedy,"], "--players: the policy is empty; policies are: random"),
        (["--players", "greedy,random,greedy"], "--players: 'greedy' is named twice"),
        (["--players", "search:9,search:9@0"], "are the same player"),
        (["--players", "greedy,search"], "try 'search:400'"),
        (["--players", "greedy,learned@2"], "the share of mistakes is '2'; it must be 0 to 1"),
        (
            ["--players", "greedy,learned=none.toml"],
            "there is no file none.toml to take the weights of learned",
        ),
        (["--games", "7"], "--games is 7; it must be even"),
        (["--games", "0"], "0 is not between 2 and 1,000,000,000"),
        (["--games", "-2"], "-2 is not between 2 and"),
        (["--games", "few"], "'few' is not a whole number"),
        (["--seed", "-1"], "-1 is not between 0 and"),
        (["--player", "greedy"], "Did you mean --players?"),
        (["nosuch"], "there is no set 'nosuch'"),
    ],
)
def test_bad_input_gets_one_clear_message(ask, arguments: list[str], message: str) -> None:
    """The exit status is 2, the message says what is wrong, and nothing is left behind."""
    ask("ladder", "first_contact", *arguments).refused_at_once(message, lines=1)


# ------------------------------------------------------------------------------ charts and page


def test_chart_of_ratings(tables) -> None:
    """Points and whiskers are the ratings and their intervals, the best on top."""
    ax = reports.mindbug.plot_ratings(tables["ratings"], ax=Figure().add_subplot())
    (bars,) = (part for part in ax.containers if isinstance(part, ErrorbarContainer))
    line, _, (whiskers,) = bars
    rows = tables["ratings"].iloc[::-1]
    np.testing.assert_allclose(np.asarray(line.get_xdata(), float), rows["elo"])
    ends = np.array([segment[:, 0] for segment in whiskers.get_segments()])
    np.testing.assert_allclose(ends, rows[["elo_ci_low", "elo_ci_high"]])
    assert [label.get_text() for label in ax.get_yticklabels()] == list(rows["player"])


def test_chart_of_pairs(tables) -> None:
    """Each cell has the score of the row against the column, and the other way round."""
    ax = reports.mindbug.plot_win_matrix(tables["pairs"], ax=Figure().add_subplot())
    cells = {(round(t.get_position()[0]), round(t.get_position()[1])): t for t in ax.texts[::2]}
    intervals = {
        (round(t.get_position()[0]), round(t.get_position()[1])): t for t in ax.texts[1::2]
    }
    players = list(tables["ratings"]["player"])
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        f"{name}  {place}" for place, name in enumerate(players, 1)
    ]
    for row in tables["pairs"].itertuples():
        i, j = players.index(row.player), players.index(row.opponent)
        assert cells[j, i].get_text() == f"{100 * row.score:.1f}"
        assert cells[i, j].get_text() == f"{100 * (1 - row.score):.1f}"
        assert intervals[j, i].get_text() == f"{100 * row.ci_low:.1f} to {100 * row.ci_high:.1f}"
        low, high = 100 * (1 - row.ci_high), 100 * (1 - row.ci_low)
        assert intervals[i, j].get_text() == f"{low:.1f} to {high:.1f}"


def test_page_shows_the_tables(finished: Path, tables) -> None:
    """The rows of the page are those of the tables, which can also be saved from it."""
    html = (finished / "ladder.html").read_text()
    ratings, pairs = (
        [
            [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
            for row in re.findall(r"<tr><th scope=\"row\">.*?</tr>", table)
        ]
        for table in re.findall(r"<tbody>.*?</tbody>", html, re.DOTALL)
    )
    for cells, row in zip(ratings, tables["ratings"].itertuples(), strict=True):
        elo = [
            f"{round(x):+}".replace("-", "−") for x in (row.elo, row.elo_ci_low, row.elo_ci_high)
        ]
        assert cells[:2] == [row.player, f"{elo[0]} {elo[1]} to {elo[2]}"]
        assert cells[2:7] == [
            *map(str, (row.games, row.wins, row.draws, row.losses)),
            f"{100 * row.score:.1f}",
        ]
    for cells, row in zip(pairs, tables["pairs"].itertuples(), strict=True):
        score, low, high = (f"{100 * x:.1f}" for x in (row.score, row.ci_low, row.ci_high))
        assert cells[:6] == [
            *(row.player, row.opponent),
            *map(str, (row.games, row.wins, row.draws, row.losses)),
        ]
        assert cells[6] == f"{score} {low} to {high}"
        assert cells[7] == f"{100 * row.expected:.1f}"
    for name in NAMES:
        link = re.search(rf'download="{name}.csv" href="data:text/csv;[^,]*,([^"]*)"', html)
        assert link is not None
        assert unquote_to_bytes(link[1]) == (finished / f"tables/{name}.csv").read_bytes()


def test_page_is_whole_and_says_how_it_was_made(finished: Path, tables) -> None:
    """Findings, command and versions are there; nothing comes from outside, one script runs."""
    html = (finished / "ladder.html").read_text()
    manifest = json.loads((finished / "ladder.json").read_text())
    assert html.count("<script") == 1 and "http:" not in html and "https:" not in html
    assert html.count("<svg") == 2
    command = "fairdeal ladder first_contact --players random,greedy,heuristic --games 40 --seed 0"
    assert manifest["command"] == command
    for words in (command, manifest["pool_hash"], f"numba {manifest['versions']['numba']}"):
        assert words in html
    for finding in ladder_words.findings(tables):
        assert finding.text in html


def test_hostile_player_is_inert(ask) -> None:
    """A player is text on the page, whatever the file of its weights is called."""
    name = "<img src=x onerror=a>.toml"
    own = Path(reports.__file__).parents[1] / "simcore" / "mindbug" / "players" / "learned.toml"
    shutil.copy(own, name)
    ask("ladder", "first_contact", "--players", f"random,learned={name}", "--games", 2).done()
    (page,) = Path("runs").glob("*/ladder.html")
    assert "<img" not in page.read_text()
    assert "learned=&lt;img" in page.read_text()


def test_words_say_who_is_best_and_what_is_not_known() -> None:
    """Clear differences are stated, unclear ones are not; shut-outs and circles are pointed out."""
    clear = made_up(("a", "b", "c"), [0.6, 0.8, 0.7])
    found = {finding.topic: finding.text for finding in ladder_words.findings(clear)}
    assert found["Best"].startswith("a is the best of these 3 players. It scores")
    assert found["Differences"].startswith("All players are shown to differ")
    assert set(found) == {"Best", "Order", "Differences", "Speed"}
    unclear = made_up(("a", "b", "c"), [0.51, 0.8, 0.8])
    found = {finding.topic: finding.text for finding in ladder_words.findings(unclear)}
    assert found["Best"].startswith("More games are needed to rank a and b.")
    assert "rank a and b. All other pairs are shown to differ" in found["Differences"]
    circle = made_up(("a", "b", "c"), [0.7, 0.4, 0.7])
    found = {finding.topic: finding.text for finding in ladder_words.findings(circle)}
    assert "against" in found["Beyond ratings"]
    shut_out = made_up(("a", "b"), [1.0])
    found = {finding.topic: finding.text for finding in ladder_words.findings(shut_out)}
    assert found["One-sided"].startswith("Every game was won by a against b.")
