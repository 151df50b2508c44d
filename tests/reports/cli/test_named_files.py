"""Files that are named to be written: links stay links, and nothing is written where none leads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reports.cli.console import InputError
from reports.cli.named_files import write_named
from reports.cli.sides import check_record

CARDS = 'name="Mine"\n[rat]\nname="Rat"\npower=1\n'

WRITERS = {
    "export": ("cards", "export", "mine.toml", "{}.csv"),
    "export again": ("cards", "export", "mine.toml", "{}.xlsx", "--force"),
    "import": ("cards", "import", "mine.csv", "{}.toml"),
}


@pytest.fixture
def folder(ask, tmp_path: Path) -> Path:
    """A folder with a card file and a spreadsheet, in which the command runs."""
    Path("mine.toml").write_text(CARDS)
    assert ask("cards", "export", "mine.toml", "mine.csv").status == 0
    return tmp_path


@pytest.mark.parametrize("arguments", WRITERS.values(), ids=WRITERS)
def test_links_to_nowhere_are_refused(ask, folder: Path, arguments: tuple[str, ...]) -> None:
    """A link whose target is gone is named with its target, and nothing is written there."""
    words = [word.format("link") for word in arguments]
    [link] = [Path(word) for word in words if word.startswith("link")]
    link.symlink_to(folder / "elsewhere")
    ask(*words).refused(f"{link} is a link to {folder / 'elsewhere'}, where there is nothing")
    assert link.is_symlink()
    assert not Path("elsewhere").exists()


@pytest.mark.parametrize("arguments", WRITERS.values(), ids=WRITERS)
def test_pipes_are_not_waited_for(ask, folder: Path, arguments: tuple[str, ...]) -> None:
    """What is no ordinary file is refused at once."""
    words = [word.format("pipe") for word in arguments]
    [pipe] = [word for word in words if word.startswith("pipe")]
    os.mkfifo(pipe)
    ask(*words).refused(f"{pipe} is not an ordinary file; name another one")


def test_links_to_files_stay_links(ask, folder: Path) -> None:
    """The file that a link leads to is the one that is written."""
    Path("link.toml").symlink_to("mine.toml")
    assert ask("cards", "format", "link.toml").out == "link.toml: formatted\n"
    assert Path("link.toml").is_symlink()
    assert Path("mine.toml").read_text() != CARDS
    write_named(Path("link.toml"), b"new")
    assert Path("mine.toml").read_bytes() == b"new"


def test_a_diary_is_checked_before_anything_is_played(tmp_path: Path) -> None:
    """--record through a link to nowhere is refused while nothing has been computed."""
    diary = tmp_path / "diary.md"
    diary.symlink_to(tmp_path / "elsewhere.md")
    with pytest.raises(InputError, match="is a link to"):
        check_record(diary, "too strong")
