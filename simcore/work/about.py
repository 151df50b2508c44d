"""What a folder is about, for people and for finding it again: ``about.json``.

A folder that a command names by itself has a name for people: the question, who played, the day.
What tells it from others is inside: everything that was asked.  So the same question finds its
folder on any day, whatever it is called by then, and two questions never share one.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from card_data.checksums import CHECKSUM, open_json, seal_json
from simcore.places import StorePath
from simcore.sealed import RunError, Shape, faults, read_file, write_file, writing
from simcore.work.folder import ABOUT
from simcore.work.lock import BusyError, holding

_FORMAT = 1
_SHAPE: dict[Any, Shape] = {
    "format": int,
    "game": str,
    "question": str,
    "what": str,
    "players": [str],
    "games": (range(1, 2**63), None),
    "seed": (range(2**63), None),
    "asked": dict,
    "begun": str,
    "finished": (str, None),
    "headline": str,
    "page": str,
    "note": str,
}


def _plain(value: Mapping[str, Any]) -> dict[str, Any]:
    """Values as JSON gives them back."""
    plain: dict[str, Any] = json.loads(json.dumps(value))
    return plain


@frozen(kw_only=True)
class Question:
    """What a command is asked.

    Parameters
    ----------
    game
        The name of the game.
    question
        The word of the command: "balance", "compare", "ladder".
    named
        The parts of the folder's name before the players: what is asked, and of what.
    what
        Of what it is asked, for people: "First Contact and My Cards".
    players
        Who plays; each once.
    who
        Those of them who are in the folder's name; None for all.
    games, seed
        How many games, where that is one number that was asked for, and which deals.
    asked
        All that the answer depends on, as values of JSON: what tells this question from others.
    is_in
        Whether work on this question is in a folder that has no ``about.json``.
    """

    game: str
    question: str
    named: tuple[str, ...]
    what: str
    players: tuple[str, ...]
    asked: Mapping[str, Any] = field(converter=_plain)
    games: int | None = None
    seed: int | None = None
    who: tuple[str, ...] | None = None
    is_in: Callable[[Path], bool] | None = None

    def folder_name(self, day: str) -> str:
        """The name of a folder that is begun on a day, which is written as 2026-11-23."""
        players = [*dict.fromkeys(self.players if self.who is None else self.who)]
        who = [f"{len(players)} players"] if len(players) > _MOST_PLAYERS else players
        parts = [in_a_name(part)[:_LONGEST_PART] for part in (*self.named, *who)]
        return "-".join([*filter(None, parts), day])


def _strings(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(texts)


def _without_joiners(text: str) -> str:
    """Text without the marks that keep numbers together on a page."""
    return text.replace("\N{WORD JOINER}", "")


@frozen(kw_only=True)
class About:
    """What ``about.json`` says of a folder.

    ``begun`` and ``finished`` are days, as 2026-11-23; ``finished`` is None while there is no
    answer.  ``headline`` is the finding that matters most, ``page`` the file of the report in the
    folder, ``note`` why a person asked; each is "" where there is none.
    """

    game: str
    question: str
    what: str
    players: tuple[str, ...] = field(converter=_strings)
    games: int | None
    seed: int | None
    asked: Mapping[str, Any]
    begun: str
    finished: str | None = None
    headline: str = field(default="", converter=_without_joiners)
    page: str = ""
    note: str = ""

    def answers(self, question: Question) -> bool:
        """Whether this is the folder of a question."""
        return (self.game, self.question, self.asked) == (
            question.game,
            question.question,
            question.asked,
        )


#: More players than that are counted in the name of a folder, and longer parts are cut.
_MOST_PLAYERS, _LONGEST_PART = 3, 80


def in_a_name(text: str) -> str:
    """Text as a part of the name of a folder: "search:100" -> "search-100"."""
    kept = "".join(char if char.isalnum() or char in "._+@" else " " for char in text)
    return "-".join(kept.split()).strip(".")


def read_about(folder: Path) -> About | None:
    """What a folder is about; None where nothing says it.

    Raises RunError, which says what is wrong with the file, in a few words without its name.
    """
    try:
        entries = open_json(read_file(folder / ABOUT))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError as error:
        raise RunError(f"damaged: {error}") from error
    if entries.get("format") != _FORMAT:
        raise RunError(f"format {entries.get('format')!r}, which this fairdeal cannot read")
    if bad := faults(entries, {**_SHAPE, CHECKSUM: str}):
        raise RunError(f"damaged: no valid {', '.join(bad)}")
    said: dict[str, Any] = {key: entries.get(key) for key in _SHAPE if key != "format"}
    return About(**said)


def write_about(folder: Path, about: About) -> None:
    """Write what a folder is about.  Raises RunError."""
    entries = {key: getattr(about, key) for key in _SHAPE if key != "format"}
    write_file(folder / ABOUT, seal_json({"format": _FORMAT, **entries}))


def folders_in(project: Path) -> list[Path]:
    """The folders in a project folder, by name; hidden ones are left out."""
    if isinstance(project, StorePath):
        return [one for one in project.iterdir() if one.name[0] != "." and one.is_dir()]
    try:
        with os.scandir(project) as entries:
            names = [one.name for one in entries if one.is_dir() and one.name[0] != "."]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [project / name for name in sorted(names)]


def find(question: Question, project: Path) -> Path | None:
    """The folder of a question in a project folder; None where there is none.  Writes nothing."""
    with writing(project):
        folders = folders_in(project)
    for folder in folders:
        about = None
        with suppress(RunError, OSError):
            about = read_about(folder)
        if about.answers(question) if about else question.is_in and question.is_in(folder):
            return folder
    return None


@frozen
class Work:
    """A folder in which a question is being answered, held against other commands."""

    folder: Path
    question: Question

    def finish(
        self,
        headline: str | None = None,
        page: str | None = None,
        games: int | None = None,
        note: str | None = None,
    ) -> None:
        """Write down that the answer is there; what is None stays as it was.

        ``games`` are told if only the answer says how many there were.
        """
        about = _about(self.folder, self.question)
        finished = about.finished or date.today().isoformat()
        found: dict[str, Any] = {"headline": headline, "page": page, "games": games, "note": note}
        found = {name: value for name, value in found.items() if value is not None}
        write_about(self.folder, evolve(about, finished=finished, **found))


def note(folder: Path, *, headline: str | None = None, page: str | None = None) -> None:
    """Write what was found later into what a folder says, if it says anything."""
    with suppress(RunError):
        if about := read_about(folder):
            headline = about.headline if headline is None else headline
            page = about.page if page is None else page
            write_about(folder, evolve(about, headline=headline, page=page))


def _about(folder: Path, question: Question) -> About:
    """What a folder says of a question, or what it should say."""
    about = None
    with suppress(RunError):
        about = read_about(folder)
    if about is not None and about.answers(question):
        return about
    facts = ("game", "question", "what", "players", "games", "seed", "asked")
    said = {name: getattr(question, name) for name in facts}
    return About(**said, begun=date.today().isoformat())


@contextmanager
def working_on(
    question: Question, folder: Path | None = None, project: Path | None = None
) -> Iterator[Work]:
    """Answer a question in the folder that it has, in a new one, or in the ``folder`` that is said.

    New ones are made in ``project``, which is ``runs`` where none is said.  The folder is held
    while the block runs (`simcore.work.lock.holding`).  What it is about is written before
    anything else, so that work that is killed is found again; a block that leaves nothing behind
    leaves no folder.  Raises RunError as `holding` does.
    """
    with ExitStack() as held:
        if folder is None:
            folder = _enter(question, Path("runs") if project is None else project, held)
        else:
            held.enter_context(holding(folder))
        before = _answered(folder, question)
        if before or _holds(folder) <= {ABOUT}:
            write_about(folder, _about(folder, question))
        try:
            yield Work(folder, question)
        except Exception:
            if before:  # the folder was refused
                write_about(folder, before)
            raise
        finally:
            with suppress(OSError, RunError):  # it may have been moved away
                if _holds(folder) == {ABOUT}:
                    (folder / ABOUT).unlink()


def _answered(folder: Path, question: Question) -> About | None:
    """What a folder says of another question that is answered, such as that of a shorter run."""
    with suppress(RunError):
        about = read_about(folder)
        if about and about.finished and not about.answers(question):
            return about
    return None


def _holds(folder: Path) -> set[str]:
    with writing(folder):
        return {one.name for one in folder.iterdir() if not one.name.startswith(".")}


def _enter(question: Question, project: Path, held: ExitStack) -> Path:
    """The folder of a question, found or new, which is held from now on."""
    found = find(question, project)
    if found is not None:
        held.enter_context(holding(found))
        return found
    name = question.folder_name(date.today().isoformat())
    for number in count(1):
        folder = project / (name if number == 1 else f"{name}-{number}")
        if not folder.exists():
            with suppress(BusyError):
                held.enter_context(holding(folder))
                return folder
    raise AssertionError
