"""A second game goes through the same doors: played, resumed, analysed, shown, compared.

It is `support.harvest`: three seats, graded outcomes, its own files, records, players and options.
"""

from __future__ import annotations

import json
from abc import ABCMeta
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Self

import numpy as np
import pytest
from attrs import frozen
from cyclopts import Parameter

from analysis.runs import open_run
from reports.cli.app import _command_line, run
from reports.kit import figure_files
from simcore import games
from simcore.sealed import RunError
from simcore.work.runs import run_games
from support.harvest import shown, tables
from support.harvest.fairs import load_fair
from support.harvest.play import RECORD, new_run
from support.harvest.shown import HarvestOptions, PlayableFair

WHO = ("random", "careful", "bold")
PLAYED = ("village", "--rounds", "4", "--policy", ":".join(WHO), "--games", "1500", "--seed", "3")


class Answer(NamedTuple):
    """What a command gave."""

    status: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def second_game() -> Iterator[None]:
    """There are two games while a test runs, and charts are drawn as SVG alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "_registered", {})
        patch.setattr(figure_files, "KINDS", ("svg",))
        doors = {"simcore": "play", "analysis": "tables", "reports": "shown"}
        modules = {floor: f"support.harvest.{module}" for floor, module in doors.items()}
        games.register("harvest", **modules)
        yield


@pytest.fixture
def ask(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Answer]:
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: Answer(run([str(word) for word in words]), *capsys.readouterr())


def village(**changes: int) -> Path:
    """A file with the lots of the village, some of them of another worth."""
    text = load_fair("village").text.decode()
    for lot, worth in changes.items():
        head, _, tail = text.partition(f"[lots.{lot}]\n")
        text = f"{head}[lots.{lot}]\nworth = {worth}\n{tail.partition(chr(10))[2]}"
    path = Path("changed.toml")
    path.write_text(text)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in a folder but what is hidden."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name[0] != "."]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_run_says_which_game_it_is(ask) -> None:
    """The manifest decides which game a folder is of, and what its records are."""
    answer = ask("simulate", *PLAYED, "--out", "run")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("run: run\n1,500 games, ")
    opened = open_run("run")
    assert (opened.game.title, opened.manifest["rounds"]) == ("Harvest", 4)
    assert opened.manifest["policies"] == [*WHO]
    played = np.concatenate([*opened.parts()])
    assert played.dtype == RECORD
    assert (played["score"].sum(axis=1) == 6).all()
    assert (played["lots"][:, 4:] == -1).all()
    assert list(opened.games(["game", "score_2"]).columns) == ["game", "score_2"]


def test_a_run_that_was_interrupted_is_resumed(tmp_path: Path) -> None:
    """A run that is stopped and resumed, by other processes too, has the bytes of a whole one."""
    spec = new_run(load_fair("village"), rounds=5, n_games=3000, seed=1, policies=WHO)

    def stop(done: int, _: int) -> None:
        if done > 1500:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_games(spec, tmp_path / "run", threads=1, on_progress=stop)
    parts = [*(tmp_path / "run" / "games").glob("part-*.parquet")]
    assert len(parts) == 1
    with pytest.raises(RunError, match=r"not finished|is missing"):
        open_run(tmp_path / "run")
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        run_games(spec, tmp_path / "run", executor=executor)
    run_games(spec, tmp_path / "whole", threads=1)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_all_of_a_run_in_one_command(ask) -> None:
    """`balance` plays, counts, draws and writes a page; its steps give the same files."""
    answer = ask("balance", *PLAYED, "--format", "html,md,xlsx", "--out", "run")
    assert (answer.status, answer.err) == (0, "")
    assert (
        "Village, 4 lots · 1,500 games · random against careful against bold · seed 3" in answer.out
    )
    page = Path("run/report.html").read_text()
    assert "pumpkin" in page and "Harvest" in page
    assert "<svg" in page
    assert "first_contact" not in page
    assert {path.name for path in Path("run/figures").glob("*.svg")} == {"lots.svg"}
    for step in ("simulate", *PLAYED, "--out", "steps"), ("analyze", "steps"), ("report", "steps"):
        assert ask(*step).status == 0
    both = [contents(Path(folder)) for folder in ("run", "steps")]
    whole, steps = (json.loads(one.pop("checksums.json"))["files"] for one in both)
    assert steps.items() <= whole.items()  # which has more formats
    assert both[1].items() <= both[0].items()


def test_tables_are_as_counted_by_hand(ask) -> None:
    """The score of who takes a lot is that of a slow count, as a share of the best."""
    ask("simulate", *PLAYED, "--out", "run")
    [pumpkin] = [
        row
        for row in json.loads(ask("analyze", "run", "--json").out)["lots"]
        if row["lot"] == "pumpkin"
    ]
    scores = [
        int(game["score"][seat])
        for part in open_run("run").parts()
        for game in part
        for lot, seat in zip(game["lots"], game["taken_by"], strict=True)
        if lot == 0 and seat >= 0
    ]
    assert pumpkin["n"] == len(scores)
    assert pumpkin["score"] == pytest.approx(np.mean(scores) / 4)


def test_a_change_is_compared(ask) -> None:
    """A lot that is worth more is shown to have changed, on the same deals."""
    answer = ask("compare", "village", village(hay=9), *PLAYED[1:], "--out", "c", "--json")
    assert (answer.status, answer.err) == (0, "")
    told = json.loads(answer.out)
    assert (told["paired"], told["same_deals"]) == (True, 1.0)
    verdicts = {row["id"]: row["verdict"] for row in told["comparison"]}
    assert verdicts["hay"] == "more"
    assert "hay" in Path("c/compare.html").read_text()
    again = ask("compare", "c/base", "c/variant", "--out", "d", "--json")
    assert json.loads(again.out)["comparison"] == told["comparison"]
    mixed = ask("compare", "c/base", "c/base", "--life", "3")
    assert "--life is an option of Mindbug, and c/base c/base is of Harvest" in mixed.err


def test_a_report_tells_what_differs_from_an_earlier_run(ask) -> None:
    """`--before` compares with the run of another fair, and keeps the table; without, it goes."""
    ask("simulate", *PLAYED, "--out", "old")
    answer = ask("balance", village(hay=9), *PLAYED[1:], "--before", "old", "--out", "new")
    assert (answer.status, answer.err) == (0, "")
    assert "Compared with old" in answer.out
    assert Path("new/tables/comparison.csv").exists()
    assert ask("report", "new").status == 0
    assert not Path("new/tables/comparison.csv").exists()


@pytest.mark.parametrize(
    ("of_harvest", "method"),
    [(tables.ANALYSIS, "pair_counter"), (shown.REPORTS, "tell"), (shown.REPORTS, "balance")],
)
def test_a_game_that_leaves_something_out_fails_at_once(of_harvest: object, method: str) -> None:
    """The object of a contract cannot be made without a method that every game must have."""
    kind = type(of_harvest)
    incomplete = ABCMeta("Incomplete", kind.__bases__, {**vars(kind)})
    incomplete()
    methods = {name: one for name, one in vars(kind).items() if name != method}
    with pytest.raises(TypeError, match=method):
        ABCMeta("Incomplete", kind.__bases__, methods)()


def test_a_rule_ends_a_run(ask) -> None:
    """`--until` watches what this game has to be watched."""
    answer = ask("simulate", *PLAYED[:5], "--until", "5:geese", "--out", "run")
    assert (answer.status, answer.err) == (0, "")
    assert "the score of who takes geese is known to ±5.00 points" in answer.out
    assert open_run("run").manifest["until"]["of"] == "geese"
    wrong = ask("simulate", "village", "--until", "5:goose")
    assert (wrong.status, wrong.out) == (2, "")
    assert "--until: 'goose' is no lot" in wrong.err


def test_a_game_is_told(ask) -> None:
    """`replay` tells a game in the words of its game."""
    ask("simulate", *PLAYED, "--out", "run")
    told = ask("replay", "run", "7")
    assert told.status == 0
    assert "takes the" in told.out


def test_its_speed_is_measured(ask: Callable[..., Answer]) -> None:
    """bench measures what is named, of one game."""
    speeds = json.loads(ask("bench", "village", "--seconds", "0.001", "--json").out)
    assert [row["policy"] for row in speeds["engine"]] == ["random", "bold"]
    assert all(row["decisions"] > row["best"] for row in speeds["engine"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("village", "--life", "4"),
            "--life is an option of Mindbug, and village is of Harvest; leave it out",
        ),
        (
            ("first_contact", "--rounds", "4"),
            "--rounds is an option of Harvest, and first_contact is of Mindbug; leave it out",
        ),
        (("village", "--rounds", "9"), "--rounds"),
        (("village", "--policy", "bald"), "no player 'bald'; did you mean 'bold'?"),
        (("village", "--policy", "bold:bold"), "names 2 players; name one, or one for each seat"),
        (("village", "village"), "name one fair"),
        (("vilage",), "there is no such fair; did you mean 'village'?"),
        (("first_contct",), "did you mean 'first_contact'?"),
        (
            ("nothing_like_it",),
            "'nothing_like_it' is no file, and no game offers it. There are ch1_flight_to_bark",
        ),
        (("broken.toml",), "broken.toml: hay.worth: must be a whole number from -9 to 9"),
    ],
)
def test_what_is_wrong_is_one_message(ask, words: tuple[str, ...], message: str) -> None:
    """An option of another game, a wrong word, a wrong file: one clear message, nothing played."""
    village(hay=99, geese=10).rename("broken.toml")
    answer = ask("simulate", *words)
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err
    assert not Path("runs").exists()


@Parameter(name="*")
@frozen(kw_only=True)
class LifeInWords:
    """Options of which one has the name, and not the values, of one of Mindbug."""

    life: Annotated[Literal["long", "short"], Parameter(help="How long a farmer lives.")] = "short"

    def players(self) -> tuple[str, ...]:
        """Who plays."""
        return HarvestOptions().players()

    def ready(self, *_asked: object) -> Self:
        """The same: nobody has to learn."""
        return self

    def read(self, named: Sequence[str]) -> PlayableFair:
        """The fair that is named, or that of a long life."""
        return HarvestOptions().read(["long.toml"] if self.life == "long" else named)


def test_each_game_reads_an_option_by_its_own_rules(ask, monkeypatch) -> None:
    """An option of two games takes the values that the game that is played knows."""
    monkeypatch.setattr(shown._Harvest, "simulate", LifeInWords)
    _command_line.cache_clear()
    village(hay=9).rename("long.toml")
    try:
        answers = [
            ask("simulate", *words, "--games", "8", "--out", "x")
            for words in (
                ("village", "--life", "long"),
                ("village", "--life", "4"),
                ("first_contact", "--life", "long"),
                ("first_contact", "--life", "0"),
            )
        ]
    finally:
        _command_line.cache_clear()
    assert [one.status for one in answers] == [0, 2, 2, 2]
    assert b"[lots.hay]\nworth = 9\n" in Path("x/fair.toml").read_bytes()
    assert 'Invalid value "4" for --life. Choose from: "long", "short".' in answers[1].err
    assert "'long' is not a whole number from 1 to 99" in answers[2].err
    assert "0 is not between 1 and 99" in answers[3].err


def test_all_faults_of_a_file_come_at_once(ask) -> None:
    """Both lots that are worth too much are named."""
    village(hay=99, geese=10).rename("broken.toml")
    assert ask("simulate", "broken.toml").err.count("must be a whole number") == 2


def test_help_has_the_options_of_each_game_in_a_group(ask) -> None:
    """Options stand under the game that they are of."""
    shown = ask("simulate", "--help").out
    of_mindbug, of_harvest = shown.index("─ Mindbug ─"), shown.index("─ Harvest ─")
    assert of_mindbug < shown.index("--cards") < shown.index("--life") < of_harvest
    assert of_harvest < shown.index("--rounds")
    assert "Harvest: A fair: 'village'" in " ".join(shown.replace("│", "").split())


@pytest.mark.parametrize("floors", [("simcore",), ("simcore", "analysis"), tuple(games.FLOORS)])
def test_an_unfinished_game_stops_no_other_one(
    ask: Callable[..., Answer],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    floors: tuple[str, ...],
) -> None:
    """A package that lacks contracts, or whose contract breaks, is named and left out."""
    whole = games.names()[:-1]
    for floor in games.FLOORS:
        for name in (*whole, *(["toy"] if floor in floors else [])):
            file = tmp_path / "packages" / floor / name / "contract.py"
            file.parent.mkdir(parents=True)
            file.touch()
    monkeypatch.setattr(games, "_HOME", tmp_path / "packages")
    monkeypatch.setattr(games, "_left_out", set())
    status, out, err = ask("simulate", *PLAYED, "--dry-run")
    assert status == 0
    assert "1,500" in out
    told = err.splitlines()[0]
    module = f"{[*games.FLOORS][min(len(floors), 2)]}.toy"
    assert "the game 'toy' is not finished" in told
    assert module in told
    assert "left out" in told
    assert "Traceback" not in err
    status, _, err = ask("simulate", "toy", "--dry-run")
    assert status == 2
    assert "Traceback" not in err


def test_commands_of_another_game_are_named_where_it_has_any(ask: Callable[..., Answer]) -> None:
    """A game without commands of its own has those of every game, and nothing "besides"."""
    status, _, err = ask("ladder", "village")
    assert status == 2
    assert "which has the commands of every game" in err
