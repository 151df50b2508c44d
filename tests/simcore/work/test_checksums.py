"""`checksums.json`: what it says of a folder, whenever the command that writes there is killed."""

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from analysis.upkeep import unsealed, verify
from card_data.checksums import CHECKSUMS, is_changed, read_checksums, seal_json
from simcore.places import located
from simcore.sealed import RunError, keep_file, remove_file, write_file
from simcore.work.lock import holding


class KilledError(BaseException):
    """The process ends here."""


def names(folder: Path) -> list[str]:
    """The files of which there is a checksum."""
    found = read_checksums(folder)
    assert found is None or not found.unfinished
    return [] if found is None else list(found.files)


def test_what_is_written_in_a_folder_is_noted(tmp_path: Path) -> None:
    """All files but those that hold a checksum of themselves, in any folder of it."""
    with holding(tmp_path / "run"):
        write_file(tmp_path / "run" / "page.html", b"page")
        keep_file(tmp_path / "run" / "cards" / "own.toml", b"cards")
        write_file(tmp_path / "run" / "about.json", seal_json({}))
        write_file(tmp_path / "run" / "plain.json", b"{}")
        write_file(tmp_path / "elsewhere.html", b"page")
    assert names(tmp_path / "run") == ["cards/own.toml", "page.html", "plain.json"]
    assert verify(tmp_path / "run") == [] == unsealed(tmp_path / "run")
    assert not (tmp_path / CHECKSUMS).exists()


