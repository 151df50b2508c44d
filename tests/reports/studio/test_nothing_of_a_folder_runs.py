"""Nothing that a project folder brings is run, whatever git, Python or the system find in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from starlette.requests import Request

from reports.cli.console import InputError
from reports.studio import history
from support.hostile_folders import FILE, REPOSITORIES, Trap, environment, git, repository, trap
from support.studio import CARDS, Running, end, start
from support.studio_texts import studio_in

SAID = {"game": "mindbug", "file": FILE}


def asked(folder: Path) -> str:
    """What the studio shows of the versions of the file, after the button that asks git."""
    studio = studio_in(folder)
    with suppress(InputError):
        studio.commit(SAID)
    return str(studio.history(SAID)["html"])


@pytest.mark.parametrize("make", REPOSITORIES.values(), ids=REPOSITORIES.keys())
def test_no_repository_runs_its_programs(
    tmp_path: Path, make: Callable[[Path], Trap], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the page nor the button that asks git runs what a repository names."""
    of = make(tmp_path / "project")
    monkeypatch.chdir(of.folder)
    asked(of.folder)
    assert not of.is_sprung


def test_no_variable_of_git_runs_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment tells git is told to git alone, not to the one that the studio asks."""
    of = repository(tmp_path / "project")
    for name in ("git-cat-file", "git-rev-list"):
        (of.folder / name).symlink_to(of.program)
    for name, value in environment(of).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(of.folder)
    assert "git-" in asked(of.folder)
    assert not of.is_sprung


def test_git_is_asked_by_a_press_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until somebody presses the button no program is started at all."""
    of = repository(tmp_path / "project")
    monkeypatch.chdir(of.folder)
    studio, started = studio_in(of.folder), []
    monkeypatch.setattr("subprocess.Popen", lambda *words, **_: started.append(words))
    studio.index(Request({"type": "http", "query_string": b"", "headers": []}))
    studio.history(SAID)
    studio.save({**SAID, "text": CARDS, "version": studio.read(SAID)["version"]})
    assert not started


# ---------------------------------------------------------------- what git has is still read


def _packed(folder: Path) -> Path:
    git(folder, "gc", "--quiet")
    git(folder, "pack-refs", "--all")
    return folder


def _detached(folder: Path) -> Path:
    git(folder, "checkout", "--quiet", "--detach")
    return folder


def _worktree(folder: Path) -> Path:
    git(folder, "worktree", "add", "--quiet", "../beside")
    return folder.parent / "beside"


def _shallow(folder: Path) -> Path:
    git(folder, "commit", "--quiet", "--allow-empty", "-m", "another")
    git(folder.parent, "clone", "--quiet", "--depth", "1", f"file://{folder}", "shallow")
    return folder.parent / "shallow"


def _below(folder: Path) -> Path:
    (folder / "cards").mkdir()
    git(folder, "mv", FILE, f"cards/{FILE}")
    git(folder, "commit", "--quiet", "-m", "moved")
    return folder / "cards"


