"""Folders are named for people and found again by what was asked."""

from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import simcore.work.about
from card_data.checksums import CHECKSUM, open_json, seal_json
from simcore.sealed import RunError
from simcore.work.about import About, Question, find, read_about, working_on
from simcore.work.folder import ABOUT


def question(**changed: Any) -> Question:
    """A question about First Contact."""
    said = {
        "game": "mindbug",
        "question": "balance",
        "named": ("first_contact",),
        "what": "First Contact",
        "players": ("random", "random"),
        "games": 20,
        "seed": 0,
        "asked": {"pool": "abc", "seed": 0, "games": 20},
    }
    return Question(**{**said, **changed})


def answered(project: Path, **changed: Any) -> Path:
    """The folder of a question, answered."""
    with working_on(question(**changed), project=project) as work:
        (work.folder / "answer.txt").write_text("42")
        work.finish("All is well.", "page.html")
    return work.folder


def said(folder: Path) -> About:
    """What a folder says of itself."""
    about = read_about(folder)
    assert about is not None
    return about


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A clock that a test sets."""

    class Clock:
        day = date(2026, 11, 23)

        @classmethod
        def today(cls) -> date:
            return cls.day

    monkeypatch.setattr(simcore.work.about, "date", Clock)
    return Clock


def test_the_name_says_question_players_and_day(today: Any, tmp_path: Path) -> None:
    """Names are for people: no fingerprint, each player once, many players counted."""
    assert answered(tmp_path).name == "first_contact-random-2026-11-23"
    two = answered(tmp_path, players=("greedy", "search:100"), asked={})
    assert two.name == "first_contact-greedy-search-100-2026-11-23"
    four = answered(tmp_path, named=("ladder", "a/b c"), players=tuple("abcd"), asked={"n": 4})
    assert four.name == "ladder-a-b-c-4-players-2026-11-23"


def test_the_same_question_finds_its_folder_on_any_day(today: Any, tmp_path: Path) -> None:
    """Also after the folder was renamed; what was begun and found stays written down."""
    first = answered(tmp_path)
    today.day = date(2026, 12, 24)
    assert answered(tmp_path) == first
    renamed = first.rename(tmp_path / "my favourite run")
    assert answered(tmp_path) == renamed
    about = said(renamed)
    assert (about.begun, about.finished) == ("2026-11-23", "2026-11-23")
    assert (about.headline, about.page) == ("All is well.", "page.html")


def test_two_questions_never_share_a_folder(today: Any, tmp_path: Path) -> None:
    """Another question with the same name gets a number behind it."""
    folders = [answered(tmp_path, asked={"seed": seed}) for seed in range(3)]
    name = "first_contact-random-2026-11-23"
    assert [one.name for one in folders] == [name, f"{name}-2", f"{name}-3"]
    assert [find(question(asked={"seed": seed}), tmp_path) for seed in range(3)] == folders
    assert find(question(asked={"seed": 3}), tmp_path) is None


def test_interrupted_work_is_found_again(tmp_path: Path) -> None:
    """What it is about is written first; the answer is missing until it is there."""
    with suppress(KeyboardInterrupt), working_on(question(), project=tmp_path) as work:
        (work.folder / "half.txt").write_text("4")
        raise KeyboardInterrupt
    about = said(work.folder)
    assert (about.finished, about.what, about.games) == (None, "First Contact", 20)
    assert answered(tmp_path) == work.folder
    assert said(work.folder).finished


def test_work_that_leaves_nothing_leaves_no_folder(tmp_path: Path) -> None:
    """A question that is refused when it is looked at more closely makes no folder."""
    with suppress(InterruptedError), working_on(question(), project=tmp_path / "runs") as work:
        assert (work.folder / ABOUT).exists()
        raise InterruptedError
    assert not (tmp_path / "runs").exists()


def test_a_folder_at_work_is_no_place_for_another_question(today: Any, tmp_path: Path) -> None:
    """The next number is taken where the name is."""
    with working_on(question(), project=tmp_path) as work:
        other = answered(tmp_path, asked={"other": 1})
    assert other.name == f"{work.question.folder_name('2026-11-23')}-2"


def test_a_folder_that_is_named_is_used(tmp_path: Path) -> None:
    """What lies there already is not overwritten before the work itself has looked at it."""
    mine = tmp_path / "mine"
    with working_on(question(), mine) as work:
        (mine / "answer.txt").write_text("42")
        work.finish("One.")
    before = (mine / ABOUT).read_bytes()
    with suppress(RunError), working_on(question(asked={"other": 1}), mine):
        raise RunError("another question's folder")
    assert (mine / ABOUT).read_bytes() == before
    # A run that is made longer is another question: interrupted, it is not the answered one.
    longer = question(asked={"games": 40})
    with suppress(KeyboardInterrupt), working_on(longer, mine):
        raise KeyboardInterrupt
    assert said(mine).finished is None
    assert find(question(), tmp_path) is None and find(longer, tmp_path) == mine


def test_older_folders_are_recognised_by_their_own_manifest(tmp_path: Path) -> None:
    """A folder without the file, or with a damaged one, is asked whether the work is in it."""
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "mine.txt").write_text("yes")
    known = question(is_in=lambda folder: (folder / "mine.txt").exists())
    assert find(known, tmp_path) == tmp_path / "old"
    (tmp_path / "old" / ABOUT).write_text('{"format": 1}')
    with pytest.raises(RunError, match="no valid game, question"):
        read_about(tmp_path / "old")
    assert find(known, tmp_path) == tmp_path / "old"
    assert find(question(), tmp_path) is None


@pytest.mark.parametrize("missing", ["games", "seed", "finished"])
def test_an_entry_that_may_be_empty_may_be_missing(tmp_path: Path, missing: str) -> None:
    """A sealed file without it is read as one where it is null, without a traceback."""
    folder = answered(tmp_path)
    entries = open_json((folder / ABOUT).read_bytes())
    del entries[missing], entries[CHECKSUM]
    (folder / ABOUT).write_bytes(seal_json(entries))
    about = read_about(folder)
    assert about is not None
    assert getattr(about, missing) is None
