"""Keeping ``checksums.json``: what it says of a folder while and after a command writes there.

Before a file is written that differs from what the checksums say, they are written, marked as
unfinished; they are whole again when the command ends.  Where it was killed in between, the next
one that writes there forgets the files that do not match: whether they are damaged, or were being
replaced, nobody can tell.  A command that writes what is there already changes nothing.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from card_data.checksums import CHECKSUMS, Checksums, checksum_of, read_checksums
from simcore.sealed import RunError, remove_file, told_of_writing, write_file, writing


@contextmanager
def keeping_checksums(folder: Path) -> Iterator[None]:
    """Keep the checksums of what this process writes in a folder while the block runs.

    Whoever calls it holds the folder.  Raises RunError when they cannot be written.
    """
    keeper = _Keeper(folder.resolve())
    try:
        with told_of_writing(keeper.folder, keeper.note):
            yield
    except BaseException:
        with suppress(RunError, OSError):
            keeper.finish(_matching)
        raise
    keeper.finish(_there)


class _Keeper:
    """Keeps the checksums of a folder, and of those in it that have checksums of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._homes: dict[Path, Path] = {}
        self._known: dict[Path, Checksums] = {}
        self._files: dict[Path, dict[str, str]] = {}
        self._lock = threading.Lock()

    def note(self, path: Path, digest: str | None) -> None:
        """Note that a file is about to have another checksum, or will be gone."""
        with self._lock:
            home = self._home(path.parent)
            if home not in self._known:
                self._known[home] = _still_true(home)
            name = path.relative_to(home).as_posix()
            if self._files.get(home, self._known[home].files).get(name) == digest:
                return
            files = self._files.setdefault(home, dict(self._known[home].files))
            files.pop(name, None)
            if digest is not None:
                files[name] = digest
            # Each time: what is there when it is killed is not written again, and so not noted.
            write_file(home / CHECKSUMS, Checksums(files, unfinished=True).as_json())

    def finish(self, kept: "_Selection") -> None:
        """Write the checksums, as many of them as are ``kept``.  Raises RunError."""
        if self.folder not in self._files and _is_unfinished(self.folder):
            self._files[self.folder] = dict(_still_true(self.folder).files)
        for home, files in self._files.items():
            if found := kept(home, files):
                write_file(home / CHECKSUMS, Checksums(found).as_json())
            else:
                remove_file(home / CHECKSUMS)

    def _home(self, folder: Path) -> Path:
        """The innermost folder with checksums of its own, or the one that is held."""
        if folder not in self._homes:
            own = folder == self.folder or (folder / CHECKSUMS).is_file()
            self._homes[folder] = folder if own else self._home(folder.parent)
        return self._homes[folder]


def _is_unfinished(home: Path) -> bool:
    """Whether the checksums of a folder are those of a command that was killed."""
    with suppress(OSError, ValueError):
        found = read_checksums(home)
        return found is not None and found.unfinished
    return False


def _still_true(home: Path) -> Checksums:
    """What is known of the files in a folder; nothing where that is damaged."""
    try:
        found = read_checksums(home) or Checksums()
    except (OSError, ValueError):
        return Checksums()
    return Checksums(_matching(home, found.files)) if found.unfinished else found


#: Which checksums of files in a folder are kept.
_Selection = Callable[[Path, Mapping[str, str]], dict[str, str]]


def _there(home: Path, files: Mapping[str, str]) -> dict[str, str]:
    """Those of files that are there.  Raises RunError."""
    with writing(home):
        return {name: digest for name, digest in files.items() if (home / name).is_file()}


def _matching(home: Path, files: Mapping[str, str]) -> dict[str, str]:
    """Those of files that are as they should be."""
    found = {}
    for name, digest in files.items():
        with suppress(OSError):
            if checksum_of(home / name) == digest:
                found[name] = digest
    return found
