"""Functions of a person's own are loaded where they are named, and nowhere else."""

from __future__ import annotations

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
    code = use(test_spelling)
    assert code.text.endswith("test_own_code.py:test_spelling")
    assert code.digest == own_code._digest(Path(__file__).read_bytes())
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


def test_failures_name_the_line() -> None:
    """What a function raises is told with its kind and the line of the file."""
    code = use("mine.py:fails")
    try:
        code.function(0)
    except ZeroDivisionError as error:
        assert own_code.failure(code, error) == "ZeroDivisionError: division by zero (line 10)"