def test_the_same_again_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that writes what is there writes no checksums; one that removes does."""
    for _ in range(2):
        with holding(tmp_path):
            write_file(tmp_path / "page.html", b"page")
            keep_file(tmp_path / "own.toml", b"cards")
        monkeypatch.setattr("simcore.work.checksums.write_file", lambda *_: 1 / 0)
    monkeypatch.undo()
    with holding(tmp_path):
        remove_file(tmp_path / "page.html")
    assert names(tmp_path) == ["own.toml"]
    with holding(tmp_path):
        remove_file(tmp_path / "own.toml")
    assert [*tmp_path.iterdir()] == []


def test_a_folder_in_it_has_its_own(tmp_path: Path) -> None:
    """It can be moved away; what is written there later is noted there, whoever holds it."""
    outer, inner = tmp_path / "outer", tmp_path / "outer" / "run"
    with holding(outer):
        with holding(inner):
            write_file(inner / "pool.toml", b"pool")
        write_file(inner / "page.html", b"page")
        write_file(outer / "page.html", b"page")
    assert (names(outer), names(inner)) == (["page.html"], ["page.html", "pool.toml"])
    moved = tmp_path / "moved"
    shutil.move(inner, moved)
    (moved / "pool.toml").write_bytes(b"p00l")
    assert [fault.path.name for fault in verify(moved)] == ["pool.toml"]


def write_both(folder: Path, text: bytes) -> None:
    """A command that writes two files."""
    with holding(folder):
        write_file(folder / "one.html", b"one " + text)
        write_file(folder / "two.html", b"two " + text)


@pytest.mark.parametrize("place", ["here", "memory"])
@pytest.mark.parametrize("killed_at", range(6))
def test_a_killed_command_leaves_no_false_alarm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed_at: int, place: str
) -> None:
    """After any write, of files or of checksums: the command repeated leaves the same bytes.

    And another command after it finds no damage where there is none.
    """
    home = located(f"memory://checksums-{killed_at}") if place == "memory" else tmp_path
    whole, cut, other = home / "whole", home / "cut", home / "other"
    for folder in (whole, cut):
        write_both(folder, b"before")
    write_both(whole, b"after")
    _kill_at(killed_at, monkeypatch, lambda: write_both(cut, b"after"))
    _kill_at(killed_at, monkeypatch, lambda: write_both(other, b"new"))
    for folder in (one for one in (cut, other) if one.is_dir()):
        said = {fault.problem for fault in verify(folder)}
        assert said <= {"is damaged, or was being written by a killed command"}
    with holding(other):
        write_file(other / "three.html", b"three")
    assert verify(other) == []
    write_both(cut, b"after")
    write_both(other, b"new")
    assert verify(cut) == verify(other) == []
    for name in ("one.html", "two.html", CHECKSUMS):
        assert (cut / name).read_bytes() == (whole / name).read_bytes()


@pytest.mark.parametrize("killed_at", range(6))
def test_what_a_killed_command_finished_stays_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed_at: int
) -> None:
    """A command that goes on does not write it again, and its checksum is there all the same."""
    whole, cut = tmp_path / "whole", tmp_path / "cut"

    def go_on(folder: Path) -> None:
        with holding(folder):
            for name in ("one.html", "two.html"):
                if not (folder / name).exists():
                    write_file(folder / name, name.encode())

    go_on(whole)
    _kill_at(killed_at, monkeypatch, lambda: go_on(cut))
    go_on(cut)
    assert names(cut) == names(whole) == ["one.html", "two.html"]


def _kill_at(number: int, monkeypatch: pytest.MonkeyPatch, command: Callable[[], None]) -> None:
    """Run a command that is killed before its write of that number, and writes nothing more."""
    left = iter(range(number))

    def write(path: Path, data: bytes) -> None:
        if next(left, None) is None:
            raise KilledError
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    with monkeypatch.context() as patch:
        patch.setattr("simcore.sealed._write", write)
        with suppress(KilledError):
            command()


def test_cards_that_are_not_as_they_were_written_are_not_read(tmp_path: Path) -> None:
    """Neither in the folder nor in one in it; elsewhere anybody may change them."""
    with holding(tmp_path / "better"):
        keep_file(tmp_path / "better" / "proposal" / "own.toml", b"power = 5")
    path = tmp_path / "better" / "proposal" / "own.toml"
    assert not is_changed(path, path.read_bytes())
    assert is_changed(path, b"power = 7")
    assert not is_changed(tmp_path / "own.toml", b"power = 7")
    with holding(tmp_path / "better"):
        keep_file(path, b"power = 9")
        assert not is_changed(path, b"power = 9")
    assert not is_changed(path, b"power = 9")


@pytest.mark.parametrize(
    ("contents", "faults"),
    [
        (b"", [CHECKSUMS]),
        (b"{", [CHECKSUMS]),
        (b"[]", [CHECKSUMS]),
        (seal_json({"format": 2, "files": {}}), []),
        (seal_json({"format": 1, "files": [1]}), []),
    ],
)
def test_damaged_checksums_are_named_and_written_anew(
    tmp_path: Path, contents: bytes, faults: list[str]
) -> None:
    """They are a fault of their own; the next command that writes something begins new ones."""
    write_both(tmp_path, b"")
    (tmp_path / CHECKSUMS).write_bytes(contents)
    assert [fault.path.name for fault in verify(tmp_path)] == faults
    assert {path.name for path in unsealed(tmp_path)} >= {"one.html", "two.html"}
    write_both(tmp_path, b"")
    assert names(tmp_path) == ["one.html", "two.html"]
    assert json.loads((tmp_path / CHECKSUMS).read_text())["format"] == 1


def test_a_folder_that_is_gone_is_one_message(tmp_path: Path) -> None:
    """What cannot be written is told by the file that could not be written first."""
    with holding(tmp_path / "run"):
        write_file(tmp_path / "run" / "one.html", b"one")
        shutil.rmtree(tmp_path / "run")
        with pytest.raises(RunError, match="is not there"):
            write_file(tmp_path / "run" / "two.html", b"two")


def test_what_could_not_be_written_is_not_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that fails leaves checksums of what is there."""
    write_both(tmp_path, b"before")

    def full(path: Path, data: bytes) -> None:
        if path.name == "two.html":
            raise RunError("the disk is full")
        path.write_bytes(data)

    monkeypatch.setattr("simcore.sealed._write", full)
    with pytest.raises(RunError, match="full"):
        write_both(tmp_path, b"after")
    monkeypatch.undo()
    assert verify(tmp_path) == []
    assert names(tmp_path) == ["one.html"]
