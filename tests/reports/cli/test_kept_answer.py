"""A finished `balance` answers at once, from its folder, as long as nothing there has changed."""

import json
import shutil
from collections.abc import Callable
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from reports.cli import steps
from reports.cli.app import run

ARGUMENTS = ("balance", "first_contact", "--policy", "random", "--games", "2000", "--out", "run")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A finished `balance`, and what it said."""
    folder, said = tmp_path_factory.mktemp("finished"), StringIO()
    with chdir(folder), redirect_stdout(said):
        assert run(ARGUMENTS) == 0
    return folder / "run", said.getvalue()


@pytest.fixture
def first(finished: tuple[Path, str]) -> str:
    """What the finished `balance` said."""
    return finished[1]


@pytest.fixture
def ask(
    finished: tuple[Path, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., str]:
    """Asks again where one has finished; what was printed."""
    shutil.copytree(finished[0], tmp_path / "run")
    monkeypatch.chdir(tmp_path)

    def asked(*more: str) -> str:
        assert run([*ARGUMENTS, *more]) == 0
        return capsys.readouterr().out

    return asked


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that were analysed, in their order."""
    found = []
    analyze = steps.analyze_run

    def noted(folder: Path, threads: int | None) -> object:
        found.append(folder)
        return analyze(folder, threads)

    monkeypatch.setattr("reports.cli.run.analyze_run", noted)
    return found


def test_what_has_not_changed_is_not_made_again(
    ask: Callable[..., str], first: str, analysed: list[Path]
) -> None:
    files = {path: path.stat().st_mtime_ns for path in Path("run").rglob("*")}
    assert ask() == first
    told = json.loads(ask("--json"))
    assert analysed == []
    assert {path: path.stat().st_mtime_ns for path in Path("run").rglob("*")} == files
    going_first = next(one for one in told["findings"] if one["topic"] == "Going first")
    assert going_first["text"] in " ".join(first.split()) and "screen" not in told
    Path("run/answer.json").unlink()
    assert json.loads(ask("--json")) == told
    assert len(analysed) == 1


def test_a_file_that_changed_makes_the_answer_anew(
    ask: Callable[..., str], first: str, analysed: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them by itself; then all at once, and what was made is as it was."""
    was, now = {}, {}
    for name in ("report.html", "tables/cards.csv", "answer.json", "figures/new"):
        path = Path("run", name)
        kept = was[path] = path.read_bytes() if path.exists() else b"new"
        now[path] = kept[:-40] + bytes([kept[-40] ^ 1]) + kept[-39:] if path.exists() else kept
        path.write_bytes(now[path])
        with monkeypatch.context() as patch:
            patch.setattr("reports.cli.run.analyze_run", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                ask()
        path.write_bytes(kept) if name != "figures/new" else path.unlink()
    assert analysed == []
    for path, content in now.items():
        path.write_bytes(content)
    assert ask() == first
    assert len(analysed) == 1
    del was[Path("run/answer.json")]  # which names the new file, too
    assert {path: path.read_bytes() for path in was} == was


def test_another_confidence_level_is_another_answer(
    ask: Callable[..., str], analysed: list[Path]
) -> None:
    """The games stay; tables and page are those of the level, and of the usual one again after."""
    usual, games = Path("run/tables/cards.csv").read_bytes(), Path("run/games/part-00000.parquet")
    played = games.stat().st_mtime_ns
    assert json.loads(ask("--confidence", "80%", "--json"))["confidence"] == 0.8
    assert Path("run/tables/cards.csv").read_bytes() != usual
    page = Path("run/report.html").read_text()
    assert "80% intervals" in page and "95% int" not in page
    ask("--confidence", "80%")
    assert len(analysed) == 1
    ask()
    assert len(analysed) == 2 and Path("run/tables/cards.csv").read_bytes() == usual
    assert games.stat().st_mtime_ns == played


def test_what_is_asked_besides_is_answered(ask: Callable[..., str], analysed: list[Path]) -> None:
    assert "report.md" in ask("--format", "md")
    ask("--skill", "none")
    assert len(analysed) == 2
