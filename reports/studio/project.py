"""The folder that the studio works in: which files it reads and writes, and which it hands out."""

import hashlib
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from card_data.toml_files import MAX_FILE_BYTES, Unreadable, decoded, read_bytes, read_text
from reports.cli.console import InputError
from reports.kit.made import MADE
from reports.studio import history

#: The folder of runs in a project folder, as commands name it.
RUNS = Path("runs")
#: Bytes of a file that the studio edits; card files may have no more.
MOST_BYTES = MAX_FILE_BYTES
#: What is handed out of a run folder.
_SERVED = {".html", ".svg", ".png", ".pdf", ".csv", ".parquet", ".xlsx", ".md", ".toml"}
#: How own files end, spreadsheets apart.
_OWN = (".toml",)
#: How files of rules end.
RULES = (".py",)
# What stands in each.
_GAME = re.compile(r"^GAME\s*=", re.MULTILINE)
_NAME = re.compile(r"[\w+][\w .+-]*", re.ASCII)
_LONGEST = 100


class Text(NamedTuple):
    """The text of a file, and by what it is known again."""

    text: str
    version: str


class ChangedError(InputError):
    """A file is not the one that was opened: somebody else has written it."""


def check_name(name: str, suffixes: Sequence[str]) -> None:
    """Raise InputError for a name that no file of the studio has."""
    is_named = _NAME.fullmatch(name) and Path(name).suffix in suffixes
    if not is_named or len(name) > _LONGEST:
        raise InputError(
            f"{_shown(name)} is not a name for a file here; use letters from a to z,"
            " digits, spaces, '_', '-' and '.', no space, '-' or '.' first, at most"
            f" {_LONGEST} in all, and end it in {' or '.join(suffixes)}"
        )


class Project:
    """A folder; nothing outside of it is read or written, wherever a link leads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    def file(self, name: str, suffixes: Sequence[str] = _OWN) -> Path:
        """The path of an own file by its name, there or not yet.  Raises InputError."""
        check_name(name, suffixes)
        return self.inside(Path(name))

    def files(self, suffixes: Sequence[str] = _OWN) -> list[Path]:
        """The own files that end so, by name."""
        found = []
        for path in sorted(self.folder.iterdir()):
            try:
                self.file(path.name, suffixes)
            except InputError:
                continue
            if path.is_file():
                found.append(Path(path.name))
        return found

    def rules(self) -> list[str]:
        """The files that may hold the rules of a game of a person's own, read and not run."""
        found = []
        for path in self.files(RULES):
            with suppress(Unreadable):
                if _GAME.search(read_text(self.folder / path)):
                    found.append(path.name)
        return found

    def rules_named(self, name: str) -> Path:
        """One of them by its name.  Raises InputError for any other."""
        if name not in self.rules():
            raise InputError(
                f"{_shown(name)} is not the rules of a game: such a file ends with GAME = Game(…)"
            )
        return self.file(name, RULES)

    def read(self, name: str, suffixes: Sequence[str] = _OWN) -> Text:
        """An own file.  Raises InputError."""
        content = self._content(name, suffixes)
        if content is None:
            raise InputError(f"{name}: there is no such file")
        try:
            text = decoded(content)
        except Unreadable as error:
            raise InputError(f"{name}: {error}") from None
        return Text(text.replace("\r\n", "\n"), _version(content))

    def write(self, name: str, text: str, version: str) -> Text:
        """Write an own file, whole or not at all; ``version`` is what was opened, "" for none.

        Lines end as they did in the file.  What it was and what it is are kept as versions
        (`history`).  Raises ChangedError if the file is another by now, InputError and RunError.
        """
        from reports.cli.named_files import write_named
        from simcore.work.lock import holding_file

        path = self.file(name)
        with holding_file(path):
            before = self._content(name)
            if _version(before) != version:
                became = "changed by somebody else" if before is not None else "taken away"
                raise ChangedError(
                    f"{name} was {became} since it was opened here; nothing was saved"
                )
            crlf = before is not None and b"\r\n" in before
            data = text.replace("\n", "\r\n" if crlf else "\n").encode()
            if len(data) > MOST_BYTES:
                raise InputError(f"{name} would be larger than {MOST_BYTES:,} bytes")
            if version:
                history.keep(self.versions(name), name, self.read(name).text)
            write_named(path, data)
            history.keep(self.versions(name), name, text)
        return Text(text, _version(data))

    def _content(self, name: str, suffixes: Sequence[str] = _OWN) -> bytes | None:
        """The bytes of an own file, None where there is none.  Raises InputError."""
        path = self.file(name, suffixes)
        try:
            return read_bytes(path) if os.path.lexists(path) else None
        except Unreadable as error:
            raise InputError(f"{name}: {error}") from None

    def keep(self, name: str) -> None:
        """Keep an own file as it is now as a version.  Raises InputError and RunError."""
        from simcore.work.lock import holding_file

        with holding_file(self.file(name)):
            history.keep(self.versions(name), name, self.read(name).text)

    def versions(self, name: str) -> Path:
        """The folder of the versions of an own file (`history`).  Raises InputError."""
        self.file(name)
        return self.inside(history.place(name))

    def run(self, name: str) -> Path:
        """A folder of a run by its name.  Raises InputError."""
        if not name or name.startswith(".") or {"/", "\\", "\0"} & {*name}:
            raise InputError("there is no such run")
        folder = self.inside(RUNS / name).resolve()
        if not folder.is_dir():
            raise InputError("there is no such run")
        return folder

    def file_of_run(self, run: str, name: str) -> Path:
        """A file of a run that may be handed out.  Raises InputError."""
        folder, parts = self.run(run), name.split("/")
        bad = any(part.startswith(".") or not part or {"\\", "\0"} & {*part} for part in parts)
        if bad or Path(parts[-1]).suffix not in _SERVED:
            raise InputError("there is no such file")
        path = folder.joinpath(*parts).resolve()
        if not path.is_relative_to(folder) or not path.is_file():
            raise InputError("there is no such file")
        return path

    def export(self, run: str) -> dict[str, Path]:
        """The files of a run's answer by their names: pages, tables, charts, proposals."""
        folder = self.run(run)
        here = [*folder.glob("*.*"), *folder.glob("tables/*.csv"), *folder.glob("figures/*.*")]
        names = [path.relative_to(folder).as_posix() for path in sorted(here) if path.name != MADE]
        found = {}
        for name in names:
            with suppress(InputError):  # a link, or a file of another kind
                found[name] = self.file_of_run(run, name)
        return found

    def inside(self, path: Path) -> Path:
        """A path below the folder, links followed.  Raises InputError."""
        found = (self.folder / path).resolve()
        if not found.is_relative_to(self.folder):
            raise InputError(f"{_shown(path.name)} is a link that leads out of {self.folder}")
        return self.folder / path


def _version(content: bytes | None) -> str:
    """By what the contents of a file are known again; "" where there is no file."""
    return "" if content is None else hashlib.sha256(content).hexdigest()


def _shown(name: str) -> str:
    return repr(name[:_LONGEST])
