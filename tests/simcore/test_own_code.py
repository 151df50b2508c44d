"""Functions of a person's own are loaded where they are named, and nowhere else."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from simcore import own_code
from simcore.own_code import OwnCodeError, fingerprint, is_own, use, used

SOURCE = """
from pathlib import Path
with Path("ran.txt").open("a") as file:
    file.write("once ")

def double(number):
    return 2 * number

def fails(number):
    return 1 / number
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of somebody's, in which nothing has been named yet."""
    monkeypatch.setattr(own_code, "_used", {})
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(SOURCE)
    return tmp_path


def test_spelling() -> None:
    """A function of one's own is a Python file, a colon and a name; players are not."""
    assert is_own("mine.py:double")
    assert is_own("some/where/my-players.py:f_2")
    assert not any(map(is_own, ("search:400", "mine.py", "mine.py:2", "learned=a.toml", "a:b")))


def test_only_use_runs_the_file() -> None:
    """A fingerprint is read; the file runs once, when it is named, however often it is used."""
    digest = fingerprint("mine.py:double")
    with pytest.raises(OwnCodeError, match="only where you name it"):
        used("mine.py:double")
    assert not Path("ran.txt").exists()
    assert use("mine.py:double").function(4) == 8
    assert use("mine.py:double").digest == digest == used("mine.py:double").digest
    assert Path("ran.txt").read_text() == "once "
    assert {path.name for path in Path().iterdir()} == {"mine.py", "ran.txt"}


def test_the_fingerprint_is_that_of_what_runs() -> None:
    """An edit changes the fingerprint, but not that of what has been loaded before."""
    loaded = use("mine.py:double").digest
    Path("mine.py").write_text(SOURCE + "# edited\n")
    assert fingerprint("mine.py:double") == loaded
    assert fingerprint("mine.py:fails") != loaded


def test_a_function_in_hand_is_spelled_by_its_file() -> None:
    """A function itself is as good as its name; one without a file has its own source."""
    Path("mine.py").write_text("def seven():\n    return 7\n")
    spec = spec_from_file_location("mine", "mine.py")
    assert spec and spec.loader
    mine = module_from_spec(spec)
    spec.loader.exec_module(mine)
    code = use(mine.seven)
    assert code.text == "mine.py:seven"
    assert code.digest == fingerprint("mine.py:seven") == use("mine.py:seven").digest
    Path("mine.py").write_text("def seven():\n    return 8\n")
    with pytest.raises(OwnCodeError, match=r"mine.py was changed since seven was imported"):
        use(mine.seven)
    with pytest.raises(OwnCodeError, match="has no name; write it with def"):
        use(lambda: 0)
    names: dict[str, object] = {}
    exec("def made_up(): return 1", names)
    with pytest.raises(OwnCodeError, match="source of made_up cannot be found"):
        use(names["made_up"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "source", "message"),
    [
        ("gone.py:f", None, "cannot read gone.py for gone.py:f: there is no such file"),
        ("mine.py:duble", SOURCE, "mine.py has no function 'duble'; did you mean 'double'"),
        ("mine.py:Path", "Path = 1", "mine.py has no function 'Path'; it has none"),
        ("mine.py:f", "def f(:\n  pass", "mine.py:1: SyntaxError"),
        ("mine.py:f", "\nimport no_such_module", "mine.py:2: ModuleNotFoundError: No module"),
        ("mine.py:f", "import sys\nsys.exit(3)", "mine.py:2: SystemExit: 3"),
    ],
)
def test_what_is_wrong_is_said(text: str, source: str | None, message: str) -> None:
    """A missing file or function, and a file that fails, give one message with the place."""
    if source is not None:
        Path("mine.py").write_text(source)
    with pytest.raises(OwnCodeError) as raised:
        use(text)
    assert message in str(raised.value)


def test_modules_beside_the_file_can_be_imported() -> None:
    """A file imports what lies beside it, as it would as a program."""
    Path("sub").mkdir()
    Path("sub/beside_it.py").write_text("FACTOR = 3")
    Path("sub/mine.py").write_text("import beside_it\ndef triple(n): return beside_it.FACTOR * n")
    assert use("sub/mine.py:triple").function(2) == 6


def test_modules_beside_the_file_are_a_part_of_it(tmp_path: Path) -> None:
    """An edited one makes another player, and one of the same name elsewhere is another."""
    found = {}
    for folder, factor in (("a", 3), ("b", 5), ("a", 7)):
        Path(folder).mkdir(exist_ok=True)
        Path(folder, "helper.py").write_text("from deeper import FACTOR\n")
        Path(folder, "deeper.py").write_text(f"FACTOR = {factor}\n")
        Path(folder, "mine.py").write_text("import helper\ndef times(n): return helper.FACTOR * n")
        text = f"{folder}/mine.py:times"
        code = use(text)
        found[code.digest] = code.function(2)
        assert fingerprint(text) == code.digest
    assert [*found.values()] == [6, 10, 14]


def test_a_place_is_no_spelling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same words name another file in another folder, and an edited file is run again."""
    assert use("mine.py:double").function(4) == 8
    Path("other").mkdir()
    monkeypatch.chdir("other")
    Path("mine.py").write_text("def double(number): return number + number + 1")
    assert use("mine.py:double").function(4) == 9
    Path("mine.py").write_text("def double(number): return 0")
    assert use("mine.py:double").function(4) == 0


def test_failures_name_the_line() -> None:
    """What a function raises is told with its kind and the line of the file."""
    code = use("mine.py:fails")
    try:
        code.function(0)
    except ZeroDivisionError as error:
        assert own_code.failure(code, error) == "ZeroDivisionError: division by zero (line 10)"