@pytest.mark.parametrize("change", [Path, _packed, _detached, _worktree, _shallow, _below])
def test_the_last_commit_is_kept_as_a_version(
    tmp_path: Path, change: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit in which a file was last changed, however git keeps it, in whatever folder."""
    folder = change(repository(tmp_path / "project").folder)
    monkeypatch.chdir(folder)
    name = git(folder, "log", "-1", "--format=%h", "--", FILE)
    (folder / FILE).write_text(CARDS.replace("power = 5", "power = 6"))
    studio = studio_in(folder)
    studio.commit(SAID)
    [(version, text)] = history.known(studio.project.versions(FILE), FILE)
    assert (version.number, text) == (f"git-{name}", CARDS)


def test_without_a_commit_a_message_says_so(tmp_path: Path) -> None:
    """No repository, no commit of the file: one message, and nothing is kept."""
    (tmp_path / FILE).write_text(CARDS)
    with pytest.raises(InputError, match=r"no commit of mine\.toml"):
        studio_in(tmp_path).commit(SAID)
    folder = repository(tmp_path / "project").folder
    (folder / "other.toml").write_text(CARDS)
    with pytest.raises(InputError, match=r"no commit of other\.toml"):
        studio_in(folder).commit({**SAID, "file": "other.toml"})


# ---------------------------------------------------------------- programs and modules

#: Names of modules of Python that a process loads in its first moments, or much later.
MODULES = ("multiprocessing", "pickle", "tempfile", "webbrowser", "uvicorn", "starlette", "numba",
           "pandas", "matplotlib", "evil", "sitecustomize", "usercustomize")  # fmt: skip


def full_of_programs(folder: Path) -> list[Path]:
    """Put programs and modules into a folder; the marks that they make where they run."""
    folder.mkdir(parents=True)
    (folder / FILE).write_text(CARDS)
    programs = ("git", "xdg-open", "www-browser", "firefox", "chromium", "python3", "xdg-settings")
    marks = [trap(folder, name).mark for name in programs]
    for name in MODULES:
        marks.append(folder.parent / f"{name}.ran")
        (folder / f"{name}.py").write_text(f"open({str(marks[-1])!r}, 'w').close()")
    (folder / "matplotlibrc").write_text("backend: module://evil\ntext.usetex: True\n")
    return marks


@pytest.mark.parametrize("begun_inside", [True, False])
def test_a_studio_runs_no_program_of_its_folder(tmp_path: Path, begun_inside: bool) -> None:
    """Where "." is in the paths of the system and of Python, the folder is still not searched."""
    marks = full_of_programs(folder := tmp_path / "project")
    git(tmp_path, "init", "--quiet")
    said = {
        "PATH": f".:{folder}::{os.environ['PATH']}",
        "BROWSER": "",
        "DISPLAY": ":99",
        "TMPDIR": str(tmp_path),
    }
    if not begun_inside:  # Python itself searches it from its first moment where it begins inside
        said["PYTHONPATH"] = f"{os.environ.get('PYTHONPATH', '')}:."
        # A command that begins beside such a file is refused.
        (folder / ".numba_config.yaml").write_text("cache_locator_classes: evil.X\ncache_dir: .\n")
    cwd = folder if begun_inside else Path(__file__).parents[3]
    process, running = start(folder, browser=True, environment=said, cwd=cwd)
    own = {"Origin": f"http://{running.host}", **running.cookie}
    asked = {**SAID, "text": CARDS, "name": "other", "form": "", "version": ""}
    assert running.ask(running.place, **running.cookie)[0] == 200
    for path in ("state", "runs", "games", f"page/x/{FILE}"):
        running.ask(f"{running.place}{path}", **running.cookie)
    for path in ("history", "commit", "check", "read", "new", "save", "stop"):
        running.ask(f"{running.place}{path}", json.dumps(asked), **own)
    end(process)
    assert [one.name for one in marks if one.exists()] == []


# ---------------------------------------------------------------- rules of games

#: Rules that leave a mark where they are run, and are no game.
RULES = "GAME = open({!r}, 'w')\n"


def with_rules(folder: Path) -> tuple[Path, Path]:
    """A folder with rules, other Python files and a link to rules elsewhere; the marks of all."""
    folder.mkdir()
    ran, other = folder.parent / "rules.ran", folder.parent / "other.ran"
    (folder / "rules.py").write_text(RULES.format(str(ran)))
    for path in (folder / "plain.py", folder.parent / "elsewhere.py"):
        path.write_text(RULES.format(str(other)).replace("GAME", "OTHER"))
    (folder.parent / "elsewhere.py").write_text(RULES.format(str(other)))
    (folder / "linked.py").symlink_to(folder.parent / "elsewhere.py")
    (folder / FILE).write_text(CARDS)
    return ran, other


@pytest.fixture(scope="module")
def beside_rules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A studio in such a folder, of which nothing is run while it is there."""
    marks = with_rules(folder := tmp_path_factory.mktemp("rules") / "project")
    process, running = start(folder)
    yield running
    end(process)
    assert not any(one.exists() for one in marks)


def test_rules_are_listed_and_not_run(beside_rules: Running) -> None:
    """A page of a folder with games names their files, and runs none of them."""
    _, page, _ = beside_rules.ask(beside_rules.place, **beside_rules.cookie)
    assert "Run rules.py and open it" in page
    assert "plain.py" not in page and "linked.py" not in page


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"rules": "rules.py"}, "confirm that it is to be run"),
        ({"rules": "rules.py", "confirmed": True}, "confirm that it is to be run"),
        ({"rules": "rules.py", "confirmed": "plain.py"}, "confirm that it is to be run"),
        ({"rules": "plain.py", "confirmed": "plain.py"}, "is not the rules of a game"),
        ({"rules": "linked.py", "confirmed": "linked.py"}, "is not the rules of a game"),
        ({"rules": "../elsewhere.py", "confirmed": "../elsewhere.py"}, "is not the rules"),
        ({"rules": FILE, "confirmed": FILE}, "is not the rules of a game"),
        ({"rules": "none.py", "confirmed": "none.py"}, "is not the rules of a game"),
        ({"rules": ["rules.py"], "confirmed": ["rules.py"]}, "must be a text"),
    ],
)
def test_rules_run_only_where_a_person_confirms_their_file(
    beside_rules: Running, said: dict[str, object], told: str
) -> None:
    """Any other request is refused with one message, and nothing is run."""
    own = {"Origin": f"http://{beside_rules.host}", **beside_rules.cookie}
    opened = f"{beside_rules.place}open_game"
    status, text, _ = beside_rules.ask(opened, json.dumps(said), **own)
    assert status == 422 and told in json.loads(text)["trouble"]


@pytest.mark.parametrize("origin", ["http://evil.example", "null", ""])
def test_no_other_page_has_rules_run(beside_rules: Running, origin: str) -> None:
    """A page of somebody else, which the person's browser shows, is refused."""
    said = json.dumps({"rules": "rules.py", "confirmed": "rules.py"})
    headers, opened = {"Origin": origin} if origin else {}, f"{beside_rules.place}open_game"
    assert beside_rules.ask(opened, said, **headers, **beside_rules.cookie)[0] == 403
    own = {"Origin": f"http://{beside_rules.host}"}
    assert beside_rules.ask(opened, said, **own)[0] == 403, "without the cookie"


def test_processes_of_python_find_no_modules_where_they_begin(tmp_path: Path) -> None:
    """A module beside the cards is not taken for Python's in a worker or a second process."""
    marks = full_of_programs(folder := tmp_path / "project")
    code = """if True:
        import sys
        sys.path.remove("")
        from reports.cli.start import main
        sys.argv = ["fairdeal", "--version"]
        try:
            main()
        except SystemExit:
            pass
        import multiprocessing
        worker = multiprocessing.get_context("spawn").Process(target=print, args=("worked",))
        worker.start()
        worker.join()
        from reports.kit.figure_files import second_process, write_figure
        from matplotlib.figure import Figure
        with second_process():
            write_figure(Figure(), "figure")
    """
    # A command that ran in this process before says that no process is to look there.
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    said = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=usual,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "worked" in said.stdout and (folder / "figure.pdf").exists()
    assert [one.name for one in marks if one.exists()] == []
