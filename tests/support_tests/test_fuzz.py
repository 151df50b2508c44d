"""The program that feeds others what nobody would write finds what it must find."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simcore.places import located
from support import fuzz


@pytest.fixture(scope="module", autouse=True)
def _guard() -> Iterator[None]:
    with fuzz.guarded():
        yield


def test_what_is_fed_is_answered() -> None:
    """A few inputs of every kind are accepted, or refused with one message; some of them each."""
    for kind in fuzz.kinds(Path.cwd()):
        ended = {fuzz.feed(kind, number, 7)[0] for number in range(25)}
        assert ended == {fuzz.ACCEPTED, fuzz.REFUSED}, kind.name


def test_every_command_is_fed() -> None:
    """Every command of every game begins a line that is changed."""
    begun = {tuple(line.split()[:n]) for line in fuzz.LINES for n in (1, 2)}
    assert {words for words in fuzz.commands() if words} <= begun


def test_an_input_finds_the_files_that_the_first_one_found(tmp_path: Path) -> None:
    """What a command changed, added or removed, here and in the store, is put back."""
    for name in ("kept", "lost", "inner/changed"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    located("memory://fuzzed/object").write_bytes(b"kept")
    tree = fuzz.Tree(tmp_path)
    (tmp_path / "lost").unlink()
    (tmp_path / "new" / "er").mkdir(parents=True)
    (tmp_path / "new" / "er" / "file").write_text("new")
    (tmp_path / "inner" / "changed").write_text("another text")
    located("memory://fuzzed/object").write_bytes(b"changed")
    located("memory://fuzzed/new").write_bytes(b"new")
    tree.restore()
    found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    assert found == {"kept", "lost", "inner", "inner/changed"}
    assert (tmp_path / "inner" / "changed").read_text() == "inner/changed"
    assert located("memory://fuzzed/object").read_bytes() == b"kept"
    assert not located("memory://fuzzed/new").exists()


def _fails(_: object) -> None:
    raise KeyError("power")


def _waits(_: object) -> None:
    while True:
        pass


def _chatters(_: object) -> None:
    raise fuzz.Refused("no " * 100_000)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [(_fails, fuzz.TRACEBACK), (_waits, fuzz.HANG), (_chatters, fuzz.ENDLESS)],
)
def test_what_is_not_answered_is_found(
    answer: Callable[[object], None], outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error that nobody caught, a wait and an endless message are each told with the input."""
    monkeypatch.setattr(fuzz, "_BUSY", 0.2)
    kind = fuzz.Kind("made", 1, lambda rng: rng.random(), answer)
    found, fault = fuzz.feed(kind, 3, 0)
    _, again = fuzz.feed(kind, 3, 0)
    assert found == outcome
    assert fault is not None
    assert again is not None
    assert (fault.number, fault.given) == (3, again.given)
