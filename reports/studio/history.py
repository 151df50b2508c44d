"""What a file was before: each save is kept as a version, which can be named and put back.

Version 3 of ``my_cards.toml`` is ``history/my_cards/3/my_cards.toml``, a card file like any other,
so that the commands can play it, too.  Beside it ``version.json`` says when it was saved, what it
is called, and why.  Versions are never changed, but for their names.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from card_data.toml_files import Unreadable, read_text
from reports.cli.console import InputError
from reports.studio.git_commit import last_commit

#: The folder of versions in a project folder.
HISTORY = Path("history")
#: Letters of a name, and of a reason.
MOST_NAME, MOST_WHY = 60, 1000
_ABOUT = "version.json"
_GIT = "git-"


@frozen
class Version:
    """A version: its number, "git-…" for a commit of git, when it was saved, its name and why."""

    number: str
    saved: str = ""
    name: str = ""
    why: str = ""

    @property
    def called(self) -> str:
        """What a person calls it."""
        if self.number.startswith(_GIT):
            return f"commit {self.number.removeprefix(_GIT)}"
        return f"version {self.number}" + (f", “{self.name}”" if self.name else "")


def place(file: str) -> Path:
    """The folder of the versions of a file, below the project folder."""
    return HISTORY / file.removesuffix(".toml")


def keep(folder: Path, file: str, text: str) -> None:
    """Keep the text of a file as its newest version, unless it is that already.

    ``folder`` is that of its versions.  The caller holds the file.  Raises RunError.
    """
    known = _numbers(folder)
    if known and read(folder, file, known[-1]) == text:
        return
    number = str(int(known[-1]) + 1 if known else 1)
    _write(folder, file, text, Version(number, datetime.now().isoformat(timespec="seconds")))


def known(folder: Path, file: str) -> list[tuple[Version, str]]:
    """All versions with their texts, the newest first."""
    return [(one, read(folder, file, one.number)) for one in versions(folder)]


def keep_commit(folder: Path, file: str, project: Path) -> None:
    """Keep a file of the project folder as the last commit of git has it.

    Raises InputError where there is none, and RunError.
    """
    found = last_commit(project, file)
    if found is None:
        raise InputError(f"git has no commit of {file} here, or cannot be started")
    about = Version(_GIT + found.name, found.time)
    if not (folder / about.number / file).exists():
        _write(folder, file, found.text, about)


def versions(folder: Path) -> list[Version]:
    """All versions, the newest first, and behind them the commits that were kept."""
    numbers = _numbers(folder)[::-1]
    commits = [_about(folder, one.name) for one in folder.glob(f"{_GIT}*") if one.is_dir()]
    commits.sort(key=lambda one: one.saved, reverse=True)
    return [*(_about(folder, number) for number in numbers), *commits]


def version(folder: Path, number: str) -> Version:
    """One of the versions.  Raises InputError for one that there is not."""
    for one in versions(folder):
        if one.number == number:
            return one
    raise InputError("there is no such version; reload the page")


def read(folder: Path, file: str, number: str) -> str:
    """The text of a version; "" where its file is gone."""
    with suppress(Unreadable, InputError):
        return read_text(_at(folder, number, file))
    return ""


def describe(folder: Path, number: str, name: str, why: str) -> None:
    """Give a version a name, and say why it is.  Raises InputError and RunError."""
    from simcore.sealed import write_file

    before = version(folder, number)
    called = _line("the name", name, MOST_NAME)
    now = Version(number, before.saved, called, reason(why))
    write_file(_at(folder, number, _ABOUT), _json(now))


def reason(text: str) -> str:
    """Why something is so, in one line.  Raises InputError."""
    return _line("the reason", text, MOST_WHY)


def _line(what: str, text: str, most: int) -> str:
    if len(text) > most:
        raise InputError(f"{what} is longer than {most} letters")
    return " ".join(text.split())


def _numbers(folder: Path) -> list[str]:
    """The numbers of versions, in their order."""
    found = [one.name for one in folder.glob("[0-9]*") if one.name.isdecimal() and one.is_dir()]
    return sorted(found, key=int)


def _about(folder: Path, number: str) -> Version:
    said: Mapping[str, Any] = {}
    with suppress(Unreadable, ValueError, RecursionError, InputError):
        found = json.loads(read_text(_at(folder, number, _ABOUT)))
        said = found if isinstance(found, dict) else {}
    return Version(number, *(str(said.get(name, "")) for name in ("saved", "name", "why")))


def _write(folder: Path, file: str, text: str, about: Version) -> None:
    from simcore.sealed import write_file, writing

    with writing(folder):
        (folder / about.number).mkdir(parents=True, exist_ok=True)
    write_file(_at(folder, about.number, _ABOUT), _json(about))
    write_file(_at(folder, about.number, file), text.encode())


def _at(folder: Path, number: str, name: str) -> Path:
    """A file of a version.  Raises InputError where a link leads away from it."""
    path = folder / number / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{path} leads out of {folder}")
    return path


def _json(about: Version) -> bytes:
    return json.dumps(asdict(about), ensure_ascii=False, indent=1).encode() + b"\n"
